/* Heap profiles: totals of allocations by stack, dumped from time to time.
 *
 * Each dump gives totals since profiling began; a stack that it does not mention keeps its last
 * totals. A stack that returns under a new id adds to its totals. */
#include "read/perfetto/perfetto.h"

#include <aflame/error.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"

/* Of a stack's id in one heap of one process. */
typedef struct {
    uint32_t heap, stack;
    uint64_t allocated, freed, count, free_count;
} allocation;

/* unreleased, allocated, unreleased-count, allocated-count */
#define MEASURES 4

/* What a heap holds after a dump. */
typedef struct {
    uint32_t heap;
    uint64_t number; /* of the dump, from 1 */
    int64_t ns;      /* in trace time */
    uint64_t sums[MEASURES];
} dump;

/* The most dumps that a chart has. */
#define MOST_DUMPS 10000u

/* A heap of a process. */
typedef struct {
    uint32_t pid, name;
    uint64_t sums[MEASURES]; /* of its allocations */
    uint64_t n_summed;       /* dumps whose sums are known */
    uint64_t n_dumps, n_read;
    int64_t last_ns, last_read_ns; /* of dumps, in trace time */
} heap;

/* A sample that waits for the end of its chain of packets. */
typedef struct {
    uint32_t heap;
    uint64_t id;
    uint64_t allocated, freed, count, free_count;
} waiting_sample;

struct af_perfetto_heaps {
    af_perfetto *p;
    af_idtable heaps;       /* of heap, by pid << 32 | name */
    af_idtable allocations; /* of allocation, by a hash of heap, sequence, id and stack */
    af_array waiting;
    uint32_t waiting_sequence;
    af_array times; /* of int64_t, of dumps in ns of trace time */
    af_array dumps; /* of dump */
};

static af_perfetto_heaps *heaps_of(af_perfetto *p)
{
    af_meter *const meter = af_sink_meter(p->sink);
    if (p->heaps == NULL) {
        af_perfetto_heaps *h = p->heaps = g_new0(af_perfetto_heaps, 1);
        h->p = p;
        af_idtable_init(&h->heaps, sizeof(heap), meter);
        af_idtable_init(&h->allocations, sizeof(allocation), meter);
        af_array_init_metered(&h->waiting, sizeof(waiting_sample), meter);
        af_array_init_metered(&h->times, sizeof(int64_t), meter);
        af_array_init_metered(&h->dumps, sizeof(dump), meter);
    }
    return p->heaps;
}

void af_perfetto_heaps_free(af_perfetto_heaps *h)
{
    if (h != NULL) {
        af_idtable_clear(&h->heaps);
        af_idtable_clear(&h->allocations);
        AF_ARRAYS_CLEAR(&h->waiting, &h->times, &h->dumps);
        g_free(h);
    }
}

uint64_t af_perfetto_heaps_count(const af_perfetto_heaps *h)
{
    return h == NULL ? 0 : h->allocations.items.n;
}

uint64_t af_perfetto_heaps_number(const af_perfetto_heaps *h)
{
    return h == NULL ? 0 : h->heaps.items.n;
}

static heap *heap_at(const af_perfetto_heaps *h, uint32_t number)
{
    return &AF_ARRAY_AT(&h->heaps.items, heap, number);
}

static uint32_t number_heap(af_perfetto_heaps *h, uint32_t pid, uint32_t name)
{
    return af_idtable_number(&h->heaps, (uint64_t)pid << 32 | name,
                             &(heap){.pid = pid, .name = name});
}

static void add_waiting(af_perfetto_heaps *h, uint32_t heap_number, const af_protobuf *field)
{
    af_protobuf f[10];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    waiting_sample sample = {heap_number, f[1].number, f[2].number,
                             f[3].number, f[5].number, f[6].number};
    if (f[8].field != 0) { /* the numbers at the moment of the maximum */
        sample.allocated = f[8].number;
        sample.count = f[9].number;
        sample.freed = sample.free_count = 0;
    }
    af_array_append(&h->waiting, &sample);
}

/* The dump's own time is of a coarse monotonic clock. */
static int64_t find_dump_time(af_perfetto *p, const af_perfetto_packet *packet, uint64_t time)
{
    int64_t ns = packet->ns;
    return time != 0 && time <= INT64_MAX &&
                   af_perfetto_clocks_convert(p->clocks, AF_CLOCK_ID_MONOTONIC_COARSE,
                                              (int64_t)time, &ns)
               ? ns
               : packet->ns;
}

/* One dump can take several packets. */
static void add_dump(af_perfetto_heaps *h, heap *dumped, int64_t ns)
{
    if (dumped->n_dumps > 0 && dumped->last_ns == ns) {
        return;
    }
    dumped->n_dumps++;
    dumped->last_ns = ns;
    af_array_append(&h->times, &ns);
}

/* Where the times of dumps are counted from. */
static int64_t find_origin(const af_perfetto_heaps *h)
{
    const int64_t dumped_ns = AF_ARRAY_AT(&h->times, int64_t, 0);
    return h->p->first_ns == INT64_MIN ? dumped_ns : MIN(h->p->first_ns, dumped_ns);
}

/* Whether the last dump of a heap, at `ns`, is one of those that make up the profile. */
static gboolean is_selected(const af_perfetto *p, const heap *dumped, int64_t ns)
{
    const af_open_options *o = p->options;
    return o->dump_by_time ? ns - find_origin(p->heaps) <= o->dump_ns
                           : o->dump == 0 || dumped->n_dumps <= o->dump;
}

static void take_process(af_perfetto_heaps *h, const af_perfetto_packet *packet,
                         const af_protobuf *field)
{
    af_perfetto *p = h->p;
    af_protobuf all[12];
    af_protobuf_values(field, all, G_N_ELEMENTS(all));
    const af_span name = all[11].field != 0 ? af_protobuf_text(&all[11]) : af_span_of("unknown");
    const uint32_t of = number_heap(h, (uint32_t)all[1].number, af_texts_add(p->texts, name));
    if (of == UINT32_MAX) {
        return;
    }
    if (all[4].number != 0) {
        af_sink_warn(p->sink, AF_WARN_HEAP_REFUSED, 1, packet->offset);
    }
    if (all[7].number != 0 || all[8].number != 0 || all[10].number != 0) {
        af_sink_warn(p->sink, AF_WARN_HEAP_OVERRAN, 1, packet->offset);
    }
    const int64_t ns = find_dump_time(p, packet, all[9].number);
    add_dump(h, heap_at(h, of), ns);
    if (!is_selected(p, heap_at(h, of), ns)) {
        return;
    }
    heap_at(h, of)->n_read = heap_at(h, of)->n_dumps;
    heap_at(h, of)->last_read_ns = ns;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 2);) {
        add_waiting(h, of, &f);
    }
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* The heap of Java reports allocations only, never what is freed. */
static gboolean reports_frees(const af_perfetto_heaps *h, const allocation *a)
{
    return !af_span_is(af_texts_get(h->p->texts, heap_at(h, a->heap)->name), "com.android.art");
}

static uint64_t measure(const af_perfetto_heaps *h, const allocation *a, unsigned of)
{
    const gboolean frees = reports_frees(h, a);
    switch (of) {
    case 0:
        return subtract(a->allocated, frees ? a->freed : 0);
    case 1:
        return a->allocated;
    case 2:
        return subtract(a->count, frees ? a->free_count : 0);
    default:
        return a->count;
    }
}

static void take_sample(af_perfetto_heaps *h, af_perfetto_sequence *q, const waiting_sample *w)
{
    af_perfetto *p = h->p;
    const uint32_t stack = af_perfetto_stacks_find(p->stacks, q, w->id);
    if (stack == AF_NO_STACK) {
        p->n_stackless++;
        return;
    }
    char key[32];
    memset(key, 0, sizeof key);
    memcpy(key, &w->heap, sizeof w->heap);
    memcpy(key + 8, &q->id, sizeof q->id);
    memcpy(key + 16, &w->id, sizeof w->id);
    memcpy(key + 24, &stack, sizeof stack);
    const uint32_t number =
        af_idmap_number(&h->allocations.ids, af_hash_sip24(af_hash_get_secret(), key, sizeof key));
    const size_t known = h->allocations.items.n;
    allocation *a = af_array_slot(&h->allocations.items, number);
    if (a == NULL) {
        return;
    }
    const gboolean fell = number < known && (w->allocated < a->allocated || w->freed < a->freed) &&
                          (w->freed != 0 || a->freed != 0);
    if (fell) {
        af_sink_warn(p->sink, AF_WARN_HEAP_FELL, 1, AF_NO_OFFSET);
        return;
    }
    const allocation before = *a;
    *a = (allocation){w->heap, stack, w->allocated, w->freed, w->count, w->free_count};
    uint64_t *sums = heap_at(h, w->heap)->sums;
    for (unsigned of = 0; of < MEASURES; of++) {
        sums[of] += measure(h, a, of) - (number < known ? measure(h, &before, of) : 0);
    }
}

static void finish_chain(af_perfetto_heaps *h, af_perfetto_sequence *q)
{
    for (size_t i = 0; i < h->waiting.n && !af_sink_has_failed(h->p->sink); i++) {
        take_sample(h, q, &AF_ARRAY_AT(&h->waiting, waiting_sample, i));
    }
    h->waiting.n = 0;
    /* Records the contents of the heaps whose dump is complete. */
    for (uint32_t i = 0; i < h->heaps.items.n && h->dumps.n < MOST_DUMPS; i++) {
        heap *one = heap_at(h, i);
        dump *added = one->n_read > one->n_summed ? af_array_add(&h->dumps, 1) : NULL;
        if (added != NULL) {
            *added = (dump){.heap = i, .number = one->n_read, .ns = one->last_read_ns};
            memcpy(added->sums, one->sums, sizeof added->sums);
        }
        one->n_summed = one->n_read;
    }
}

void af_perfetto_take_heap(af_perfetto *p, const af_perfetto_packet *packet,
                           const af_protobuf *field)
{
    af_perfetto_heaps *h = heaps_of(p);
    af_perfetto_sequence *q = packet->sequence;
    af_protobuf all[8];
    af_protobuf_values(field, all, G_N_ELEMENTS(all));
    const uint64_t index = all[7].number;
    if (all[7].field != 0 && q->profile_index != 0 && q->profile_index != index + 1) {
        af_sink_warn(p->sink, AF_WARN_HEAP_GAP, 1, packet->offset);
    }
    q->profile_index = index + 2;
    if (h->waiting.n > 0 && h->waiting_sequence != q->id) {
        finish_chain(h, af_perfetto_sequence_of(p, h->waiting_sequence));
    }
    h->waiting_sequence = q->id;
    /* Android 10 puts tables into the packet */
    af_perfetto_sequence_take_own_names(p, q, field);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 5);) {
        take_process(h, packet, &f);
    }
    if (all[6].number == 0) {
        finish_chain(h, q);
        af_perfetto_sequence_drop_own_names(q);
    }
}

void af_perfetto_heaps_end(af_perfetto *p)
{
    af_perfetto_heaps *h = p->heaps;
    if (h != NULL && h->waiting.n > 0) {
        af_sink_warn(p->sink, AF_WARN_HEAP_GAP, 1, AF_NO_OFFSET);
        finish_chain(h, af_perfetto_sequence_of(p, h->waiting_sequence));
    }
}

/* The measures of a heap, for --event. */
static const struct {
    const char *name, *unit;
} measures[] = {
    {"unreleased", "bytes"},
    {"allocated", "bytes"},
    {"unreleased-count", "allocations"},
    {"allocated-count", "allocations"},
};

static gboolean choose_measure(const af_perfetto *p, unsigned *chosen, GError **error)
{
    const char *wanted = p->options->event;
    for (*chosen = 0; *chosen < G_N_ELEMENTS(measures); (*chosen)++) {
        if (wanted == NULL || strcmp(wanted, measures[*chosen].name) == 0) {
            return TRUE;
        }
    }
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "this heap profile has no event \"%s\"; it has unreleased, allocated, "
                "unreleased-count, allocated-count",
                wanted);
    return FALSE;
}

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the times of all dumps and makes them count from the start of the trace. */
static void finish_times(af_perfetto_heaps *h)
{
    size_t n = 0;
    int64_t *const times = h->times.items;
    const int64_t origin = h->times.n > 0 ? find_origin(h) : 0;
    if (h->times.n > 0) {
        qsort(times, h->times.n, sizeof *times, compare_times);
    }
    for (size_t i = 0; i < h->times.n; i++) {
        if (i == 0 || times[i] - origin != times[n - 1]) {
            times[n++] = times[i] - origin;
        }
    }
    h->times.n = n;
}

/* Dumps of all heaps that are at one time count once. */
#define MOST_TIMES 10000u

static void report_times(const af_perfetto_heaps *h)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (size_t i = 0; i < MIN(h->times.n, MOST_TIMES); i++) {
        g_string_append_printf(list, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "",
                               AF_ARRAY_AT(&h->times, int64_t, i));
    }
    af_sink_facts(h->p->sink)->dump_times = af_sink_clean(h->p->sink, af_span_of_string(list));
}

gboolean af_perfetto_heaps_are_later(const af_perfetto_heaps *h)
{
    gboolean later = h != NULL && h->p->options->dump_by_time && h->times.n > 0;
    for (uint32_t i = 0; later && i < h->heaps.items.n; i++) {
        later = heap_at(h, i)->n_read == 0;
    }
    return later;
}

static gboolean check_time(const af_perfetto_heaps *h, GError **error)
{
    char wanted[AF_NUMBER_SIZE], first[AF_NUMBER_SIZE];
    const gboolean later = af_perfetto_heaps_are_later(h);
    if (later) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this trace has no heap dump before %s; the first one is at %s",
                    af_number_exact(wanted, (uint64_t)h->p->options->dump_ns),
                    af_number_exact(first, (uint64_t)AF_ARRAY_AT(&h->times, int64_t, 0)));
    }
    return !later;
}

static gboolean check_dump(const af_perfetto_heaps *h, GError **error)
{
    const unsigned wanted = h->p->options->dump;
    uint64_t most = 0;
    if (h->p->options->dump_by_time) {
        return check_time(h, error);
    }
    for (uint32_t i = 0; i < h->heaps.items.n; i++) {
        most = MAX(most, heap_at(h, i)->n_dumps);
    }
    if (wanted > most) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this trace has no heap dump %u; the last one is %" G_GUINT64_FORMAT, wanted,
                    most);
        return FALSE;
    }
    return TRUE;
}

/* "dump 2 of 3, at 8 s"; of several heaps with different dumps "dumps up to 8 s". */
static void name_part(const af_perfetto_heaps *h, int64_t origin)
{
    af_facts *facts = af_sink_facts(h->p->sink);
    const af_open_options *o = h->p->options;
    const heap *first = heap_at(h, 0);
    char at[AF_NUMBER_SIZE];
    gboolean equal = TRUE;
    int64_t last_ns = INT64_MIN;
    for (uint32_t i = 0; i < h->heaps.items.n; i++) {
        const heap *one = heap_at(h, i);
        equal = equal && one->n_read == first->n_read && one->n_dumps == first->n_dumps;
        last_ns = one->n_read > 0 ? MAX(last_ns, one->last_read_ns) : last_ns;
    }
    if ((o->dump == 0 && !o->dump_by_time) || last_ns < origin) {
        return;
    }
    af_number_exact(at, (uint64_t)(last_ns - origin));
    g_autofree char *title =
        equal ? g_strdup_printf("dump %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ", at %s",
                                first->n_read, first->n_dumps, at)
              : g_strdup_printf("dumps up to %s", at);
    facts->part.title = facts->part.brief = af_sink_clean(h->p->sink, af_span_of(title));
}

/* Lists the dumps of each heap. */
static void report_dumps(const af_perfetto_heaps *h)
{
    g_autoptr(GString) list = g_string_new(NULL);
    char at[AF_NUMBER_SIZE];
    for (uint32_t i = 0; i < MIN(h->heaps.items.n, 32); i++) {
        const heap *one = heap_at(h, i);
        const af_span name = af_texts_get(h->p->texts, one->name);
        g_string_append_printf(list, "%s%" G_GUINT64_FORMAT " of %.*s in process %u",
                               i > 0 ? ", " : "", one->n_dumps, (int)MIN(name.length, 200u),
                               name.bytes, one->pid);
    }
    for (size_t i = 0; i < MIN(h->times.n, 32); i++) {
        g_string_append_printf(list, ", %s%s", i == 0 ? "at " : "",
                               af_number_exact(at, (uint64_t)AF_ARRAY_AT(&h->times, int64_t, i)));
    }
    if (h->times.n > 32) {
        g_string_append_printf(
            list, ", ... %s",
            af_number_exact(at, (uint64_t)AF_ARRAY_AT(&h->times, int64_t, h->times.n - 1)));
    }
    af_sink_add_fact(h->p->sink, af_span_of("dumps"), af_span_of_string(list));
}

static void mark_dump(const af_perfetto_heaps *h, const dump *dumped, unsigned of, int64_t origin)
{
    const af_perfetto *p = h->p;
    const heap *one = heap_at(h, dumped->heap);
    const uint32_t process = af_timeline_process(p->timeline, (int32_t)one->pid);
    const af_span name = af_texts_get(p->texts, one->name);
    char *words[] = {g_strdup_printf("dump %" G_GUINT64_FORMAT, dumped->number),
                     g_strdup_printf("%.*s: %s %s", (int)MIN(name.length, 200u), name.bytes,
                                     measures[of].name, measures[of].unit)};
    static const af_marker_kind kinds[] = {AF_MARKER_INSTANT, AF_MARKER_COUNTER};
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        af_marker marker = {.ns = dumped->ns - origin, .thread = UINT32_MAX};
        marker.series = af_sink_marker_series(p->sink, kinds[i], process, af_span_of(words[i]),
                                              (af_span){NULL, 0});
        if (kinds[i] == AF_MARKER_INSTANT) {
            marker.thread = af_timeline_process_part(p->timeline, (int32_t)one->pid, one->name);
        } else {
            marker.thousandths = (int64_t)MIN(dumped->sums[of], (uint64_t)INT64_MAX / 1000) * 1000;
        }
        af_sink_add_marker(p->sink, kinds[i], &marker);
        g_free(words[i]);
    }
}

/* Adds the dumps of the drawn processes as instants, and the contents of the heaps as counters. */
static void mark_dumps(const af_perfetto_heaps *h, unsigned of, int64_t origin)
{
    for (size_t i = 0; i < h->dumps.n && !af_sink_is_stopped(h->p->sink); i++) {
        const dump *dumped = &AF_ARRAY_AT(&h->dumps, dump, i);
        const uint32_t pid = heap_at(h, dumped->heap)->pid;
        if (af_timeline_draws(h->p->timeline, af_timeline_process(h->p->timeline, (int32_t)pid))) {
            mark_dump(h, dumped, of, origin);
        }
    }
}

static gboolean draw_allocations(const af_perfetto_heaps *h, unsigned of, GError **error)
{
    af_perfetto *p = h->p;
    const allocation *all = h->allocations.items.items;
    const char *unit = measures[of].unit;
    g_autofree char *event = g_strdup_printf("%s %s", measures[of].name, unit);
    uint64_t n_drawn = 0, n_released = 0, n_java = 0;
    af_array holdings;
    af_array_init_metered(&holdings, sizeof(af_perfetto_holding), af_sink_meter(p->sink));
    for (uint32_t i = 0; i < h->heaps.items.n; i++) { /* also of heaps without allocations */
        af_timeline_process(p->timeline, (int32_t)heap_at(h, i)->pid);
    }
    for (size_t i = 0; i < h->allocations.items.n; i++) {
        const heap *one = heap_at(h, all[i].heap);
        const uint64_t weight = measure(h, &all[i], of);
        n_released += weight == 0 && all[i].allocated > 0;
        af_array_append(&holdings,
                        &(af_perfetto_holding){one->pid, one->name, all[i].stack, weight, FALSE});
    }
    const gboolean ok = af_perfetto_draw_holdings(p, &holdings, unit,
                                                  af_sink_clean(p->sink, af_span_of(event)), error);
    for (size_t i = 0; ok && i < holdings.n; i++) {
        const gboolean drawn = AF_ARRAY_AT(&holdings, af_perfetto_holding, i).drawn;
        n_drawn += drawn;
        n_java += drawn && (of == 0 || of == 2) && !reports_frees(h, &all[i]);
    }
    af_array_clear(&holdings);
    if (n_java > 0) {
        af_sink_warn(p->sink, AF_WARN_NO_FREES, n_java, AF_NO_OFFSET);
    }
    if (ok && n_drawn == 0 && n_released > 0) {
        af_sink_warn(p->sink, AF_WARN_ALL_RELEASED, n_released, AF_NO_OFFSET);
    }
    return ok;
}

gboolean af_perfetto_finish_heaps(af_perfetto *p, GError **error)
{
    af_perfetto_heaps *h = p->heaps;
    unsigned of;
    finish_chain(h, af_perfetto_sequence_of(p, h->waiting_sequence));
    const int64_t origin = h->times.n > 0 ? find_origin(h) : 0;
    finish_times(h);
    if (!check_dump(h, error) || !choose_measure(p, &of, error)) {
        return FALSE;
    }
    name_part(h, origin);
    report_times(h);
    report_dumps(h);
    if (!draw_allocations(h, of, error)) {
        return FALSE;
    }
    mark_dumps(h, of, origin);
    af_timeline_name_threads(p->timeline);
    return TRUE;
}
