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

/* {1 packages {1 name, 2 uid}} */
void af_perfetto_take_packages(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        af_protobuf of[3];
        if (f.field != 1) {
            continue;
        }
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

/* {3 process, 4 package, 8 stack {1 frames {1 method, 2 file, 3 line}}, 9 message} */
void af_perfetto_take_memory_error(af_perfetto *p, const af_perfetto_packet *packet,
                                   const af_protobuf *field)
{
    af_span process = {"", 0}, message = {"", 0};
    GString *text = g_string_new(NULL);
    g_autoptr(GString) stack = g_string_new(NULL);
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 3) {
            process = af_protobuf_text(&f);
        } else if (f.field == 9) {
            message = af_protobuf_text(&f);
        }
        for (af_protobuf g = af_protobuf_of(&f); f.field == 8 && af_protobuf_next(&g);) {
            for (af_protobuf h = af_protobuf_of(&g); af_protobuf_next(&h);) {
                if (h.field == 1 && stack->len < 8192) {
                    g_string_append(stack, " at ");
                    g_string_append_len(stack, (const char *)h.bytes, (gssize)MIN(h.length, 4096));
                }
            }
        }
    }
    g_string_append_len(text, process.bytes, (gssize)MIN(process.length, 4096));
    g_string_append(text, ": ");
    g_string_append_len(text, message.bytes, (gssize)MIN(message.length, 4096));
    g_string_append_len(text, stack->str, (gssize)stack->len);
    add_fact(p, "memory", text);
}
