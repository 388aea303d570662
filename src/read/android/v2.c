/* V2: packets with LEB128 differences. What --profiler-output-version 2 writes, since Android 15;
 * streaming and other files have the same layout.
 *
 * The version number does not tell the layouts apart. Read are V2c (times in us, June 2024 to
 * February 2025), V2d (ns, since then) and V2e (time stamp counter, trunk of 2026); V2a and V2b,
 * of a few months of previews, are told and refused by name. */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/wide.h"
#include "read/android/keytext.h"
#include "read/android/mend.h"
#include "read/android/openstacks.h"

#define HEADER 32u
#define BATCH  1024

#define LEAST_NS_STEP 500u

typedef enum { THREAD = 0, METHOD = 1, BLOCK = 2, SUMMARY = 3, END, CUT, UNKNOWN } packet_kind;

typedef struct {
    packet_kind kind;
    const uint8_t *at;    /* where it begins */
    uint64_t id;          /* of the thread or method */
    const uint8_t *bytes; /* name, method line, records, text */
    size_t length;        /* of what is there of them */
    gboolean cut;         /* a block with less bytes than it says */
} packet;

typedef struct {
    const uint8_t *at, *end;
} packets;

/* The sizes of the fields before the bytes, by kind: id, count of records (ignored: the writer cuts
 * it to 16 bits), length of the bytes. */
static const struct {
    unsigned id, count, length;
} fields[] = {
    [THREAD] = {4, 0, 2}, [METHOD] = {8, 0, 2}, [BLOCK] = {4, 3, 4}, [SUMMARY] = {0, 0, 2}};

static packet_kind next_packet(packets *p, packet *next)
{
    *next = (packet){.at = p->at};
    if (p->at == p->end) {
        return next->kind = END;
    }
    const unsigned kind = *p->at;
    if (kind > SUMMARY) {
        return next->kind = UNKNOWN;
    }
    const uint8_t *at = p->at + 1;
    const size_t head = fields[kind].id + fields[kind].count + fields[kind].length;
    if ((size_t)(p->end - at) < head) {
        return next->kind = CUT;
    }
    next->id = fields[kind].id == 8 ? af_load_u64(at) : fields[kind].id == 4 ? af_load_u32(at) : 0;
    at += fields[kind].id + fields[kind].count;
    next->length = fields[kind].length == 4 ? af_load_u32(at) : af_load_u16(at);
    at += fields[kind].length;
    next->bytes = at;
    if ((size_t)(p->end - at) < next->length) {
        if (kind != BLOCK) {
            return next->kind = CUT;
        }
        next->length = (size_t)(p->end - at);
        next->cut = TRUE;
    }
    p->at = at + next->length;
    return next->kind = kind;
}

/* ---- the file ---- */

typedef enum { LAYOUT_C, LAYOUT_D, LAYOUT_E } layout;

typedef struct {
    af_sink *sink;
    const uint8_t *begin;
    packets packets;  /* all of them */
    unsigned version; /* 4: one clock, 5: two */
    layout layout;
    uint64_t frequency; /* V2e: ticks a second, 0 = ns */
    af_clock single;    /* version 4 */
    af_announced announced;
    af_slice summary;
    packet_kind last; /* why the packets end */
    const uint8_t *last_at;
    gboolean cut; /* the last block is cut */
    uint64_t n_packets;
    gboolean guessing; /* count steps of time instead of events: */
    uint64_t steps, short_steps;
    af_idmap step_threads;
    af_array step_times; /* of uint64_t, by number in `step_threads`: the last time */
    af_event batch[BATCH];
    size_t filled;
} v2_file;

static void take_method(v2_file *f, const packet *info)
{
    const char *at = (const char *)info->bytes, *end = at + info->length;
    end -= end > at && end[-1] == '\n';
    af_method_text text;
    af_keytext_parse_columns(at, (size_t)(end - at), &text);
    if (text.class_name.length + text.name.length > 0) {
        af_sink_define_method(f->sink, info->id & ~UINT64_C(3), &text, TRUE);
    }
}

static void take_thread(v2_file *f, const packet *info)
{
    const af_slice name = {(const char *)info->bytes, info->length};
    af_announced_add(&f->announced, info->id, name);
}

/* Everything but the records: names may come after their first use, the summary comes last. */
static void take_names(v2_file *f)
{
    packets p = f->packets;
    packet next;
    for (;; f->n_packets++) {
        f->last = next_packet(&p, &next);
        f->last_at = next.at;
        if (f->last == THREAD) {
            take_thread(f, &next);
        } else if (f->last == METHOD) {
            take_method(f, &next);
        } else if (f->last == BLOCK) {
            f->cut = next.cut;
        } else if (f->last == SUMMARY) {
            f->summary = (af_slice){(const char *)next.bytes, next.length};
            if (p.at < p.end) {
                af_sink_warn(f->sink, AF_WARN_AFTER_SUMMARY, 1, (uint64_t)(p.at - f->begin));
            }
            return;
        } else {
            return;
        }
    }
}

static gboolean is_known(const v2_file *f, uint64_t id)
{
    const uint32_t method = af_idmap_find(&f->sink->method_ids, id & ~UINT64_C(3));
    return method != AF_IDMAP_NONE && af_sink_is_defined(f->sink, method);
}

/* ---- records ---- */

/* The running values of the block that was read last; a block may continue it. */
typedef struct {
    gboolean any;
    uint64_t thread;
    uint64_t call; /* method id | action */
    uint64_t time[AF_CLOCKS];
} running;

static void flush(v2_file *f, uint64_t place)
{
    af_sink_events(f->sink, f->batch, f->filled, place, 0);
    f->filled = 0;
}

static void add_event(v2_file *f, uint64_t thread, uint64_t call, const uint64_t time[AF_CLOCKS],
                      uint64_t place)
{
    af_event *event = &f->batch[f->filled++];
    event->thread = af_sink_thread(f->sink, thread);
    event->call = af_event_call(af_sink_method(f->sink, call & ~UINT64_C(3)), call & 3);
    memcpy(event->time, time, sizeof event->time);
    if (f->filled == BATCH) {
        flush(f, place);
    }
}

/* One record of a block in the layouts V2c and V2d. FALSE if it does not end where it should. */
static gboolean take_record(const v2_file *f, const uint8_t **at, const uint8_t *end, running *r)
{
    const uint8_t *p = *at;
    int64_t call;
    uint64_t step[AF_CLOCKS] = {0, 0};
    if (!af_sleb128(&p, end, &call)) {
        return FALSE;
    }
    /* wall first, then CPU: the other way round than in V1 */
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((f->version == 5 || c == (unsigned)f->single) && !af_uleb128(&p, end, &step[c])) {
            return FALSE;
        }
    }
    r->call += (uint64_t)call;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        r->time[c] += step[c];
        if (f->layout == LAYOUT_C && !f->guessing) {
            r->time[c] &= UINT32_MAX;
        }
    }
    *at = p;
    return TRUE;
}

/* Whether a block goes on from the running values of the one before, by its first method: ids are
 * pointers, so only one of the two readings names a method that exists. */
static gboolean continues(const v2_file *f, const packet *block, const running *before)
{
    const uint8_t *at = block->bytes;
    int64_t call;
    return before->any && before->thread == block->id &&
           af_sleb128(&at, block->bytes + block->length, &call) && !is_known(f, (uint64_t)call) &&
           is_known(f, before->call + (uint64_t)call);
}

static void count_step(v2_file *f, const running *r)
{
    const uint64_t now = r->time[f->version == 4 ? f->single : AF_WALL];
    const uint32_t known = f->step_threads.n;
    const uint32_t thread = af_idmap_number(&f->step_threads, r->thread);
    if (thread == AF_IDMAP_NONE || !af_array_reach(&f->step_times, (size_t)thread + 1)) {
        return;
    }
    uint64_t *before = &AF_ARRAY_AT(&f->step_times, uint64_t, thread);
    if (thread < known && now > *before && now - *before < UINT64_C(1) << 31) {
        f->steps++;
        f->short_steps += now - *before < LEAST_NS_STEP;
    }
    *before = now;
}

static void damage(v2_file *f, const packet *block, const uint8_t *at)
{
    const uint64_t place = (uint64_t)(at - f->begin);
    if (!block->cut && !f->guessing) {
        af_sink_warn(f->sink, AF_WARN_CORRUPT_BLOCK, 1, place);
    }
}

static void take_block(v2_file *f, const packet *block, running *r)
{
    const uint8_t *at = block->bytes, *end = at + block->length;
    if (!continues(f, block, r)) {
        *r = (running){.thread = block->id};
    }
    r->any = TRUE;
    while (at < end) {
        if (!take_record(f, &at, end, r)) {
            damage(f, block, at);
            break;
        }
        if (f->guessing) {
            count_step(f, r);
        } else {
            add_event(f, r->thread, r->call, r->time, (uint64_t)(block->at - f->begin));
        }
    }
}

static uint64_t to_ns(const v2_file *f, uint64_t ticks)
{
    if (f->frequency == 0) {
        return ticks;
    }
    return ticks / f->frequency * UINT64_C(1000000000) +
           (uint64_t)((af_u128)(ticks % f->frequency) * 1000000000u / f->frequency);
}

/* One record of layout V2e: an exit does not name its method, it leaves the innermost of `open`
 * (of uint64_t), which lives on from block to block. */
static gboolean take_record_e(const v2_file *f, const uint8_t **at, const uint8_t *end, running *r,
                              af_array *open, uint64_t *call, uint64_t time[AF_CLOCKS])
{
    const uint8_t *p = *at;
    int64_t stamp, cpu = 0, method = 0;
    if (!af_sleb128(&p, end, &stamp) || (f->version == 5 && !af_sleb128(&p, end, &cpu))) {
        return FALSE;
    }
    const uint64_t now = r->time[AF_WALL] + (uint64_t)stamp;
    const unsigned action = now & 3;
    if (action == 0 && !af_sleb128(&p, end, &method)) {
        return FALSE;
    }
    r->time[AF_WALL] = now;
    r->time[AF_CPU] += (uint64_t)cpu;
    *call = r->call + (uint64_t)method;
    if (action == 0) {
        r->call = *call;
        uint64_t *entered = af_array_add(open, 1);
        if (entered != NULL) {
            *entered = *call;
        }
    } else if (open->n > 0) {
        *call = AF_ARRAY_AT(open, uint64_t, --open->n);
    }
    *call = (*call & ~UINT64_C(3)) | action;
    time[AF_WALL] = time[AF_CPU] = 0;
    time[f->version == 5 ? AF_WALL : f->single] = to_ns(f, now >> 2);
    if (f->version == 5) {
        time[AF_CPU] = r->time[AF_CPU];
    }
    *at = p;
    return TRUE;
}

static void take_block_e(v2_file *f, const packet *block, af_open_stacks *stacks)
{
    const uint8_t *at = block->bytes, *end = at + block->length;
    af_array *open = af_open_stacks_of(stacks, block->id);
    running r = {.thread = block->id};
    while (at < end && open != NULL && !open->failed) {
        uint64_t call, time[AF_CLOCKS];
        if (!take_record_e(f, &at, end, &r, open, &call, time)) {
            damage(f, block, at);
            return;
        }
        add_event(f, block->id, call, time, (uint64_t)(block->at - f->begin));
    }
    f->sink->failed |= open == NULL || open->failed;
}

static void take_blocks(v2_file *f)
{
    af_open_stacks stacks;
    af_open_stacks_init(&stacks);
    packets p = f->packets;
    running r = {0};
    packet next;
    while (next_packet(&p, &next) <= BLOCK) {
        if (next.kind != BLOCK || next.length == 0) {
            continue;
        }
        if (f->layout == LAYOUT_E) {
            take_block_e(f, &next, &stacks);
        } else {
            take_block(f, &next, &r);
        }
        if (f->filled > 0) {
            flush(f, (uint64_t)(next.at - f->begin));
        }
    }
    af_open_stacks_clear(&stacks);
}

/* ---- layouts ---- */

/* Without a summary the unit shows in the steps: half of them take at least half a microsecond if
 * they are nanoseconds, and microseconds rarely come in hundreds. */
static layout guess_unit(v2_file *f)
{
    af_array_init(&f->step_times, sizeof(uint64_t));
    af_idmap_init_hashed(&f->step_threads);
    f->guessing = TRUE;
    take_blocks(f);
    f->guessing = FALSE;
    f->sink->failed |= f->step_times.failed || f->step_threads.failed;
    af_array_clear(&f->step_times);
    af_idmap_clear(&f->step_threads);
    /* whether element [n / 2] of the n sorted steps is long enough */
    return f->steps > 0 && f->short_steps <= f->steps / 2 ? LAYOUT_D : LAYOUT_C;
}

static gboolean has_fact(const af_sink *sink, const char *key)
{
    for (size_t i = 0; i < sink->key_values.n; i++) {
        uint64_t value;
        const af_fact *fact = &AF_ARRAY_AT(&sink->key_values, af_fact, i);
        if (strcmp(fact->key, key) == 0 &&
            af_keytext_parse_number((af_slice){fact->value, strlen(fact->value)}, &value)) {
            return TRUE;
        }
    }
    return FALSE;
}

static layout choose_unit(v2_file *f)
{
    if (has_fact(f->sink, "elapsed-time-nsec")) {
        return LAYOUT_D;
    }
    if (has_fact(f->sink, "elapsed-time-usec")) {
        return LAYOUT_C;
    }
    const layout guessed = guess_unit(f);
    af_sink_warn(f->sink, AF_WARN_UNIT_GUESSED, 1, AF_NO_PLACE);
    return guessed;
}

/* Preview layouts that cannot be read as V2c: V2a has a shorter head before a method's line, V2b
 * keeps the first record of a block in the block's head. NULL if it is neither. */
static const char *find_early_layout(const v2_file *f)
{
    packets p = f->packets;
    packet next;
    while (next_packet(&p, &next) <= BLOCK) {
        if (next.kind == METHOD && memchr(next.bytes, '\t', next.length) == NULL) {
            break;
        }
        if (next.kind == BLOCK && p.end - next.at >= 13 && !is_known(f, 0) &&
            is_known(f, af_load_u64(next.at + 5))) {
            return "V2b (Android 15 previews of 2024)";
        }
    }
    const uint8_t *at = next.at;
    if (at + 7 <= p.end && *at == METHOD) {
        const size_t length = af_load_u16(at + 5);
        if (length > 1 && (size_t)(p.end - at) - 7 >= length && at[7 + length - 1] == '\n' &&
            memchr(at + 7, '\t', length) != NULL) {
            return "V2a (Android 14 QPR3)";
        }
    }
    return NULL;
}

static int detect(const uint8_t *head, size_t length, gboolean more, const char *path)
{
    (void)more;
    (void)path;
    if (length < 6 || memcmp(head, "SLOW", 4) != 0) {
        return 0;
    }
    const unsigned version = af_load_u16(head + 4);
    return version == 4 || version == 5 || version == 0xF4 || version == 0xF5 ? AF_SURE : 0;
}

static gboolean refuse(const v2_file *f, GError **error)
{
    const char *early = f->layout == LAYOUT_E ? NULL : find_early_layout(f);
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
    if (f->n_packets == 0 && f->last == UNKNOWN) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: the first packet is none that is known");
        return TRUE;
    }
    return FALSE;
}

/* The clock of a version 4 file: D8. */
static af_clock choose_clock(const v2_file *f, const af_open_options *options)
{
    if (f->sink->facts.clock != NULL) {
        return strcmp(f->sink->facts.clock, "thread-cpu") == 0 ? AF_CPU : AF_WALL;
    }
    return options->clock != AF_CLOCK_DEFAULT ? options->clock : AF_WALL;
}

static void note_end(v2_file *f)
{
    af_sink *sink = f->sink;
    const uint64_t place = (uint64_t)(f->last_at - f->begin);
    if (f->last == SUMMARY) {
        return;
    }
    sink->facts.truncated = TRUE;
    if (f->last == CUT || f->cut) {
        sink->facts.dropped_partial = 1;
        af_sink_warn(sink, AF_WARN_TRUNCATED, 1, place);
    } else {
        af_sink_warn(sink, f->last == UNKNOWN ? AF_WARN_UNKNOWN_PACKET : AF_WARN_NO_SUMMARY, 1,
                     f->last == UNKNOWN ? place : AF_NO_PLACE);
    }
}

static void read_header(v2_file *f, const uint8_t *bytes)
{
    af_facts *facts = &f->sink->facts;
    f->version = af_load_u16(bytes + 4) & 15;
    facts->container = AF_CONTAINER_V2;
    facts->version = f->version;
    facts->has_start = TRUE;
    facts->start = af_load_u64(bytes + 6);
    for (unsigned i = 14; i < 30; i++) {
        if (bytes[i] != 0) {
            f->layout = LAYOUT_E;
            f->frequency = af_load_u64(bytes + 22);
        }
    }
}

static void read_file(v2_file *f, const af_open_options *options)
{
    static const char *const names[] = {"V2c", "V2d", "V2e"};
    af_sink *sink = f->sink;
    af_keytext text;
    af_keytext_scan(&text, (const uint8_t *)f->summary.bytes, f->summary.length);
    af_keytext_take_facts(&text, TRUE, sink);
    af_keytext_take_methods(&text, sink, UINT64_MAX, TRUE);
    f->single = choose_clock(f, options);
    f->layout = f->layout == LAYOUT_E ? LAYOUT_E : choose_unit(f);
    sink->facts.layout = names[f->layout];
    const unsigned tick_ns = f->layout == LAYOUT_C ? 1000 : 1;
    sink->facts.start_tick_ns = tick_ns;
    sink->undefined_are_proxies = g_strcmp0(sink->facts.vm, "art") == 0;
    const af_ticks ticks = {.clocks =
                                f->version == 5 ? 1u << AF_WALL | 1u << AF_CPU : 1u << f->single,
                            .tick_ns = tick_ns,
                            .wraps = f->layout == LAYOUT_C,
                            .has_elapsed = sink->facts.has_elapsed,
                            .elapsed_ticks = sink->facts.elapsed_ns / tick_ns,
                            .most_records = sink->total};
    af_sink_start(sink, &ticks);
    take_blocks(f);
    note_end(f);
    sink->facts.threads_announced = af_announced_size(&f->announced);
    af_keytext_take_threads(&text, &f->announced, FALSE, FALSE, sink);
    af_keytext_clear(&text);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    (void)other;
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    sink->facts.truncated = source->cut;
    if (source->length < HEADER) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "too short: the file is cut off inside its header");
        return FALSE;
    }
    v2_file *f = g_new0(v2_file, 1);
    f->sink = sink;
    f->begin = source->bytes;
    f->packets = (packets){source->bytes + HEADER, source->bytes + source->length};
    af_announced_init(&f->announced);
    sink->total = source->length;
    read_header(f, source->bytes);
    take_names(f);
    const gboolean refused = refuse(f, error);
    if (!refused) {
        read_file(f, options);
    }
    af_announced_clear(&f->announced);
    g_free(f);
    return !refused;
}

const af_reader af_reader_v2 = {
    .name = "v2",
    .title = "Android method trace, version 2 (LEB128)",
    .extensions = "trace",
    .detect = detect,
    .read = read_input,
};
