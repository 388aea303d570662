/* Stack samples: of perf, of any sampler, of Chrome, and those of track events. */
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "read/count_unit.h"

/* Adds a sample, or keeps it until its stack is known. */
static void add_sample(af_perfetto *p, const af_perfetto_packet *packet, af_timeline_event *event,
                       uint64_t id)
{
    event->kind = AF_EVENT_SAMPLE;
    if (id != 0) {
        event->name = af_perfetto_stacks_find(p->stacks, packet->sequence, id);
        if (event->name == AF_NO_STACK && packet->sequence->interval != NULL &&
            packet->clock == 0) {
            const af_perfetto_late late = {.event = *event, .stack = id};
            af_perfetto_add_late(p, packet, &late);
            return;
        }
    }
    if (event->name == AF_NO_STACK) {
        p->n_stackless++;
        return;
    }
    af_perfetto_add(p, packet, event);
}

void af_perfetto_finish_stack(af_perfetto *p, af_perfetto_sequence *sequence,
                              af_perfetto_late *late)
{
    late->event.name = af_perfetto_stacks_find(p->stacks, sequence, late->stack);
    if (late->event.name == AF_NO_STACK) {
        p->n_stackless++;
    } else {
        af_timeline_add(p->timeline, &late->event);
    }
}

void af_perfetto_take_perf_sample(af_perfetto *p, const af_perfetto_packet *packet,
                                  const af_protobuf *field)
{
    af_protobuf f[20];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    if (f[17].number > 0) {
        af_sink_warn(p->sink, AF_WARN_LOST_SAMPLES, f[17].number, packet->offset);
        return;
    }
    if (f[19].field != 0) {
        af_sink_warn(p->sink, AF_WARN_SAMPLING_STOPPED, 1, packet->offset);
        return;
    }
    if (f[18].number == 4) { /* of a process that was not asked for */
        return;
    }
    const uint32_t session = packet->sequence->defaults.session;
    af_timeline_event event = {.ns = packet->ns,
                               .a = (uint32_t)f[3].number,
                               .b = (uint32_t)f[2].number,
                               .name = AF_NO_STACK,
                               .extra = session > 0 ? session - 1 : af_perfetto_default_session(p)};
    if (event.extra >= p->sessions.n) { /* memory was refused */
        return;
    }
    event.value = (int64_t)MIN(AF_ARRAY_AT(&p->sessions, af_perfetto_session, event.extra).weight,
                               (uint64_t)INT64_MAX);
    add_sample(p, packet, &event, f[18].number == 0 ? f[4].number : 0);
}

void af_perfetto_take_stack_sample(af_perfetto *p, const af_perfetto_packet *packet,
                                   const af_protobuf *field)
{
    const af_perfetto_sequence *q = packet->sequence;
    uint64_t multiplier;
    af_protobuf f[12], task[4];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    const af_protobuf message = af_protobuf_message(
        f[1].field != 0
            ? af_protobuf_text(&f[1])
            : af_texts_get(p->texts, af_perfetto_sequence_find(q, AF_TABLE_TASK, f[2].number)));
    af_protobuf_values(&message, task, G_N_ELEMENTS(task));
    const uint32_t known = f[10].field == 0
                               ? q->defaults.descriptor
                               : af_perfetto_sequence_find(q, AF_TABLE_COUNTER, f[10].number);
    const af_span descriptor =
        f[9].field != 0 ? af_protobuf_text(&f[9]) : af_texts_get(p->texts, known);
    af_timeline_event event = {.ns = packet->ns,
                               .a = task[3].field != 0 ? (uint32_t)task[3].number : AF_NO_PID,
                               .b = task[2].field != 0 ? (uint32_t)task[2].number : AF_NO_PID,
                               .name = AF_NO_STACK,
                               .extra = af_perfetto_described_session(p, descriptor, &multiplier)};
    const uint64_t weight = f[11].field != 0 ? f[11].number : 1;
    event.value = (int64_t)(MIN(weight, (uint64_t)INT64_MAX / multiplier) * multiplier);
    if (f[5].field != 0) {
        event.name = af_perfetto_stacks_take_inline(p->stacks, &f[5]);
    }
    add_sample(p, packet, &event, event.name == AF_NO_STACK ? f[6].number : 0);
}

void af_perfetto_take_streaming_profile(af_perfetto *p, const af_perfetto_packet *packet,
                                        const af_protobuf *field)
{
    af_perfetto_sequence *q = packet->sequence;
    af_array all[2];
    for (unsigned i = 0; i < 2; i++) {
        af_array_init_metered(&all[i], sizeof(uint64_t), af_sink_meter(p->sink));
    }
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        for (af_packed v = af_packed_begin(&f); f.field <= 2 && af_packed_next(&v);) {
            af_array_append(&all[f.field - 1], &v.number);
        }
    }
    int64_t ns = 0, us = q->reference_us;
    const uint32_t session = af_perfetto_counted_session(p, "Chrome's sampler");
    for (size_t i = 0; i < all[1].n; i++) {
        const int64_t delta = (int64_t)AF_ARRAY_AT(&all[1], uint64_t, i);
        if (__builtin_add_overflow(us, delta, &us) || us > INT64_MAX / 4000 || us < 0) {
            break;
        }
        if (i >= all[0].n) {
            continue;
        }
        /* the first one is converted, later ones count from it */
        if (i == 0) {
            const int64_t first = us * 1000;
            if (!af_perfetto_clocks_convert(p->clocks, AF_CLOCK_ID_MONOTONIC, first, &ns)) {
                ns = first;
            }
        } else if (__builtin_add_overflow(ns, delta * 1000, &ns)) {
            break;
        }
        af_timeline_event event = {.ns = ns,
                                   .a = q->has_thread ? (uint32_t)q->tid : AF_NO_PID,
                                   .b = q->has_thread ? (uint32_t)q->pid : AF_NO_PID,
                                   .name = AF_NO_STACK,
                                   .extra = session,
                                   .value = 1};
        add_sample(p, packet, &event, AF_ARRAY_AT(&all[0], uint64_t, i));
    }
    q->reference_us = us;
    af_array_clear(&all[0]);
    af_array_clear(&all[1]);
}

void af_perfetto_take_event_stack(af_perfetto *p, const af_perfetto_packet *packet, int64_t ns,
                                  uint32_t track, const af_protobuf *field)
{
    uint64_t id = 0;
    double weight = 1;
    af_timeline_event event = {
        .ns = ns, .a = track, .b = AF_NO_PID, .name = AF_NO_STACK, .cpu_kind = AF_SAMPLE_OF_TRACK};
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 55) {
            event.name = af_perfetto_stacks_take_inline(p->stacks, &f);
        } else if (f.field == 56) {
            id = f.number;
        } else if (f.field == 57 && f.wire == AF_WIRE_FIXED64) {
            memcpy(&weight, &f.number, sizeof weight);
        }
    }
    event.extra = af_perfetto_event_stack_session(p);
    if (event.extra < p->sessions.n) {
        af_perfetto_session *session = &AF_ARRAY_AT(&p->sessions, af_perfetto_session, event.extra);
        const double scale = session->is_scaled ? AF_COUNTS_SCALE : 1;
        const double scaled = (weight > 0 && weight < 1e12 ? weight : 1) * scale;
        event.value = MAX((int64_t)(scaled + 0.5), 1);
        session->fractions |= session->is_scaled && event.value % AF_COUNTS_SCALE != 0;
    }
    p->n_event_stacks++;
    add_sample(p, packet, &event, event.name == AF_NO_STACK ? id : 0);
}

static void hand_on(void *user, uint32_t thread, const af_timeline_event *event)
{
    af_perfetto *p = user;
    const af_perfetto_session *session = af_perfetto_session_at(p, p->session);
    if (event->extra != p->session) {
        return;
    }
    af_sample sample = {.thread = thread, .offset = AF_NO_OFFSET};
    sample.stack = af_perfetto_stacks_give(p->stacks, event->name, thread, event->b);
    sample.time_ns = (uint64_t)MAX(event->ns, 0);
    const gboolean each = g_strcmp0(p->options->unit, "samples") == 0;
    /* Fractions stay only where there are some. */
    sample.weight[session->is_cpu_time && !each ? AF_CPU : AF_WALL] =
        each ? 1
             : (uint64_t)MAX(event->value, 0) /
                   (session->is_scaled && !session->fractions ? AF_COUNTS_SCALE : 1);
    if (sample.stack != AF_SINK_NO_STACK) {
        af_sink_sample(p->sink, &sample);
    }
}

static void start(af_perfetto *p)
{
    const af_perfetto_session *session = af_perfetto_session_at(p, p->session);
    const gboolean each = g_strcmp0(p->options->unit, "samples") == 0;
    const gboolean is_time = !each && (session->is_cpu_time || session->is_wall_time);
    const af_span unit_text = af_texts_get(p->texts, session->unit);
    g_autofree char *unit_name =
        each ? g_strdup("samples")
             : g_strndup(unit_text.bytes, MIN(unit_text.length, (size_t)AF_UNIT_NAME_MAX));
    const af_unit unit = {.name = is_time ? NULL : unit_name,
                          .counted = !is_time,
                          .digits = !each && session->fractions ? 3 : 0};
    const af_span name = af_texts_get(p->texts, session->name);
    g_autofree char *event =
        p->sessions.n < 2 ? g_strndup(name.bytes, name.length)
                          : g_strdup_printf("%.*s (%u of %u events)", (int)MIN(name.length, 200u),
                                            name.bytes, p->session + 1, (unsigned)p->sessions.n);
    af_sink_facts(p->sink)->weights.event = af_sink_clean(p->sink, af_span_of(event));
    af_sink_start_samples(p->sink, &unit,
                          1u << (is_time && session->is_cpu_time ? AF_CPU : AF_WALL),
                          AF_SAMPLES_TIMED);
}

gboolean af_perfetto_finish_samples(af_perfetto *p, GError **error)
{
    if (!af_perfetto_choose_session(p, error)) {
        return FALSE;
    }
    start(p);
    af_sink_facts(p->sink)->threadless = p->only_all;
    return af_timeline_finish_samples(p->timeline, hand_on, p, error);
}
