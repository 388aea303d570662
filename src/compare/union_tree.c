#include "compare/union_tree.h"

#include "base/wide.h"
#include "base/workers.h"
#include "compare/union_pair.h"

uint64_t af_scale_apply(const af_scale *scale, uint64_t sum)
{
    if (scale->times == scale->over) {
        return sum;
    }
    const af_u128 scaled = ((af_u128)sum * scale->times + scale->over / 2) / scale->over;
    return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

uint64_t af_union_total(const af_runs *runs, af_clock clock)
{
    uint64_t sum = 0;
    for (guint t = 0; t < runs->threads->len; t++) {
        const af_runs_columns from = af_union_columns(runs, t);
        for (uint32_t n = 1; from.calls != NULL && n < from.n; n++) {
            sum += af_union_self(&from, n, (unsigned)clock);
        }
    }
    return af_time_of_sum(sum, clock);
}

static const af_runs_thread *thread_at(const af_union_state *u, const af_thread_pair *pair,
                                       unsigned side, guint i)
{
    return u->sides[side]->threads->pdata[g_array_index(pair->threads[side], uint32_t, i)];
}

/* The names of the threads of a side, separated by commas. */
static const char *join_names(const af_union_state *u, const af_thread_pair *pair, unsigned s)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < pair->threads[s]->len; i++) {
        g_string_append(names, i > 0 ? ", " : "");
        g_string_append(names, thread_at(u, pair, s, i)->name);
    }
    return af_arena_copy(u->diff->arena, names->str, names->len);
}

static gboolean begin_nodes(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES])
{
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const size_t n = (size_t)sides[s]->threads->len + 1;
        nodes->node_of[s] = g_try_new0(uint32_t *, n);
        nodes->pair_of[s] = g_try_new0(uint32_t, n);
        ok = ok && nodes->node_of[s] != NULL && nodes->pair_of[s] != NULL;
    }
    return ok;
}

void af_union_nodes_clear(af_union_nodes *nodes, const af_runs *const sides[AF_SIDES])
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (guint t = 0; nodes->node_of[s] != NULL && t < sides[s]->threads->len; t++) {
            g_free(nodes->node_of[s][t]);
        }
        g_clear_pointer(&nodes->node_of[s], g_free);
        g_clear_pointer(&nodes->pair_of[s], g_free);
    }
}

/* Adds up the waiting of all pairs. FALSE if memory is refused. */
static gboolean finish_waits(const af_union_state *u)
{
    af_diff *diff = u->diff;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        diff->waits[s] = af_arena_alloc(diff->arena, sizeof(uint64_t) * AF_WAITS_ALL);
        for (unsigned kind = 0; diff->waits[s] != NULL && kind < AF_WAITS_ALL; kind++) {
            diff->waits[s][kind] = 0;
            for (uint32_t i = 0; i < diff->n_threads; i++) {
                diff->waits[s][kind] += u->waits[i].time[s][kind];
            }
        }
    }
    return diff->waits[AF_BEFORE] != NULL && diff->waits[AF_AFTER] != NULL;
}

static gboolean records_runnable(const af_runs *runs)
{
    gboolean any = FALSE;
    for (guint t = 0; t < runs->threads->len && !any; t++) {
        any = af_union_columns(runs, t).runnable != NULL;
    }
    return any;
}

#define MOST_BUILDERS 16u

/* Fewer nodes are not worth a thread. */
#define LEAST_NODES (UINT32_C(1) << 14)

typedef struct {
    const af_union_state *state;
    const GPtrArray *pairs;
    guint next;  /* atomic */
    gint failed; /* atomic */
} building;

static unsigned count_builders(const af_union_state *u, const GPtrArray *pairs, unsigned jobs)
{
    uint64_t all = 0;
    for (guint i = 0; i < pairs->len; i++) {
        all += af_union_pair_nodes(u, pairs->pdata[i]);
    }
    const unsigned most = MIN(af_workers_count(jobs), MOST_BUILDERS);
    return (unsigned)CLAMP(all / LEAST_NODES, 1, most);
}

/* One builder. */
static void build_pairs(void *user, unsigned number)
{
    building *p = user;
    af_pair_builder builder;
    gboolean ok = af_pair_builder_init(&builder, p->state);
    for (guint i; ok && (i = g_atomic_int_add(&p->next, 1)) < p->pairs->len;) {
        ok = af_pair_builder_run(&builder, p->pairs->pdata[i], i);
    }
    af_pair_builder_clear(&builder);
    g_atomic_int_add(&p->failed, !ok);
}

gboolean af_union_build(af_diff *diff, const af_runs *const sides[AF_SIDES], GPtrArray *pairs,
                        const af_pairing_labels *labels, const af_scale scale[AF_SIDES],
                        unsigned jobs, af_union_nodes *nodes)
{
    af_union_state u = {.sides = sides,
                        .labels = labels,
                        .scale = scale,
                        .nodes = nodes,
                        .diff = diff,
                        .has_runnable = records_runnable(sides[AF_BEFORE]) &&
                                        records_runnable(sides[AF_AFTER])};
    diff->threads = af_arena_alloc(diff->arena, sizeof(af_diff_thread) * (pairs->len + 1));
    diff->n_threads = diff->threads != NULL ? pairs->len : 0;
    for (guint i = 0; diff->threads != NULL && i < pairs->len; i++) {
        const af_thread_pair *pair = pairs->pdata[i];
        af_diff_thread *to = &diff->threads[i];
        *to = (af_diff_thread){.title = pair->title};
        for (unsigned s = 0; s < AF_SIDES; s++) {
            for (guint k = 0; k < pair->threads[s]->len; k++) {
                const af_runs_thread *thread = thread_at(&u, pair, s, k);
                to->threads[s] += thread->threads;
                to->uncounted = to->uncounted || thread->sampled;
            }
            to->name[s] = pair->threads[s]->len > 0 ? join_names(&u, pair, s) : NULL;
        }
    }
    u.waits = g_try_new0(af_union_waits, (size_t)diff->n_threads + 1);
    const gboolean ready = diff->threads != NULL && begin_nodes(nodes, sides) && u.waits != NULL;
    building all = {.state = &u, .pairs = pairs, .failed = !ready};
    if (ready) {
        const unsigned builders = count_builders(&u, pairs, jobs);
        af_workers_run(builders, builders, build_pairs, &all);
    }
    const gboolean ok = all.failed == 0 && finish_waits(&u);
    g_free(u.waits);
    return ok;
}
