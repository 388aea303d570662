#include "render/graph/sandwich.h"

#include "base/array.h"
#include "base/idmap.h"
#include "model/tree_rewrite.h"
#include "model/waits.h"

/* Limit for steps from callee to caller: in a recursion of a hundred thousand calls that all call
 * the method, there are as many paths of that length. */
enum { STEPS_MAX = 4000000 };
#define NONE UINT32_MAX

/* A node of the result, in order of discovery. */
typedef struct {
    uint32_t parent, label; /* the parent's index in the list */
    uint8_t
        reason; /* of its first node that does not wait for work; a caller has that of the method */
    uint64_t idle_ns; /* the part of its time in nodes that wait for work */
    uint64_t calls, unwinds, wait_ns, runnable_ns;
    uint64_t self_ns[AF_CLOCKS], inclusive_ns[AF_CLOCKS];
} entry;

typedef struct {
    const af_tree *tree;
    const uint64_t *waits; /* NULL without both clocks */
    const uint64_t *runnable;
    af_array entries; /* the method, its callers, its callees */
    /* entry << 32 | label of a child: its number; its entry is one more. For callers, NONE takes the
     * place of the method. */
    af_idmap numbers;
    af_array starts; /* uint32_t: the outermost nodes of the method */
} joining;

static entry *entry_at(const joining *s, uint32_t i)
{
    return &AF_ARRAY_AT(&s->entries, entry, i);
}

static gboolean add_entry(joining *s, uint32_t parent, uint32_t label)
{
    return af_array_append(&s->entries,
                           &(entry){.parent = parent, .label = label, .reason = AF_WAITS_IDLE});
}

/* The child of an entry with a label, a new one if there is none; NONE if memory is refused. */
static uint32_t enter(joining *s, uint32_t parent, uint32_t label, gboolean is_caller)
{
    const uint32_t above = is_caller && parent == 0 ? NONE : parent;
    const uint32_t number = af_idmap_number(&s->numbers, (uint64_t)above << 32 | label);
    if (number == AF_IDMAP_NONE) {
        s->entries.failed = TRUE;
        return NONE;
    }
    return number + 1 < s->entries.n || add_entry(s, parent, label) ? number + 1 : NONE;
}

/* Adds the times of a node; a caller has none of its own. */
static void add_node(joining *s, uint32_t at, uint32_t node, gboolean is_caller)
{
    const af_tree *tree = s->tree;
    entry *it = entry_at(s, at);
    const uint64_t *times = tree->inclusive[tree->self[AF_WALL] ? AF_WALL : AF_CPU];
    it->reason = it->reason == AF_WAITS_IDLE ? tree->reason[node] : it->reason;
    it->idle_ns += tree->reason[node] == AF_WAITS_IDLE ? times[node] : 0;
    it->calls += tree->calls[node];
    it->unwinds += is_caller ? 0 : tree->unwinds[node];
    it->wait_ns += s->waits ? s->waits[node] : 0;
    it->runnable_ns += s->runnable ? s->runnable[node] : 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c]) {
            it->self_ns[c] += is_caller ? 0 : tree->self[c][node];
            it->inclusive_ns[c] += tree->inclusive[c][node];
        }
    }
}

static uint32_t find_end(const af_tree *tree, uint32_t node)
{
    uint32_t end = node + 1;
    while (end < tree->n && tree->depth[end] > tree->depth[node]) {
        end++;
    }
    return end;
}

static gboolean begin(joining *s, const af_tree *tree, uint32_t label)
{
    *s = (joining){.tree = tree};
    if (af_tree_has(tree, AF_WAIT)) {
        s->waits = af_tree_widths(tree, AF_WAIT);
        s->runnable = af_tree_runnable(tree);
    }
    af_array_init(&s->entries, sizeof(entry));
    af_array_init(&s->starts, sizeof(uint32_t));
    af_idmap_init_hashed(&s->numbers, NULL);
    add_entry(s, NONE, label);
    for (uint32_t i = 1; i < tree->n && !s->entries.failed;) {
        if (tree->label[i] != label) {
            i++;
            continue;
        }
        if (af_array_append(&s->starts, &i)) {
            add_node(s, 0, i, FALSE);
        }
        i = find_end(tree, i);
    }
    return !s->entries.failed && !s->starts.failed && (s->waits || !af_tree_has(tree, AF_WAIT));
}

static void end(joining *s)
{
    af_array_clear(&s->entries);
    af_array_clear(&s->starts);
    af_idmap_clear(&s->numbers);
}

/* All paths take a step at a time, so that what the limit cuts off are the outermost callers. */
static gboolean climb(joining *s)
{
    const size_t n = s->starts.n;
    g_autofree uint32_t *node = g_try_new(uint32_t, n + 1), *at = g_try_new0(uint32_t, n + 1);
    for (size_t i = 0; node && i < n; i++) {
        node[i] = AF_ARRAY_AT(&s->starts, uint32_t, i);
    }
    uint64_t steps = 0, moved = n;
    while (node && at && moved > 0 && steps < STEPS_MAX && !s->entries.failed) {
        moved = 0;
        for (size_t i = 0; i < n && !s->entries.failed; i++) {
            const uint32_t caller = node[i] > 0 ? s->tree->parent[node[i]] : 0;
            node[i] = caller;
            if (caller > 0 && (at[i] = enter(s, at[i], s->tree->label[caller], TRUE)) != NONE) {
                add_node(s, at[i], AF_ARRAY_AT(&s->starts, uint32_t, i), TRUE);
                moved++;
            }
        }
        steps += n;
    }
    return node && at && !s->entries.failed;
}

static gboolean descend(joining *s)
{
    const af_tree *tree = s->tree;
    af_array path; /* uint32_t: the entry at each depth below the method */
    af_array_init(&path, sizeof(uint32_t));
    for (size_t i = 0; i < s->starts.n && !s->entries.failed && !path.failed; i++) {
        const uint32_t start = AF_ARRAY_AT(&s->starts, uint32_t, i);
        for (uint32_t k = start + 1; k < tree->n && tree->depth[k] > tree->depth[start]; k++) {
            const uint32_t depth = tree->depth[k] - tree->depth[start];
            if (!af_array_reach(&path, (size_t)depth + 1)) {
                break;
            }
            uint32_t *at = path.items;
            at[0] = 0;
            at[depth] = enter(s, at[depth - 1], tree->label[k], FALSE);
            if (at[depth] == NONE) {
                break;
            }
            add_node(s, at[depth], k, FALSE);
        }
    }
    const gboolean done = !path.failed && !s->entries.failed;
    af_array_clear(&path);
    return done;
}

static void fill_node(af_tree *to, uint32_t node, uint32_t parent, const entry *it)
{
    to->parent[node] = parent;
    to->label[node] = it->label;
    to->reason[node] = it->idle_ns > it->inclusive_ns[to->self[AF_WALL] ? AF_WALL : AF_CPU] / 2
                           ? AF_WAITS_IDLE
                           : it->reason;
    to->depth[node] = to->depth[parent] + 1;
    to->calls[node] = it->calls;
    to->unwinds[node] = it->unwinds;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (to->self[c]) {
            to->self[c][node] = it->self_ns[c];
            to->inclusive[c][node] = it->inclusive_ns[c];
        }
    }
    if (to->wait) {
        to->wait[node] = it->wait_ns;
    }
    if (to->runnable_sums) {
        to->runnable_sums[node] = it->runnable_ns;
    }
}

static af_tree *write_tree(const joining *s)
{
    const size_t n = s->entries.n + 1; /* and the thread */
    af_tree *to = n < UINT32_MAX ? af_tree_new((uint32_t)n, af_tree_columns(s->tree)) : NULL;
    g_autofree uint32_t *number = to ? af_tree_number_nodes(&s->entries) : NULL;
    if (to && s->waits) {
        to->wait = g_try_new0(uint64_t, 2 * n);
    }
    if (to && s->runnable) {
        to->runnable_sums = g_try_new0(uint64_t, n);
    }
    if (!to || !number || (s->waits && !to->wait) || (s->runnable && !to->runnable_sums)) {
        af_tree_free(to);
        return NULL;
    }
    for (uint32_t i = 0; i < s->entries.n; i++) {
        const entry *it = entry_at(s, i);
        fill_node(to, number[i] + 1, i > 0 ? number[it->parent] + 1 : 0, it);
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (to->inclusive[c]) {
            to->inclusive[c][0] = to->inclusive[c][1];
        }
    }
    if (to->wait) {
        to->wait[0] = to->wait[1];
    }
    return to;
}

af_tree *af_sandwich_new(const af_tree *tree, uint32_t label, uint32_t *turn)
{
    joining s;
    af_tree *to = NULL;
    gboolean done = begin(&s, tree, label);
    *turn = 1;
    if (done && s.starts.n == 0) {
        to = af_tree_new(1, af_tree_clocks(tree));
    } else if (done && climb(&s)) {
        *turn = (uint32_t)s.entries.n + 1;
        to = descend(&s) ? write_tree(&s) : NULL;
    }
    end(&s);
    return to;
}

static uint32_t find_deepest(const af_tree *tree, uint32_t from)
{
    uint32_t deepest = 1;
    for (uint32_t i = from; i < tree->n; i++) {
        deepest = MAX(deepest, tree->depth[i]);
    }
    return deepest;
}

static void join_rows(af_layout *layout, const af_layout *callers, const af_layout *callees)
{
    for (uint32_t end = callers->n, first; end > 0; end = first) {
        const uint32_t row = callers->frames[end - 1].row;
        for (first = end; first > 0 && callers->frames[first - 1].row == row;) {
            first--;
        }
        for (uint32_t i = first; row > 0 && row <= layout->above && i < end; i++) {
            layout->frames[layout->n] = callers->frames[i];
            layout->frames[layout->n++].row = layout->above - row;
        }
    }
    for (uint32_t i = 0; i < callees->n; i++) {
        layout->frames[layout->n] = callees->frames[i];
        layout->frames[layout->n++].row += layout->above;
    }
}

af_layout *af_sandwich_layout_new(const af_tree *sandwich, uint32_t turn,
                                  const af_layout_options *options, uint32_t callers_max,
                                  int32_t labelled_c)
{
    af_layout_options above = *options, below = *options;
    above.first = 2;
    above.end = turn;
    below.first = turn;
    below.end = sandwich->n;
    if (sandwich->n == 1) {
        return af_layout_new(sandwich, options);
    }
    g_autoptr(af_layout) callers = af_layout_new(sandwich, &above);
    g_autoptr(af_layout) callees = af_layout_new(sandwich, &below);
    af_layout *layout = callers && callees ? g_try_new0(af_layout, 1) : NULL;
    if (layout) {
        layout->frames = g_try_new(af_frame, (gsize)callers->n + callees->n + 1);
    }
    if (layout && layout->frames) {
        for (uint32_t i = 0; i < callers->n; i++) {
            callers->frames[i].wait0 = callers->frames[i].wait1 = 0;
        }
        /* Rows up to the last one with space for a label. */
        uint32_t rows = 0;
        for (uint32_t i = 0; i < callers->n; i++) {
            const af_frame *frame = &callers->frames[i];
            if (frame->nodes == 0 && frame->x1 - frame->x0 >= labelled_c) {
                rows = MAX(rows, frame->row);
            }
        }
        layout->above = MIN(rows, callers_max);
        layout->rows_above = callers->rows > 0 ? callers->rows - 1 - layout->above : 0;
        join_rows(layout, callers, callees);
        layout->rows = layout->above + callees->rows;
        layout->rows_in_tree = layout->above + find_deepest(sandwich, turn);
        layout->hidden_nodes = callers->hidden_nodes + callees->hidden_nodes;
        layout->hidden_ns = callees->hidden_ns;
    } else {
        af_layout_free(layout);
        layout = NULL;
    }
    return layout;
}
