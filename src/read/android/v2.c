/* V2: packets with LEB128 differences. Written by --profiler-output-version 2 since Android 15; the
 * same layout for streams and files.
 *
 * The version number does not distinguish the layouts. Supported are V2c (times in us, June 2024 to
 * February 2025), V2d (ns, since then) and V2e (time stamp counter, trunk of 2026); V2a and V2b,
 * from a few months of previews, are rejected by name. */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "read/android/keytext.h"
#include "read/android/text_repair.h"
#include "read/android/v2.h"

#define HEADER 32u

/* The sizes of the fields before the bytes, by kind: id, record count (ignored: the writer
 * truncates it to 16 bits), length of the bytes. */
static const struct {
    unsigned id, count, length;
} fields[] = {[AF_V2_THREAD] = {4, 0, 2},
              [AF_V2_METHOD] = {8, 0, 2},
              [AF_V2_BLOCK] = {4, 3, 4},
              [AF_V2_SUMMARY] = {0, 0, 2}};

af_v2_packet_kind af_v2_next_packet(af_v2_packets *p, af_v2_packet *next)
{
    *next = (af_v2_packet){.at = p->at};
    if (p->at == p->end) {
        return next->kind = AF_V2_END;
    }
    const unsigned kind = *p->at;
    if (kind > AF_V2_SUMMARY) {
        return next->kind = AF_V2_UNKNOWN;
    }
    const uint8_t *at = p->at + 1;
    const size_t head = fields[kind].id + fields[kind].count + fields[kind].length;
    if ((size_t)(p->end - at) < head) {
        return next->kind = AF_V2_CUT;
    }
    next->id = fields[kind].id == 8 ? af_load_u64(at) : fields[kind].id == 4 ? af_load_u32(at) : 0;
    at += fields[kind].id + fields[kind].count;
    next->length = fields[kind].length == 4 ? af_load_u32(at) : af_load_u16(at);
    at += fields[kind].length;
    next->bytes = at;
    if ((size_t)(p->end - at) < next->length) {
        if (kind != AF_V2_BLOCK) {
            return next->kind = AF_V2_CUT;
        }
        next->length = (size_t)(p->end - at);
        next->cut = TRUE;
    }
    p->at = at + next->length;
    return next->kind = kind;
}

static void take_method(const af_v2_file *f, const af_v2_packet *info)
{
    const char *at = (const char *)info->bytes, *end = at + info->length;
    end -= end > at && end[-1] == '\n';
    af_method_text text;
    af_keytext_parse_columns(at, (size_t)(end - at), &text);
    if (text.class_name.length + text.name.length > 0) {
        af_sink_define_method(f->sink, info->id & ~UINT64_C(3), &text, TRUE);
    }
}

void af_v2_take_names(af_v2_file *f)
{
    af_v2_packets p = f->packets;
    af_v2_packet next;
    for (;; f->n_packets++) {
        f->last = af_v2_next_packet(&p, &next);
        f->last_at = next.at;
        if (f->last == AF_V2_THREAD) {
            af_thread_names_add(&f->announced, next.id,
                                (af_span){(const char *)next.bytes, next.length});
        } else if (f->last == AF_V2_METHOD) {
            take_method(f, &next);
        } else if (f->last == AF_V2_BLOCK) {
            f->cut = next.cut;
        } else if (f->last == AF_V2_SUMMARY) {
            f->summary = (af_span){(const char *)next.bytes, next.length};
            if (p.at < p.end) {
                af_sink_warn(f->sink, AF_WARN_AFTER_SUMMARY, 1, (uint64_t)(p.at - f->begin));
            }
            return;
        } else {
            return;
        }
    }
}

/* Without a summary, the time steps reveal the unit: half of them are at least half a microsecond
 * if the unit is ns, and steps of hundreds of microseconds are rare. */
static af_v2_layout guess_unit(af_v2_file *f)
{
    af_idtable_init(&f->step_times, sizeof(uint64_t), NULL);
    f->guessing = TRUE;
    af_v2_take_blocks(f);
    f->guessing = FALSE;
    af_sink_fail_if(f->sink, f->step_times.items.failed || f->step_times.ids.failed);
    af_idtable_clear(&f->step_times);
    /* whether element [n / 2] of the n sorted steps is long enough */
    return f->steps > 0 && f->short_steps <= f->steps / 2 ? AF_V2_LAYOUT_D : AF_V2_LAYOUT_C;
}

static gboolean has_fact(const af_sink *sink, const char *key)
{
    size_t n;
    const af_fact *facts = af_sink_key_values(sink, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        const af_fact *fact = &facts[i];
        if (strcmp(fact->key, key) == 0 &&
            af_keytext_parse_number(af_span_of(fact->value), &value)) {
            return TRUE;
        }
    }
    return FALSE;
}

static af_v2_layout choose_unit(af_v2_file *f)
{
    if (has_fact(f->sink, "elapsed-time-nsec")) {
        return AF_V2_LAYOUT_D;
    }
    if (has_fact(f->sink, "elapsed-time-usec")) {
        return AF_V2_LAYOUT_C;
    }
    const af_v2_layout guessed = guess_unit(f);
    af_sink_warn(f->sink, AF_WARN_UNIT_GUESSED, 1, AF_NO_OFFSET);
    return guessed;
}

/* Preview layouts that cannot be read as V2c: V2a has a shorter header before a method's line, V2b
 * stores the first record of a block in the block's header. Returns NULL if it is neither. */
static const char *find_early_layout(const af_v2_file *f)
{
    af_v2_packets p = f->packets;
    af_v2_packet next;
    while (af_v2_next_packet(&p, &next) <= AF_V2_BLOCK) {
        if (next.kind == AF_V2_METHOD && memchr(next.bytes, '\t', next.length) == NULL) {
            break;
        }
        if (next.kind == AF_V2_BLOCK && p.end - next.at >= 13 && !af_v2_is_known(f, 0) &&
            af_v2_is_known(f, af_load_u64(next.at + 5))) {
            return "V2b (Android 15 previews of 2024)";
        }
    }
    const uint8_t *at = next.at;
    if (at + 7 <= p.end && *at == AF_V2_METHOD) {
        const size_t length = af_load_u16(at + 5);
        if (length > 1 && (size_t)(p.end - at) - 7 >= length && at[7 + length - 1] == '\n' &&
            memchr(at + 7, '\t', length) != NULL) {
            return "V2a (Android 14 QPR3)";
        }
    }
    return NULL;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    if (length < 6 || memcmp(head, "SLOW", 4) != 0) {
        return 0;
    }
    const unsigned version = af_load_u16(head + 4);
    return version == 4 || version == 5 || version == 0xF4 || version == 0xF5 ? AF_SURE : 0;
}

static gboolean refuse(const af_v2_file *f, GError **error)
{
    const char *early = f->layout == AF_V2_LAYOUT_E ? NULL : find_early_layout(f);
    if (early != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "early V2 layout %s is not supported; record again with a later build or "
                    "without --profiler-output-version 2",
                    early);
        return TRUE;
    }
    if (f->version == af_load_u16(f->begin + 4) &&
        af_mend_is_lossy(f->begin, (size_t)(f->packets.end - f->begin))) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED, AF_LOSSY_MESSAGE);
        return TRUE;
    }
    if (f->n_packets == 0 && f->last == AF_V2_UNKNOWN) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the first packet is of an unknown kind");
        return TRUE;
    }
    return FALSE;
}

/* Returns the clock of a version 4 file. */
static af_clock choose_clock(const af_v2_file *f, const af_open_options *options)
{
    if (af_sink_facts(f->sink)->android.clock != NULL) {
        return strcmp(af_sink_facts(f->sink)->android.clock, "thread-cpu") == 0 ? AF_CPU : AF_WALL;
    }
    return options->clock != AF_CLOCK_DEFAULT ? options->clock : AF_WALL;
}

static void take_end(af_v2_file *f)
{
    af_sink *sink = f->sink;
    const uint64_t offset = (uint64_t)(f->last_at - f->begin);
    if (f->last == AF_V2_SUMMARY) {
        return;
    }
    af_sink_facts(sink)->recording.truncated = TRUE;
    if (f->last == AF_V2_CUT || f->cut) {
        af_sink_facts(sink)->counts.dropped_partial = 1;
        af_sink_warn(sink, AF_WARN_TRUNCATED, 1, offset);
    } else {
        af_sink_warn(sink, f->last == AF_V2_UNKNOWN ? AF_WARN_UNKNOWN_PACKET : AF_WARN_NO_SUMMARY,
                     1, f->last == AF_V2_UNKNOWN ? offset : AF_NO_OFFSET);
    }
}

static void read_header(af_v2_file *f, const uint8_t *bytes)
{
    af_facts *facts = af_sink_facts(f->sink);
    f->version = af_load_u16(bytes + 4) & 15;
    facts->container = AF_CONTAINER_V2;
    facts->format.version = f->version;
    facts->recording.has_start = TRUE;
    facts->recording.start = af_load_u64(bytes + 6);
    for (unsigned i = 14; i < 30; i++) {
        if (bytes[i] != 0) {
            f->layout = AF_V2_LAYOUT_E;
            f->frequency = af_load_u64(bytes + 22);
        }
    }
}

static void read_file(af_v2_file *f, const af_open_options *options)
{
    static const char *const names[] = {"V2c", "V2d", "V2e"};
    af_sink *sink = f->sink;
    af_keytext text;
    af_keytext_scan(&text, (const uint8_t *)f->summary.bytes, f->summary.length);
    af_keytext_take_facts(&text, TRUE, sink);
    af_keytext_take_methods(&text, sink, UINT64_MAX, TRUE);
    f->single = choose_clock(f, options);
    f->layout = f->layout == AF_V2_LAYOUT_E ? AF_V2_LAYOUT_E : choose_unit(f);
    af_facts *facts = af_sink_facts(sink);
    facts->format.layout = names[f->layout];
    const unsigned tick_ns = f->layout == AF_V2_LAYOUT_C ? 1000 : 1;
    facts->recording.start_tick_ns = tick_ns;
    const af_ticks ticks = {.clocks =
                                f->version == 5 ? 1u << AF_WALL | 1u << AF_CPU : 1u << f->single,
                            .tick_ns = tick_ns,
                            .wraps = f->layout == AF_V2_LAYOUT_C,
                            .has_elapsed = facts->recording.has_elapsed,
                            .elapsed_ticks = facts->recording.elapsed_ns / tick_ns,
                            .most_records = (uint64_t)(f->packets.end - f->begin)};
    af_sink_start(sink, &ticks);
    af_v2_take_blocks(f);
    take_end(f);
    facts->android.threads_announced = af_thread_names_size(&f->announced);
    af_keytext_take_threads(&text, &f->announced, FALSE, FALSE, sink);
    af_keytext_clear(&text);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    af_sink_facts(sink)->recording.truncated = source->cut;
    if (source->length < HEADER) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "too short: the file ends inside its header");
        return FALSE;
    }
    g_autofree af_v2_file *f = g_new0(af_v2_file, 1);
    f->sink = sink;
    f->ids = af_sink_borrow_ids(sink);
    f->source = source;
    f->begin = source->bytes;
    f->packets = (af_v2_packets){source->bytes + HEADER, source->bytes + source->length};
    af_thread_names_init(&f->announced);
    af_sink_set_total(sink, source->length);
    read_header(f, source->bytes);
    af_v2_take_names(f);
    const gboolean refused = refuse(f, error);
    if (!refused) {
        read_file(f, options);
    }
    af_thread_names_clear(&f->announced);
    return !refused;
}

const af_reader af_reader_v2 = {
    .name = "v2",
    .title = "Android method trace, version 2 (LEB128)",
    .extensions = "trace",
    .detect = detect,
    .read = read_input,
};
