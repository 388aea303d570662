#include "compare/runs.h"

#include <string.h>

#include "base/memory_error.h"
#include "compare/merge.h"
#include "compare/name_rules.h"
#include "compare/run_kind.h"
#include "compare/run_rows.h"

static void free_thread(gpointer user)
{
    g_autofree af_runs_thread *thread = user;
    for (guint i = 0; i < thread->runs->len; i++) {
        af_run_paths *run = &g_array_index(thread->runs, af_run_paths, i);
        g_free(run->node);
        g_free(run->sums);
    }
    g_array_unref(thread->runs);
    af_paths_clear(&thread->paths);
    AF_ARRAYS_CLEAR(&thread->sums, &thread->reason, &thread->details, &thread->runnable);
}

af_runs *af_runs_new(af_runs_use use)
{
    af_runs *runs = g_new0(af_runs, 1);
    runs->arena = af_arena_new();
    runs->use = use;
    runs->inputs = g_ptr_array_new_with_free_func(g_free);
    af_textmap_init(&runs->names);
    af_array_init(&runs->labels, sizeof(af_runs_name));
    af_textmap_init(&runs->masks);
    af_array_init(&runs->masked, sizeof(uint8_t));
    af_textmap_init(&runs->thread_names);
    runs->threads = g_ptr_array_new_with_free_func(free_thread);
    runs->runs = g_array_new(FALSE, FALSE, sizeof(af_run));
    return runs;
}

static void forget_profile(af_runs *runs)
{
    g_clear_pointer(&runs->only, af_profile_free);
    g_clear_pointer(&runs->only_threads, g_free);
}

void af_runs_free(af_runs *runs)
{
    if (runs == NULL) {
        return;
    }
    for (guint i = 0; i < runs->runs->len; i++) {
        g_free(g_array_index(runs->runs, af_run, i).rows);
    }
    g_array_unref(runs->runs);
    g_ptr_array_unref(runs->threads);
    af_textmap_clear(&runs->thread_names);
    af_array_clear(&runs->masked);
    af_textmap_clear(&runs->masks);
    af_array_clear(&runs->labels);
    af_textmap_clear(&runs->names);
    g_clear_error(&runs->unselected);
    g_ptr_array_unref(runs->inputs);
    forget_profile(runs);
    af_arena_free(runs->arena);
    g_free(runs);
}

/* The number of a text in a map, which gets a copy of it if it is new. AF_TEXTMAP_NONE if memory is
 * refused. */
static uint32_t add_text(af_runs *runs, af_textmap *map, af_textmap_entry text)
{
    const uint32_t n = map->n, number = af_textmap_add_hashed(map, text);
    if (map->n > n) {
        map->entries[number].bytes = af_arena_copy(runs->arena, text.bytes, text.length);
    }
    return map->n > n && map->entries[number].bytes == NULL ? AF_TEXTMAP_NONE : number;
}

/* The mask of a name, given its own entry; AF_TEXTMAP_NONE if memory is refused. */
static uint32_t add_mask(af_runs *runs, af_textmap_entry name, GString *scratch)
{
    g_string_truncate(scratch, 0);
    g_string_append_len(scratch, name.bytes, (gssize)name.length);
    const gboolean masked = af_name_mask(scratch);
    const uint32_t mask = masked
                              ? add_text(runs, &runs->masks,
                                         af_textmap_hash(&runs->masks, scratch->str, scratch->len))
                              : af_textmap_add_hashed(&runs->masks, name);
    if (mask == AF_TEXTMAP_NONE || !af_array_reach(&runs->masked, (size_t)mask + 1)) {
        return AF_TEXTMAP_NONE;
    }
    if (masked) {
        AF_ARRAY_AT(&runs->masked, uint8_t, mask) = 1;
    }
    return mask;
}

static gboolean add_label(af_runs *runs, uint32_t name, const af_profile *profile,
                          const af_label *label, uint8_t waits, GString *scratch)
{
    const af_textmap_entry text = runs->names.entries[name];
    const uint32_t mask = add_mask(runs, text, scratch);
    if (mask == AF_TEXTMAP_NONE || !af_array_reach(&runs->labels, (size_t)name + 1)) {
        return FALSE;
    }
    const af_method *method =
        label->method < profile->n_methods ? &profile->methods[label->method] : NULL;
    af_runs_name_at(runs, name)->mask = mask;
    af_runs_name_at(runs, name)->label = (af_diff_label){
        .text = text.bytes,
        .length = label->length,
        .class_length = label->class_length,
        .method_at = label->method_at,
        .category = label->category,
        .shade = label->shade,
        .waits = waits,
        .class_name = method != NULL ? af_arena_text(runs->arena, method->class_name) : NULL,
        .source = method != NULL ? af_arena_text(runs->arena, method->source) : NULL,
    };
    return TRUE;
}

static int compare_divisions(const af_diff_label *one, const af_label *other)
{
    const uint32_t a[] = {one->class_length, one->method_at, one->category, one->shade};
    const uint32_t b[] = {other->class_length, other->method_at, other->category, other->shade};
    unsigned i = 0;
    while (i + 1 < G_N_ELEMENTS(a) && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* The name of each label. NULL if memory is refused. */
static uint32_t *add_names(af_runs *runs, const af_profile *profile)
{
    uint32_t *name_of = g_try_new(uint32_t, (size_t)profile->n_labels + 1);
    uint8_t *waits = af_waits_of_labels(profile);
    gboolean ok = name_of != NULL && waits != NULL;
    g_autoptr(GString) scratch = g_string_new(NULL);
    for (uint32_t l = 0; ok && l < profile->n_labels; l++) {
        const af_label *label = &profile->labels[l];
        const uint32_t n = runs->names.n;
        name_of[l] =
            add_text(runs, &runs->names, af_textmap_hash(&runs->names, label->text, label->length));
        if (name_of[l] == AF_TEXTMAP_NONE) {
            ok = FALSE;
        } else if (name_of[l] == n) {
            ok = add_label(runs, n, profile, label, waits[l], scratch);
        } else {
            /* Methods of different classes may have one text. The smallest division into class and
             * method stays, whichever comes first. */
            af_diff_label *to = &af_runs_name_at(runs, name_of[l])->label;
            if (compare_divisions(to, label) > 0) {
                to->class_length = label->class_length;
                to->method_at = label->method_at;
                to->category = label->category;
                to->shade = label->shade;
            }
        }
    }
    g_free(waits);
    if (!ok) {
        g_clear_pointer(&name_of, g_free);
    }
    return name_of;
}

static af_runs_thread *new_thread(af_runs *runs, const char *name)
{
    af_runs_thread *thread = g_new0(af_runs_thread, 1);
    thread->name = name;
    thread->id = UINT64_MAX;
    thread->runs = g_array_new(FALSE, FALSE, sizeof(af_run_paths));
    af_array_init(&thread->sums, sizeof(af_path_sums));
    af_array_init(&thread->reason, sizeof(uint8_t));
    af_array_init(&thread->runnable, sizeof(uint64_t));
    af_array_init(&thread->details, sizeof(af_path_details));
    g_ptr_array_add(runs->threads, thread);
    return af_paths_init(&thread->paths) ? thread : NULL;
}

/* The number of the thread that has the name of this one; AF_NO_NODE if memory is refused. */
static uint32_t find_thread(af_runs *runs, const af_thread *thread)
{
    /* The title without the id that two threads of one name have. */
    char id[32];
    g_snprintf(id, sizeof id, " [%" G_GUINT64_FORMAT "]", thread->id);
    const size_t length = strlen(thread->title) > strlen(id) &&
                                  g_str_has_suffix(thread->title, id) &&
                                  !g_str_has_suffix(thread->name, id)
                              ? strlen(thread->title) - strlen(id)
                              : strlen(thread->title);
    uint32_t number = af_textmap_find(&runs->thread_names, thread->title, length);
    if (number == AF_TEXTMAP_NONE) {
        const char *name = af_arena_copy(runs->arena, thread->title, length);
        number = name != NULL ? af_textmap_add(&runs->thread_names, name, length) : AF_TEXTMAP_NONE;
        if (number == AF_TEXTMAP_NONE || new_thread(runs, name) == NULL) {
            return AF_NO_NODE;
        }
    }
    return number;
}

/* Call it before the calls are added. */
static void add_details(af_runs_thread *thread, const af_tree *tree, const uint32_t *node_of)
{
    const af_path_sums *sums = thread->sums.items;
    for (uint32_t i = 1; i < tree->n; i++) {
        af_path_details *to = &AF_ARRAY_AT(&thread->details, af_path_details, node_of[i]);
        const gboolean first = sums[node_of[i]].calls == 0;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (tree->self[c] != NULL && tree->calls[i] > 0) {
                to->min[c] = first ? tree->min[c][i] : MIN(to->min[c], tree->min[c][i]);
                to->max[c] = MAX(to->max[c], tree->max[c][i]);
            }
        }
        to->unwinds += tree->unwinds[i];
    }
    for (uint32_t i = 1; !thread->lacks_runnable && i < tree->n; i++) {
        AF_ARRAY_AT(&thread->runnable, uint64_t, node_of[i]) += tree->runnable[i];
    }
}

/* `node_of` NULL = each node has its own. */
static void add_sums(af_path_sums *sums, const af_tree *tree, const uint32_t *node_of)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        af_path_sums *to = &sums[node_of != NULL ? node_of[i] : i];
        to->calls += tree->calls[i];
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            to->self[c] += tree->self[c] != NULL ? tree->self[c][i] : 0;
        }
    }
}

static gboolean keep_run_paths(af_runs_thread *thread, uint32_t run, const af_tree *tree,
                               uint32_t *node_of)
{
    af_run_paths paths = {.run = run,
                          .n = tree->n,
                          .clocks = af_tree_clocks(tree),
                          .sums = g_try_new0(af_path_sums, tree->n)};
    paths.node = node_of;
    g_array_append_val(thread->runs, paths);
    if (paths.sums != NULL) {
        add_sums(paths.sums, tree, NULL);
    }
    return paths.sums != NULL;
}

static gboolean add_tree(af_runs *runs, af_runs_thread *thread, const af_tree *tree,
                         const uint32_t *name_of)
{
    const af_paths_source source = {.n = tree->n,
                                    .parent = tree->parent,
                                    .label = tree->label,
                                    .name_of = name_of,
                                    .n_names = runs->names.n};
    thread->lacks_runnable |= tree->runnable == NULL;
    af_waits_add(tree, FALSE, thread->waits[FALSE]);
    af_waits_add(tree, TRUE, thread->waits[TRUE]);
    const gboolean merging = runs->use != AF_RUNS_TO_COMPARE;
    uint32_t *node_of = g_try_new(uint32_t, (size_t)tree->n);
    if (node_of == NULL || !af_paths_add(&thread->paths, &source, node_of) ||
        !af_array_reach(&thread->sums, thread->paths.n) ||
        !af_array_reach(&thread->reason, thread->paths.n) ||
        (merging && !af_array_reach(&thread->details, thread->paths.n)) ||
        (merging && !thread->lacks_runnable &&
         !af_array_reach(&thread->runnable, thread->paths.n))) {
        g_free(node_of);
        return FALSE;
    }
    if (merging) {
        add_details(thread, tree, node_of);
    }
    add_sums(thread->sums.items, tree, node_of);
    for (uint32_t i = 1; i < tree->n; i++) {
        AF_ARRAY_AT(&thread->reason, uint8_t, node_of[i]) = tree->reason[i];
    }
    if (runs->use == AF_RUNS_TO_TEST) {
        return keep_run_paths(thread, runs->n_profiles, tree, node_of);
    }
    g_free(node_of);
    return TRUE;
}

static gboolean check_fit(const af_runs *runs, const af_profile *profile, GError **error)
{
    if (runs->n_profiles == 0) {
        return TRUE;
    }
    const char *first = runs->inputs->pdata[0];
    if (!af_run_kind_check(profile, &runs->unit, runs->sampled, first, error)) {
        return FALSE;
    }
    if ((runs->clocks & profile->clocks) == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "has no clock in common with %s", first);
        return FALSE;
    }
    return TRUE;
}

/* The sum that each thread is added to; AF_NO_NODE = none. NULL if memory is refused. */
static uint32_t *locate_threads(af_runs *runs, const af_profile *profile, const GArray *chosen)
{
    const guint n = chosen != NULL ? chosen->len : profile->n_threads;
    uint32_t *thread_of = g_try_new(uint32_t, (size_t)profile->n_threads + 1);
    for (uint32_t t = 0; thread_of != NULL && t < profile->n_threads; t++) {
        thread_of[t] = AF_NO_NODE;
    }
    for (guint i = 0; thread_of != NULL && i < n; i++) {
        const uint32_t t = chosen != NULL ? g_array_index(chosen, uint32_t, i) : i;
        thread_of[t] = find_thread(runs, &profile->threads[t]);
        if (thread_of[t] == AF_NO_NODE) {
            g_clear_pointer(&thread_of, g_free);
        }
    }
    return thread_of;
}

static gboolean add_runs(af_runs *runs, const af_profile *profile, const uint32_t *name_of,
                         const uint32_t *thread_of)
{
    if (profile->run_sums == NULL) {
        runs->n_runs++;
        return af_run_rows_add(runs, profile, name_of, thread_of);
    }
    runs->n_runs += profile->run_sums->n_runs;
    if (profile->base != NULL || profile->run_sums->n_summed == 0) {
        runs->state = AF_RUNS_RESHAPED;
        return TRUE;
    }
    return af_run_rows_import(runs, profile, thread_of);
}

static void take_facts(af_runs *runs, const af_profile *profile)
{
    if (runs->n_profiles == 0) {
        runs->clocks = profile->clocks;
        runs->sampled = !af_profile_counts_calls(profile);
        runs->weighed = af_content_has_weights(profile->facts.content);
        runs->unit = profile->facts.weights.unit;
        runs->unit.name = af_arena_text(runs->arena, profile->facts.weights.unit.name);
        runs->thread_word = af_arena_text(runs->arena, profile->facts.format.thread);
    } else if (g_strcmp0(runs->thread_word, profile->facts.format.thread) != 0) {
        runs->thread_word = NULL;
    }
    runs->clocks &= profile->clocks;
    runs->any_clocks |= profile->clocks;
    for (guint i = 0; i < runs->threads->len; i++) {
        ((af_runs_thread *)runs->threads->pdata[i])->found = 0;
    }
}

static gboolean add_thread(af_runs *runs, af_runs_thread *to, const af_profile *profile,
                           const af_thread *from, const uint32_t *name_of)
{
    to->id = MIN(to->id, from->id);
    to->found++;
    to->threads = MAX(to->threads, to->found);
    to->clocks |= af_tree_clocks(from->tree);
    to->sampled = to->sampled || !af_thread_counts_calls(profile, from);
    to->records += from->records;
    to->n_calls += from->calls;
    to->exited = to->exited || from->exited;
    to->listed = to->listed || from->listed;
    to->is_track = (to->found == 1 || to->is_track) && from->is_track;
    return add_tree(runs, to, from->tree, name_of);
}

static gboolean add_profile(af_runs *runs, const af_profile *profile, af_profile **profile_to_keep,
                            const char *input, const GArray *threads, GError **error)
{
    if (!check_fit(runs, profile, error) || !af_profile_add_times(profile, runs->sums, error)) {
        return FALSE;
    }
    if (!af_run_rows_complete(runs)) {
        return af_memory_error_set(error);
    }
    forget_profile(runs); /* it was the only one until now */
    take_facts(runs, profile);
    uint32_t *name_of = add_names(runs, profile);
    uint32_t *thread_of = name_of != NULL ? locate_threads(runs, profile, threads) : NULL;
    gboolean ok = thread_of != NULL;
    for (uint32_t t = 0; ok && t < profile->n_threads; t++) {
        ok = thread_of[t] == AF_NO_NODE || add_thread(runs, runs->threads->pdata[thread_of[t]],
                                                      profile, &profile->threads[t], name_of);
    }
    const gboolean keep =
        ok && profile_to_keep != NULL && runs->use == AF_RUNS_TO_COMPARE && runs->n_profiles == 0;
    if (keep) {
        runs->only = g_steal_pointer(profile_to_keep);
        runs->only_threads = thread_of;
    }
    ok = ok && add_runs(runs, profile, name_of, thread_of);
    if (ok && runs->use != AF_RUNS_TO_COMPARE) {
        af_merge_join_facts(runs, profile, name_of);
    }
    ok = ok && !af_arena_failed(runs->arena);
    if (!keep) {
        g_free(thread_of);
    }
    g_free(name_of);
    for (unsigned kind = 0; kind < AF_WARNING_COUNT; kind++) {
        runs->warnings.count[kind] += profile->warnings.count[kind];
        runs->warnings.offset[kind] = AF_NO_OFFSET;
    }
    runs->n_profiles++;
    g_ptr_array_add(runs->inputs, g_strdup(input != NULL ? input : ""));
    return ok || af_memory_error_set(error);
}

gboolean af_runs_add_profile(af_runs *runs, const af_profile *profile, const char *input,
                             const GArray *threads, GError **error)
{
    return add_profile(runs, profile, NULL, input, threads, error);
}

gboolean af_runs_take_profile(af_runs *runs, af_profile *profile, const char *input,
                              const GArray *threads, GError **error)
{
    const gboolean ok = add_profile(runs, profile, &profile, input, threads, error);
    af_profile_free(profile);
    return ok;
}
