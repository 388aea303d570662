/* The methods that are open in each thread, for formats in which an exit does not name its own. */
#ifndef AF_READ_ANDROID_OPENSTACKS_H
#define AF_READ_ANDROID_OPENSTACKS_H

#include "base/array.h"
#include "base/idmap.h"

typedef struct {
    af_idmap ids;
    af_array stacks; /* of af_array of uint64_t, by number in `ids` */
} af_open_stacks;

void af_open_stacks_init(af_open_stacks *open);
void af_open_stacks_clear(af_open_stacks *open);

/* The stack of a thread, of uint64_t. Good until the next one is asked for; NULL if the machine
 * refuses memory. */
af_array *af_open_stacks_of(af_open_stacks *open, uint64_t id);

#endif
