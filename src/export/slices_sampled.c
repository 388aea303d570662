/* Samples as slices. All are held until the end of the input, because a recording interleaves
 * threads and is not always in time order. */
#include "export/slices.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory_error.h"
#include "export/calls.h"
#include "model/children.h"

typedef struct {
    uint64_t time_ns, weight, number;
    uint32_t node;
} timed_sample;

typedef struct {
    af_children children; /* of its tree */
    af_array samples;     /* of timed_sample */
} track;

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    track *tracks;      /* by index in the selection */
    uint32_t *index_of; /* by thread, + 1; 0 = not selected */
    uint64_t first_ns, n;
    af_array path;   /* of uint32_t: the nodes of the sample before */
    size_t n_common; /* methods that the next sample may have in common with it */
} collecting;

/* Returns the node of a sample; 0 if no node contains it, because it has no weight. */
static uint32_t find_node(collecting *c, const track *t, const af_recorded_sample *recorded)
{
    uint32_t *path = c->path.items;
    size_t i = MIN(recorded->common, c->n_common);
    uint32_t node = i > 0 ? path[i - 1] : 0;
    for (; i < recorded->n; i++) {
        node = af_children_find(&t->children, node, recorded->labels[i]);
        if (node == AF_NO_NODE) {
            c->n_common = i;
            return 0;
        }
        path[i] = node;
    }
    c->n_common = recorded->n;
    return node;
}

static gboolean add_sample(void *user, const af_recorded_sample *recorded, GError **error)
{
    collecting *c = user;
    if (c->index_of[recorded->thread] == 0) {
        return TRUE;
    }
    track *t = &c->tracks[c->index_of[recorded->thread] - 1];
    if (!af_array_reach(&c->path, recorded->n)) {
        return af_memory_error_set(error);
    }
    const uint32_t node = find_node(c, t, recorded);
    const uint64_t weight = recorded->weight[c->selection->clock == AF_CPU ? AF_CPU : AF_WALL];
    timed_sample *s = node == 0 || weight == 0 ? NULL : af_array_add(&t->samples, 1);
    if (s != NULL) {
        *s = (timed_sample){recorded->time_ns, weight, c->n++, node};
        c->first_ns = MIN(c->first_ns, recorded->time_ns);
    }
    return !t->samples.failed || af_memory_error_set(error);
}

static int compare_samples(const void *a, const void *b)
{
    const timed_sample *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns < y->time_ns ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static gboolean tell_all(const collecting *c, const af_export_slice_observer *to, GError **error)
{
    for (uint32_t i = 0; i < c->selection->n_threads; i++) {
        const track *t = &c->tracks[i];
        if (t->samples.n > 0) {
            qsort(t->samples.items, t->samples.n, sizeof(timed_sample), compare_samples);
        }
        for (unsigned round = 0; round < to->rounds; round++) {
            gboolean ok = to->begin(to->user, c->selection->threads[i], round, error);
            for (size_t k = 0; ok && k < t->samples.n; k++) {
                const timed_sample *s = &AF_ARRAY_AT(&t->samples, timed_sample, k);
                const uint64_t begin_ns = s->time_ns - c->first_ns;
                const uint64_t weight = MIN(s->weight, UINT64_MAX - begin_ns);
                const af_export_slice slice = {s->node, begin_ns, begin_ns + weight, 0};
                ok = to->slice(to->user, &slice, error);
            }
            if (!(ok && to->end(to->user, c->selection->threads[i], round, error))) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

static gboolean prepare(collecting *c)
{
    const uint32_t n = c->selection->n_threads;
    gboolean ok = c->tracks != NULL && c->index_of != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        const uint32_t thread = c->selection->threads[i];
        c->index_of[thread] = i + 1;
        af_array_init(&c->tracks[i].samples, sizeof(timed_sample));
        ok = af_children_init(&c->tracks[i].children, c->profile->threads[thread].tree);
    }
    return ok;
}

static gboolean walk_samples(const af_profile *profile, const af_selection *selection,
                             const af_export_slice_observer *observer, GError **error)
{
    const af_sample_source *samples = selection->samples;
    collecting c = {.profile = profile,
                    .selection = selection,
                    .tracks = g_try_new0(track, (size_t)selection->n_threads + 1),
                    .index_of = g_try_new0(uint32_t, (size_t)profile->n_threads + 1),
                    .first_ns = UINT64_MAX};
    af_array_init(&c.path, sizeof(uint32_t));
    const gboolean ok = prepare(&c) ? samples->read(samples->user, add_sample, &c, error) &&
                                          tell_all(&c, observer, error)
                                    : af_memory_error_set(error);
    for (uint32_t i = 0; c.tracks != NULL && i < selection->n_threads; i++) {
        af_children_clear(&c.tracks[i].children);
        af_array_clear(&c.tracks[i].samples);
    }
    af_array_clear(&c.path);
    g_free(c.tracks);
    g_free(c.index_of);
    return ok;
}

gboolean af_export_slices_are_sampled(const af_selection *selection)
{
    return selection->samples != NULL && selection->clock != AF_WAIT;
}

typedef struct {
    const af_profile *profile;
    const af_export_slice_observer *to;
    gboolean any; /* the current round of the thread has slices */
} completing;

static gboolean begin_round(void *user, uint32_t thread, unsigned round, GError **error)
{
    completing *c = user;
    c->any = FALSE;
    return c->to->begin(c->to->user, thread, round, error);
}

static gboolean pass_slice(void *user, const af_export_slice *slice, GError **error)
{
    completing *c = user;
    c->any = TRUE;
    return c->to->slice(c->to->user, slice, error);
}

static gboolean end_round(void *user, uint32_t thread, unsigned round, GError **error)
{
    const completing *c = user;
    const af_export_slice empty = {.node = 1};
    const gboolean lacks = !c->any && c->profile->threads[thread].tree->n > 1;
    return (!lacks || c->to->slice(c->to->user, &empty, error)) &&
           c->to->end(c->to->user, thread, round, error);
}

gboolean af_export_slices_walk_samples(const af_profile *profile, const af_selection *selection,
                                       const af_export_slice_observer *observer, GError **error)
{
    completing c = {profile, observer, FALSE};
    const af_export_slice_observer whole = {observer->rounds, begin_round, pass_slice, end_round,
                                            &c};
    return af_export_slices_are_sampled(selection)
               ? walk_samples(profile, selection, &whole, error)
               : af_export_slices_walk(profile, selection, &whole, error);
}

const char *af_export_slices_measure(const af_profile *profile, const af_selection *selection)
{
    static const char *const clocks[] = {
        [AF_WALL] = "wall time", [AF_CPU] = "CPU time", [AF_WAIT] = "waiting"};
    const af_weight_facts *weights = &profile->facts.weights;
    return !weights->unit.counted   ? clocks[selection->clock]
           : weights->event != NULL ? weights->event
                                    : weights->unit.name;
}

void af_export_slices_report_untimed(const af_selection *selection, const char *format)
{
    if (selection->messages != NULL && !af_export_slices_are_sampled(selection)) {
        g_ptr_array_add(selection->messages,
                        g_strdup_printf("the stacks have no recorded times; the %s trace shows "
                                        "them one after the other",
                                        format));
    }
}
