/* Names that packets give to threads: the last one of each id. They are copied. */
#ifndef AF_READ_ANDROID_ANNOUNCED_H
#define AF_READ_ANDROID_ANNOUNCED_H

#include "model/sink.h"

typedef struct {
    af_slice name;
    size_t room; /* of its bytes: a name again takes the place of the one before */
} af_announced_name;

typedef struct {
    af_arena *arena;
    af_idmap ids;
    af_array names; /* of af_announced_name, by number in `ids` */
} af_announced;

void af_announced_init(af_announced *announced);
void af_announced_clear(af_announced *announced);

void af_announced_add(af_announced *announced, uint64_t id, af_slice name);

/* NULL if no packet names the thread. */
const af_slice *af_announced_find(const af_announced *announced, uint64_t id);

static inline uint32_t af_announced_size(const af_announced *announced)
{
    return announced->ids.n;
}

/* Whether the machine refused memory at any time. */
gboolean af_announced_failed(const af_announced *announced);

#endif
