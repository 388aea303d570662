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
    uint64_t number;      /* of a number; 0 of anything else */
    const uint8_t *bytes; /* of a message or text; empty of anything else */
    size_t length;
    gboolean damaged; /* why it is over */
} af_protobuf;

static inline af_protobuf af_protobuf_begin(const uint8_t *bytes, size_t length)
{
    return (af_protobuf){.at = bytes, .end = bytes + length};
}

/* FALSE at the end, or where the bytes make no sense. */
gboolean af_protobuf_next(af_protobuf *p);

#endif
