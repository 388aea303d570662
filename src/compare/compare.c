#include "compare/compare.h"

#include <string.h>

#include "base/memory_error.h"
#include "base/wide.h"
#include "compare/causes.h"
#include "compare/methods.h"
#include "compare/moved.h"
#include "compare/permutation.h"
#include "compare/run_kind.h"
#include "compare/run_rows.h"
#include "compare/verdict.h"

void af_diff_free(af_diff *diff)
{
    if (diff != NULL) {
        for (uint32_t t = 0; t < diff->n_threads; t++) {
            g_free(diff->threads[t].tree.columns);
        }
        af_arena_free(diff->arena);
        g_free(diff);
    }
}

/* ---- whether the sides can be compared ---- */

static const char *const side_names[AF_SIDES] = {"before", "after"};

static G_GNUC_PRINTF(2, 3) gboolean refuse(GError **error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, text);
    return FALSE;
}

static gboolean check_sides(const af_runs *const sides[AF_SIDES], GError **error)
{
    const af_runs *before = sides[AF_BEFORE], *after = sides[AF_AFTER];
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (sides[s]->threads->len == 0 && sides[s]->unselected != NULL) {
            g_propagate_error(error, g_error_copy(sides[s]->unselected));
            return FALSE;
        }
        if (sides[s]->threads->len == 0) {
            const gboolean one = sides[s]->inputs->len == 1;
            return refuse(error, "%s has no thread to compare%s%s%s", side_names[s],
                          one ? ": " : "", one ? (const char *)sides[s]->inputs->pdata[0] : "",
                          one ? " holds none" : "");
        }
    }
    if (before->unit.counted != after->unit.counted || before->unit.digits != after->unit.digits ||
        (before->unit.counted && strcmp(before->unit.name, after->unit.name) != 0)) {
        g_autoptr(GString) text = g_string_new("before holds ");
        af_run_unit_describe(&before->unit, text);
        g_string_append(text, ", after ");
        af_run_unit_describe(&after->unit, text);
        refuse(error, "%s: compare inputs with the same unit", text->str);
        return FALSE;
    }
    if (before->sampled != after->sampled) {
        return refuse(error, "before holds %s, after %s: compare recordings of the same kind%s",
                      before->sampled ? "samples" : "calls", after->sampled ? "samples" : "calls",
                      before->weighed || after->weighed ? "" : AF_RUN_KIND_HINT);
    }
    if ((before->clocks & after->clocks) == 0) {
        return refuse(error, "before and after have no clock in common");
    }
    return TRUE;
}

static gboolean choose_clock(af_diff *diff, const af_runs *const sides[AF_SIDES], af_clock wanted,
                             GError **error)
{
    const unsigned both = sides[AF_BEFORE]->clocks & sides[AF_AFTER]->clocks;
    diff->clocks = both | (both == 3 ? 1u << AF_WAIT : 0u);
    diff->clock = wanted != AF_CLOCK_DEFAULT   ? wanted
                  : (both >> AF_WALL & 1) != 0 ? AF_WALL
                                               : AF_CPU;
    if ((unsigned)diff->clock > AF_WAIT || (diff->clocks >> diff->clock & 1) == 0) {
        static const char *const words[] = {"wall times", "CPU times",
                                            "the wall and CPU times that waiting needs"};
        return refuse(error, "before and after do not both have %s",
                      (unsigned)diff->clock > AF_WAIT ? "that clock" : words[diff->clock]);
    }
    if (wanted != AF_CLOCK_DEFAULT && sides[AF_BEFORE]->unit.name != NULL) {
        return refuse(error, "the clock cannot be selected: the inputs hold %s",
                      sides[AF_BEFORE]->unit.name);
    }
    return TRUE;
}

static gboolean check_pairs(const GPtrArray *pairs, const af_runs *const sides[AF_SIDES],
                            GError **error)
{
    for (guint i = 0; i < pairs->len; i++) {
        const af_thread_pair *pair = pairs->pdata[i];
        if (pair->threads[AF_BEFORE]->len > 0 && pair->threads[AF_AFTER]->len > 0) {
            return TRUE;
        }
    }
    const af_runs_thread *before = sides[AF_BEFORE]->threads->pdata[0];
    const af_runs_thread *after = sides[AF_AFTER]->threads->pdata[0];
    return refuse(error,
                  "before and after have no thread in common (\"%s\" and \"%s\", for example)",
                  before->name, after->name);
}

static gboolean describe_side(af_diff *diff, const af_runs *runs, unsigned s)
{
    af_diff_side *side = &diff->side[s];
    const char **inputs =
        af_arena_alloc(diff->arena, sizeof *inputs * ((size_t)runs->inputs->len + 1));
    for (guint i = 0; inputs != NULL && i < runs->inputs->len; i++) {
        const char *name = runs->inputs->pdata[i];
        inputs[i] = af_arena_text(diff->arena, name);
    }
    side->inputs = inputs;
    side->n_inputs = runs->inputs->len;
    side->n_runs = runs->n_runs;
    side->n_tested = runs->runs->len;
    side->n_threads = runs->threads->len;
    side->warnings = runs->warnings;
    for (guint t = 0; t < runs->threads->len; t++) {
        const af_runs_thread *thread = runs->threads->pdata[t];
        diff->counted = diff->counted && !thread->sampled;
    }
    return inputs != NULL && !af_arena_failed(diff->arena);
}

static void choose_min_delta(af_diff *diff, const af_compare_options *options)
{
    const uint64_t larger = MAX(diff->side[AF_BEFORE].total, diff->side[AF_AFTER].total);
    const uint64_t least =
        options->has_min_delta
            ? options->min_delta
            : (uint64_t)(((af_u128)larger * options->min_delta_ppm + 999999) / 1000000);
    diff->min_delta = MAX(least, 1);
}

static void describe_test(af_diff *diff, const af_runs *const sides[AF_SIDES])
{
    const uint32_t n = diff->side[AF_BEFORE].n_tested, m = diff->side[AF_AFTER].n_tested;
    const gboolean by_runs = af_verdict_has_runs(sides);
    if (!by_runs) { /* single dumps of heaps have no noise, and means are what they are */
        const gboolean is_exact = diff->thread_word != NULL || diff->mean_of != NULL;
        diff->ground = is_exact && sides[AF_BEFORE]->n_runs == 1 && sides[AF_AFTER]->n_runs == 1
                           ? AF_DIFF_BY_DELTA
                           : AF_DIFF_BY_NOTHING;
    } else if (MIN(n, m) < AF_DIFF_LEAST_RUNS) {
        diff->ground = AF_DIFF_BY_NOTHING;
    } else {
        diff->ground = af_permutation_least_p(n, m) <= 0.05 ? AF_DIFF_BY_TEST : AF_DIFF_BY_GAP;
    }
    diff->untested =
        sides[AF_BEFORE]->state == AF_RUNS_RESHAPED || sides[AF_AFTER]->state == AF_RUNS_RESHAPED
            ? "options that reshape a merged profile do not apply to its single runs"
            : NULL;
}

typedef struct {
    uint64_t change;
    uint32_t number;
} ranking;

static int compare_rankings(const void *a, const void *b)
{
    const ranking *one = a, *other = b;
    if (one->change != other->change) {
        return one->change > other->change ? -1 : 1;
    }
    return (one->number > other->number) - (one->number < other->number);
}

/* Sorts threads by size of change. */
static gboolean sort_threads(af_diff *diff, const af_runs *const sides[AF_SIDES],
                             af_union_nodes *nodes)
{
    const uint32_t n = diff->n_threads;
    g_autofree ranking *order = g_try_new(ranking, (size_t)n + 1);
    g_autofree uint32_t *index = g_try_new(uint32_t, (size_t)n + 1);
    af_diff_thread *sorted = af_arena_alloc(diff->arena, sizeof *sorted * ((size_t)n + 1));
    const gboolean ok = order != NULL && index != NULL && sorted != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        const af_diff_tree *tree = &diff->threads[i].tree;
        order[i] = (ranking){tree->grown[0] + tree->shrunk[0], i};
    }
    if (ok) {
        qsort(order, n, sizeof *order, compare_rankings);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        sorted[i] = diff->threads[order[i].number];
        index[order[i].number] = i;
    }
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        for (guint t = 0; t < sides[s]->threads->len; t++) {
            nodes->pair_of[s][t] = index[nodes->pair_of[s][t]];
        }
    }
    diff->threads = ok ? sorted : diff->threads;
    return ok;
}

static gboolean take_labels(af_diff *diff, const af_pairing_labels *labels)
{
    diff->n_labels = (uint32_t)labels->labels.n;
    diff->labels =
        af_arena_alloc(diff->arena, sizeof(af_diff_label) * ((size_t)diff->n_labels + 1));
    if (diff->labels != NULL && diff->n_labels > 0) {
        memcpy(diff->labels, labels->labels.items, sizeof(af_diff_label) * diff->n_labels);
    }
    return diff->labels != NULL;
}

static gboolean compute(af_diff *diff, const af_runs *const sides[AF_SIDES], GPtrArray *pairs,
                        const af_compare_options *options)
{
    af_pairing_labels labels;
    af_union_nodes nodes = {.node_of = {NULL}};
    af_scale scale[AF_SIDES];
    /* Means per path, or with --normalize shares of the larger mean total. */
    uint64_t sums[AF_SIDES], larger = 0;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        sums[s] = af_union_total(sides[s], diff->clock);
        scale[s] = (af_scale){1, MAX(sides[s]->n_runs, 1)};
        larger = MAX(larger, af_scale_apply(&scale[s], sums[s]));
        diff->side[s].unscaled = af_scale_apply(&scale[s], sums[s]);
    }
    for (unsigned s = 0; diff->normalized && s < AF_SIDES; s++) {
        scale[s] = sums[s] > 0 ? (af_scale){larger, sums[s]} : scale[s];
    }
    gboolean ok = af_pairing_labels_init(&labels, sides, diff->exact_names, diff->arena) &&
                  take_labels(diff, &labels) &&
                  af_union_build(diff, sides, pairs, &labels, scale, options->jobs, &nodes) &&
                  sort_threads(diff, sides, &nodes);
    if (ok) {
        for (unsigned s = 0; s < AF_SIDES; s++) {
            for (uint32_t t = 0; t < diff->n_threads; t++) {
                diff->side[s].total += af_diff_path_time(&diff->threads[t].tree, s, 0);
            }
        }
        choose_min_delta(diff, options);
        ok = af_methods_collect(diff, options->jobs) &&
             (!af_verdict_has_runs(sides) || af_methods_take_runs(diff, sides, &labels, scale));
        if (ok) {
            af_methods_split(diff);
        }
        ok = ok && af_verdict_reach(diff, sides, &nodes, scale, options->jobs) &&
             af_moved_mark(diff) && af_causes_find(diff);
    }
    af_union_nodes_clear(&nodes, sides);
    af_pairing_labels_clear(&labels);
    return ok;
}

static gboolean compare_sides(af_diff *diff, const af_runs *const sides[AF_SIDES],
                              const af_compare_options *options, GError **error)
{
    if (!check_sides(sides, error) || !choose_clock(diff, sides, options->clock, error)) {
        return FALSE;
    }
    GPtrArray *pairs = af_pairing_threads(sides, options->exact_names, diff->arena);
    gboolean ok = pairs != NULL && describe_side(diff, sides[AF_BEFORE], AF_BEFORE) &&
                  describe_side(diff, sides[AF_AFTER], AF_AFTER);
    if (ok && !check_pairs(pairs, sides, error)) {
        g_ptr_array_unref(pairs);
        return FALSE;
    }
    describe_test(diff, sides);
    ok = ok && compute(diff, sides, pairs, options);
    g_clear_pointer(&pairs, g_ptr_array_unref);
    if (ok) {
        af_methods_sort(diff);
    }
    return (ok && !af_arena_failed(diff->arena)) || af_memory_error_set(error);
}

af_diff *af_compare(const af_runs *before, const af_runs *after, const af_compare_options *options,
                    GError **error)
{
    const af_runs *const sides[AF_SIDES] = {before, after};
    if (af_verdict_has_runs(sides) &&
        !(af_run_rows_complete(before) && af_run_rows_complete(after))) {
        af_memory_error_set(error);
        return NULL;
    }
    af_diff *diff = g_new0(af_diff, 1);
    diff->arena = af_arena_new();
    diff->normalized = options->normalize;
    diff->mean_of = options->mean_of;
    diff->exact_names = options->exact_names;
    diff->counted = !before->sampled && !after->sampled;
    diff->unit = before->unit;
    diff->unit.name = af_arena_text(diff->arena, before->unit.name);
    const char *word = before->thread_word;
    if (word != NULL && g_strcmp0(word, after->thread_word) == 0) {
        g_autofree char *words = g_strconcat(word, "s", NULL);
        diff->thread_word = af_arena_text(diff->arena, word);
        diff->threads_word = af_arena_text(diff->arena, words);
    }
    if (!compare_sides(diff, sides, options, error)) {
        g_clear_pointer(&diff, af_diff_free);
    }
    return diff;
}
