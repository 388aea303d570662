#include "report/diff/diff_format.h"

#include <string.h>

#include "base/memory_error.h"
#include "base/named.h"
#include "base/number.h"

#define ADDRESS(name) &af_diff_format_##name,
static const af_diff_format *const formats[] = {AF_DIFF_FORMATS(ADDRESS)};

AF_NAMED_TABLE(af_diff_format, formats, af_diff_format_at, af_diff_format_lookup)

static gboolean is_by_default(const af_diff_tables *wanted)
{
    return wanted->tables == NULL || wanted->tables[0] == NULL;
}

static gboolean is_wanted(const af_diff_tables *wanted, const af_diff_format *format,
                          const af_diff_table_kind *kind)
{
    const gboolean by_default = is_by_default(wanted);
    if (by_default && !kind->is_tree && format->complete) {
        return TRUE;
    }
    if (format->methods &&
        (kind->make == af_diff_table_methods || kind->make == af_diff_table_threads)) {
        return TRUE;
    }
    if (by_default) {
        return wanted->methods == NULL && kind->make == af_diff_table_methods;
    }
    return g_strv_contains(wanted->tables, kind->word);
}

static gboolean check_words(const af_diff_tables *wanted, GError **error)
{
    for (const char *const *word = wanted->tables; word != NULL && *word != NULL; word++) {
        gboolean known = FALSE;
        for (unsigned i = 0; af_diff_table_kind_at(i) != NULL; i++) {
            known = known || strcmp(af_diff_table_kind_at(i)->word, *word) == 0;
        }
        if (!known) {
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown table \"%s\"", *word);
            return FALSE;
        }
    }
    return TRUE;
}

/* FALSE if the table is NULL: memory was refused. */
static gboolean add_table(GPtrArray *tables, af_diff_table *table)
{
    if (table != NULL) {
        g_ptr_array_add(tables, table);
    }
    return table != NULL;
}

static gboolean add_tables(const af_diff *diff, const af_diff_tables *wanted,
                           const af_diff_format *format, GPtrArray *tables)
{
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && af_diff_table_kind_at(i) != NULL; i++) {
        const af_diff_table_kind *kind = af_diff_table_kind_at(i);
        ok = !is_wanted(wanted, format, kind) ||
             add_table(tables, kind->groups != NULL ? af_diff_table_groups(diff, wanted, kind)
                                                    : kind->make(diff, wanted));
    }
    return ok && (!wanted->paths || add_table(tables, af_diff_table_paths(diff, wanted)));
}

/* More bytes of paths than this are a mistake and do not fit into memory. */
#define MOST_PATH_BYTES (UINT64_C(2) << 30)

static gboolean check_paths(const af_diff *diff, const af_diff_tables *wanted, GError **error)
{
    uint64_t sum = 0, longest = 0;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        g_autofree uint64_t *length = g_try_new0(uint64_t, (gsize)tree->n + 1);
        for (uint32_t n = 1; length != NULL && n < tree->n; n++) {
            length[n] = length[tree->parent[n]] + diff->labels[tree->label[n]].length + 1;
            longest = MAX(longest, length[n]);
            sum += length[n];
        }
    }
    sum = wanted->top > 0 ? MIN(sum, longest * wanted->top) : sum;
    if (sum > MOST_PATH_BYTES) {
        char gigabytes[AF_NUMBER_SIZE];
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the names of all paths would take %s GB; --top lists fewer, "
                    "--collapse-recursion or --max-depth makes them shorter",
                    af_number_count(gigabytes, sum >> 30));
    }
    return sum <= MOST_PATH_BYTES;
}

GPtrArray *af_diff_tables_make(const af_diff *diff, const af_diff_tables *wanted,
                               const af_diff_format *format, GError **error)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func(af_diff_table_free);
    gboolean ok = check_words(wanted, error) &&
                  (!wanted->paths || format->alone || check_paths(diff, wanted, error));
    if (ok && !format->alone) {
        const gboolean linked = format->linked && wanted->methods == NULL && is_by_default(wanted);
        ok = ((add_tables(diff, wanted, format, tables) &&
               (!linked || af_diff_table_add_changed(diff, wanted, tables))) ||
              af_memory_error_set(error)) &&
             af_diff_table_add_relatives(diff, wanted, tables, error);
    }
    if (!ok) {
        g_clear_pointer(&tables, g_ptr_array_unref);
    }
    return tables;
}
