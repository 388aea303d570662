/* The steps applied before drawing, and how much time they removed: without this a reader would
 * take the remainder for the whole. */
#include "base/number.h"
#include "render/page/sheet_parts.h"

gboolean af_sheet_is_reshaped(const af_sheet *sheet)
{
    return sheet->profile->n_steps > 0;
}

/* The time of all threads before the first step. */
static uint64_t find_total(const af_profile *profile, af_clock clock)
{
    uint64_t total_ns = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        total_ns += af_thread_time_ns(profile, t, clock);
    }
    for (unsigned i = 0; i < profile->n_steps; i++) {
        total_ns += profile->steps[i].left_out_ns[clock];
    }
    return total_ns;
}

void af_sheet_add_accounts(const af_sheet *sheet, GPtrArray *pieces)
{
    const af_profile *profile = sheet->profile;
    /* waiting is known only for the remaining nodes */
    const af_clock clock = sheet->options->clock == AF_CPU ? AF_CPU : AF_WALL;
    const char *whole = !af_profile_has_clocks(profile) ? "all threads"
                        : clock == AF_CPU               ? "all threads' CPU time"
                                                        : "all threads' wall time";
    const uint64_t total_ns = find_total(profile, clock);
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    uint64_t emptied = 0;
    for (uint32_t t = 0; t < profile->n_threads && af_sheet_is_reshaped(sheet); t++) {
        emptied += profile->threads[t].tree->n == 1;
    }
    if (emptied > 0) {
        g_autofree char *count = af_sheet_count(emptied, "thread is", "threads are");
        g_ptr_array_add(pieces, g_strdup_printf("%s empty after filtering", count));
    }
    for (unsigned i = 0; i < profile->n_steps; i++) {
        const af_step_record *step = &profile->steps[i];
        g_autofree char *option = af_sheet_isolate(step->option);
        if (step->left_out_ns[clock] > 0) {
            af_sheet_amount(sheet, time, step->left_out_ns[clock]);
            af_number_share(share, step->left_out_ns[clock], total_ns);
            g_ptr_array_add(
                pieces, g_strdup_printf("%s left out %s (%s of %s)", option, time, share, whole));
        }
        if (step->moved_ns[clock] > 0) {
            af_sheet_amount(sheet, time, step->moved_ns[clock]);
            g_ptr_array_add(pieces, g_strdup_printf("%s moved %s to callers", option, time));
        }
        if (step->message != NULL && step->matched == 0) {
            g_ptr_array_add(pieces, g_strdup_printf("%s matched nothing", option));
        } else if (step->message != NULL) {
            g_autofree char *message = af_sheet_isolate(step->message);
            g_ptr_array_add(pieces, g_strdup_printf("%s: %s", option, message));
        }
    }
}

uint64_t af_sheet_spent_ns(const af_sheet *sheet, const af_tree *tree, uint32_t node)
{
    const af_clock clock = sheet->options->clock;
    if (!sheet->profile->callers_above) {
        return af_tree_self_widths(tree, clock)[node];
    }
    return tree->depth[node] == 1 ? af_tree_widths(tree, clock)[node] : 0;
}
