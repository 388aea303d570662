/* Stacks that samples name by number.
 *
 * The first reading finds the row of a stack once. Readings with a consumer of samples write out
 * the methods of each sample, but only those that differ from the sample before. Their number is
 * limited, because a few bytes can change between deep stacks again and again: beyond the limit the
 * first reading keeps the call trees and declares that the samples have no times, so no other
 * reading follows. */
#include "build/rows.h"
#include "build/sink_state.h"

typedef struct {
    uint32_t caller, method;
    uint32_t depth;
    uint32_t row; /* in the first reading */
} sink_stack;

/* The most changes of a method that samples make: this number, and as many for each byte. */
#define FEWEST_CHANGES   (UINT64_C(1) << 26)
#define CHANGES_PER_BYTE 64u

void af_sink_stacks_init(af_sink_stacks *stacks, af_meter *meter)
{
    af_array_init_metered(&stacks->all, sizeof(sink_stack), meter);
    af_array_init_metered(&stacks->path, sizeof(uint32_t), meter);
    af_array_init_metered(&stacks->methods, sizeof(uint32_t), meter);
}

void af_sink_stacks_clear(af_sink_stacks *stacks)
{
    AF_ARRAYS_CLEAR(&stacks->all, &stacks->path, &stacks->methods);
}

uint32_t af_sink_stack(af_sink *sink, uint32_t thread, uint32_t caller, uint32_t method)
{
    af_sink_stacks *s = &sink->stacks;
    uint32_t row = AF_NO_ROW, depth = 1;
    if (caller != AF_SINK_NO_STACK) {
        const sink_stack *of = &AF_ARRAY_AT(&s->all, sink_stack, caller);
        row = of->row;
        depth = of->depth + 1;
    }
    if (sink->rebuild != NULL) {
        af_sink_weigh(sink);
        row = af_rebuild_stack(sink->rebuild, thread, row, method, sink->thread_ids.n);
        if (row == AF_NO_ROW) {
            return AF_SINK_NO_STACK;
        }
    }
    sink_stack *added = s->all.n < AF_SINK_NO_STACK ? af_array_add(&s->all, 1) : NULL;
    if (added == NULL) {
        af_sink_fail(sink);
        return AF_SINK_NO_STACK;
    }
    *added = (sink_stack){caller, method, depth, row};
    return (uint32_t)(s->all.n - 1);
}

/* Changes the methods of the sample before to those of a stack. Returns FALSE at the limit. */
static gboolean change_path(af_sink *sink, uint32_t thread, uint32_t stack, size_t *common)
{
    af_sink_stacks *s = &sink->stacks;
    const size_t depth = AF_ARRAY_AT(&s->all, sink_stack, stack).depth;
    const size_t known = thread == s->thread ? MIN(s->depth, depth) : 0;
    if (!af_array_reach(&s->path, depth) || !af_array_reach(&s->methods, depth)) {
        af_sink_fail(sink);
        return FALSE;
    }
    const uint64_t most = FEWEST_CHANGES + CHANGES_PER_BYTE * sink->total;
    size_t i = depth;
    for (; i > 0; i--) {
        uint32_t *at = &AF_ARRAY_AT(&s->path, uint32_t, i - 1);
        if (i <= known && *at == stack) {
            break;
        }
        if (s->changes++ == most) {
            s->spent = TRUE;
            return FALSE;
        }
        const sink_stack *one = &AF_ARRAY_AT(&s->all, sink_stack, stack);
        *at = stack;
        AF_ARRAY_AT(&s->methods, uint32_t, i - 1) = one->method;
        stack = one->caller;
    }
    s->thread = thread;
    s->depth = depth;
    *common = i;
    return TRUE;
}

gboolean af_sink_expand_stack(af_sink *sink, af_sample *sample)
{
    af_sink_stacks *s = &sink->stacks;
    const sink_stack *stack = &AF_ARRAY_AT(&s->all, sink_stack, sample->stack);
    const gboolean written =
        !s->spent && change_path(sink, sample->thread, sample->stack, &sample->common);
    sample->n = stack->depth;
    sample->stack = stack->row;
    if (sink->rebuild == NULL && written) {
        sample->methods = s->methods.items;
    }
    return sink->rebuild != NULL || written;
}
