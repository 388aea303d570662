/* Merges the facts that profiles declare about themselves. */
#include <string.h>

#include "compare/merge.h"

/* A text stays if all profiles have the same; once dropped, it never returns. */
static void join_text(const char **text, const char *other)
{
    if (g_strcmp0(*text, other) != 0) {
        *text = NULL;
    }
}

/* Single samples are gone. */
static af_content reduce_content(af_content content)
{
    return MIN(content, AF_CONTENT_STACKS);
}

static void take_facts(af_runs *runs, const af_facts *from)
{
    af_facts *to = &runs->facts;
    *to = (af_facts){.container = from->container,
                     .content = reduce_content(from->content),
                     .threadless = from->threadless,
                     .has_pid = from->has_pid,
                     .pid = from->pid,
                     .app = af_arena_text(runs->arena, from->app)};
    to->format.name = af_arena_text(runs->arena, from->format.name);
    to->format.title = af_arena_text(runs->arena, from->format.title);
    to->format.producer = af_arena_text(runs->arena, from->format.producer);
    to->format.record = af_arena_text(runs->arena, from->format.record);
    to->format.thread = af_arena_text(runs->arena, from->format.thread);
    to->format.version = from->format.version;
    to->android.vm = af_arena_text(runs->arena, from->android.vm);
    to->recording.overflow = MAX(from->recording.overflow, 0);
    to->recording.unrecorded_ns = from->recording.unrecorded_ns;
    to->weights.event = af_arena_text(runs->arena, from->weights.event);
    to->weights.unit = from->weights.unit;
    to->weights.unit.name = af_arena_text(runs->arena, from->weights.unit.name);
}

static void join_facts(af_facts *to, const af_facts *from)
{
    to->container = to->container == from->container ? to->container : AF_CONTAINER_OTHER;
    to->content = MAX(to->content, reduce_content(from->content));
    to->threadless = to->threadless && from->threadless;
    to->has_pid = to->has_pid && from->has_pid && from->pid == to->pid;
    to->pid = to->has_pid ? to->pid : 0;
    join_text(&to->app, from->app);
    join_text(&to->format.name, from->format.name);
    join_text(&to->format.title, from->format.title);
    join_text(&to->format.producer, from->format.producer);
    join_text(&to->format.record, from->format.record);
    join_text(&to->format.thread, from->format.thread);
    to->format.version = to->format.version == from->format.version ? to->format.version : 0;
    join_text(&to->android.vm, from->android.vm);
    to->recording.overflow = MAX(to->recording.overflow, from->recording.overflow);
    to->recording.unrecorded_ns += from->recording.unrecorded_ns;
    join_text(&to->weights.event, from->weights.event);
}

static int compare_methods(const af_method *one, const af_method *other)
{
    for (unsigned i = 0; i < AF_METHOD_TEXTS; i++) {
        const int order = g_strcmp0(one->texts[i], other->texts[i]);
        if (order != 0) {
            return order;
        }
    }
    return one->line != other->line ? (one->line > other->line) - (one->line < other->line)
                                    : (int)one->annotation - (int)other->annotation;
}

static void copy_method(af_runs *runs, af_method *to, const af_method *from)
{
    *to = *from;
    for (unsigned i = 0; i < AF_METHOD_TEXTS; i++) {
        to->texts[i] = af_arena_text(runs->arena, from->texts[i]);
    }
    to->id = 0;
}

/* The smallest of the methods that share a label represents it. */
static void join_methods(af_runs *runs, const af_profile *profile, const uint32_t *name_of)
{
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        if (profile->labels[l].method < profile->n_methods) {
            const af_method *method = &profile->methods[profile->labels[l].method];
            af_runs_name *to = af_runs_name_at(runs, name_of[l]);
            if (!to->has_method || compare_methods(method, &to->method) < 0) {
                copy_method(runs, &to->method, method);
                to->has_method = TRUE;
            }
        }
    }
}

void af_merge_join_facts(af_runs *runs, const af_profile *profile, const uint32_t *name_of)
{
    if (runs->n_profiles == 0) {
        take_facts(runs, &profile->facts);
        runs->callers_above = profile->callers_above;
        runs->compensated = profile->compensated;
        runs->style = profile->names;
    } else {
        join_facts(&runs->facts, &profile->facts);
        runs->compensated = runs->compensated && profile->compensated;
        runs->style = runs->style == profile->names ? runs->style : AF_NAMES_CLASS;
    }
    if (runs->app == NULL) {
        runs->app = af_arena_text(runs->arena, profile->app);
    } else if (profile->app != NULL && strcmp(runs->app, profile->app) != 0) {
        af_warnings_add(&runs->warnings, AF_WARN_SEVERAL_APPS, 1, AF_NO_OFFSET);
    }
    runs->facts.counts.records += profile->facts.counts.records;
    runs->facts.counts.calls += profile->facts.counts.calls;
    runs->instants += profile->markers.instants;
    runs->values += profile->markers.values;
    join_methods(runs, profile, name_of);
}
