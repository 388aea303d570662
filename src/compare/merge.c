#include "compare/merge.h"
#include "compare/run_rows.h"

#include <stdlib.h>
#include <string.h>

#include <aflame/error.h>
#include "base/memory_error.h"
#include "base/order.h"

typedef struct {
    af_runs *runs;
    af_profile *profile;
    uint32_t *rank;        /* by name: its place in order of text */
    uint32_t *thread_rank; /* by thread */
} merging;

static gint compare_names(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_runs *runs = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return strcmp(runs->names.entries[one].bytes, runs->names.entries[other].bytes);
}

static gboolean make_label(merging *m, uint32_t name, uint32_t rank)
{
    af_profile *p = m->profile;
    const af_runs_name *it = af_runs_name_at(m->runs, name);
    const af_diff_label *from = &it->label;
    af_method *method = &p->methods[rank];
    *method = it->has_method ? it->method : (af_method){.line = -1, .proxy = from->text};
    method->id = rank;
    for (unsigned i = 0; i < AF_METHOD_TEXTS; i++) {
        const char **text = &method->texts[i];
        *text = *text != NULL ? af_arena_copy(p->arena, *text, strlen(*text)) : NULL;
    }
    p->labels[rank] = (af_label){.text = af_arena_copy(p->arena, from->text, from->length),
                                 .length = from->length,
                                 .method = rank,
                                 .methods = 1,
                                 .class_length = from->class_length,
                                 .method_at = from->method_at,
                                 .category = from->category,
                                 .shade = from->shade,
                                 .synthetic = method->synthetic};
    m->rank[name] = rank;
    return p->labels[rank].text != NULL;
}

static gboolean make_labels(merging *m)
{
    af_profile *p = m->profile;
    const uint32_t n = m->runs->names.n;
    g_autofree uint32_t *order = g_try_new(uint32_t, (size_t)n + 1);
    m->rank = g_try_new(uint32_t, (size_t)n + 1);
    p->labels = af_arena_alloc(p->arena, sizeof *p->labels * ((size_t)n + 1));
    p->methods = af_arena_alloc(p->arena, sizeof *p->methods * ((size_t)n + 1));
    gboolean ok = order != NULL && m->rank != NULL && p->labels != NULL && p->methods != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        order[i] = i;
    }
    if (ok) {
        qsort_r(order, n, sizeof *order, compare_names, m->runs);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = make_label(m, order[i], i);
    }
    p->n_labels = p->n_methods = ok ? n : 0;
    return ok;
}

/* Siblings in the order of their names. */
static gboolean order_nodes(const merging *m, const af_paths *paths, uint32_t *order)
{
    const uint32_t *names = af_paths_names(paths);
    g_autofree uint64_t *weights = g_try_new(uint64_t, paths->n);
    for (uint32_t n = 1; weights != NULL && n < paths->n; n++) {
        weights[n] = UINT32_MAX - m->rank[names[n]];
    }
    return weights != NULL && af_paths_order(paths, weights, order);
}

static void fill_tree(const merging *m, af_tree *tree, const af_runs_thread *from,
                      const uint32_t *order, uint32_t *index)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        index[order[i]] = i;
    }
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t n = order[i];
        const af_path_sums *sums = &AF_ARRAY_AT(&from->sums, af_path_sums, n);
        const af_path_details *details = &AF_ARRAY_AT(&from->details, af_path_details, n);
        tree->parent[i] = index[af_paths_parents(&from->paths)[n]];
        tree->label[i] = m->rank[af_paths_names(&from->paths)[n]];
        tree->calls[i] = sums->calls;
        tree->unwinds[i] = details->unwinds;
        if (tree->runnable != NULL) {
            tree->runnable[i] = AF_ARRAY_AT(&from->runnable, uint64_t, n);
        }
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (tree->self[c] != NULL) {
                tree->self[c][i] = sums->self[c];
                tree->min[c][i] = details->min[c];
                tree->max[c][i] = details->max[c];
            }
        }
    }
    af_tree_sum(tree);
}

static af_tree *make_tree(merging *m, const af_runs_thread *from)
{
    const uint32_t n = from->paths.n;
    const unsigned clocks = from->clocks & m->runs->clocks;
    const gboolean runnable = !from->lacks_runnable && clocks == AF_BOTH_CLOCKS;
    af_tree *tree = af_tree_new(n, clocks | (runnable ? AF_TREE_RUNNABLE : 0));
    g_autofree uint32_t *order = g_try_new(uint32_t, n), *index = g_try_new(uint32_t, n);
    const gboolean ok =
        tree != NULL && order != NULL && index != NULL && order_nodes(m, &from->paths, order);
    if (ok) {
        fill_tree(m, tree, from, order, index);
    } else {
        g_clear_pointer(&tree, af_tree_free);
    }
    return tree;
}

static gint compare_threads(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_runs *runs = user;
    const af_runs_thread *one = runs->threads->pdata[*(const uint32_t *)a];
    const af_runs_thread *other = runs->threads->pdata[*(const uint32_t *)b];
    return one->id != other->id ? (one->id > other->id ? 1 : -1) : strcmp(one->name, other->name);
}

static gboolean make_thread(merging *m, uint32_t number, uint32_t rank)
{
    const af_runs_thread *from = m->runs->threads->pdata[number];
    af_profile *p = m->profile;
    af_tree *tree = make_tree(m, from);
    if (tree == NULL) {
        return FALSE;
    }
    af_thread *to = &p->threads[rank];
    *to = (af_thread){.id = from->id,
                      .number = rank,
                      .name = af_arena_text(p->arena, from->name),
                      .process = AF_NO_PROCESS,
                      .records = from->records,
                      .calls = from->n_calls,
                      .exited = from->exited,
                      .listed = from->listed,
                      .sampled = from->sampled && !m->runs->sampled,
                      .is_track = from->is_track,
                      .tree = tree};
    for (uint32_t n = 1; n < tree->n; n++) {
        to->max_depth = MAX(to->max_depth, tree->depth[n]);
        to->unwinds += tree->unwinds[n];
    }
    m->thread_rank[number] = rank;
    p->n_threads = rank + 1;
    return to->name != NULL;
}

static gboolean make_threads(merging *m)
{
    const uint32_t n = m->runs->threads->len;
    g_autofree uint32_t *order = g_try_new(uint32_t, (size_t)n + 1);
    m->thread_rank = g_try_new(uint32_t, (size_t)n + 1);
    m->profile->threads = af_arena_alloc(m->profile->arena, sizeof(af_thread) * ((size_t)n + 1));
    gboolean ok = order != NULL && m->thread_rank != NULL && m->profile->threads != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        order[i] = i;
    }
    if (ok) {
        qsort_r(order, n, sizeof *order, compare_threads, m->runs);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = make_thread(m, order[i], i);
    }
    return ok && af_profile_title_threads(m->profile);
}

/* The names of all rows, ascending, each once. */
static GPtrArray *list_names(const af_runs *runs)
{
    g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (guint r = 0; r < runs->runs->len; r++) {
        const af_run *run = &g_array_index(runs->runs, af_run, r);
        for (uint32_t i = 0; i < run->n_rows; i++) {
            const char *text = af_run_row_name(runs, &run->rows[i]);
            if (g_hash_table_add(texts, (gpointer)text)) {
                g_ptr_array_add(names, (gpointer)text);
            }
        }
    }
    g_ptr_array_sort(names, af_order_texts);
    return names;
}

static gboolean make_run(const merging *m, GHashTable *index, const af_run *from, af_run *to)
{
    to->rows = af_arena_alloc(m->profile->arena, sizeof *to->rows * ((size_t)from->n_rows + 1));
    to->n_rows = from->n_rows;
    memcpy(to->hash, from->hash, sizeof to->hash);
    for (uint32_t i = 0; to->rows != NULL && i < from->n_rows; i++) {
        const char *text = af_run_row_name(m->runs, &from->rows[i]);
        to->rows[i] = from->rows[i];
        to->rows[i].thread = m->thread_rank[from->rows[i].thread];
        to->rows[i].name = GPOINTER_TO_UINT(g_hash_table_lookup(index, text));
    }
    if (to->rows != NULL) {
        qsort(to->rows, to->n_rows, sizeof *to->rows, af_run_rows_order);
    }
    return to->rows != NULL;
}

static gboolean make_runs(merging *m)
{
    af_arena *arena = m->profile->arena;
    const guint n = m->runs->state == AF_RUNS_RESHAPED ? 0 : m->runs->runs->len;
    g_autoptr(GPtrArray) names = list_names(m->runs);
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    af_run_sums *sums = af_arena_alloc(arena, sizeof *sums);
    const char **texts = af_arena_alloc(arena, sizeof *texts * ((size_t)names->len + 1));
    af_run *runs = af_arena_alloc(arena, sizeof *runs * ((size_t)n + 1));
    gboolean ok = sums != NULL && texts != NULL && runs != NULL;
    for (guint i = 0; ok && i < names->len; i++) {
        texts[i] = af_arena_copy(arena, names->pdata[i], strlen(names->pdata[i]));
        g_hash_table_insert(index, names->pdata[i], GUINT_TO_POINTER(i));
        ok = texts[i] != NULL;
    }
    for (guint r = 0; ok && r < n; r++) {
        ok = make_run(m, index, &g_array_index(m->runs->runs, af_run, r), &runs[r]);
    }
    if (ok) {
        *sums = (af_run_sums){m->runs->n_runs, texts, n > 0 ? names->len : 0, runs, n};
        m->profile->run_sums = sums;
    }
    return ok;
}

static void take_facts(const merging *m)
{
    af_profile *p = m->profile;
    p->facts = m->runs->facts;
    p->facts.has_bidi = TRUE;
    p->facts.app = af_arena_text(m->profile->arena, p->facts.app);
    p->facts.format.name = af_arena_text(m->profile->arena, p->facts.format.name);
    p->facts.format.title = af_arena_text(m->profile->arena, p->facts.format.title);
    p->facts.format.producer = af_arena_text(m->profile->arena, p->facts.format.producer);
    p->facts.format.record = af_arena_text(m->profile->arena, p->facts.format.record);
    p->facts.format.thread = af_arena_text(m->profile->arena, p->facts.format.thread);
    p->facts.android.vm = af_arena_text(m->profile->arena, p->facts.android.vm);
    p->facts.weights.event = af_arena_text(m->profile->arena, p->facts.weights.event);
    p->facts.weights.unit.name = af_arena_text(m->profile->arena, p->facts.weights.unit.name);
    if (p->facts.container == AF_CONTAINER_OTHER && p->facts.format.title == NULL) {
        p->facts.format.title = "merged profiles";
        p->facts.format.name = "aflp";
    }
    p->facts.counts.methods = p->n_labels;
    p->names = m->runs->style;
    p->clocks = m->runs->clocks;
    p->callers_above = m->runs->callers_above;
    p->compensated = m->runs->compensated;
    p->warnings = m->runs->warnings;
    if (m->runs->any_clocks != m->runs->clocks || p->warnings.count[AF_WARN_CLOCK_DROPPED] > 0) {
        p->warnings.count[AF_WARN_CLOCK_DROPPED] = 1; /* in whatever groups they were merged */
        p->warnings.offset[AF_WARN_CLOCK_DROPPED] = AF_NO_OFFSET;
    }
    p->warnings.count[AF_WARN_SEVERAL_APPS] = MIN(p->warnings.count[AF_WARN_SEVERAL_APPS], 1);
    p->markers.instants = m->runs->instants;
    p->markers.values = m->runs->values;
}

af_profile *af_merge_finish(af_runs *runs, GError **error)
{
    if (runs->threads->len == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "there is no thread to merge");
        return NULL;
    }
    merging m = {.runs = runs, .profile = g_new0(af_profile, 1)};
    m.profile->arena = af_arena_new();
    gboolean ok = make_labels(&m);
    take_facts(&m);
    ok = ok && make_threads(&m) && make_runs(&m) && af_categories_assign(m.profile) &&
         !af_arena_failed(m.profile->arena);
    g_free(m.thread_rank);
    g_free(m.rank);
    if (!ok) {
        g_clear_pointer(&m.profile, af_profile_free);
        af_memory_error_set(error);
    }
    return m.profile;
}
