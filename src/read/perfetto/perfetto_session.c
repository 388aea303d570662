/* Sessions: what the samples of a recording count, and which of them are drawn. */
#include "read/perfetto/perfetto.h"

#include <aflame/error.h>
#include <string.h>

#include "base/own_trace.h"
#include "read/perfevents.h"

/* The name of a PerfEvents.Counter, which numbers the kernel's events in another way; NULL = none. */
static const char *name_counter(uint64_t counter)
{
    enum { FIRST_HARDWARE = 10, DUMMY = 20 };
    static const uint8_t software[FIRST_HARDWARE] = {0, 0, 2, 1, 3, 4, 5, 6, 7, 8};
    if (counter == 0 || counter > DUMMY) {
        return NULL;
    }
    return counter < FIRST_HARDWARE ? af_perf_event_name(AF_PERF_SOFTWARE, software[counter])
           : counter < DUMMY        ? af_perf_event_name(AF_PERF_HARDWARE, counter - FIRST_HARDWARE)
                                    : af_perf_event_name(AF_PERF_SOFTWARE, 9);
}

static uint32_t add_literal(af_perfetto *p, const char *text)
{
    return af_texts_add(p->texts, af_span_of(text));
}

/* The number of a session with this content, a new one if there is none. */
static uint32_t add_session(af_perfetto *p, const af_perfetto_session *session)
{
    for (uint32_t i = 0; i < p->sessions.n; i++) {
        const af_perfetto_session *known = &AF_ARRAY_AT(&p->sessions, af_perfetto_session, i);
        if (known->name == session->name && known->weight == session->weight &&
            known->unit == session->unit && known->is_cpu_time == session->is_cpu_time &&
            known->is_scaled == session->is_scaled) {
            return i;
        }
    }
    af_perfetto_session *added = p->sessions.n >= 1024 ? NULL : af_array_add(&p->sessions, 1);
    if (added == NULL) {
        return 0;
    }
    *added = *session;
    return (uint32_t)p->sessions.n - 1;
}

/* Fields of a timebase. */
enum { PERIOD = 1, FREQUENCY = 2, TRACEPOINT = 3, COUNTER = 4, RAW = 5, NAME = 10, MODIFIERS = 12 };

/* `t`: the fields of `timebase`. */
static uint32_t name_event(af_perfetto *p, const af_protobuf *timebase, const af_protobuf *t)
{
    static const char letters[] = {'\0', 'u', 'k', 'h'};
    af_protobuf tracepoint[2], raw[3];
    af_protobuf_values(&t[TRACEPOINT], tracepoint, G_N_ELEMENTS(tracepoint));
    af_protobuf_values(&t[RAW], raw, G_N_ELEMENTS(raw));
    g_autoptr(GString) name = g_string_new(NULL);
    if (t[NAME].length > 0) {
        af_span_append(name, af_protobuf_text(&t[NAME]));
    } else if (tracepoint[1].length > 0) {
        af_span_append(name, af_protobuf_text(&tracepoint[1]));
    } else if (t[RAW].field != 0) {
        g_string_append_printf(name, "raw.0x%" G_GINT64_MODIFIER "x.0x%" G_GINT64_MODIFIER "x",
                               raw[1].number, raw[2].number);
    } else {
        const char *counter = name_counter(t[COUNTER].number);
        g_string_append(name, counter != NULL ? counter : "cpu-clock");
    }
    unsigned n = 0;
    for (af_protobuf f = af_protobuf_of(timebase); af_protobuf_next(&f);) {
        for (af_packed v = af_packed_begin(&f); f.field == MODIFIERS && af_packed_next(&v);) {
            if (n++ < 4 && v.number > 0 && v.number < G_N_ELEMENTS(letters)) {
                g_string_append(name, n == 1 ? ":" : "");
                g_string_append_c(name, letters[v.number]);
            }
        }
    }
    return af_texts_add(p->texts, af_span_of_string(name));
}

/* Each sample of a clock stands for its interval; one of another event, whose period is known, for
 * the period. */
static uint32_t add_timebase(af_perfetto *p, const af_protobuf *timebase)
{
    af_protobuf t[MODIFIERS + 1];
    af_protobuf_values(timebase, t, G_N_ELEMENTS(t));
    const uint64_t period = t[PERIOD].number, frequency = t[FREQUENCY].number;
    const gboolean clock = t[COUNTER].number == 1 || t[COUNTER].number == 3;
    const char *counter = name_counter(t[COUNTER].number);
    af_perfetto_session session = {.name = name_event(p, timebase, t), .weight = MAX(period, 1)};
    if (clock && (frequency > 0 || period > 0)) {
        session.is_cpu_time = TRUE;
        session.weight = frequency > 0 ? MAX(UINT64_C(1000000000) / frequency, 1) : period;
        session.unit = AF_NO_TEXT;
    } else {
        session.unit = add_literal(p, period == 0       ? "samples"
                                      : counter != NULL ? counter
                                                        : "events");
    }
    return add_session(p, &session);
}

uint32_t af_perfetto_take_session(af_perfetto *p, const af_protobuf *field)
{
    af_protobuf f[3];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    if (f[2].number > 1 && af_sink_warned(p->sink, AF_WARN_SHARD) == 0) {
        af_sink_warn(p->sink, AF_WARN_SHARD, 1, AF_NO_OFFSET);
    }
    return add_timebase(p, &f[1]);
}

uint32_t af_perfetto_default_session(af_perfetto *p)
{
    const af_protobuf none = {.length = 0};
    return add_timebase(p, &none);
}

uint32_t af_perfetto_described_session(af_perfetto *p, af_span text, uint64_t *multiplier)
{
    static const char *const units[] = {
        "samples",     "ns",           "cycles",           "instructions",  "bytes",
        "page-faults", "cache-misses", "cache-references", "branch-misses", "samples"};
    af_perfetto_session session = {.name = add_literal(p, "samples"), .weight = 1};
    const af_protobuf message = af_protobuf_message(text);
    af_protobuf f[6];
    af_protobuf_values(&message, f, G_N_ELEMENTS(f));
    const uint64_t unit = f[3].number;
    af_span words = af_protobuf_text(&f[4]);
    if (f[2].wire == AF_WIRE_BYTES) {
        session.name = af_texts_add(p->texts, af_protobuf_text(&f[2]));
    }
    *multiplier = MAX(f[5].number, 1);
    if (words.length > strlen(AF_TRACE_THOUSANDTHS) && af_span_skip(&words, AF_TRACE_THOUSANDTHS)) {
        session.is_scaled = session.fractions = TRUE;
    }
    const af_span name = af_texts_get(p->texts, session.name);
    const gboolean is_time = words.length == 0 ? unit == 1 : af_span_is(words, "ns");
    session.is_cpu_time = is_time && memmem(name.bytes, name.length, "cpu", 3) != NULL;
    session.is_wall_time = is_time && !session.is_cpu_time;
    session.unit = words.length > 0
                       ? af_texts_add(p->texts, words)
                       : add_literal(p, unit < G_N_ELEMENTS(units) ? units[unit] : "samples");
    return add_session(p, &session);
}

uint32_t af_perfetto_counted_session(af_perfetto *p, const char *name)
{
    const af_perfetto_session session = {
        .name = add_literal(p, name), .weight = 1, .unit = add_literal(p, "samples")};
    return add_session(p, &session);
}

uint32_t af_perfetto_event_stack_session(af_perfetto *p)
{
    const af_perfetto_session session = {.name = add_literal(p, "stacks of track events"),
                                         .weight = 1,
                                         .unit = add_literal(p, "samples"),
                                         .is_scaled = TRUE};
    return add_session(p, &session);
}

const af_perfetto_session *af_perfetto_session_at(const af_perfetto *p, uint32_t session)
{
    return &AF_ARRAY_AT(&p->sessions, af_perfetto_session, session);
}

/* Whether a name matches the event: "cycles" matches "cycles:u". */
static gboolean is_event(af_span name, const char *wanted)
{
    return af_span_skip(&name, wanted) && (name.length == 0 || *name.bytes == ':');
}

gboolean af_perfetto_choose_session(af_perfetto *p, GError **error)
{
    const char *wanted = p->options->event;
    g_autoptr(GString) list = g_string_new(NULL);
    uint32_t chosen = wanted == NULL ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < p->sessions.n; i++) {
        const af_span name = af_texts_get(p->texts, af_perfetto_session_at(p, i)->name);
        if (chosen == UINT32_MAX && is_event(name, wanted)) {
            chosen = i;
        }
        g_string_append_printf(list, "%s%.*s", i == 0 ? "" : ", ", (int)MIN(name.length, 200u),
                               name.bytes);
    }
    if (chosen == UINT32_MAX) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "this recording has no event \"%s\"; it has %s", wanted, list->str);
    }
    p->session = chosen;
    return chosen != UINT32_MAX;
}
