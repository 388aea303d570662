/* pprof: a protobuf message with tables of strings, functions and locations, and samples that refer
 * to them. The tables may follow the samples, so the input is read as a whole.
 *
 * Samples have a value of each type; measures.h says which count. Labels "thread" and "tid" name
 * the thread of a sample; a profile without them has none. Locations list inlined functions, the
 * innermost first, as samples list their locations.
 *
 * A truncated file is read if its strings come first.
 *
 * Verified with: aflame's own exports, and the examples of speedscope. */
#include "read/reader.h"

#include <string.h>

#include "base/capacity.h"
#include "base/idtable.h"
#include "base/wide.h"
#include "read/frames.h"
#include "read/measures.h"
#include "read/protobuf.h"

/* Fields of the profile. */
enum {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    DEFAULT_TYPE = 14,
    KNOWN_FIELDS = 16
};

/* A byte can repeat a location with many lines: the frames of all samples are limited. */
#define FEWEST_FRAMES   AF_WORK(UINT64_C(1) << 26, UINT64_C(1) << 23)
#define FRAMES_PER_BYTE AF_WORK(64u, 16u)

typedef struct {
    uint64_t name, system_name, file, line;
    uint32_t method; /* of the sink, + 1; 0 = not needed yet */
} function;

typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint32_t method; /* of its address, if it has no line; as above */
} location;

typedef struct {
    uint64_t thread, tid, process;
    gboolean has_tid, has_process, any;
} owner;

typedef struct {
    af_sink *sink;
    const uint8_t *bytes;
    size_t length;
    af_array strings; /* of af_span */
    af_idtable functions, locations;
    af_array type_strings; /* of uint64_t: name, unit */
    uint64_t default_type, frames_left;
    af_measures measures;
    af_array methods; /* of uint32_t, the innermost first */
    af_array values;  /* of int64_t */
    af_textmap threads;
    gboolean damaged, owned, unnamed;
    gboolean incomplete; /* a string is missing */
} reading;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    static const uint8_t wire_types[KNOWN_FIELDS] = {[1] = 2, 2, 2, 2, 2, 2, 0, 0,
                                                     0,       0, 2, 0, 2, 0, 0};
    const uint8_t *at = head, *const end = head + length;
    unsigned kinds = 0, n = 0, whole = 0;
    for (; at < end && n < 64; n++) {
        const unsigned field = *at >> 3, wire = *at & 7;
        uint64_t number;
        at++;
        if (field == 0 || field >= KNOWN_FIELDS ||
            (wire != wire_types[field] && !(field == 13 && wire == AF_WIRE_VARINT))) {
            return 0;
        }
        if (!af_uleb128(&at, end, &number)) {
            if (end - at >= AF_ULEB128_MAX) {
                return 0;
            }
            break; /* the window ends inside the number */
        }
        kinds |= 1u << field;
        if (wire == AF_WIRE_BYTES) {
            if (number > (uint64_t)(end - at)) {
                break; /* the window ends inside the field */
            }
            at += number;
        }
        whole++;
    }
    /* a Perfetto trace has only field 1; a profile of any use has a type and a string or a sample */
    const gboolean profile = (kinds & ~(1u << SAMPLE_TYPE)) != 0 && whole > 1 &&
                             (kinds & (1u << SAMPLE | 1u << STRING | 1u << LOCATION)) != 0;
    return profile ? (named ? 40 : 25) : 0;
}

static af_span string_at(reading *r, uint64_t index)
{
    const af_span none = {"", 0};
    r->incomplete |= index >= r->strings.n;
    return index < r->strings.n ? AF_ARRAY_AT(&r->strings, af_span, index) : none;
}

static void take_string(reading *r, const af_protobuf *p)
{
    const af_span text = af_protobuf_text(p);
    af_array_append(&r->strings, &text);
}

static void take_type(reading *r, const af_protobuf *p)
{
    uint64_t *added = af_array_add(&r->type_strings, 2);
    for (af_protobuf t = af_protobuf_of(p); added != NULL && af_protobuf_next(&t);) {
        if (t.field == 1 || t.field == 2) {
            added[t.field - 1] = t.number;
        }
    }
}

static void take_function(reading *r, const af_protobuf *p)
{
    af_protobuf f[6];
    af_protobuf_values(p, f, G_N_ELEMENTS(f));
    function *entry = af_idtable_item(&r->functions, f[1].number);
    if (entry != NULL) {
        *entry = (function){.name = f[2].number,
                            .system_name = f[3].number,
                            .file = f[4].number,
                            .line = f[5].number};
    }
}

static void take_location(reading *r, const af_protobuf *p)
{
    af_protobuf f[2];
    af_protobuf_values(p, f, G_N_ELEMENTS(f));
    location *entry = af_idtable_item(&r->locations, f[1].number);
    if (entry != NULL) {
        *entry = (location){.bytes = p->bytes, .length = p->length};
    }
}

static void take_tables(reading *r)
{
    af_protobuf p = af_protobuf_begin(r->bytes, r->length);
    while (af_protobuf_next(&p) && !af_sink_is_stopped(r->sink)) {
        switch (p.field) {
        case SAMPLE_TYPE:
            take_type(r, &p);
            break;
        case LOCATION:
            take_location(r, &p);
            break;
        case FUNCTION:
            take_function(r, &p);
            break;
        case STRING:
            take_string(r, &p);
            break;
        case DEFAULT_TYPE:
            r->default_type = p.number;
            break;
        default:
            break;
        }
    }
    r->damaged = p.damaged;
}

/* Ids of functions are even, those of addresses odd. */
static uint32_t define(reading *r, uint64_t id, const af_method_text *text)
{
    const uint64_t shifted = id << AF_ACTION_BITS;
    const uint32_t method = af_sink_method(r->sink, shifted);
    if (method != UINT32_MAX) {
        af_sink_define_method(r->sink, shifted, text, FALSE);
    }
    return method == UINT32_MAX ? 0 : method + 1;
}

static uint32_t method_of_function(reading *r, uint64_t id)
{
    const uint32_t number = af_idmap_find(&r->functions.ids, id);
    function missing = {0};
    function *f = number == AF_IDMAP_NONE ? &missing : af_array_at(&r->functions.items, number);
    char unknown[40];
    if (f->method == 0) {
        af_span name = string_at(r, f->name);
        name = name.length > 0 ? name : string_at(r, f->system_name);
        if (name.length == 0) {
            g_snprintf(unknown, sizeof unknown, "0x%" G_GINT64_MODIFIER "x [unknown]", id);
            name = af_span_of(unknown);
            af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        }
        name = af_sink_truncate(r->sink, name);
        af_method_text text = af_frame_parse(name.bytes, name.length, AF_FRAME_ANY);
        const af_span file = string_at(r, f->file);
        text.source = file.length > 0 ? file : (af_span){NULL, 0};
        text.line = f->line > 0 && f->line <= INT32_MAX ? (int32_t)f->line : -1;
        f->method = define(r,
                           number == AF_IDMAP_NONE ? UINT64_C(1) << 60 | (id & 0xFFFFFFFF) << 1
                                                   : (uint64_t)number << 1,
                           &text);
    }
    return f->method;
}

static uint32_t method_of_address(reading *r, location *l, uint64_t id, uint64_t address)
{
    if (l->method == 0) {
        char name[40];
        g_snprintf(name, sizeof name, "0x%" G_GINT64_MODIFIER "x", address);
        const af_method_text text = {.name = {name, strlen(name)}, .line = -1, .whole = TRUE};
        l->method = define(r, id << 1 | 1, &text);
    }
    return l->method;
}

static void push_method(reading *r, uint32_t method)
{
    if (method == 0) {
        af_sink_fail(r->sink);
        return;
    }
    af_array_append(&r->methods, &(uint32_t){method - 1});
}

static void push_location(reading *r, uint64_t id)
{
    const uint32_t number = af_idmap_find(&r->locations.ids, id);
    if (number == AF_IDMAP_NONE) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return;
    }
    location *l = af_array_at(&r->locations.items, number);
    uint64_t address = 0;
    gboolean any = FALSE;
    for (af_protobuf p = af_protobuf_begin(l->bytes, l->length); af_protobuf_next(&p);) {
        address = p.field == 3 ? p.number : address;
        if (p.field == 4) {
            uint64_t called = 0;
            for (af_protobuf n = af_protobuf_of(&p); af_protobuf_next(&n);) {
                called = n.field == 1 ? n.number : called;
            }
            push_method(r, method_of_function(r, called));
            any = TRUE;
        }
        if (r->methods.n > r->frames_left) {
            return;
        }
    }
    if (!any) {
        push_method(r, method_of_address(r, l, number, address));
    }
}

/* Returns whether any of the numbers that count is not 0. */
static gboolean weigh(reading *r, uint64_t weight[AF_CLOCKS])
{
    gboolean any = FALSE;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint32_t column = r->measures.column[c];
        weight[c] = 0;
        if (column == AF_NO_COLUMN) {
            continue;
        }
        if (column >= r->values.n) {
            af_sink_warn(r->sink, AF_WARN_NO_WEIGHT, 1, AF_NO_OFFSET);
            continue;
        }
        const int64_t value = AF_ARRAY_AT(&r->values, int64_t, column);
        if (value < 0) {
            af_sink_warn(r->sink, AF_WARN_NEGATIVE_WEIGHT, 1, AF_NO_OFFSET);
            continue;
        }
        weight[c] = af_measures_weigh(&r->measures, c, (uint64_t)value);
        any |= weight[c] > 0;
    }
    return any;
}

/* Reads the numbers first: samples without any need no stack. */
static gboolean take_numbers(reading *r, const af_protobuf *sample, owner *o,
                             uint64_t weight[AF_CLOCKS])
{
    *o = (owner){0};
    r->values.n = 0;
    for (af_protobuf p = af_protobuf_of(sample); af_protobuf_next(&p);) {
        if (p.field == 2) {
            for (af_packed n = af_packed_begin(&p); af_packed_next(&n);) {
                af_array_append(&r->values, &n.number);
            }
        } else if (p.field == 3) {
            af_protobuf l[4];
            af_protobuf_values(&p, l, G_N_ELEMENTS(l));
            const af_span name = string_at(r, l[1].number);
            if (af_span_is(name, "thread")) {
                o->thread = l[2].number;
                o->any = TRUE;
            } else if (af_span_is(name, "tid")) {
                o->tid = l[3].number;
                o->has_tid = o->any = TRUE;
            } else if (af_span_is(name, "pid")) {
                o->process = l[3].number;
                o->has_process = TRUE;
            }
        }
    }
    return weigh(r, weight);
}

static void take_stack(reading *r, const af_protobuf *sample)
{
    r->methods.n = 0;
    for (af_protobuf p = af_protobuf_of(sample); af_protobuf_next(&p);) {
        if (p.field != 1) {
            continue;
        }
        for (af_packed n = af_packed_begin(&p);
             r->methods.n <= r->frames_left && af_packed_next(&n);) {
            push_location(r, n.number);
        }
    }
    af_frames_turn(&r->methods);
}

static gboolean take_sample(reading *r, const af_protobuf *p)
{
    owner o;
    af_sample sample = {.offset = (uint64_t)(p->bytes - r->bytes)};
    if (!take_numbers(r, p, &o, sample.weight)) {
        return !af_sink_is_stopped(r->sink);
    }
    take_stack(r, p);
    if (r->methods.n > r->frames_left) {
        af_sink_warn(r->sink, AF_WARN_MANY_FRAMES, 1, sample.offset);
        return FALSE;
    }
    r->frames_left -= r->methods.n;
    if (r->methods.n == 0) {
        af_sink_warn(r->sink, AF_WARN_NO_WEIGHT, 1, sample.offset);
        return TRUE;
    }
    /* Threads are numbered in order of their first sample. */
    const uint64_t parts[] = {o.thread, o.tid, o.process, o.has_tid};
    const uint32_t known = r->threads.n;
    const uint32_t number =
        af_textmap_keep(&r->threads, af_sink_arena(r->sink), (const char *)parts, sizeof parts);
    const uint32_t thread =
        number == AF_TEXTMAP_NONE ? UINT32_MAX : af_sink_thread(r->sink, number);
    if (thread == UINT32_MAX) {
        af_sink_fail(r->sink);
    } else if (number == known) {
        const af_thread_owner owned = {
            .id = o.has_tid ? o.tid : number, .process = AF_NO_PROCESS, .rank = number};
        const af_span name = o.any ? string_at(r, o.thread) : af_span_of("all");
        af_sink_set_thread_owner(r->sink, thread, &owned);
        af_sink_describe_thread(r->sink, thread, name.bytes, name.length, TRUE, FALSE);
        r->owned |= o.any;
        r->unnamed |= af_span_is(name, "all");
        if (o.has_process && !af_sink_facts(r->sink)->has_pid) {
            af_sink_facts(r->sink)->has_pid = TRUE;
            af_sink_facts(r->sink)->pid = o.process;
        }
    }
    sample.thread = thread;
    sample.methods = r->methods.items;
    sample.n = r->methods.n;
    return sample.thread != UINT32_MAX && af_sink_sample(r->sink, &sample);
}

static gboolean choose_type(reading *r, const char *wanted, GError **error)
{
    const uint32_t n = (uint32_t)(r->type_strings.n / 2);
    const af_span meant = string_at(r, r->default_type);
    af_array types;
    uint32_t chosen = n - 1;
    if (n == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: this pprof profile declares no type of its values");
        return FALSE;
    }
    for (size_t i = 0; i < r->type_strings.n; i++) {
        if (AF_ARRAY_AT(&r->type_strings, uint64_t, i) >= r->strings.n) {
            g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                        "%s: this pprof profile does not name the types of its values",
                        r->damaged ? "truncated" : "damaged");
            return FALSE;
        }
    }
    af_array_init(&types, sizeof(af_measured));
    if (af_array_reach(&types, n)) {
        for (uint32_t i = 0; i < n; i++) {
            const af_span name =
                string_at(r, AF_ARRAY_AT(&r->type_strings, uint64_t, 2 * (size_t)i));
            AF_ARRAY_AT(&types, af_measured, i) = (af_measured){
                name, string_at(r, AF_ARRAY_AT(&r->type_strings, uint64_t, 2 * (size_t)i + 1))};
            if (r->default_type > 0 && name.length == meant.length &&
                memcmp(name.bytes, meant.bytes, name.length) == 0) {
                chosen = i;
            }
        }
    }
    af_sink_fail_if(r->sink, types.failed);
    const gboolean ok = types.failed || af_measures_choose(&r->measures, r->sink, types.items, n,
                                                           chosen, wanted, error);
    af_array_clear(&types);
    return ok;
}

static void take_samples(reading *r)
{
    size_t reported = 0;
    for (af_protobuf p = af_protobuf_begin(r->bytes, r->length); af_protobuf_next(&p);) {
        const size_t at = (size_t)(p.at - r->bytes);
        if (!af_sink_advance(r->sink, at - reported) ||
            (p.field == SAMPLE && !take_sample(r, &p))) {
            return;
        }
        reported = at;
    }
}

/* Rejects a file without all of its strings, as pprof does: they usually come last. */
static gboolean finish(reading *r, const af_source *source, GError **error)
{
    af_facts *facts = af_sink_facts(r->sink);
    if (r->incomplete && !af_sink_has_failed(r->sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged or truncated: names that the samples refer to are missing");
        return FALSE;
    }
    if (r->damaged || source->cut) {
        facts->recording.truncated = TRUE;
        af_sink_warn(r->sink, AF_WARN_TRUNCATED, 1, AF_NO_OFFSET);
    }
    /* "all": an export of an input without threads */
    facts->threadless = !r->owned || (r->threads.n == 1 && r->unnamed);
    return TRUE;
}

static void init(reading *r, af_source *source, af_sink *sink)
{
    af_meter *const meter = af_sink_meter(sink);
    *r = (reading){.sink = sink,
                   .bytes = source->bytes,
                   .length = source->length,
                   .frames_left = FEWEST_FRAMES + FRAMES_PER_BYTE * (uint64_t)source->length};
    af_array_init_metered(&r->strings, sizeof(af_span), meter);
    af_idtable_init(&r->functions, sizeof(function), meter);
    af_idtable_init(&r->locations, sizeof(location), meter);
    af_array_init_metered(&r->type_strings, sizeof(uint64_t), meter);
    af_array_init_metered(&r->methods, sizeof(uint32_t), meter);
    af_array_init_metered(&r->values, sizeof(int64_t), meter);
    af_textmap_init_metered(&r->threads, meter);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    reading r;
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    af_sink_set_format(sink, "pprof", "pprof profile", "sample");
    af_sink_set_total(sink, source->length);
    init(&r, source, sink);
    take_tables(&r);
    gboolean ok = af_sink_has_failed(sink) || choose_type(&r, options->event, error);
    if (ok && !af_sink_has_failed(sink)) {
        af_measures_start(&r.measures, sink, AF_SAMPLES_UNTIMED);
        take_samples(&r);
        ok = finish(&r, source, error);
    }
    AF_ARRAYS_CLEAR(&r.strings, &r.type_strings, &r.methods, &r.values);
    af_idtable_clear(&r.functions);
    af_idtable_clear(&r.locations);
    af_textmap_clear(&r.threads);
    return ok;
}

const af_reader af_reader_pprof = {
    .name = "pprof",
    .title = "pprof profiles of Go, Parca, Pyroscope and others",
    .extensions = "pprof pb prof",
    .detect = detect,
    .read = read_input,
};
