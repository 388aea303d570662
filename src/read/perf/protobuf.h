/* A walk over the fields of a protobuf message.
 *
 *     for (af_protobuf p = af_protobuf_begin(bytes, length); af_protobuf_next(&p);) { p.field ... }
 */
#ifndef AF_READ_PERF_PROTOBUF_H
#define AF_READ_PERF_PROTOBUF_H

#include "base/bytes.h"

typedef struct {
    const uint8_t *at, *end;
    unsigned field;
    uint64_t number;      /* of a number; 0 for other types */
    const uint8_t *bytes; /* of a message or text; empty for other types */
    size_t length;
    gboolean damaged; /* why the walk ended */
} af_protobuf;

static inline af_protobuf af_protobuf_begin(const uint8_t *bytes, size_t length)
{
    return (af_protobuf){.at = bytes, .end = bytes + length};
}

/* Returns FALSE at the end or at invalid bytes. */
gboolean af_protobuf_next(af_protobuf *p);

#endif
