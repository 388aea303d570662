/* A walk over the fields of a protobuf message.
 *
 *     for (af_protobuf p = af_protobuf_begin(bytes, length); af_protobuf_next(&p);) { p.field ... }
 *
 * It checks all lengths against the bytes that remain. Groups and reserved wire types are
 * damage. */
#pragma once

#include <string.h>

#include "base/bytes.h"
#include "base/span.h"

typedef enum {
    AF_WIRE_VARINT = 0,
    AF_WIRE_FIXED64 = 1,
    AF_WIRE_BYTES = 2,
    AF_WIRE_FIXED32 = 5,
} af_wire;

typedef struct {
    const uint8_t *at, *end;
    unsigned field;
    unsigned wire;
    uint64_t number;      /* of a number; 0 for other types */
    const uint8_t *bytes; /* of a message or text; empty for other types */
    size_t length;
    gboolean damaged; /* why the walk ended */
} af_protobuf;

static inline af_protobuf af_protobuf_begin(const uint8_t *bytes, size_t length)
{
    return (af_protobuf){.at = bytes, .end = length == 0 ? bytes : bytes + length};
}

/* A walk over the message that a field holds. */
static inline af_protobuf af_protobuf_of(const af_protobuf *message)
{
    return af_protobuf_begin(message->bytes, message->length);
}

/* A text as a message. */
static inline af_protobuf af_protobuf_message(af_span text)
{
    return (af_protobuf){.bytes = (const uint8_t *)text.bytes, .length = text.length};
}

/* Reads a number. Most have one byte; times and lengths have up to eight, which are moved together
 * without a loop, and ids of tracks are random, so they have nine or ten.
 *
 * Here and below, addresses of variables do not leave the inlined code, so that compilers keep
 * these in registers. */
static inline gboolean af_protobuf_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *from = *at;
    if (from < end && *from < 0x80) {
        *value = *from;
        *at = from + 1;
        return TRUE;
    }
    if (end - from >= 8) {
        uint64_t v;
        const unsigned length = af_uleb128_short(from, &v);
        if (length > 0) {
            *value = v;
            *at = from + length;
            return TRUE;
        }
        if (end - from >= 9 && from[8] < 0x80) {
            *value = v | (uint64_t)from[8] << 56;
            *at = from + 9;
            return TRUE;
        }
        if (end - from >= 10 && from[9] < 0x80) {
            *value = v | (uint64_t)(from[8] & 0x7F) << 56 | (uint64_t)from[9] << 63;
            *at = from + 10;
            return TRUE;
        }
    }
    uint64_t rest;
    const gboolean ok = af_uleb128(&from, end, &rest);
    *value = ok ? rest : *value;
    *at = from;
    return ok;
}

static inline gboolean af_protobuf_take_fixed(af_protobuf *p, size_t width)
{
    if ((size_t)(p->end - p->at) < width) {
        return FALSE;
    }
    p->number = width == 4 ? af_load_u32(p->at) : af_load_u64(p->at);
    p->at += width;
    return TRUE;
}

static inline gboolean af_protobuf_take_bytes(af_protobuf *p)
{
    uint64_t length;
    if (!af_protobuf_varint(&p->at, p->end, &length) || length > (uint64_t)(p->end - p->at)) {
        return FALSE;
    }
    p->bytes = p->at;
    p->length = (size_t)length;
    p->at += length;
    return TRUE;
}

/* Reads a field's value; the tag was read already. */
static inline gboolean af_protobuf_take_value(af_protobuf *p)
{
    return p->wire == AF_WIRE_VARINT    ? af_protobuf_varint(&p->at, p->end, &p->number)
           : p->wire == AF_WIRE_BYTES   ? af_protobuf_take_bytes(p)
           : p->wire == AF_WIRE_FIXED64 ? af_protobuf_take_fixed(p, 8)
           : p->wire == AF_WIRE_FIXED32 ? af_protobuf_take_fixed(p, 4)
                                        : FALSE;
}

/* Returns FALSE at the end or at invalid bytes. */
static inline gboolean af_protobuf_next(af_protobuf *p)
{
    uint64_t key = 0;
    if (p->at >= p->end || p->damaged) {
        return FALSE;
    }
    p->number = 0;
    p->bytes = p->at;
    p->length = 0;
    if (!af_protobuf_varint(&p->at, p->end, &key) || key >> 3 == 0 ||
        key >> 3 >= (UINT64_C(1) << 29)) {
        p->damaged = TRUE;
        return FALSE;
    }
    p->field = (unsigned)(key >> 3);
    p->wire = (unsigned)(key & 7);
    p->damaged = !af_protobuf_take_value(p);
    return !p->damaged;
}

/* Goes to the next text or message with this number. FALSE at the end or at invalid bytes. */
static inline gboolean af_protobuf_find(af_protobuf *p, unsigned field)
{
    while (af_protobuf_next(p)) {
        if (p->field == field && p->wire == AF_WIRE_BYTES) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The text of a field; empty unless the field has bytes. */
static inline af_span af_protobuf_text(const af_protobuf *p)
{
    return (af_span){(const char *)p->bytes, p->length};
}

/* Sets values[i] to the last value of field `i` of a message, or to all zeros if it has none.
 * FALSE if the message is damaged: what precedes the damage is set. */
static inline gboolean af_protobuf_values(const af_protobuf *message, af_protobuf *values,
                                          unsigned n)
{
    af_protobuf f = af_protobuf_of(message);
    memset(values, 0, n * sizeof *values);
    while (af_protobuf_next(&f)) {
        if (f.field < n) {
            values[f.field] = f;
        }
    }
    return !f.damaged;
}

/* The numbers of a repeated field, which may be packed:
 *
 *     for (af_packed n = af_packed_begin(&p); af_packed_next(&n);) { n.number ... } */
typedef struct {
    const uint8_t *at, *end;
    uint64_t number;
    gboolean single;
} af_packed;

static inline af_packed af_packed_begin(const af_protobuf *p)
{
    if (p->wire == AF_WIRE_BYTES) {
        return (af_packed){.at = p->bytes, .end = p->bytes + p->length};
    }
    return (af_packed){.number = p->number, .single = TRUE};
}

static inline gboolean af_packed_next(af_packed *n)
{
    if (n->single) {
        n->single = FALSE;
        return TRUE;
    }
    return n->at < n->end && af_protobuf_varint(&n->at, n->end, &n->number);
}
