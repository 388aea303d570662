#include "finding/groups.h"
#include "finding/inquiry.h"

#include "base/idtable.h"
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
    uint64_t calls, time;
} pair_sum;

/* Returns whether one caller may make enough of the calls. */
static gboolean is_often(const af_case *c, const af_method_sum *method)
{
    return method->calls >= LEAST_ROWS && af_case_is_share(c, method->time, LEAST_PERCENT);
}

static void add_node(pair_sum *sum, const af_case *c, uint32_t n, gboolean outermost)
{
    sum->node = sum->node == 0 ? n : sum->node;
    sum->calls += c->tree->calls[n];
    if (outermost) {
        sum->time += c->time[n];
        sum->node = c->time[n] > c->time[sum->node] ? n : sum->node;
    }
}

/* A method while its pairs are summed. */
typedef struct {
    gboolean often;
    uint32_t end; /* after the last outermost node */
} callee;

/* The pairs of methods that are called often (pair_sum, by both labels); the inquiry keeps them. NULL
 * if there are none, or memory is refused. */
static af_idtable *sum_pairs(const af_case *c)
{
    af_idtable *pairs = g_hash_table_lookup(c->inquiry->pairs, c);
    if (pairs != NULL) {
        return pairs;
    }
    gboolean any = FALSE;
    callee *callees = g_try_new0(callee, (gsize)c->n_methods + 1);
    for (uint32_t l = 0; callees != NULL && l < c->n_methods; l++) {
        callees[l].often = is_often(c, &c->methods[l]);
        any = any || callees[l].often;
    }
    if (any) {
        pairs = g_new(af_idtable, 1);
        af_idtable_init(pairs, sizeof(pair_sum), NULL);
        g_hash_table_insert(c->inquiry->pairs, (gpointer)c, pairs);
    }
    for (uint32_t n = 1; pairs != NULL && n < c->tree->n; n++) {
        callee *to = &callees[c->local[n]];
        const uint32_t parent = c->tree->parent[n];
        const gboolean outermost = n >= to->end;
        if (!to->often) {
            continue;
        }
        to->end = outermost ? c->end[n] : to->end;
        if (c->waits[n] != AF_WAITS_OTHER || parent == 0) {
            continue;
        }
        const pair_sum fresh = {.caller = c->tree->label[parent], .callee = c->tree->label[n]};
        const uint32_t number =
            af_idtable_number(pairs, (uint64_t)fresh.caller << 32 | fresh.callee, &fresh);
        if (number == UINT32_MAX) {
            c->inquiry->refused = TRUE;
            break;
        }
        add_node(&AF_ARRAY_AT(&pairs->items, pair_sum, number), c, n, outermost);
    }
    g_free(callees);
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
    const guint8 *is_loop = af_labels_named(c, loops);
    const af_idtable *pairs = sum_pairs(c);
    for (size_t i = 0; pairs != NULL && i < pairs->items.n; i++) {
        const pair_sum *sum = &AF_ARRAY_AT(&pairs->items, pair_sum, i);
        if (sum->calls >= LEAST_ROWS && af_case_is_share(c, sum->time, LEAST_PERCENT) &&
            is_loop != NULL && is_loop[sum->caller] == 0) {
            af_call_sums_request_pair(sums, c->thread, sum->caller, sum->callee);
        }
    }
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
    g_autofree char *name = af_case_name(c, sum->callee), *calls = af_case_calls(sum->calls),
                    *mean = af_case_amount(c, sum->time / sum->calls);
    af_candidate_begin(candidate, "spent");
    af_candidate_say(candidate, " in %s of %s, %s each", calls, name, mean);
    return candidate;
}

/* The same caller also calls `others` methods for each row. */
static void report_pair(const af_case *c, const af_rule *rule, const pair_sum *sum, uint64_t most,
                        guint others)
{
    char number[AF_NUMBER_SIZE];
    af_candidate *candidate = begin(c, rule, sum);
    g_autofree char *caller = af_case_name(c, sum->caller);
    if (most >= LEAST_ROWS) {
        if (most == sum->calls) {
            af_candidate_say(candidate, ", all in one call of %s", caller);
        } else {
            af_candidate_say(candidate, ", up to %s of them in one call of %s",
                             af_number_count(number, most), caller);
        }
        if (others > 0) {
            af_candidate_say(candidate, ", which also calls %u other %s at least %u times", others,
                             others == 1 ? "method" : "methods", LEAST_ROWS);
        }
    } else {
        af_candidate_say(candidate, ", all from %s", caller);
    }
    if (c->profile->labels[sum->caller].category != AF_CATEGORY_APP) {
        candidate->caller = sum->caller;
        af_candidate_behalf(candidate);
    } else {
        candidate->behalf = c->tree->parent[sum->node];
    }
}

static gint compare_pairs(gconstpointer a, gconstpointer b)
{
    const pair_sum *one = a, *other = b;
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

static pair_sum make_sum(const af_method_sum *method)
{
    return (pair_sum){AF_NO_LABEL, method->label, method->time_node, method->calls, method->time};
}

/* `pairs` are of no use as a table afterwards. */
static void find_in(const af_case *c, const af_rule *rule, const af_array *pairs)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(pair_rows));
    if (pairs->n > 0) {
        qsort(pairs->items, pairs->n, sizeof(pair_sum), compare_pairs);
    }
    for (size_t i = 0; i < pairs->n; i++) {
        const pair_sum *sum = &AF_ARRAY_AT(pairs, pair_sum, i);
        const pair_sum method = make_sum(&c->methods[c->local[sum->node]]);
        const af_call_pair *pair =
            af_case_sums(c) != NULL
                ? af_call_sums_pair(af_case_sums(c), c->thread, sum->caller, sum->callee)
                : NULL;
        const uint64_t most = pair != NULL ? pair->most : 0;
        const gboolean nearly_all = sum->calls * 100 >= method.calls * NEARLY_ALL;
        if (most >= LEAST_ROWS) {
            add_row(rows, sum, most);
        } else if (is_many(c, sum, LEAST_BY_ONE) &&
                   (nearly_all || !is_many(c, &method, LEAST_CALLS))) {
            report_pair(c, rule, sum, most, 0);
        }
    }
    for (guint i = 0; i < rows->len; i++) {
        const pair_rows *row = &g_array_index(rows, pair_rows, i);
        report_pair(c, rule, row->sum, row->most, row->others);
    }
    g_array_unref(rows);
    for (uint32_t l = 0; l < c->n_methods; l++) {
        const pair_sum method = make_sum(&c->methods[l]);
        if (is_many(c, &method, LEAST_CALLS)) {
            af_candidate_behalf(begin(c, rule, &method));
        }
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    const af_idtable *pairs = c->counted ? sum_pairs(c) : NULL;
    if (pairs != NULL) {
        find_in(c, rule, &pairs->items);
    }
}

const af_rule af_rule_many_calls = {
    .id = "many-calls",
    .title = "Many calls of one method",
    .about = "calls of one method take at least 5 % of their thread: 10,000 of them, or 1,000 from "
             "one caller, of less than 50 µs on average; or 100 within one call of their caller",
    .weight = 125,
    .prepare = prepare,
    .find = find,
};
