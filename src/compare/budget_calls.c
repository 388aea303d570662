#include "compare/budget_calls.h"

#include <stdlib.h>

#include <aflame/error.h>
#include "base/memory_error.h"
#include "base/order.h"
#include "base/quantile.h"
#include "calls/call_selection.h"
#include "calls/call_store.h"

typedef struct {
    af_clock clock;
    af_array exact; /* of uint64_t: the times of the first AF_CALL_STORE_MOST calls */
    af_quantile_sketch sketch;
} call_times;

static gboolean add_call(void *user, const af_call *call, GError **error)
{
    call_times *times = user;
    if (!af_call_has(call, times->clock)) {
        return TRUE;
    }
    const uint64_t ns = af_call_time_ns(call, times->clock);
    af_quantile_add(&times->sketch, ns);
    if (times->sketch.n <= AF_CALL_STORE_MOST) {
        uint64_t *added = af_array_add(&times->exact, 1);
        if (added == NULL) {
            return af_memory_error_set(error);
        }
        *added = ns;
    }
    return !times->sketch.failed || af_memory_error_set(error);
}

static uint64_t pick_p95(call_times *times)
{
    const uint64_t n = times->sketch.n, rank = af_quantile_rank(n, 95);
    if (n == 0 || n > times->exact.n) {
        return af_quantile_at(&times->sketch, rank);
    }
    qsort(times->exact.items, n, sizeof(uint64_t), af_order_u64);
    return AF_ARRAY_AT(&times->exact, uint64_t, rank);
}

static gboolean walk_calls(const af_budget_entry *entry, const af_profile *profile,
                           call_times *times, GError **error)
{
    const char *const threads[] = {entry->thread, NULL};
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    af_call_selection selection = {0};
    af_call_follower *follower = NULL;
    uint64_t n = 0;
    options.threads = entry->thread != NULL ? threads : NULL;
    options.clock = entry->clock;
    const gboolean ok =
        af_call_selection_open(&selection, profile, (af_profile *)af_profile_hold(profile), NULL,
                               entry->method, &options, error) &&
        af_call_selection_walk(&selection, &options, add_call, times, NULL, &follower, &n, error);
    af_call_selection_close(&selection);
    return ok;
}

gboolean af_budget_find_p95(const af_budget_entry *entry, const af_profile *profile, af_clock clock,
                            uint64_t *p95_ns, GError **error)
{
    call_times times = {.clock = clock, .exact = {.size = sizeof(uint64_t)}};
    GError *why = NULL;
    gboolean ok = walk_calls(entry, profile, &times, &why);
    if (g_error_matches(why, AF_ERROR, AF_ERROR_NOTHING)) {
        g_clear_error(&why);
        ok = TRUE;
    }
    *p95_ns = ok ? pick_p95(&times) : 0;
    af_quantile_clear(&times.sketch);
    af_array_clear(&times.exact);
    if (g_error_matches(why, AF_ERROR, AF_ERROR_USAGE)) {
        g_prefix_error(&why, "[%s] cannot measure p95: ", entry->name);
    }
    if (why != NULL) {
        g_propagate_error(error, why);
    }
    return ok;
}
