/* Removes the known part of the tracer's own time; see model/overhead.h. */

#include "base/number.h"
#include "model/overhead.h"
#include "transform/step.h"

static uint64_t subtract(uint64_t time_ns, uint64_t part_ns)
{
    return time_ns > part_ns ? time_ns - part_ns : 0;
}

/* The times of single calls are only known if a node has one call, or if it calls nothing: then
 * they shrink by one reading. */
static void lower_extremes(af_tree *tree, unsigned clock, uint64_t reading_ns)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean calls_out = n + 1 < tree->n && tree->parent[n + 1] == n;
        const uint64_t all = tree->inclusive[clock][n];
        uint64_t *min = &tree->min[clock][n], *max = &tree->max[clock][n];
        if (*max == 0) {
            continue; /* was unknown before, or no call */
        }
        if (tree->calls[n] == 1) {
            *min = *max = all;
        } else if (calls_out) {
            *min = *max = 0;
        } else {
            *max = MIN(subtract(*max, reading_ns), all);
            *min = MIN(subtract(*min, reading_ns), *max);
        }
    }
}

static uint64_t keep_all(const af_tree *tree, af_plan *plan, const void *user)
{
    return tree->n - 1;
}

static gboolean take_out(af_working_copy *draft, af_tree *made, const af_tree *tree,
                         const uint32_t *node_of, const void *user)
{
    const uint64_t reading_ns = draft->made->facts.android.call_overhead_ns;
    uint64_t *own = g_try_new(uint64_t, made->n);
    for (unsigned c = 0; own != NULL && c < AF_CLOCKS; c++) {
        if (made->self[c] != NULL) {
            af_overhead_compute(made, reading_ns, (af_clock)c, own);
            for (uint32_t n = 1; n < made->n; n++) {
                made->self[c][n] -= own[n];
            }
        }
    }
    g_free(own);
    if (own != NULL) {
        af_tree_sum(made);
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (made->self[c] != NULL) {
                lower_extremes(made, c, reading_ns);
            }
        }
    }
    return own != NULL;
}

/* Formats "without the tracer's own time as far as it is known: 1.20 s wall, ..." */
static char *describe(const af_profile *made, const af_step_record *record)
{
    static const char *const names[AF_CLOCKS] = {"wall", "CPU"};
    char number[AF_NUMBER_SIZE];
    GString *text = g_string_new("without the tracer's own time as far as it is known:");
    const char *separator = " ";
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (af_profile_has(made, (af_clock)c)) {
            g_string_append_printf(text, "%s%s %s", separator,
                                   af_number_time(number, record->left_out_ns[c]), names[c]);
            separator = ", ";
        }
    }
    g_string_append_printf(text, " (two readings of the clock for each call, %s each)",
                           af_number_time(number, made->facts.android.call_overhead_ns));
    return g_string_free(text, FALSE);
}

static gboolean compensate(af_working_copy *draft, const af_step *step, GError **error)
{
    af_profile *made = draft->made;
    if (!af_overhead_check(made, error) ||
        !af_working_copy_replan(draft, keep_all, take_out, NULL, error)) {
        return FALSE;
    }
    g_autofree char *message = describe(made, draft->record);
    made->compensated = TRUE;
    draft->record->message = af_arena_text(made->arena, message);
    return TRUE;
}

const af_step_class af_step_compensate = {
    "compensate",
    "Subtract the time that tracing itself took",
    "Subtract the time that reading the clock took, if the trace contains it; use\n"
    "it as the first step.\n"
    "The time of the tracer is left out.",
    AF_STEP_NO_VALUE,
    .no_calls = "--compensate works on all calls of a path together, not on single calls; aflame "
                "report --compensate supports it",
    .run = compensate};
