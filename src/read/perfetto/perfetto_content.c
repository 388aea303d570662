/* Lists the contents of a trace: its kinds of packets and of data. One kind of data is drawn. */
#include "read/perfetto/perfetto.h"

#include <aflame/error.h>
#include <string.h>

#include "base/error_pass.h"
#include "base/number.h"

/* Kinds of data, in the order in which they are drawn by default. */
enum { SAMPLES, HEAP, JAVA_HEAP, SLICES, KINDS };

static const char *const kind_names[KINDS] = {"samples", "heap", "java-heap", "slices"};

static void add_count(GString *list, uint64_t n, const char *one, const char *several)
{
    char number[AF_NUMBER_SIZE];
    if (n > 0) {
        g_string_append_printf(list, "%s%s %s", list->len > 0 ? ", " : "",
                               af_number_count(number, n), n == 1 ? one : several);
    }
}

/* "12 slices, 4,711 samples": what the file holds. The caller frees it. */
static GString *list_content(const af_perfetto *p)
{
    GString *list = g_string_new(NULL);
    const af_timeline_counts counts = af_timeline_get_counts(p->timeline);
    add_count(list, counts.samples, "stack sample", "stack samples");
    add_count(list, p->n_stackless, "sample without a stack", "samples without a stack");
    add_count(list, af_perfetto_heaps_count(p->heaps), "stack with allocations",
              "stacks with allocations");
    add_count(list, af_perfetto_graphs_count(p->graphs), "path of Java heap graphs",
              "paths of Java heap graphs");
    add_count(list, counts.slices, "slice", "slices");
    add_count(list, counts.instants, "instant", "instants");
    add_count(list, counts.counters, "value of counters", "values of counters");
    add_count(list, counts.switches, "switch of the scheduler", "switches of the scheduler");
    add_count(list, p->n_frames, "frame of frame timelines", "frames of frame timelines");
    add_count(list, p->n_skipped, "packet whose names are lost", "packets whose names are lost");
    return list;
}

/* The packets that are read, or the others. */
static GString *list_packets(const af_perfetto *p, gboolean are_read)
{
    GString *list = g_string_new(NULL);
    for (unsigned field = 1; field < AF_PERFETTO_KINDS; field++) {
        const af_perfetto_kind *kind = &af_perfetto_kinds[field];
        char name[24], n[AF_NUMBER_SIZE], bytes[AF_NUMBER_SIZE];
        if (p->n_kinds[field] == 0 || (kind->take != NULL) != are_read) {
            continue;
        }
        g_snprintf(name, sizeof name,
                   field == AF_PERFETTO_KINDS - 1 ? "of later fields" : "of field %u", field);
        g_string_append_printf(list, "%s%s: %s (%s bytes)", list->len > 0 ? ", " : "",
                               kind->name != NULL ? kind->name : name,
                               af_number_count(n, p->n_kinds[field]),
                               af_number_count(bytes, p->kind_bytes[field]));
    }
    return list;
}

static void add_fact(const af_perfetto *p, const char *key, GString *value)
{
    if (value->len > 0) {
        af_sink_add_fact(p->sink, af_span_of(key), af_span_of_string(value));
    }
    g_string_free(value, TRUE);
}

/* Lists the kinds other than `but`. */
static GString *list_kinds(const gboolean has[KINDS], unsigned but)
{
    GString *list = g_string_new(NULL);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (has[kind] && kind != but) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", kind_names[kind]);
        }
    }
    return list;
}

static gboolean is_kind(const char *name)
{
    gboolean found = FALSE;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        found = found || strcmp(name, kind_names[kind]) == 0;
    }
    return found;
}

/* The kind to draw; KINDS = none, with an error if the options ask for one. */
static unsigned choose_kind(const af_perfetto *p, const gboolean has[KINDS], GError **error)
{
    const af_timeline_counts counts = af_timeline_get_counts(p->timeline);
    const char *wanted = p->options->source;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        /* stacks of track events only accompany these */
        const gboolean aside =
            kind == SAMPLES && counts.samples <= p->n_event_stacks && has[SLICES] && wanted == NULL;
        if (has[kind] && !aside && (wanted == NULL || strcmp(wanted, kind_names[kind]) == 0)) {
            return kind;
        }
    }
    if (wanted != NULL && !is_kind(wanted)) {
        g_autoptr(GString) list =
            list_kinds((const gboolean[KINDS]){TRUE, TRUE, TRUE, TRUE}, KINDS);
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "\"%s\" is not a kind of data; the kinds are %s", wanted, list->str);
    } else if (wanted != NULL) {
        g_autoptr(GString) list = list_kinds(has, KINDS);
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "this Perfetto trace holds no %s; it holds %s",
                    wanted, list->len > 0 ? list->str : "nothing that --source can select");
    }
    return KINDS;
}

/* Whether something of the recording is known to be lost, except for the end of the file. */
static gboolean has_losses(const af_perfetto *p)
{
    const af_perfetto_loss *l = &p->loss;
    uint64_t n = l->overwritten_bytes + l->overwritten_chunks + l->discarded_chunks +
                 l->writer_loss + l->patches_failed + (l->flush_failed != FALSE);
    for (unsigned kind = 0; kind < AF_WARNING_COUNT; kind++) {
        n += kind == AF_WARN_TRUNCATED ? 0 : af_sink_warned(p->sink, (af_warning_kind)kind);
    }
    return n > 0;
}

/* Whether there is anything to report about: events, or names of threads and processes. */
static gboolean is_empty(const af_perfetto *p)
{
    static const uint8_t naming[] = {1, 2, 9, 43, 44, 60, 117, 120, 122};
    const af_timeline_counts counts = af_timeline_get_counts(p->timeline);
    uint64_t n = counts.instants + counts.counters + counts.switches + p->n_skipped +
                 p->n_stackless + p->n_frames + af_perfetto_heaps_number(p->heaps);
    for (unsigned i = 0; i < G_N_ELEMENTS(naming); i++) {
        n += p->n_kinds[naming[i]];
    }
    return n == 0 && !has_losses(p);
}

static void report_content(af_perfetto *p, const gboolean has[KINDS], unsigned drawn)
{
    g_autoptr(GString) rest = list_kinds(has, drawn);
    uint64_t n = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        n += has[kind] && kind != drawn;
    }
    add_fact(p, "content", list_content(p));
    if (rest->len > 0 && drawn != KINDS) {
        g_string_prepend(rest, "--source chooses one of: ");
        af_sink_warn(p->sink, AF_WARN_OTHER_KINDS, n, AF_NO_OFFSET);
        add_fact(p, "not drawn", g_steal_pointer(&rest));
    }
    add_fact(p, "packets", list_packets(p, TRUE));
    add_fact(p, "not read", list_packets(p, FALSE));
    const char *clock = af_perfetto_clocks_name(p->clocks);
    if (clock != NULL) {
        add_fact(p, "trace clock", g_string_new(clock));
    }
}

gboolean af_perfetto_finish_content(af_perfetto *p, GError **error)
{
    gboolean has[KINDS];
    GError *absent = NULL;
    const af_timeline_counts counts = af_timeline_get_counts(p->timeline);
    has[SAMPLES] = counts.samples > 0;
    has[HEAP] = af_perfetto_heaps_count(p->heaps) > 0 || af_perfetto_heaps_are_later(p->heaps);
    has[JAVA_HEAP] = af_perfetto_graphs_count(p->graphs) > 0;
    has[SLICES] = counts.slices > 0;
    const unsigned kind = choose_kind(p, has, &absent);
    if (!af_error_pass(error, &absent)) {
        return FALSE;
    }
    if (kind == KINDS && is_empty(p) && !af_sink_is_stopped(p->sink)) {
        g_autoptr(GString) list = list_packets(p, TRUE);
        g_autoptr(GString) unread = list_packets(p, FALSE);
        g_string_append_printf(list, "%s%s", list->len > 0 && unread->len > 0 ? ", " : "",
                               unread->str);
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING,
                    "empty Perfetto trace, without slices, samples, heaps or names of threads: it "
                    "holds %s; "
                    "record with ftrace and atrace categories, track_event, linux.perf or "
                    "android.heapprofd",
                    list->len > 0 ? list->str : "no other data");
        return FALSE;
    }
    report_content(p, has, kind);
    switch (kind) {
    case SAMPLES:
        return af_perfetto_finish_samples(p, error);
    case HEAP:
        return af_perfetto_finish_heaps(p, error);
    case JAVA_HEAP:
        return af_perfetto_finish_graphs(p, error);
    default:
        return af_timeline_finish_slices(p->timeline, error);
    }
}

/* Chooses the processes to draw, by their weights. */
static gboolean choose_processes(af_timeline *t, const af_array *holdings, GError **error)
{
    const af_perfetto_holding *all = holdings->items;
    for (size_t i = 0; i < holdings->n; i++) {
        af_timeline_process(t, (int32_t)all[i].pid);
    }
    const uint32_t n = af_timeline_n_processes(t);
    g_autofree uint64_t *weights = af_timeline_new_weights(t);
    for (size_t i = 0; weights != NULL && i < holdings->n; i++) {
        weights[MIN(af_timeline_process(t, (int32_t)all[i].pid), n)] += all[i].weight;
    }
    return af_timeline_choose_processes(t, weights, error);
}

gboolean af_perfetto_draw_holdings(af_perfetto *p, const af_array *holdings, const char *unit,
                                   const char *event, GError **error)
{
    af_timeline *t = p->timeline;
    const af_unit counted = {.name = unit, .counted = TRUE};
    af_sink_facts(p->sink)->format.thread = "heap";
    af_sink_facts(p->sink)->weights.event = event;
    af_sink_start_samples(p->sink, &counted, 1u << AF_WALL, AF_SAMPLES_UNTIMED);
    if (!af_timeline_finish_names(t, error) || !choose_processes(t, holdings, error)) {
        return FALSE;
    }
    for (size_t i = 0; i < holdings->n && !af_sink_is_stopped(p->sink); i++) {
        af_perfetto_holding *holding = &AF_ARRAY_AT(holdings, af_perfetto_holding, i);
        const int32_t pid = (int32_t)holding->pid;
        af_sample sample = {.offset = AF_NO_OFFSET};
        sample.weight[AF_WALL] = holding->weight;
        sample.thread = holding->weight > 0 && af_timeline_draws(t, af_timeline_process(t, pid))
                            ? af_timeline_process_part(t, pid, holding->part)
                            : UINT32_MAX;
        holding->drawn = sample.thread != UINT32_MAX;
        sample.stack = holding->drawn ? af_perfetto_stacks_give(p->stacks, holding->stack,
                                                                sample.thread, holding->pid)
                                      : AF_SINK_NO_STACK;
        if (sample.stack != AF_SINK_NO_STACK) {
            af_sink_sample(p->sink, &sample);
        }
    }
    return TRUE;
}

/* {1 packages {1 name, 2 uid}} */
void af_perfetto_take_packages(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 1);) {
        af_protobuf of[3];
        af_protobuf_values(&f, of, G_N_ELEMENTS(of));
        const af_span name = af_protobuf_text(&of[1]);
        uint32_t *package = name.length == 0 ? NULL : af_idtable_item(&p->packages, of[2].number);
        if (package != NULL) {
            *package = af_texts_add(p->texts, name);
        }
    }
}

void af_perfetto_set_uid(af_perfetto *p, uint32_t pid, uint64_t uid)
{
    uint64_t *user = af_idtable_item(&p->users, pid);
    if (user != NULL) {
        *user = uid;
    }
}

uint32_t af_perfetto_package_of(const af_perfetto *p, uint32_t pid)
{
    enum { IDS_OF_A_USER = 100000 };
    const uint64_t *user = af_idtable_find(&p->users, pid);
    const uint32_t *package =
        user == NULL ? NULL : af_idtable_find(&p->packages, *user % IDS_OF_A_USER);
    return package == NULL ? AF_NO_TEXT : *package;
}

static void append_text(GString *to, const char *before, const af_protobuf *field)
{
    g_string_append(to, before);
    g_string_append_len(to, (const char *)field->bytes, (gssize)MIN(field->length, 4096));
}

/* {3 process, 4 package, 8 stack {1 frames {1 method, 2 file, 3 line}}, 9 message} */
void af_perfetto_take_memory_error(af_perfetto *p, const af_perfetto_packet *packet,
                                   const af_protobuf *field)
{
    GString *text = g_string_new(NULL);
    af_protobuf f[10], frame[2];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    append_text(text, "", &f[3]);
    append_text(text, ": ", &f[9]);
    const size_t most = text->len + 8192;
    for (af_protobuf g = af_protobuf_of(&f[8]); af_protobuf_find(&g, 1) && text->len < most;) {
        af_protobuf_values(&g, frame, G_N_ELEMENTS(frame));
        append_text(text, " at ", &frame[1]);
    }
    add_fact(p, "memory", text);
}
