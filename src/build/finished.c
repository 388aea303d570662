/* The builder's side of build/finished.h. */
#include "build/finished_state.h"

#include <string.h>

#include "base/memory_error.h"
#include "build/naming.h"
#include "build/sink_state.h"
#include "model/labels.h"
#include "model/waits.h"

/* The limit of each clock of a thread, so that sums stay below 64 bits. */
#define MOST_NS (UINT64_MAX / 1000)

/* Returns NULL if memory is refused or at its limit. */
static void *add_item(af_sink *sink, af_array *array)
{
    if (array->n == array->capacity && !af_sink_fits(sink, array->n * array->size)) {
        return NULL;
    }
    void *item = af_array_add(array, 1);
    af_sink_fail_if(sink, item == NULL);
    return item;
}

gboolean af_finished_begin(af_sink *sink, const af_finished_head *head)
{
    af_meter *const meter = af_sink_meter(sink);
    af_finished *f = g_new0(af_finished, 1);
    sink->finished = f;
    f->head = *head;
    f->app = af_sink_clean(sink, head->app);
    af_array_init_metered(&f->methods, sizeof(af_method), meter);
    af_array_init_metered(&f->labels, sizeof(af_label), meter);
    af_array_init_metered(&f->groups, sizeof(af_group), meter);
    af_array_init_metered(&f->mappings, sizeof(af_mapped_facts), meter);
    af_array_init_metered(&f->series, sizeof(af_marker_series), meter);
    af_array_init_metered(&f->steps, sizeof(af_step_record), meter);
    af_array_init_metered(&f->threads, sizeof(af_thread), meter);
    af_array_init_metered(&f->shapes, sizeof(af_tree_shape), meter);
    sink->clocks = head->clocks;
    sink->facts.saved.version = af_sink_clean(sink, head->saved_by);
    sink->facts.saved.input = af_sink_clean(sink, head->input);
    return head->clocks <= 3 && (head->by_method || (unsigned)head->names <= AF_NAMES_FULL) &&
           sink->facts.saved.version != NULL;
}

void af_finished_set_side(af_sink *sink, const char *side)
{
    sink->facts.saved.side = side;
}

void af_finished_free(af_finished *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t t = 0; t < f->threads.n; t++) {
        af_tree_free(AF_ARRAY_AT(&f->threads, af_thread, t).tree);
    }
    af_array_clear(&f->methods);
    af_array_clear(&f->labels);
    af_array_clear(&f->groups);
    af_array_clear(&f->mappings);
    af_array_clear(&f->series);
    af_array_clear(&f->steps);
    af_array_clear(&f->threads);
    af_array_clear(&f->shapes);
    g_free(f);
}

gboolean af_finished_add_method(af_sink *sink, const af_finished_method *method)
{
    af_method *to = add_item(sink, &sink->finished->methods);
    if (to == NULL) {
        return FALSE;
    }
    *to = (af_method){.id = method->id,
                      .class_name = af_sink_clean(sink, method->class_name),
                      .name = af_sink_clean(sink, method->name),
                      .signature = af_sink_clean(sink, method->signature),
                      .source = af_sink_clean(sink, method->source),
                      .library = af_sink_clean(sink, method->library),
                      .nowhere = af_sink_clean(sink, method->nowhere),
                      .group = af_sink_clean(sink, method->group),
                      .proxy = af_sink_clean(sink, method->proxy),
                      .line = method->line,
                      .annotation = method->annotation,
                      .defined = method->defined,
                      .slashed = method->slashed,
                      .ambiguous = method->ambiguous,
                      .synthetic = method->synthetic};
    return method->annotation <= AF_ANNOTATION_WAKER && (to->defined || to->proxy != NULL);
}

gboolean af_finished_add_group(af_sink *sink, const af_finished_group *group)
{
    af_group *to = add_item(sink, &sink->finished->groups);
    if (to == NULL) {
        return FALSE;
    }
    *to = (af_group){.title = af_sink_clean(sink, group->title), .hue = (uint8_t)group->hue};
    return to->title != NULL && group->hue < AF_CATEGORY_COUNT;
}

gboolean af_finished_add_label(af_sink *sink, const af_finished_label *label)
{
    const char *text = af_sink_clean(sink, label->text);
    af_label *to = add_item(sink, &sink->finished->labels);
    if (to == NULL || text == NULL) {
        return FALSE;
    }
    *to = (af_label){.text = text,
                     .length = (uint32_t)strlen(text),
                     .method = label->method,
                     .methods = label->methods,
                     .class_length = label->class_length,
                     .method_at = label->method_at,
                     .category = (af_category)label->category,
                     .shade = (uint8_t)label->shade,
                     .group = (uint16_t)label->group,
                     .synthetic = label->synthetic};
    return label->method < sink->finished->methods.n && label->category < AF_CATEGORY_COUNT &&
           label->shade <= AF_CATEGORY_DIM && label->group <= sink->finished->groups.n &&
           label->group <= UINT16_MAX && to->class_length <= to->length &&
           to->method_at <= to->length;
}

gboolean af_finished_add_mapping(af_sink *sink, const af_finished_mapping *mapping)
{
    af_mapped_facts *to = add_item(sink, &sink->finished->mappings);
    if (to == NULL) {
        return FALSE;
    }
    *to = (af_mapped_facts){.path = af_sink_clean(sink, mapping->path),
                            .compiler = af_sink_clean(sink, mapping->compiler),
                            .version = af_sink_clean(sink, mapping->version),
                            .id = af_sink_clean(sink, mapping->id),
                            .methods = mapping->methods,
                            .known = mapping->known,
                            .named = mapping->named,
                            .ambiguous = mapping->ambiguous,
                            .synthetic = mapping->synthetic,
                            .broken = mapping->broken,
                            .other_build = mapping->other_build};
    return TRUE;
}

gboolean af_finished_add_series(af_sink *sink, const af_finished_series *series)
{
    const char *name = af_sink_clean(sink, series->name);
    af_marker_series *to = add_item(sink, &sink->finished->series);
    if (to == NULL || name == NULL) {
        return FALSE;
    }
    *to = (af_marker_series){.name = name,
                             .kind = (af_marker_kind)series->kind,
                             .process = series->process,
                             .count = series->count};
    return series->kind <= AF_MARKER_COUNTER &&
           (series->process == AF_NO_PROCESS || series->process < sink->processes.n);
}

gboolean af_finished_add_step(af_sink *sink, const af_finished_step *step)
{
    af_step_record *to = add_item(sink, &sink->finished->steps);
    if (to == NULL) {
        return FALSE;
    }
    *to = (af_step_record){.option = af_sink_clean(sink, step->option),
                           .sorts = step->sorts,
                           .message = af_sink_clean(sink, step->message),
                           .matched = step->matched};
    memcpy(to->left_out_ns, step->left_out_ns, sizeof to->left_out_ns);
    memcpy(to->moved_ns, step->moved_ns, sizeof to->moved_ns);
    return to->option != NULL;
}

gboolean af_finished_add_thread(af_sink *sink, const af_finished_thread *thread)
{
    const char *name = af_sink_clean(sink, thread->name);
    af_thread *to = add_item(sink, &sink->finished->threads);
    if (to == NULL || name == NULL) {
        return FALSE;
    }
    *to = (af_thread){.id = thread->id,
                      .number = thread->number,
                      .name = name,
                      .process = thread->process,
                      .records = thread->records,
                      .calls = thread->calls,
                      .open_at_end = thread->open_at_end,
                      .exits_on_empty = thread->exits_on_empty,
                      .missing_exits = thread->missing_exits,
                      .unmatched_exits = thread->unmatched_exits,
                      .unwinds = thread->unwinds,
                      .cut_at_begin = thread->cut_at_begin,
                      .max_depth = thread->max_depth,
                      .merged = thread->merged,
                      .exited = thread->exited,
                      .listed = thread->listed,
                      .sampled = thread->sampled,
                      .is_track = thread->is_track};
    memcpy(to->first_ns, thread->first_ns, sizeof to->first_ns);
    memcpy(to->last_ns, thread->last_ns, sizeof to->last_ns);
    return thread->process == AF_NO_PROCESS || thread->process < sink->processes.n;
}

gboolean af_finished_add_tree(af_sink *sink, unsigned clocks, uint32_t n)
{
    af_finished *f = sink->finished;
    if (f->shapes.n >= f->threads.n || (clocks & ~(f->head.clocks | AF_TREE_RUNNABLE)) != 0 ||
        n == 0) {
        return FALSE;
    }
    const size_t runnable = (clocks & AF_TREE_RUNNABLE) != 0 ? sizeof(uint64_t) * n : 0;
    const size_t bytes = af_tree_bytes(n, clocks) + runnable;
    af_tree_shape *shape = af_sink_fits(sink, bytes) ? add_item(sink, &f->shapes) : NULL;
    if (shape == NULL) {
        return FALSE;
    }
    *shape = (af_tree_shape){.n = n, .clocks = clocks};
    af_sink_meter(sink)->bytes += bytes;
    return TRUE;
}

gboolean af_finished_reserve_trees(af_sink *sink, uint32_t n_names)
{
    af_finished *f = sink->finished;
    f->n_names = n_names;
    return f->shapes.n == f->threads.n;
}

gboolean af_finished_begin_tree(const af_sink *sink, uint32_t number, af_finished_columns *columns)
{
    const af_finished *f = sink->finished;
    const af_tree_shape *shape = &AF_ARRAY_AT(&f->shapes, af_tree_shape, number);
    af_tree *tree = af_tree_new(shape->n, shape->clocks);
    if (tree == NULL) {
        return FALSE;
    }
    AF_ARRAY_AT(&f->threads, af_thread, number).tree = tree;
    *columns = (af_finished_columns){.n = tree->n,
                                     .parent = tree->parent,
                                     .name = tree->label,
                                     .reason = f->head.by_method ? NULL : tree->reason,
                                     .calls = tree->calls,
                                     .unwinds = tree->unwinds,
                                     .runnable = tree->runnable};
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        columns->self[c] = tree->self[c];
        columns->min[c] = tree->min[c];
        columns->max[c] = tree->max[c];
    }
    return TRUE;
}

/* Whether all parents come first and all names and reasons exist. No branch: nearly all trees are right. */
static gboolean check_links(const af_tree *tree, size_t n_names)
{
    unsigned wrong = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(tree->parent[i] >= i) | (unsigned)(tree->label[i] >= n_names) |
                 (unsigned)(tree->reason[i] >= AF_WAITS_COUNT);
    }
    return wrong == 0;
}

static gboolean check_calls(const af_tree *tree)
{
    const uint64_t least = tree->n > 1 && tree->calls[1] > 0;
    unsigned wrong = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(tree->calls[i] < least) | (unsigned)(tree->unwinds[i] > tree->calls[i]);
    }
    return wrong == 0;
}

/* Whether a sum is at most MOST_NS. */
static gboolean check_sum(const uint64_t *numbers, uint32_t n)
{
    uint64_t bits = 0, sum = 0;
    for (uint32_t i = 1; i < n; i++) {
        bits |= numbers[i];
    }
    if (bits <= MOST_NS / n) {
        return TRUE; /* each number is at most all of their bits */
    }
    for (uint32_t i = 1; i < n; i++) {
        if (numbers[i] > MOST_NS - sum) {
            return FALSE;
        }
        sum += numbers[i];
    }
    return TRUE;
}

/* Whether the names exist and no sum can overflow. */
static gboolean check_tree(const af_tree *tree, size_t n_names)
{
    gboolean ok =
        check_links(tree, n_names) && check_calls(tree) && check_sum(tree->calls, tree->n);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        ok = ok && (tree->self[c] == NULL || check_sum(tree->self[c], tree->n));
    }
    return ok;
}

/* No call is longer than all calls of its node. */
static gboolean check_extremes(const af_tree *tree, unsigned clock)
{
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    const uint64_t *inclusive = tree->inclusive[clock];
    unsigned wrong = 0; /* no branch: nearly all trees are right */
    for (uint32_t i = 1; i < tree->n; i++) {
        wrong |= (unsigned)(min[i] > max[i]) | (unsigned)(max[i] > inclusive[i]);
    }
    return wrong == 0;
}

gboolean af_finished_end_tree(const af_sink *sink, uint32_t number, unsigned follows)
{
    const af_finished *f = sink->finished;
    af_tree *tree = AF_ARRAY_AT(&f->threads, af_thread, number).tree;
    if (!check_tree(tree, f->n_names)) {
        return FALSE;
    }
    af_tree_sum(tree);
    gboolean ok = TRUE;
    for (unsigned c = 0; follows != AF_FINISHED_NO_EXTREMES && c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            if ((follows >> c & 1) != 0) {
                for (uint32_t i = 1; i < tree->n; i++) {
                    if (tree->calls[i] == 1) {
                        tree->min[c][i] = tree->max[c][i] = tree->inclusive[c][i];
                    }
                }
            }
            ok = ok && check_extremes(tree, c);
        }
    }
    return ok;
}

/* Makes labels of methods in the requested style. */
static gboolean make_labels(af_profile *profile, af_tree **trees)
{
    g_autofree uint32_t *label_of = g_try_new0(uint32_t, (size_t)profile->n_methods + 1);
    return label_of != NULL && af_labels_make(profile, label_of) &&
           af_naming_relabel(profile, label_of, NULL, trees, profile->n_threads);
}

static gboolean take_names(af_sink *sink, af_profile *profile, af_tree **trees)
{
    af_finished *f = sink->finished;
    profile->methods = af_array_copy(&f->methods, profile->arena);
    profile->n_methods = (uint32_t)f->methods.n;
    for (uint32_t m = 0; profile->methods != NULL && sink->rename != NULL && m < f->methods.n;
         m++) {
        if (profile->methods[m].defined) {
            sink->rename(sink->rename_user, profile->arena, &profile->methods[m]);
        }
    }
    if (profile->methods == NULL || f->head.by_method) {
        return profile->methods != NULL && make_labels(profile, trees);
    }
    profile->labels = af_array_copy(&f->labels, profile->arena);
    profile->n_labels = (uint32_t)f->labels.n;
    profile->groups = af_array_copy(&f->groups, profile->arena);
    profile->n_groups = (uint32_t)f->groups.n;
    profile->app = f->app;
    profile->has_categories = TRUE;
    return profile->labels != NULL && profile->groups != NULL;
}

static gboolean take_threads(af_sink *sink, af_profile *profile)
{
    af_finished *f = sink->finished;
    profile->threads = af_array_copy(&f->threads, profile->arena);
    if (profile->threads == NULL) {
        return FALSE;
    }
    profile->n_threads = (uint32_t)f->threads.n;
    f->threads.n = 0; /* the profile owns the trees now */
    profile->processes = af_array_copy(&sink->processes, profile->arena);
    profile->n_processes = profile->processes == NULL ? 0 : (uint32_t)sink->processes.n;
    g_autofree af_tree **trees = g_try_new(af_tree *, (size_t)profile->n_threads + 1);
    gboolean ok = trees != NULL && profile->processes != NULL;
    for (uint32_t t = 0; trees != NULL && t < profile->n_threads; t++) {
        trees[t] = profile->threads[t].tree;
    }
    ok = ok && take_names(sink, profile, trees);
    for (uint32_t t = 0; trees != NULL && t < profile->n_threads; t++) {
        profile->threads[t].tree = trees[t];
    }
    return ok && af_profile_title_threads(profile);
}

static gboolean check_names(const af_finished *f, const af_open_options *options, GError **error)
{
    if (f->head.by_method || f->head.names == options->names) {
        return TRUE;
    }
    static const char *const styles[] = {"class", "short", "full"};
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "the saved profile has %s names; --names %s needs the trace",
                styles[MIN((unsigned)f->head.names, AF_NAMES_FULL)],
                styles[MIN((unsigned)options->names, AF_NAMES_FULL)]);
    return FALSE;
}

af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error)
{
    af_finished *f = sink->finished;
    if (!check_names(f, options, error)) {
        return NULL;
    }
    af_profile *profile = g_new0(af_profile, 1);
    profile->arena = sink->arena;
    sink->arena = NULL;
    profile->facts = sink->facts;
    profile->names = options->names;
    profile->keeps_methods = options->keep_methods && f->head.by_method;
    profile->clocks = f->head.clocks;
    profile->callers_above = f->head.callers_above;
    profile->compensated = f->head.compensated;
    profile->warnings = sink->warnings;
    profile->markers.instants = f->head.instants;
    profile->markers.values = f->head.values;
    profile->markers.series = af_array_copy(&f->series, profile->arena);
    profile->markers.n_series = profile->markers.series == NULL ? 0 : (uint32_t)f->series.n;
    profile->mapped = af_array_copy(&f->mappings, profile->arena);
    profile->n_mapped = profile->mapped == NULL ? 0 : (uint32_t)f->mappings.n;
    profile->run_sums = f->run_sums;
    profile->steps = af_array_copy(&f->steps, profile->arena);
    profile->n_steps = profile->steps == NULL ? 0 : (unsigned)f->steps.n;
    profile->facts.n_keys = (unsigned)sink->key_values.n;
    profile->facts.keys = af_array_copy(&sink->key_values, profile->arena);
    if (!take_threads(sink, profile) || af_arena_failed(profile->arena)) {
        af_profile_free(profile);
        af_memory_error_set(error);
        return NULL;
    }
    return profile;
}
