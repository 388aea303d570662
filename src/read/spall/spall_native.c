#include "read/spall/spall.h"

#define MAGIC  UINT64_C(0xABADF00D)
#define HEADER 34u /* without the path that follows */

/* How far to search for the next buffer, to distinguish the two headers of version 2. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

gboolean af_spall_is_native(const uint8_t *head, size_t length)
{
    return length >= 8 && af_load_u64(head) == MAGIC;
}

static uint32_t method_at(af_spall *f, uint64_t address)
{
    uint32_t *method = af_idtable_item(&f->methods, address);
    if (method == NULL) {
        return 0;
    }
    if (*method == 0) {
        char name[24];
        const int n = g_snprintf(name, sizeof name, "0x%" G_GINT64_MODIFIER "x", address);
        *method = af_frames_name(&f->names, (af_span){name, (size_t)n}) + 1;
    }
    return *method - 1;
}

/* ---- records ---- */

static void begin(af_spall *f, uint32_t method, uint64_t time)
{
    af_slices_begin(f->slices, f->thread, method, af_spall_ns(f, time), AF_NO_CPU);
}

static void end_call(af_spall *f, uint64_t time)
{
    af_slices_end(f->slices, f->thread, AF_NO_METHOD, af_spall_ns(f, time), AF_NO_CPU);
}

/* Version 1: the low 56 bits of a word are the time, the high ones the kind. */
static af_spall_taken take_plain(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    if (end - *at < 8) {
        return AF_SPALL_SHORT;
    }
    const uint64_t word = af_load_u64(*at), time = word & (UINT64_MAX >> 8);
    if (word >> 56 == 2) {
        end_call(f, time);
        *at += 8;
        return AF_SPALL_TAKEN;
    }
    if (word >> 56 != 1) {
        return AF_SPALL_STRANGE;
    }
    if (end - *at < 24) {
        return AF_SPALL_SHORT;
    }
    begin(f, method_at(f, af_load_u64(*at + 8)), time);
    *at += 24;
    return AF_SPALL_TAKEN;
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

static af_spall_taken take_named(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    const unsigned tag = **at;
    const uint8_t *from = *at + 1;
    uint64_t step, name, arguments;
    if ((tag >> 4 & 3) != 1) {
        return AF_SPALL_STRANGE;
    }
    if (!take_sized(&from, end, tag >> 2 & 3, &step) ||
        !take_sized(&from, end, tag >> 1 & 1, &name) ||
        !take_sized(&from, end, tag & 1, &arguments) || (uint64_t)(end - from) < name + arguments) {
        return AF_SPALL_SHORT;
    }
    f->time += step;
    begin(f, af_frames_name(&f->names, af_spall_name(from, (size_t)name)), f->time);
    if (arguments > 0) {
        af_sink_warn(f->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
    *at = from + name + arguments;
    return AF_SPALL_TAKEN;
}

/* Since version 2: differences of variable length. */
af_spall_taken af_spall_take_native(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    if (f->version == 1) {
        return take_plain(f, at, end);
    }
    const unsigned tag = **at;
    const uint8_t *from = *at + 1;
    uint64_t step, address, caller;
    switch (tag >> 6) {
    case 0:
        if (!take_sized(&from, end, tag >> 4 & 3, &step) ||
            !take_sized(&from, end, tag >> 2 & 3, &address) ||
            !take_sized(&from, end, tag & 3, &caller)) {
            return AF_SPALL_SHORT;
        }
        f->time += step;
        f->address ^= address;
        begin(f, method_at(f, f->address), f->time);
        break;
    case 1:
        if (!take_sized(&from, end, tag >> 4 & 3, &step)) {
            return AF_SPALL_SHORT;
        }
        f->time += step;
        end_call(f, f->time);
        break;
    case 2:
        return take_named(f, at, end);
    default:
        return AF_SPALL_STRANGE;
    }
    *at = from;
    return AF_SPALL_TAKEN;
}

/* ---- headers ---- */

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
static gboolean find_head(af_spall *f, GError **error)
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

gboolean af_spall_take_native_header(af_spall *f, GError **error)
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
    if (f->version < 1 || f->version > 3) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "unknown version %" G_GUINT64_FORMAT " of Spall's native format", f->version);
        return FALSE;
    }
    if (!af_spall_set_tick(f, head + 16, error)) {
        return FALSE;
    }
    const size_t path = MIN(af_load_u16(head + 32), length - HEADER);
    af_sink_add_fact(f->sink, af_span_of("program"), (af_span){(const char *)head + HEADER, path});
    af_source_skip(f->source, HEADER + path);
    return find_head(f, error);
}
