/* Calls rebuilt in batches and in chunks. The rebuilt calls themselves are checked by fuzz/plain.c and by
 * the trees of the fixtures. */
#include <string.h>

#include "build/rebuild.h"
#include "../support/part.h"
#include "suite.h"

enum { MOST_THREADS = 3 };

static const af_ticks both_ns = {.clocks = 1u << AF_WALL | 1u << AF_CPU, .tick_ns = 1};
static af_warnings warnings;
static af_rebuild *rebuild;
static af_tree *trees[MOST_THREADS];
static gboolean exited[MOST_THREADS];

static void set_up(void)
{
    af_warnings_init(&warnings);
    rebuild = NULL;
    memset(trees, 0, sizeof trees);
    memset(exited, 0, sizeof exited);
}

static void tear_down(void)
{
    for (int t = 0; t < MOST_THREADS; t++) {
        af_tree_free(trees[t]);
    }
    af_rebuild_free(rebuild);
}

AROUND_EACH(set_up, tear_down)

/* One event in the notation of the tests. */
typedef struct {
    uint32_t thread, method;
    af_action action;
    uint64_t cpu, wall;
} short_event;

static af_event make_event(const short_event *t)
{
    af_event event = {t->thread, af_event_call(t->method, t->action), {0, 0}};
    event.time[AF_CPU] = t->cpu;
    event.time[AF_WALL] = t->wall;
    return event;
}

/* Rebuilds in batches of `batch` events; each is 14 bytes after the previous one, from 100 on. */
static void run(const af_ticks *ticks, const short_event *list, size_t n, size_t batch)
{
    af_event events[64];
    rebuild = af_rebuild_new(ticks, &warnings);
    for (size_t i = 0; i < n; i++) {
        events[i] = make_event(&list[i]);
    }
    for (size_t i = 0; i < n; i += batch) {
        af_rebuild_events(rebuild, events + i, MIN(batch, n - i), MOST_THREADS, 100 + 14 * i, 14);
    }
    ck_assert(af_rebuild_finish(rebuild, exited, MOST_THREADS));
    ck_assert(af_rebuild_trees(rebuild, trees, MOST_THREADS, 0));
    for (int t = 0; t < MOST_THREADS; t++) {
        ck_assert_ptr_nonnull(trees[t]);
        ck_assert_ptr_null(af_tree_check(trees[t]));
    }
}

/* "0 5 4; 1 ..." : depth, method and self time of each node in `clock`. */
static void check_tree(uint32_t thread, af_clock clock, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const af_tree *tree = trees[thread];
    for (uint32_t i = 1; i < tree->n; i++) {
        g_string_append_printf(text, "%s%u m%u %" G_GUINT64_FORMAT, i > 1 ? ", " : "",
                               tree->depth[i], tree->label[i], tree->self[clock][i]);
    }
    ck_assert_str_eq(text->str, expected);
}

TEST(times_wrap_if_the_trace_is_long_enough)
{
    const uint64_t top = UINT64_C(1) << 32;
    const short_event list[] = {{0, 1, AF_ENTER, 0, top - 100}, {0, 1, AF_EXIT, 200, 150}};
    for (unsigned wraps = 0; wraps < 2; wraps++) {
        af_ticks ticks = both_ns;
        ticks.wraps = ticks.has_elapsed = TRUE;
        ticks.elapsed_ticks = top - 1 + wraps;
        run(&ticks, list, 2, 2);
        check_tree(0, AF_WALL, wraps ? "1 m1 250" : "1 m1 0");
        ck_assert_uint_eq(af_rebuild_trace(rebuild)->wraps, wraps);
        ck_assert_uint_eq(af_rebuild_trace(rebuild)->backward_steps, 1 - wraps);
        tear_down();
        set_up();
    }
}

TEST(ten_milliseconds_are_too_short_to_decide_on_the_unit)
{
    static const short_event list[] = {{0, 1, AF_ENTER, 0, 5}, {0, 1, AF_EXIT, 10000000, 17}};
    run(&both_ns, list, 2, 2);
    ck_assert(!af_rebuild_trace(rebuild)->thousandfold);
    check_tree(0, AF_WALL, "1 m1 12");
}

/* The batches of the reader do not change the result. */
TEST(batches_do_not_change_the_result)
{
    static const short_event list[] = {
        {0, 1, AF_ENTER, 0, 0},   {1, 4, AF_EXIT, 3, 4},   {0, 2, AF_ENTER, 2, 3},
        {1, 1, AF_ENTER, 5, 8},   {0, 3, AF_EXIT, 4, 9},   {1, 2, AF_ENTER, 6, 10},
        {0, 1, AF_EXIT, 8, 14},   {1, 1, AF_EXIT, 9, 13},  {2, 1, AF_ENTER, 1, 20},
        {0, 5, AF_UNWIND, 9, 21}, {2, 1, AF_ENTER, 2, 22}, {2, 1, AF_EXIT, 1, 23},
    };
    for (size_t batch = 1; batch <= 12; batch++) {
        run(&both_ns, list, 12, batch);
        check_tree(0, AF_WALL, "1 m5 7, 2 m1 3, 3 m2 11");
        check_tree(1, AF_WALL, "1 m4 4, 1 m1 2, 2 m2 3");
        check_tree(2, AF_WALL, "1 m1 2, 2 m1 1");
        ck_assert_uint_eq(warnings.offset[AF_WARN_UNMATCHED_EXIT], 100 + 4 * 14);
        tear_down();
        set_up();
    }
}

/* ---- chunks ---- */

enum { RANDOM_EVENTS = 60, MOST_CHUNKS = 4 };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Calls of three threads that mostly nest well. The lower `trouble`, the more often an exit names
 * another method, an action is odd, or a clock steps back. */
static void make_random(short_event *list, uint64_t seed, uint32_t trouble)
{
    uint32_t stack[MOST_THREADS][RANDOM_EVENTS], depth[MOST_THREADS] = {0};
    uint64_t cpu[MOST_THREADS] = {0}, wall = 0;
    for (size_t i = 0; i < RANDOM_EVENTS; i++) {
        const uint32_t t = next_random(&seed) % MOST_THREADS;
        short_event *e = &list[i];
        *e = (short_event){t, 1 + next_random(&seed) % 4, AF_ENTER, 0, 0};
        if (next_random(&seed) % 2 == 0) {
            e->action = next_random(&seed) % 4 == 0 ? AF_UNWIND : AF_EXIT;
            if (depth[t] > 0 && next_random(&seed) % trouble != 0) {
                e->method = stack[t][--depth[t]];
            }
        } else {
            stack[t][depth[t]++] = e->method;
        }
        wall += next_random(&seed) % 9;
        cpu[t] += next_random(&seed) % 5;
        const uint32_t back = next_random(&seed) % (trouble * 4) == 0 ? 3 : 0;
        e->wall = wall > back ? wall - back : wall;
        e->cpu = cpu[t];
    }
}

/* The complete state of a rebuilder as text. */
static GString *describe(void)
{
    GString *text = g_string_new(NULL);
    for (uint32_t t = 0; t < MOST_THREADS; t++) {
        const af_thread_counts *c = af_rebuild_thread(rebuild, t);
        const af_tree *tree = trees[t];
        g_string_append_printf(text, "thread %u: %u records %u calls %u %u %u %u %u, depth %u\n", t,
                               (unsigned)c->records, (unsigned)c->calls, (unsigned)c->open_at_end,
                               (unsigned)c->exits_on_empty, (unsigned)c->missing_exits,
                               (unsigned)c->unmatched_exits, (unsigned)c->unwinds, c->max_depth);
        for (uint32_t i = 1; i < tree->n; i++) {
            g_string_append_printf(text, "%u m%u x%u thrown %u", tree->depth[i], tree->label[i],
                                   (unsigned)tree->calls[i], (unsigned)tree->unwinds[i]);
            for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
                g_string_append_printf(text, " %u (%u..%u)", (unsigned)tree->self[clock][i],
                                       (unsigned)tree->min[clock][i],
                                       (unsigned)tree->max[clock][i]);
            }
            g_string_append_c(text, '\n');
        }
    }
    const af_trace_counts *c = af_rebuild_trace(rebuild);
    g_string_append_printf(text, "%u records, backward %u, end %u, ordered %d, sampled %d\n",
                           (unsigned)c->records, (unsigned)c->backward_steps,
                           (unsigned)c->end_ticks, c->time_ordered, c->sampled);
    for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
        if (warnings.count[kind] > 0) {
            g_string_append_printf(text, "%s %u at %d\n", af_warning_id((af_warning_kind)kind),
                                   (unsigned)warnings.count[kind], (int)warnings.offset[kind]);
        }
    }
    return text;
}

/* One range: as a chunk that is joined if possible, otherwise event by event. */
static gboolean run_range(const af_event *events, size_t from, size_t to)
{
    static const uint32_t same[] = {0, 1, 2, 3, 4, 5};
    af_warnings found;
    af_warnings_init(&found);
    af_rebuild *chunk = af_rebuild_new_chunk(&both_ns, &found);
    af_rebuild_events(chunk, events + from, to - from, MOST_THREADS, 100 + 14 * from, 14);
    const gboolean joined =
        !af_rebuild_gave_up(chunk) && af_rebuild_join(rebuild, chunk, same, same, MOST_THREADS);
    if (joined) {
        for (int kind = 0; kind < AF_WARNING_COUNT; kind++) {
            if (found.count[kind] > 0) {
                af_warnings_add(&warnings, (af_warning_kind)kind, found.count[kind],
                                found.offset[kind]);
            }
        }
    } else {
        af_rebuild_events(rebuild, events + from, to - from, MOST_THREADS, 100 + 14 * from, 14);
    }
    af_rebuild_free(chunk);
    return joined;
}

static unsigned run_chunks(const short_event *list, uint64_t seed)
{
    af_event events[RANDOM_EVENTS];
    unsigned joined = 0;
    for (size_t i = 0; i < RANDOM_EVENTS; i++) {
        events[i] = make_event(&list[i]);
    }
    rebuild = af_rebuild_new(&both_ns, &warnings);
    size_t from = next_random(&seed) % 20;
    af_rebuild_events(rebuild, events, from, MOST_THREADS, 100, 14);
    for (int chunk = 0; chunk < MOST_CHUNKS && from < RANDOM_EVENTS; chunk++) {
        const size_t to = chunk == MOST_CHUNKS - 1
                              ? RANDOM_EVENTS
                              : from + next_random(&seed) % (RANDOM_EVENTS - from + 1);
        joined += run_range(events, from, to);
        from = to;
    }
    ck_assert(af_rebuild_finish(rebuild, exited, MOST_THREADS));
    ck_assert(af_rebuild_trees(rebuild, trees, MOST_THREADS, 0));
    return joined;
}

/* The ranges of an input do not change the result, down to the first offset of a warning. */
TEST_EACH(chunks_do_not_change_the_result, 3)
{
    static const uint32_t troubles[] = {4, 30, 100000};
    const uint32_t trouble = troubles[_i];
    unsigned joined = 0;
    for (uint64_t seed = 1 + test_part_first(); seed <= 3000; seed += test_part()) {
        short_event list[RANDOM_EVENTS];
        make_random(list, seed, trouble);
        run(&both_ns, list, RANDOM_EVENTS, RANDOM_EVENTS);
        g_autoptr(GString) whole = describe();
        tear_down();
        set_up();
        joined += run_chunks(list, seed);
        g_autoptr(GString) laned = describe();
        if (strcmp(whole->str, laned->str) != 0) {
            ck_abort_msg("seed %u, trouble %u:\n%s\nby chunks:\n%s", (unsigned)seed, trouble,
                         whole->str, laned->str);
        }
        tear_down();
        set_up();
    }
    ck_assert_uint_gt(joined,
                      1000 / test_part()); /* otherwise nothing was joined, and nothing tested */
}
