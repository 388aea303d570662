#include "read/perfetto/perfetto.h"

#include <math.h>
#include <string.h>

/* Types of track events. */
enum { NONE, BEGIN, END, INSTANT, COUNTER, STATE };

/* The most extra counters of one event. */
#define MOST_EXTRA 64u

/* A track event as the packet has it; fields of its old form have names of their own. */
typedef struct {
    const af_perfetto_packet *packet;
    int64_t ns;
    unsigned has; /* bits */
    unsigned type;
    uint64_t track, name_id, category_id;
    af_span name, category, annotation, legacy;
    unsigned n_categories;
    gboolean has_stack;
    int64_t delta_us, absolute_us, thread_delta_us, thread_absolute_us;
    double value;
    unsigned n_values, n_tracks, n_double_values, n_double_tracks;
    GString *joined; /* several categories, by name; NULL = at most one */
    /* from here on without values at first */
    double values[MOST_EXTRA], double_values[MOST_EXTRA];
    uint64_t tracks[MOST_EXTRA], double_tracks[MOST_EXTRA];
} track_event;

enum {
    HAS_TYPE = 1,
    HAS_TRACK = 2,
    HAS_DELTA = 4,
    HAS_ABSOLUTE = 8,
    HAS_THREAD_DELTA = 16,
    HAS_THREAD_ABSOLUTE = 32,
    HAS_VALUE = 64,
    HAS_FLOW = 128,
};

static double load_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* 0 if the value is not a number. */
static int64_t thousandths_of(double value)
{
    const double scaled = round(value * 1000);
    return isnan(scaled)     ? 0
           : scaled >= 9e18  ? INT64_MAX
           : scaled <= -9e18 ? INT64_MIN
                             : (int64_t)scaled;
}

static void append_category(track_event *e, af_span text)
{
    if (e->joined == NULL) {
        e->joined = g_string_new(NULL);
    } else {
        g_string_append_c(e->joined, ',');
    }
    af_span_append(e->joined, text);
}

static af_span name_category(const af_perfetto *p, const track_event *e, uint64_t id)
{
    return af_texts_get(p->texts,
                        af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_CATEGORY, id));
}

/* One category stays an id or a text; more are joined by commas. */
static void take_category(const af_perfetto *p, track_event *e, uint64_t id, af_span text)
{
    if (e->n_categories++ == 0) {
        e->category_id = id;
        e->category = text;
        return;
    }
    if (e->joined == NULL) {
        append_category(e, e->category_id != 0 ? name_category(p, e, e->category_id) : e->category);
    }
    append_category(e, id != 0 ? name_category(p, e, id) : text);
}

static void take_values(double *values, unsigned *n, const af_protobuf *f)
{
    if (f->field == 12) {
        for (af_packed v = af_packed_begin(f); af_packed_next(&v);) {
            if (*n < MOST_EXTRA) {
                values[(*n)++] = (double)(int64_t)v.number;
            }
        }
    } else if (f->wire == AF_WIRE_FIXED64) {
        if (*n < MOST_EXTRA) {
            values[(*n)++] = load_double(f->number);
        }
    } else {
        for (size_t i = 0; i + 8 <= f->length && *n < MOST_EXTRA; i += 8) {
            values[(*n)++] = load_double(af_load_u64(f->bytes + i));
        }
    }
}

static void take_tracks(uint64_t *tracks, unsigned *n, const af_protobuf *f)
{
    for (af_packed v = af_packed_begin(f); af_packed_next(&v);) {
        if (*n < MOST_EXTRA) {
            tracks[(*n)++] = v.number;
        }
    }
}

static void take_rare_field(track_event *e, const af_protobuf *f)
{
    switch (f->field) {
    case 1:
        e->delta_us = (int64_t)f->number;
        e->has |= HAS_DELTA;
        break;
    case 2:
        e->thread_delta_us = (int64_t)f->number;
        e->has |= HAS_THREAD_DELTA;
        break;
    case 16:
        e->absolute_us = (int64_t)f->number;
        e->has |= HAS_ABSOLUTE;
        break;
    case 17:
        e->thread_absolute_us = (int64_t)f->number;
        e->has |= HAS_THREAD_ABSOLUTE;
        break;
    case 12:
        take_values(e->values, &e->n_values, f);
        break;
    case 46:
        take_values(e->double_values, &e->n_double_values, f);
        break;
    case 31:
        take_tracks(e->tracks, &e->n_tracks, f);
        break;
    case 45:
        take_tracks(e->double_tracks, &e->n_double_tracks, f);
        break;
    case 30:
        e->value = (double)(int64_t)f->number;
        e->has |= HAS_VALUE;
        break;
    case 44:
        e->value = load_double(f->number);
        e->has |= HAS_VALUE;
        break;
    case 36:
    case 42:
    case 47:
    case 48:
        e->has |= HAS_FLOW;
        break;
    default:
        break;
    }
}

/* `f` stays in registers, for no function gets its address. */
static gboolean parse_event(const af_perfetto *p, track_event *e, const af_protobuf *field)
{
    af_protobuf f = af_protobuf_of(field), rare;
    while (af_protobuf_next(&f)) {
        switch (f.field) {
        case 9:
            e->type = (unsigned)f.number;
            e->has |= HAS_TYPE;
            break;
        case 10:
            e->name_id = f.number;
            break;
        case 11:
            e->track = f.number;
            e->has |= HAS_TRACK;
            break;
        case 23:
            e->name = (af_span){(const char *)f.bytes, f.length};
            break;
        case 3:
            if (f.wire == AF_WIRE_VARINT) {
                take_category(p, e, f.number, (af_span){NULL, 0});
            } else {
                rare = f;
                for (af_packed v = af_packed_begin(&rare); af_packed_next(&v);) {
                    take_category(p, e, v.number, (af_span){NULL, 0});
                }
            }
            break;
        case 22:
            take_category(p, e, 0, (af_span){(const char *)f.bytes, f.length});
            break;
        case 4:
            if (e->annotation.bytes == NULL) {
                e->annotation = (af_span){(const char *)f.bytes, f.length};
            }
            break;
        case 6:
            e->legacy = (af_span){(const char *)f.bytes, f.length};
            break;
        case 55:
        case 56:
            e->has_stack = TRUE;
            break;
        default:
            rare = f;
            take_rare_field(e, &rare);
            break;
        }
    }
    return !f.damaged;
}

static int64_t saturate_us(int64_t us)
{
    int64_t ns;
    return __builtin_mul_overflow(us, (int64_t)1000, &ns) ? INT64_MAX : ns;
}

/* Returns FALSE if the event has no time. */
static gboolean find_time(af_perfetto *p, track_event *e)
{
    af_perfetto_sequence *s = e->packet->sequence;
    int64_t monotonic_ns;
    if ((e->has & HAS_DELTA) != 0) {
        if (!s->has_reference ||
            __builtin_add_overflow(s->reference_us, e->delta_us, &s->reference_us)) {
            return FALSE;
        }
        monotonic_ns = saturate_us(s->reference_us);
    } else if ((e->has & HAS_ABSOLUTE) != 0 && e->absolute_us != 0) {
        monotonic_ns = saturate_us(e->absolute_us);
    } else {
        e->ns = e->packet->ns;
        return e->ns >= 0;
    }
    if (!af_perfetto_clocks_convert(p->clocks, AF_CLOCK_ID_MONOTONIC, monotonic_ns, &e->ns)) {
        e->ns = monotonic_ns;
    }
    return e->ns >= 0;
}

/* Sets the CPU time if the event has that of its thread. */
static void find_cpu(track_event *e, af_timeline_event *event)
{
    af_perfetto_sequence *s = e->packet->sequence;
    if ((e->has & HAS_THREAD_DELTA) != 0) {
        if (__builtin_add_overflow(s->thread_us, e->thread_delta_us, &s->thread_us)) {
            return;
        }
        event->cpu_ns = saturate_us(s->thread_us);
        event->cpu_kind = AF_NEST_CPU;
    } else if ((e->has & HAS_THREAD_ABSOLUTE) != 0) {
        event->cpu_ns = saturate_us(e->thread_absolute_us);
        event->cpu_kind = AF_NEST_CPU;
    }
}

static uint32_t find_category(af_perfetto *p, track_event *e, uint64_t *missing)
{
    *missing = 0;
    if (e->joined != NULL) {
        return af_texts_add(p->texts, af_span_of_string(e->joined));
    }
    if (e->category_id != 0) {
        const uint32_t category =
            af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_CATEGORY, e->category_id);
        *missing = category == AF_NO_TEXT ? e->category_id : 0;
        return category;
    }
    return e->category.bytes == NULL ? AF_NO_TEXT : af_texts_add(p->texts, e->category);
}

static void add_counter(af_perfetto *p, track_event *e, uint64_t uuid, double value)
{
    const af_perfetto_counter *counter = af_perfetto_find_counter(p, uuid);
    if (counter != NULL) {
        value *= counter->multiplier > 0 ? counter->multiplier : 1;
        if (counter->is_incremental) {
            value = af_perfetto_sequence_sum(e->packet->sequence, uuid, value);
        }
    }
    uint64_t missing;
    const af_timeline_event event = {.kind = AF_EVENT_COUNTER,
                                     .ns = e->ns,
                                     .a = af_timeline_track(p->timeline, uuid),
                                     .value = thousandths_of(value),
                                     .name = AF_NO_TEXT,
                                     .extra = find_category(p, e, &missing)};
    af_perfetto_add(p, e->packet, &event);
}

/* Takes extra counters; that of the thread's CPU time is the clock of the event. Returns FALSE if
 * there are more values than tracks. */
static gboolean take_extra(af_perfetto *p, track_event *e, const double *values, unsigned n,
                           const uint64_t *uuids, size_t n_uuids, af_timeline_event *event)
{
    if (n > n_uuids) {
        return FALSE;
    }
    for (unsigned i = 0; i < n; i++) {
        const af_perfetto_counter *counter = af_perfetto_find_counter(p, uuids[i]);
        if (counter == NULL || !counter->is_thread_time) {
            add_counter(p, e, uuids[i], values[i]);
            continue;
        }
        double value = values[i] * (counter->multiplier > 0 ? counter->multiplier : 1);
        if (counter->is_incremental) {
            value = af_perfetto_sequence_sum(e->packet->sequence, uuids[i], value);
        }
        event->cpu_ns = value > -4e18 && value < 4e18 ? (int64_t)value : 0;
        event->cpu_kind = AF_NEST_CPU;
    }
    return TRUE;
}

static gboolean take_all_extra(af_perfetto *p, track_event *e, af_timeline_event *event)
{
    if (e->n_values + e->n_double_values == 0) {
        return TRUE;
    }
    const af_perfetto_defaults *d = &e->packet->sequence->defaults;
    return take_extra(p, e, e->values, e->n_values, e->n_tracks > 0 ? e->tracks : d->counters.items,
                      e->n_tracks > 0 ? e->n_tracks : d->counters.n, event) &&
           take_extra(p, e, e->double_values, e->n_double_values,
                      e->n_double_tracks > 0 ? e->double_tracks : d->double_counters.items,
                      e->n_double_tracks > 0 ? e->n_double_tracks : d->double_counters.n, event);
}

static uint32_t find_track(af_perfetto *p, const track_event *e, const af_perfetto_legacy *l)
{
    const af_perfetto_sequence *s = e->packet->sequence;
    const uint64_t uuid = (e->has & HAS_TRACK) != 0 ? e->track
                          : s->defaults.has_track   ? s->defaults.track
                                                    : 0;
    if (l->pid != 0 || l->tid != 0) {
        return af_timeline_thread_track(p->timeline, l->pid != 0 ? l->pid : s->pid,
                                        l->tid != 0 ? l->tid : s->tid);
    }
    if (uuid == 0 && s->has_thread && (e->has & (HAS_TRACK | HAS_TYPE)) != (HAS_TRACK | HAS_TYPE)) {
        return af_timeline_thread_track(p->timeline, s->pid, s->tid);
    }
    return af_timeline_track(p->timeline, uuid);
}

static uint32_t find_name(af_perfetto *p, const track_event *e, const af_perfetto_legacy *l,
                          uint64_t *missing)
{
    const uint64_t id = e->name_id != 0 ? e->name_id : l->name_id;
    *missing = 0;
    if (id != 0) {
        const uint32_t name =
            af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_EVENT_NAME, id);
        *missing = name == AF_NO_TEXT ? id : 0;
        return af_perfetto_translate(p, FALSE, name);
    }
    return e->name.bytes == NULL ? AF_NO_TEXT
                                 : af_perfetto_translate(p, FALSE, af_texts_add(p->texts, e->name));
}

/* The text of the first annotation: a new name. */
static uint32_t read_annotated_text(af_perfetto *p, const track_event *e)
{
    const af_protobuf annotation = af_protobuf_message(e->annotation);
    af_protobuf f = af_protobuf_of(&annotation);
    while (e->annotation.bytes != NULL && af_protobuf_next(&f)) {
        if (f.field == 6) {
            return af_texts_add(p->texts, af_protobuf_text(&f));
        }
        if (f.field == 17) {
            return af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_STRING, f.number);
        }
    }
    return AF_NO_TEXT;
}

/* aflame's own traces have the CPU time of a call in an annotation of its end. FALSE if this is
 * another one. */
static gboolean read_cpu_annotation(const af_perfetto *p, const track_event *e,
                                    af_timeline_event *event)
{
    af_span name = {NULL, 0};
    uint64_t number = 0;
    gboolean has_number = FALSE;
    const af_protobuf annotation = af_protobuf_message(e->annotation);
    af_protobuf f = af_protobuf_of(&annotation);
    while (af_protobuf_next(&f)) {
        if (f.field == 1) {
            name = af_texts_get(
                p->texts,
                af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_ANNOTATION_NAME, f.number));
        } else if (f.field == 10) {
            name = af_protobuf_text(&f);
        } else if (f.field == 3 || f.field == 4) {
            number = f.number;
            has_number = TRUE;
        }
    }
    if (has_number && name.bytes != NULL && af_span_is(name, "cpu_ns") &&
        number <= (uint64_t)(INT64_MAX / 4)) {
        event->cpu_kind = AF_NEST_CPU_OF_SLICE;
        event->cpu_ns = (int64_t)number;
        return TRUE;
    }
    return FALSE;
}

static void take_metadata(af_perfetto *p, const track_event *e, const af_perfetto_legacy *l,
                          uint32_t name)
{
    const af_perfetto_sequence *s = e->packet->sequence;
    const af_span what = af_texts_get(p->texts, name);
    const gboolean of_process = af_span_is(what, "process_name");
    if (!of_process && !af_span_is(what, "thread_name")) {
        return;
    }
    const int64_t pid = l->pid != 0 ? l->pid : s->pid, tid = l->tid != 0 ? l->tid : s->tid;
    const af_timeline_event event = {.kind = of_process ? AF_EVENT_PROCESS : AF_EVENT_THREAD,
                                     .ns = e->ns,
                                     .a = (uint32_t)tid,
                                     .b = (uint32_t)pid,
                                     .name = read_annotated_text(p, e),
                                     .extra = of_process ? AF_PROCESS_BY_DESCRIPTOR
                                                         : AF_NAMED_BY_METADATA};
    af_perfetto_add(p, e->packet, &event);
}

/* The kind of event; AF_EVENT_MENTION = none that is drawn. */
static af_event_kind kind_of(const track_event *e, const af_perfetto_legacy *l)
{
    switch (l->phase != 0 ? (int64_t)l->phase : -(int64_t)e->type) {
    case 'B':
    case 'b':
    case 'S':
    case -BEGIN:
        return AF_EVENT_BEGIN;
    case 'E':
    case 'e':
    case 'F':
    case -END:
        return AF_EVENT_END;
    case 'X':
        return AF_EVENT_WHOLE;
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
    case 'p':
    case -INSTANT:
        return AF_EVENT_INSTANT;
    case -COUNTER:
        return AF_EVENT_COUNTER;
    case -STATE:
        /* [?] A state lasts until the next one on its track; without a name it only ends the one
         * before. Perfetto does not document these events yet. */
        return AF_EVENT_STATE;
    default:
        return AF_EVENT_MENTION;
    }
}

static void add_slice(af_perfetto *p, track_event *e, const af_perfetto_legacy *l)
{
    af_perfetto_late late = {.event = {.kind = (uint8_t)kind_of(e, l), .ns = e->ns}};
    af_timeline_event *event = &late.event;
    event->name = find_name(p, e, l, &late.name);
    event->extra = find_category(p, e, &late.category);
    find_cpu(e, event);
    if (!take_all_extra(p, e, event)) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, e->packet->offset);
        return;
    }
    if (l->phase == 'M') {
        take_metadata(p, e, l, event->name);
        return;
    }
    if (event->kind == AF_EVENT_MENTION) {
        return;
    }
    event->a = af_perfetto_is_async(l)
                   ? af_perfetto_async_track(p, e->packet->sequence, l, event->name, event->extra)
                   : find_track(p, e, l);
    const gboolean has_cpu = event->kind == AF_EVENT_END && e->annotation.bytes != NULL &&
                             read_cpu_annotation(p, e, event);
    if ((e->annotation.bytes != NULL && !has_cpu) || (e->has & HAS_FLOW) != 0) {
        af_sink_warn(p->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
    if (event->kind == AF_EVENT_WHOLE) {
        event->value = l->has_duration ? saturate_us(l->duration_us) : 0;
        if (l->has_thread_duration) {
            event->cpu_kind = AF_NEST_CPU_OF_SLICE;
            event->cpu_ns = MAX(saturate_us(l->thread_duration_us), 0);
        }
    }
    if (e->packet->clock == 0 && (late.name != 0 || late.category != 0)) {
        af_perfetto_add_late(p, e->packet, &late);
    } else {
        af_perfetto_add(p, e->packet, event);
    }
}

void af_perfetto_take_event(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    track_event e;
    static const af_perfetto_legacy none;
    af_perfetto_legacy parsed;
    const af_perfetto_legacy *legacy = &none;
    memset(&e, 0, offsetof(track_event, values));
    e.packet = packet;
    if (!packet->has_sequence) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, packet->offset);
        return;
    }
    if (!parse_event(p, &e, field)) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, packet->offset);
    } else if (!find_time(p, &e)) {
        af_sink_warn(p->sink, AF_WARN_BAD_TIME, 1, packet->offset);
    } else {
        if (e.legacy.bytes != NULL) {
            af_perfetto_parse_legacy(&parsed, e.legacy);
            legacy = &parsed;
        }
        if ((e.has & HAS_TYPE) != 0 && e.type == COUNTER && legacy->phase == 0) {
            if ((e.has & HAS_VALUE) != 0) {
                const uint64_t uuid =
                    (e.has & HAS_TRACK) != 0 ? e.track : packet->sequence->defaults.track;
                add_counter(p, &e, uuid, e.value);
            }
        } else {
            add_slice(p, &e, legacy);
        }
        if (e.has_stack) {
            af_perfetto_take_event_stack(p, packet, e.ns, find_track(p, &e, legacy), field);
        }
    }
    if (e.joined != NULL) {
        g_string_free(e.joined, TRUE);
    }
}
