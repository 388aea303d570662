/* What a recording reports about itself: statistics, setup, device. */
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "base/number.h"

static void take_buffer(af_perfetto_loss *loss, const af_protobuf *field)
{
    af_protobuf f[20];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    loss->overwritten_chunks += f[3].number;
    loss->patches_failed += f[6].number + f[9].number;
    loss->overwritten_bytes += f[13].number;
    loss->discarded_chunks += f[18].number;
    loss->writer_loss += f[19].number;
}

void af_perfetto_take_trace_stats(af_perfetto *p, const af_perfetto_packet *packet,
                                  const af_protobuf *field)
{
    af_perfetto_loss *loss = &p->loss;
    loss->overwritten_bytes = loss->overwritten_chunks = loss->discarded_chunks = 0;
    loss->writer_loss = loss->patches_failed = 0;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 1) {
            take_buffer(loss, &f);
        } else if (f.field == 15) {
            loss->flush_failed = f.number == 2;
        }
    }
}

af_perfetto_cpu *af_perfetto_cpu_at(af_perfetto *p, uint64_t number)
{
    enum { MOST_CPUS = 65536 };
    return number >= MOST_CPUS ? NULL : af_array_slot(&p->cpus, (uint32_t)number);
}

/* Counters at the start are those of earlier recordings. */
static void take_cpu(af_perfetto *p, const af_protobuf *field, gboolean ends)
{
    af_protobuf f[9];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    const uint64_t overrun = f[3].number, dropped = f[8].number;
    af_perfetto_cpu *cpu = af_perfetto_cpu_at(p, f[1].number);
    if (cpu == NULL) {
        return;
    }
    if (ends) {
        cpu->lost = overrun - MIN(overrun, cpu->overrun_before) + dropped -
                    MIN(dropped, cpu->dropped_before);
    } else {
        cpu->overrun_before = overrun;
        cpu->dropped_before = dropped;
    }
}

void af_perfetto_take_ftrace_stats(af_perfetto *p, const af_perfetto_packet *packet,
                                   const af_protobuf *field)
{
    af_protobuf all[9];
    af_protobuf_values(field, all, G_N_ELEMENTS(all));
    p->loss.setup_failed |= all[5].field != 0 || all[6].field != 0 || all[7].field != 0;
    p->keep_early |= all[8].number != 0;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 2);) {
        take_cpu(p, &f, all[1].number == 2);
    }
}

static void warn(af_perfetto *p, af_warning_kind kind, uint64_t n)
{
    if (n > 0) {
        af_sink_warn(p->sink, kind, n, AF_NO_OFFSET);
    }
}

/* How many writers lost packets, and why. */
static void report_gaps(const af_perfetto *p)
{
    static const struct {
        uint64_t bits;
        const char *text;
    } causes[] = {
        {2, "lost on the way"}, {4, "damaged data"},         {8 | 16 | 32, "broken chains"},
        {64, "overwritten"},    {128, "the writer gave up"}, {256, "the shared buffer was full"},
    };
    const af_perfetto_loss *loss = &p->loss;
    char writers[AF_NUMBER_SIZE], gaps[AF_NUMBER_SIZE];
    if (loss->packet_gaps == 0) {
        return;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(
        text, "%s time%s, of %s writer%s", af_number_count(gaps, loss->packet_gaps),
        loss->packet_gaps == 1 ? "" : "s", af_number_count(writers, loss->losing_writers),
        loss->losing_writers == 1 ? "" : "s");
    const char *separator = ": ";
    for (unsigned i = 0; i < G_N_ELEMENTS(causes); i++) {
        if ((loss->gap_causes & causes[i].bits) != 0) {
            g_string_append_printf(text, "%s%s", separator, causes[i].text);
            separator = ", ";
        }
    }
    af_sink_add_fact(p->sink, af_span_of("gaps"), af_span_of_string(text));
}

void af_perfetto_report_loss(af_perfetto *p)
{
    const af_perfetto_loss *loss = &p->loss;
    warn(p, AF_WARN_RING_OVERRUN, loss->overwritten_bytes > 0 || loss->overwritten_chunks > 0);
    /* How much of the start a ring buffer lost. */
    char bytes[AF_NUMBER_SIZE], chunks[AF_NUMBER_SIZE];
    if (p->loss.overwritten_bytes > 0 || p->loss.overwritten_chunks > 0) {
        af_number_count(bytes, p->loss.overwritten_bytes);
        af_number_count(chunks, p->loss.overwritten_chunks);
        g_autofree char *text =
            g_strdup_printf("%s bytes in %s chunks from the start of the recording", bytes, chunks);
        af_sink_add_fact(p->sink, af_span_of("overwritten"), af_span_of(text));
    }
    report_gaps(p);
    warn(p, AF_WARN_BUFFER_FULL, loss->discarded_chunks);
    warn(p, AF_WARN_LOST_PACKETS, loss->writer_loss + loss->patches_failed);
    warn(p, AF_WARN_FLUSH_FAILED, loss->flush_failed);
    for (size_t i = 0; i < p->cpus.n; i++) {
        const af_perfetto_cpu *cpu = &AF_ARRAY_AT(&p->cpus, af_perfetto_cpu, i);
        if (cpu->lost > 0 || cpu->has_gap) {
            af_timeline_lose(p->timeline, i, cpu->lost,
                             cpu->has_gap ? cpu->gap_offset : AF_NO_OFFSET);
        }
    }
    af_timeline_report_losses(p->timeline);
    warn(p, AF_WARN_SETUP_FAILED, loss->setup_failed);
    warn(p, AF_WARN_UNNAMED_EVENTS, p->n_skipped);
    warn(p, AF_WARN_UNRESOLVED_NAMES, p->n_unresolved);
    if (af_perfetto_heaps_count(p->heaps) == 0) {
        warn(p, AF_WARN_EMPTY_HEAPS, af_perfetto_heaps_number(p->heaps));
    }
    warn(p, AF_WARN_EARLY_EVENTS, af_timeline_get_counts(p->timeline).early);
}

static void add_fact(af_perfetto *p, const char *key, af_span value)
{
    if (value.length > 0) {
        af_sink_add_fact(p->sink, af_span_of(key), value);
    }
}

void af_perfetto_take_system_info(af_perfetto *p, const af_perfetto_packet *packet,
                                  const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        static const char *const keys[] = {
            [2] = "build", [4] = "service", [9] = "soc", [14] = "manufacturer"};
        if (f.wire == AF_WIRE_BYTES && f.field < G_N_ELEMENTS(keys) && keys[f.field] != NULL) {
            add_fact(p, keys[f.field], af_protobuf_text(&f));
        } else if (f.field == 5 && f.wire == AF_WIRE_VARINT) {
            char text[24];
            g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, f.number);
            add_fact(p, "sdk", af_span_of(text));
        }
    }
}
