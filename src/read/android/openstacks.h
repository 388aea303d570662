/* The open methods of each thread, for formats in which an exit does not name its method. */
#pragma once

#include "base/idtable.h"

typedef struct {
    af_idtable stacks; /* of af_array of uint64_t, by thread */
} af_open_stacks;

static inline void af_open_stacks_init(af_open_stacks *open)
{
    af_idtable_init(&open->stacks, sizeof(af_array), NULL);
}

static inline void af_open_stacks_clear(af_open_stacks *open)
{
    for (size_t i = 0; i < open->stacks.items.n; i++) {
        af_array_clear(af_array_at(&open->stacks.items, i));
    }
    af_idtable_clear(&open->stacks);
}

/* Returns the stack of a thread, of uint64_t, valid until the next call; NULL if memory is
 * refused. */
static inline af_array *af_open_stacks_of(af_open_stacks *open, uint64_t id)
{
    af_array *stack = af_idtable_item(&open->stacks, id);
    if (stack != NULL) {
        stack->size = sizeof(uint64_t);
    }
    return stack;
}
