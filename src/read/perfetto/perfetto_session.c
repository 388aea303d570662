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

/* The declarations of a timebase. */
typedef struct {
    uint64_t frequency, period, counter, raw[5];
    af_span name, tracepoint;
    gboolean is_raw;
    uint64_t modifiers[4];
    unsigned n_modifiers;
} timebase;

static void parse_timebase(timebase *t, const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        switch (f.field) {
        case 1:
            t->period = f.number;
            break;
        case 2:
            t->frequency = f.number;
            break;
        case 4:
            t->counter = f.number;
            break;
        case 3:
            for (af_protobuf g = af_protobuf_of(&f); af_protobuf_next(&g);) {
                t->tracepoint = g.field == 1 ? af_protobuf_text(&g) : t->tracepoint;
            }
            break;
        case 5:
            t->is_raw = TRUE;
            for (af_protobuf g = af_protobuf_of(&f); af_protobuf_next(&g);) {
                if (g.field < 5) {
                    t->raw[g.field] = g.number;
                }
            }
            break;
        case 10:
            t->name = af_protobuf_text(&f);
            break;
        case 12:
            for (af_packed v = af_packed_begin(&f); af_packed_next(&v);) {
                if (t->n_modifiers < 4) {
                    t->modifiers[t->n_modifiers++] = v.number;
                }
            }
            break;
        default:
            break;
        }
    }
}

static uint32_t name_event(af_perfetto *p, const timebase *t)
{
    static const char letters[] = {'\0', 'u', 'k', 'h'};
    g_autoptr(GString) name = g_string_new(NULL);
    if (t->name.length > 0) {
        af_span_append(name, t->name);
    } else if (t->tracepoint.length > 0) {
        af_span_append(name, t->tracepoint);
    } else if (t->is_raw) {
        g_string_append_printf(name, "raw.0x%" G_GINT64_MODIFIER "x.0x%" G_GINT64_MODIFIER "x",
                               t->raw[1], t->raw[2]);
    } else {
        const char *counter = name_counter(t->counter);
        g_string_append(name, counter != NULL ? counter : "cpu-clock");
    }
    for (unsigned i = 0; i < t->n_modifiers; i++) {
        if (t->modifiers[i] > 0 && t->modifiers[i] < G_N_ELEMENTS(letters)) {
            if (i == 0) {
                g_string_append_c(name, ':');
            }
            g_string_append_c(name, letters[t->modifiers[i]]);
        }
    }
    return af_texts_add(p->texts, af_span_of_string(name));
}

/* Each sample of a clock stands for its interval; one of another event, whose period is known, for
 * the period. */
static uint32_t add_timebase(af_perfetto *p, const timebase *t)
{
    const gboolean clock = t->counter == 1 || t->counter == 3;
    const char *counter = name_counter(t->counter);
    af_perfetto_session session = {.name = name_event(p, t), .weight = 1};
    if (clock && (t->frequency > 0 || t->period > 0)) {
        session.is_cpu_time = TRUE;
        session.weight = t->frequency > 0 ? MAX(UINT64_C(1000000000) / t->frequency, 1) : t->period;
        session.unit = AF_NO_TEXT;
    } else if (t->period > 0 && counter != NULL) {
        session.weight = t->period;
        session.unit = add_literal(p, counter);
    } else {
        session.unit = add_literal(p, t->period > 0 ? "events" : "samples");
        session.weight = t->period > 0 ? t->period : 1;
    }
    return add_session(p, &session);
}

uint32_t af_perfetto_take_session(af_perfetto *p, const af_protobuf *field)
{
    timebase t = {0};
    af_protobuf f[3];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    parse_timebase(&t, &f[1]);
    if (f[2].number > 1 && af_sink_warned(p->sink, AF_WARN_SHARD) == 0) {
        af_sink_warn(p->sink, AF_WARN_SHARD, 1, AF_NO_OFFSET);
    }
    return add_timebase(p, &t);
}

uint32_t af_perfetto_default_session(af_perfetto *p)
{
    const timebase none = {0};
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
