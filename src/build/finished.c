/* The builder's side of build/finished.h. */
#include "build/finished_state.h"

#include "base/memory_error.h"
#include "build/naming.h"
#include "build/sink_state.h"
#include "model/labels.h"

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
    AF_ARRAYS_CLEAR(&f->methods, &f->labels, &f->groups, &f->mappings, &f->series, &f->steps,
                    &f->threads, &f->trees);
    g_free(f);
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
    if (profile->methods == NULL || f->by_method) {
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
    if (f->by_method || f->names == options->names ||
        (options->names == AF_NAMES_CLASS && !options->names_required)) {
        return TRUE; /* the default gives way to the names in the file */
    }
    static const char *const styles[] = {"class", "short", "full"};
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "the saved profile has %s names; --names %s needs the trace",
                styles[MIN((unsigned)f->names, AF_NAMES_FULL)],
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
    profile->names = f->by_method ? options->names : f->names;
    profile->keeps_methods = options->keep_methods && f->by_method;
    profile->clocks = f->clocks;
    profile->callers_above = f->callers_above;
    profile->compensated = f->compensated;
    profile->warnings = sink->warnings;
    profile->markers.instants = f->instants;
    profile->markers.values = f->values;
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
