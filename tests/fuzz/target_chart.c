/* Any calls at any capacity: single and merged calls add up to the total time; rectangles do not
 * overlap; the block has exactly the announced size. */
#include "checks.h"
#include "feed.h"
#include "render/packed/chart_block.h"
#include "render/chart/chart_layout.h"

enum { THREADS = 3, DEEPEST = 200, LABELS = 4 };

static void tell(af_chart *chart, fuzz_feed feed)
{
    const af_observer observer = af_chart_observer(chart);
    uint32_t stack[THREADS][DEEPEST], depth[THREADS] = {0};
    af_call_event edge[THREADS] = {{.thread = 0}, {.thread = 1}, {.thread = 2}};
    while (feed_left(&feed) > 0) {
        const uint8_t what = feed_byte(&feed);
        const unsigned t = what % THREADS;
        edge[t].time_ns[AF_WALL] += feed_number(&feed, what >> 2 & 3);
        edge[t].time_ns[AF_CPU] += feed_number(&feed, what >> 4 & 1);
        edge[t].end = AF_CALL_RETURNED;
        edge[t].label = what >> 5 & (LABELS - 1);
        if ((what >> 7 == 0 || depth[t] == 0) && depth[t] < DEEPEST) {
            edge[t].depth = depth[t];
            stack[t][depth[t]++] = edge[t].label;
            FUZZ_CHECK(observer.enter(observer.user, &edge[t], NULL));
        } else {
            edge[t].depth = --depth[t];
            edge[t].label = stack[t][depth[t]];
            FUZZ_CHECK(observer.leave(observer.user, &edge[t], NULL));
        }
    }
    for (unsigned t = 0; t < THREADS; t++) {
        while (depth[t] > 0) {
            edge[t].depth = --depth[t];
            edge[t].label = stack[t][depth[t]];
            edge[t].end = AF_CALL_OPEN;
            FUZZ_CHECK(observer.leave(observer.user, &edge[t], NULL));
        }
        chart->to_ns = MAX(chart->to_ns, edge[t].time_ns[AF_WALL]);
    }
}

static void check_thread(const af_chart *chart, uint32_t t, uint64_t expected[AF_CLOCKS])
{
    const unsigned both = 1u << AF_WALL | 1u << AF_CPU;
    g_autoptr(af_tree) tree = af_chart_tree(&chart->threads[t], both);
    FUZZ_CHECK(tree != NULL && af_tree_check(tree) == NULL);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        FUZZ_CHECK(expected == NULL || tree->inclusive[c][0] == expected[c]);
    }
    const af_chart_layout_options axis = {.clock = AF_WALL,
                                          .to_ns = MAX(chart->to_ns, 1),
                                          .width_c = 116800,
                                          .min_width_c = 50,
                                          .waits = TRUE};
    g_autoptr(af_layout) layout = af_chart_layout_new(tree, &chart->threads[t], &axis);
    for (uint32_t i = 0; i < layout->n; i++) {
        const af_frame *frame = &layout->frames[i];
        FUZZ_CHECK(frame->x0 >= 0 && frame->x0 <= frame->x1 && frame->x1 <= axis.width_c);
        FUZZ_CHECK(i == 0 || frame[-1].row < frame->row || frame[-1].x1 <= frame->x0);
        FUZZ_CHECK(frame->wait0 == frame->wait1 ||
                   (frame->wait0 >= frame->x0 && frame->wait1 <= frame->x1));
    }
}

static void check_block(af_chart *chart, size_t budget)
{
    static const uint32_t order[THREADS] = {2, 0, 1};
    const af_chart_block block = {
        .chart = chart, .order = order, .joined = LABELS, .highlighted = "m"};
    const size_t size = af_chart_block_fit(&block, budget);
    FUZZ_CHECK(size > 0 && size == af_chart_block_measure(&block));
    FUZZ_CHECK(size <= budget || chart->n <= 2 * THREADS || chart->shortest_ns >= UINT64_MAX / 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const guint8 highlighted[LABELS] = {0, 1, 0, 0};
    fuzz_feed feed = {bytes, bytes + size};
    const af_chart_options all = {
        .n_threads = THREADS, .highlighted = highlighted, .capacity = UINT64_MAX};
    af_chart_options some = all;
    some.capacity = feed_byte(&feed);
    some.coarsest_ns = feed_number(&feed, 3);
    const size_t budget = feed_number(&feed, 2);
    g_autoptr(af_chart) whole = af_chart_new(&all), chart = af_chart_new(&some);
    tell(whole, feed);
    tell(chart, feed);
    FUZZ_CHECK(whole->shortest_ns == 0 && chart->shortest_ns <= some.coarsest_ns);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint64_t expected[AF_CLOCKS] = {0};
        for (uint32_t i = 0; i < af_chart_n(&whole->threads[t]); i++) {
            const af_chart_entry *entry = af_chart_at(&whole->threads[t], i);
            for (unsigned c = 0; entry->depth == 0 && c < AF_CLOCKS; c++) {
                expected[c] += entry->length_ns[c];
            }
        }
        check_thread(whole, t, NULL);
        check_thread(chart, t, expected);
    }
    /* the time of merging does not matter */
    FUZZ_CHECK(af_chart_thin(whole, chart->shortest_ns) && whole->n == chart->n);
    check_block(chart, budget);
    return 0;
}
