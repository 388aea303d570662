#include "read/spall/spall_native.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/idtable.h"

#define MAGIC  UINT64_C(0xABADF00D)
#define HEADER 34u /* without the path that follows */

/* The longest record: a named begin with two lengths of 16 bits. */
#define LONGEST ((size_t)(1 + 8 + 4 + 2 * 65535))

/* How far to search for the next buffer, to distinguish the two headers of version 2. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

typedef struct {
    af_source *source;
    af_sink *sink;
    af_slices *slices;
    af_frames *names;
    uint64_t version;
    double scale;
    double tick_ns;
    size_t head; /* header size of a buffer */
    uint32_t thread;
    uint64_t time, address; /* running values of the buffer */
    af_idtable methods;     /* of uint32_t: method + 1, by address */
} native;

gboolean af_spall_is_native(const uint8_t *head, size_t length)
{
    return length >= 8 && af_load_u64(head) == MAGIC;
}

int64_t af_spall_ns(uint64_t ticks, double tick, double tick_ns)
{
    if (ticks < UINT64_C(1) << DBL_MANT_DIG) {
        const double ns = round((double)ticks * tick * tick_ns);
        return ns < 9e18 ? (int64_t)ns : INT64_MAX;
    }
    const long double ns = roundl((long double)ticks * tick * tick_ns);
    return ns < 9e18L ? (int64_t)ns : INT64_MAX;
}

af_span af_spall_name(const uint8_t *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] == '\0') {
        length--;
    }
    return (af_span){(const char *)bytes, length};
}

static int64_t to_ns(const native *f, uint64_t ticks)
{
    return af_spall_ns(ticks, 1, f->tick_ns);
}

static uint32_t method_at(native *f, uint64_t address)
{
    uint32_t *method = af_idtable_item(&f->methods, address);
    if (method == NULL) {
        return 0;
    }
    if (*method == 0) {
        char name[24];
        const int n = g_snprintf(name, sizeof name, "0x%" G_GINT64_MODIFIER "x", address);
        *method = af_frames_name(f->names, (af_span){name, (size_t)n}) + 1;
    }
    return *method - 1;
}

/* ---- records: each returns the end of the record, NULL if it is incomplete or invalid ---- */

/* Version 1: the low 56 bits of a word are the time, the high ones the kind. */
static const uint8_t *take_plain(native *f, const uint8_t *at, const uint8_t *end)
{
    if (end - at < 8) {
        return NULL;
    }
    const uint64_t word = af_load_u64(at);
    const int64_t ns = to_ns(f, word & (UINT64_MAX >> 8));
    if (word >> 56 == 2) {
        af_slices_end(f->slices, f->thread, AF_NO_METHOD, ns, AF_NO_CPU);
        return at + 8;
    }
    if (word >> 56 != 1 || end - at < 24) {
        return NULL;
    }
    af_slices_begin(f->slices, f->thread, method_at(f, af_load_u64(at + 8)), ns, AF_NO_CPU);
    return at + 24;
}

static gboolean take_sized(const uint8_t **at, const uint8_t *end, unsigned log_size,
                           uint64_t *value)
{
    const size_t size = (size_t)1 << log_size;
    if ((size_t)(end - *at) < size) {
        return FALSE;
    }
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        *value |= (uint64_t)(*at)[i] << (8 * i);
    }
    *at += size;
    return TRUE;
}

static const uint8_t *take_named(native *f, unsigned tag, const uint8_t *at, const uint8_t *end)
{
    uint64_t step, name, arguments;
    if ((tag >> 4 & 3) != 1 || !take_sized(&at, end, tag >> 2 & 3, &step) ||
        !take_sized(&at, end, tag >> 1 & 1, &name) || !take_sized(&at, end, tag & 1, &arguments) ||
        (uint64_t)(end - at) < name + arguments) {
        return NULL;
    }
    f->time += step;
    const uint32_t method = af_frames_name(f->names, af_spall_name(at, (size_t)name));
    af_slices_begin(f->slices, f->thread, method, to_ns(f, f->time), AF_NO_CPU);
    if (arguments > 0) {
        af_sink_warn(f->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
    return at + name + arguments;
}

/* Since version 2: differences of variable length. */
static const uint8_t *take_packed(native *f, const uint8_t *at, const uint8_t *end)
{
    const unsigned tag = *at++;
    uint64_t step, address, caller;
    switch (tag >> 6) {
    case 0:
        if (!take_sized(&at, end, tag >> 4 & 3, &step) ||
            !take_sized(&at, end, tag >> 2 & 3, &address) ||
            !take_sized(&at, end, tag & 3, &caller)) {
            return NULL;
        }
        f->time += step;
        f->address ^= address;
        af_slices_begin(f->slices, f->thread, method_at(f, f->address), to_ns(f, f->time),
                        AF_NO_CPU);
        return at;
    case 1:
        if (!take_sized(&at, end, tag >> 4 & 3, &step)) {
            return NULL;
        }
        f->time += step;
        af_slices_end(f->slices, f->thread, AF_NO_METHOD, to_ns(f, f->time), AF_NO_CPU);
        return at;
    case 2:
        return take_named(f, tag, at, end);
    default:
        return NULL;
    }
}

static gboolean skip(native *f, uint64_t n, GError **error)
{
    while (n > 0) {
        const size_t some = (size_t)MIN(n, f->source->length);
        af_source_skip(f->source, some);
        n -= some;
        if (n > 0 && !f->source->more) {
            break;
        }
        if (n > 0 && !af_source_reach(f->source, 1, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Reads `size` bytes of records. */
static gboolean take_buffer(native *f, uint64_t size, GError **error)
{
    const uint8_t *(*const take)(native *, const uint8_t *, const uint8_t *) =
        f->version == 1 ? take_plain : take_packed;
    while (size > 0) {
        if (!af_source_reach(f->source,
                             (size_t)MIN(size, LONGEST + af_source_default_window(f->source)),
                             error)) {
            return FALSE;
        }
        const uint8_t *at = f->source->bytes, *next = at;
        const uint8_t *const end = at + MIN(size, f->source->length);
        /* as long as the longest record fits, no record is incomplete */
        const gboolean last = (uint64_t)(end - at) == size || !f->source->more;
        while (at < end && (last || (size_t)(end - at) >= LONGEST) && next != NULL) {
            next = take(f, at, end);
            at = next != NULL ? next : at;
        }
        const size_t n = (size_t)(at - f->source->bytes);
        af_source_skip(f->source, n);
        size -= n;
        const gboolean over = f->source->length < size && !f->source->more;
        if (over && (next == NULL || f->source->length == 0)) {
            af_sink_facts(f->sink)->recording.truncated = TRUE;
            af_sink_warn(f->sink, AF_WARN_TRUNCATED, 1, f->source->offset);
            return skip(f, size, error);
        }
        if (next == NULL) {
            af_sink_warn(f->sink, AF_WARN_CORRUPT_BLOCK, 1, f->source->offset);
            return skip(f, size, error);
        }
        if (!af_sink_advance(f->sink, n)) {
            return TRUE;
        }
    }
    return TRUE;
}

typedef enum { IMPOSSIBLE, POSSIBLE, CERTAIN } likeness;

/* Whether a buffer with a header of `head` bytes ends before another buffer. Where it ends with the
 * file, the buffer with the longer header is truncated, and its missing part decides nothing. */
static likeness fits(const af_source *source, size_t head)
{
    const uint64_t next = head + (uint64_t)af_load_u32(source->bytes);
    if (next + head > source->length) {
        return POSSIBLE;
    }
    return af_load_u32(source->bytes + next) <= source->length - next - head ? CERTAIN : IMPOSSIBLE;
}

/* Late builds of version 2 have a depth in the header but the same version number. If the sizes do
 * not decide: a depth has zeros in its high bits, where the first record of a buffer has a code
 * address. */
static gboolean find_head(native *f, GError **error)
{
    f->head = f->version == 1 ? 8 : 20;
    if (f->version != 2) {
        return TRUE;
    }
    if (!af_source_reach(f->source, 20, error)) {
        return FALSE;
    }
    const uint64_t look = f->source->length < 4 ? 4 : af_load_u32(f->source->bytes) + UINT64_C(64);
    if (!af_source_reach(f->source, (size_t)MIN(look, MOST_LOOK), error)) {
        return FALSE;
    }
    if (f->source->length >= 20) {
        const likeness early = fits(f->source, 16), late = fits(f->source, 20);
        const gboolean depth = af_load_u16(f->source->bytes + 18) == 0;
        f->head = early > late || (early == late && !depth) ? 16 : 20;
    } else {
        f->head = 16; /* otherwise no record fits */
    }
    return TRUE;
}

static gboolean take_buffers(native *f, af_owners *owners, GError **error)
{
    const af_owner_id process = {.number = 0};
    for (;;) {
        if (!af_source_reach(f->source, f->head, error)) {
            return FALSE;
        }
        if (f->source->length < f->head || af_sink_is_stopped(f->sink)) {
            break;
        }
        const uint8_t *p = f->source->bytes;
        const af_owner_id owner = {.number = af_load_u32(p + 4)};
        const uint32_t size = af_load_u32(p);
        f->thread = af_owners_thread(owners, &process, &owner);
        f->time = f->version == 1 ? 0 : af_load_u64(p + 8);
        f->address = 0;
        af_source_skip(f->source, f->head);
        if (!take_buffer(f, size, error)) {
            return FALSE;
        }
    }
    if (f->source->length > 0 && !af_sink_is_stopped(f->sink)) {
        af_sink_facts(f->sink)->recording.truncated = TRUE;
        af_sink_warn(f->sink, AF_WARN_TRUNCATED, 1, f->source->offset);
    }
    return TRUE;
}

static gboolean take_header(native *f, GError **error)
{
    if (!af_source_reach(f->source, HEADER + 65535, error)) {
        return FALSE;
    }
    const uint8_t *head = f->source->bytes;
    const size_t length = f->source->length;
    if (length < HEADER) {
        return TRUE;
    }
    f->version = af_load_u64(head + 8);
    uint64_t bits = af_load_u64(head + 16);
    memcpy(&f->tick_ns, &bits, sizeof bits);
    f->tick_ns *= f->scale;
    if (f->version < 1 || f->version > 3) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "unknown version %" G_GUINT64_FORMAT " of Spall's native format", f->version);
        return FALSE;
    }
    if (!(f->tick_ns > 0) || !isfinite(f->tick_ns)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the time unit in the header is invalid");
        return FALSE;
    }
    const size_t path = MIN(af_load_u16(head + 32), length - HEADER);
    af_sink_add_fact(f->sink, af_span_of("program"), (af_span){(const char *)head + HEADER, path});
    af_source_skip(f->source, HEADER + path);
    return TRUE;
}

gboolean af_spall_native_take(af_source *source, af_sink *sink, af_slices *slices,
                              af_owners *owners, af_frames *names, double scale, GError **error)
{
    native f = {.source = source, .sink = sink, .scale = scale, .slices = slices, .names = names};
    af_idtable_init(&f.methods, sizeof(uint32_t), af_sink_meter(f.sink));
    gboolean ok = take_header(&f, error);
    if (ok && f.version > 0) {
        ok = find_head(&f, error) && take_buffers(&f, owners, error);
        af_sink_facts(sink)->format.version = (unsigned)f.version;
        af_sink_facts(sink)->format.layout = "native";
        if (f.methods.items.n > 0) {
            af_sink_warn(sink, AF_WARN_ADDRESSES, f.methods.items.n, AF_NO_OFFSET);
        }
    }
    af_idtable_clear(&f.methods);
    return ok;
}
