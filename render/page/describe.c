#include <string.h>

#include "base/number.h"
#include "model/behalf.h"
#include "model/waits.h"
#include "render/page/sheet_parts.h"

/* Describes the picture for screen readers: for each panel where the thread was blocked most, the
 * methods with the most self time that are not idle, and the calls among which the trunk divides. */

/* Less blocked time than this share is not worth a sentence, in percent. */
#define LEAST_BLOCKED 5

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

/* Starts item `i` of a list after the head of a panel, which ends at `head`. */
static void begin_item(GString *to, gsize head, unsigned i, const char *title)
{
    g_string_append(to, i > 0 ? ", " : to->len == head ? ": " : "; ");
    g_string_append(to, i > 0 ? "" : title);
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

static void append_branches(GString *to, gsize head, const af_sheet *sheet, const af_tree *tree,
                            const uint64_t *inclusive)
{
    cost branches[BRANCHES] = {{0}};
    const uint32_t trunk = find_trunk(tree, inclusive);
    for (uint32_t i = trunk + 1; i < tree->n; i++) {
        if (tree->parent[i] == trunk) {
            keep_largest(branches, BRANCHES, (cost){i, inclusive[i]});
        }
    }
    for (unsigned i = 0; i < BRANCHES && branches[i].time_ns > 0; i++) {
        begin_item(to, head, i, "largest calls: ");
        append_cost(to, sheet, tree->label[branches[i].number], branches[i].time_ns, inclusive[0]);
    }
}

/* ---- blocked ---- */

static af_category get_category(const void *user, uint32_t label)
{
    const af_profile *profile = user;
    return label == AF_NO_LABEL ? AF_CATEGORY_UNKNOWN : profile->labels[label].category;
}

static const char *get_text(const void *user, uint32_t label)
{
    const af_profile *profile = user;
    return label == AF_NO_LABEL ? "" : profile->labels[label].text;
}

/* The time of a node that blocks, and the method that it was called for. */
typedef struct {
    uint32_t owner, label;
    uint64_t time_ns;
} blocked_node;

static GArray *list_blocked(const af_profile *profile, const af_tree *tree, const uint64_t *own)
{
    const af_behalf_view view = {tree->parent, tree->label, get_category, get_text, profile};
    GArray *list = g_array_new(FALSE, FALSE, sizeof(blocked_node));
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t label = tree->label[n];
        if (own[n] > 0 && af_waits_category(profile, tree, n) == AF_CATEGORY_BLOCKED) {
            const uint32_t node = af_behalf_find(&view, n);
            const blocked_node it = {node == AF_NO_NODE ? AF_NO_LABEL : tree->label[node], label,
                                     own[n]};
            g_array_append_val(list, it);
        }
    }
    return list;
}

/* The method with the largest sum: of those that nodes were called for, or of the nodes called for
 * `owner`. */
static cost find_largest(const GArray *list, uint32_t owner, uint64_t *sums, uint32_t n_labels)
{
    cost most = {AF_NO_LABEL, 0};
    memset(sums, 0, sizeof *sums * n_labels);
    for (guint i = 0; i < list->len; i++) {
        const blocked_node *it = &g_array_index(list, blocked_node, i);
        const uint32_t label = owner == AF_NO_LABEL ? it->owner : it->label;
        if (it->owner != AF_NO_LABEL && (owner == AF_NO_LABEL || owner == it->owner)) {
            sums[label] += it->time_ns;
            most = sums[label] > most.time_ns ? (cost){label, sums[label]} : most;
        }
    }
    return most;
}

/* "blocked 9.90 s in Object.wait, below CartActivity.onResume" */
static gboolean append_blocked(GString *to, gsize head, const af_sheet *sheet,
                               const af_panel *panel)
{
    const af_profile *profile = sheet->profile;
    const af_tree *tree = profile->threads[panel->thread].tree;
    const af_clock clock = af_tree_has(tree, AF_WAIT) ? AF_WAIT : AF_WALL;
    if (sheet->options->clock == AF_CPU || profile->callers_above || !af_tree_has(tree, clock)) {
        return TRUE;
    }
    const uint64_t *own = af_tree_self_widths(tree, clock);
    g_autofree uint64_t *sums = g_try_new(uint64_t, (gsize)profile->n_labels + 1);
    if (!sums || !own) {
        return FALSE;
    }
    g_autoptr(GArray) list = list_blocked(profile, tree, own);
    const cost owner = find_largest(list, AF_NO_LABEL, sums, profile->n_labels);
    if (owner.time_ns > 0 &&
        owner.time_ns >= af_panel_time_ns(sheet, panel) / 100 * LEAST_BLOCKED) {
        char number[AF_NUMBER_SIZE];
        const cost inner = find_largest(list, owner.number, sums, profile->n_labels);
        begin_item(to, head, 0, "blocked ");
        g_string_append_printf(to, "%s in ", af_sheet_amount(sheet, number, inner.time_ns));
        af_sheet_append_short(to, &profile->labels[inner.number]);
        g_string_append(to, ", below ");
        af_sheet_append_short(to, &profile->labels[owner.number]);
    }
    return TRUE;
}

/* ---- self time ---- */

static gboolean append_selves(GString *to, gsize head, const af_sheet *sheet, const af_panel *panel,
                              uint64_t total_ns)
{
    const af_tree *tree = sheet->profile->threads[panel->thread].tree;
    uint64_t *sums = g_try_new0(uint64_t, (gsize)sheet->profile->n_labels + 1);
    cost selves[SELVES] = {{0}};
    if (!sums) {
        return FALSE;
    }
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t label = tree->label[i];
        if (!af_waits_is_idle(sheet->profile, tree, i)) {
            sums[label] += af_sheet_spent_ns(sheet, tree, i);
        }
    }
    for (uint32_t label = 0; label < sheet->profile->n_labels; label++) {
        keep_largest(selves, SELVES, (cost){label, sums[label]});
    }
    g_free(sums);
    const gboolean counted = sheet->profile->facts.weights.unit.counted;
    const char *most = counted ? "most self weight: " : "most self time: ";
    for (unsigned i = 0; i < SELVES && selves[i].time_ns > 0; i++) {
        begin_item(to, head, i, most);
        append_cost(to, sheet, selves[i].number, selves[i].time_ns, total_ns);
    }
    return TRUE;
}

static gboolean append_panel(GString *to, const af_sheet *sheet, const af_panel *panel)
{
    const af_clock clock = sheet->options->clock;
    const af_thread *thread = &sheet->profile->threads[panel->thread];
    const uint64_t total_ns = af_panel_time_ns(sheet, panel);
    char number[AF_NUMBER_SIZE];
    g_autofree char *total = af_sheet_clocked(sheet, total_ns, clock);
    g_string_append(to, sheet->profile->facts.threadless ? " In " : " Thread ");
    af_sheet_append_name(to, thread->title);
    g_string_append_printf(to, ", %s", total);
    if (af_sheet_shows_waiting(sheet) && af_tree_has(thread->tree, AF_WAIT)) {
        g_string_append_printf(to, ", %s of it waiting",
                               af_number_time(number, af_tree_time_ns(thread->tree, 0, AF_WAIT)));
    }
    gboolean ok = TRUE;
    if (total_ns > 0) {
        const gsize head = to->len;
        ok = append_blocked(to, head, sheet, panel) &&
             append_selves(to, head, sheet, panel, total_ns);
        append_branches(to, head, sheet, thread->tree, af_tree_widths(thread->tree, clock));
    }
    g_string_append_c(to, '.');
    return ok;
}

char *af_sheet_describe(const af_sheet *sheet)
{
    const char *kind = sheet->profile->facts.format.title;
    GString *text = g_string_new(sheet->options->sandwich        ? "Callers and callees of "
                                 : sheet->options->map           ? "Call graph"
                                 : sheet->options->startup       ? "Start of the app"
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
    for (unsigned i = 0; i < sheet->profile->n_steps; i++) {
        g_string_append(text, i == 0 ? " Steps: " : ", ");
        af_sheet_append_name(text, sheet->profile->steps[i].option);
    }
    g_string_append(text, af_sheet_is_reshaped(sheet) ? "." : "");
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < sheet->n_panels && i < PANELS_MAX; i++) {
        ok = append_panel(text, sheet, &sheet->panels[i]);
    }
    return g_string_free(text, !ok);
}
