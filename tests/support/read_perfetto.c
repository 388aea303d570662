/* Perfetto's traces, by the rules of trace_processor: refuses everything that it would skip,
 * silently or not. */
#include <string.h>
#include "export_rows.h"
#include "wire.h"

typedef struct {
    guint64 time, order;
    wire event;
} packet;

/* The tables of things that packets refer to by number. A mapping is stored as its path, a frame as
 * the name of its function, a stack as a GPtrArray of such names. */
typedef enum {
    NAME,
    ANNOTATION,
    FUNCTION,
    PATH,
    SOURCE,
    MAPPING,
    FRAME,
    STACK,
    PROCESS,
    THREAD,
    UUID,
    TRACK,
    KINDS
} kind;

typedef struct {
    export_rows *rows;
    GHashTable *tables[KINDS]; /* by number */
    gboolean has_unit;
    GArray *packets;
    gboolean cleared;
} reading;

/* An address for each number: pointers may have only 32 bits. */
static gpointer make_key(guint64 number)
{
    static GHashTable *known;
    if (known == NULL) {
        known = g_hash_table_new(g_int64_hash, g_int64_equal);
    }
    gpointer key = g_hash_table_lookup(known, &number);
    if (key == NULL) {
        key = g_memdup2(&number, sizeof number);
        g_hash_table_add(known, key);
    }
    return key;
}

static gboolean has(const reading *r, kind what, guint64 number)
{
    return g_hash_table_contains(r->tables[what], make_key(number));
}

static gpointer find(const reading *r, kind what, guint64 number)
{
    if (!has(r, what, number)) {
        refuse("nothing of kind %d has the number %" G_GUINT64_FORMAT, (int)what, number);
    }
    return g_hash_table_lookup(r->tables[what], make_key(number));
}

static void add(reading *r, kind what, guint64 number, gpointer value)
{
    if (number == 0 || !g_hash_table_insert(r->tables[what], make_key(number), value)) {
        refuse("the number %" G_GUINT64_FORMAT " of kind %d is 0 or occurs twice", number,
               (int)what);
    }
}

static void read_names(reading *r, kind what, wire data, guint number)
{
    wire_field field;
    while (wire_next(&data, &field)) {
        if (field.number == number) {
            add(r, what, wire_number(field.bytes, 1), wire_text(wire_bytes(field.bytes, 2)));
        }
    }
}

static void read_mapping(reading *r, wire mapping)
{
    const guint64 part = wire_number(mapping, 7);
    add(r, MAPPING, wire_number(mapping, 1), part == 0 ? NULL : find(r, PATH, part));
}

static void read_frame(reading *r, wire frame)
{
    const guint64 source = wire_number(frame, 5);
    find(r, MAPPING, wire_number(frame, 3));
    if (source > 0) {
        find(r, SOURCE, source);
    } else if (wire_has(frame, 6)) {
        refuse("a line without a file");
    }
    add(r, FRAME, wire_number(frame, 1), find(r, FUNCTION, wire_number(frame, 2)));
}

static void read_stack(reading *r, wire stack)
{
    g_autoptr(GArray) frames = wire_numbers(stack, 2);
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < frames->len; i++) {
        g_ptr_array_add(names, find(r, FRAME, g_array_index(frames, guint64, i)));
    }
    if (names->len == 0) {
        refuse("an empty stack");
    }
    add(r, STACK, wire_number(stack, 1), names);
}

/* Names come before what refers to them, also within a packet. */
static void read_stacks(reading *r, wire data)
{
    static const struct {
        guint field;
        void (*read)(reading *r, wire message);
    } tables[] = {{19, read_mapping}, {6, read_frame}, {7, read_stack}};
    read_names(r, FUNCTION, data, 5);
    read_names(r, PATH, data, 17);
    read_names(r, SOURCE, data, 18);
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++) {
        wire all = data;
        wire_field field;
        while (wire_next(&all, &field)) {
            if (field.number == tables[i].field) {
                tables[i].read(r, field.bytes);
            }
        }
    }
}

static void read_default(reading *r, wire defaults)
{
    const wire counter = wire_bytes(wire_bytes(defaults, 100), 2);
    g_autofree char *name = wire_text(wire_bytes(counter, 2)),
                    *unit = wire_text(wire_bytes(counter, 4));
    if (name[0] == '\0' || (wire_number(counter, 3) == 1) == (unit[0] != '\0')) {
        refuse("it is not clear what a sample counts");
    }
    r->has_unit = TRUE;
}

static void read_sample(reading *r, wire message, wire sample)
{
    const wire context = wire_bytes(sample, 1);
    const guint64 tid = wire_number(context, 3);
    const guint64 who = wire_number(context, 2) << 32 | tid;
    const GPtrArray *names = find(r, STACK, wire_number(sample, 6));
    guint64 stack = stack_of_id((gint64)tid);
    for (guint i = 0; i < names->len; i++) {
        stack = stack_with(stack, names->pdata[i]);
    }
    if (!r->has_unit || !wire_has(message, 8) || !has(r, THREAD, who)) {
        refuse("a sample has no unit, no time or no thread");
    }
    rows_add(r->rows, stack, names->pdata[names->len - 1], WALL, (gint64)wire_number(sample, 11));
}

static void add_track(reading *r, guint64 uuid, guint64 id)
{
    add(r, UUID, uuid, NULL);
    add(r, TRACK, uuid, open_calls_new(r->rows, stack_of_id((gint64)id)));
}

/* Without a thread: below a process, and apart from tracks of the same name. The writer has its number
 * in the lower half of the uuid. */
static void read_asynchronous_track(reading *r, wire descriptor, guint64 uuid)
{
    g_autofree char *name = wire_text(wire_bytes(descriptor, 2));
    if (*name == '\0' || wire_number(descriptor, 15) != 2 ||
        !has(r, UUID, wire_number(descriptor, 5))) {
        refuse("a track without a thread has no name or no process, or joins others");
    }
    add_track(r, uuid, uuid & 0xFFFFFFFF);
}

static void read_track(reading *r, wire descriptor)
{
    const guint64 uuid = wire_number(descriptor, 1);
    const wire process = wire_bytes(descriptor, 3), thread = wire_bytes(descriptor, 4);
    if (wire_has(descriptor, 8)) {
        return; /* a counter */
    }
    if (uuid == 0 || uuid > G_MAXINT64 || (process.length > 0 && thread.length > 0)) {
        refuse("a track has no uuid, or is a process and a thread");
    }
    if (process.length == 0 && thread.length == 0) {
        read_asynchronous_track(r, descriptor, uuid);
        return;
    }
    if (process.length > 0) {
        const guint64 pid = wire_number(process, 1);
        if (pid > G_MAXINT32) {
            refuse("the id of a process");
        }
        add(r, UUID, uuid, NULL);
        add(r, PROCESS, pid, NULL);
        return;
    }
    g_free(wire_text(wire_bytes(thread, 5)));
    /* trace_processor takes two tracks of one thread for two threads that reuse an id */
    const guint64 tid = wire_number(thread, 2), who = wire_number(thread, 1) << 32 | tid;
    if (tid == 0 || tid > G_MAXINT32 || !has(r, PROCESS, wire_number(thread, 1))) {
        refuse("a thread has no process or no id");
    }
    add(r, THREAD, who, NULL);
    add_track(r, uuid, tid);
}

static void read_packet(reading *r, wire message)
{
    const guint64 flags = wire_number(message, 13);
    const wire event = wire_bytes(message, 11), data = wire_bytes(message, 12),
               descriptor = wire_bytes(message, 60), defaults = wire_bytes(message, 59),
               sample = wire_bytes(message, 135);
    if (wire_number(message, 10) == 0 || ((flags & 1) != 0) == r->cleared ||
        (event.length + data.length + sample.length + defaults.length > 0 && (flags & 2) == 0)) {
        refuse("a packet has no sequence, or its sequence has no state");
    }
    r->cleared = TRUE;
    if (data.length > 0) {
        read_names(r, NAME, data, 2);
        read_names(r, ANNOTATION, data, 3);
        read_stacks(r, data);
    }
    if (defaults.length > 0) {
        read_default(r, defaults);
    }
    if (sample.length > 0) {
        read_sample(r, message, sample);
    }
    if (descriptor.length > 0) {
        read_track(r, descriptor);
    }
    if (event.length > 0) {
        const packet p = {wire_number(message, 8), r->packets->len, event};
        if (!wire_has(message, 8) || p.time > G_MAXINT64) {
            refuse("an event has no time");
        }
        g_array_append_val(r->packets, p);
    }
}

static gint compare_packets(gconstpointer a, gconstpointer b)
{
    const packet *x = a, *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

/* trace_processor drops deeper calls and lets their ends close other calls. */
#define DEEPEST 512

static void end_call(reading *r, open_calls *open, const packet *p)
{
    const wire annotation = wire_bytes(p->event, 4);
    const open_call *top = open_calls_top(open);
    if (annotation.length > 0) {
        const char *what = find(r, ANNOTATION, wire_number(annotation, 1));
        const gint64 cpu = (gint64)wire_number(annotation, 3);
        if (strcmp(what, "cpu_ns") != 0 || cpu < 0) {
            refuse("an argument is not cpu_ns");
        }
        rows_add(r->rows, top->stack, top->name, CPU, cpu);
    }
    open_calls_end(open);
    /* the time of inner calls belongs to the caller's total, not to its self time */
    top = open_calls_top(open);
    if (top->name != NULL && annotation.length > 0) {
        rows_add(r->rows, top->stack, top->name, CPU, -(gint64)wire_number(annotation, 3));
    }
}

static void read_event(reading *r, const packet *p)
{
    const guint64 type = wire_number(p->event, 9);
    if (type == 3 || type == 4) {
        return; /* an instant, or the value of a counter */
    }
    if (type != 1 && type != 2) {
        refuse("an event has no kind");
    }
    open_calls *open = find(r, TRACK, wire_number(p->event, 11));
    open_calls_pass(open, p->time);
    if (type == 2) {
        end_call(r, open, p);
        return;
    }
    const char *name = find(r, NAME, wire_number(p->event, 10));
    if (wire_number(p->event, 3) == 0) {
        refuse("a call has no category");
    }
    if (open->calls->len > DEEPEST) {
        refuse("more than %d nested calls", DEEPEST);
    }
    open_calls_begin(open, name);
    rows_add(r->rows, open_calls_top(open)->stack, name, CALLS, 1);
}

void read_perfetto(export_rows *rows, const char *bytes, gsize length)
{
    reading r = {.rows = rows, .packets = g_array_new(FALSE, FALSE, sizeof(packet))};
    for (unsigned k = 0; k < KINDS; k++) {
        const GDestroyNotify release = k <= SOURCE  ? g_free
                                       : k == STACK ? (GDestroyNotify)g_ptr_array_unref
                                       : k == TRACK ? open_calls_free
                                                    : NULL;
        r.tables[k] = g_hash_table_new_full(NULL, NULL, NULL, release);
    }
    wire message = {(const guint8 *)bytes, length};
    wire_field field;
    while (wire_next(&message, &field)) {
        if (field.number != 1 || field.type != 2) {
            refuse("a top-level field is not a packet");
        }
        read_packet(&r, field.bytes);
    }
    g_array_sort(r.packets, compare_packets);
    for (guint i = 0; i < r.packets->len; i++) {
        read_event(&r, &g_array_index(r.packets, packet, i));
    }
    for (unsigned k = 0; k < KINDS; k++) {
        g_hash_table_unref(r.tables[k]);
    }
    g_array_unref(r.packets);
}
