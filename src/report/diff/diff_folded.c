/* Folded stacks with two columns, "STACK BEFORE AFTER", as difffolded.pl of FlameGraph writes them:
 * each column is what `convert` gives for that side. */
#include "report/diff/diff_format.h"

#include <aflame/error.h>
#include "base/number.h"
#include "base/stack_name.h"

/* As for one side, see --any-size. */
#define MOST_BYTES (UINT64_C(16) << 30)

#define US 1000

static uint64_t count_of(const af_diff *diff, uint64_t amount)
{
    return diff->unit.counted ? amount : amount / US;
}

static gboolean is_printed(const af_diff *diff, const af_diff_tree *tree, uint32_t n)
{
    return count_of(diff, tree->self[AF_BEFORE][diff->clock][n]) > 0 ||
           count_of(diff, tree->self[AF_AFTER][diff->clock][n]) > 0;
}

static gboolean check_size(const af_diff *diff, GError **error)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        g_autofree uint64_t *length = g_try_new0(uint64_t, tree->n);
        for (uint32_t n = 1; length != NULL && n < tree->n; n++) {
            length[n] = length[tree->parent[n]] + diff->labels[tree->label[n]].length + 1;
            sum += is_printed(diff, tree, n) ? length[n] : 0;
        }
    }
    if (sum > MOST_BYTES) {
        char gigabytes[AF_NUMBER_SIZE];
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the stacks would take %s GB; --collapse-recursion or --max-depth makes them "
                    "shorter",
                    af_number_count(gigabytes, sum >> 30));
    }
    return sum <= MOST_BYTES;
}

static void append_name(GString *line, const char *name)
{
    const gsize begin = line->len;
    if (begin == 0 && *name == '#') {
        g_string_append_c(line, '_');
    }
    g_string_append(line, name);
    g_strdelimit(line->str + begin, ";", ':');
}

static void put_count(af_out *out, const af_diff *diff, uint64_t amount)
{
    char text[AF_NUMBER_SIZE];
    static const af_unit whole;
    af_out_texts(out, " ",
                 af_number_amount_typed(text, count_of(diff, amount),
                                        diff->unit.counted ? &diff->unit : &whole));
}

static void put_thread(const af_diff *diff, const af_diff_thread *thread, af_out *out)
{
    const af_diff_tree *tree = &thread->tree;
    g_autoptr(GString) line = g_string_new(NULL);
    GArray *ends = g_array_new(FALSE, TRUE, sizeof(gsize)); /* by depth */
    append_name(line, thread->title);
    g_array_append_val(ends, line->len);
    for (uint32_t n = 1; n < tree->n && out->error == NULL; n++) {
        const af_diff_label *label = &diff->labels[tree->label[n]];
        const uint32_t depth = tree->depth[n];
        g_string_truncate(line, g_array_index(ends, gsize, depth - 1));
        g_string_append_c(line, ';');
        append_name(line, label->text);
        g_array_set_size(ends, depth);
        g_array_append_val(ends, line->len);
        if (is_printed(diff, tree, n)) {
            af_out_bytes(out, line->str, line->len);
            if (af_stack_name_runs_into_count(label->text, label->length)) {
                af_out_char(out, '_');
            }
            put_count(out, diff, tree->self[AF_BEFORE][diff->clock][n]);
            put_count(out, diff, tree->self[AF_AFTER][diff->clock][n]);
            af_out_char(out, '\n');
        }
    }
    g_array_unref(ends);
}

static gboolean write_folded(const af_diff *diff, const GPtrArray *tables,
                             const af_diff_tables *wanted, GBytes *carried, af_out *out,
                             GError **error)
{
    if (!check_size(diff, error)) {
        return FALSE;
    }
    for (uint32_t t = 0; t < diff->n_threads && out->error == NULL; t++) {
        put_thread(diff, &diff->threads[t], out);
    }
    return TRUE;
}

const af_diff_format af_diff_format_folded = {.name = "folded",
                                              .extension = "folded",
                                              .title = "folded stacks with two columns",
                                              .alone = TRUE,
                                              .write = write_folded};
