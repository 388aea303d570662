#include "read/perf/protobuf.h"

static gboolean take_fixed(af_protobuf *p, size_t width)
{
    if ((size_t)(p->end - p->at) < width) {
        return FALSE;
    }
    p->number = width == 4 ? af_load_u32(p->at) : af_load_u64(p->at);
    p->at += width;
    return TRUE;
}

static gboolean take_bytes(af_protobuf *p)
{
    uint64_t length;
    if (!af_uleb128(&p->at, p->end, &length) || length > (uint64_t)(p->end - p->at)) {
        return FALSE;
    }
    p->bytes = p->at;
    p->length = (size_t)length;
    p->at += length;
    return TRUE;
}

gboolean af_protobuf_next(af_protobuf *p)
{
    uint64_t key;
    gboolean good = FALSE;
    if (p->at >= p->end || p->damaged) {
        return FALSE;
    }
    p->number = 0;
    p->bytes = p->at;
    p->length = 0;
    if (af_uleb128(&p->at, p->end, &key) && key >> 3 != 0 && key >> 3 < (UINT64_C(1) << 29)) {
        p->field = (unsigned)(key >> 3);
        switch (key & 7) {
        case 0:
            good = af_uleb128(&p->at, p->end, &p->number);
            break;
        case 1:
            good = take_fixed(p, 8);
            break;
        case 2:
            good = take_bytes(p);
            break;
        case 5:
            good = take_fixed(p, 4);
            break;
        default:
            break;
        }
    }
    p->damaged = !good;
    return good;
}
