/* The accessors of a profile. An index past the end gives an empty value, so that a caller's
 * mistake does not cause a crash. */
#include <string.h>
#include <aflame/reshape.h>

#include "api/view.h"
#include "api/command.h"
#include "model/groups.h"
#include "model/profile.h"
#include "transform/step.h"
#include <aflame/profile.h>

static void hash_numbers(GChecksum *sum, const uint64_t *numbers, size_t n)
{
    if (numbers != NULL) {
        g_checksum_update(sum, (const guchar *)numbers, (gssize)(n * sizeof *numbers));
    }
}

static void hash_text(GChecksum *sum, const char *text)
{
    const char *known = text != NULL ? text : "";
    g_checksum_update(sum, (const guchar *)known, (gssize)strlen(known) + 1);
}

static void hash_thread(GChecksum *sum, const af_profile *profile, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    hash_text(sum, thread->title);
    hash_numbers(sum, &thread->id, 1);
    hash_numbers(sum, thread->first_ns, AF_CLOCKS);
    hash_numbers(sum, thread->last_ns, AF_CLOCKS);
    for (uint32_t n = 1; n < tree->n; n++) {
        hash_text(sum, profile->labels[tree->label[n]].text);
    }
    g_checksum_update(sum, (const guchar *)tree->parent, (gssize)(tree->n * sizeof *tree->parent));
    hash_numbers(sum, tree->calls, tree->n);
    hash_numbers(sum, tree->self[AF_WALL], tree->n);
    hash_numbers(sum, tree->self[AF_CPU], tree->n);
}

char *af_profile_hash(const af_profile *profile)
{
    const af_profile *read = af_profile_origin(profile);
    const af_recording_facts *recording = &read->facts.recording;
    const uint64_t facts[] = {recording->start, recording->end_ns, read->facts.counts.records,
                              read->n_threads};
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    hash_numbers(sum, facts, G_N_ELEMENTS(facts));
    for (uint32_t t = 0; t < read->n_threads; t++) {
        hash_thread(sum, read, &read->threads[t]);
    }
    return g_strdup(g_checksum_get_string(sum));
}

static const af_thread *lookup_thread(const af_profile *profile, unsigned thread)
{
    return thread < profile->n_threads ? &profile->threads[thread] : NULL;
}

/* The thread's tree if it has the node, otherwise NULL. */
static const af_tree *lookup_tree(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_thread *t = lookup_thread(profile, thread);
    return t != NULL && t->tree != NULL && node < t->tree->n ? t->tree : NULL;
}

#define PROFILE_FIELD(type, function, field)                                                       \
    type function(const af_profile *profile)                                                       \
    {                                                                                              \
        return profile->field;                                                                     \
    }

#define THREAD_FIELD(type, function, field)                                                        \
    type function(const af_profile *profile, unsigned thread)                                      \
    {                                                                                              \
        const af_thread *t = lookup_thread(profile, thread);                                       \
        return t != NULL ? t->field : 0;                                                           \
    }

#define NODE_FIELD(type, function, column, none)                                                   \
    type function(const af_profile *profile, unsigned thread, uint32_t node)                       \
    {                                                                                              \
        const af_tree *tree = lookup_tree(profile, thread, node);                                  \
        return tree != NULL ? tree->column[node] : (none);                                         \
    }

static gboolean is_clock(af_clock clock)
{
    return clock == AF_WALL || clock == AF_CPU || clock == AF_WAIT;
}

bool af_profile_has_clock(const af_profile *profile, af_clock clock)
{
    return is_clock(clock) && af_profile_has(profile, clock);
}

bool af_thread_has_clock(const af_profile *profile, unsigned thread, af_clock clock)
{
    const af_tree *tree = lookup_tree(profile, thread, 0);
    return tree != NULL && is_clock(clock) && af_tree_has(tree, clock);
}

af_clock af_profile_default_clock(const af_profile *profile)
{
    return af_profile_has(profile, AF_CPU) && !af_profile_has(profile, AF_WALL) ? AF_CPU : AF_WALL;
}

bool af_profile_dump_time(const af_profile *profile, unsigned index, int64_t *time_ns)
{
    const char *at = profile->facts.dump_times;
    for (unsigned i = 0; at != NULL && i < index; i++) {
        at = strchr(at, ' ');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at != NULL && time_ns != NULL) {
        *time_ns = g_ascii_strtoll(at, NULL, 10);
    }
    return at != NULL;
}

PROFILE_FIELD(const char *, af_profile_part_name, facts.part.brief)
PROFILE_FIELD(const char *, af_profile_unit_name, facts.weights.unit.name)
PROFILE_FIELD(bool, af_profile_unit_is_count, facts.weights.unit.counted)
PROFILE_FIELD(unsigned, af_profile_unit_decimals, facts.weights.unit.digits)
PROFILE_FIELD(const char *, af_profile_app, app)

bool af_profile_pid(const af_profile *profile, uint64_t *pid)
{
    if (profile->facts.has_pid) {
        *pid = profile->facts.pid;
    }
    return profile->facts.has_pid;
}

bool af_profile_has_calls(const af_profile *profile)
{
    return !af_content_has_weights(profile->facts.content);
}

PROFILE_FIELD(unsigned, af_profile_n_threads, n_threads)
THREAD_FIELD(uint64_t, af_thread_id, id)
THREAD_FIELD(const char *, af_thread_name, name)
THREAD_FIELD(const char *, af_thread_title, title)

uint32_t af_tree_n_nodes(const af_profile *profile, unsigned thread)
{
    const af_tree *tree = lookup_tree(profile, thread, 0);
    return tree != NULL ? tree->n : 0;
}

NODE_FIELD(uint32_t, af_node_parent, parent, AF_NO_NODE)
NODE_FIELD(uint32_t, af_node_depth, depth, 0)

const char *af_node_label(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    if (tree == NULL) {
        return NULL;
    }
    return node == 0 ? profile->threads[thread].title
                     : af_profile_label(profile, tree->label[node]);
}

NODE_FIELD(uint32_t, af_node_label_number, label, AF_NO_LABEL)
PROFILE_FIELD(uint32_t, af_profile_n_labels, n_labels)

const char *af_profile_label(const af_profile *profile, uint32_t number)
{
    return number < profile->n_labels ? profile->labels[number].text : NULL;
}

/* The first method of a label; NULL for frames that replace a run of others. */
static const af_method *lookup_method(const af_profile *profile, uint32_t label)
{
    return label < profile->n_labels && profile->labels[label].methods > 0
               ? &profile->methods[profile->labels[label].method]
               : NULL;
}

#define METHOD_FIELD(function, field)                                                              \
    const char *function(const af_profile *profile, uint32_t label)                                \
    {                                                                                              \
        const af_method *method = lookup_method(profile, label);                                   \
        return method != NULL ? method->field : NULL;                                              \
    }

METHOD_FIELD(af_label_class, class_name)
METHOD_FIELD(af_label_source_file, source)

int af_label_source_line(const af_profile *profile, uint32_t label)
{
    const af_method *method = lookup_method(profile, label);
    return method != NULL && method->line > 0 ? method->line : -1;
}

const char *af_label_category(const af_profile *profile, uint32_t label)
{
    return label < profile->n_labels ? af_label_origin(profile, &profile->labels[label]) : NULL;
}

bool af_thread_has_calls(const af_profile *profile, unsigned thread)
{
    return thread < profile->n_threads &&
           af_thread_counts_calls(profile, &profile->threads[thread]);
}

NODE_FIELD(uint64_t, af_node_calls, calls, 0)
NODE_FIELD(uint64_t, af_node_unwinds, unwinds, 0)

/* The tree of a thread if it has the node and the clock; makes AF_CLOCK_DEFAULT definite. */
static const af_tree *lookup_times(const af_profile *profile, unsigned thread, uint32_t node,
                                   af_clock *clock)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    if (*clock == AF_CLOCK_DEFAULT) {
        *clock = af_profile_default_clock(profile);
    }
    return tree != NULL && is_clock(*clock) && af_tree_has(tree, *clock) ? tree : NULL;
}

uint64_t af_node_self_ns(const af_profile *profile, unsigned thread, uint32_t node, af_clock clock)
{
    const af_tree *tree = lookup_times(profile, thread, node, &clock);
    return tree != NULL ? af_tree_self_ns(tree, node, clock) : 0;
}

uint64_t af_node_inclusive_ns(const af_profile *profile, unsigned thread, uint32_t node,
                              af_clock clock)
{
    const af_tree *tree = lookup_times(profile, thread, node, &clock);
    return tree != NULL ? af_tree_time_ns(tree, node, clock) : 0;
}

#define NODE_EXTREME(function, column)                                                             \
    uint64_t function(const af_profile *profile, unsigned thread, uint32_t node, af_clock clock)   \
    {                                                                                              \
        const af_tree *tree = lookup_times(profile, thread, node, &clock);                         \
        return tree != NULL && clock != AF_WAIT ? tree->column[clock][node] : 0;                   \
    }

NODE_EXTREME(af_node_min_ns, min)
NODE_EXTREME(af_node_max_ns, max)

bool af_thread_has_runnable(const af_profile *profile, unsigned thread)
{
    return thread < profile->n_threads && profile->threads[thread].tree->runnable != NULL;
}

uint64_t af_node_self_runnable_ns(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? af_tree_self_runnable_ns(tree, node) : 0;
}

uint64_t af_node_runnable_ns(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    const uint64_t *runnable = tree != NULL ? af_tree_runnable(tree) : NULL;
    return runnable != NULL ? runnable[node] : 0;
}

unsigned af_profile_n_warnings(const af_profile *profile)
{
    unsigned n = 0;
    for (unsigned kind = 0; kind < AF_WARNING_COUNT; kind++) {
        n += profile->warnings.count[kind] > 0;
    }
    return n;
}

bool af_profile_warning(const af_profile *profile, unsigned index, af_warning_view *view)
{
    const int kind = af_warnings_kind_at(&profile->warnings, index);
    if (kind < 0) {
        return FALSE;
    }
    const af_warnings *warnings = &profile->warnings;
    const gboolean has_offset = warnings->offset[kind] != AF_NO_OFFSET;
    const af_warning_view full = {.id = af_warning_id(kind),
                                  .text = af_warning_text(kind),
                                  .count = warnings->count[kind],
                                  .has_offset = has_offset,
                                  .offset = has_offset ? warnings->offset[kind] : 0,
                                  .information = af_warning_is_info(kind)};
    af_view_fill(view, view->size, &full, sizeof full);
    return TRUE;
}

PROFILE_FIELD(unsigned, af_profile_n_steps, n_steps)

gboolean af_step_kind_describe(unsigned kind, af_step_kind_view *view)
{
    const af_step_class *class = af_step_class_at((af_step_kind)kind);
    if (class == NULL) {
        return FALSE;
    }
    *view = (af_step_kind_view){
        .name = class->name,
        .help = class->help,
        .about = class->about,
        .value = class->value,
    };
    return TRUE;
}

bool af_profile_step(const af_profile *profile, unsigned index, af_step_view *view)
{
    if (index >= profile->n_steps) {
        return FALSE;
    }
    const af_step_record *record = &profile->steps[index];
    af_step_view full = {
        .option = record->option, .message = record->message, .matched = record->matched};
    memcpy(full.left_out_ns, record->left_out_ns, sizeof full.left_out_ns);
    memcpy(full.moved_ns, record->moved_ns, sizeof full.moved_ns);
    af_view_fill(view, view->size, &full, sizeof full);
    return TRUE;
}
