/* Spall: traces of instrumented programs, by hand (names) or by the compiler (addresses).
 *
 * By hand: version 0 (published in 2022, no arguments; also whole calls), 1 (begins and ends until
 * the file ends), 2 (buffers; never released), 3 (buffers, names of threads and processes). The
 * unit is us per tick before version 3 and ns per tick since then. By the compiler: versions 1 to
 * 3; since version 2, times and addresses are differences. Spall's JSON is a lenient form of
 * Chrome's and is read as such. */
#include "read/spall/spall.h"

#include <float.h>
#include <math.h>

#define MAGIC  UINT64_C(0x0BADF00D)
#define HEADER 32u

/* The bytes between two reports of progress and checks for cancellation. */
#define PROGRESS_STEP ((size_t)1024 * 1024)

enum { WHOLE = 2, BEGIN = 3, END = 4, INSTANT = 5, PAD = 7, NAME_PROCESS = 8, NAME_THREAD = 9 };

/* A thread. */
typedef struct {
    af_array begins;  /* of int64_t: of its open calls, in ns */
    int64_t least_ns; /* the clock stepped back to before this */
} calls;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return length >= 8 && (af_load_u64(head) == MAGIC || af_spall_is_native(head, length)) ? AF_SURE
                                                                                           : 0;
}

static double load_double(const uint8_t *p)
{
    const uint64_t bits = af_load_u64(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int64_t af_spall_ns(const af_spall *f, uint64_t ticks)
{
    if (ticks < UINT64_C(1) << DBL_MANT_DIG) {
        const double ns = round((double)ticks * f->tick * f->tick_ns);
        return ns < 9e18 ? (int64_t)ns : INT64_MAX;
    }
    const long double ns = roundl((long double)ticks * f->tick * f->tick_ns);
    return ns < 9e18L ? (int64_t)ns : INT64_MAX;
}

af_span af_spall_name(const uint8_t *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] == '\0') {
        length--;
    }
    return (af_span){(const char *)bytes, length};
}

/* Returns INT64_MAX, which is not a valid time, if it does not fit. */
static int64_t to_ns(const af_spall *f, double ticks)
{
    const double ns = round(ticks * f->tick * f->tick_ns);
    return ns > -9e18 && ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

static uint32_t thread_of(const af_spall *f, const uint8_t *ids)
{
    const af_owner_id process = {.number = af_load_u32(ids)};
    const af_owner_id thread = {.number = af_load_u32(ids + 4)};
    return af_owners_thread(f->owners, &process, &thread);
}

/* ---- records ---- */

/* The time of a record, or the latest before it if the clock stepped back meanwhile. */
static int64_t repair(af_spall *f, calls *of, int64_t ns, int64_t least_ns)
{
    if (ns >= least_ns) {
        return ns;
    }
    f->steps_back = TRUE;
    af_sink_warn(f->sink, AF_WARN_BACKWARD_STEP, 1, AF_NO_OFFSET);
    of->least_ns = least_ns < INT64_MAX ? least_ns : of->least_ns; /* not after an invalid time */
    return least_ns;
}

/* A begin earlier than its predecessor was recorded late and is sorted, unless an end before its own
 * begin has shown that the clock stepped back. */
static void begin_call(af_spall *f, uint32_t thread, uint32_t method, int64_t ns)
{
    const size_t known = f->calls.n;
    int64_t *begin = NULL;
    if (thread != AF_IDMAP_NONE && af_array_reach(&f->calls, (size_t)thread + 1)) {
        for (size_t i = known; i < f->calls.n; i++) {
            calls *added = &AF_ARRAY_AT(&f->calls, calls, i);
            added->least_ns = INT64_MIN;
            af_array_init_metered(&added->begins, sizeof(int64_t), af_sink_meter(f->sink));
        }
        begin = af_array_add(&AF_ARRAY_AT(&f->calls, calls, thread).begins, 1);
    }
    if (begin == NULL) {
        return;
    }
    calls *of = &AF_ARRAY_AT(&f->calls, calls, thread);
    *begin = repair(f, of, ns, of->least_ns);
    af_slices_begin(f->slices, thread, method, *begin, AF_NO_CPU);
}

static void end_call(af_spall *f, uint32_t thread, int64_t ns)
{
    calls *of = thread < f->calls.n ? &AF_ARRAY_AT(&f->calls, calls, thread) : NULL;
    if (of != NULL && of->begins.n > 0) {
        const int64_t begin_ns = AF_ARRAY_AT(&of->begins, int64_t, --of->begins.n);
        ns = repair(f, of, ns, MAX(begin_ns, of->least_ns));
    }
    af_slices_end(f->slices, thread, AF_NO_METHOD, ns, AF_NO_CPU);
}

static af_spall_taken take_pad(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    if (end - *at < 5) {
        return AF_SPALL_SHORT;
    }
    f->padding = af_load_u32(*at + 1);
    *at += 5;
    return AF_SPALL_TAKEN;
}

/* The size of the longest instant that is skipped, and of the shortest: no layout was ever published. */
#define MOST_INSTANT  ((size_t)(20 + 2 * 255))
#define LEAST_INSTANT ((size_t)10)

static void remember(af_spall *f, const uint8_t *ids)
{
    memcpy(f->ids, ids, sizeof f->ids);
    f->ticks = load_double(ids + 8);
}

/* Skips an instant up to the next begin or end of the thread that was recorded last. */
static af_spall_taken skip_instant(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    for (const uint8_t *p = *at + LEAST_INSTANT; p <= *at + MOST_INSTANT; p++) {
        if (end - p < 18) {
            return AF_SPALL_SHORT;
        }
        const uint8_t *ids = *p == BEGIN && f->version > 0 ? p + 2 : p + 1;
        if ((*p == BEGIN || *p == END) && memcmp(ids, f->ids, sizeof f->ids) == 0 &&
            load_double(ids + 8) >= f->ticks) {
            af_sink_warn(f->sink, AF_WARN_UNKNOWN_RECORD, 1, AF_NO_OFFSET);
            *at = p;
            return AF_SPALL_TAKEN;
        }
    }
    return AF_SPALL_STRANGE;
}

/* Versions 0 and 1: each record has its process and thread. Version 0 has no category and no
 * arguments. */
static af_spall_taken take_loose(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at;
    const size_t left = (size_t)(end - p);
    const gboolean old = f->version == 0;
    const gboolean whole = old && *p == WHOLE;
    if (!old && *p == PAD) {
        return take_pad(f, at, end);
    }
    if (*p == END) {
        if (left < 17) {
            return AF_SPALL_SHORT;
        }
        end_call(f, thread_of(f, p + 1), to_ns(f, load_double(p + 9)));
        remember(f, p + 1);
        *at += 17;
        return AF_SPALL_TAKEN;
    }
    if (*p == INSTANT) {
        return skip_instant(f, at, end);
    }
    if (*p != BEGIN && !whole) {
        return AF_SPALL_STRANGE;
    }
    const uint8_t *ids = old ? p + 1 : p + 2;
    const size_t head = whole ? 26 : old ? 18 : 20;
    if (left < head) {
        return AF_SPALL_SHORT;
    }
    const size_t name = old ? p[head - 1] : p[18], arguments = old ? 0 : p[19];
    if (left - head < name + arguments) {
        return AF_SPALL_SHORT;
    }
    const uint32_t method = af_frames_name(&f->names, af_spall_name(p + head, name));
    const double ticks = load_double(ids + 8);
    if (whole) {
        /* rounds the end and not the duration, as if it had a record of its own */
        const int64_t ns = to_ns(f, ticks), end_ns = to_ns(f, ticks + load_double(ids + 16));
        af_slices_whole(f->slices, thread_of(f, ids), method, ns,
                        ns == INT64_MAX || end_ns == INT64_MAX ? AF_NO_LENGTH : end_ns - ns,
                        AF_NO_CPU, AF_NO_LENGTH);
    } else {
        begin_call(f, thread_of(f, ids), method, to_ns(f, ticks));
    }
    if (arguments > 0) {
        af_sink_warn(f->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
    remember(f, ids);
    *at += head + name + arguments;
    return AF_SPALL_TAKEN;
}

static af_spall_taken take_naming(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    const size_t left = (size_t)(end - *at);
    if (left < 2 || left - 2 < (*at)[1]) {
        return AF_SPALL_SHORT;
    }
    const af_span name = af_spall_name(*at + 2, (*at)[1]);
    if (**at == NAME_PROCESS) {
        af_owners_name_process(f->owners, &f->process, name);
    } else {
        af_owners_name_thread(f->owners, f->thread, name);
    }
    *at += 2 + (size_t)(*at)[1];
    return AF_SPALL_TAKEN;
}

/* Versions 2 and 3: the header of a buffer has the process and thread. */
static af_spall_taken take_buffered(af_spall *f, const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at;
    const size_t left = (size_t)(end - p);
    const size_t head = f->version == 2 ? 12 : 11; /* of a begin; version 2 has a category */
    if (*p == PAD) {
        return take_pad(f, at, end);
    }
    if (f->version == 3 && (*p == NAME_PROCESS || *p == NAME_THREAD)) {
        return take_naming(f, at, end);
    }
    if (*p == END) {
        if (left < 9) {
            return AF_SPALL_SHORT;
        }
        end_call(f, f->thread, af_spall_ns(f, af_load_u64(p + 1)));
        *at += 9;
        return AF_SPALL_TAKEN;
    }
    if (*p != BEGIN) {
        return AF_SPALL_STRANGE;
    }
    if (left < head || left - head < (size_t)p[head - 2] + p[head - 1]) {
        return AF_SPALL_SHORT;
    }
    const uint32_t method = af_frames_name(&f->names, af_spall_name(p + head, p[head - 2]));
    begin_call(f, f->thread, method, af_spall_ns(f, af_load_u64(p + head - 10)));
    *at += head + (size_t)p[head - 2] + p[head - 1];
    return AF_SPALL_TAKEN;
}

/* ---- the file ---- */

/* Reads records up to `limit` bytes or the end of the file. AF_SPALL_SHORT if either truncates the last
 * record. Returns FALSE with an error. */
static gboolean take_records(af_spall *f, uint64_t limit, af_spall_taken *result, GError **error)
{
    af_source *source = f->source;
    af_spall_taken (*const take)(af_spall *, const uint8_t **, const uint8_t *) =
        f->is_native     ? af_spall_take_native
        : f->version < 2 ? take_loose
                         : take_buffered;
    f->padding = 0;
    for (;;) {
        const uint8_t *at = source->bytes;
        const uint8_t *const end = at + MIN(source->length, limit);
        const uint8_t *const far = at + MIN((size_t)(end - at), PROGRESS_STEP);
        *result = AF_SPALL_TAKEN;
        while (at < far && *result == AF_SPALL_TAKEN) {
            if (f->padding > 0) {
                const size_t n = MIN(f->padding, (size_t)(end - at));
                f->padding -= n;
                at += n;
            } else {
                *result = take(f, &at, end);
            }
        }
        const size_t n = (size_t)(at - source->bytes);
        af_source_skip(source, n);
        limit -= n;
        if (!af_sink_advance(f->sink, n) || *result == AF_SPALL_STRANGE || limit == 0) {
            return TRUE;
        }
        if (source->length > 0 && *result == AF_SPALL_TAKEN) {
            continue;
        }
        if (source->length >= limit || !source->more) {
            *result = source->length > 0 || f->padding > 0 ? AF_SPALL_SHORT : AF_SPALL_TAKEN;
            return TRUE;
        }
        if (!af_source_reach(source, MAX(source->length + 1, af_source_default_window(source)),
                             error)) {
            return FALSE;
        }
    }
}

static gboolean is_header(const af_spall *f)
{
    return !f->is_native && f->source->length >= HEADER && af_load_u64(f->source->bytes) == MAGIC;
}

gboolean af_spall_set_tick(af_spall *f, const uint8_t *bytes, GError **error)
{
    f->tick = load_double(bytes) * f->scale;
    f->tick_ns = !f->is_native && f->version < 3 ? 1000 : 1;
    if (!(f->tick > 0) || !isfinite(f->tick)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the time unit in the header is invalid");
        return FALSE;
    }
    return TRUE;
}

static gboolean take_header(af_spall *f, GError **error)
{
    const uint8_t *head = f->source->bytes;
    f->version = af_load_u64(head + 8);
    f->head = f->version == 2 ? 8 : 20;
    if (f->version > 3) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "unknown version %" G_GUINT64_FORMAT " of Spall's format", f->version);
        return FALSE;
    }
    if (!af_spall_set_tick(f, head + 16, error)) {
        return FALSE;
    }
    af_source_skip(f->source, HEADER);
    af_sink_advance(f->sink, HEADER);
    return TRUE;
}

/* The file ends inside a record or the header of a buffer. */
static void warn_cut(af_spall *f, uint64_t offset)
{
    af_sink_facts(f->sink)->recording.truncated = TRUE;
    af_sink_facts(f->sink)->counts.dropped_partial = f->is_native ? 0 : 1;
    af_sink_warn(f->sink, f->is_native ? AF_WARN_TRUNCATED : AF_WARN_PARTIAL_RECORD, 1, offset);
}

/* Sets *go_on if a header follows: concatenated files. */
static gboolean take_loose_file(af_spall *f, gboolean *go_on, GError **error)
{
    af_spall_taken last;
    if (!take_records(f, UINT64_MAX, &last, error)) {
        return FALSE;
    }
    *go_on = FALSE;
    if (last == AF_SPALL_SHORT) {
        warn_cut(f, f->source->offset);
    } else if (last == AF_SPALL_STRANGE) {
        if (!af_source_reach(f->source, HEADER, error)) {
            return FALSE;
        }
        *go_on = is_header(f);
        if (!*go_on) {
            af_sink_facts(f->sink)->recording.truncated =
                TRUE; /* the number of bytes that follow is unknown */
            af_sink_warn(f->sink, AF_WARN_UNKNOWN_PACKET, 1, f->source->offset);
        }
    }
    return TRUE;
}

/* Reads a buffer after its header, which declares its length. */
static gboolean take_buffer(af_spall *f, uint64_t size, GError **error)
{
    const uint64_t end = f->source->offset + size;
    af_spall_taken last;
    if (!take_records(f, size, &last, error)) {
        return FALSE;
    }
    const uint64_t offset = f->source->offset;
    while (f->source->offset < end) {
        af_source_skip(f->source, (size_t)MIN(end - f->source->offset, f->source->length));
        if (!f->source->more || f->source->offset == end) {
            break;
        }
        if (!af_source_reach(f->source, 1, error)) {
            return FALSE;
        }
    }
    /* only the end shows whether the buffer is complete */
    if (f->source->offset < end) {
        if (last == AF_SPALL_SHORT && !f->is_native) {
            warn_cut(f, offset);
        }
        af_sink_facts(f->sink)->recording.truncated = TRUE;
        af_sink_warn(f->sink, AF_WARN_TRUNCATED, 1, offset);
    } else if (last != AF_SPALL_TAKEN) {
        af_sink_warn(f->sink, AF_WARN_CORRUPT_BLOCK, 1, offset);
    }
    return TRUE;
}

static gboolean take_buffers(af_spall *f, gboolean *go_on, GError **error)
{
    for (;;) {
        if (!af_source_reach(f->source, HEADER, error)) {
            return FALSE;
        }
        *go_on = is_header(f);
        if (*go_on || f->source->length < f->head) {
            break;
        }
        const uint8_t *p = f->source->bytes;
        const uint32_t size = af_load_u32(p);
        f->owner.number = af_load_u32(p + 4);
        f->process.number = f->is_native || f->version == 2 ? 0 : af_load_u32(p + 8);
        f->thread = af_owners_thread(f->owners, &f->process, &f->owner);
        f->time = f->is_native && f->version > 1 ? af_load_u64(p + 8) : 0;
        f->address = 0;
        af_source_skip(f->source, f->head);
        if (!af_sink_advance(f->sink, f->head)) {
            return TRUE;
        }
        if (!take_buffer(f, size, error)) {
            return FALSE;
        }
    }
    if (!*go_on && f->source->length > 0) {
        warn_cut(f, f->source->offset);
    }
    return TRUE;
}

static gboolean take_native_file(af_spall *f, GError **error)
{
    gboolean go_on;
    af_facts *facts = af_sink_facts(f->sink);
    if (!af_spall_take_native_header(f, error) ||
        (f->version > 0 && !take_buffers(f, &go_on, error))) {
        return FALSE;
    }
    facts->format.version = (unsigned)f->version;
    facts->format.layout = f->version > 0 ? "native" : NULL;
    if (f->methods.items.n > 0) {
        af_sink_warn(f->sink, AF_WARN_ADDRESSES, f->methods.items.n, AF_NO_OFFSET);
    }
    return TRUE;
}

static gboolean take_file(af_spall *f, GError **error)
{
    if (!af_source_reach(f->source, HEADER, error)) {
        return FALSE;
    }
    gboolean ok = TRUE, go_on = is_header(f);
    while (ok && go_on) {
        go_on = FALSE;
        ok = take_header(f, error) &&
             (f->version < 2 ? take_loose_file(f, &go_on, error) : take_buffers(f, &go_on, error));
        af_sink_facts(f->sink)->format.version = (unsigned)f->version;
    }
    return ok;
}

static gboolean finish(af_spall *f, GError **error)
{
    if (af_slices_count(f->slices) == 0 && !af_sink_is_stopped(f->sink)) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_DAMAGED,
            "empty trace: it contains no calls; was it closed before its buffers were written?");
        return FALSE;
    }
    /* the records after a clock stepped back look as if they were late */
    if (!f->steps_back && af_slices_unordered(f->slices) > 0) {
        af_sink_warn(f->sink, AF_WARN_OUT_OF_ORDER, af_slices_unordered(f->slices), AF_NO_OFFSET);
    }
    af_sink_facts(f->sink)->recording.truncated |= f->source->cut;
    const gboolean ok = af_slices_finish(f->slices, AF_RECORDED_CALLS, error);
    af_owners_finish(f->owners, FALSE);
    return ok;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    af_spall f = {.sink = sink,
                  .source = source,
                  .is_native = af_spall_is_native(source->bytes, source->length)};
    af_sink_set_format(sink, "spall", "Spall trace", NULL);
    af_sink_set_total(sink, af_source_total(source));
    const uint64_t scale = af_sink_take_scale(sink); /* for the unit: no rounding happens before */
    f.scale = scale > 0 ? (double)scale / 1e6 : 1;
    f.slices = af_slices_new(sink);
    f.owners = af_owners_new(sink);
    af_frames_init(&f.names, sink);
    af_array_init_metered(&f.calls, sizeof(calls), af_sink_meter(sink));
    af_idtable_init(&f.methods, sizeof(uint32_t), af_sink_meter(sink));
    const gboolean ok =
        (f.is_native ? take_native_file(&f, error) : take_file(&f, error)) && finish(&f, error);
    af_idtable_clear(&f.methods);
    for (size_t i = 0; i < f.calls.n; i++) {
        af_array_clear(&AF_ARRAY_AT(&f.calls, calls, i).begins);
    }
    af_array_clear(&f.calls);
    af_frames_clear(&f.names);
    af_owners_free(f.owners);
    af_slices_free(f.slices);
    return ok;
}

const af_reader af_reader_spall = {
    .name = "spall",
    .title = "Spall trace, versions 0 to 3, manual or automatic instrumentation",
    .extensions = "spall",
    .detect = detect,
    .read = read_input,
};
