#include "read/perfetto/perfetto.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error_pass.h"
#include "base/own_trace.h"
#include "read/held.h"

/* Field numbers of a packet; af_perfetto_kinds has the others. */
enum {
    SNAPSHOT = 6,
    TIME = 8,
    SEQUENCE = 10,
    TRACK_EVENT = 11,
    NAMES = 12,
    FLAGS = 13,
    CLEARED = 41,
    DROPPED = 42,
    CLOCK = 58,
    DEFAULTS = 59,
    MACHINE = 98,
    ZSTD = 133,
};

#define STATE_CLEARED 1
#define NEEDS_STATE   2

/* The most bytes of one compressed packet, unpacked. Perfetto fills about 512 KB. */
#define MOST_UNPACKED ((size_t)64 * 1024 * 1024)

/* Bytes unpacked at a time. */
#define STEP ((size_t)256 * 1024)

static gboolean grow(af_array *to, size_t n)
{
    return to->n + n <= MOST_UNPACKED && af_array_add(to, n) != NULL;
}

/* zlib or gzip. Keeps the intact part of damaged data. Sets to->failed if memory is refused. */
static gboolean inflate_packet(const uint8_t *bytes, size_t length, af_array *to)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)length};
    if (inflateInit2(&z, 15 + 32) != Z_OK) {
        to->failed = TRUE;
        return FALSE;
    }
    int state = Z_OK;
    while (state == Z_OK && grow(to, STEP)) {
        z.next_out = (Bytef *)to->items + to->n - STEP;
        z.avail_out = (uInt)STEP;
        state = inflate(&z, Z_NO_FLUSH);
        to->n -= z.avail_out;
        if (z.avail_in == 0 && z.avail_out > 0 && state == Z_OK) {
            state = Z_BUF_ERROR;
        }
    }
    inflateEnd(&z);
    to->failed |= state == Z_MEM_ERROR;
    return state == Z_STREAM_END;
}

static gboolean unpack_zstd(const uint8_t *bytes, size_t length, af_array *to)
{
    ZSTD_DStream *zstd = ZSTD_createDStream();
    ZSTD_inBuffer in = {bytes, length, 0};
    size_t left = zstd == NULL ? 0 : 1;
    gboolean ok = zstd != NULL;
    to->failed |= !ok;
    while (ok && left != 0 && grow(to, STEP)) {
        ZSTD_outBuffer out = {(uint8_t *)to->items + to->n - STEP, STEP, 0};
        left = ZSTD_decompressStream(zstd, &out, &in);
        to->n -= out.size - out.pos;
        ok = !ZSTD_isError(left) && !(left != 0 && in.pos == in.size && out.pos < out.size);
    }
    ZSTD_freeDStream(zstd);
    return ok && left == 0;
}

/* Takes the packets of a container. Returns FALSE if the last one is damaged. */
static gboolean take_packed(af_perfetto *p, const af_array *unpacked, uint64_t offset)
{
    af_protobuf f = af_protobuf_begin(unpacked->items, unpacked->n);
    while (!af_sink_is_stopped(p->sink) && af_protobuf_find(&f, 1)) {
        af_perfetto_take_packet(p, f.bytes, f.length, offset);
    }
    return !f.damaged;
}

static void take_compressed(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    af_array unpacked;
    if (p->depth > 0 || field->length > MOST_UNPACKED) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, packet->offset);
        return;
    }
    af_array_init_metered(&unpacked, 1, af_sink_meter(p->sink));
    gboolean ok = field->field == ZSTD ? unpack_zstd(field->bytes, field->length, &unpacked)
                                       : inflate_packet(field->bytes, field->length, &unpacked);
    af_sink_fail_if(p->sink, unpacked.failed);
    p->depth++;
    ok &= take_packed(p, &unpacked, packet->offset);
    p->depth--;
    if (!ok) {
        af_sink_warn(p->sink, AF_WARN_PACKED_RECORDS, 1, packet->offset);
    }
    af_array_clear(&unpacked);
}

typedef struct {
    af_timeline_event event;
    uint64_t clock;
} waiting_event;

void af_perfetto_add(af_perfetto *p, const af_perfetto_packet *packet,
                     const af_timeline_event *event)
{
    if (packet->clock == 0) {
        af_timeline_add(p->timeline, event);
        return;
    }
    const waiting_event waiting = {*event, packet->clock};
    p->waiting = p->waiting == NULL ? af_held_spool_new(p->sink) : p->waiting;
    if (p->error == NULL) {
        af_spool_add(p->waiting, (const uint8_t *)&waiting, sizeof waiting, &p->error);
    }
}

void af_perfetto_add_late(af_perfetto *p, const af_perfetto_packet *packet,
                          const af_perfetto_late *late)
{
    af_perfetto_interval *interval = af_perfetto_sequence_interval(p, packet->sequence);
    if (interval == NULL || packet->clock != 0) {
        p->n_unresolved++;
        if (late->stack == 0) {
            af_perfetto_add(p, packet, &late->event);
        }
        return;
    }
    af_array_append(&interval->late, late);
}

gboolean af_perfetto_add_waiting(af_perfetto *p, GError **error)
{
    uint64_t n_lost = 0;
    waiting_event waiting;
    while (p->error == NULL && p->waiting != NULL && p->waiting->length >= sizeof waiting) {
        memcpy(&waiting, p->waiting->bytes, sizeof waiting);
        af_spool_drop(p->waiting, sizeof waiting);
        if (af_perfetto_clocks_convert(p->clocks, waiting.clock, waiting.event.ns,
                                       &waiting.event.ns)) {
            af_timeline_add(p->timeline, &waiting.event);
        } else {
            n_lost++;
        }
    }
    if (n_lost > 0) {
        af_sink_warn(p->sink, AF_WARN_LOST_CLOCK, n_lost, AF_NO_OFFSET);
    }
    return af_error_pass(error, &p->error);
}

/* The result of the first pass over the fields of a packet. */
typedef struct {
    uint64_t time, sequence, flags, clock, dropped;
    gboolean has_time, has_clock, has_sequence, cleared;
    gboolean changes_state; /* there may be defaults, names or a snapshot of the clocks */
    uint64_t machine;
} packet_head;

static gboolean changes_state(unsigned field)
{
    return field == DEFAULTS || field == NAMES || field == SNAPSHOT;
}

/* Reads the fields that are numbers. Returns FALSE if the packet is damaged. */
static gboolean read_head(packet_head *head, const uint8_t *bytes, size_t length)
{
    af_protobuf f = af_protobuf_begin(bytes, length);
    while (af_protobuf_next(&f)) {
        switch (f.field) {
        case TIME:
            head->time = f.number;
            head->has_time = TRUE;
            break;
        case SEQUENCE:
            head->sequence = f.number;
            head->has_sequence = TRUE;
            break;
        case FLAGS:
            head->flags = f.number;
            break;
        case CLEARED:
            head->cleared = f.number != 0;
            break;
        case DROPPED:
            head->dropped = f.number;
            break;
        case CLOCK:
            head->clock = f.number;
            head->has_clock = f.number != 0;
            break;
        case MACHINE:
            head->machine = f.number;
            break;
        default:
            head->changes_state |= f.wire == AF_WIRE_BYTES && changes_state(f.field);
            break;
        }
    }
    return !f.damaged;
}

static void find_time(af_perfetto *p, af_perfetto_packet *packet, const packet_head *head)
{
    packet->has_time = head->has_time;
    if (!head->has_time) {
        packet->ns = p->latest_ns;
        return;
    }
    const uint64_t id = head->has_clock ? head->clock : packet->sequence->defaults.clock;
    const uint64_t key = id == 0 ? af_perfetto_clocks_default(p->clocks)
                                 : af_perfetto_clock_key(id, packet->sequence->id);
    const int64_t time =
        key == 0 ? (int64_t)MIN(head->time, (uint64_t)INT64_MAX)
                 : af_perfetto_clocks_step(p->clocks, key,
                                           (int64_t)MIN(head->time, (uint64_t)INT64_MAX));
    if (af_perfetto_clocks_convert(p->clocks, key, time, &packet->ns)) {
        p->latest_ns = MAX(p->latest_ns, packet->ns);
        p->first_ns = p->first_ns == INT64_MIN ? packet->ns : p->first_ns;
    } else {
        packet->clock = key;
        packet->ns = time;
    }
}

static void take_service_event(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field)
{
    af_protobuf f[3];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    p->started_ns = f[2].number != 0 && packet->clock == 0 ? packet->ns : p->started_ns;
}

static void take_range(af_perfetto *p, const af_perfetto_packet *packet, const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 1 && f.number <= (uint64_t)(INT64_MAX / 4000)) {
            af_timeline_set_start(p->timeline, (int64_t)f.number * 1000);
        }
    }
}

static void take_uuid(af_perfetto *p, const af_perfetto_packet *packet, const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        const unsigned facts = AF_TRACE_UUID_FACTS(f.number);
        if (f.field == 1 && f.number == (uint64_t)AF_TRACE_UUID_WITH(facts)) {
            af_timeline_set_own(p->timeline, facts);
            p->is_own = TRUE;
        }
    }
}

/* Taken into account elsewhere, or without content. */
static void ignore(af_perfetto *p, const af_perfetto_packet *packet, const af_protobuf *field)
{
}

const af_perfetto_kind af_perfetto_kinds[AF_PERFETTO_KINDS] = {
    [1] = {"ftrace", af_perfetto_take_ftrace},
    [2] = {"process trees", af_perfetto_take_process_tree},
    [5] = {"Chrome's old events", NULL},
    [7] = {"inode maps", NULL},
    [9] = {"process statistics", af_perfetto_take_process_stats},
    [11] = {"track events", af_perfetto_take_event},
    [33] = {"configuration", ignore},
    [34] = {"ftrace statistics", af_perfetto_take_ftrace_stats},
    [35] = {"trace statistics", af_perfetto_take_trace_stats},
    [36] = {"markers of synchronization", ignore},
    [37] = {"heap profiles", af_perfetto_take_heap},
    [38] = {"power", NULL},
    [39] = {"Android logs", NULL},
    [43] = {"process descriptions", af_perfetto_take_process},
    [44] = {"thread descriptions", af_perfetto_take_thread},
    [45] = {"system information", af_perfetto_take_system_info},
    [47] = {"packages", af_perfetto_take_packages},
    [50] = {"compressed", take_compressed},
    [51] = {"Chrome metadata", NULL},
    [53] = {"GPU counters", NULL},
    [54] = {"streaming profiles", af_perfetto_take_streaming_profile},
    [56] = {"Java heap graphs", af_perfetto_take_graph},
    [60] = {"tracks", af_perfetto_take_track},
    [61] = {"symbols", af_perfetto_take_symbols},
    [64] = {"real names", af_perfetto_take_real_names},
    [66] = {"perf samples", af_perfetto_take_perf_sample},
    [69] = {"service events", take_service_event},
    [76] = {"frame timelines", af_perfetto_take_frame},
    [82] = {"translations", af_perfetto_take_translation},
    [89] = {"identifiers", take_uuid},
    [90] = {"ranges of interest", take_range},
    [117] = {"task states", af_perfetto_take_task_state},
    [120] = {"task names", af_perfetto_take_task_name},
    [122] = {"task trees", af_perfetto_take_process_tree},
    [131] = {"out-of-memory reports", af_perfetto_take_memory_error},
    [ZSTD] = {"compressed with zstd", take_compressed},
    [135] = {"stack samples", af_perfetto_take_stack_sample},
};

/* Updates the state of the sequence: its interval, its defaults, its names. */
static void update_sequence(af_perfetto *p, const af_perfetto_packet *packet,
                            const packet_head *head)
{
    af_perfetto_sequence *s = packet->sequence;
    if ((head->flags & STATE_CLEARED) != 0 || head->cleared) {
        af_perfetto_sequence_clear(p, s);
    } else if (head->dropped != 0) {
        af_perfetto_sequence_forget(s);
    }
    if (head->dropped != 0 && s->begun) {
        af_sink_warn(p->sink, AF_WARN_LOST_PACKETS, 1, packet->offset);
        p->loss.losing_writers += !s->lost_packets;
        p->loss.packet_gaps++;
        p->loss.gap_causes |= head->dropped;
        s->lost_packets = TRUE;
    }
    if (!head->changes_state) {
        return;
    }
    af_protobuf defaults = af_protobuf_begin(packet->bytes, packet->length);
    while (af_protobuf_find(&defaults, DEFAULTS)) {
        af_perfetto_sequence_take_defaults(p, s, &defaults);
    }
    for (af_protobuf f = af_protobuf_begin(packet->bytes, packet->length); af_protobuf_next(&f);) {
        if (f.field == NAMES && f.wire == AF_WIRE_BYTES) {
            af_perfetto_sequence_take_names(p, s, &f);
        } else if (f.field == SNAPSHOT && f.wire == AF_WIRE_BYTES) {
            af_perfetto_clocks_take_snapshot(p->clocks, &f, s->id);
        }
    }
}

static void take_content(af_perfetto *p, const af_perfetto_packet *packet, gboolean is_skipped,
                         const af_protobuf *f)
{
    const unsigned kind = MIN(f->field, AF_PERFETTO_KINDS - 1);
    if (changes_state(f->field)) {
        return;
    }
    p->n_kinds[kind]++;
    p->kind_bytes[kind] += f->length;
    if (!is_skipped && f->field == TRACK_EVENT) {
        af_perfetto_take_event(p, packet, f);
    } else if (!is_skipped && af_perfetto_kinds[kind].take != NULL) {
        af_perfetto_kinds[kind].take(p, packet, f);
    }
}

void af_perfetto_take_packet(af_perfetto *p, const uint8_t *bytes, size_t length, uint64_t offset)
{
    packet_head head = {0};
    if (af_sink_has_failed(p->sink)) {
        return;
    }
    if (!read_head(&head, bytes, length)) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, offset);
        return;
    }
    if (head.machine != 0) { /* of another machine */
        af_sink_warn(p->sink, AF_WARN_OTHER_MACHINE, 1, offset);
        return;
    }
    af_perfetto_packet packet = {.bytes = bytes,
                                 .length = length,
                                 .offset = offset,
                                 .has_sequence = head.has_sequence,
                                 .sequence = af_perfetto_sequence_of(p, (uint32_t)head.sequence)};
    if (packet.sequence == NULL) {
        return;
    }
    if (head.changes_state || (head.flags & STATE_CLEARED) != 0 || head.cleared ||
        head.dropped != 0) {
        update_sequence(p, &packet, &head);
    }
    packet.sequence->begun = TRUE;
    find_time(p, &packet, &head);
    const gboolean is_skipped = ((head.flags & NEEDS_STATE) != 0) && !packet.sequence->valid;
    p->n_skipped += is_skipped;
    for (af_protobuf f = af_protobuf_begin(bytes, length); af_protobuf_next(&f);) {
        if (f.wire == AF_WIRE_BYTES) {
            take_content(p, &packet, is_skipped, &f);
        }
    }
}
