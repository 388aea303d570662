/* Chooses the threads that a picture draws, and their order. */
#include "model/busy.h"
#include "render/page/sheet.h"
#include "render/thread_rank.h"

enum { PANELS_BY_DEFAULT = 8, PERCENT_MIN = 1 };

/* Threads of `picked`, or all with calls, that have `clock`, the busiest first. NULL if memory is
 * refused. */
static GArray *rank_threads(const af_profile *profile, const GArray *picked, af_clock clock,
                            uint64_t *total_ns)
{
    af_busy *busy = af_busy_new(profile, clock);
    if (!busy) {
        return NULL;
    }
    const uint32_t n = picked ? picked->len : profile->n_threads;
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(af_thread_rank));
    *total_ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t thread = picked ? g_array_index(picked, uint32_t, i) : i;
        const uint64_t time_ns = af_busy_rank_ns(busy, profile, thread, clock);
        *total_ns += time_ns;
        if (picked ||
            (profile->threads[thread].tree->n > 1 && af_thread_has(profile, thread, clock))) {
            g_array_append_val(ranks, ((af_thread_rank){thread, time_ns}));
        }
    }
    af_busy_free(busy);
    g_array_sort(ranks, af_thread_rank_compare);
    return ranks;
}

/* The main thread is drawn, and comes first, even if it has next to nothing. In inputs without one
 * the first thread is the main thread if it has some time. */
static void promote_main(const af_profile *profile, GArray *ranks, uint64_t total_ns)
{
    const uint32_t main = af_profile_find_main(profile);
    const uint32_t thread = main < profile->n_threads ? main : 0;
    const uint64_t least_ns = main < profile->n_threads ? 0 : total_ns / 100 * PERCENT_MIN;
    for (guint i = 0; i < ranks->len; i++) {
        const af_thread_rank rank = g_array_index(ranks, af_thread_rank, i);
        if (rank.thread == thread && rank.time_ns >= least_ns) {
            g_array_remove_index(ranks, i);
            g_array_prepend_val(ranks, rank);
            return;
        }
    }
}

/* Leaves out tracks that belong to no thread, if there is a thread to draw. */
static void drop_tracks(const af_profile *profile, GArray *ranks, uint64_t *total_ns)
{
    gboolean has_thread = FALSE;
    for (guint i = 0; i < ranks->len && !has_thread; i++) {
        const af_thread_rank rank = g_array_index(ranks, af_thread_rank, i);
        has_thread = rank.time_ns > 0 && !profile->threads[rank.thread].is_track;
    }
    for (guint i = has_thread ? ranks->len : 0; i > 0; i--) {
        const af_thread_rank rank = g_array_index(ranks, af_thread_rank, i - 1);
        if (profile->threads[rank.thread].is_track) {
            *total_ns -= rank.time_ns;
            g_array_remove_index(ranks, i - 1);
        }
    }
}

static GArray *take_threads(GArray *ranks, guint most, uint64_t least_ns)
{
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < ranks->len && threads->len < most; i++) {
        const af_thread_rank rank = g_array_index(ranks, af_thread_rank, i);
        if (threads->len == 0 || (rank.time_ns > 0 && rank.time_ns >= least_ns)) {
            g_array_append_val(threads, rank.thread);
        }
    }
    g_array_unref(ranks);
    return threads;
}

GArray *af_sheet_default_threads(const af_profile *profile, af_clock clock)
{
    uint64_t total_ns;
    GArray *ranks = rank_threads(profile, NULL, clock, &total_ns);
    if (!ranks) {
        return NULL;
    }
    drop_tracks(profile, ranks, &total_ns);
    const uint32_t first = profile->n_threads > 0 ? af_profile_main_thread(profile) : 0;
    if (ranks->len == 0 && profile->n_threads > 0 && profile->n_steps == 0 &&
        af_thread_has(profile, first, clock)) {
        g_array_append_val(ranks,
                           ((af_thread_rank){first, 0})); /* its panel says that there is nothing */
    }
    promote_main(profile, ranks, total_ns);
    const uint64_t least_ns = total_ns / 100 * PERCENT_MIN;
    /* hundreds of equal threads have less each */
    const gboolean is_even =
        ranks->len > 0 && g_array_index(ranks, af_thread_rank, 0).time_ns < least_ns;
    return take_threads(ranks, PANELS_BY_DEFAULT, is_even ? 0 : least_ns);
}

GArray *af_sheet_chart_threads(const af_profile *profile, const GArray *picked, af_clock clock)
{
    uint64_t total_ns;
    GArray *ranks = rank_threads(profile, picked, clock, &total_ns);
    if (!ranks) {
        return NULL;
    }
    promote_main(profile, ranks, total_ns);
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < ranks->len && (picked || i < AF_CHART_THREADS); i++) {
        g_array_append_val(threads, g_array_index(ranks, af_thread_rank, i).thread);
    }
    g_array_unref(ranks);
    return threads;
}
