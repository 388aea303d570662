#include "calls/samples.h"

#include "calls/input.h"
#include "calls/profile_walk.h"
#include "base/array.h"
#include "base/changed_error.h"
#include "base/memory_error.h"

typedef struct {
    const af_profile *profile;
    gboolean (*callback)(void *to, const af_recorded_sample *sample, GError **error);
    void *to;
    const af_state_observer *states;
    af_idmap methods;               /* the profile's method numbers, by id */
    af_array of_methods, of_labels; /* of uint32_t: those of the sample before */
    GError *error;
} numbering;

gboolean af_samples_have_steps(const af_profile *profile)
{
    return af_content_has_timed_weights(profile->facts.content) &&
           profile->facts.content != AF_CONTENT_STACK_SLICES && profile->base == NULL &&
           af_input_exists(profile);
}

static gboolean number_sample(void *user, const af_sink *sink, const af_sample *sample)
{
    numbering *n = user;
    const af_walk_plan *plan = n->profile->walk_plan;
    if (!af_array_reach(&n->of_methods, sample->n) || !af_array_reach(&n->of_labels, sample->n)) {
        return af_memory_error_set(&n->error);
    }
    uint32_t *methods = n->of_methods.items, *labels = n->of_labels.items;
    for (size_t i = sample->common; i < sample->n; i++) {
        const uint32_t number = sample->methods[i];
        if (number >= plan->n_methods || plan->label_of[number] == AF_NO_LABEL) {
            return af_changed_error_set(&n->error);
        }
        methods[i] = af_idmap_look(&n->methods, plan->method_ids[number]);
        labels[i] = plan->label_of[number];
    }
    if (sample->thread >= plan->n_threads || plan->threads[sample->thread].index == UINT32_MAX) {
        return af_changed_error_set(&n->error);
    }
    const af_recorded_sample callback = {plan->threads[sample->thread].index,
                                         methods,
                                         labels,
                                         sample->n,
                                         sample->common,
                                         {sample->weight[AF_WALL], sample->weight[AF_CPU]},
                                         sample->time_ns};
    return n->callback(n->to, &callback, &n->error);
}

static void number_state(void *user, const af_run_interval *interval)
{
    numbering *n = user;
    const af_walk_plan *plan = n->profile->walk_plan;
    if (n->error == NULL && interval->thread < plan->n_threads &&
        plan->threads[interval->thread].index != UINT32_MAX) {
        af_run_interval numbered = *interval;
        numbered.thread = plan->threads[interval->thread].index;
        n->states->take(n->states->user, &numbered, &n->error);
    }
}

gboolean af_samples_walk_raw(void *user,
                             gboolean (*callback)(void *to, const af_recorded_sample *sample,
                                                  GError **error),
                             void *to, GError **error)
{
    const af_samples *samples = user;
    const af_profile *profile = samples->profile;
    numbering n = {.profile = profile, .callback = callback, .to = to, .states = samples->states};
    af_idmap_init_hashed(&n.methods, NULL);
    af_array_init(&n.of_methods, sizeof(uint32_t));
    af_array_init(&n.of_labels, sizeof(uint32_t));
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        af_idmap_number(&n.methods, profile->methods[m].id);
    }
    const af_event_consumer consumer = {
        .sample = number_sample, .state = n.states != NULL ? number_state : NULL, .user = &n};
    GError *unread = NULL;
    gboolean ok = !n.methods.failed;
    if (!ok) {
        af_memory_error_set(error);
    } else {
        ok = af_input_listen_samples(profile, &consumer, samples->options, &unread) &&
             n.error == NULL;
        /* an error found here is more specific than the reader's */
        if (!ok) {
            g_propagate_error(error, n.error != NULL ? g_steal_pointer(&n.error)
                                                     : g_steal_pointer(&unread));
        }
    }
    g_clear_error(&n.error);
    g_clear_error(&unread);
    af_idmap_clear(&n.methods);
    af_array_clear(&n.of_methods);
    af_array_clear(&n.of_labels);
    return ok;
}

typedef struct {
    const af_profile *profile;
    af_time_range span;
    size_t common;       /* methods that all samples since the last one passed on have in common */
    uint32_t *number_of; /* by thread of the profile that was read */
    gboolean (*take)(void *user, const af_sample *sample, GError **error);
    void *user;
    const af_state_observer *states;
} selecting;

/* Clips the duration of a sample to the span. */
static void cut_sample(af_sample *sample, const af_time_range *span)
{
    uint64_t *weight = &sample->weight[AF_WALL];
    const uint64_t before_ns = span->from_ns - MIN(span->from_ns, sample->time_ns);
    if (before_ns > 0 && before_ns < *weight) {
        sample->time_ns += before_ns;
        *weight -= before_ns;
    }
    if (sample->time_ns < span->to_ns) {
        *weight = MIN(*weight, span->to_ns - sample->time_ns);
    }
}

static gboolean select_sample(void *to, const af_recorded_sample *recorded, GError **error)
{
    selecting *p = to;
    const af_facts *facts = &p->profile->facts;
    af_sample sample = {
        .thread = p->number_of[recorded->thread],
        .methods = recorded->labels,
        .n = recorded->n,
        .common = MIN(recorded->common, p->common),
        .weight = {recorded->weight[AF_WALL], recorded->weight[AF_CPU]},
        .time_ns = recorded->time_ns - MIN(recorded->time_ns, facts->weights.first_sample_ns),
    };
    if (facts->content == AF_CONTENT_STACK_SLICES) {
        cut_sample(&sample, &p->span);
    }
    const gboolean outside = sample.time_ns < p->span.from_ns ||
                             (sample.time_ns >= p->span.to_ns && p->span.to_ns != UINT64_MAX);
    p->common = sample.common;
    if (outside || sample.thread == AF_NOT_WALKED) {
        return TRUE;
    }
    p->common = SIZE_MAX;
    return p->take(p->user, &sample, error);
}

static gboolean select_state(void *user, const af_run_interval *interval, GError **error)
{
    const selecting *p = user;
    const uint64_t first_ns = p->profile->facts.weights.first_sample_ns;
    af_run_interval selected = *interval;
    selected.thread = p->number_of[interval->thread];
    selected.from_ns = MAX(selected.from_ns - MIN(selected.from_ns, first_ns), p->span.from_ns);
    selected.to_ns = MIN(selected.to_ns - MIN(selected.to_ns, first_ns), p->span.to_ns);
    return selected.thread == AF_NOT_WALKED || selected.from_ns >= selected.to_ns ||
           p->states->take(p->states->user, &selected, error);
}

gboolean af_samples_walk(const af_profile *profile, const af_time_range *span,
                         const af_call_walk_options *options,
                         gboolean (*take)(void *user, const af_sample *sample, GError **error),
                         void *user, const af_state_observer *states, GError **error)
{
    const af_profile *origin = af_profile_origin(profile);
    selecting p = {profile, {0, UINT64_MAX}, SIZE_MAX, NULL, take, user, states};
    const af_state_observer select = {select_state, &p};
    af_samples samples = {origin, options, states != NULL ? &select : NULL};
    if (span != NULL || profile->facts.part.has_range) {
        p.span = span != NULL ? *span : profile->facts.part.range;
    }
    p.number_of = g_new(uint32_t, (size_t)origin->n_threads + 1);
    af_profile_walk_number_threads(profile, NULL, p.number_of);
    const gboolean ok = af_samples_walk_raw(&samples, select_sample, &p, error);
    g_free(p.number_of);
    return ok;
}
