#include "finding/groups.h"

#include "base/number.h"

#define LEAST_PERCENT 5
#define LEAST_CALLS   10000
#define LEAST_BY_ONE  1000  /* calls from one caller */
#define MOST_MEAN_NS  50000 /* of a short call */
#define LEAST_ROWS    100   /* calls of the same callee within one call */

/* A caller makes nearly all calls of a method: this share of them, in percent. */
#define NEARLY_ALL 90

/* The calls of a method, and those by one of its callers, outside other calls of the method. */
typedef struct {
    uint32_t caller, callee, node;
    uint64_t calls, time, heaviest;
    uint64_t callers; /* calls of the caller */
} pair_sum;

static guint hash_pair(gconstpointer key)
{
    const pair_sum *p = key;
    const uint64_t both = (uint64_t)p->caller << 32 | p->callee;
    return (guint)(both * UINT64_C(0x9E3779B97F4A7C15) >>
                   32); /* thousands of both, close together */
}

static gboolean equal_pairs(gconstpointer a, gconstpointer b)
{
    const pair_sum *one = a, *other = b;
    return one->caller == other->caller && one->callee == other->callee;
}

/* By callee with caller AF_NO_LABEL, and by pair. NULL if memory is refused. */
static GHashTable *sum_pairs(const af_case *c, gboolean by_caller)
{
    uint32_t *open = g_try_new0(uint32_t, (gsize)c->profile->n_labels + 1);
    if (open == NULL) {
        return NULL;
    }
    GHashTable *pairs = g_hash_table_new_full(hash_pair, equal_pairs, g_free, NULL);
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const uint32_t label = c->tree->label[n], parent = c->tree->parent[n];
        const gboolean outermost = n >= open[label];
        const pair_sum wanted = {.caller = by_caller ? c->tree->label[parent] : AF_NO_LABEL,
                                 .callee = label};
        if (outermost) {
            open[label] = c->end[n];
        }
        if (c->waits[n] != AF_WAITS_OTHER || (by_caller && parent == 0)) {
            continue;
        }
        pair_sum *sum = g_hash_table_lookup(pairs, &wanted);
        if (sum == NULL) {
            sum = g_memdup2(&wanted, sizeof wanted);
            sum->node = n;
            g_hash_table_add(pairs, sum);
        }
        sum->calls += c->tree->calls[n];
        sum->callers += by_caller ? c->tree->calls[parent] : 0;
        sum->time += outermost ? c->time[n] : 0;
        if (outermost && c->time[n] > sum->heaviest) {
            sum->heaviest = c->time[n];
            sum->node = n;
        }
    }
    g_free(open);
    return pairs;
}

static gboolean is_many(const af_case *c, const pair_sum *sum, uint64_t least)
{
    return sum->calls >= least && af_case_is_share(c, sum->time, LEAST_PERCENT) &&
           af_profile_has_clocks(c->profile) && sum->time / sum->calls < MOST_MEAN_NS;
}

/* Loops that run tasks: that they call the same method again and again is their purpose. */
static const af_name loops[] = {
    {"android.os.Looper", "loop*"},
    {"java.util.concurrent.ThreadPoolExecutor*", "run*"},
    {"kotlinx.coroutines.scheduling.*", "run*"},
    {"java.util.TimerThread", "*"},
    {"android.view.Choreographer", "doCallbacks"},
    {NULL, NULL},
};

static void prepare(const af_case *c, af_call_sums *sums)
{
    GHashTable *pairs = sum_pairs(c, TRUE);
    const guint8 *is_loop = af_labels_named(c, loops);
    GHashTableIter iter;
    gpointer key;
    if (pairs == NULL) {
        return;
    }
    g_hash_table_iter_init(&iter, pairs);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        const pair_sum *sum = key;
        if (sum->calls >= LEAST_ROWS && af_case_is_share(c, sum->time, LEAST_PERCENT) &&
            is_loop != NULL && is_loop[sum->caller] == 0) {
            af_call_sums_request_pair(sums, c->thread, sum->caller, sum->callee);
        }
    }
    g_hash_table_destroy(pairs);
}

static af_candidate *begin(const af_case *c, const af_rule *rule, const pair_sum *sum)
{
    af_candidate *candidate = af_candidate_add(c, rule, sum->node, sum->time, sum->calls);
    uint32_t end = 0;
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const gboolean fits =
            c->tree->label[n] == sum->callee &&
            (sum->caller == AF_NO_LABEL || c->tree->label[c->tree->parent[n]] == sum->caller);
        if (fits && n >= end) {
            af_candidate_cover(candidate, n, TRUE, c->time[n]);
            end = c->end[n];
        }
    }
    char *name = af_case_name(c, sum->callee), *calls = af_case_calls(sum->calls),
         *mean = af_case_amount(c, sum->time / sum->calls);
    af_candidate_begin(candidate, "spent");
    af_candidate_say(candidate, " in %s of %s, %s each", calls, name, mean);
    g_free(mean);
    g_free(calls);
    g_free(name);
    return candidate;
}

/* `others` methods are called as often by the same caller. */
static void report_pair(const af_case *c, const af_rule *rule, const pair_sum *sum, uint64_t most,
                        guint others)
{
    char number[AF_NUMBER_SIZE];
    af_candidate *candidate = begin(c, rule, sum);
    char *caller = af_case_name(c, sum->caller);
    if (most >= LEAST_ROWS) {
        af_candidate_say(candidate, ", up to %s in one call of %s", af_number_count(number, most),
                         caller);
        if (others > 0) {
            af_candidate_say(candidate, ", like %u other %s", others,
                             others == 1 ? "method" : "methods");
        }
    } else {
        af_candidate_say(candidate, ", all from %s", caller);
    }
    g_free(caller);
    if (c->profile->labels[sum->caller].category != AF_CATEGORY_APP) {
        af_candidate_behalf(candidate);
    } else {
        candidate->behalf = c->tree->parent[sum->node];
    }
}

static const pair_sum *find_method(GHashTable *methods, uint32_t callee)
{
    const pair_sum wanted = {.caller = AF_NO_LABEL, .callee = callee};
    return g_hash_table_lookup(methods, &wanted);
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
    const pair_sum *one = *(pair_sum *const *)a, *other = *(pair_sum *const *)b;
    return one->node < other->node ? -1 : one->node > other->node;
}

/* The callees of a caller that runs them for each row: the one with the most time. */
typedef struct {
    const pair_sum *sum;
    uint64_t most;
    guint others;
} pair_rows;

static void add_row(GArray *rows, const pair_sum *sum, uint64_t most)
{
    for (guint i = 0; i < rows->len; i++) {
        pair_rows *row = &g_array_index(rows, pair_rows, i);
        if (row->sum->caller == sum->caller) {
            row->others++;
            if (sum->time > row->sum->time) {
                row->sum = sum;
                row->most = most;
            }
            return;
        }
    }
    const pair_rows row = {sum, most, 0};
    g_array_append_val(rows, row);
}

static void find_in(const af_case *c, const af_rule *rule, GHashTable *pairs, GHashTable *methods)
{
    guint n_pairs, n_methods;
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(pair_rows));
    pair_sum **all = (pair_sum **)g_hash_table_get_keys_as_array(pairs, &n_pairs);
    pair_sum **called = (pair_sum **)g_hash_table_get_keys_as_array(methods, &n_methods);
    qsort(all, n_pairs, sizeof(*all), compare_pairs);
    qsort(called, n_methods, sizeof(*called), compare_pairs);
    for (guint i = 0; i < n_pairs; i++) {
        const pair_sum *sum = all[i], *method = find_method(methods, sum->callee);
        const af_call_pair *pair =
            af_case_sums(c) != NULL
                ? af_call_sums_pair(af_case_sums(c), c->thread, sum->caller, sum->callee)
                : NULL;
        const uint64_t most = pair != NULL ? pair->most : 0;
        const gboolean nearly_all = sum->calls * 100 >= method->calls * NEARLY_ALL;
        if (most >= LEAST_ROWS) {
            add_row(rows, sum, most);
        } else if (is_many(c, sum, LEAST_BY_ONE) &&
                   (nearly_all || !is_many(c, method, LEAST_CALLS))) {
            report_pair(c, rule, sum, most, 0);
        }
    }
    for (guint i = 0; i < rows->len; i++) {
        const pair_rows *row = &g_array_index(rows, pair_rows, i);
        report_pair(c, rule, row->sum, row->most, row->others);
    }
    g_array_unref(rows);
    for (guint i = 0; i < n_methods; i++) {
        if (is_many(c, called[i], LEAST_CALLS)) {
            af_candidate_behalf(begin(c, rule, called[i]));
        }
    }
    g_free(called);
    g_free(all);
}

static void find(const af_case *c, const af_rule *rule)
{
    if (!c->counted) {
        return;
    }
    GHashTable *pairs = sum_pairs(c, TRUE), *methods = sum_pairs(c, FALSE);
    if (pairs != NULL && methods != NULL) {
        find_in(c, rule, pairs, methods);
    }
    g_clear_pointer(&pairs, g_hash_table_destroy);
    g_clear_pointer(&methods, g_hash_table_destroy);
}

const af_rule af_rule_many_calls = {
    .id = "many-calls",
    .title = "Many short calls",
    .about = "calls of one method take at least 5 % of their thread: 10,000 of them, or 1,000 from "
             "one caller, of less than 50 µs on average; or 100 within one call of their caller",
    .weight = 125,
    .prepare = prepare,
    .find = find,
};
