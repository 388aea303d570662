/* Events of the kernel: bundles of one CPU each. */
#include "read/perfetto/perfetto.h"

#include "read/marks.h"

/* Field numbers of an event's content. */
enum {
    PRINT = 3,
    SWITCH = 4,
    WAKEUP = 17,
    WAKING = 20,
    MDSS = 80,
    NEW_TASK = 235,
    RENAME = 236,
    FREE = 240,
    ZERO = 331,
    SDE = 333,
    DPU = 348,
    G2D = 349,
    MALI = 350,
    GRAPH_ENTRY = 437,
    GRAPH_EXIT = 438,
    SAMSUNG = 484,
    KPROBE = 542,
};

/* The clock of a bundle: 0 = BOOTTIME. */
enum { UNKNOWN_CLOCK = 1, GLOBAL_CLOCK = 2, LOCAL_CLOCK = 3, RAW_CLOCK = 4 };

/* The id of a clock that only one sequence has. */
#define OWN_CLOCK 64

typedef struct {
    af_perfetto *p;
    const af_perfetto_packet *packet;
    uint64_t clock; /* its key; 0 = trace time */
    uint64_t cpu;
} bundle;

/* The numbers and texts of a message, by field. */
#define MOST_FIELDS 11u
typedef struct {
    uint64_t number[MOST_FIELDS];
    af_span text[MOST_FIELDS];
} values;

/* Reads the fields below `n`; the others of `v` have no value. */
static inline void parse_values(values *v, unsigned n, const af_protobuf *field)
{
    for (unsigned i = 1; i < n; i++) {
        v->number[i] = 0;
        v->text[i] = (af_span){NULL, 0};
    }
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field < n) {
            v->number[f.field] = f.number;
            v->text[f.field] = af_protobuf_text(&f);
        }
    }
}

static void add_event(const bundle *b, uint64_t time, af_timeline_event *event)
{
    const int64_t value = (int64_t)MIN(time, (uint64_t)INT64_MAX);
    if (af_perfetto_clocks_convert(b->p->clocks, b->clock, value, &event->ns)) {
        b->p->latest_ns = MAX(b->p->latest_ns, event->ns);
        af_timeline_add(b->p->timeline, event);
        return;
    }
    af_perfetto_packet packet = *b->packet;
    packet.clock = b->clock;
    event->ns = value;
    af_perfetto_add(b->p, &packet, event);
}

/* The fields of the marks of drivers: a letter, a flag that it begins, process, name, value; 0 =
 * none. */
static const struct {
    unsigned event;
    uint8_t letter, begins, pid, name, value;
} drivers[] = {{MDSS, 0, 3, 1, 2, 0}, {SDE, 3, 5, 1, 2, 4}, {SAMSUNG, 4, 3, 1, 2, 5},
               {MALI, 3, 0, 2, 1, 4}, {DPU, 5, 0, 1, 4, 6}, {G2D, 5, 0, 1, 4, 6},
               {ZERO, 0, 0, 3, 2, 4}};

static void take_driver_mark(const bundle *b, uint64_t time, uint32_t tid, unsigned field,
                             const values *v)
{
    af_timeline_event event = {.a = tid};
    unsigned i = 0;
    while (drivers[i].event != field) {
        i++;
    }
    const uint64_t letter = drivers[i].letter > 0 ? v->number[drivers[i].letter] : 0;
    const gboolean begins = drivers[i].begins > 0 && v->number[drivers[i].begins] != 0;
    char kind = (char)(letter >= 128 ? 0 : letter != 0 ? letter : begins ? 'B' : 'E');
    if (field == ZERO) { /* flags */
        kind = (char)((v->number[1] & 1) != 0   ? 'B'
                      : (v->number[1] & 2) != 0 ? 'E'
                      : (v->number[1] & 4) != 0 ? 'C'
                                                : 0);
    }
    /* of dpu only counters name a process */
    const uint32_t pid = field == DPU && kind != 'C' ? 0 : (uint32_t)v->number[drivers[i].pid];
    const int64_t value = drivers[i].value > 0 ? (int64_t)v->number[drivers[i].value] : 0;
    if (af_mark_make(b->p->texts, kind, pid, v->text[drivers[i].name], value, &event)) {
        add_event(b, time, &event);
    } else {
        af_sink_warn(b->p->sink, AF_WARN_BAD_MARKS, 1, b->packet->offset);
    }
}

/* Calls of functions of the kernel are slices of a track of their own under the thread. */
static void take_function(const bundle *b, uint64_t time, uint32_t tid, uint64_t id,
                          gboolean begins)
{
    const uint32_t name =
        af_perfetto_sequence_find(b->packet->sequence, AF_TABLE_KERNEL_SYMBOL, id);
    af_timeline_event event = {.kind = begins ? AF_EVENT_FUNCTION_BEGIN : AF_EVENT_FUNCTION_END,
                               .a = tid,
                               .b = AF_NO_PID,
                               .name = name,
                               .extra = AF_NO_TEXT};
    if (tid != 0) {
        add_event(b, time, &event);
    }
}

static void take_task(const bundle *b, uint64_t time, uint32_t tid, unsigned field, const values *v)
{
    af_timeline_event event = {.a = (uint32_t)v->number[1], .b = AF_NO_PID, .extra = AF_NO_TEXT};
    switch (field) {
    case NEW_TASK:
        event.kind = AF_EVENT_NEW_TASK;
        event.a = tid;
        event.b = (uint32_t)v->number[1];
        event.name = af_texts_add_some(b->p->texts, v->text[2]);
        event.value = (int64_t)v->number[3];
        break;
    case RENAME:
        event.kind = AF_EVENT_RENAME;
        event.name = af_texts_add_some(b->p->texts, v->text[3]);
        break;
    case FREE:
        event.kind = AF_EVENT_END_TASK;
        event.a = (uint32_t)v->number[2];
        event.name = af_texts_add_some(b->p->texts, v->text[1]);
        break;
    default:
        event.kind = AF_EVENT_WAKE;
        event.a = (uint32_t)v->number[2];
        event.b = tid;
        event.name = af_texts_add_some(b->p->texts, v->text[1]);
        break;
    }
    add_event(b, time, &event);
}

static void take_switch(const bundle *b, uint64_t time, const values *v)
{
    af_timeline_event event = {
        .kind = AF_EVENT_SWITCH,
        .a = (uint32_t)v->number[2],
        .b = (uint32_t)v->number[6],
        .name = af_texts_add_some(b->p->texts, v->text[1]),
        .extra = af_texts_add_some(b->p->texts, v->text[5]),
        .value = (int64_t)(MIN(b->cpu, 1u << 30) | (uint64_t)af_off_state_of(v->number[4]) << 32)};
    add_event(b, time, &event);
}

static void take_content(const bundle *b, uint64_t time, uint32_t tid, const af_protobuf *f)
{
    values v;
    af_timeline_event event = {.a = tid};
    switch (f->field) {
    case PRINT:
        parse_values(&v, 3, f);
        if (af_mark_parse(b->p->texts, v.text[2], b->packet->offset, &event)) {
            add_event(b, time, &event);
        }
        break;
    case SWITCH:
        parse_values(&v, 8, f);
        take_switch(b, time, &v);
        break;
    case WAKEUP:
    case WAKING:
    case NEW_TASK:
    case RENAME:
    case FREE:
        parse_values(&v, 5, f);
        take_task(b, time, tid, f->field, &v);
        break;
    case ZERO:
    case MDSS:
    case SDE:
    case SAMSUNG:
    case MALI:
    case DPU:
    case G2D:
        parse_values(&v, 8, f);
        take_driver_mark(b, time, tid, f->field, &v);
        break;
    case GRAPH_ENTRY:
        parse_values(&v, 4, f);
        take_function(b, time, tid, v.number[2], TRUE);
        break;
    case GRAPH_EXIT:
        parse_values(&v, 4, f);
        take_function(b, time, tid, v.number[3], FALSE);
        break;
    case KPROBE:
        parse_values(&v, 3, f);
        static const char kinds[] = {'\0', 'B', 'E', 'I'};
        if (v.number[2] < G_N_ELEMENTS(kinds) &&
            af_mark_make(b->p->texts, kinds[v.number[2]], 0, v.text[1], 0, &event)) {
            add_event(b, time, &event);
        }
        break;
    default:
        break;
    }
}

static void take_event(const bundle *b, const af_protobuf *field)
{
    uint64_t time = 0, tid = 0;
    af_protobuf content = {0};
    af_protobuf f = af_protobuf_of(field);
    while (af_protobuf_next(&f)) {
        if (f.field == 1) {
            time = f.number;
        } else if (f.field == 2) {
            tid = f.number;
        } else if (f.wire == AF_WIRE_BYTES) {
            content = f;
        }
    }
    if (f.damaged) {
        af_sink_warn(b->p->sink, AF_WARN_BAD_PACKETS, 1, b->packet->offset);
    } else if (content.field != 0) {
        take_content(b, time, (uint32_t)tid, &content);
    }
}

/* ---- compact events of the scheduler ---- */

enum {
    SWITCH_TIME = 1,
    SWITCH_STATE = 2,
    SWITCH_PID = 3,
    COMMS = 5,
    SWITCH_COMM = 6,
    WAKING_TIME = 7,
    WAKING_PID = 8,
    WAKING_COMM = 11,
};

static uint32_t comm_at(const af_array *comms, uint64_t index)
{
    return index < comms->n ? AF_ARRAY_AT(comms, uint32_t, index) : AF_NO_TEXT;
}

/* The columns of a table: parallel lists, each packed once. */
typedef struct {
    af_packed time, pid, comm, state;
} columns;

static columns find_columns(const af_protobuf *field, unsigned time, unsigned pid, unsigned comm)
{
    columns c = {0};
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.wire != AF_WIRE_BYTES) {
            continue;
        }
        if (f.field == time) {
            c.time = af_packed_begin(&f);
        } else if (f.field == pid) {
            c.pid = af_packed_begin(&f);
        } else if (f.field == comm) {
            c.comm = af_packed_begin(&f);
        } else if (f.field == SWITCH_STATE) {
            c.state = af_packed_begin(&f);
        }
    }
    return c;
}

static void take_compact(const bundle *b, const af_protobuf *field)
{
    af_array comms;
    af_array_init_metered(&comms, sizeof(uint32_t), af_sink_meter(b->p->sink));
    /* The texts by index. */
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == COMMS) {
            const uint32_t comm = af_texts_add_some(b->p->texts, af_protobuf_text(&f));
            af_array_append(&comms, &comm);
        }
    }
    columns c = find_columns(field, SWITCH_TIME, SWITCH_PID, SWITCH_COMM);
    uint64_t time = 0;
    while (af_packed_next(&c.time) && af_packed_next(&c.pid)) {
        time += c.time.number;
        const gboolean has_comm = af_packed_next(&c.comm);
        const af_off_state off =
            af_packed_next(&c.state) ? af_off_state_of(c.state.number) : AF_OFF_UNKNOWN;
        af_timeline_event event = {.kind = AF_EVENT_SWITCH,
                                   .b = (uint32_t)c.pid.number,
                                   .name = AF_NO_TEXT,
                                   .extra = has_comm ? comm_at(&comms, c.comm.number) : AF_NO_TEXT,
                                   .value = (int64_t)(MIN(b->cpu, 1u << 30) | (uint64_t)off << 32),
                                   .cpu_ns = 1};
        add_event(b, time, &event);
    }
    c = find_columns(field, WAKING_TIME, WAKING_PID, WAKING_COMM);
    time = 0;
    while (af_packed_next(&c.time) && af_packed_next(&c.pid)) {
        time += c.time.number;
        const gboolean has_comm = af_packed_next(&c.comm);
        af_timeline_event event = {.kind = AF_EVENT_WAKE,
                                   .a = (uint32_t)c.pid.number,
                                   .b = AF_NO_PID,
                                   .name = has_comm ? comm_at(&comms, c.comm.number) : AF_NO_TEXT,
                                   .extra = AF_NO_TEXT,
                                   .value = (int64_t)MIN(b->cpu, 1u << 30) + 1};
        add_event(b, time, &event);
    }
    af_array_clear(&comms);
}

/* Before this time the buffer of some CPU had not begun: the latest of the first bundles. */
static void take_begin(const bundle *b, uint64_t begin)
{
    af_perfetto *p = b->p;
    af_perfetto_cpu *cpu = af_perfetto_cpu_at(p, b->cpu);
    if (cpu == NULL || cpu->is_known) {
        return;
    }
    cpu->is_known = TRUE;
    int64_t ns;
    if (begin > 0 && begin <= INT64_MAX &&
        af_perfetto_clocks_convert(p->clocks, b->clock, (int64_t)begin, &ns)) {
        af_timeline_set_kernel_start(p->timeline, ns);
    }
}

static void find_clock(bundle *b, const values *head)
{
    const uint32_t sequence = b->packet->sequence->id;
    switch (head->number[5]) {
    case 0:
        b->clock = AF_CLOCK_ID_BOOTTIME;
        break;
    case RAW_CLOCK:
        b->clock = AF_CLOCK_ID_MONOTONIC_RAW;
        break;
    case GLOBAL_CLOCK:
    case LOCAL_CLOCK:
        b->clock = af_perfetto_clock_key(OWN_CLOCK, sequence);
        break;
    default:
        b->clock = AF_CLOCK_UNKNOWN;
        return;
    }
    if (head->number[6] != 0 && head->number[7] != 0 && b->clock != AF_CLOCK_ID_BOOTTIME &&
        b->packet->sequence->last_bundle_clock != head->number[6]) {
        b->packet->sequence->last_bundle_clock = head->number[6];
        af_perfetto_clocks_add_pair(b->p->clocks, b->clock, (int64_t)head->number[6],
                                    AF_CLOCK_ID_BOOTTIME, (int64_t)head->number[7]);
    }
}

void af_perfetto_take_ftrace(af_perfetto *p, const af_perfetto_packet *packet,
                             const af_protobuf *field)
{
    values head;
    bundle b = {.p = p, .packet = packet};
    parse_values(&head, MOST_FIELDS, field);
    b.cpu = head.number[1];
    if (head.number[3] != 0) {
        af_perfetto_cpu *cpu = af_perfetto_cpu_at(p, b.cpu);
        if (cpu != NULL && !cpu->has_gap) {
            cpu->has_gap = TRUE;
            cpu->gap_offset = packet->offset;
        }
    }
    find_clock(&b, &head);
    take_begin(&b, head.number[10] != 0 ? head.number[10] : head.number[9]);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 2 && f.wire == AF_WIRE_BYTES) {
            take_event(&b, &f);
        } else if (f.field == 4 && f.wire == AF_WIRE_BYTES) {
            take_compact(&b, &f);
        }
    }
}

/* A task runs from the state "running" on until another one runs on that CPU, or its next state. */
void af_perfetto_take_task_state(af_perfetto *p, const af_perfetto_packet *packet,
                                 const af_protobuf *field)
{
    enum { RUNNING = 3 };
    values v;
    parse_values(&v, 5, field);
    const gboolean runs = v.number[4] == RUNNING;
    const uint64_t cpu = MIN(v.number[1], 65535u);
    uint32_t *running = af_array_slot(&p->running, (uint32_t)cpu);
    if (running == NULL) {
        return;
    }
    const uint32_t tid = (uint32_t)v.number[3];
    if (!runs && *running != tid + 1) {
        return;
    }
    const uint32_t name = af_texts_add_some(p->texts, v.text[2]);
    const af_timeline_event event = {.kind = AF_EVENT_SWITCH,
                                     .ns = packet->ns,
                                     .a = *running == 0 ? 0 : *running - 1,
                                     .b = runs ? tid : 0,
                                     .name = AF_NO_TEXT,
                                     .extra = runs ? name : AF_NO_TEXT,
                                     .value = (int64_t)cpu,
                                     .cpu_ns = 1};
    *running = runs ? tid + 1 : 0;
    af_perfetto_add(p, packet, &event);
}

void af_perfetto_take_task_name(af_perfetto *p, const af_perfetto_packet *packet,
                                const af_protobuf *field)
{
    values v;
    parse_values(&v, 5, field);
    const af_timeline_event event = {.kind = AF_EVENT_RENAME,
                                     .ns = packet->ns,
                                     .a = (uint32_t)v.number[1],
                                     .b = AF_NO_PID,
                                     .name = af_texts_add_some(p->texts, v.text[2]),
                                     .extra = AF_NO_TEXT};
    af_perfetto_add(p, packet, &event);
}
