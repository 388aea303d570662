/* The open methods of each thread, for formats in which an exit does not name its method. */
#pragma once

#include "base/array.h"
#include "base/idmap.h"

typedef struct {
    af_idmap ids;
    af_array stacks; /* of af_array of uint64_t, by index in `ids` */
} af_open_stacks;

void af_open_stacks_init(af_open_stacks *open);
void af_open_stacks_clear(af_open_stacks *open);

/* Returns the stack of a thread, of uint64_t, valid until the next call; NULL if memory is
 * refused. */
af_array *af_open_stacks_of(af_open_stacks *open, uint64_t id);
