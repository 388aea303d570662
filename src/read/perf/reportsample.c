/* The output of `simpleperf report-sample --protobuf`: "SIMPLEPERF", a version, then messages with
 * their lengths, ended by one of length 0. Samples come first and refer to frames by numbers; the
 * names follow later. simpleperf has already unwound the stacks and removed the runtime's own
 * frames. A sample of a thread that leaves the CPU counts 1: the thread was off the CPU until its
 * next sample or switch onto a CPU. The file merges the buffers of several CPUs, so samples and
 * switches are sorted by time. */
#include "read/reader.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error_pass.h"
#include "base/sorter.h"
#include "read/frames.h"
#include "read/held.h"
#include "read/perf/perfunit.h"
#include "read/protobuf.h"

#define MAGIC   "SIMPLEPERF"
#define HEADER  (sizeof MAGIC - 1 + 2)
#define VERSION 1

/* The longest messages hold all names of a library. */
#define MOST_MESSAGE ((uint32_t)256 * 1024 * 1024)

/* Fields of a message. */
enum { SAMPLE = 1, LOST = 2, LIBRARY = 3, THREAD = 4, META = 5, SWITCH = 6 };

/* Kinds of samples in order of time. */
typedef enum { ON_CPU, LEAVES_CPU, GETS_CPU } sample_kind;

#define NO_PATH UINT32_MAX

typedef struct {
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS], offset;
    uint32_t thread;
    sample_kind kind;
    uint32_t path; /* NO_PATH = no methods */
} stored_sample;

static af_sorter_key find_key(const void *record)
{
    const stored_sample *one = record;
    return (af_sorter_key){0, (int64_t)(one->time_ns ^ UINT64_C(1) << 63)};
}

static const af_sorter_order by_time = {find_key, NULL};

typedef struct {
    af_sink *sink;
    const af_open_options *options;
    af_sorter *sorter;  /* of stored_sample */
    af_idmap stacks;    /* of the caller's path << 32 | method: each stack once */
    af_array events;    /* char *, in the arena */
    af_array methods;   /* uint32_t, leaf first, then reversed */
    af_array java;      /* uint8_t, by number of the method: whether it is Java code */
    af_textmap unnamed; /* addresses without a symbol: file, address (uint64_t) */
    af_array paths;     /* const char *, by file */
    af_array away;      /* af_perf_away, by thread */
    gboolean offcpu, started, each;
    uint32_t event;
    unsigned clock;
} reading;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return length >= HEADER && memcmp(head, MAGIC, sizeof MAGIC - 1) == 0 ? AF_SURE : 0;
}

/* Ids of symbols; addresses without a symbol have lower ids. */
static uint64_t symbol_id(uint64_t file, uint64_t symbol)
{
    return (file & 0x7FFFFFFF) << 32 | (symbol & 0xFFFFFFFF);
}

#define NAMELESS_IDS (UINT64_C(1) << 63)

static uint32_t find_nameless(reading *r, uint32_t file, uint64_t vaddr)
{
    const uint64_t key[] = {file, vaddr};
    const uint32_t number =
        af_textmap_keep(&r->unnamed, af_sink_arena(r->sink), (const char *)key, sizeof key);
    return number == AF_TEXTMAP_NONE ? UINT32_MAX : af_sink_method(r->sink, NAMELESS_IDS | number);
}

static void take_frame(reading *r, const af_protobuf *message)
{
    af_protobuf f[5];
    af_protobuf_values(message, f, G_N_ELEMENTS(f));
    const uint64_t file = f[2].number, symbol = f[3].number, kind = f[4].number;
    const gboolean has_symbol = (int64_t)symbol >= 0 && (int32_t)symbol >= 0;
    const uint32_t method = has_symbol ? af_sink_method(r->sink, symbol_id(file, symbol))
                                       : find_nameless(r, (uint32_t)file, f[1].number);
    uint8_t *java = kind == 1 || kind == 2 ? af_array_slot(&r->java, method) : NULL;
    if (java != NULL) {
        *java = 1;
    }
    af_array_append(&r->methods, &method);
}

/* ---- the event and its unit ---- */

static const char *event_name(const reading *r, uint64_t event)
{
    const char *name = event < r->events.n ? AF_ARRAY_AT(&r->events, const char *, event) : NULL;
    return name != NULL ? name : "unknown";
}

static gboolean start(reading *r, GError **error)
{
    const char *wanted = r->options->event;
    r->started = TRUE;
    r->each = g_strcmp0(r->options->unit, "samples") == 0;
    if (!af_perf_find_event(&r->events, wanted, &r->event, error)) {
        return FALSE;
    }
    r->offcpu = r->offcpu && wanted == NULL && !r->each && r->events.n > 1;
    af_perf_report_event(r->sink, r->offcpu ? "time on and off the CPU" : event_name(r, r->event),
                         r->event, r->offcpu ? 1 : (unsigned)r->events.n);
    r->clock = af_perf_start_samples(r->sink, event_name(r, r->event), r->each, r->offcpu,
                                     AF_SAMPLES_TIMED);
    return TRUE;
}

static void take_meta(reading *r, const af_protobuf *message)
{
    static const char *const keys[] = {
        NULL, NULL, NULL, "app_type", "android_sdk_version", "android_build_type"};
    for (af_protobuf p = af_protobuf_of(message); af_protobuf_next(&p);) {
        const af_span text = {(const char *)p.bytes, p.length};
        if (p.field == 1) {
            const char *event = af_sink_clean(r->sink, text);
            if (event != NULL) { /* otherwise memory was refused */
                af_array_append(&r->events, &event);
            }
        } else if (p.field == 2 && p.length > 0) {
            af_sink_facts(r->sink)->app = af_sink_clean(r->sink, text);
        } else if (p.field < G_N_ELEMENTS(keys) && keys[p.field] != NULL && p.length > 0) {
            af_sink_add_fact(r->sink, af_span_of(keys[p.field]), text);
        } else if (p.field == 6) {
            r->offcpu = p.number != 0;
        }
    }
}

/* Adds a sample, which may have no methods, to those in order of time. */
static gboolean store_sample(reading *r, const af_sample *sample, sample_kind kind, GError **error)
{
    stored_sample added = {.time_ns = sample->time_ns,
                           .weight = {sample->weight[AF_WALL], sample->weight[AF_CPU]},
                           .offset = sample->offset,
                           .thread = sample->thread,
                           .kind = kind,
                           .path = NO_PATH};
    for (size_t i = 0; i < sample->n; i++) {
        added.path = af_idmap_number(&r->stacks, (uint64_t)added.path << 32 | sample->methods[i]);
        if (added.path == AF_IDMAP_NONE) {
            return FALSE;
        }
    }
    return af_sorter_add(r->sorter, &added, error);
}

static gboolean take_switch(reading *r, const af_protobuf *message, GError **error)
{
    af_protobuf f[4];
    af_protobuf_values(message, f, G_N_ELEMENTS(f));
    const af_sample sample = {
        .thread = (uint32_t)f[3].number, .time_ns = f[2].number, .offset = AF_NO_OFFSET};
    return !r->offcpu || f[1].number == 0 || store_sample(r, &sample, GETS_CPU, error);
}

static gboolean take_sample(reading *r, const af_protobuf *message, uint64_t offset, GError **error)
{
    uint64_t time_ns = 0, tid = 0, count = 0, event = 0;
    r->methods.n = 0;
    if (!r->started && !start(r, error)) {
        return FALSE;
    }
    for (af_protobuf p = af_protobuf_of(message); af_protobuf_next(&p);) {
        if (p.field == 3) {
            take_frame(r, &p);
        } else if (p.field <= 5 && p.field >= 1) {
            uint64_t *const fields[] = {NULL, &time_ns, &tid, NULL, &count, &event};
            *fields[p.field] = p.number;
        }
    }
    if (r->methods.n == 0 || (!r->offcpu && event != r->event)) {
        return TRUE;
    }
    af_frames_turn(&r->methods);
    const gboolean off = r->offcpu && strstr(event_name(r, event), "sched_switch") != NULL;
    af_sample sample = {.thread = af_sink_thread(r->sink, (uint32_t)tid),
                        .methods = r->methods.items,
                        .n = r->methods.n,
                        .time_ns = time_ns,
                        .offset = offset};
    if (off && count <= 1) {
        return store_sample(r, &sample, LEAVES_CPU, error);
    }
    sample.weight[r->clock] = r->each ? 1 : count;
    if (r->offcpu && !off) {
        sample.weight[AF_CPU] = count;
    }
    return sample.thread == UINT32_MAX || store_sample(r, &sample, ON_CPU, error);
}

/* ---- samples in order of time ---- */

static gboolean give_sample(reading *r, af_sample *sample, sample_kind kind)
{
    if (!r->offcpu) {
        return kind == GETS_CPU || af_sink_sample(r->sink, sample);
    }
    if (kind == GETS_CPU) {
        sample->thread = af_idmap_find(af_sink_threads(r->sink), sample->thread);
    }
    if (sample->thread == AF_IDMAP_NONE) {
        return TRUE; /* of a thread without samples */
    }
    af_perf_away *away = af_array_slot(&r->away, sample->thread);
    if (away == NULL || !af_perf_return(r->sink, away, sample->thread, sample->time_ns)) {
        return FALSE;
    }
    return kind == GETS_CPU     ? TRUE
           : kind == LEAVES_CPU ? af_perf_leave(r->sink, away, sample)
                                : af_sink_sample(r->sink, sample);
}

static gboolean give_samples(reading *r, GError **error)
{
    GError *failure = NULL;
    const void *next = NULL;
    gboolean goes_on = af_sorter_begin(r->sorter, &failure);
    while (goes_on && af_sorter_next(r->sorter, &next, &failure) && next != NULL) {
        const stored_sample stored = *(const stored_sample *)next;
        r->methods.n = 0;
        for (uint32_t path = stored.path; path != NO_PATH;
             path = (uint32_t)(r->stacks.ids[path] >> 32)) {
            af_array_append(&r->methods, &(uint32_t){(uint32_t)r->stacks.ids[path]});
        }
        af_frames_turn(&r->methods);
        af_sample sample = {.thread = stored.thread,
                            .methods = r->methods.items,
                            .n = r->methods.n,
                            .weight = {stored.weight[AF_WALL], stored.weight[AF_CPU]},
                            .time_ns = stored.time_ns,
                            .offset = stored.offset};
        goes_on = !r->methods.failed && give_sample(r, &sample, stored.kind);
    }
    return af_error_pass(error, &failure);
}

static gboolean holds_java(const char *path)
{
    static const char *const endings[] = {".odex", ".oat", ".dex", ".vdex", ".jar", ".apk"};
    for (unsigned i = 0; i < G_N_ELEMENTS(endings); i++) {
        if (g_str_has_suffix(path, endings[i])) {
            return TRUE;
        }
    }
    return strstr(path, "[JIT") != NULL;
}

static void take_library(reading *r, const af_protobuf *message)
{
    uint64_t id = 0, symbol = 0;
    const char *path = NULL;
    for (af_protobuf p = af_protobuf_of(message); af_protobuf_next(&p);) {
        if (p.field == 1) {
            id = p.number;
        } else if (p.field == 2) {
            path = af_sink_clean(r->sink, (af_span){(const char *)p.bytes, p.length});
        }
    }
    /* libraries are numbered from 0; a huge number is invalid */
    if (id > UINT32_C(1) << 24) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_RECORD, 1, AF_NO_OFFSET);
        return;
    }
    if (path == NULL || !af_array_reach(&r->paths, (size_t)id + 1)) {
        return;
    }
    AF_ARRAY_AT(&r->paths, const char *, id) = path;
    const char *base = af_path_base(path);
    for (af_protobuf p = af_protobuf_of(message); af_protobuf_next(&p);) {
        if (p.field != 3) {
            continue;
        }
        /* only symbols that a sample refers to */
        const uint32_t number = af_idmap_find(af_sink_methods(r->sink), symbol_id(id, symbol));
        if (number != AF_IDMAP_NONE) {
            const gboolean java =
                holds_java(path) || (number < r->java.n && AF_ARRAY_AT(&r->java, uint8_t, number));
            af_method_text method = af_frame_parse((const char *)p.bytes, p.length,
                                                   java ? AF_FRAME_JAVA : AF_FRAME_NATIVE);
            method.source = af_span_of(base);
            method.library = af_span_of(path);
            af_sink_define_method(r->sink, symbol_id(id, symbol), &method, FALSE);
        }
        symbol++;
    }
}

static void take_thread(reading *r, const af_protobuf *message)
{
    af_protobuf f[4];
    af_protobuf_values(message, f, G_N_ELEMENTS(f));
    const uint64_t tid = (uint32_t)f[1].number, pid = (uint32_t)f[2].number;
    const af_span name = af_protobuf_text(&f[3]);
    const uint32_t number = af_idmap_find(af_sink_threads(r->sink), tid);
    if (number != AF_IDMAP_NONE) {
        af_sink_describe_thread(r->sink, number, name.bytes, name.length, TRUE, FALSE);
    }
    if (pid == tid || !af_sink_facts(r->sink)->has_pid) {
        af_sink_facts(r->sink)->has_pid = TRUE;
        af_sink_facts(r->sink)->pid = pid;
    }
}

/* Returns FALSE when it is time to stop, possibly with an error. */
static gboolean take_message(reading *r, const uint8_t *bytes, size_t length, uint64_t offset,
                             GError **error)
{
    af_protobuf p = af_protobuf_begin(bytes, length), lost[3];
    while (af_protobuf_next(&p)) {
        switch (p.field) {
        case SAMPLE:
            if (!take_sample(r, &p, offset, error)) {
                return FALSE;
            }
            break;
        case SWITCH:
            if (!take_switch(r, &p, error)) {
                return FALSE;
            }
            break;
        case LOST:
            af_protobuf_values(&p, lost, G_N_ELEMENTS(lost));
            if (lost[2].number > 0) {
                af_sink_warn(r->sink, AF_WARN_LOST_SAMPLES, lost[2].number, offset);
            }
            break;
        case LIBRARY:
            take_library(r, &p);
            break;
        case THREAD:
            take_thread(r, &p);
            break;
        case META:
            take_meta(r, &p);
            break;
        default:
            break;
        }
    }
    if (p.damaged) {
        af_sink_warn(r->sink, AF_WARN_BAD_RECORDS, 1, offset);
    }
    return TRUE;
}

static gboolean walk(reading *r, af_source *source, GError **error)
{
    GError *failure = NULL;
    af_source_skip(source, HEADER);
    for (;;) {
        if (!af_source_reach(source, 4, &failure) || source->length < 4) {
            break;
        }
        const uint32_t n = af_load_u32(source->bytes);
        if (n == 0) {
            return TRUE;
        }
        if (n > MOST_MESSAGE || !af_source_reach(source, 4 + (size_t)n, &failure) ||
            source->length < 4 + (size_t)n) {
            break;
        }
        if (!take_message(r, source->bytes + 4, n, source->offset, &failure) ||
            !af_sink_advance(r->sink, 4 + (size_t)n)) {
            break;
        }
        af_source_skip(source, 4 + (size_t)n);
    }
    if (!af_error_pass(error, &failure)) {
        return FALSE;
    }
    if (!af_sink_is_stopped(r->sink) && !af_sink_is_full(r->sink)) {
        af_sink_facts(r->sink)->recording.truncated = TRUE;
        af_sink_warn(r->sink, AF_WARN_TRUNCATED_PERF, 1, AF_NO_OFFSET);
    }
    return TRUE;
}

static void name_the_nameless(reading *r)
{
    for (uint32_t i = 0; i < r->unnamed.n; i++) {
        uint64_t key[2]; /* file, address */
        memcpy(key, r->unnamed.entries[i].bytes, sizeof key);
        const char *path =
            key[0] < r->paths.n ? AF_ARRAY_AT(&r->paths, const char *, key[0]) : NULL;
        const gboolean nowhere = path == NULL || strcmp(path, "unknown") == 0;
        g_autofree char *address = g_strdup_printf("%" G_GINT64_MODIFIER "x", key[1]);
        g_autofree char *text = nowhere ? g_strdup("[unknown]")
                                        : g_strdup_printf("%s[+%s]", af_path_base(path), address);
        const af_method_text method = {.line = -1,
                                       .name = {text, strlen(text)},
                                       .source = {path == NULL ? NULL : af_path_base(path),
                                                  path == NULL ? 0 : strlen(af_path_base(path))},
                                       .library = {path, path == NULL ? 0 : strlen(path)},
                                       .nowhere = {address, nowhere ? strlen(address) : 0}};
        af_sink_define_method(r->sink, NAMELESS_IDS | i, &method, FALSE);
    }
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    reading r = {.sink = sink, .options = options};
    const unsigned version = af_load_u16(source->bytes + HEADER - 2);
    if (version != VERSION) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "unknown version %u of simpleperf's report-sample", version);
        return FALSE;
    }
    af_sink_set_format(sink, "report-sample", "simpleperf recording", "sample");
    af_sink_facts(sink)->format.producer = "simpleperf";
    af_meter *const meter = af_sink_meter(sink);
    af_array_init_metered(&r.events, sizeof(const char *), meter);
    af_array_init_metered(&r.methods, sizeof(uint32_t), meter);
    af_array_init_metered(&r.java, sizeof(uint8_t), meter);
    af_textmap_init_metered(&r.unnamed, meter);
    af_array_init_metered(&r.paths, sizeof(const char *), meter);
    af_array_init_metered(&r.away, sizeof(af_perf_away), meter);
    r.sorter = af_sorter_new(sizeof(stored_sample), &by_time, af_held_by_sorter(sink));
    af_idmap_init_hashed(&r.stacks, meter);
    r.stacks.most = NO_PATH;
    const gboolean ok =
        walk(&r, source, error) && (r.started || start(&r, error)) && give_samples(&r, error);
    af_sorter_free(r.sorter);
    af_idmap_clear(&r.stacks);
    name_the_nameless(&r);
    af_textmap_clear(&r.unnamed);
    AF_ARRAYS_CLEAR(&r.events, &r.methods, &r.java, &r.paths);
    for (size_t t = 0; t < r.away.n; t++) {
        af_perf_away_clear(af_array_at(&r.away, t));
    }
    af_array_clear(&r.away);
    return ok;
}

const af_reader af_reader_reportsample = {
    .name = "report-sample",
    .title = "simpleperf report-sample --protobuf",
    .extensions = "trace",
    .detect = detect,
    .read = read_input,
};
