/* Selects threads and merges pools of threads. */
#include "transform/step.h"

#include <string.h>

#include "base/memory_error.h"
#include "model/pattern.h"
#include "model/select.h"

/* ---- selecting ---- */

/* Removes the thread from the draft and frees its data. */
static void drop_thread(af_working_copy *draft, uint32_t thread)
{
    if (draft->owned[thread] != 0) {
        af_tree_free(draft->made->threads[thread].tree);
    }
    draft->made->threads[thread].tree = NULL;
}

/* Closes the gaps of threads without a tree. */
static void close_gaps(af_working_copy *draft)
{
    af_profile *made = draft->made;
    af_lineage *lineage = draft->lineage;
    g_autofree uint32_t *index = g_new(uint32_t, (gsize)made->n_threads + 1);
    uint32_t n = 0;
    for (uint32_t t = 0; t < made->n_threads; t++) {
        index[t] = made->threads[t].tree == NULL ? AF_NO_NODE : n++;
        if (index[t] != AF_NO_NODE) {
            made->threads[index[t]] = made->threads[t];
            draft->owned[index[t]] = draft->owned[t];
        }
    }
    made->n_threads = n;
    af_profile_take_clocks(made);
    for (uint32_t t = 0; lineage != NULL && t < lineage->n_threads; t++) {
        lineage->thread[t] =
            lineage->thread[t] == AF_NO_NODE ? AF_NO_NODE : index[lineage->thread[t]];
        if (lineage->thread[t] == AF_NO_NODE) {
            af_lineage_drop_thread(lineage, t);
        }
    }
    if (lineage != NULL) {
        af_lineage_chain(lineage);
    }
}

gboolean af_working_copy_select_threads(af_working_copy *draft, const char *const *selectors,
                                        GError **error)
{
    const af_profile *made = draft->made;
    g_autofree guint8 *keep = af_select_thread_flags(made, selectors, error);
    if (keep == NULL) {
        return FALSE;
    }
    for (uint32_t t = 0; t < made->n_threads; t++) {
        if (keep[t] != 0) {
            draft->record->matched++;
            continue;
        }
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            draft->record->left_out_ns[c] += af_thread_time_ns(made, t, c);
        }
        drop_thread(draft, t);
    }
    close_gaps(draft);
    return TRUE;
}

/* ---- pools ---- */

/* The name with each number replaced by one "#"; "AsyncTask #3" has a "#" already. */
static char *collapse_digits(const char *name)
{
    GString *text = g_string_new(NULL);
    for (const char *c = name; *c != '\0'; c++) {
        if (!g_ascii_isdigit(*c)) {
            g_string_append_c(text, *c);
        } else if (text->len == 0 || text->str[text->len - 1] != '#') {
            g_string_append_c(text, '#');
        }
    }
    return g_string_free(text, FALSE);
}

/* For each thread, the first thread of its pool; itself if it is in none. Threads of different
 * processes are in different pools. */
static uint32_t *find_pools(const af_profile *profile, const af_pattern *pattern)
{
    uint32_t *pool = g_new(uint32_t, (gsize)profile->n_threads + 1);
    GHashTable *first = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL); /* + 1 */
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const char *name = profile->threads[t].name;
        pool[t] = t;
        if (pattern != NULL && !af_pattern_matches(pattern, name)) {
            continue;
        }
        g_autofree char *collapsed = collapse_digits(name);
        char *key = g_strdup_printf("%u %s", profile->threads[t].process, collapsed);
        const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(first, key));
        if (known != 0) {
            pool[t] = known - 1;
            g_free(key);
        } else {
            g_hash_table_insert(first, key, GUINT_TO_POINTER(t + 1));
        }
    }
    g_hash_table_unref(first);
    return pool;
}

/* Adds the facts of one thread to another. */
static void add_thread(af_thread *to, const af_thread *from, unsigned clocks)
{
    to->merged += MAX(from->merged, 1);
    to->records += from->records;
    to->calls += from->calls;
    to->open_at_end += from->open_at_end;
    to->exits_on_empty += from->exits_on_empty;
    to->missing_exits += from->missing_exits;
    to->unmatched_exits += from->unmatched_exits;
    to->unwinds += from->unwinds;
    to->max_depth = MAX(to->max_depth, from->max_depth);
    to->exited = to->exited && from->exited;
    to->listed = to->listed || from->listed;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((clocks >> c & 1) != 0) {
            to->first_ns[c] = MIN(to->first_ns[c], from->first_ns[c]);
            to->last_ns[c] = MAX(to->last_ns[c], from->last_ns[c]);
        }
    }
}

/* Appends a tree's nodes after the first `at` nodes of `to`, which include the thread itself. */
static void append_tree(af_tree *to, uint32_t at, const af_tree *from)
{
    for (uint32_t i = 1; i < from->n; i++) {
        to->parent[at + i - 1] = from->parent[i] == 0 ? 0 : at + from->parent[i] - 1;
        af_tree_copy_node(to, at + i - 1, from, i);
    }
}

/* Puts the trees of a pool next to each other, with the clocks that all of them have; `begin`
 * receives the start of each. NULL if there are too many nodes or memory is refused. */
static af_tree *join_trees(const af_working_copy *draft, const uint32_t *pool, uint32_t first,
                           uint32_t *begin)
{
    const af_profile *made = draft->made;
    unsigned clocks = made->clocks | AF_TREE_RUNNABLE;
    uint64_t n = 1;
    for (uint32_t t = first; t < made->n_threads; t++) {
        if (pool[t] == first) {
            begin[t] = (uint32_t)n;
            n += made->threads[t].tree->n - 1;
            clocks &= af_tree_columns(made->threads[t].tree);
        }
        if (n >= AF_NO_NODE) {
            return NULL;
        }
    }
    af_tree *joined = af_tree_new((uint32_t)n, clocks);
    for (uint32_t t = first; joined != NULL && t < made->n_threads; t++) {
        if (pool[t] == first) {
            append_tree(joined, begin[t], made->threads[t].tree);
        }
    }
    if (joined != NULL) {
        af_tree_sum(joined);
    }
    return joined;
}

/* Records the new positions of the nodes of the pool's threads. */
static gboolean trace_pool(af_working_copy *draft, const uint32_t *pool, uint32_t first,
                           const uint32_t *begin, const uint32_t *node_of)
{
    g_autofree uint32_t *joined = g_try_new(uint32_t, af_working_copy_largest(draft));
    for (uint32_t t = first; joined != NULL && t < draft->made->n_threads; t++) {
        if (pool[t] != first) {
            continue;
        }
        joined[0] = 0;
        for (uint32_t i = 1; i < draft->made->threads[t].tree->n; i++) {
            joined[i] = node_of[begin[t] + i - 1];
        }
        af_working_copy_trace(draft, t, first, joined, joined);
    }
    return joined != NULL;
}

/* Reports which times the pool lacks because some of its threads lack them. */
static void report_lost_times(af_working_copy *draft, unsigned lost)
{
    if ((lost & 1u << AF_CPU) != 0) {
        draft->record->message =
            "some of the threads lack CPU times, so the merged thread has none";
    } else if ((lost & 1u << AF_WALL) != 0) {
        draft->record->message =
            "some of the threads lack wall times, so the merged thread has none";
    } else if ((lost & AF_TREE_RUNNABLE) != 0) {
        draft->record->message = "some of the threads lack times of waiting for a processor, so "
                                 "the merged thread has none";
    }
}

/* Gives the trees of all threads to the pool's first thread. The others lose theirs. */
static gboolean merge_pool(af_working_copy *draft, const uint32_t *pool, uint32_t first,
                           uint32_t *begin)
{
    af_profile *made = draft->made;
    af_tree *joined = join_trees(draft, pool, first, begin), *merged = NULL;
    uint32_t *node_of = joined == NULL ? NULL : g_try_new(uint32_t, joined->n);
    af_plan plan = {NULL, NULL, NULL, NULL};
    if (node_of != NULL && af_plan_init(&plan, joined)) {
        merged = af_tree_regroup(joined, &plan, node_of);
    }
    const gboolean ok = merged != NULL && trace_pool(draft, pool, first, begin, node_of);
    af_plan_clear(&plan);
    g_free(node_of);
    af_tree_free(joined);
    if (!ok) {
        af_tree_free(merged);
        return FALSE;
    }
    af_thread *thread = &made->threads[first];
    char *name = collapse_digits(thread->name);
    thread->name = af_arena_text(made->arena, name);
    g_free(name);
    thread->merged = MAX(thread->merged, 1);
    unsigned lost = 0;
    for (uint32_t t = first; t < made->n_threads; t++) {
        if (pool[t] == first) {
            lost |= af_tree_columns(made->threads[t].tree) & ~af_tree_columns(merged);
            drop_thread(draft, t);
        }
        if (pool[t] == first && t != first) {
            add_thread(thread, &made->threads[t], af_tree_clocks(merged));
        }
    }
    report_lost_times(draft, lost);
    thread->tree = merged;
    draft->owned[first] = 1;
    draft->record->matched += thread->merged;
    return thread->name != NULL;
}

/* Leaves pools of one thread unchanged. */
static gboolean merge_pools(af_working_copy *draft, const uint32_t *pool)
{
    const uint32_t n = draft->made->n_threads;
    g_autofree uint32_t *begin = g_new(uint32_t, (gsize)n + 1);
    g_autofree guint8 *shared = g_malloc0((gsize)n + 1);
    gboolean ok = TRUE;
    for (uint32_t t = 0; t < n; t++) {
        shared[pool[t]] |= pool[t] != t;
    }
    for (uint32_t t = 0; ok && t < n; t++) {
        ok = shared[t] == 0 || merge_pool(draft, pool, t, begin);
    }
    return ok;
}

static gboolean merge_threads(af_working_copy *draft, const af_step *step, GError **error)
{
    af_pattern *pattern = NULL;
    if (strcmp(step->text, "all") != 0) {
        pattern = af_pattern_new(step->text, error);
        if (pattern == NULL) {
            return FALSE;
        }
    }
    uint32_t *pool = find_pools(draft->made, pattern);
    gboolean ok = merge_pools(draft, pool);
    if (ok) {
        close_gaps(draft);
        ok = af_profile_title_threads(draft->made);
    }
    g_free(pool);
    af_pattern_free(pattern);
    if (ok && draft->record->matched == 0) {
        draft->record->message = "no two matching threads have names that differ only in digits";
    }
    return ok || af_memory_error_set(error);
}

const af_step_class af_step_threads = {
    "thread", "main, ID, NAME, a pattern or all; repeatable",
    "Show these threads: main, all, an id, a name, a part of a name or a pattern; a\n"
    "leading exclamation mark selects all others.\n"
    "Repeat the option to add threads.\n"
    "Before --merge-threads it is a step like the others.",
    .value = AF_STEP_SELECTOR};

const af_step_class af_step_merge_threads = {
    "merge-threads", "Merge threads whose names differ in digits",
    "Merge threads whose names match and differ only in digits into one, such as\n"
    "pool-#-thread-#; all merges every such pool.\n"
    "All time stays.",
    AF_STEP_PATTERN, .run = merge_threads};
