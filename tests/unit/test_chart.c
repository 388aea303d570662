#include <stdlib.h>

#include "cases.h"
#include "render/chart/chart.h"
#include "render/chart/chart_layout.h"
#include "suite.h"

enum { THREADS = 3, LABELS = 20 };

/* ---- a scripted sequence of calls ---- */

typedef struct {
    af_observer observer;
    GRand *dice;
    uint64_t now[THREADS][AF_CLOCKS];
    GArray *stacks[THREADS]; /* uint32_t: labels */
} script;

static void script_begin(script *t, af_chart *chart, unsigned seed)
{
    *t = (script){.observer = af_chart_observer(chart), .dice = g_rand_new_with_seed(seed)};
    for (unsigned i = 0; i < THREADS; i++) {
        t->stacks[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
}

static void pass_time(script *t, unsigned thread, uint64_t wall_ns, uint64_t cpu_ns)
{
    t->now[thread][AF_WALL] += wall_ns;
    t->now[thread][AF_CPU] += cpu_ns;
}

static af_call_event make_edge(const script *t, unsigned thread, uint32_t label)
{
    return (af_call_event){.thread = thread,
                           .label = label,
                           .depth = t->stacks[thread]->len,
                           .time_ns = {t->now[thread][AF_WALL], t->now[thread][AF_CPU]}};
}

static void script_enter(script *t, unsigned thread, uint32_t label)
{
    const af_call_event edge = make_edge(t, thread, label);
    ck_assert(t->observer.enter(t->observer.user, &edge, NULL));
    g_array_append_val(t->stacks[thread], label);
}

static void script_leave(script *t, unsigned thread, af_call_end end)
{
    GArray *stack = t->stacks[thread];
    const uint32_t label = g_array_index(stack, uint32_t, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    af_call_event edge = make_edge(t, thread, label);
    edge.end = end;
    ck_assert(t->observer.leave(t->observer.user, &edge, NULL));
}

static void script_end(script *t)
{
    for (unsigned i = 0; i < THREADS; i++) {
        while (t->stacks[i]->len > 0) {
            script_leave(t, i, AF_CALL_OPEN);
        }
        g_array_unref(t->stacks[i]);
    }
    g_rand_free(t->dice);
}

/* Calls of all lengths, some of zero length, with gaps of all lengths between them. */
static void random_script(af_chart *chart, unsigned seed, unsigned n)
{
    script t;
    script_begin(&t, chart, seed);
    for (unsigned i = 0; i < n; i++) {
        const unsigned thread = (unsigned)g_rand_int_range(t.dice, 0, THREADS);
        const unsigned scale = (unsigned)g_rand_int_range(t.dice, 0, 16);
        const uint64_t wall_ns = (uint64_t)g_rand_int_range(t.dice, 0, 1 << scale);
        const unsigned depth = t.stacks[thread]->len;
        pass_time(&t, thread, wall_ns, wall_ns / (1 + thread));
        if (depth == 0 || (depth < 40 && g_rand_int_range(t.dice, 0, 100) < 50)) {
            script_enter(&t, thread, (uint32_t)g_rand_int_range(t.dice, 0, LABELS));
        } else {
            script_leave(&t, thread, i % 9 == 0 ? AF_CALL_UNWOUND : AF_CALL_RETURNED);
        }
    }
    script_end(&t);
}

static af_chart *chart_new(af_clock clock, uint64_t coarsest_ns, uint64_t capacity,
                           const guint8 *highlighted)
{
    const af_chart_options options = {.clock = clock,
                                      .n_threads = THREADS,
                                      .highlighted = highlighted,
                                      .coarsest_ns = coarsest_ns,
                                      .capacity = capacity};
    af_chart *chart = af_chart_new(&options);
    ck_assert_ptr_nonnull(chart);
    return chart;
}

static af_chart *chart_random(af_clock clock, uint64_t coarsest_ns, uint64_t capacity,
                              unsigned seed)
{
    static const guint8 highlighted[LABELS] = {[3] = 1, [7] = 1};
    af_chart *chart = chart_new(clock, coarsest_ns, capacity, highlighted);
    random_script(chart, seed, 2500);
    return chart;
}

/* ---- invariants ---- */

static void check_same(const af_chart *one, const af_chart *other)
{
    ck_assert_uint_eq(one->shortest_ns, other->shortest_ns);
    ck_assert_uint_eq(one->calls, other->calls);
    for (unsigned t = 0; t < THREADS; t++) {
        const af_chart_thread *a = &one->threads[t], *b = &other->threads[t];
        ck_assert_uint_eq(a->entries.n, b->entries.n);
        for (uint32_t i = 0; i < a->entries.n; i++) {
            const af_chart_entry *x = af_chart_at(a, i), *y = af_chart_at(b, i);
            ck_assert_uint_eq(x->start_ns, y->start_ns);
            ck_assert_uint_eq(x->extent_ns, y->extent_ns);
            ck_assert_uint_eq(x->length_ns[AF_WALL], y->length_ns[AF_WALL]);
            ck_assert_uint_eq(x->length_ns[AF_CPU], y->length_ns[AF_CPU]);
            ck_assert_uint_eq(x->calls, y->calls);
            ck_assert_uint_eq(x->label, y->label);
            ck_assert_uint_eq(x->depth, y->depth);
        }
        ck_assert_uint_eq(a->highlights.n, b->highlights.n);
        for (size_t i = 0; i < a->highlights.n; i++) {
            ck_assert_mem_eq(af_array_at(&a->highlights, i), af_array_at(&b->highlights, i),
                             sizeof(af_chart_entry));
        }
    }
}

/* Every long call of `all` is in `thin`, with the same self time, and no other call is. */
static void check_thread(const af_chart *thin, const af_chart *all, unsigned t)
{
    const unsigned both = 1u << AF_WALL | 1u << AF_CPU;
    const af_chart_thread *few = &thin->threads[t], *many = &all->threads[t];
    g_autoptr(af_tree) tree = af_chart_tree(few, both), whole = af_chart_tree(many, both);
    ck_assert_ptr_null(af_tree_check(tree));
    ck_assert_ptr_null(af_tree_check(whole));
    uint32_t at = 0;
    uint64_t calls = 0, expected_calls = 0;
    for (uint32_t i = 0; i < many->entries.n; i++) {
        const af_chart_entry *call = af_chart_at(many, i);
        expected_calls += call->depth == 0 ? call->calls : 0;
        if (call->extent_ns < thin->shortest_ns) {
            continue;
        }
        while (at < few->entries.n && af_chart_at(few, at)->label == AF_NO_LABEL) {
            at++;
        }
        ck_assert_uint_lt(at, few->entries.n);
        const af_chart_entry *single = af_chart_at(few, at);
        ck_assert_uint_eq(single->start_ns, call->start_ns);
        ck_assert_uint_eq(single->extent_ns, call->extent_ns);
        ck_assert_uint_eq(single->label, call->label);
        ck_assert_uint_eq(single->depth, call->depth);
        ck_assert_uint_eq(single->calls, call->calls);
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            ck_assert_uint_eq(tree->self[c][at + 1], whole->self[c][i + 1]);
        }
        at++;
    }
    for (uint32_t i = 0; i < few->entries.n; i++) {
        const af_chart_entry *entry = af_chart_at(few, i);
        calls += entry->depth == 0 ? entry->calls : 0;
        ck_assert(entry->label == AF_NO_LABEL || entry->extent_ns >= thin->shortest_ns);
        ck_assert_uint_le(entry->length_ns[thin->options.clock], entry->extent_ns);
    }
    ck_assert_uint_eq(calls, expected_calls);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        ck_assert_uint_eq(tree->inclusive[c][0], whole->inclusive[c][0]);
    }
}

TEST(single_and_merged_calls_add_up_at_any_capacity)
{
    const uint64_t capacities[] = {0, 1, 10, 60, 300, 1000, UINT64_MAX};
    for (unsigned seed = 0; seed < 6; seed++) {
        for (unsigned r = 0; r < G_N_ELEMENTS(capacities); r++) {
            const af_clock clock = seed % 3 == 0 ? AF_CPU : AF_WALL;
            const uint64_t coarsest_ns = seed % 2 == 0 ? 70000 : UINT64_MAX / 4;
            if (capacities[r] == 0 && seed % 2 == 1) {
                continue;
            }
            g_autoptr(af_chart) chart = chart_random(clock, coarsest_ns, capacities[r], seed);
            g_autoptr(af_chart) all = chart_random(clock, coarsest_ns, UINT64_MAX, seed);
            ck_assert_uint_eq(all->shortest_ns, 0);
            uint64_t n = 0;
            for (unsigned t = 0; t < THREADS; t++) {
                check_thread(chart, all, t);
                n += chart->threads[t].entries.n + chart->threads[t].highlights.n;
            }
            ck_assert_uint_eq(chart->n, n);
            /* each thread may retain one run and one highlight */
            ck_assert(n <= capacities[r] || n <= 2 * THREADS || chart->shortest_ns == coarsest_ns);
            /* the time of merging does not matter */
            ck_assert(af_chart_thin(all, chart->shortest_ns));
            check_same(chart, all);
        }
    }
}

/* Words of one thread: +WALL[/CPU] passes time, (LABEL begins a call, ) ends it. */
static void play_words(af_chart *chart, const char *text)
{
    script t;
    script_begin(&t, chart, 1);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        char *end;
        const uint64_t number = strtoull(*word + 1, &end, 10);
        if (**word == '+') {
            pass_time(&t, 0, number, *end == '/' ? strtoull(end + 1, NULL, 10) : number);
        } else if (**word == '(') {
            script_enter(&t, 0, (uint32_t)number);
        } else {
            script_leave(&t, 0, AF_CALL_RETURNED);
        }
    }
    script_end(&t);
}

/* "SHORTEST: WORDS" => "DEPTH:LABEL START+EXTENT/LENGTH xCALLS" of single and merged calls; then the
 * highlighted calls of label 1 */
static char *show_calls(const char *input)
{
    static const guint8 highlighted[LABELS] = {[1] = 1};
    char *words;
    const uint64_t shortest_ns = strtoull(input, &words, 10);
    g_autoptr(af_chart) chart = chart_new(AF_WALL, shortest_ns, UINT64_MAX, highlighted);
    play_words(chart, words + 2);
    ck_assert(af_chart_thin(chart, shortest_ns));
    GString *text = g_string_new(NULL);
    const af_chart_thread *thread = &chart->threads[0];
    for (uint32_t i = 0; i < thread->entries.n; i++) {
        const af_chart_entry *entry = af_chart_at(thread, i);
        g_autofree char *label = g_strdup_printf("%u", entry->label);
        g_string_append_printf(text, "%s%u:%s %u+%u/%u x%u", i > 0 ? ", " : "", entry->depth,
                               entry->label == AF_NO_LABEL ? "-" : label, (unsigned)entry->start_ns,
                               (unsigned)entry->extent_ns, (unsigned)entry->length_ns[AF_WALL],
                               (unsigned)entry->calls);
    }
    for (size_t i = 0; i < thread->highlights.n; i++) {
        const af_chart_entry *mark = af_array_at(&thread->highlights, i);
        g_string_append_printf(text, "; %u+%u/%u x%u", (unsigned)mark->start_ns,
                               (unsigned)mark->extent_ns, (unsigned)mark->length_ns[0],
                               (unsigned)mark->calls);
    }
    return g_string_free(text, FALSE);
}

/* "SHORTEST: WORDS" => "ROW:NODE X0-X1" of the frames on an axis of 1,000 ns, each with its number
 * of nodes and how wide its waiting is drawn, then what is hidden */
static char *show_frames(const char *input)
{
    char *words;
    g_autoptr(af_chart) chart = chart_new(AF_WALL, strtoull(input, &words, 10), 0, NULL);
    play_words(chart, words + 2);
    g_autoptr(af_tree) tree = af_chart_tree(&chart->threads[0], 1u << AF_WALL | 1u << AF_CPU);
    const af_chart_layout_options axis = {
        .clock = AF_WALL, .to_ns = 1000, .width_c = 10000, .min_width_c = 50, .waits = TRUE};
    g_autoptr(af_layout) layout = af_chart_layout_new(tree, &chart->threads[0], &axis);
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < layout->n; i++) {
        const af_frame *frame = &layout->frames[i];
        g_string_append_printf(text, "%s%u:%u %d-%d x%u", i > 0 ? ", " : "", frame->row,
                               frame->node, frame->x0, frame->x1, frame->nodes);
        if (frame->wait1 > frame->wait0) {
            g_string_append_printf(text, " waits %d-%d", frame->wait0, frame->wait1);
        }
    }
    g_string_append_printf(text, "; hidden %u, %u ns", (unsigned)layout->hidden_nodes,
                           (unsigned)layout->hidden_ns);
    return g_string_free(text, FALSE);
}

TEST(calls_are_merged_and_drawn)
{
    cases_map("calls of a chart", show_calls);
    cases_map("frames of a chart", show_frames);
}

TEST(stacks_may_have_any_depth)
{
    enum { DEEP = 200000 };
    g_autoptr(af_chart) chart = chart_new(AF_WALL, 3000, 1000, NULL);
    script t;
    script_begin(&t, chart, 1);
    for (unsigned i = 0; i < DEEP; i++) {
        script_enter(&t, 0, 1);
        pass_time(&t, 0, 1, 1);
    }
    script_end(&t);
    ck_assert_uint_eq(chart->shortest_ns, 3000);
    /* the last 2,999 calls are shorter: one run */
    ck_assert_uint_eq(chart->threads[0].entries.n, DEEP - 2999 + 1);
    g_autoptr(af_tree) tree = af_chart_tree(&chart->threads[0], 1u << AF_WALL);
    ck_assert_uint_eq(tree->depth[tree->n - 1], DEEP - 2999 + 1);
    ck_assert_uint_eq(tree->calls[tree->n - 1], 2999);
    const af_chart_layout_options axis = {
        .clock = AF_WALL, .to_ns = DEEP, .width_c = 100000, .min_width_c = 50};
    g_autoptr(af_layout) layout = af_chart_layout_new(tree, &chart->threads[0], &axis);
    ck_assert_uint_eq(layout->rows, DEEP - 2999 + 1);
}

/* ---- rectangles ---- */

/* Every call at least half a pixel wide has its own frame; frames in a row never overlap. */
TEST(calls_half_a_pixel_wide_are_drawn)
{
    for (unsigned seed = 0; seed < 8; seed++) {
        const uint64_t to_ns = 14000000;
        const af_chart_layout_options axis = {
            .clock = AF_WALL, .to_ns = to_ns, .width_c = 116800, .min_width_c = 50};
        const uint64_t half_ns = (to_ns * 50 + 116799) / 116800;
        g_autoptr(af_chart) chart = chart_random(AF_WALL, half_ns, 0, seed);
        g_autoptr(af_chart) all = chart_random(AF_WALL, half_ns, UINT64_MAX, seed);
        for (unsigned t = 0; t < THREADS; t++) {
            const af_chart_thread *thread = &chart->threads[t], *whole = &all->threads[t];
            g_autoptr(af_tree) tree = af_chart_tree(thread, 1u << AF_WALL);
            g_autoptr(af_layout) layout = af_chart_layout_new(tree, thread, &axis);
            uint64_t drawn = 0, wide = 0;
            for (uint32_t i = 0; i < layout->n; i++) {
                const af_frame *frame = &layout->frames[i];
                drawn += frame->nodes == 0 ? 1 : 0;
                ck_assert_int_ge(frame->x1, frame->x0);
                ck_assert(i == 0 || frame[-1].row < frame->row || frame[-1].x1 <= frame->x0);
            }
            for (uint32_t i = 0; i < whole->entries.n; i++) {
                wide += af_chart_at(whole, i)->extent_ns >= half_ns ? 1 : 0;
            }
            ck_assert_uint_gt(wide, 0);
            ck_assert_uint_eq(drawn, wide);
        }
    }
}

/* Stacks that differ in their last frames, in bursts with gaps between them. */
static af_chart *chart_samples(uint64_t capacity, unsigned seed, uint64_t samples[THREADS],
                               uint64_t weights[THREADS])
{
    const af_chart_options options = {.clock = AF_WALL,
                                      .sampled = TRUE,
                                      .n_threads = THREADS,
                                      .coarsest_ns = 1000000,
                                      .capacity = capacity};
    af_chart *chart = af_chart_new(&options);
    af_sample_timeline *timeline = af_sample_timeline_new(FALSE);
    g_autoptr(GRand) dice = g_rand_new_with_seed(seed);
    uint64_t now_ns = 0;
    for (unsigned i = 0; i < 4000; i++) {
        uint32_t labels[8];
        const size_t n = (size_t)g_rand_int_range(dice, 1, 9);
        for (size_t k = 0; k < n; k++) {
            labels[k] = k < 4 ? (uint32_t)k : (uint32_t)g_rand_int_range(dice, 0, LABELS);
        }
        const af_sample sample = {.thread = (uint32_t)g_rand_int_range(dice, 0, THREADS),
                                  .methods = labels,
                                  .n = n,
                                  .weight = {(uint64_t)g_rand_int_range(dice, 0, 9), 0},
                                  .time_ns = now_ns};
        ck_assert(af_sample_timeline_add(timeline, &sample, NULL));
        samples[sample.thread]++;
        weights[sample.thread] += sample.weight[AF_WALL];
        now_ns += (uint64_t)g_rand_int_range(dice, 0, i % 50 == 0 ? 90000 : 1000);
    }
    const af_sample_edge_observer observer = af_chart_sample_observer(chart);
    ck_assert(af_sample_timeline_walk(timeline, UINT64_MAX, &observer, NULL));
    af_sample_timeline_free(timeline);
    return chart;
}

TEST(no_samples_are_lost_at_any_capacity)
{
    static const uint64_t capacities[] = {0, 50, 1000, UINT64_MAX};
    for (unsigned r = 0; r < G_N_ELEMENTS(capacities); r++) {
        uint64_t samples[THREADS] = {0}, weights[THREADS] = {0};
        g_autoptr(af_chart) chart = chart_samples(capacities[r], r, samples, weights);
        for (uint32_t t = 0; t < THREADS; t++) {
            const af_chart_thread *thread = &chart->threads[t];
            g_autoptr(af_tree) tree = af_chart_tree(thread, 1u << AF_WALL);
            uint64_t calls = 0, weight = 0, before_ns = 0;
            for (uint32_t i = 0; i < af_chart_n(thread); i++) {
                const af_chart_entry *entry = af_chart_at(thread, i);
                const uint32_t parent = tree->parent[i + 1];
                ck_assert_uint_eq(tree->calls[i + 1], entry->calls);
                ck_assert_uint_le(tree->self[AF_WALL][i + 1], tree->inclusive[AF_WALL][i + 1]);
                ck_assert(parent == 0 || entry->calls <= tree->calls[parent]);
                if (entry->depth == 0) {
                    ck_assert_uint_ge(entry->start_ns, before_ns);
                    before_ns = entry->start_ns + entry->extent_ns;
                    calls += entry->calls;
                    weight += entry->length_ns[AF_WALL];
                }
            }
            ck_assert_uint_eq(calls, samples[t]);
            ck_assert_uint_eq(weight, weights[t]);
            ck_assert_uint_eq(tree->inclusive[AF_WALL][0], weights[t]);
        }
    }
}

static void check_state(const af_chart *chart, size_t i, uint64_t start_ns, uint64_t end_ns,
                        uint64_t running_ns, uint64_t runnable_ns, uint64_t blocked_ns)
{
    const af_chart_state *state = af_array_at(&chart->threads[0].states, i);
    ck_assert_uint_eq(state->start_ns, start_ns);
    ck_assert_uint_eq(state->end_ns, end_ns);
    ck_assert_uint_eq(state->length_ns[AF_STATE_RUNNING], running_ns);
    ck_assert_uint_eq(state->length_ns[AF_STATE_RUNNABLE], runnable_ns);
    ck_assert_uint_eq(state->length_ns[AF_STATE_BLOCKED], blocked_ns);
}

TEST(states_are_merged_without_loss)
{
    const guint8 wanted[] = {1, 0};
    const af_chart_options options = {.clock = AF_WALL, .n_threads = 2, .wanted = wanted};
    g_autoptr(af_chart) chart = af_chart_new(&options);
    const af_run_interval intervals[] = {
        {0, AF_STATE_RUNNING, FALSE, 0, 200},     {0, AF_STATE_RUNNING, FALSE, 200, 300},
        {0, AF_STATE_BLOCKED, FALSE, 300, 400},   {0, AF_STATE_RUNNABLE, FALSE, 400, 450},
        {0, AF_STATE_RUNNING, FALSE, 480, 600},   /* nothing is known of 30 ns */
        {0, AF_STATE_BLOCKED, FALSE, 550, 90000}, /* overlaps the one before */
        {1, AF_STATE_RUNNING, FALSE, 0, 100},     /* not wanted */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(intervals); i++) {
        ck_assert(af_chart_add_state(chart, &intervals[i], NULL));
    }
    ck_assert_uint_eq(chart->n_states, 5);
    ck_assert_uint_eq(chart->threads[1].states.n, 0);
    check_state(chart, 0, 0, 300, 300, 0, 0);
    check_state(chart, 3, 480, 600, 120, 0, 0);
    check_state(chart, 4, 600, 90000, 0, 0, 89400);
    ck_assert_uint_eq(af_chart_state_kind(af_array_at(&chart->threads[0].states, 1)),
                      AF_STATE_BLOCKED);

    af_chart_thin_states(chart, 3); /* a grain of 500 ns */
    ck_assert_uint_eq(chart->n_states, 3);
    check_state(chart, 0, 0, 450, 300, 50, 100);
    check_state(chart, 1, 480, 600, 120, 0, 0);
    ck_assert_uint_eq(af_chart_state_kind(af_array_at(&chart->threads[0].states, 0)),
                      AF_RUN_STATES);
    af_chart_shift(chart, 7);
    check_state(chart, 0, 7, 457, 300, 50, 100);
}

TEST(states_stay_within_a_limit)
{
    const af_chart_options options = {.clock = AF_WALL, .n_threads = 1};
    g_autoptr(af_chart) chart = af_chart_new(&options);
    uint64_t sums[AF_RUN_STATES] = {0};
    for (uint64_t i = 0; i < 200000; i++) {
        const af_run_interval next = {0, (af_run_state)(i % AF_RUN_STATES), FALSE, i * 100,
                                      i * 100 + 90};
        ck_assert(af_chart_add_state(chart, &next, NULL));
    }
    ck_assert_uint_lt(chart->n_states, 140000);
    ck_assert_uint_eq(chart->n_states, chart->threads[0].states.n);
    for (size_t i = 0; i < chart->n_states; i++) {
        for (unsigned k = 0; k < AF_RUN_STATES; k++) {
            sums[k] += AF_ARRAY_AT(&chart->threads[0].states, af_chart_state, i).length_ns[k];
        }
    }
    ck_assert_uint_eq(sums[0] + sums[1] + sums[2], UINT64_C(200000) * 90);
}
