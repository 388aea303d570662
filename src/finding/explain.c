#include "finding/explain.h"

#include <string.h>

#include "base/idtable.h"
#include "base/memory_error.h"
#include "calls/profile_walk.h"
#include "finding/groups.h"
#include "finding/inquiry.h"
#include "model/select.h"

/* A finding on another thread must take this share of the time of the main thread, in percent. */
#define LEAST_ELSEWHERE 1

/* A call with this share of its thread, in percent, is named by its number. */
#define LEAST_CALL 5

/* A finding about less time says nothing about a program. */
#define LEAST_NS 100000

/* Fewer samples of a thread allow no statement about its methods. */
#define LEAST_SAMPLES 30

/* Drops a candidate if stronger ones explain more than this percentage of its time. */
#define MOST_SHARED 50

/* Room that remarks about the recording always have. */
#define REMARKS 1

/* Numbers the labels of a tree, after those of the trees before it. */
static void number_labels(af_case *c, af_inquiry *q)
{
    for (uint32_t n = 1; n < c->tree->n; n++) {
        uint32_t *number = &q->numbers[c->tree->label[n]];
        *number = *number > q->n_numbers ? *number : q->n_numbers + ++c->n_methods;
        c->local[n] = *number - q->n_numbers - 1;
    }
    q->n_numbers += c->n_methods;
}

static void sum_methods(const af_case *c)
{
    for (uint32_t n = 1; n < c->tree->n; n++) {
        af_method_sum *m = &c->methods[c->local[n]];
        const gboolean outermost = n >= m->end;
        m->label = c->tree->label[n];
        m->end = outermost ? c->end[n] : m->end;
        m->inner += outermost ? 0 : 1;
        if (c->waits[n] == AF_WAITS_OTHER) {
            m->calls += c->tree->calls[n];
            m->self += c->self[n];
            m->self_node =
                m->self_node == 0 || c->self[n] > c->self[m->self_node] ? n : m->self_node;
            if (outermost) {
                m->time += c->time[n];
                m->time_node =
                    m->time_node == 0 || c->time[n] > c->time[m->time_node] ? n : m->time_node;
            }
        }
    }
}

/* FALSE if memory is refused. */
static gboolean open_case(af_case *c, af_inquiry *q, uint32_t thread)
{
    const af_profile *profile = q->profile;
    const af_tree *tree = profile->threads[thread].tree;
    *c = (af_case){.inquiry = q,
                   .profile = profile,
                   .tree = tree,
                   .thread = thread,
                   .is_main = thread == q->main,
                   .may_wait = thread == q->main && q->has_main,
                   .counted = af_thread_counts_calls(profile, &profile->threads[thread]),
                   .vague = af_case_samples(profile, &profile->threads[thread]) < LEAST_SAMPLES,
                   .label_facts = q->label_facts,
                   .self = tree->self[q->clock],
                   .waits = tree->reason,
                   .time = tree->inclusive[q->clock]};
    c->name = profile->facts.threadless ? g_strdup("the program")
                                        : af_thread_short_name(profile, &profile->threads[thread]);
    c->total = c->time[0];
    c->longest = c->counted && profile->run_sums == NULL ? tree->max[q->clock] : NULL;
    c->end = g_try_new(uint32_t, tree->n);
    c->idle = g_try_new(uint64_t, tree->n);
    c->local = g_try_new0(uint32_t, tree->n);
    if (c->end == NULL || c->idle == NULL || c->local == NULL) {
        return FALSE;
    }
    number_labels(c, q);
    c->methods = g_try_new0(af_method_sum, (gsize)c->n_methods + 1);
    if (c->methods == NULL) {
        return FALSE;
    }
    for (uint32_t n = 0; n < tree->n; n++) {
        c->end[n] = n + 1;
        c->idle[n] = af_waits_is_idle(profile, tree, n) ? c->self[n] : 0;
    }
    for (uint32_t n = tree->n; n-- > 1;) {
        const uint32_t parent = tree->parent[n];
        c->end[parent] = MAX(c->end[parent], c->end[n]);
        c->idle[parent] += c->idle[n];
    }
    sum_methods(c);
    return TRUE;
}

/* Operations that overlap add up to any time. */
static gboolean is_async(const af_thread *thread)
{
    return thread->is_track || (thread->name != NULL && strstr(thread->name, " (async") != NULL);
}

static gboolean is_usable(const af_inquiry *q, uint32_t thread)
{
    const af_profile *profile = q->profile;
    const af_tree *tree = profile->threads[thread].tree;
    const af_clock clock = q->clock;
    return (q->wanted == NULL || q->wanted[thread] != 0) && tree != NULL && tree->n > 1 &&
           af_tree_has(tree, clock) && tree->inclusive[clock][0] > 0 &&
           !is_async(&profile->threads[thread]);
}

/* The main thread, or the one with the most time that is not idle. */
static uint32_t choose_main(af_inquiry *q)
{
    const uint32_t named = af_profile_find_main(q->profile);
    if (named < q->profile->n_threads && is_usable(q, named)) {
        q->has_main = !q->profile->facts.threadless;
        return named;
    }
    const af_clock clock = af_profile_busy_clock(q->profile);
    uint32_t busiest = AF_NO_NODE;
    uint64_t most = 0;
    for (uint32_t t = 0; t < q->profile->n_threads; t++) {
        const af_tree *tree = q->profile->threads[t].tree;
        if (is_usable(q, t) && af_tree_has(tree, clock)) {
            uint64_t busy = 0;
            for (uint32_t n = 1; n < tree->n; n++) {
                busy += af_waits_is_idle(q->profile, tree, n) ? 0 : tree->self[clock][n];
            }
            if (busy > most) {
                busiest = t;
                most = busy;
            }
        }
    }
    return busiest;
}

static gboolean select_threads(af_inquiry *q, const af_profile *profile,
                               const af_explain_options *options, GError **error)
{
    if (profile->callers_above) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "findings need callers below their callees; leave out --invert-callers");
        return FALSE;
    }
    if (options->threads != NULL) {
        q->wanted = af_select_thread_flags(profile, options->threads, error);
    }
    return options->threads == NULL || q->wanted != NULL;
}

static void free_table(gpointer table)
{
    af_idtable_clear(table);
    g_free(table);
}

static gboolean open_inquiry(af_inquiry *q, const af_profile *profile,
                             const af_explain_options *options)
{
    q->profile = profile;
    q->options = options;
    q->frame_ns = options->frame_ns > 0 ? options->frame_ns : AF_FRAME_NS;
    q->candidates = g_ptr_array_new();
    q->named = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    q->pairs = g_hash_table_new_full(NULL, NULL, NULL, free_table);
    q->cases = g_try_new0(af_case, (gsize)profile->n_threads + 1);
    q->numbers = g_try_new0(uint32_t, (gsize)profile->n_labels + 1);
    q->label_facts = af_label_facts_new(profile);
    if (q->cases == NULL || q->numbers == NULL || q->label_facts == NULL) {
        return FALSE;
    }
    q->main = choose_main(q);
    for (uint32_t t = 0; q->main != AF_NO_NODE && t < profile->n_threads; t++) {
        if (is_usable(q, t) && profile->threads[t].process == profile->threads[q->main].process) {
            if (!open_case(&q->cases[q->n_cases++], q, t)) {
                return FALSE;
            }
        }
    }
    const gboolean too_many =
        options->most_records > 0 && profile->facts.counts.records > options->most_records;
    char *lack = too_many ? g_strdup("") : af_profile_lacks_calls(profile, q->clock);
    if (lack == NULL) {
        q->sums = af_call_sums_new(profile, q->clock, q->frame_ns);
    }
    const gboolean ok = lack != NULL || q->sums != NULL;
    g_free(lack);
    return ok;
}

static void close_inquiry(af_inquiry *q)
{
    for (uint32_t i = 0; i < q->n_cases; i++) {
        const af_case *c = &q->cases[i];
        g_free(c->end);
        g_free(c->idle);
        g_free(c->local);
        g_free(c->methods);
        g_free(c->name);
    }
    for (guint i = 0; i < q->candidates->len; i++) {
        af_candidate *candidate = q->candidates->pdata[i];
        g_array_unref(candidate->parts);
        g_string_free(candidate->text, TRUE);
        g_free(candidate);
    }
    g_ptr_array_unref(q->candidates);
    g_hash_table_destroy(q->named);
    g_hash_table_destroy(q->pairs);
    af_call_sums_free(q->sums);
    g_free(q->label_facts);
    g_free(q->numbers);
    g_free(q->cases);
    g_free(q->wanted);
}

/* Whether a cause that explains this time is worth a finding. */
static gboolean is_enough(const af_case *c, uint64_t time)
{
    const gboolean timed = af_profile_has_clocks(c->profile);
    return (!timed || time >= LEAST_NS) &&
           (c->is_main || time * 100 >= c->inquiry->main_time * LEAST_ELSEWHERE);
}

static gboolean is_wanted(const af_inquiry *q, const af_rule *rule, const af_case *c)
{
    const char *const *ids = q->options->rules;
    return (ids == NULL || g_strv_contains(ids, rule->id)) && (c->is_main || !rule->main_only) &&
           (q->has_main || !rule->needs_main) && (!c->vague || rule->kind == AF_RULE_REMARK) &&
           (rule->kind != AF_RULE_CAUSE || is_enough(c, c->total));
}

static gboolean check_rules(const af_explain_options *options, GError **error)
{
    for (const char *const *id = options->rules; id != NULL && *id != NULL; id++) {
        unsigned i = 0;
        while (af_rule_at(i) != NULL && strcmp(af_rule_at(i)->id, *id) != 0) {
            i++;
        }
        if (af_rule_at(i) == NULL) {
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                        "unknown rule \"%s\"; aflame explain --list-rules lists them", *id);
            return FALSE;
        }
    }
    return TRUE;
}

/* Findings name the longest call of their method: those of short methods are of no interest. */
static void request_calls(const af_case *c, af_call_sums *sums)
{
    for (uint32_t n = 1; c->is_main && c->longest != NULL && n < c->tree->n; n++) {
        if (af_case_is_share(c, c->longest[n], LEAST_CALL)) {
            af_call_sums_request(sums, c->tree->label[n]);
        }
    }
}

static gboolean run_rules(af_inquiry *q, const af_observer *also, GError **error)
{
    const af_rule *rule;
    for (uint32_t i = 0; q->sums != NULL && i < q->n_cases; i++) {
        const af_case *c = &q->cases[i];
        for (unsigned r = 0; c->counted && (rule = af_rule_at(r)) != NULL; r++) {
            if (rule->prepare != NULL && is_wanted(q, rule, c)) {
                rule->prepare(c, q->sums);
            }
        }
        request_calls(c, q->sums);
    }
    af_call_walk_options walk = AF_CALL_WALK_OPTIONS_INIT;
    walk.cancel = q->options->cancel;
    walk.progress = q->options->progress;
    walk.progress_user = q->options->progress_user;
    if (q->sums != NULL && !af_call_sums_read(q->sums, also, &walk, error)) {
        return FALSE;
    }
    for (uint32_t i = 0; i < q->n_cases; i++) {
        const af_case *c = &q->cases[i];
        for (unsigned r = 0; (rule = af_rule_at(r)) != NULL; r++) {
            if (is_wanted(q, rule, c) && rule->find != NULL) {
                rule->find(c, rule);
            } else if (is_wanted(q, rule, c)) {
                af_names_find(c, rule, rule->names, &rule->wording);
            }
        }
    }
    return !q->refused;
}

/* The unexplained part of each self time of a thread. */
typedef struct {
    uint64_t **left; /* by case */
    const af_inquiry *q;
} remainder;

static uint64_t scale(uint64_t amount, uint64_t part, uint64_t whole)
{
    return part >= whole ? amount : (uint64_t)((double)amount * (double)part / (double)whole);
}

/* The sum over the parts of a candidate; with `take` removes it. */
static uint64_t sum_parts(const remainder *r, const af_candidate *candidate, gboolean take)
{
    const af_case *c = candidate->in;
    uint64_t *left = r->left[c - r->q->cases];
    uint64_t sum = 0;
    for (guint i = 0; i < candidate->parts->len; i++) {
        const af_part *part = &g_array_index(candidate->parts, af_part, i);
        const uint32_t end = part->whole ? c->end[part->node] : part->node + 1;
        const uint64_t whole = part->whole ? c->time[part->node] : c->self[part->node];
        for (uint32_t n = part->node; n < end; n++) {
            const uint64_t amount = scale(left[n], part->time, whole);
            sum += amount;
            left[n] -= take ? amount : 0;
        }
    }
    return sum;
}

/* Whether the rule has named the method on another thread: workers of a pool do the same. */
static gboolean is_repeated(const af_explanation *e, const af_candidate *candidate)
{
    const af_case *c = candidate->in;
    for (unsigned i = 0; candidate->node != AF_NO_NODE && i < e->n; i++) {
        const af_finding *f = &e->findings[i];
        if (f->thread != c->thread && f->rule == candidate->rule->id && f->node != AF_NO_NODE &&
            e->profile->threads[f->thread].tree->label[f->node] ==
                c->tree->label[candidate->node]) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The next cause: on the main thread before others, then by unexplained time, weighted. */
static guint find_next(const af_explanation *e, const remainder *r, const GPtrArray *causes)
{
    guint best = causes->len;
    double best_weight = 0;
    gboolean best_main = FALSE;
    for (guint i = 0; i < causes->len; i++) {
        const af_candidate *candidate = causes->pdata[i];
        const gboolean is_main = candidate->in->is_main;
        if (is_main < best_main || is_repeated(e, candidate)) {
            continue;
        }
        const uint64_t left = sum_parts(r, candidate, FALSE);
        const double weight = (double)left * candidate->rule->weight;
        if (left * 100 >= candidate->time * MOST_SHARED && is_enough(candidate->in, left) &&
            (is_main > best_main || weight > best_weight)) {
            best = i;
            best_weight = weight;
            best_main = is_main;
        }
    }
    return best;
}

/* A copy of at most AF_FINDING_TEXT characters: a longer sentence loses its last parts. */
static const char *copy_text(af_arena *arena, const char *text)
{
    size_t length = strlen(text);
    if (g_utf8_strlen(text, -1) > AF_FINDING_TEXT) {
        const char *most = g_utf8_offset_to_pointer(text, AF_FINDING_TEXT);
        length = (size_t)(most - text);
        while (length > 0 && text[length] != ',' && text[length] != ';') {
            length--;
        }
        length = length > 0 ? length : (size_t)(most - text);
    }
    return af_arena_copy(arena, text, length);
}

/* The number of the longest call of the finding's method; 0 = not known. */
static uint64_t find_call(const af_candidate *candidate)
{
    const af_case *c = candidate->in;
    if (candidate->call > 0 || candidate->node == AF_NO_NODE || c->inquiry->sums == NULL) {
        return candidate->call;
    }
    const af_call_here *here =
        af_call_sums_here(c->inquiry->sums, c->thread, c->tree->label[candidate->node]);
    return here != NULL ? here->longest_number : 0;
}

static void add_finding(af_explanation *e, af_candidate *candidate)
{
    af_candidate_finish(candidate);
    const af_rule *rule = candidate->rule;
    af_finding *f = &e->findings[e->n++];
    *f = (af_finding){.rule = rule->id,
                      .title = rule->title,
                      .text = copy_text(e->arena, candidate->text->str),
                      .thread = candidate->in->thread,
                      .node = candidate->node,
                      .behalf = candidate->behalf,
                      .time = candidate->time,
                      .calls = candidate->calls,
                      .call = find_call(candidate)};
    af_finding_add_evidence(e, f, candidate->in);
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
    const af_candidate *one = *(af_candidate *const *)a, *other = *(af_candidate *const *)b;
    if (one->in->is_main != other->in->is_main) {
        return other->in->is_main - one->in->is_main;
    }
    return (one->time < other->time) - (one->time > other->time);
}

static gboolean has_rule(const af_explanation *e, const af_rule *rule)
{
    unsigned i = 0;
    while (i < e->n && e->findings[i].rule != rule->id) {
        i++;
    }
    return i < e->n;
}

/* The causes first; what describes a whole part of the trace follows the strongest one, once for
 * all threads. */
static void choose(af_explanation *e, remainder *r, GPtrArray *lists[3])
{
    GPtrArray *causes = lists[AF_RULE_CAUSE], *overviews = lists[AF_RULE_OVERVIEW],
              *remarks = lists[AF_RULE_REMARK];
    g_ptr_array_sort(overviews, compare_times);
    g_ptr_array_sort(remarks, compare_times);
    const unsigned most = AF_FINDINGS_MOST - MIN(remarks->len, REMARKS);
    guint n_shown = 0;
    while (e->n < most) {
        const guint i = find_next(e, r, causes);
        const gboolean any = i < causes->len;
        af_candidate *cause = any ? causes->pdata[i] : NULL;
        while (n_shown < overviews->len &&
               has_rule(e, ((af_candidate *)overviews->pdata[n_shown])->rule)) {
            n_shown++;
        }
        af_candidate *overview = n_shown < overviews->len ? overviews->pdata[n_shown] : NULL;
        if (overview != NULL && (!any || (e->n > 0 && compare_times(&overview, &cause) <= 0))) {
            add_finding(e, overview);
            n_shown++;
        } else if (any) {
            const uint64_t explained = sum_parts(r, cause, TRUE);
            e->explained += cause->in->is_main ? explained : 0;
            add_finding(e, cause);
            g_ptr_array_remove_index(causes, i);
        } else {
            break;
        }
    }
    for (guint i = 0; i < remarks->len && e->n < AF_FINDINGS_MOST; i++) {
        add_finding(e, remarks->pdata[i]);
    }
}

static gboolean order(af_explanation *e, const af_inquiry *q)
{
    remainder r = {g_new0(uint64_t *, q->n_cases + 1), q};
    GPtrArray *lists[3] = {g_ptr_array_new(), g_ptr_array_new(), g_ptr_array_new()};
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < q->candidates->len; i++) {
        af_candidate *candidate = q->candidates->pdata[i];
        const af_case *c = candidate->in;
        uint64_t **left = &r.left[c - q->cases];
        g_ptr_array_add(lists[candidate->rule->kind], candidate);
        if (*left == NULL && (*left = g_try_new(uint64_t, c->tree->n)) != NULL) {
            memcpy(*left, c->self, c->tree->n * sizeof **left);
        }
        ok = *left != NULL;
    }
    if (ok) {
        choose(e, &r, lists);
    }
    for (uint32_t i = 0; i < q->n_cases; i++) {
        g_free(r.left[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_ptr_array_unref(lists[i]);
    }
    g_free(r.left);
    return ok;
}

af_explanation *af_explain(const af_profile *profile, const af_explain_options *options,
                           const af_observer *also, GError **error)
{
    if (!check_rules(options, error)) {
        return NULL;
    }
    af_inquiry q = {.main = AF_NO_NODE};
    if (!af_select_clock(profile, AF_CLOCK_DEFAULT, &q.clock, error) ||
        !select_threads(&q, profile, options, error)) {
        return NULL;
    }
    af_explanation *e = g_new0(af_explanation, 1);
    e->arena = af_arena_new();
    e->profile = af_profile_hold(profile);
    e->clock = q.clock;
    e->findings = g_new0(af_finding, AF_FINDINGS_MOST);
    if (e->arena != NULL && options->input_name != NULL) {
        e->input = af_arena_copy(e->arena, options->input_name, strlen(options->input_name));
    }
    GError *why = NULL;
    gboolean ok = e->arena != NULL && open_inquiry(&q, profile, options);
    e->thread = q.main;
    e->total = q.main == AF_NO_NODE ? 0 : af_thread_time_ns(profile, q.main, q.clock);
    q.main_time = e->total;
    ok = ok && run_rules(&q, also, &why) && order(e, &q) && !af_arena_failed(e->arena);
    if (q.candidates != NULL) {
        close_inquiry(&q);
    }
    if (!ok) {
        if (why != NULL) {
            g_propagate_error(error, why);
        } else {
            af_memory_error_set(error);
        }
        g_clear_pointer(&e, af_explanation_free);
    }
    return e;
}

void af_explanation_free(af_explanation *e)
{
    if (e != NULL) {
        af_profile_free((af_profile *)e->profile);
        g_clear_pointer(&e->arena, af_arena_free);
        g_clear_pointer(&e->calls, e->free_calls);
        g_free(e->findings);
        g_free(e);
    }
}
