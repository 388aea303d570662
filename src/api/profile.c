/* The accessors of a profile. A number past the end gives what an empty thing would give: a
 * caller's mistake must not become a crash. */
#include "model/profile.h"

static const af_thread *lookup_thread(const af_profile *profile, unsigned thread)
{
    return thread < profile->n_threads ? &profile->threads[thread] : NULL;
}

/* The thread's tree if it has the node. */
static const af_tree *lookup_tree(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_thread *t = lookup_thread(profile, thread);
    return t != NULL && t->tree != NULL && node < t->tree->n ? t->tree : NULL;
}

static gboolean is_clock(af_clock clock)
{
    return clock == AF_WALL || clock == AF_CPU || clock == AF_WAIT;
}

gboolean af_profile_has_clock(const af_profile *profile, af_clock clock)
{
    return is_clock(clock) && af_profile_has(profile, clock);
}

gboolean af_thread_has_clock(const af_profile *profile, unsigned thread, af_clock clock)
{
    const af_tree *tree = lookup_tree(profile, thread, 0);
    return tree != NULL && is_clock(clock) && af_tree_has(tree, clock);
}

af_clock af_profile_default_clock(const af_profile *profile)
{
    return af_profile_has(profile, AF_CPU) && !af_profile_has(profile, AF_WALL) ? AF_CPU : AF_WALL;
}

af_unit af_profile_unit(const af_profile *profile)
{
    return profile->facts.unit;
}

gboolean af_profile_has_calls(const af_profile *profile)
{
    return !profile->facts.weighed;
}

unsigned af_profile_n_threads(const af_profile *profile)
{
    return profile->n_threads;
}

uint64_t af_thread_id(const af_profile *profile, unsigned thread)
{
    const af_thread *t = lookup_thread(profile, thread);
    return t != NULL ? t->id : 0;
}

const char *af_thread_name(const af_profile *profile, unsigned thread)
{
    const af_thread *t = lookup_thread(profile, thread);
    return t != NULL ? t->name : "";
}

const char *af_thread_title(const af_profile *profile, unsigned thread)
{
    const af_thread *t = lookup_thread(profile, thread);
    return t != NULL ? t->title : "";
}

uint32_t af_tree_n_nodes(const af_profile *profile, unsigned thread)
{
    const af_tree *tree = lookup_tree(profile, thread, 0);
    return tree != NULL ? tree->n : 0;
}

uint32_t af_node_parent(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? tree->parent[node] : AF_NO_NODE;
}

uint32_t af_node_depth(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? tree->depth[node] : 0;
}

const char *af_node_label(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    if (tree == NULL) {
        return "";
    }
    return node == 0 ? profile->threads[thread].title
                     : af_profile_label(profile, tree->label[node]);
}

uint32_t af_node_label_number(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? tree->label[node] : AF_NO_LABEL;
}

uint32_t af_profile_n_labels(const af_profile *profile)
{
    return profile->n_labels;
}

const char *af_profile_label(const af_profile *profile, uint32_t number)
{
    return number < profile->n_labels ? profile->labels[number].text : "";
}

gboolean af_thread_has_calls(const af_profile *profile, unsigned thread)
{
    return thread < profile->n_threads &&
           af_thread_counts_calls(profile, &profile->threads[thread]);
}

uint64_t af_node_calls(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? tree->calls[node] : 0;
}

uint64_t af_node_unwinds(const af_profile *profile, unsigned thread, uint32_t node)
{
    const af_tree *tree = lookup_tree(profile, thread, node);
    return tree != NULL ? tree->unwinds[node] : 0;
}

/* The tree of a thread if it has the node and the clock; AF_CLOCK_DEFAULT is welcome
 * here too and made definite. */
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

uint64_t af_node_min_ns(const af_profile *profile, unsigned thread, uint32_t node, af_clock clock)
{
    const af_tree *tree = lookup_times(profile, thread, node, &clock);
    return tree != NULL && clock != AF_WAIT ? tree->min[clock][node] : 0;
}

uint64_t af_node_max_ns(const af_profile *profile, unsigned thread, uint32_t node, af_clock clock)
{
    const af_tree *tree = lookup_times(profile, thread, node, &clock);
    return tree != NULL && clock != AF_WAIT ? tree->max[clock][node] : 0;
}

unsigned af_profile_n_warnings(const af_profile *profile)
{
    unsigned n = 0;
    for (unsigned kind = 0; kind < AF_WARNING_COUNT; kind++) {
        n += profile->warnings.count[kind] > 0;
    }
    return n;
}

af_warning_view af_profile_warning(const af_profile *profile, unsigned number)
{
    af_warning_view view = {"", "", 0, FALSE, 0, TRUE};
    int kind = af_warnings_kind_at(&profile->warnings, number);
    if (kind >= 0) {
        const af_warnings *warnings = &profile->warnings;
        view.id = af_warning_id(kind);
        view.text = af_warning_text(kind);
        view.count = warnings->count[kind];
        view.has_place = warnings->place[kind] != AF_NO_OFFSET;
        view.place = view.has_place ? warnings->place[kind] : 0;
        view.note = af_warning_is_info(kind);
    }
    return view;
}
