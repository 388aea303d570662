/* Thresholds that the trees of the fixtures do not show. fuzz/target_events.c rebuilds any calls whole, in
 * batches and in chunks, and compares each with fuzz/plain.c. */
#include "build/rebuild.h"
#include "suite.h"

/* Rebuilds one call, and checks its wall time. The caller frees the rebuilder. */
static af_rebuild *check_call(const af_ticks *ticks, const uint64_t begin[AF_CLOCKS],
                              const uint64_t end[AF_CLOCKS], uint64_t expected_ns)
{
    static const gboolean exited[1];
    af_warnings warnings;
    af_tree *tree;
    const af_event events[] = {{0, af_event_call(1, AF_ENTER), {begin[AF_WALL], begin[AF_CPU]}},
                               {0, af_event_call(1, AF_EXIT), {end[AF_WALL], end[AF_CPU]}}};
    af_warnings_init(&warnings);
    af_rebuild *rebuild = af_rebuild_new(ticks, &warnings);
    af_rebuild_events(rebuild, events, G_N_ELEMENTS(events), 1, 100, 14);
    ck_assert(af_rebuild_finish(rebuild, exited, 1) && af_rebuild_trees(rebuild, &tree, 1));
    ck_assert_ptr_null(af_tree_check(tree));
    ck_assert_uint_eq(tree->n, 2);
    ck_assert_uint_eq(tree->self[AF_WALL][1], expected_ns);
    af_tree_free(tree);
    return rebuild;
}

TEST(times_wrap_if_the_trace_is_long_enough)
{
    const uint64_t top = UINT64_C(1) << 32, begin[] = {top - 100, 0}, end[] = {150, 200};
    for (unsigned wraps = 0; wraps < 2; wraps++) {
        const af_ticks ticks = {.clocks = 3,
                                .tick_ns = 1,
                                .wraps = TRUE,
                                .has_elapsed = TRUE,
                                .elapsed_ticks = top - 1 + wraps};
        af_rebuild *rebuild = check_call(&ticks, begin, end, wraps ? 250 : 0);
        ck_assert_uint_eq(af_rebuild_trace(rebuild)->wraps, wraps);
        ck_assert_uint_eq(af_rebuild_trace(rebuild)->backward_steps, 1 - wraps);
        af_rebuild_free(rebuild);
    }
}

TEST(ten_milliseconds_are_too_short_to_decide_on_the_unit)
{
    const af_ticks ticks = {.clocks = 3, .tick_ns = 1};
    af_rebuild *rebuild =
        check_call(&ticks, (const uint64_t[]){5, 0}, (const uint64_t[]){17, 10000000}, 12);
    ck_assert(!af_rebuild_trace(rebuild)->thousandfold);
    af_rebuild_free(rebuild);
}
