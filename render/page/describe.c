#include "base/number.h"
#include "render/page/sheet_parts.h"

/* Describes the picture for screen readers: for each panel the methods with the most self time that
 * are not idle, then the heaviest path. */

enum { PANELS_MAX = 3, BRANCHES = 3, SELVES = 3 };

typedef struct {
    uint32_t number; /* of a node or of a label */
    uint64_t time_ns;
} cost;

/* Keeps the `n` largest, sorted; of equal ones the first remain. */
static void keep_largest(cost *costs, unsigned n, cost next)
{
    if (next.time_ns <= costs[n - 1].time_ns) {
        return;
    }
    unsigned i = n - 1;
    for (; i > 0 && costs[i - 1].time_ns < next.time_ns; i--) {
        costs[i] = costs[i - 1];
    }
    costs[i] = next;
}

static void append_cost(GString *to, const af_sheet *sheet, uint32_t label, uint64_t time_ns,
                        uint64_t total_ns)
{
    char share[AF_NUMBER_SIZE];
    af_sheet_append_name(to, sheet->profile->labels[label].text);
    g_string_append_printf(to, " %s", af_number_share(share, time_ns, total_ns));
}

/* The deepest node with nine tenths of the thread's time; after it the path branches. */
static uint32_t find_trunk(const af_tree *tree, const uint64_t *inclusive)
{
    uint32_t trunk = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        if (tree->parent[i] == trunk && inclusive[i] >= inclusive[0] - inclusive[0] / 10) {
            trunk = i;
        }
    }
    return trunk;
}

static void append_branches(GString *to, const af_sheet *sheet, const af_tree *tree,
                            const uint64_t *inclusive)
{
    cost branches[BRANCHES] = {{0}};
    const uint32_t trunk = find_trunk(tree, inclusive);
    for (uint32_t i = trunk + 1; i < tree->n; i++) {
        if (tree->parent[i] == trunk) {
            keep_largest(branches, BRANCHES, (cost){i, inclusive[i]});
        }
    }
    if (trunk > 0) {
        append_cost(to, sheet, tree->label[trunk], inclusive[trunk], inclusive[0]);
        g_string_append(to, branches[0].time_ns ? ", inside it " : "");
    }
    for (unsigned i = 0; i < BRANCHES && branches[i].time_ns > 0; i++) {
        g_string_append(to, i ? ", " : "");
        append_cost(to, sheet, tree->label[branches[i].number], branches[i].time_ns, inclusive[0]);
    }
}

static gboolean append_selves(GString *to, const af_sheet *sheet, const af_tree *tree,
                              uint64_t total_ns)
{
    uint64_t *sums = g_try_new0(uint64_t, (gsize)sheet->profile->n_labels + 1);
    cost selves[SELVES] = {{0}};
    if (!sums) {
        return FALSE;
    }
    for (uint32_t i = 1; i < tree->n; i++) {
        sums[tree->label[i]] += af_sheet_spent_ns(sheet, tree, i);
    }
    for (uint32_t label = 0; label < sheet->profile->n_labels; label++) {
        if (sheet->profile->labels[label].category != AF_CATEGORY_IDLE) {
            keep_largest(selves, SELVES, (cost){label, sums[label]});
        }
    }
    g_free(sums);
    const gboolean counted = sheet->profile->facts.weights.unit.counted;
    const char *most = counted ? "most self weight: " : "most self time: ";
    g_string_append(to, selves[0].time_ns ? most : "");
    for (unsigned i = 0; i < SELVES && selves[i].time_ns > 0; i++) {
        g_string_append(to, i ? ", " : "");
        append_cost(to, sheet, selves[i].number, selves[i].time_ns, total_ns);
    }
    g_string_append(to, selves[0].time_ns ? "; " : "");
    return TRUE;
}

static gboolean append_panel(GString *to, const af_sheet *sheet, const af_panel *panel)
{
    const af_clock clock = sheet->options->clock;
    const af_thread *thread = &sheet->profile->threads[panel->thread];
    const uint64_t total_ns = af_panel_time_ns(sheet, panel);
    char number[AF_NUMBER_SIZE];
    char *total = af_sheet_clocked(sheet, total_ns, clock);
    g_string_append(to, sheet->profile->facts.threadless ? " In " : " Thread ");
    af_sheet_append_name(to, thread->title);
    g_string_append_printf(to, ", %s", total);
    g_free(total);
    if (af_sheet_shows_waiting(sheet) && af_tree_has(thread->tree, AF_WAIT)) {
        g_string_append_printf(to, ", %s of it waiting",
                               af_number_time(number, af_tree_time_ns(thread->tree, 0, AF_WAIT)));
    }
    gboolean ok = TRUE;
    if (total_ns > 0) {
        g_string_append(to, ": ");
        ok = append_selves(to, sheet, thread->tree, total_ns);
        append_branches(to, sheet, thread->tree, af_tree_widths(thread->tree, clock));
    }
    g_string_append_c(to, '.');
    return ok;
}

static void append_steps(GString *to, const af_sheet *sheet)
{
    for (unsigned i = 0; i < sheet->profile->n_steps; i++) {
        g_string_append(to, i == 0 ? " Steps: " : ", ");
        af_sheet_append_name(to, sheet->profile->steps[i].option);
    }
    g_string_append(to, af_sheet_is_reshaped(sheet) ? "." : "");
}

char *af_sheet_describe(const af_sheet *sheet)
{
    const char *kind = sheet->profile->facts.format.title;
    GString *text = g_string_new(sheet->options->sandwich        ? "Callers and callees of "
                                 : sheet->options->map           ? "Call graph"
                                 : sheet->options->chart == NULL ? "Flame graph"
                                 : sheet->options->chart->options.sampled ? "Chart of samples"
                                                                          : "Chart of calls");
    if (sheet->options->sandwich) {
        af_sheet_append_name(text, sheet->profile->labels[sheet->options->method].text);
    }
    g_string_append_printf(text, ": %s", kind == NULL ? "an Android method trace" : kind);
    const char *owner = af_sheet_owner(sheet->profile);
    if (owner != NULL) {
        g_string_append(text, " of ");
        af_sheet_append_name(text, owner);
    }
    if (sheet->profile->facts.part.title != NULL) {
        g_string_append(text, ", ");
        af_sheet_append_name(text, sheet->profile->facts.part.title);
    }
    char *panels = af_sheet_count_threads(sheet->profile, sheet->n_panels, "");
    g_string_append_printf(text, sheet->profile->facts.threadless ? "." : ", %s drawn.", panels);
    g_free(panels);
    append_steps(text, sheet);
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < sheet->n_panels && i < PANELS_MAX; i++) {
        ok = append_panel(text, sheet, &sheet->panels[i]);
    }
    return g_string_free(text, !ok);
}
