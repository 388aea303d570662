/* The stacks of aflame's own files, which it writes as comments: "#=DEPTH FUNCTION COST ..." for
 * each node of the call trees, the callers first, and "#=end".
 *
 * They count only if every part of the file has them all and if the costs of each function add up
 * to those of its lines: other programs change the lines and copy or drop the comments. */
#include "read/callgrind/callgrind.h"

#include <string.h>

static gboolean take_number(af_span *text, uint32_t *number)
{
    uint64_t value;
    const gboolean ok = af_span_take_number(text, 10, &value) && value <= UINT32_MAX &&
                        (text->length == 0 || g_ascii_isspace(*text->bytes));
    *text = af_span_trim(*text);
    *number = (uint32_t)value;
    return ok;
}

/* Whether a node may follow those so far. */
static gboolean fits(const af_callgrind *r, const af_callgrind_node *node)
{
    if (node->depth == 0) {
        return af_callgrind_is_thread(r, node->function);
    }
    return r->nodes.n > 0 &&
           node->depth <= AF_ARRAY_AT(&r->nodes, af_callgrind_node, r->nodes.n - 1).depth + 1;
}

void af_callgrind_stacks_take(af_callgrind *r, af_span line)
{
    af_callgrind_node node = {0};
    uint32_t number;
    if (r->stacks_bad || !r->started) {
        return;
    }
    if (af_span_is(line, "end")) {
        r->n_ends++;
        return;
    }
    r->stacks_bad = !take_number(&line, &node.depth) || !take_number(&line, &number);
    const uint32_t *known = r->stacks_bad ? NULL : af_idtable_find(&r->by_number, number);
    if (known == NULL || *known == 0) {
        r->stacks_bad = TRUE;
        return;
    }
    node.function = *known - 1;
    if ((line.length > 0 && !af_callgrind_costs(r, line, 0, node.cost)) || !fits(r, &node)) {
        r->stacks_bad = TRUE;
        return;
    }
    af_array_append(&r->nodes, &node);
}

/* Whether the costs of the nodes of each function add up to its own. */
static gboolean agree(const af_callgrind *r)
{
    uint64_t *left = g_try_new(uint64_t, r->functions.n * AF_CLOCKS + 1);
    gboolean ok = left != NULL;
    if (!ok) {
        af_sink_fail(r->sink);
        return FALSE;
    }
    for (uint32_t i = 0; i < r->functions.n; i++) {
        memcpy(&left[(size_t)i * AF_CLOCKS], af_callgrind_function_at(r, i)->self,
               AF_CLOCKS * sizeof *left);
    }
    for (size_t i = 0; i < r->nodes.n && ok; i++) {
        const af_callgrind_node *node = &AF_ARRAY_AT(&r->nodes, af_callgrind_node, i);
        for (unsigned k = 0; k < AF_CLOCKS && ok; k++) {
            uint64_t *of = &left[(size_t)node->function * AF_CLOCKS + k];
            ok = node->cost[k] <= *of;
            *of -= ok ? node->cost[k] : 0;
        }
    }
    for (size_t i = 0; i < r->functions.n * AF_CLOCKS && ok; i++) {
        ok = left[i] == 0;
    }
    g_free(left);
    return ok;
}

/* Gives a node; returns its stack. */
static uint32_t give_node(af_callgrind *r, uint32_t thread, const af_callgrind_node *node,
                          uint32_t caller)
{
    const uint32_t stack =
        af_sink_stack(r->sink, thread, caller, af_callgrind_method(r, node->function));
    if (stack != AF_SINK_NO_STACK && (node->cost[AF_WALL] > 0 || node->cost[AF_CPU] > 0)) {
        const af_sample sample = {.thread = thread,
                                  .stack = stack,
                                  .weight = {node->cost[AF_WALL], node->cost[AF_CPU]},
                                  .offset = AF_NO_OFFSET};
        af_sink_sample(r->sink, &sample);
    }
    return stack;
}

gboolean af_callgrind_stacks_give(af_callgrind *r)
{
    af_array stacks; /* of uint32_t: of the node before and its callers */
    uint32_t thread = UINT32_MAX;
    if (r->stacks_bad || r->nodes.n == 0 || r->n_ends != r->n_parts || !agree(r)) {
        return FALSE;
    }
    af_array_init_metered(&stacks, sizeof(uint32_t), af_sink_meter(r->sink));
    for (size_t i = 0; i < r->nodes.n && !af_sink_is_stopped(r->sink); i++) {
        const af_callgrind_node *node = &AF_ARRAY_AT(&r->nodes, af_callgrind_node, i);
        if (af_array_slot(&stacks, node->depth) == NULL) {
            break;
        }
        if (node->depth == 0) {
            thread = af_callgrind_thread(r, node->function);
            AF_ARRAY_AT(&stacks, uint32_t, 0) = AF_SINK_NO_STACK;
        } else {
            AF_ARRAY_AT(&stacks, uint32_t, node->depth) =
                give_node(r, thread, node, AF_ARRAY_AT(&stacks, uint32_t, node->depth - 1));
        }
    }
    af_array_clear(&stacks);
    return TRUE;
}
