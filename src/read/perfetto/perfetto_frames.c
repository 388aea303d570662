/* Frame timelines, which SurfaceFlinger writes: begins and ends of frames, matched by cookie. */
#include "read/perfetto/perfetto.h"

#include <stdlib.h>

/* The largest times are a fault of the platform, which adds up to seconds to "never". */
#define LATEST_NS (INT64_MAX - INT64_C(10000000000))

enum { END = AF_TIMELINE_FRAME_KINDS, DUPLICATE };

/* A begin, with kind and fields of its frame, or an end. */
typedef struct {
    af_timeline_frame frame; /* begin_ns: the time of the event, in `clock` */
    uint64_t clock;          /* the key of a clock that is to be converted; 0 = trace time */
    int64_t cookie;
    uint64_t offset;
    size_t number; /* in the order of the file */
    uint32_t layer;
} frame_event;

/* Numbers of the fields, by kind of the frame; 0 = it has none. */
static const struct {
    uint8_t display_token, pid, layer, present, jank;
} fields_of[] = {
    [AF_EXPECTED_DISPLAY_FRAME] = {0, 3, 0, 0, 0},
    [AF_ACTUAL_DISPLAY_FRAME] = {0, 3, 0, 4, 7},
    [AF_EXPECTED_SURFACE_FRAME] = {3, 4, 5, 0, 0},
    [AF_ACTUAL_SURFACE_FRAME] = {3, 4, 5, 6, 9},
    [END] = {0, 0, 0, 0, 0},
};

/* FALSE if a field is missing. */
static gboolean read_event(af_perfetto *p, frame_event *event, const af_protobuf *message)
{
    af_timeline_frame *frame = &event->frame;
    const unsigned display = fields_of[frame->kind].display_token, pid = fields_of[frame->kind].pid;
    uint64_t number[10] = {0}; /* of the fields that have one */
    unsigned has = 1;          /* their bits, and that of no field */
    af_protobuf f = af_protobuf_of(message);
    while (af_protobuf_next(&f)) {
        if (f.wire == AF_WIRE_VARINT && f.field < G_N_ELEMENTS(number)) {
            number[f.field] = f.number;
            has |= 1u << f.field;
        } else if (f.wire == AF_WIRE_BYTES && f.field == fields_of[frame->kind].layer) {
            event->layer = af_texts_add(p->texts, af_protobuf_text(&f));
        }
    }
    const uint64_t present = number[fields_of[frame->kind].present];
    event->cookie = (int64_t)number[1];
    frame->token = (int64_t)number[2];
    frame->display_token = (int64_t)number[display];
    frame->pid = (int32_t)number[pid];
    frame->present = present < AF_PRESENTS ? (uint8_t)present : AF_PRESENT_UNSPECIFIED;
    frame->jank = (uint32_t)number[fields_of[frame->kind].jank];
    const unsigned needed =
        frame->kind == END ? 1u << 1 : 1u << 1 | 1u << 2 | 1u << pid | 1u << display;
    return !f.damaged && (has & needed) == needed;
}

void af_perfetto_take_frame(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    static const uint8_t kinds[] = {0,
                                    AF_EXPECTED_DISPLAY_FRAME,
                                    AF_ACTUAL_DISPLAY_FRAME,
                                    AF_EXPECTED_SURFACE_FRAME,
                                    AF_ACTUAL_SURFACE_FRAME,
                                    END};
    af_protobuf f = af_protobuf_of(field);
    if (p->frame_events.size == 0) {
        af_array_init_metered(&p->frame_events, sizeof(frame_event), af_sink_meter(p->sink));
    }
    while (af_protobuf_next(&f)) {
        if (f.field >= G_N_ELEMENTS(kinds) || f.wire != AF_WIRE_BYTES) {
            continue;
        }
        frame_event event = {.frame = {.begin_ns = packet->ns, .kind = kinds[f.field]},
                             .clock = packet->clock,
                             .offset = packet->offset,
                             .number = p->frame_events.n,
                             .layer = AF_NO_TEXT};
        if (!packet->has_time || !read_event(p, &event, &f)) {
            af_sink_warn(p->sink, AF_WARN_BAD_FRAMES, 1, packet->offset);
            continue;
        }
        if (!af_array_append(&p->frame_events, &event)) {
            return;
        }
    }
}

typedef struct {
    af_perfetto *p;
    af_idtable open;   /* of size_t, by cookie: index of its open frame + 1 */
    af_idmap expected; /* the expectations so far, by a hash of process, token and kind */
    af_idtable names;  /* of const char *, by layer */
    int64_t latest_ns;
} matching;

/* Converts all times, and drops events with an impossible one. */
static void convert_times(matching *m)
{
    af_perfetto *p = m->p;
    size_t n = 0;
    for (size_t i = 0; i < p->frame_events.n; i++) {
        frame_event *event = &AF_ARRAY_AT(&p->frame_events, frame_event, i);
        int64_t *ns = &event->frame.begin_ns;
        const gboolean is_possible = *ns >= 0 && *ns < LATEST_NS;
        if (!is_possible) {
            af_sink_warn(p->sink, AF_WARN_BAD_FRAMES, 1, event->offset);
        } else if (event->clock != 0 &&
                   !af_perfetto_clocks_convert(p->clocks, event->clock, *ns, ns)) {
            af_sink_warn(p->sink, AF_WARN_LOST_CLOCK, 1, event->offset);
        } else {
            m->latest_ns = MAX(m->latest_ns, *ns);
            AF_ARRAY_AT(&p->frame_events, frame_event, n++) = *event;
        }
    }
    p->frame_events.n = n;
}

static int compare_events(const void *a, const void *b)
{
    const frame_event *x = a, *y = b;
    return x->frame.begin_ns != y->frame.begin_ns
               ? (x->frame.begin_ns < y->frame.begin_ns ? -1 : 1)
               : (x->number > y->number) - (x->number < y->number);
}

/* Several layers of a process send the same expectation. */
static gboolean is_repeated(matching *m, const af_timeline_frame *frame)
{
    const int64_t key[] = {frame->pid, frame->token, frame->kind};
    const uint32_t before = m->expected.n;
    af_idmap_number(&m->expected,
                    af_hash_sip24(af_hash_get_secret(), (const char *)key, sizeof key));
    return m->expected.n == before;
}

static void match_events(matching *m)
{
    af_array *events = &m->p->frame_events;
    for (size_t i = 0; i < events->n; i++) {
        frame_event *event = &AF_ARRAY_AT(events, frame_event, i);
        /* The index + 1 of the open frame with a cookie; NULL if memory is refused. */
        size_t *open = af_idtable_item(&m->open, (uint64_t)event->cookie);
        if (open == NULL) {
            return;
        }
        if (event->frame.kind != END) {
            const gboolean is_expected = event->frame.kind == AF_EXPECTED_DISPLAY_FRAME ||
                                         event->frame.kind == AF_EXPECTED_SURFACE_FRAME;
            event->frame.end_ns = m->latest_ns;
            event->frame.is_open = TRUE;
            if (is_expected && is_repeated(m, &event->frame)) {
                event->frame.kind = DUPLICATE;
            }
            *open = i + 1;
        } else if (*open > 0) {
            af_timeline_frame *frame = &AF_ARRAY_AT(events, frame_event, *open - 1).frame;
            frame->end_ns = event->frame.begin_ns;
            frame->is_open = FALSE;
            *open = 0;
        } else {
            af_sink_warn(m->p->sink, AF_WARN_ENDED_FRAMES, 1, event->offset);
        }
    }
}

/* The clean name of a layer, which all its frames share. */
static const char *name_layer(matching *m, uint32_t layer)
{
    const char **name = layer == AF_NO_TEXT ? NULL : af_idtable_item(&m->names, layer);
    if (name == NULL) {
        return NULL;
    }
    *name = *name != NULL ? *name : af_sink_clean(m->p->sink, af_texts_get(m->p->texts, layer));
    return *name;
}

static void give_frames(matching *m)
{
    const af_array *events = &m->p->frame_events;
    for (size_t i = 0; i < events->n; i++) {
        frame_event *event = &AF_ARRAY_AT(events, frame_event, i);
        if (event->frame.kind < AF_TIMELINE_FRAME_KINDS) {
            if (event->frame.is_open) {
                af_sink_warn(m->p->sink, AF_WARN_OPEN_FRAMES, 1, event->offset);
            }
            event->frame.layer = name_layer(m, event->layer);
            af_sink_add_frame(m->p->sink, &event->frame);
            m->p->n_frames++;
        }
    }
}

void af_perfetto_finish_frames(af_perfetto *p)
{
    af_meter *const meter = af_sink_meter(p->sink);
    matching m = {.p = p};
    if (p->frame_events.n == 0) {
        return;
    }
    af_idmap_init_hashed(&m.expected, meter);
    af_idtable_init(&m.open, sizeof(size_t), meter);
    af_idtable_init(&m.names, sizeof(const char *), meter);
    m.latest_ns = p->latest_ns < LATEST_NS ? p->latest_ns : 0;
    convert_times(&m);
    qsort(p->frame_events.items, p->frame_events.n, sizeof(frame_event), compare_events);
    match_events(&m);
    give_frames(&m);
    af_idmap_clear(&m.expected);
    af_idtable_clear(&m.open);
    af_idtable_clear(&m.names);
}
