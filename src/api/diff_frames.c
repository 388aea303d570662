/* Compares the late frames of a recording with its good ones. */
#include <aflame/diff.h>

#include "api/diff_options.h"
#include "base/number.h"
#include "calls/frame_profiles.h"

/* "32 late frames" */
static char *name_side(unsigned side, size_t n)
{
    char count[AF_NUMBER_SIZE];
    return g_strdup_printf("%s %s %s", af_number_count(count, n),
                           side == AF_LATE_FRAMES ? "late" : "good", n == 1 ? "frame" : "frames");
}

static af_diff *compare(const af_frame_list *list, af_profile *made[AF_SIDES],
                        const char *const *threads, const af_diff_options *options, GError **error)
{
    const size_t n[AF_FRAME_SIDES] = {list->n_good, list->n_late};
    af_runs *runs[AF_SIDES] = {NULL, NULL};
    af_diff *diff = NULL;
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_autofree char *name = name_side(s, n[s]);
        runs[s] = af_runs_new(AF_RUNS_TO_COMPARE);
        ok = ok && af_runs_take(runs[s], g_steal_pointer(&made[s]), name, threads, error);
    }
    if (ok) {
        af_compare_options wanted;
        ok = af_diff_take_options(options, &wanted, error);
        wanted.mean_of = "frame";
        diff = ok ? af_compare(runs[AF_BEFORE], runs[AF_AFTER], &wanted, error) : NULL;
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_runs_free(runs[s]);
    }
    for (uint32_t t = 0; diff != NULL && t < diff->n_threads; t++) {
        diff->threads[t].uncounted = TRUE; /* a mean frame has no whole calls */
    }
    return diff;
}

af_diff *af_diff_new_frames(const af_profile *profile, uint64_t frame_time_ns,
                            const char *const *threads, const af_diff_options *options,
                            GError **error)
{
    af_profile *made[AF_SIDES] = {NULL, NULL};
    af_diff *diff = NULL;
    g_autoptr(af_frame_list) list = af_frame_list_new(profile, frame_time_ns, error);
    if (list != NULL && af_frame_profiles_make(profile, list, made, error)) {
        diff = compare(list, made, threads, options, error);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_profile_free(made[s]);
    }
    return diff;
}
