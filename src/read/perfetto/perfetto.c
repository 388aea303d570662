/* Perfetto traces: what Android's system tracing, ProfilingManager and heapprofd record, and what
 * programs write with the libraries of Perfetto. */
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "read/lines.h"
#include "read/reader.h"

/* Longer packets are damage: the service writes at most some megabytes. */
#define MOST_PACKET ((uint64_t)256 * 1024 * 1024)

/* The packets that detection looks at. */
#define MOST_SNIFFED 16u

#define PROGRESS_STEP ((size_t)1024 * 1024)

/* Whether many packets have a field with this number and wire type, unlike files of other formats. */
static gboolean is_typical(unsigned field, unsigned wire)
{
    static const uint8_t typical[] = {1, 2, 6, 11, 33, 35, 36, 45, 50, 60, 69, 133};
    if (field == 8 || field == 10) {
        return wire == AF_WIRE_VARINT;
    }
    return wire == AF_WIRE_BYTES && memchr(typical, (int)MIN(field, 255u), sizeof typical) != NULL;
}

typedef enum { STRANGE, NEUTRAL, TYPICAL } sniffed;

/* `is_cut`: the packet continues after these bytes. */
static sniffed sniff_packet(const uint8_t *bytes, size_t length, gboolean is_cut)
{
    gboolean typical = FALSE;
    af_protobuf f = af_protobuf_begin(bytes, length);
    while (af_protobuf_next(&f)) {
        if ((f.field == 1 || f.field == 2) && f.wire != AF_WIRE_BYTES) {
            return STRANGE; /* pprof */
        }
        typical |= is_typical(f.field, f.wire);
    }
    if (f.damaged && !is_cut) {
        return STRANGE;
    }
    /* a field that continues after the window was checked up to its length */
    typical |= f.damaged && f.wire == AF_WIRE_BYTES && f.field != 0 && is_typical(f.field, f.wire);
    return typical ? TYPICAL : NEUTRAL;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    const uint8_t *at = head, *const end = head + length;
    unsigned n_typical = 0;
    /* a line end is the tag of a packet, so blank text looks like packets */
    if (af_lines_are_blank(head, length)) {
        return 0;
    }
    for (unsigned i = 0; i < MOST_SNIFFED && at < end; i++) {
        uint64_t key, n = 0;
        if ((i == 0 && *at != 0x0A) || !af_uleb128(&at, end, &key) || key == 0) {
            return 0;
        }
        if (key != 0x0A) { /* a field that no version of the format has */
            af_protobuf other = {.at = at, .end = end, .wire = (unsigned)(key & 7)};
            if (!(other.wire == AF_WIRE_VARINT ? af_protobuf_varint(&other.at, end, &other.number)
                                               : af_protobuf_take_value(&other))) {
                break;
            }
            at = other.at;
            continue;
        }
        const gboolean has_length = af_uleb128(&at, end, &n);
        if ((!has_length && end - at >= AF_ULEB128_MAX) || n > MOST_PACKET) {
            return 0;
        }
        if (!has_length || at == end) {
            break;
        }
        const gboolean is_cut = n > (uint64_t)(end - at);
        const sniffed found = sniff_packet(at, is_cut ? (size_t)(end - at) : (size_t)n, is_cut);
        if (found == STRANGE) { /* damage, after packets that only a Perfetto trace has */
            return n_typical >= 3 ? 60 : 0;
        }
        n_typical += found == TYPICAL;
        if (is_cut) {
            break;
        }
        at += n;
    }
    return n_typical > 0 ? 95 : more && length > 0 && head[0] == 0x0A ? AF_UNSURE : 0;
}

typedef enum { TAKEN, SHORT, DAMAGED } taken;

/* Takes the next field of the file at *at. Fields other than packets are skipped. SHORT: it needs
 * `wanted` bytes. */
static taken take_field(af_perfetto *p, const uint8_t **at, const uint8_t *end, uint64_t offset,
                        uint64_t *wanted)
{
    af_protobuf f = af_protobuf_begin(*at, (size_t)(end - *at));
    if (af_protobuf_next(&f)) {
        if (f.field == 1 && f.wire == AF_WIRE_BYTES) {
            af_perfetto_take_packet(p, f.bytes, f.length, offset);
        }
        *at = f.at;
        return TAKEN;
    }
    const uint8_t *next = *at;
    uint64_t key = 0, length = 0;
    const gboolean has_key = af_protobuf_varint(&next, end, &key);
    *wanted = 1;
    if (f.field == 0) { /* no valid tag */
        return has_key || end - *at > AF_ULEB128_MAX ? DAMAGED : SHORT;
    }
    const gboolean has_length = f.wire == AF_WIRE_BYTES && af_protobuf_varint(&next, end, &length);
    const gboolean is_valid = f.wire == AF_WIRE_VARINT || f.wire == AF_WIRE_FIXED64 ||
                              f.wire == AF_WIRE_BYTES || f.wire == AF_WIRE_FIXED32;
    if (!is_valid || length > MOST_PACKET || (!has_length && end - f.at > AF_ULEB128_MAX)) {
        return DAMAGED;
    }
    *wanted += (uint64_t)(next - *at) + length;
    return SHORT;
}

static gboolean take_file(af_perfetto *p, af_source *source, GError **error)
{
    for (;;) {
        const uint8_t *at = source->bytes, *const end = at + source->length;
        const uint8_t *const far = at + MIN(source->length, PROGRESS_STEP);
        taken result = TAKEN;
        uint64_t wanted = 1;
        while (at < far && result == TAKEN) {
            result =
                take_field(p, &at, end, source->offset + (uint64_t)(at - source->bytes), &wanted);
        }
        const size_t n = (size_t)(at - source->bytes);
        af_source_skip(source, n);
        if (!af_sink_advance(p->sink, n)) {
            return TRUE;
        }
        if (result == DAMAGED) {
            af_sink_warn(p->sink, AF_WARN_BAD_RECORDS, 1, source->offset);
            af_sink_facts(p->sink)->recording.truncated = TRUE;
            return TRUE;
        }
        if (result == TAKEN && source->length > 0) {
            continue;
        }
        if (!source->more) {
            if (source->length > 0 || source->cut) {
                af_sink_facts(p->sink)->recording.truncated = TRUE;
                af_sink_warn(p->sink, AF_WARN_TRUNCATED, 1, source->offset);
            }
            return TRUE;
        }
        const size_t reach = MAX((size_t)wanted, source->length + 1);
        if (!af_source_reach(source, MAX(reach, af_source_default_window(source)), error)) {
            return FALSE;
        }
    }
}

static gboolean finish(af_perfetto *p, GError **error)
{
    af_perfetto_heaps_end(p);
    af_perfetto_sequences_finish(p);
    if (!af_perfetto_add_waiting(p, error)) {
        return FALSE;
    }
    af_perfetto_graphs_end(p);
    af_perfetto_finish_frames(p);
    if (p->started_ns != INT64_MIN && !p->keep_early) {
        af_timeline_set_kernel_start(p->timeline, p->started_ns);
    }
    if (p->n_stackless > 0) {
        af_sink_warn(p->sink, AF_WARN_STACKLESS, p->n_stackless, AF_NO_OFFSET);
    }
    int64_t date_ns, at_ns;
    if (af_perfetto_clocks_date(p->clocks, &date_ns, &at_ns)) {
        af_recording_facts *recording = &af_sink_facts(p->sink)->recording;
        recording->has_start = TRUE;
        recording->start = (uint64_t)(date_ns / 1000);
        recording->start_tick_ns = 1000;
    }
    const gboolean ok = af_perfetto_finish_content(p, error);
    af_perfetto_report_loss(p);
    return ok;
}

static void begin(af_perfetto *p, af_source *source, const af_open_options *options, af_sink *sink)
{
    af_meter *const meter = af_sink_meter(sink);
    af_sink_set_format(sink, "perfetto", "Perfetto trace", NULL);
    af_sink_set_total(sink, af_source_total(source));
    p->sink = sink;
    p->options = options;
    p->timeline = af_timeline_new(sink, options);
    p->texts = af_timeline_texts(p->timeline);
    p->clocks = af_perfetto_clocks_new(sink);
    p->stacks = af_perfetto_stacks_new(p);
    p->started_ns = INT64_MIN;
    p->latest_ns = 0;
    p->first_ns = INT64_MIN;
    af_idtable_init(&p->sequences, sizeof(af_perfetto_sequence *), meter);
    af_idtable_init(&p->counters, sizeof(af_perfetto_counter), meter);
    af_idtable_init(&p->slice_names, sizeof(uint32_t), meter);
    af_idtable_init(&p->track_names, sizeof(uint32_t), meter);
    af_idtable_init(&p->packages, sizeof(uint32_t), meter);
    af_idtable_init(&p->users, sizeof(uint64_t), meter);
    af_array_init_metered(&p->cpus, sizeof(af_perfetto_cpu), meter);
    af_array_init_metered(&p->running, sizeof(uint32_t), meter);
    af_array_init_metered(&p->sessions, sizeof(af_perfetto_session), meter);
}

static void end(af_perfetto *p)
{
    af_perfetto_sequences_free(p);
    af_spool_free(p->waiting);
    g_clear_error(&p->error);
    af_perfetto_heaps_free(p->heaps);
    af_perfetto_graphs_free(p->graphs);
    af_perfetto_stacks_free(p->stacks);
    af_perfetto_clocks_free(p->clocks);
    af_timeline_free(p->timeline);
    af_idtable *const tables[] = {&p->counters, &p->slice_names, &p->track_names, &p->packages,
                                  &p->users};
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        af_idtable_clear(tables[i]);
    }
    AF_ARRAYS_CLEAR(&p->cpus, &p->running, &p->sessions, &p->frame_events);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    g_autofree af_perfetto *p = g_new0(af_perfetto, 1);
    begin(p, source, options, sink);
    const gboolean ok =
        take_file(p, source, error) && (af_sink_has_failed(sink) || finish(p, error));
    end(p);
    return ok;
}

const af_reader af_reader_perfetto = {
    .name = "perfetto",
    .title = "Perfetto traces: stack samples, heaps, slices",
    .extensions = "perfetto-trace pftrace perfetto perfetto-stack-sample perfetto-heap-profile "
                  "perfetto-java-heap-dump heapprofd",
    .detect = detect,
    .read = read_input,
};
