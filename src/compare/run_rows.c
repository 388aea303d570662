#include "compare/run_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/path.h"

/* Rows of one thread, found by name while its tree is walked. */
typedef struct {
    af_array *rows;   /* of af_run_row */
    size_t begin;     /* of the thread */
    uint32_t *row_of; /* by group: number of its row from `begin`, + 1 */
    af_path path;
} walking;

static af_run_row *find_row(walking *w, uint32_t group, uint32_t thread, gboolean masked)
{
    if (w->row_of[group] == 0) {
        af_run_row *row = af_array_add(w->rows, 1);
        if (row == NULL) {
            return NULL;
        }
        *row = (af_run_row){.thread = thread, .name = group, .masked = masked};
        w->row_of[group] = (uint32_t)(w->rows->n - w->begin);
    }
    return (af_run_row *)w->rows->items + w->begin + w->row_of[group] - 1;
}

static void add_node(af_run_row *row, const af_tree *tree, uint32_t node, gboolean nested)
{
    for (unsigned c = 0; c < AF_RUN_MEASURES; c++) {
        if (af_tree_has(tree, (af_clock)c)) {
            row->self[c] += af_tree_self_term(tree, node, (af_clock)c);
            if (!nested) {
                af_time_add(&row->inclusive[c], af_tree_time_term(tree, node, (af_clock)c),
                            (af_clock)c);
            }
        }
    }
    row->calls += nested ? 0 : tree->calls[node];
}

static void finish_thread(walking *w)
{
    af_path_restart(&w->path);
    for (size_t i = w->begin; i < w->rows->n; i++) {
        w->row_of[AF_ARRAY_AT(w->rows, af_run_row, i).name] = 0;
    }
    w->begin = w->rows->n;
}

/* `skip` (by group, NULL = none): groups without a row. */
static gboolean walk_thread(walking *w, const af_tree *tree, const uint32_t *group_of,
                            const uint8_t *only, uint32_t thread)
{
    gboolean ok = TRUE;
    for (uint32_t n = 1; ok && n < tree->n; n++) {
        const uint32_t group = group_of[tree->label[n]];
        const gboolean nested = af_path_enter(&w->path, tree->depth[n], group) > 0;
        if (only == NULL || only[group] != 0) {
            af_run_row *row = find_row(w, group, thread, only != NULL);
            ok = row != NULL;
            if (ok) {
                add_node(row, tree, n, nested);
            }
        }
    }
    finish_thread(w);
    return ok;
}

/* All threads by one kind of group. */
static gboolean walk_profile(af_array *rows, const af_profile *profile, const uint32_t *group_of,
                             uint32_t n_groups, const uint8_t *only, const uint32_t *thread_of)
{
    walking w = {
        .rows = rows, .begin = rows->n, .row_of = g_try_new0(uint32_t, (size_t)n_groups + 1)};
    gboolean ok =
        af_path_begin(&w.path, n_groups, af_profile_deepest(profile, NULL, 0)) && w.row_of != NULL;
    for (uint32_t t = 0; ok && t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        if (thread_of[t] != AF_NO_NODE) {
            ok = walk_thread(&w, tree, group_of, only, thread_of[t]);
        }
    }
    af_path_end(&w.path);
    g_free(w.row_of);
    return ok;
}

int af_run_rows_order(const void *a, const void *b)
{
    const af_run_row *one = a, *other = b;
    if (one->thread != other->thread) {
        return one->thread < other->thread ? -1 : 1;
    }
    if (one->masked != other->masked) {
        return one->masked ? 1 : -1;
    }
    return (one->name > other->name) - (one->name < other->name);
}

/* Threads of one name are one. Waiting is added up as af_tree_self_term() until then. */
static uint32_t join_rows(af_run_row *rows, uint32_t n)
{
    uint32_t left = 0;
    if (n > 1) {
        qsort(rows, n, sizeof *rows, af_run_rows_order);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (left > 0 && af_run_rows_order(&rows[left - 1], &rows[i]) == 0) {
            af_run_row *to = &rows[left - 1];
            to->calls += rows[i].calls;
            for (unsigned c = 0; c < AF_RUN_MEASURES; c++) {
                af_time_add(&to->self[c], rows[i].self[c], (af_clock)c);
                af_time_add(&to->inclusive[c], rows[i].inclusive[c], (af_clock)c);
            }
        } else {
            rows[left++] = rows[i];
        }
    }
    for (uint32_t i = 0; i < left; i++) {
        rows[i].self[AF_WAIT] = af_time_of_sum(rows[i].self[AF_WAIT], AF_WAIT);
        rows[i].inclusive[AF_WAIT] = af_time_of_sum(rows[i].inclusive[AF_WAIT], AF_WAIT);
    }
    return left;
}

const char *af_run_row_name(const af_runs *runs, const af_run_row *row)
{
    return row->masked ? runs->masks.entries[row->name].bytes
                       : runs->names.entries[row->name].bytes;
}

static gint compare_by_text(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_runs *runs = user;
    const af_run_row *one = *(const af_run_row *const *)a, *other = *(const af_run_row *const *)b;
    const int threads = strcmp(runs->thread_names.entries[one->thread].bytes,
                               runs->thread_names.entries[other->thread].bytes);
    if (threads != 0) {
        return threads;
    }
    if (one->masked != other->masked) {
        return one->masked ? 1 : -1;
    }
    const int names = strcmp(af_run_row_name(runs, one), af_run_row_name(runs, other));
    return names != 0 ? names : (one > other) - (one < other);
}

static void hash_number(GChecksum *sum, uint64_t value)
{
    const uint64_t little = GUINT64_TO_LE(value);
    g_checksum_update(sum, (const guchar *)&little, sizeof little);
}

static void hash_text(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Does not depend on the order in which names and threads came. */
static gboolean hash_run(const af_runs *runs, af_run *run)
{
    const af_run_row **order = g_try_new(const af_run_row *, (size_t)run->n_rows + 1);
    if (order == NULL) {
        return FALSE;
    }
    for (uint32_t i = 0; i < run->n_rows; i++) {
        order[i] = &run->rows[i];
    }
    qsort_r(order, run->n_rows, sizeof *order, compare_by_text, (gpointer)runs);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (uint32_t i = 0; i < run->n_rows; i++) {
        const af_run_row *row = order[i];
        hash_text(sum, runs->thread_names.entries[row->thread].bytes);
        hash_text(sum, af_run_row_name(runs, row));
        hash_number(sum, row->calls);
        for (unsigned c = 0; c < AF_RUN_MEASURES; c++) {
            hash_number(sum, row->self[c]);
            hash_number(sum, row->inclusive[c]);
        }
    }
    guint8 digest[32];
    gsize length = sizeof digest;
    g_checksum_get_digest(sum, digest, &length);
    memcpy(run->hash, digest, sizeof run->hash);
    g_free(order);
    return TRUE;
}

static uint32_t *mask_labels(const af_runs *runs, const af_profile *profile,
                             const uint32_t *name_of, gboolean *any)
{
    uint32_t *mask_of = g_try_new(uint32_t, (size_t)profile->n_labels + 1);
    *any = FALSE;
    for (uint32_t l = 0; mask_of != NULL && l < profile->n_labels; l++) {
        mask_of[l] = af_runs_name_at(runs, name_of[l])->mask;
        *any = *any || AF_ARRAY_AT(&runs->masked, uint8_t, mask_of[l]) != 0;
    }
    return mask_of;
}

/* The smallest hashes stay. */
static void insert_run(af_runs *runs, const af_run *run)
{
    guint at = runs->runs->len;
    while (at > 0 &&
           memcmp(g_array_index(runs->runs, af_run, at - 1).hash, run->hash, AF_RUN_HASH) > 0) {
        at--;
    }
    g_array_insert_val(runs->runs, at, *run);
    if (runs->runs->len > AF_RUNS_MAX) {
        g_free(g_array_index(runs->runs, af_run, AF_RUNS_MAX).rows);
        g_array_set_size(runs->runs, AF_RUNS_MAX);
        runs->state = MAX(runs->state, AF_RUNS_PARTIAL);
    }
}

static gboolean compute_rows(const af_runs *runs, const af_profile *profile,
                             const uint32_t *name_of, const uint32_t *thread_of, af_run *run)
{
    gboolean any_masked;
    af_array rows;
    g_autofree uint32_t *mask_of = mask_labels(runs, profile, name_of, &any_masked);
    af_array_init(&rows, sizeof(af_run_row));
    gboolean ok =
        mask_of != NULL && walk_profile(&rows, profile, name_of, runs->names.n, NULL, thread_of);
    if (ok && any_masked) {
        ok = walk_profile(&rows, profile, mask_of, runs->masks.n, runs->masked.items, thread_of);
    }
    run->rows = rows.items;
    run->n_rows = join_rows(run->rows, (uint32_t)rows.n);
    return ok;
}

gboolean af_run_rows_add(af_runs *runs, const af_profile *profile, const uint32_t *name_of,
                         const uint32_t *thread_of)
{
    af_run run = {.number = runs->n_profiles};
    const gboolean ok =
        runs->only != NULL ||
        (compute_rows(runs, profile, name_of, thread_of, &run) && hash_run(runs, &run));
    if (ok) {
        insert_run(runs, &run);
    } else {
        g_free(run.rows);
    }
    return ok;
}

gboolean af_run_rows_complete(const af_runs *runs)
{
    static GMutex lock; /* comparisons share their sides */
    const af_profile *profile = runs->only;
    if (profile == NULL || profile->run_sums != NULL) {
        return TRUE;
    }
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&lock);
    af_run *run = &g_array_index(runs->runs, af_run, 0);
    if (run->rows != NULL) {
        return TRUE;
    }
    g_autofree uint32_t *name_of = g_try_new(uint32_t, (size_t)profile->n_labels + 1);
    for (uint32_t l = 0; name_of != NULL && l < profile->n_labels; l++) {
        const af_label *label = &profile->labels[l];
        name_of[l] = af_textmap_find(&runs->names, label->text, label->length);
    }
    return name_of != NULL && compute_rows(runs, profile, name_of, runs->only_threads, run) &&
           hash_run(runs, run);
}

/* The numbers that the names of a merged profile have here. NULL if memory is refused. */
static uint32_t *number_names(const af_run_sums *sums, const af_textmap *map)
{
    uint32_t *numbers = g_try_new(uint32_t, (size_t)sums->n_names + 1);
    for (uint32_t i = 0; numbers != NULL && i < sums->n_names; i++) {
        numbers[i] = af_textmap_find(map, sums->names[i], strlen(sums->names[i]));
    }
    return numbers;
}

static gboolean import_run(af_runs *runs, const af_run *from, const uint32_t *exact,
                           const uint32_t *masks, const uint32_t *thread_of)
{
    af_run run = {.rows = g_try_new(af_run_row, (size_t)from->n_rows + 1)};
    if (run.rows == NULL) {
        return FALSE;
    }
    memcpy(run.hash, from->hash, sizeof run.hash);
    for (uint32_t i = 0; i < from->n_rows; i++) {
        af_run_row row = from->rows[i];
        row.thread = thread_of[row.thread];
        row.name = row.masked ? masks[row.name] : exact[row.name];
        if (row.thread != AF_NO_NODE && row.name != AF_TEXTMAP_NONE) {
            run.rows[run.n_rows++] = row;
        }
    }
    run.n_rows = join_rows(run.rows, run.n_rows);
    insert_run(runs, &run);
    return TRUE;
}

gboolean af_run_rows_import(af_runs *runs, const af_profile *profile, const uint32_t *thread_of)
{
    const af_run_sums *sums = profile->run_sums;
    g_autofree uint32_t *exact = number_names(sums, &runs->names);
    g_autofree uint32_t *masks = number_names(sums, &runs->masks);
    gboolean ok = exact != NULL && masks != NULL;
    for (uint32_t r = 0; ok && r < sums->n_summed; r++) {
        ok = import_run(runs, &sums->runs[r], exact, masks, thread_of);
    }
    if (sums->n_summed < sums->n_runs) {
        runs->state = MAX(runs->state, AF_RUNS_PARTIAL);
    }
    return ok;
}
