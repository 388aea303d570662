#include "read/protobuf.h"

static gboolean take_fixed(af_protobuf *p, size_t width)
{
    if ((size_t)(p->end - p->at) < width) {
        return FALSE;
    }
    p->number = width == 4 ? af_load_u32(p->at) : af_load_u64(p->at);
    p->at += width;
    return TRUE;
}

gboolean af_protobuf_take_value(af_protobuf *p)
{
    switch (p->wire) {
    case AF_WIRE_VARINT:
        return af_protobuf_varint(&p->at, p->end, &p->number);
    case AF_WIRE_FIXED64:
        return take_fixed(p, 8);
    case AF_WIRE_BYTES:
        return af_protobuf_take_bytes(p);
    case AF_WIRE_FIXED32:
        return take_fixed(p, 4);
    default:
        return FALSE;
    }
}
