#include "read/android/openstacks.h"

void af_open_stacks_init(af_open_stacks *open)
{
    af_idmap_init_hashed(&open->ids, NULL);
    af_array_init(&open->stacks, sizeof(af_array));
}

void af_open_stacks_clear(af_open_stacks *open)
{
    for (size_t i = 0; i < open->stacks.n; i++) {
        af_array_clear(&AF_ARRAY_AT(&open->stacks, af_array, i));
    }
    af_idmap_clear(&open->ids);
    af_array_clear(&open->stacks);
}

af_array *af_open_stacks_of(af_open_stacks *open, uint64_t id)
{
    const uint32_t number = af_idmap_number(&open->ids, id);
    if (number == AF_IDMAP_NONE || !af_array_reach(&open->stacks, (size_t)number + 1)) {
        return NULL;
    }
    af_array *stack = &AF_ARRAY_AT(&open->stacks, af_array, number);
    stack->size = sizeof(uint64_t);
    return stack;
}
