#include "added_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "path_map.h"

typedef struct {
    uint64_t calls, unwinds, runnable;
    uint64_t self[AF_CLOCKS], inclusive[AF_CLOCKS], min[AF_CLOCKS], max[AF_CLOCKS];
} sums;

typedef struct {
    uint32_t node;
    uint64_t start[AF_CLOCKS], below[AF_CLOCKS];
    uint64_t runnable; /* of the thread, when it began */
} open_call;

typedef struct {
    GHashTable *nodes; /* see path_map.h */
    sums *sums;        /* by node */
    GArray *open;      /* open_call */
    uint64_t last[AF_CLOCKS];
} added_thread;

typedef struct {
    const af_profile *profile;
    added_thread *threads;
    uint64_t n_calls;
    char *wrong;
} adding;

static gboolean complain(adding *a, const af_call_event *edge, const char *what, GError **error)
{
    a->wrong = g_strdup_printf("thread %u, %s, depth %u, wall %" PRIu64 ", cpu %" PRIu64 ": %s",
                               edge->thread, af_profile_label(a->profile, edge->label), edge->depth,
                               edge->time_ns[AF_WALL], edge->time_ns[AF_CPU], what);
    g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, what);
    return FALSE;
}

/* Checks that apply to both ends of a call. */
static const char *check_edge(const adding *a, const af_call_event *edge, uint32_t depth)
{
    if (edge->thread >= af_profile_n_threads(a->profile)) {
        return "the thread does not exist";
    }
    if (edge->label >= af_profile_n_labels(a->profile)) {
        return "the label does not exist";
    }
    if (edge->depth != depth) {
        return "the depth is not the number of open calls";
    }
    added_thread *t = &a->threads[edge->thread];
    const uint32_t caller =
        depth == 0 ? UINT32_MAX
                   : af_node_label_number(a->profile, edge->thread,
                                          g_array_index(t->open, open_call, depth - 1).node);
    if (edge->caller != caller) {
        return "the caller is not the enclosing call";
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (edge->time_ns[c] < t->last[c]) {
            return "time steps back";
        }
        if (edge->time_ns[c] > 0 && !af_profile_has_clock(a->profile, (af_clock)c)) {
            return "an absent clock advances";
        }
        t->last[c] = edge->time_ns[c];
    }
    return NULL;
}

static bool take_enter(void *user, const af_call_event *edge, GError **error)
{
    adding *a = user;
    added_thread *t = &a->threads[edge->thread];
    const char *wrong = check_edge(a, edge, t->open->len);
    if (wrong != NULL) {
        return complain(a, edge, wrong, error);
    }
    const uint32_t parent =
        t->open->len == 0 ? 0 : g_array_index(t->open, open_call, t->open->len - 1).node;
    open_call call = {.node = path_map_find(t->nodes, parent, edge->label)};
    if (call.node == UINT32_MAX) {
        return complain(a, edge, "no node of the tree has this path", error);
    }
    memcpy(call.start, edge->time_ns, sizeof call.start);
    call.runnable = edge->runnable_ns;
    g_array_append_val(t->open, call);
    a->n_calls++;
    return TRUE;
}

static bool take_leave(void *user, const af_call_event *edge, GError **error)
{
    adding *a = user;
    added_thread *t = &a->threads[edge->thread];
    if (t->open->len == 0) {
        return complain(a, edge, "no call is open", error);
    }
    const char *wrong = check_edge(a, edge, t->open->len - 1);
    const open_call call = g_array_index(t->open, open_call, t->open->len - 1);
    if (wrong == NULL && af_node_label_number(a->profile, edge->thread, call.node) != edge->label) {
        wrong = "it is not the innermost call that ends";
    }
    if (wrong != NULL) {
        return complain(a, edge, wrong, error);
    }
    g_array_set_size(t->open, t->open->len - 1);
    sums *s = &t->sums[call.node];
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint64_t length = edge->time_ns[c] - call.start[c];
        s->inclusive[c] += length;
        s->self[c] += length - call.below[c];
        s->min[c] = s->calls == 0 ? length : MIN(s->min[c], length);
        s->max[c] = MAX(s->max[c], length);
        if (t->open->len > 0) {
            g_array_index(t->open, open_call, t->open->len - 1).below[c] += length;
        }
    }
    s->calls++;
    s->unwinds += edge->end == AF_CALL_UNWOUND;
    s->runnable += edge->runnable_ns - call.runnable;
    return TRUE;
}

static void begin_thread(adding *a, unsigned thread)
{
    added_thread *t = &a->threads[thread];
    const uint32_t n = af_tree_n_nodes(a->profile, thread);
    t->nodes = path_map_new(a->profile, thread);
    t->sums = g_new0(sums, n);
    t->open = g_array_new(FALSE, FALSE, sizeof(open_call));
}

/* The first column of a node in which calls and tree differ; NULL if they agree. */
static const char *compare_node(const af_profile *p, unsigned thread, uint32_t node, const sums *s)
{
    if (s->calls != af_node_calls(p, thread, node)) {
        return "number of calls";
    }
    if (s->unwinds != af_node_unwinds(p, thread, node)) {
        return "number of unwinds";
    }
    if (s->runnable != af_node_runnable_ns(p, thread, node)) {
        return "runnable time";
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const af_clock clock = (af_clock)c;
        if (s->inclusive[c] != af_node_inclusive_ns(p, thread, node, clock)) {
            return c == AF_WALL ? "inclusive wall time" : "inclusive cpu time";
        }
        if (s->self[c] != af_node_self_ns(p, thread, node, clock)) {
            return c == AF_WALL ? "wall self time" : "cpu self time";
        }
        if (s->min[c] != af_node_min_ns(p, thread, node, clock) ||
            s->max[c] != af_node_max_ns(p, thread, node, clock)) {
            return c == AF_WALL ? "shortest or longest wall time" : "shortest or longest cpu time";
        }
    }
    return NULL;
}

static void compare_thread(adding *a, unsigned thread)
{
    added_thread *t = &a->threads[thread];
    const uint32_t n = af_tree_n_nodes(a->profile, thread);
    if (t->open->len > 0) {
        a->wrong = g_strdup_printf("thread %u: %u calls never end", thread, t->open->len);
    }
    for (uint32_t node = 1; node < n && a->wrong == NULL; node++) {
        const char *column = compare_node(a->profile, thread, node, &t->sums[node]);
        if (column != NULL) {
            a->wrong =
                g_strdup_printf("thread %u, node %u %s: the calls do not add up in the %s", thread,
                                node, af_node_label(a->profile, thread, node), column);
        }
    }
}

char *added_calls_check(const af_profile *profile, uint64_t *n_calls)
{
    const unsigned n = af_profile_n_threads(profile);
    if (!af_profile_has_calls(profile)) {
        return NULL; /* no calls to add up */
    }
    adding a = {.profile = profile, .threads = g_new0(added_thread, n + 1)};
    for (unsigned thread = 0; thread < n; thread++) {
        begin_thread(&a, thread);
    }
    const af_call_observer observer = {
        .size = sizeof observer, .enter = take_enter, .leave = take_leave, .user = &a};
    GError *error = NULL;
    if (!af_profile_walk_calls(profile, &observer, NULL, &error)) {
        a.wrong = a.wrong != NULL ? a.wrong : g_strdup(error->message);
        g_error_free(error);
    }
    for (unsigned thread = 0; thread < n; thread++) {
        if (a.wrong == NULL) {
            compare_thread(&a, thread);
        }
        g_hash_table_unref(a.threads[thread].nodes);
        g_array_unref(a.threads[thread].open);
        g_free(a.threads[thread].sums);
    }
    g_free(a.threads);
    if (n_calls != NULL) {
        *n_calls = a.n_calls;
    }
    return a.wrong;
}
