#include "../../src/api/autoptr.h"
#include "listed_calls.h"

#include <inttypes.h>
#include <string.h>

#define EVERYTHING "!=no such method"

enum { MOST_STEPS = 4, MOST_AROUND = 3 };

#define TEXT(what, pattern)                                                                        \
    {                                                                                              \
        AF_STEP_##what, pattern, 0, AF_CLOCK_DEFAULT                                               \
    }
#define NUMBER(what, value)                                                                        \
    {                                                                                              \
        AF_STEP_##what, NULL, value, AF_CLOCK_DEFAULT                                              \
    }

static const struct {
    size_t n;
    af_step steps[MOST_STEPS];
} chains[] = {
    {0, {{0}}},
    {1, {TEXT(HIDE, "/[a-m]$/")}},
    {1, {TEXT(FOCUS, "/[e-m]$/")}},
    {1, {TEXT(IGNORE, "/[e-p]$/")}},
    {1, {TEXT(ROOT, "/[ent]$/")}},
    {1, {NUMBER(MAX_DEPTH, 3)}},
    {1, {NUMBER(SHORTER_THAN, 50000)}},
    {1, {TEXT(FOLD, "/[a-n]$/")}},
    {1, {NUMBER(COLLAPSE_RECURSION, 0)}},
    {1, {NUMBER(CLEAN, 0)}},
    {1, {TEXT(MERGE_THREADS, "all")}},
    {3, {TEXT(IGNORE, "/n$/"), TEXT(HIDE, "/e$/"), TEXT(ROOT, "/[a-s]$/")}},
    {4,
     {NUMBER(CLEAN, 0), NUMBER(COLLAPSE_RECURSION, 0), TEXT(FOLD, "framework"),
      NUMBER(MAX_DEPTH, 6)}},
    {3, {TEXT(MERGE_THREADS, "all"), TEXT(FOCUS, "/[a-t]$/"), NUMBER(SHORTER_THAN, 1000)}},
};

/* The sums of a method, from its nodes or from its calls. */
typedef struct {
    uint64_t calls, unwinds;
    uint64_t self[2], total[2]; /* total: of outermost calls */
} sums;

static sums *sums_of(GHashTable *table, const char *method)
{
    sums *s = g_hash_table_lookup(table, method);
    if (s == NULL) {
        s = g_new0(sums, 1);
        g_hash_table_insert(table, g_strdup(method), s);
    }
    return s;
}

/* ---- from nodes ---- */

static void add_thread(GHashTable *table, const af_profile *profile, unsigned t, uint32_t *open,
                       uint32_t *path)
{
    const uint32_t n_nodes = af_tree_n_nodes(profile, t);
    uint32_t depth = 0;
    for (uint32_t n = 1; n < n_nodes; n++) {
        const uint32_t label = af_node_label_number(profile, t, n);
        for (; depth >= af_node_depth(profile, t, n); depth--) {
            open[path[depth]]--;
        }
        sums *s = sums_of(table, af_node_label(profile, t, n));
        s->calls += af_node_calls(profile, t, n);
        s->unwinds += af_node_unwinds(profile, t, n);
        for (unsigned c = 0; c < 2; c++) {
            s->self[c] += af_node_self_ns(profile, t, n, (af_clock)c);
            s->total[c] += open[label] == 0 ? af_node_inclusive_ns(profile, t, n, (af_clock)c) : 0;
        }
        path[++depth] = label;
        open[label]++;
    }
}

static GHashTable *add_nodes(const af_profile *profile)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        g_autofree uint32_t *open = g_new0(uint32_t, af_profile_n_labels(profile) + 1);
        g_autofree uint32_t *path = g_new0(uint32_t, af_tree_n_nodes(profile, t) + 1);
        add_thread(table, profile, t, open, path);
    }
    return table;
}

/* ---- from calls ---- */

static GHashTable *add_calls(const af_call_list *list)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (uint32_t i = 0; i < af_call_list_size(list); i++) {
        af_call_view call = AF_CALL_VIEW_INIT;
        af_call_list_at(list, i, &call);
        sums *s = sums_of(table, call.method);
        s->calls++;
        s->unwinds += call.end == AF_CALL_UNWOUND && !call.cut_end;
        for (unsigned c = 0; c < 2; c++) {
            s->self[c] += call.self_ns[c];
            s->total[c] += call.nested ? 0 : call.time_ns[c];
        }
    }
    return table;
}

static char *compare(GHashTable *nodes, GHashTable *calls)
{
    GHashTableIter i;
    gpointer name, value;
    g_hash_table_iter_init(&i, nodes);
    while (g_hash_table_iter_next(&i, &name, &value)) {
        const sums *a = value, *b = g_hash_table_lookup(calls, name);
        /* a frame that a step retains without its calls is not a call */
        if (a->calls > 0 && b == NULL) {
            return g_strdup_printf("%s is not in the list", (char *)name);
        }
        if (a->calls > 0 && memcmp(a, b, sizeof *a) != 0) {
            return g_strdup_printf(
                "%s: calls %" PRIu64 " %" PRIu64 ", unwinds %" PRIu64 " %" PRIu64 ", self wall "
                "%" PRIu64 " %" PRIu64 ", total wall %" PRIu64 " %" PRIu64 ", self cpu %" PRIu64
                " %" PRIu64 ", total cpu %" PRIu64 " %" PRIu64,
                (char *)name, a->calls, b->calls, a->unwinds, b->unwinds, a->self[0], b->self[0],
                a->total[0], b->total[0], a->self[1], b->self[1], a->total[1], b->total[1]);
        }
    }
    return g_hash_table_size(nodes) >= g_hash_table_size(calls)
               ? NULL
               : g_strdup("the list has methods that the trees lack");
}

/* ---- one call ---- */

/* The profile of the call has one root, with its name and time. */
static char *check_single_call(const af_profile *profile, const af_call_view *call,
                               const af_call_list_options *options)
{
    g_autoptr(GError) error = NULL;
    af_profile *one = af_profile_extract_call(profile, EVERYTHING, call->number, options, &error);
    if (one == NULL) {
        /* steps may hide a single call: all its time was removed, or it was too short */
        return error->code == AF_ERROR_NOTHING && options->n_steps > 0 ? NULL
                                                                       : g_strdup(error->message);
    }
    char *wrong = NULL;
    if (af_profile_n_threads(one) != 1 || af_tree_n_nodes(one, 0) < 2) {
        wrong = g_strdup("the call does not have exactly one thread");
    } else if (options->n_steps == 0 && strcmp(af_node_label(one, 0, 1), call->method) != 0) {
        wrong = g_strdup_printf("the root is %s", af_node_label(one, 0, 1));
    }
    for (unsigned c = 0; c < 2 && wrong == NULL && options->n_steps == 0; c++) {
        if (af_node_inclusive_ns(one, 0, 0, (af_clock)c) != call->time_ns[c] ||
            af_node_self_ns(one, 0, 1, (af_clock)c) != call->self_ns[c]) {
            wrong = g_strdup_printf("%" PRIu64 " and %" PRIu64 " ns in clock %u", call->time_ns[c],
                                    af_node_inclusive_ns(one, 0, 0, (af_clock)c), c);
        }
    }
    if (wrong == NULL && options->n_steps == 0 && af_node_calls(one, 0, 1) != 1) {
        wrong = g_strdup("the root is not a single call");
    }
    af_profile_free(one);
    if (wrong != NULL) {
        char *where =
            g_strdup_printf("call %" PRIu64 " of %s: %s", call->number, call->method, wrong);
        g_free(wrong);
        return where;
    }
    return NULL;
}

/* ---- all ---- */

static char *check_list(const af_profile *profile, const af_profile *shown,
                        const af_call_list *list, const af_call_list_options *options)
{
    g_autoptr(GHashTable) nodes = add_nodes(shown), calls = add_calls(list);
    char *wrong = compare(nodes, calls);
    const uint32_t n = af_call_list_size(list);
    for (unsigned i = 0; i < MOST_AROUND && wrong == NULL; i++) {
        af_call_view call = AF_CALL_VIEW_INIT;
        af_call_list_at(list, (uint32_t)((uint64_t)n * i / MOST_AROUND), &call);
        wrong = check_single_call(profile, &call, options);
    }
    return wrong;
}

char *listed_calls_check_steps(const af_profile *profile, const af_step *steps, size_t n,
                               uint64_t *n_listed)
{
    g_autoptr(GError) refused = NULL;
    g_autoptr(GError) error = NULL;
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    options.steps = steps;
    options.n_steps = n;
    g_autoptr(af_profile) shown = af_profile_reshape(profile, steps, n, &refused);
    g_autoptr(af_call_list) list = af_call_list_new(profile, EVERYTHING, &options, &error);
    char *wrong = NULL;
    if (shown != NULL && list != NULL) {
        wrong = check_list(profile, shown, list, &options);
        *n_listed += af_call_list_n(list);
    } else if (shown == NULL && (list != NULL || error->code != refused->code)) {
        wrong = g_strdup_printf("reshaping fails: %s", refused->message);
    } else if (shown != NULL && error->code != AF_ERROR_NOTHING) {
        wrong = g_strdup(error->message);
    }
    return wrong;
}

char *listed_calls_check(const af_profile *profile, unsigned first, unsigned every,
                         uint64_t *n_listed)
{
    for (unsigned i = first; i < G_N_ELEMENTS(chains); i += every) {
        char *wrong = listed_calls_check_steps(profile, chains[i].steps, chains[i].n, n_listed);
        if (wrong != NULL) {
            char *where = g_strdup_printf("steps %u, first %s: %s", i,
                                          chains[i].steps[0].text != NULL ? chains[i].steps[0].text
                                                                          : "without a pattern",
                                          wrong);
            g_free(wrong);
            return where;
        }
    }
    return NULL;
}
