#include "render/packed/diff_pack.h"

#include <string.h>

#include "base/bytes.h"
#include "base/workers.h"
#include "model/tree_prune.h"
#include "model/waits.h"
#include "render/packed/block_text.h"

typedef struct {
    const af_diff *diff;
    const af_diff_pack_options *options;
    uint32_t unit_ns;
    /* of one attempt: */
    uint32_t *numbers; /* by label of the comparison: its number in the block + 1, 0 = none; then
                          likewise for its idle paths */
    uint32_t *labels;  /* by number in the block: index into `numbers` */
    uint32_t n_labels;
    af_deflater *out[2]; /* the trees; the sides, which are the second half of the numbers */
    gboolean failed;
    const af_tree_extract *const *pruned; /* by thread: the remaining entries; NULL = all */
} packing;

/* The entries of one thread: nodes of its union, and stand-ins for omitted ones. */
typedef struct {
    const af_diff *diff;
    const af_diff_tree *tree;
    const af_tree_extract *pruned; /* NULL = every node is an entry */
    uint32_t n;
} entries;

/* An entry. The amounts of a node are its own, those of a stand-in those of all that it replaces. */
typedef struct {
    uint32_t node; /* AF_NO_NODE = a stand-in */
    uint32_t depth;
    uint64_t nodes; /* that a stand-in replaces */
    uint64_t width, grown, shrunk;
} entry;

static entries list_entries(const packing *p, uint32_t thread)
{
    const af_diff_tree *tree = &p->diff->threads[thread].tree;
    const af_tree_extract *pruned = p->pruned ? p->pruned[thread] : NULL;
    return (entries){p->diff, tree, pruned, pruned ? pruned->n : tree->n - 1};
}

static entry entry_at(const entries *list, uint32_t i)
{
    const uint32_t number = list->pruned ? list->pruned->entries[i] : i + 1;
    if (list->pruned && number >= list->pruned->first) {
        const af_stand_in *in = &list->pruned->stand_ins[number - list->pruned->first];
        return (entry){AF_NO_NODE,        in->depth,        in->nodes,
                       in->self[AF_WALL], in->self[AF_CPU], in->runnable};
    }
    const af_clock clock = list->diff->clock;
    const uint64_t before = list->tree->self[AF_BEFORE][clock][number];
    const uint64_t after = list->tree->self[AF_AFTER][clock][number];
    const uint64_t width = MAX(before, after);
    return (entry){number, list->tree->depth[number], 0, width, width - before, width - after};
}

/* The index into `numbers` of the label of a node: idle paths have a label of their own. */
static uint32_t number_index(const af_diff *diff, const af_diff_tree *tree, uint32_t node)
{
    const uint32_t label = tree->label[node];
    const gboolean split = tree->category[node] != diff->labels[label].category;
    return label + (split ? diff->n_labels : 0);
}

/* Of a label that occurs and has no number yet. */
#define DUE UINT32_MAX

static void number_due(packing *p, uint32_t index)
{
    if (p->numbers[index] == DUE) {
        p->labels[p->n_labels++] = index;
        p->numbers[index] = p->n_labels;
    }
}

/* The number of the idle paths follows, so that the script finds one text twice. */
static void number_labels(packing *p)
{
    const af_diff *diff = p->diff;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < diff->n_threads; t++) {
            const entries list = list_entries(p, t);
            for (uint32_t i = 0; i < list.n; i++) {
                const entry e = entry_at(&list, i);
                if (e.node != AF_NO_NODE && pass == 0) {
                    p->numbers[number_index(diff, list.tree, e.node)] = DUE;
                } else if (e.node != AF_NO_NODE) {
                    number_due(p, list.tree->label[e.node]);
                    number_due(p, list.tree->label[e.node] + diff->n_labels);
                }
            }
        }
    }
}

static void write_labels(const packing *p, af_deflater *out)
{
    const char *before = "";
    af_deflater_number(out, p->n_labels);
    for (uint32_t i = 0; i < p->n_labels; i++) {
        const uint32_t n_all = p->diff->n_labels;
        const af_diff_label *label = &p->diff->labels[p->labels[i] % n_all];
        const af_category category = p->labels[i] < n_all ? label->category : AF_CATEGORY_IDLE;
        const uint8_t colour[2] = {(uint8_t)category, AF_CATEGORY_DIM | AF_WAITS_OTHER << 3};
        af_block_append_shared(out, before, label->text, label->length);
        af_deflater_append(out, colour, sizeof colour);
        af_deflater_number(out, 0);
        af_block_append_text(out, label->source);
        before = label->text;
    }
}

typedef enum {
    COLUMN_DEPTH,
    COLUMN_LABEL,
    COLUMN_NODES,
    COLUMN_WIDTH,
    COLUMN_GROWN,
    COLUMN_SHRUNK,
    COLUMN_CALLS_BEFORE,
    COLUMN_CALLS_AFTER,
    COLUMN_VERDICT,
    COLUMN_P,
} column;

/* Probabilities are in thousandths, plus 1; above them a fact. */
static uint64_t write_p(const af_diff_tree *tree, uint32_t node)
{
    return tree->p[node] == AF_DIFF_FACT ? 1002
           : tree->p[node] < 0           ? 0
                                         : 1 + (uint64_t)(tree->p[node] * 1000 + 0.5);
}

static uint64_t value_of(const packing *p, const af_diff_tree *tree, const entry *e, column which)
{
    const gboolean is_node = e->node != AF_NO_NODE;
    switch (which) {
    case COLUMN_LABEL:
        return is_node ? p->numbers[number_index(p->diff, tree, e->node)] - 1 : p->n_labels;
    case COLUMN_NODES:
        return is_node ? 0 : e->nodes - 1;
    case COLUMN_WIDTH:
        return e->width / p->unit_ns;
    case COLUMN_GROWN:
        return e->grown / p->unit_ns;
    case COLUMN_SHRUNK:
        return e->shrunk / p->unit_ns;
    case COLUMN_CALLS_BEFORE:
        return is_node ? tree->calls[AF_BEFORE][e->node] : 0;
    case COLUMN_CALLS_AFTER:
        return is_node ? tree->calls[AF_AFTER][e->node] : 0;
    case COLUMN_VERDICT:
        return !is_node ? 0
                        : tree->status[e->node] | (tree->present[AF_BEFORE][e->node] ? 8u : 0u) |
                              (tree->present[AF_AFTER][e->node] ? 16u : 0u);
    case COLUMN_P:
        return is_node ? write_p(tree, e->node) : 0;
    case COLUMN_DEPTH:
        break;
    }
    return 0;
}

static void write_column(packing *p, const entries *list, column which, af_deflater *out)
{
    uint8_t *at = af_deflater_reserve(out, ((size_t)list->n + 1) * AF_ULEB128_MAX);
    uint32_t before = 0;
    if (!at) {
        return;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        const entry e = entry_at(list, i);
        at = af_uleb128_put(at, which == COLUMN_DEPTH ? (uint64_t)before + 1 - e.depth
                                                      : value_of(p, list->tree, &e, which));
        before = e.depth;
    }
    af_deflater_commit(out, at);
}

static void write_thread(packing *p, uint32_t number, af_deflater *out)
{
    const af_diff_thread *thread = &p->diff->threads[number];
    const entries list = list_entries(p, number);
    uint64_t left_out = 0;
    for (uint32_t i = 0; list.pruned && i < list.pruned->n_stand_ins; i++) {
        left_out += list.pruned->stand_ins[i].nodes;
    }
    af_deflater_number(out, number + 1);
    af_block_append_name(out, thread->title);
    af_block_append_name(out, thread->title);
    af_deflater_number(out, (p->options->drawn[number] ? 1u : 0u) | (thread->uncounted ? 4u : 0u));
    af_deflater_number(out, 0);
    af_deflater_number(out, list.n);
    af_deflater_number(out, left_out);
    for (column c = COLUMN_DEPTH; c <= COLUMN_WIDTH; c++) {
        write_column(p, &list, c, out);
    }
    af_deflater_number(out, 0);
}

/* The other places of moved paths, as pairs of entries, counted from 1. Without those that are left
 * out. */
static void write_twins(packing *p, const entries *list, af_deflater *out)
{
    g_autofree uint32_t *entry_of = g_try_new0(uint32_t, (gsize)list->tree->n + 1);
    g_autoptr(GArray) moved = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    p->failed |= entry_of == NULL;
    for (uint32_t i = 0; entry_of && i < list->n; i++) {
        const entry e = entry_at(list, i);
        if (e.node != AF_NO_NODE) {
            entry_of[e.node] = i + 1;
        }
    }
    for (uint32_t node = 1; entry_of && node < list->tree->n; node++) {
        const uint32_t pair[] = {entry_of[node], entry_of[af_diff_path_twin(list->tree, node)]};
        if (pair[0] != pair[1] && pair[0] != 0 && pair[1] != 0) {
            g_array_append_vals(moved, pair, 2);
        }
    }
    af_deflater_number(out, moved->len / 2);
    for (guint i = 0; i < moved->len; i++) {
        af_deflater_number(out, g_array_index(moved, uint32_t, i));
    }
}

static void write_sides(packing *p, uint32_t number, af_deflater *out)
{
    const af_diff_thread *thread = &p->diff->threads[number];
    const entries list = list_entries(p, number);
    const gboolean tested = thread->tree.p != NULL;
    af_deflater_number(out, (uint64_t)thread->status | (thread->name[AF_BEFORE] ? 8u : 0u) |
                                (thread->name[AF_AFTER] ? 16u : 0u) | (tested ? 32u : 0u));
    for (column c = COLUMN_GROWN; c <= (tested ? COLUMN_P : COLUMN_VERDICT); c++) {
        write_column(p, &list, c, out);
    }
    write_twins(p, &list, out);
}

static void write_head(const packing *p, af_deflater *out)
{
    enum { COMPARED = 16, NAMED_UNIT = 4 };
    const af_unit *unit = &p->diff->unit;
    af_deflater_append(out, "AFB1", 4);
    af_deflater_number(out, 1u << AF_WALL);
    af_deflater_number(out, p->unit_ns);
    af_deflater_number(out, AF_WALL);
    af_block_append_text(out, p->options->input);
    af_deflater_number(out, COMPARED | (unit->name ? NAMED_UNIT : 0u));
    if (unit->name) {
        af_block_append_unit(out, unit);
    }
    write_labels(p, out);
    af_deflater_number(out, p->diff->n_threads);
}

static void write_piece(void *user, unsigned piece)
{
    packing *p = user;
    af_deflater *out = p->out[piece];
    if (piece == 0) {
        write_head(p, out);
    } else {
        af_deflater_number(out, (uint64_t)p->diff->clock);
    }
    for (uint32_t t = 0; t < p->diff->n_threads; t++) {
        if (piece == 0) {
            write_thread(p, t, out);
        } else {
            write_sides(p, t, out);
        }
    }
    af_deflater_finish(out);
}

/* 1000 if all times are whole microseconds. */
static uint32_t choose_unit(const af_diff *diff)
{
    uint64_t rest = 0;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (unsigned s = 0; s < AF_SIDES; s++) {
            for (uint32_t n = 0; rest == 0 && n < tree->n; n++) {
                rest = tree->self[s][diff->clock][n] % 1000;
            }
        }
    }
    return rest == 0 ? 1000 : 1;
}

static GBytes *write_block(void *user, const af_tree_extract *const *pruned, size_t *plain_length)
{
    packing *p = user;
    const gsize n = 2 * (gsize)p->diff->n_labels + 1;
    GBytes *bytes = NULL;
    p->pruned = pruned;
    p->numbers = g_try_new0(uint32_t, n);
    p->labels = g_try_new(uint32_t, n);
    p->n_labels = 0;
    p->out[0] = af_deflater_new();
    p->out[1] = af_deflater_new();
    if (p->numbers && p->labels && p->out[0] && p->out[1]) {
        number_labels(p);
        af_workers_run(2, p->options->jobs, write_piece, p);
        bytes = p->failed ? NULL : af_deflater_join(p->out, 2, plain_length);
    }
    af_deflater_free(p->out[0]);
    af_deflater_free(p->out[1]);
    g_free(p->numbers);
    g_free(p->labels);
    return bytes;
}

af_tree af_diff_tree_borrow(const af_diff_tree *tree)
{
    return (af_tree){.n = tree->n,
                     .parent = tree->parent,
                     .label = tree->label,
                     .depth = tree->depth,
                     .calls = tree->calls[AF_AFTER],
                     .self = {[AF_WALL] = tree->width, [AF_CPU] = tree->grown},
                     .inclusive = {[AF_WALL] = tree->width, [AF_CPU] = tree->grown},
                     .runnable = tree->shrunk,
                     .runnable_sums = tree->shrunk};
}

af_pack *af_diff_pack_new(const af_diff *diff, const af_diff_pack_options *options)
{
    enum { ENTRY_SIZE = 8 };
    const uint32_t n = diff->n_threads;
    packing p = {.diff = diff, .options = options, .unit_ns = choose_unit(diff)};
    g_autofree af_tree *borrowed = g_try_new(af_tree, (gsize)n + 1);
    g_autofree const af_tree **trees = g_try_new(const af_tree *, (gsize)n + 1);
    if (!borrowed || !trees) {
        return NULL;
    }
    for (uint32_t t = 0; t < n; t++) {
        borrowed[t] = af_diff_tree_borrow(&diff->threads[t].tree);
        trees[t] = &borrowed[t];
    }
    /* ranked by width, because removed paths count as much as new ones */
    return af_pack_fit(&(af_pack_fitting){.trees = trees,
                                          .n_trees = n,
                                          .clock = AF_WALL,
                                          .budget = options->budget,
                                          .entry_size = ENTRY_SIZE,
                                          .packed_size = ENTRY_SIZE,
                                          .write = write_block,
                                          .user = &p});
}
