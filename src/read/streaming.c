/* V1 streaming: a header, then records and control packets in any order. What --streaming and
 * Android Studio's recordings write, since Android 6. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/keytext.h"
#include "read/v1data.h"

#define HEADER 32u
#define BATCH  1024

typedef enum { RECORD, METHOD, THREAD, SUMMARY, END, CUT, UNKNOWN } packet_kind;

typedef struct {
    packet_kind kind;
    const uint8_t *at;   /* where it begins */
    uint32_t thread;     /* RECORD, THREAD */
    af_slice text;       /* METHOD, THREAD, SUMMARY */
} packet;

typedef struct {
    const uint8_t *at, *end;
    uint32_t stride;
} packets;

/* A text behind a length of `width` bytes. FALSE if the input ends before. */
static gboolean take_text(packets *p, const uint8_t *at, unsigned width, af_slice *text)
{
    if ((size_t)(p->end - at) < width) {
        return FALSE;
    }
    const size_t length = width == 2 ? af_load_u16(at) : af_load_u32(at);
    if ((size_t)(p->end - at) - width < length) {
        return FALSE;
    }
    *text = (af_slice){(const char *)at + width, length};
    p->at = at + width + length;
    return TRUE;
}

static packet_kind take_control(packets *p, packet *next)
{
    const uint8_t *at = p->at + 3;
    if (p->end - p->at < 3) {
        return CUT;
    }
    switch (p->at[2]) {
    case 1:
        return take_text(p, at, 2, &next->text) ? METHOD : CUT;
    case 2:
        if (p->end - at < 2) {
            return CUT;
        }
        next->thread = af_load_u16(at);
        return take_text(p, at + 2, 2, &next->text) ? THREAD : CUT;
    case 3:
        return take_text(p, at, 4, &next->text) ? SUMMARY : CUT;
    default:
        return UNKNOWN;
    }
}

static packet_kind next_packet(packets *p, packet *next)
{
    next->at = p->at;
    const size_t left = (size_t)(p->end - p->at);
    if (left == 0) {
        return next->kind = END;
    }
    if (left < 2) {
        return next->kind = CUT;
    }
    next->thread = af_load_u16(p->at);
    if (next->thread == 0) {
        return next->kind = take_control(p, next);
    }
    if (left < p->stride) {
        return next->kind = CUT;
    }
    p->at += p->stride;
    return next->kind = RECORD;
}

/* ---- the first walk: is there a summary, which stride, which clock ---- */

typedef struct {
    packet_kind last;     /* why it ended; METHOD = a method packet that is none */
    uint64_t packets;
    af_slice summary;
    uint64_t changes, backward; /* from a record of one thread to one of another */
} walk_result;

static gboolean is_method_line(af_slice text)
{
    const char *tab = text.length == 0 ? NULL : memchr(text.bytes, '\t', text.length);
    uint64_t id;
    af_method_text method;
    return tab != NULL && text.bytes[text.length - 1] == '\n' &&
           af_keytext_parse_method(text.bytes, text.length - 1, &id, &method);
}

/* Walks all packets. If `strict`, a method packet without a method or a record of a thread that no
 * packet has announced ends the walk: the stride is wrong. */
static walk_result walk(packets p, gboolean strict)
{
    walk_result result = {0};
    guint8 *announced = g_malloc0(65536);
    uint32_t thread = 0, time = 0;
    packet next;
    for (;; result.packets++) {
        result.last = next_packet(&p, &next);
        if (result.last == SUMMARY) {
            result.summary = next.text;
            break;
        } else if (result.last == RECORD) {
            if (strict && !announced[next.thread]) {
                break;
            }
            const uint32_t now = af_load_u32(next.at + 6);
            if (thread != 0 && thread != next.thread) {
                result.changes++;
                result.backward += now < time;
            }
            thread = next.thread;
            time = now;
        } else if (result.last == THREAD) {
            announced[next.thread] = 1;
        } else if (result.last != METHOD || (strict && !is_method_line(next.text))) {
            break;
        }
    }
    g_free(announced);
    return result;
}

/* Android 6 to 13 wrote 14 bytes for each record of a single-clock stream whose header says 10. The
 * right stride leads to the summary; where neither does, it is the one that goes further before
 * something does not fit. */
static uint32_t choose_stride(packets p)
{
    packets q = p;
    p.stride = 10;
    q.stride = 14;
    const walk_result ten = walk(p, TRUE), fourteen = walk(q, TRUE);
    if (ten.last == SUMMARY || fourteen.last == SUMMARY) {
        return ten.last == SUMMARY ? 10 : 14;
    }
    if (ten.last == END) {
        return 10;
    }
    const gboolean ten_arrives = walk(p, FALSE).last == SUMMARY;
    const gboolean fourteen_arrives = walk(q, FALSE).last == SUMMARY;
    if (ten_arrives != fourteen_arrives) {
        return ten_arrives ? 10 : 14;
    }
    return fourteen.packets > ten.packets ? 14 : 10;
}

/* ---- the second walk: everything ---- */

typedef struct {
    af_sink *sink;
    const uint8_t *begin;      /* of the input */
    af_event batch[BATCH];
    size_t filled;
    uint64_t batch_place;
    uint32_t stride;
    GHashTable *announced;     /* id -> af_slice *: names from THREAD packets */
    gboolean has_before;       /* there was a METHOD packet since the last record: */
    uint64_t before_id;
    af_method_text before;
} stream;

static gboolean flush(stream *s)
{
    const gboolean ok =
        af_sink_events(s->sink, s->batch, s->filled, s->batch_place, s->stride);
    s->filled = 0;
    return ok;
}

static void take_method(stream *s, af_slice text)
{
    uint64_t id;
    text.length -= text.length > 0 && text.bytes[text.length - 1] == '\n';
    if (!af_keytext_parse_method(text.bytes, text.length, &id, &s->before)) {
        return;
    }
    s->before_id = id & UINT32_MAX & ~UINT64_C(3);
    s->has_before = s->before.class_name.length + s->before.name.length > 0;
    if (s->has_before) {
        af_sink_define_method(s->sink, s->before_id, &s->before, TRUE);
    }
}

static void take_thread(stream *s, uint32_t thread, af_slice name)
{
    uint64_t *id = g_new(uint64_t, 1);
    *id = thread;
    g_hash_table_replace(s->announced, id, g_memdup2(&name, sizeof name));
}

static void take_record(stream *s, const packet *next, unsigned clocks, af_clock single)
{
    const uint32_t word = af_load_u32(next->at + 2);
    const uint32_t known = s->sink->method_ids.n;
    const uint32_t method = af_sink_method(s->sink, word & ~3u);
    if (method >= known && s->has_before && s->before_id == (uint64_t)(word & ~3u) + 4) {
        af_sink_set_proxy(s->sink, method, &s->before);
    }
    s->has_before = FALSE;
    if (s->filled == 0) {
        s->batch_place = (uint64_t)(next->at - s->begin);
    }
    af_event *event = &s->batch[s->filled++];
    event->thread = af_sink_thread(s->sink, next->thread);
    event->call = af_event_call(method, word & 3u);
    af_v1_times(next->at + 6, clocks, single, event);
}

/* Reads packets up to the summary or the end. */
static packet_kind take_packets(stream *s, packets p, unsigned clocks, af_clock single)
{
    packet next;
    for (;;) {
        const packet_kind kind = next_packet(&p, &next);
        if (kind == RECORD) {
            take_record(s, &next, clocks, single);
            if (s->filled < BATCH) {
                continue;
            }
        }
        /* places are counted from the first record of a batch, so a packet between ends it */
        if (!flush(s)) {
            return END;
        }
        if (kind == METHOD) {
            take_method(s, next.text);
        } else if (kind == THREAD) {
            take_thread(s, next.thread, next.text);
        } else if (kind == SUMMARY && p.at < p.end) {
            af_sink_warn(s->sink, AF_WARN_AFTER_SUMMARY, 1, (uint64_t)(p.at - s->begin));
            return kind;
        } else if (kind == CUT || kind == UNKNOWN) {
            s->sink->facts.dropped_partial = kind == CUT;
            af_sink_warn(s->sink, kind == CUT ? AF_WARN_TRUNCATED : AF_WARN_UNKNOWN_PACKET, 1,
                         (uint64_t)(next.at - s->begin));
            return kind;
        } else if (kind != RECORD) {
            return kind;
        }
    }
}

static int detect(const uint8_t *head, size_t length, const char *path)
{
    (void)path;
    if (length < 6 || memcmp(head, "SLOW", 4) != 0) {
        return 0;
    }
    const unsigned version = af_load_u16(head + 4);
    return version == 0xF2 || version == 0xF3 ? AF_SURE : 0;
}

/* The clock of a single-clock stream that does not say which: wall time hardly ever steps back
 * from one thread to the next. */
static af_clock guess_clock(const walk_result *result, const af_open_options *options,
                            af_sink *sink)
{
    if (options->clock != AF_CLOCK_DEFAULT) {
        return options->clock;
    }
    af_sink_warn(sink, AF_WARN_CLOCK_GUESSED, 1, AF_NO_PLACE);
    return result->backward * 10 < result->changes || result->changes == 0 ? AF_WALL : AF_CPU;
}

static gboolean read_stream(stream *s, packets p, const af_v1_header *header,
                            const walk_result *result, const af_keytext *text,
                            gboolean has_text, const af_open_options *options)
{
    af_sink *sink = s->sink;
    af_keytext_take_facts(text, FALSE, sink);
    af_ticks ticks = af_v1_ticks(header, sink);
    if (header->version == 2 && !has_text) {
        ticks.clocks = 1u << guess_clock(result, options, sink);
    }
    af_sink_start(sink, &ticks);
    const packet_kind last = take_packets(
        s, p, header->clocks, (ticks.clocks & 1u << AF_WALL) != 0 ? AF_WALL : AF_CPU);
    if (last == UNKNOWN && result->packets == 0) {
        return FALSE;
    }
    const gboolean cut = last == CUT || last == UNKNOWN;
    if (!has_text && !cut) {
        af_sink_warn(sink, AF_WARN_NO_SUMMARY, 1, AF_NO_PLACE);
        sink->facts.truncated = TRUE;
    }
    sink->facts.truncated |= cut;
    sink->facts.threads_announced = g_hash_table_size(s->announced);
    af_keytext_take_methods(text, sink, UINT32_MAX, TRUE);
    af_keytext_take_threads(text, s->announced, TRUE, FALSE, sink);
    return TRUE;
}

static gboolean read_input(const af_source *source, const af_source *other,
                           const af_open_options *options, af_sink *sink, GError **error)
{
    (void)other;
    sink->facts.truncated = source->cut;
    af_v1_header header;
    if (source->length < HEADER) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "too short: the file is cut off inside its header");
        return FALSE;
    }
    if (!af_v1_header_read(&header, source->bytes, source->length, TRUE, sink, error)) {
        return FALSE;
    }
    sink->facts.container = AF_CONTAINER_V1_STREAMING;
    sink->undefined_are_proxies = TRUE;
    sink->total = source->length;
    packets p = {.end = source->bytes + source->length, .stride = header.size};
    p.at = header.offset == UINT32_MAX ? p.end : source->bytes + header.offset;
    if (header.version == 2) {
        p.stride = choose_stride(p);
        if (p.stride != header.size) {
            af_sink_warn(sink, AF_WARN_STRIDE_BUG, 1, AF_NO_PLACE);
        }
    }
    const walk_result result = walk(p, FALSE);
    af_source *beside =
        result.last == SUMMARY ? NULL : af_source_open_beside(source, NULL, ".sec", TRUE);
    af_keytext text;
    if (beside != NULL) {
        af_keytext_scan(&text, beside->bytes, beside->length);
    } else {
        af_keytext_scan(&text, (const uint8_t *)result.summary.bytes, result.summary.length);
    }
    stream *s = g_new0(stream, 1);
    s->sink = sink;
    s->begin = source->bytes;
    s->stride = p.stride;
    s->announced = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    const gboolean has_text = beside != NULL || result.last == SUMMARY;
    const gboolean ok = read_stream(s, p, &header, &result, &text, has_text, options);
    if (!ok) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the first packet of the stream is none that is known");
    }
    g_hash_table_unref(s->announced);
    g_free(s);
    af_keytext_clear(&text);
    af_source_free(beside);
    return ok;
}

const af_reader af_reader_streaming = {
    .name = "v1-streaming",
    .title = "Android method trace, streaming (0xF2, 0xF3)",
    .extensions = "trace",
    .detect = detect,
    .read = read_input,
};
