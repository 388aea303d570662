/* The graph of one thread, short enough for a ticket: frames of the framework and recursion are
 * merged into their callers, except on the way to a finding. */
#include "model/tree_rewrite.h"
#include "model/waits.h"
#include "render/ticket/ticket_parts.h"

/* The frames that lead to a finding on the thread, by node: 0 = none, otherwise the number of the
 * finding, or ON_PATH. */
#define ON_PATH 255

typedef struct {
    const af_ticket *ticket;
    const af_tree *tree;
    uint8_t *marks; /* by node */
    uint32_t *node_of;
    af_tree *folded;
} folding;

static gboolean is_framework(const af_label *label)
{
    return label->category == AF_CATEGORY_ANDROID || label->category == AF_CATEGORY_ANDROIDX ||
           label->category == AF_CATEGORY_KOTLIN || label->category == AF_CATEGORY_JAVA;
}

static void mark_findings(folding *f)
{
    const af_ticket *ticket = f->ticket;
    for (unsigned i = ticket->n_findings; i-- > 0;) {
        const af_finding *finding = &ticket->explanation->findings[i];
        if (finding->thread != ticket->thread || finding->node == AF_NO_NODE ||
            finding->node == 0) {
            continue;
        }
        f->marks[finding->node] = (uint8_t)(i + 1);
        for (uint32_t n = f->tree->parent[finding->node]; n > 0; n = f->tree->parent[n]) {
            f->marks[n] = f->marks[n] == 0 ? ON_PATH : f->marks[n];
        }
        if (finding->behalf != AF_NO_NODE && finding->behalf > 0 &&
            f->marks[finding->behalf] == ON_PATH) {
            f->marks[finding->behalf] = ON_PATH - 1; /* remains even if paths are folded */
        }
    }
}

static gboolean stays(const folding *f, uint32_t node, gboolean with_paths)
{
    const af_sheet *sheet = f->ticket->sheet;
    const uint32_t label = f->tree->label[node];
    const uint8_t mark = f->marks[node];
    const gboolean waits = f->tree->reason[node] != AF_WAITS_OTHER;
    return waits || !is_framework(&sheet->profile->labels[label]) ||
           (mark != 0 && (with_paths || mark != ON_PATH));
}

/* Whether a frame only repeats those below it: recursion, also of methods that call each other in
 * turns, or what a wait consists of. */
static gboolean repeats(const folding *f, const af_plan *plan, uint32_t node, uint32_t above)
{
    enum { CYCLE = 8 }; /* the most methods of a recursion */
    const af_tree *tree = f->tree;
    if (f->marks[node] > 0 && f->marks[node] < ON_PATH - 1) {
        return FALSE;
    }
    if (above > 0 && tree->reason[node] != AF_WAITS_OTHER &&
        tree->reason[node] == tree->reason[above]) {
        return TRUE;
    }
    for (unsigned i = 0; above > 0 && i < CYCLE; i++) {
        if (tree->label[above] == tree->label[node]) {
            return TRUE;
        }
        above = plan->parent[above];
    }
    return FALSE;
}

/* FALSE if memory is refused. */
static gboolean fold(folding *f, gboolean with_paths)
{
    af_plan plan;
    gboolean ok = af_plan_init(&plan, f->tree);
    for (uint32_t n = 1; ok && n < f->tree->n; n++) {
        const uint32_t above = plan.into[f->tree->parent[n]];
        plan.parent[n] = above;
        /* the outermost frames stay: nothing else has their time */
        if (above > 0 && (repeats(f, &plan, n, above) || !stays(f, n, with_paths))) {
            plan.into[n] = above;
        }
    }
    af_tree_free(f->folded);
    f->folded = ok ? af_tree_regroup(f->tree, &plan, f->node_of) : NULL;
    af_plan_clear(&plan);
    return f->folded != NULL;
}

static uint32_t find_deepest(const folding *f)
{
    uint32_t deepest = 0;
    for (uint32_t n = 1; n < f->tree->n; n++) {
        if (f->marks[n] > 0 && f->marks[n] <= AF_TICKET_FINDINGS && f->node_of[n] != AF_NO_NODE) {
            deepest = MAX(deepest, f->folded->depth[f->node_of[n]]);
        }
    }
    return deepest;
}

/* The depth of the finding with the least number; 0 = none is drawn on the thread. */
static uint32_t find_first(const folding *f)
{
    uint32_t first = 0, least = AF_TICKET_FINDINGS + 1;
    for (uint32_t n = 1; n < f->tree->n; n++) {
        if (f->marks[n] > 0 && f->marks[n] < least && f->node_of[n] != AF_NO_NODE) {
            least = f->marks[n];
            first = f->folded->depth[f->node_of[n]];
        }
    }
    return first;
}

/* Leaves out more rows below if the graph would otherwise end before the first finding, or consist
 * of frames with most of the time. */
static void raise_graph(const af_ticket *ticket, const folding *f, af_panel *panel)
{
    const uint32_t first = find_first(f), rows = ticket->graph_rows;
    if (first > panel->first_row + rows) {
        panel->first_row = first - rows;
    } else if (first == 0 && panel->layout->rows > panel->first_row + rows) {
        panel->first_row = af_layout_count_trunk(panel->layout, ticket->sheet->graph_c / 5 * 4);
    }
}

static gboolean lay_out(af_ticket *ticket, folding *f, af_panel *panel, gboolean with_paths)
{
    af_sheet *sheet = ticket->sheet;
    const af_layout_options options = {
        .clock = sheet->options->clock,
        .width_c = sheet->graph_c,
        .min_width_c = MAX(AF_LABEL_MIN_C + AF_GAP_C + 2 * AF_INSET_C, sheet->options->min_width_c),
        .callers_above = sheet->profile->callers_above,
    };
    af_layout_free(panel->layout);
    panel->layout = fold(f, with_paths) ? af_layout_new(f->folded, &options) : NULL;
    panel->tree = f->folded;
    panel->first_row = panel->layout ? af_layout_count_trunk(panel->layout, sheet->graph_c) : 0;
    return panel->layout != NULL;
}

/* The marks of the nodes of the folded tree: the number of a finding, or pale if the node is neither
 * on the path of a finding nor inside one. NULL if the thread has no finding. */
static uint8_t *make_marks(const folding *f)
{
    gboolean any = FALSE;
    uint8_t *marks = g_malloc0(f->folded->n);
    for (uint32_t n = 1; n < f->tree->n; n++) {
        const uint32_t to = f->node_of[n];
        if (to == AF_NO_NODE || f->marks[n] == 0) {
            continue;
        }
        const gboolean numbered = f->marks[n] <= AF_TICKET_FINDINGS;
        if (numbered && (marks[to] == 0 || marks[to] > f->marks[n])) {
            marks[to] = f->marks[n];
        } else if (marks[to] == 0) {
            marks[to] = ON_PATH;
        }
        any = any || numbered;
    }
    for (uint32_t n = 1; n < f->folded->n; n++) {
        const uint8_t above = marks[f->folded->parent[n]];
        const gboolean inside = above == AF_MARK_INSIDE || (above > 0 && above < AF_MARK_INSIDE);
        if (marks[n] == 0) {
            marks[n] = inside ? AF_MARK_INSIDE : AF_MARK_PALE;
        } else if (marks[n] == ON_PATH) {
            marks[n] = 0;
        }
    }
    if (!any) {
        g_clear_pointer(&marks, g_free);
    }
    return marks;
}

/* FALSE if memory is refused. */
static gboolean draw(af_ticket *ticket, folding *f, af_panel *panel)
{
    af_sheet *sheet = ticket->sheet;
    gboolean ok = lay_out(ticket, f, panel, TRUE);
    if (ok && find_deepest(f) > panel->first_row + ticket->graph_rows) {
        ok = lay_out(ticket, f, panel, FALSE); /* the way to the findings is too long */
    }
    if (!ok) {
        return FALSE;
    }
    raise_graph(ticket, f, panel);
    panel->rows = MIN(panel->layout->rows, panel->first_row + ticket->graph_rows);
    ticket->is_folded = f->folded->n < f->tree->n;
    g_autofree uint8_t *marks = make_marks(f);
    panel->marks = marks;
    af_panel_draw(sheet, panel);
    return TRUE;
}

void af_ticket_graph_draw(af_ticket *ticket)
{
    if (ticket->thread == AF_NO_NODE) {
        return;
    }
    folding f = {.ticket = ticket, .tree = ticket->sheet->profile->threads[ticket->thread].tree};
    af_panel panel = {.thread = ticket->thread};
    ticket->sheet->panels = &panel; /* ids count from there */
    f.marks = g_try_malloc0(f.tree->n);
    f.node_of = g_try_new(uint32_t, f.tree->n);
    if (f.marks != NULL && f.node_of != NULL) {
        mark_findings(&f);
    }
    if (f.marks == NULL || f.node_of == NULL || !draw(ticket, &f, &panel)) {
        af_scene_fail(ticket->sheet->scene);
    }
    panel.own_tree = f.folded;
    af_panel_clear(&panel);
    ticket->sheet->panels = NULL;
    g_free(f.marks);
    g_free(f.node_of);
}
