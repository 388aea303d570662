/* Perfetto's traces, by the rules of trace_processor: refuses everything that it would skip,
 * silently or not. */
#include <string.h>
#include "export_rows.h"
#include "wire.h"

typedef struct {
    guint64 stack;
    const char *name;
    guint64 begin;
} call;

typedef struct {
    gint64 tid;
    GArray *open; /* call; the lowest is the thread */
    guint64 last;
} track;

typedef struct {
    guint64 time, order;
    wire event;
} packet;

typedef struct {
    export_rows *rows;
    GHashTable *names, *processes; /* by number */
    GHashTable *tracks;            /* by uuid */
    GHashTable *uuids, *threads;
    GHashTable *annotations;
    GHashTable *functions, *paths, *sources, *mappings; /* by number; a mapping is its path */
    GHashTable *frames; /* by number: names of functions, owned by `functions` */
    GHashTable *stacks; /* by number: GPtrArray of such names */
    gboolean has_unit;
    GArray *packets;
    gboolean cleared;
} reading;

static void free_track(gpointer t)
{
    g_array_unref(((track *)t)->open);
    g_free(t);
}

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

static void read_names(reading *r, GHashTable *names, wire data, guint kind)
{
    wire_field field;
    while (wire_next(&data, &field)) {
        if (field.number == kind) {
            const guint64 iid = wire_number(field.bytes, 1);
            if (iid == 0 ||
                !g_hash_table_insert(names, make_key(iid), wire_text(wire_bytes(field.bytes, 2)))) {
                refuse("name %" G_GUINT64_FORMAT " is 0 or occurs twice", iid);
            }
        }
    }
}

static gpointer find(GHashTable *names, guint64 number)
{
    gpointer found = g_hash_table_lookup(names, make_key(number));
    if (found == NULL) {
        refuse("nothing has the number %" G_GUINT64_FORMAT, number);
    }
    return found;
}

static void read_mapping(reading *r, wire mapping)
{
    const guint64 iid = wire_number(mapping, 1), part = wire_number(mapping, 7);
    char *path = part == 0 ? g_strdup("") : g_strdup(find(r->paths, part));
    if (iid == 0 || !g_hash_table_insert(r->mappings, make_key(iid), path)) {
        refuse("mapping %" G_GUINT64_FORMAT " is 0 or occurs twice", iid);
    }
}

static void read_frame(reading *r, wire frame)
{
    const guint64 iid = wire_number(frame, 1), source = wire_number(frame, 5);
    char *function = find(r->functions, wire_number(frame, 2));
    find(r->mappings, wire_number(frame, 3));
    if (source > 0) {
        find(r->sources, source);
    } else if (wire_has(frame, 6)) {
        refuse("a line without a file");
    }
    if (iid == 0 || !g_hash_table_insert(r->frames, make_key(iid), function)) {
        refuse("frame %" G_GUINT64_FORMAT " is 0 or occurs twice", iid);
    }
}

static void read_stack(reading *r, wire stack)
{
    const guint64 iid = wire_number(stack, 1);
    g_autoptr(GArray) frames = wire_numbers(stack, 2);
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < frames->len; i++) {
        g_ptr_array_add(names, find(r->frames, g_array_index(frames, guint64, i)));
    }
    if (iid == 0 || names->len == 0 || !g_hash_table_insert(r->stacks, make_key(iid), names)) {
        refuse("stack %" G_GUINT64_FORMAT " is 0, empty or occurs twice", iid);
    }
}

/* Names come before what refers to them, also within a packet. */
static void read_stacks(reading *r, wire data)
{
    static const struct {
        guint field;
        void (*read)(reading *r, wire message);
    } tables[] = {{19, read_mapping}, {6, read_frame}, {7, read_stack}};
    read_names(r, r->functions, data, 5);
    read_names(r, r->paths, data, 17);
    read_names(r, r->sources, data, 18);
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
    const GPtrArray *names = find(r->stacks, wire_number(sample, 6));
    guint64 stack = stack_of_id((gint64)tid);
    for (guint i = 0; i < names->len; i++) {
        stack = stack_with(stack, names->pdata[i]);
    }
    if (!r->has_unit || !wire_has(message, 8) ||
        !g_hash_table_contains(r->threads, make_key(who))) {
        refuse("a sample has no unit, no time or no thread");
    }
    rows_add(r->rows, stack, names->pdata[names->len - 1], WALL, (gint64)wire_number(sample, 11));
}

static void add_track(reading *r, guint64 uuid, guint64 id)
{
    track *t = g_new0(track, 1);
    t->tid = (gint64)id;
    t->open = g_array_new(FALSE, FALSE, sizeof(call));
    const call top = {stack_of_id(t->tid), NULL, 0};
    g_array_append_val(t->open, top);
    if (!g_hash_table_add(r->uuids, make_key(uuid)) ||
        !g_hash_table_insert(r->tracks, make_key(uuid), t)) {
        refuse("a track occurs twice");
    }
}

/* Without a thread: below a process, and apart from tracks of the same name. The writer has its number
 * in the lower half of the uuid. */
static void read_asynchronous_track(reading *r, wire descriptor, guint64 uuid)
{
    g_autofree char *name = wire_text(wire_bytes(descriptor, 2));
    if (*name == '\0' || wire_number(descriptor, 15) != 2 ||
        !g_hash_table_contains(r->uuids, make_key(wire_number(descriptor, 5)))) {
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
        if (pid == 0 || pid > G_MAXINT32 || !g_hash_table_add(r->uuids, make_key(uuid)) ||
            !g_hash_table_add(r->processes, make_key(pid))) {
            refuse("a process has no id or occurs twice");
        }
        return;
    }
    g_free(wire_text(wire_bytes(thread, 5)));
    /* trace_processor takes two tracks of one thread for two threads that reuse an id */
    const guint64 tid = wire_number(thread, 2), who = wire_number(thread, 1) << 32 | tid;
    if (tid == 0 || tid > G_MAXINT32 || !g_hash_table_add(r->threads, make_key(who)) ||
        !g_hash_table_contains(r->processes, make_key(wire_number(thread, 1)))) {
        refuse("a thread has no process, no id, or occurs twice");
    }
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
        read_names(r, r->names, data, 2);
        read_names(r, r->annotations, data, 3);
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

static call *get_top(const track *t)
{
    return &g_array_index(t->open, call, t->open->len - 1);
}

/* trace_processor drops deeper calls and lets their ends close other calls. */
#define DEEPEST 512

static void end_call(reading *r, track *t, const packet *p)
{
    const wire annotation = wire_bytes(p->event, 4);
    const call *top = get_top(t);
    if (t->open->len == 1) {
        refuse("an end without a start");
    }
    if (annotation.length > 0) {
        const char *what =
            g_hash_table_lookup(r->annotations, make_key(wire_number(annotation, 1)));
        const gint64 cpu = (gint64)wire_number(annotation, 3);
        if (g_strcmp0(what, "cpu_ns") != 0 || cpu < 0) {
            refuse("an argument is not cpu_ns");
        }
        rows_add(r->rows, top->stack, top->name, CPU, cpu);
    }
    g_array_set_size(t->open, t->open->len - 1);
    /* the time of inner calls belongs to the caller's total, not to its self time */
    top = get_top(t);
    if (top->name != NULL && annotation.length > 0) {
        rows_add(r->rows, top->stack, top->name, CPU, -(gint64)wire_number(annotation, 3));
    }
}

static void read_event(reading *r, const packet *p)
{
    track *t = g_hash_table_lookup(r->tracks, make_key(wire_number(p->event, 11)));
    const guint64 type = wire_number(p->event, 9);
    if (type == 3 || type == 4) {
        return; /* an instant, or the value of a counter */
    }
    if (t == NULL || (type != 1 && type != 2)) {
        refuse("an event has no track or no kind");
    }
    const call *top = get_top(t);
    if (top->name != NULL) {
        rows_add(r->rows, top->stack, top->name, WALL, (gint64)(p->time - t->last));
    }
    t->last = p->time;
    if (type == 2) {
        end_call(r, t, p);
        return;
    }
    const char *name = g_hash_table_lookup(r->names, make_key(wire_number(p->event, 10)));
    if (name == NULL || wire_number(p->event, 3) == 0) {
        refuse("a call has no name or no category");
    }
    if (t->open->len > DEEPEST) {
        refuse("more than %d nested calls", DEEPEST);
    }
    const call mine = {stack_with(top->stack, name), name, p->time};
    rows_add(r->rows, mine.stack, name, CALLS, 1);
    g_array_append_val(t->open, mine);
}

void read_perfetto(export_rows *rows, const char *bytes, gsize length)
{
    reading r = {
        .rows = rows,
        .names = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .processes = g_hash_table_new(NULL, NULL),
        .tracks = g_hash_table_new_full(NULL, NULL, NULL, free_track),
        .uuids = g_hash_table_new(NULL, NULL),
        .threads = g_hash_table_new(NULL, NULL),
        .annotations = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .functions = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .paths = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .sources = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .mappings = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .frames = g_hash_table_new(NULL, NULL),
        .stacks = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref),
        .packets = g_array_new(FALSE, FALSE, sizeof(packet)),
    };
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
    GHashTableIter at;
    gpointer t;
    g_hash_table_iter_init(&at, r.tracks);
    while (g_hash_table_iter_next(&at, NULL, &t)) {
        if (((const track *)t)->open->len != 1) {
            refuse("a call never ends");
        }
    }
    g_hash_table_unref(r.names);
    g_hash_table_unref(r.processes);
    g_hash_table_unref(r.tracks);
    g_hash_table_unref(r.uuids);
    g_hash_table_unref(r.threads);
    g_hash_table_unref(r.annotations);
    g_hash_table_unref(r.functions);
    g_hash_table_unref(r.paths);
    g_hash_table_unref(r.sources);
    g_hash_table_unref(r.mappings);
    g_hash_table_unref(r.frames);
    g_hash_table_unref(r.stacks);
    g_array_unref(r.packets);
}
