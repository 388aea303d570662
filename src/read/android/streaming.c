/* V1 streaming: a header, then records and control packets in any order. Written by --streaming and
 * by recordings of Android Studio since Android 6. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "read/android/keytext.h"
#include "read/android/v1data.h"

#define HEADER 32u
#define BATCH  1024

typedef enum { RECORD, METHOD, THREAD, SUMMARY, END, CUT, UNKNOWN } packet_kind;

typedef struct {
    packet_kind kind;
    const uint8_t *at; /* the start of the packet */
    uint32_t thread;   /* RECORD, THREAD */
    af_span text;      /* METHOD, THREAD, SUMMARY */
} packet;

typedef struct {
    const uint8_t *at, *end;
    uint32_t stride;
} packets;

/* Reads a text after its length of `width` bytes. Returns FALSE if the input ends first. */
static gboolean take_text(packets *p, const uint8_t *at, unsigned width, af_span *text)
{
    if ((size_t)(p->end - at) < width) {
        return FALSE;
    }
    const size_t length = width == 2 ? af_load_u16(at) : af_load_u32(at);
    if ((size_t)(p->end - at) - width < length) {
        return FALSE;
    }
    *text = (af_span){(const char *)at + width, length};
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

/* ---- the first pass: summary, stride and clock ---- */

typedef struct {
    packet_kind last; /* why the pass ended; METHOD = an invalid method packet */
    uint64_t packets;
    af_span summary;
    uint64_t changes, backward; /* record pairs of different threads; those with decreasing times */
} walk_result;

static gboolean is_method_line(af_span text)
{
    const char *tab = text.length == 0 ? NULL : memchr(text.bytes, '\t', text.length);
    uint64_t id;
    af_method_text method;
    return tab != NULL && text.bytes[text.length - 1] == '\n' &&
           af_keytext_parse_method(text.bytes, text.length - 1, &id, &method);
}

/* Walks all packets. With `strict`, an invalid method packet or a record of a thread without a
 * THREAD packet ends the walk: the stride is wrong. */
static walk_result walk(packets p, gboolean strict)
{
    walk_result result = {0};
    g_autofree guint8 *announced = g_malloc0(65536);
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
    return result;
}

/* Android 6 to 13 wrote 14 bytes per record of a single-clock stream whose header declares 10. The
 * right stride leads to the summary; if neither does, the stride that gets further before the first
 * contradiction is right. */
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

/* ---- the second pass: everything ---- */

typedef struct {
    af_sink *sink;
    af_sink_ids ids; /* of the sink */
    af_source *source;
    packets packets; /* in the window */
    af_v1_header header;
    af_event batch[BATCH];
    size_t filled;
    uint64_t batch_offset;
    af_thread_names announced; /* names from THREAD packets */
    uint64_t n_packets;        /* except the summary */
    gboolean has_before;       /* a METHOD packet followed the last record: */
    uint64_t before_id;
    af_source *sibling; /* the text of a stream without a summary */
    gboolean has_facts; /* the facts were read */
    gboolean stopped;   /* the sink needs no more */
    GError *error;      /* of the source */
} stream;

static uint64_t offset_of(const stream *s, const uint8_t *at)
{
    return s->source->offset + (uint64_t)(at - s->source->bytes);
}

/* Extends the window, which then starts with the next packet. Returns FALSE, without moving the
 * window, at the end of the input, or with s->error. */
static gboolean reach_more(stream *s)
{
    af_source *source = s->source;
    const size_t offset = (size_t)(s->packets.at - source->bytes);
    const size_t left = source->length - offset;
    if (!source->more || s->error != NULL) {
        return FALSE;
    }
    af_source_skip(source, offset);
    const gboolean ok =
        af_source_reach(source, MAX(af_source_default_window(source), left * 2), &s->error);
    s->packets.at = source->bytes;
    s->packets.end = source->bytes + source->length;
    return ok;
}

/* Reads the next packet, extending the window until it is complete. */
static packet_kind take_packet(stream *s, packet *next)
{
    while (next_packet(&s->packets, next) == CUT || next->kind == END) {
        if (!reach_more(s)) {
            break;
        }
    }
    return next->kind;
}

static void take_facts(stream *s, af_span summary)
{
    af_keytext text;
    if (!s->has_facts) {
        af_keytext_scan(&text, (const uint8_t *)summary.bytes, summary.length);
        af_keytext_take_facts(&text, FALSE, s->sink);
        af_keytext_clear(&text);
    }
    s->has_facts = TRUE;
}

/* Returns the .sec file next to a stream without a summary. */
static af_span find_sibling(stream *s)
{
    if (s->sibling == NULL) {
        GError *reason = NULL;
        if (!af_source_open_sibling(s->source, ".sec", TRUE, &s->sibling, &reason) ||
            (s->sibling != NULL && !af_source_reach_end(s->sibling, &reason))) {
            g_clear_pointer(&s->sibling, af_source_free);
        }
        /* a damaged one is ignored */
        if (s->error == NULL && reason != NULL && reason->code != AF_ERROR_DAMAGED) {
            s->error = g_steal_pointer(&reason);
        }
        g_clear_error(&reason);
    }
    return s->sibling == NULL ? (af_span){NULL, 0}
                              : (af_span){(const char *)s->sibling->bytes, s->sibling->length};
}

/* The duration of the recording is at its end, and matters earlier only if a clock seems to wrap.
 * Then everything up to the end is brought into the window. */
static void look_ahead(void *user, af_ticks *ticks)
{
    stream *s = user;
    packet next;
    const size_t offset = (size_t)(s->packets.at - s->source->bytes);
    size_t length = s->source->length;
    for (;;) {
        packets ahead = s->packets;
        while (next_packet(&ahead, &next) == RECORD || next.kind == METHOD || next.kind == THREAD) {
        }
        if (next.kind == SUMMARY || next.kind == UNKNOWN || !s->source->more || s->error != NULL ||
            !af_source_reach(s->source, length * 2, &s->error)) {
            break;
        }
        length = s->source->length;
        s->packets.at = s->source->bytes + offset;
        s->packets.end = s->source->bytes + length;
    }
    take_facts(s, next.kind == SUMMARY ? next.text : find_sibling(s));
    const af_ticks known = af_v1_ticks(&s->header, s->sink);
    ticks->has_elapsed = known.has_elapsed;
    ticks->elapsed_ticks = known.elapsed_ticks;
}

/* The window may move: pointers into it become invalid. */
static gboolean flush(stream *s)
{
    s->stopped =
        !af_sink_events(s->sink, s->batch, s->filled, s->batch_offset, s->packets.stride) ||
        s->error != NULL;
    s->filled = 0;
    return !s->stopped;
}

static void take_method(stream *s, af_span text)
{
    uint64_t id;
    af_method_text method;
    text.length -= text.length > 0 && text.bytes[text.length - 1] == '\n';
    if (!af_keytext_parse_method(text.bytes, text.length, &id, &method)) {
        return;
    }
    s->before_id = id & UINT32_MAX & ~UINT64_C(3);
    s->has_before = method.class_name.length + method.name.length > 0;
    if (s->has_before) {
        af_sink_define_method(s->sink, s->before_id, &method, TRUE);
    }
}

static void take_record(stream *s, const packet *next, af_clock single)
{
    const uint32_t word = af_load_u32(next->at + 2);
    const uint32_t known = s->ids.methods->n;
    const uint32_t method = af_sink_ids_method(&s->ids, word & ~3u);
    if (method >= known && s->has_before && s->before_id == (uint64_t)(word & ~3u) + 4) {
        const af_method_text text =
            *af_sink_method_text(s->sink, af_sink_method(s->sink, s->before_id));
        af_sink_set_proxy(s->sink, method, &text);
    }
    s->has_before = FALSE;
    if (s->filled == 0) {
        s->batch_offset = offset_of(s, next->at);
    }
    af_event *event = &s->batch[s->filled++];
    event->thread = af_sink_ids_thread(&s->ids, next->thread);
    event->call = af_event_call(method, word & 3u);
    af_v1_times(next->at + 6, s->header.clocks, single, event);
}

/* Reads packets up to the summary or the end, which *last receives. END also if it is time to
 * stop. */
static packet_kind take_packets(stream *s, af_clock single, packet *last)
{
    for (;; s->n_packets++) {
        const packet_kind kind = take_packet(s, last);
        if (kind == RECORD) {
            take_record(s, last, single);
            if (s->filled == BATCH && !flush(s)) {
                return last->kind = END;
            }
            continue;
        }
        if (s->filled > 0) {
            /* offsets count from the first record of a batch, so a packet between records ends
             * it */
            s->packets.at = last->at;
            if (!flush(s)) {
                return last->kind = END;
            }
            take_packet(s, last);
        }
        if (kind == METHOD) {
            take_method(s, last->text);
        } else if (kind == THREAD) {
            af_thread_names_add(&s->announced, last->thread, last->text);
        } else {
            return kind;
        }
        if (s->error != NULL) {
            return last->kind = END;
        }
    }
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    if (length < 6 || memcmp(head, "SLOW", 4) != 0) {
        return 0;
    }
    const unsigned version = af_load_u16(head + 4);
    return version == 0xF2 || version == 0xF3 ? AF_SURE : 0;
}

/* The clock of a single-clock stream that declares none: wall time almost never decreases from one
 * thread to the next. */
static af_clock guess_clock(const walk_result *result, const af_open_options *options,
                            af_sink *sink)
{
    if (options->clock != AF_CLOCK_DEFAULT) {
        return options->clock;
    }
    af_sink_warn(sink, AF_WARN_CLOCK_GUESSED, 1, AF_NO_OFFSET);
    return result->backward * 10 < result->changes || result->changes == 0 ? AF_WALL : AF_CPU;
}

/* Those in the window; none where the header says that they begin after the end of the file. */
static packets all_packets(const stream *s)
{
    const af_source *source = s->source;
    const size_t offset = MIN(s->header.offset, source->length);
    return (packets){source->bytes + offset, source->bytes + source->length, s->header.size};
}

/* The clock and the record length of a single-clock stream can be determined only from the whole
 * stream. */
static gboolean look_first(stream *s, const af_open_options *options, af_ticks *ticks)
{
    af_source *source = s->source;
    if (!af_source_reach_end(source, &s->error)) {
        return FALSE;
    }
    packets *p = &s->packets;
    *p = all_packets(s);
    if (s->header.version == 2) {
        p->stride = choose_stride(*p);
        if (p->stride != s->header.size) {
            af_sink_warn(s->sink, AF_WARN_STRIDE_BUG, 1, AF_NO_OFFSET);
        }
    }
    const walk_result result = walk(*p, FALSE);
    const af_span text = result.last == SUMMARY ? result.summary : find_sibling(s);
    take_facts(s, text);
    *ticks = af_v1_ticks(&s->header, s->sink);
    if (s->header.version == 2 && result.last != SUMMARY && s->sibling == NULL) {
        ticks->clocks = 1u << guess_clock(&result, options, s->sink);
    }
    return TRUE;
}

/* Takes the text at the end, and how the stream ended. */
static void take_end(stream *s, const packet *last)
{
    af_sink *sink = s->sink;
    const af_span summary = last->kind == SUMMARY ? last->text : find_sibling(s);
    const gboolean has_text = last->kind == SUMMARY || s->sibling != NULL;
    const gboolean cut = last->kind == CUT || last->kind == UNKNOWN;
    take_facts(s, summary);
    const af_ticks ticks = af_v1_ticks(&s->header, sink);
    af_sink_set_elapsed(sink, &ticks);
    if (cut) {
        af_sink_facts(sink)->counts.dropped_partial = last->kind == CUT;
        af_sink_warn(sink, last->kind == CUT ? AF_WARN_TRUNCATED : AF_WARN_UNKNOWN_PACKET, 1,
                     offset_of(s, last->at));
    } else if (!has_text) {
        af_sink_warn(sink, AF_WARN_NO_SUMMARY, 1, AF_NO_OFFSET);
    }
    af_sink_facts(sink)->recording.truncated |= cut || !has_text;
    af_sink_facts(sink)->android.threads_announced = af_thread_names_size(&s->announced);
    af_keytext text;
    af_keytext_scan(&text, (const uint8_t *)summary.bytes, summary.length);
    af_keytext_take_methods(&text, sink, UINT32_MAX, TRUE);
    af_keytext_take_threads(&text, &s->announced, TRUE, FALSE, sink);
    af_keytext_clear(&text);
}

/* Bytes after the summary are ignored, but the input is read to its end. */
static gboolean pass_rest(stream *s, const packet *last)
{
    if (last->kind == SUMMARY && s->packets.at == s->packets.end) {
        reach_more(s);
    }
    if (last->kind == SUMMARY && s->packets.at < s->packets.end) {
        af_sink_warn(s->sink, AF_WARN_AFTER_SUMMARY, 1, offset_of(s, s->packets.at));
    }
    if (s->error == NULL && af_source_drain(s->source, &s->error)) {
        af_sink_facts(s->sink)->recording.truncated |= s->source->cut;
    }
    return s->error == NULL;
}

static gboolean read_stream(stream *s, const af_open_options *options)
{
    af_ticks ticks = af_v1_ticks(&s->header, s->sink);
    if (s->header.clocks == 2) {
        s->packets = all_packets(s);
        ticks.ask = look_ahead;
        ticks.user = s;
    } else if (!look_first(s, options, &ticks)) {
        return FALSE;
    }
    ticks.most_records = af_source_total(s->source) / s->header.size;
    af_sink_start(s->sink, &ticks);
    packet last;
    const packet_kind kind =
        take_packets(s, (ticks.clocks & 1u << AF_WALL) != 0 ? AF_WALL : AF_CPU, &last);
    if (s->stopped || s->error != NULL) {
        return s->error == NULL; /* otherwise af_sink_finish() reports the reason */
    }
    if (kind == UNKNOWN && s->n_packets == 0) {
        g_set_error_literal(&s->error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the first packet of the stream is of an unknown kind");
        return FALSE;
    }
    take_end(s, &last);
    return pass_rest(s, &last);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    if (source->length < HEADER) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "too short: the file ends inside its header");
        return FALSE;
    }
    g_autofree stream *s = g_new0(stream, 1);
    /* up to the first packet, which may be far into the file */
    gboolean ok = af_source_reach(source, af_load_u16(source->bytes + 6), error) &&
                  af_v1_header_read(&s->header, source->bytes, source->length, TRUE, sink, error);
    if (ok) {
        af_sink_facts(sink)->container = AF_CONTAINER_V1_STREAMING;
        af_sink_set_undefined(sink, AF_UNDEFINED_PROXY);
        af_sink_set_total(sink, af_source_total(source));
        s->sink = sink;
        s->ids = af_sink_borrow_ids(sink);
        s->source = source;
        af_thread_names_init(&s->announced);
        ok = read_stream(s, options);
        if (s->error != NULL) {
            g_propagate_error(error, g_steal_pointer(&s->error));
        }
        af_thread_names_clear(&s->announced);
        af_source_free(s->sibling);
    }
    return ok;
}

const af_reader af_reader_streaming = {
    .name = "v1-streaming",
    .title = "Android method trace, streaming (0xF2, 0xF3)",
    .extensions = "trace",
    .detect = detect,
    .read = read_input,
};
