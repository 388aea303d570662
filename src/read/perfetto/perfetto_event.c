#include "read/perfetto/perfetto.h"

#include <math.h>
#include <string.h>

/* Types of track events. */
enum { NONE, BEGIN, END, INSTANT, COUNTER, STATE };

/* The most extra counters of one event. */
#define MOST_EXTRA 64u

/* Fields of a track event. Counters have whole values or doubles. */
enum {
    DELTA_US = 1,
    THREAD_DELTA_US = 2,
    CATEGORY_ID = 3,
    ANNOTATION = 4,
    LEGACY = 6,
    TYPE = 9,
    NAME_ID = 10,
    TRACK = 11,
    EXTRA_VALUES = 12,
    ABSOLUTE_US = 16,
    THREAD_ABSOLUTE_US = 17,
    CATEGORY = 22,
    NAME = 23,
    VALUE = 30,
    EXTRA_TRACKS = 31,
    OLD_FLOW = 36,
    OLD_END_OF_FLOW = 42,
    DOUBLE_VALUE = 44,
    EXTRA_DOUBLE_TRACKS = 45,
    EXTRA_DOUBLE_VALUES = 46,
    FLOW = 47,
    END_OF_FLOW = 48,
    STACK = 55,
    STACK_ID = 56,
    FIELDS
};

#define BIT(field) (UINT64_C(1) << (field))
#define FLOWS      (BIT(OLD_FLOW) | BIT(OLD_END_OF_FLOW) | BIT(FLOW) | BIT(END_OF_FLOW))

typedef struct {
    const af_perfetto_packet *packet;
    int64_t ns;
    uint64_t has;            /* bits of the fields that the event has */
    uint64_t number[FIELDS]; /* of fields that have one */
    uint64_t category_id;
    af_span name, category, annotation, legacy;
    unsigned n_categories;
    GString *joined;                   /* several categories, by name; NULL = at most one */
    unsigned n_values[2], n_tracks[2]; /* of extra counters: whole, double */
    /* from here on without values at first */
    double values[2][MOST_EXTRA];
    uint64_t tracks[2][MOST_EXTRA];
} track_event;

static gboolean has(const track_event *e, unsigned field)
{
    return (e->has & BIT(field)) != 0;
}

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

static void take_double(track_event *e, uint64_t bits)
{
    if (e->n_values[TRUE] < MOST_EXTRA) {
        e->values[TRUE][e->n_values[TRUE]++] = load_double(bits);
    }
}

/* Takes values or tracks of extra counters. */
static void take_list(track_event *e, const af_protobuf *f)
{
    const gboolean is_double = f->field >= EXTRA_DOUBLE_TRACKS;
    if (f->field == EXTRA_DOUBLE_VALUES) {
        for (size_t i = 0; i + 8 <= f->length; i += 8) {
            take_double(e, af_load_u64(f->bytes + i));
        }
        if (f->wire == AF_WIRE_FIXED64) {
            take_double(e, f->number);
        }
        return;
    }
    unsigned *n = f->field == EXTRA_VALUES ? e->n_values : &e->n_tracks[is_double];
    for (af_packed v = af_packed_begin(f); af_packed_next(&v) && *n < MOST_EXTRA; (*n)++) {
        if (f->field == EXTRA_VALUES) {
            e->values[FALSE][*n] = (double)(int64_t)v.number;
        } else {
            e->tracks[is_double][*n] = v.number;
        }
    }
}

/* `f` stays in registers, for no function gets its address. */
static gboolean parse_event(const af_perfetto *p, track_event *e, const af_protobuf *field)
{
    af_protobuf f = af_protobuf_of(field), rare;
    while (af_protobuf_next(&f)) {
        if (f.field >= FIELDS) {
            continue;
        }
        e->has |= BIT(f.field);
        switch (f.field) {
        case NAME:
            e->name = (af_span){(const char *)f.bytes, f.length};
            break;
        case CATEGORY_ID:
            if (f.wire == AF_WIRE_VARINT) {
                take_category(p, e, f.number, (af_span){NULL, 0});
            } else {
                rare = f;
                for (af_packed v = af_packed_begin(&rare); af_packed_next(&v);) {
                    take_category(p, e, v.number, (af_span){NULL, 0});
                }
            }
            break;
        case CATEGORY:
            take_category(p, e, 0, (af_span){(const char *)f.bytes, f.length});
            break;
        case ANNOTATION:
            if (e->annotation.bytes == NULL) {
                e->annotation = (af_span){(const char *)f.bytes, f.length};
            }
            break;
        case LEGACY:
            e->legacy = (af_span){(const char *)f.bytes, f.length};
            break;
        case EXTRA_VALUES:
        case EXTRA_TRACKS:
        case EXTRA_DOUBLE_TRACKS:
        case EXTRA_DOUBLE_VALUES:
            rare = f;
            take_list(e, &rare);
            break;
        default:
            e->number[f.field] = f.number;
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
    if (has(e, DELTA_US)) {
        if (!s->has_reference ||
            __builtin_add_overflow(s->reference_us, (int64_t)e->number[DELTA_US],
                                   &s->reference_us)) {
            return FALSE;
        }
        monotonic_ns = saturate_us(s->reference_us);
    } else if (e->number[ABSOLUTE_US] != 0) {
        monotonic_ns = saturate_us((int64_t)e->number[ABSOLUTE_US]);
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
    if (has(e, THREAD_DELTA_US)) {
        if (__builtin_add_overflow(s->thread_us, (int64_t)e->number[THREAD_DELTA_US],
                                   &s->thread_us)) {
            return;
        }
        event->cpu_ns = saturate_us(s->thread_us);
        event->cpu_kind = AF_NEST_CPU;
    } else if (has(e, THREAD_ABSOLUTE_US)) {
        event->cpu_ns = saturate_us((int64_t)e->number[THREAD_ABSOLUTE_US]);
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

/* The value of a counter in its unit. */
static double scale_counter(const track_event *e, const af_perfetto_counter *counter, uint64_t uuid,
                            double value)
{
    value *= counter->multiplier > 0 ? counter->multiplier : 1;
    return counter->is_incremental ? af_perfetto_sequence_sum(e->packet->sequence, uuid, value)
                                   : value;
}

static void add_counter(af_perfetto *p, track_event *e, uint64_t uuid, double value)
{
    const af_perfetto_counter *counter = af_perfetto_find_counter(p, uuid);
    if (counter != NULL) {
        value = scale_counter(e, counter, uuid, value);
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
static gboolean take_extra(af_perfetto *p, track_event *e, gboolean is_double,
                           af_timeline_event *event)
{
    const af_array *defaults = &e->packet->sequence->defaults.counters[is_double];
    const gboolean own = e->n_tracks[is_double] > 0;
    const uint64_t *uuids = own ? e->tracks[is_double] : defaults->items;
    if (e->n_values[is_double] > (own ? e->n_tracks[is_double] : defaults->n)) {
        return FALSE;
    }
    for (unsigned i = 0; i < e->n_values[is_double]; i++) {
        double value = e->values[is_double][i];
        const af_perfetto_counter *counter = af_perfetto_find_counter(p, uuids[i]);
        if (counter == NULL || !counter->is_thread_time) {
            add_counter(p, e, uuids[i], value);
            continue;
        }
        value = scale_counter(e, counter, uuids[i], value);
        event->cpu_ns = value > -4e18 && value < 4e18 ? (int64_t)value : 0;
        event->cpu_kind = AF_NEST_CPU;
    }
    return TRUE;
}

/* The track of the event, or that of its sequence; 0 = neither. */
static uint64_t find_uuid(const track_event *e)
{
    return has(e, TRACK) ? e->number[TRACK] : e->packet->sequence->defaults.track;
}

static uint32_t find_track(af_perfetto *p, const track_event *e, const af_protobuf *l)
{
    const af_perfetto_sequence *s = e->packet->sequence;
    const int64_t pid = (int32_t)l[AF_LEGACY_PID].number, tid = (int32_t)l[AF_LEGACY_TID].number;
    const uint64_t uuid = find_uuid(e);
    if (pid != 0 || tid != 0) {
        return af_timeline_thread_track(p->timeline, pid != 0 ? pid : s->pid,
                                        tid != 0 ? tid : s->tid);
    }
    if (uuid == 0 && s->has_thread && !(has(e, TRACK) && has(e, TYPE))) {
        return af_timeline_thread_track(p->timeline, s->pid, s->tid);
    }
    return af_timeline_track(p->timeline, uuid);
}

static uint32_t find_name(af_perfetto *p, const track_event *e, const af_protobuf *l,
                          uint64_t *missing)
{
    const uint64_t id = e->number[NAME_ID] != 0 ? e->number[NAME_ID] : l[AF_LEGACY_NAME_ID].number;
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
    af_protobuf f[18];
    af_protobuf_values(&annotation, f, G_N_ELEMENTS(f));
    return f[6].field != 0
               ? af_texts_add(p->texts, af_protobuf_text(&f[6]))
               : af_perfetto_sequence_find(e->packet->sequence, AF_TABLE_STRING, f[17].number);
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

static void take_metadata(af_perfetto *p, const track_event *e, const af_protobuf *l, uint32_t name)
{
    const af_perfetto_sequence *s = e->packet->sequence;
    const af_span what = af_texts_get(p->texts, name);
    const gboolean of_process = af_span_is(what, "process_name");
    if (!of_process && !af_span_is(what, "thread_name")) {
        return;
    }
    const int64_t pid = (int32_t)l[AF_LEGACY_PID].number, tid = (int32_t)l[AF_LEGACY_TID].number;
    const af_timeline_event event = {.kind = of_process ? AF_EVENT_PROCESS : AF_EVENT_THREAD,
                                     .ns = e->ns,
                                     .a = (uint32_t)(tid != 0 ? tid : s->tid),
                                     .b = (uint32_t)(pid != 0 ? pid : s->pid),
                                     .name = read_annotated_text(p, e),
                                     .extra = of_process ? AF_PROCESS_BY_DESCRIPTOR
                                                         : AF_NAMED_BY_METADATA};
    af_perfetto_add(p, e->packet, &event);
}

/* The kind of event; AF_EVENT_MENTION = none that is drawn. */
static af_event_kind kind_of(const track_event *e, uint64_t phase)
{
    switch (phase != 0 ? (int64_t)phase : -(int64_t)(unsigned)e->number[TYPE]) {
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

static void add_slice(af_perfetto *p, track_event *e, const af_protobuf *l)
{
    const uint64_t phase = l[AF_LEGACY_PHASE].number;
    af_perfetto_late late = {.event = {.kind = (uint8_t)kind_of(e, phase), .ns = e->ns}};
    af_timeline_event *event = &late.event;
    event->name = find_name(p, e, l, &late.name);
    event->extra = find_category(p, e, &late.category);
    find_cpu(e, event);
    if (!take_extra(p, e, FALSE, event) || !take_extra(p, e, TRUE, event)) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, e->packet->offset);
        return;
    }
    if (phase == 'M') {
        take_metadata(p, e, l, event->name);
        return;
    }
    if (event->kind == AF_EVENT_MENTION) {
        return;
    }
    event->a = af_perfetto_is_async(phase)
                   ? af_perfetto_async_track(p, e->packet->sequence, l, event->name, event->extra)
                   : find_track(p, e, l);
    const gboolean has_cpu = event->kind == AF_EVENT_END && e->annotation.bytes != NULL &&
                             read_cpu_annotation(p, e, event);
    if ((e->annotation.bytes != NULL && !has_cpu) || (e->has & FLOWS) != 0) {
        af_sink_warn(p->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
    if (event->kind == AF_EVENT_WHOLE) {
        const af_protobuf *cpu_us = &l[AF_LEGACY_THREAD_DURATION_US];
        event->value = saturate_us((int64_t)l[AF_LEGACY_DURATION_US].number);
        if (cpu_us->field != 0) {
            event->cpu_kind = AF_NEST_CPU_OF_SLICE;
            event->cpu_ns = MAX(saturate_us((int64_t)cpu_us->number), 0);
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
    static const af_protobuf none[AF_LEGACY_FIELDS];
    af_protobuf legacy[AF_LEGACY_FIELDS];
    const af_protobuf *l = none;
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
            const af_protobuf message = af_protobuf_message(e.legacy);
            af_protobuf_values(&message, legacy, G_N_ELEMENTS(legacy));
            l = legacy;
        }
        if (e.number[TYPE] != COUNTER || l[AF_LEGACY_PHASE].number != 0) {
            add_slice(p, &e, l);
        } else if (has(&e, DOUBLE_VALUE)) {
            add_counter(p, &e, find_uuid(&e), load_double(e.number[DOUBLE_VALUE]));
        } else if (has(&e, VALUE)) {
            add_counter(p, &e, find_uuid(&e), (double)(int64_t)e.number[VALUE]);
        }
        if (has(&e, STACK) || has(&e, STACK_ID)) {
            af_perfetto_take_event_stack(p, packet, e.ns, find_track(p, &e, l), field);
        }
    }
    if (e.joined != NULL) {
        g_string_free(e.joined, TRUE);
    }
}
