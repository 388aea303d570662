/* Records of V2 files: differences from the previous record, in blocks of one thread. */
#include "read/android/v2.h"

#include <string.h>

#include "base/bytes.h"
#include "base/wide.h"

/* Time steps below this are rare in files whose unit is the microsecond. */
#define LEAST_NS_STEP 500u

gboolean af_v2_is_known(const af_v2_file *f, uint64_t id)
{
    const uint32_t method = af_idmap_find(af_sink_methods(f->sink), id & ~UINT64_C(3));
    return method != AF_IDMAP_NONE && af_sink_is_defined(f->sink, method);
}

/* The running values of the latest block; a block may continue them. */
typedef struct {
    gboolean any;
    uint64_t thread;
    uint64_t call; /* method id | action */
    uint64_t time[AF_CLOCKS];
} running;

static void flush(af_v2_file *f, uint64_t offset)
{
    af_sink_events(f->sink, f->batch, f->filled, offset, 0);
    f->filled = 0;
}

static void add_event(af_v2_file *f, uint64_t thread, uint64_t call, const uint64_t time[AF_CLOCKS],
                      uint64_t offset)
{
    af_event *event = &f->batch[f->filled++];
    event->thread = af_sink_ids_thread(&f->ids, thread);
    event->call = af_event_call(af_sink_ids_method(&f->ids, call & ~UINT64_C(3)), call & 3);
    memcpy(event->time, time, sizeof event->time);
    if (f->filled == AF_V2_BATCH) {
        flush(f, offset);
    }
}

/* Reads one record of a block. Returns FALSE if it exceeds the block. */
static gboolean take_record(const af_v2_file *f, const uint8_t **at, const uint8_t *end, running *r)
{
    const uint8_t *p = *at;
    int64_t call;
    uint64_t step[AF_CLOCKS] = {0, 0};
    if (!af_sleb128(&p, end, &call)) {
        return FALSE;
    }
    /* wall first, then CPU; V1 has the opposite order */
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((f->version == 5 || c == (unsigned)f->single) && !af_uleb128(&p, end, &step[c])) {
            return FALSE;
        }
    }
    r->call += (uint64_t)call;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        r->time[c] += step[c];
        if (f->layout == AF_V2_LAYOUT_C && !f->guessing) {
            r->time[c] &= UINT32_MAX;
        }
    }
    *at = p;
    return TRUE;
}

/* Whether a block continues the running values of the previous block, judged by its first method:
 * ids are pointers, so only one of the two readings gives the id of an existing method. */
static gboolean continues(const af_v2_file *f, const af_v2_packet *block, const running *before)
{
    const uint8_t *at = block->bytes;
    int64_t call;
    return before->any && before->thread == block->id &&
           af_sleb128(&at, block->bytes + block->length, &call) &&
           !af_v2_is_known(f, (uint64_t)call) && af_v2_is_known(f, before->call + (uint64_t)call);
}

static void count_step(af_v2_file *f, const running *r)
{
    const uint64_t now = r->time[f->version == 4 ? f->single : AF_WALL];
    const size_t known = f->step_times.items.n;
    uint64_t *before = af_idtable_item(&f->step_times, r->thread);
    if (before == NULL) {
        return;
    }
    if (f->step_times.items.n == known && now > *before && now - *before < UINT64_C(1) << 31) {
        f->steps++;
        f->short_steps += now - *before < LEAST_NS_STEP;
    }
    *before = now;
}

static void damage(af_v2_file *f, const af_v2_packet *block, const uint8_t *at)
{
    const uint64_t offset = (uint64_t)(at - f->begin);
    if (!block->cut && !f->guessing) {
        af_sink_warn(f->sink, AF_WARN_CORRUPT_BLOCK, 1, offset);
    }
}

static void take_block(af_v2_file *f, const af_v2_packet *block, running *r)
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

static uint64_t to_ns(const af_v2_file *f, uint64_t ticks)
{
    if (f->frequency == 0) {
        return ticks;
    }
    return ticks / f->frequency * UINT64_C(1000000000) +
           (uint64_t)((af_u128)(ticks % f->frequency) * 1000000000u / f->frequency);
}

/* Reads one record of layout V2e: an exit does not name its method, it closes the innermost of
 * `open` (of uint64_t), which persists from block to block. */
static gboolean take_record_e(const af_v2_file *f, const uint8_t **at, const uint8_t *end,
                              running *r, af_array *open, uint64_t *call, uint64_t time[AF_CLOCKS])
{
    const uint8_t *p = *at;
    int64_t stamp, cpu = 0, method = 0;
    if (!af_sleb128(&p, end, &stamp) || (f->version == 5 && !af_sleb128(&p, end, &cpu))) {
        return FALSE;
    }
    const unsigned bits = f->layout == AF_V2_LAYOUT_LONG_RUNNING ? 1 : 2;
    const uint64_t now = r->time[AF_WALL] + (uint64_t)stamp;
    const unsigned action = now & ((1u << bits) - 1);
    if (action == 0 && !af_sleb128(&p, end, &method)) {
        return FALSE;
    }
    r->time[AF_WALL] = now;
    r->time[AF_CPU] += (uint64_t)cpu;
    *call = r->call + (uint64_t)method;
    if (action == 0) {
        r->call = *call;
        af_array_append(open, call);
    } else if (open->n > 0) {
        *call = AF_ARRAY_AT(open, uint64_t, --open->n);
    }
    *call = (*call & ~UINT64_C(3)) | action;
    time[AF_WALL] = time[AF_CPU] = 0;
    time[f->version == 5 ? AF_WALL : f->single] = to_ns(f, now >> bits);
    if (f->version == 5) {
        time[AF_CPU] = r->time[AF_CPU];
    }
    *at = p;
    return TRUE;
}

/* `stacks` holds an af_array of open methods for each thread. */
static void take_block_e(af_v2_file *f, const af_v2_packet *block, af_idtable *stacks)
{
    const uint8_t *at = block->bytes, *end = at + block->length;
    af_array *open = af_idtable_item(stacks, block->id);
    running r = {.thread = block->id};
    if (open != NULL) {
        open->size = sizeof(uint64_t);
    }
    while (at < end && open != NULL && !open->failed) {
        uint64_t call, time[AF_CLOCKS];
        const size_t n_open = open->n;
        if (!take_record_e(f, &at, end, &r, open, &call, time)) {
            damage(f, block, at);
            return;
        }
        if (f->layout == AF_V2_LAYOUT_E || (call & 3) == AF_ENTER || n_open > 0) {
            add_event(f, block->id, call, time, (uint64_t)(block->at - f->begin));
        }
    }
    af_sink_fail_if(f->sink, open == NULL || open->failed);
}

void af_v2_take_blocks(af_v2_file *f)
{
    af_idtable stacks;
    af_idtable_init(&stacks, sizeof(af_array), NULL);
    af_v2_packets p = f->packets;
    running r = {0};
    af_v2_packet next;
    while (af_v2_next_packet(&p, &next) <= AF_V2_BLOCK) {
        if (next.kind != AF_V2_BLOCK || next.length == 0) {
            continue;
        }
        if (f->layout >= AF_V2_LAYOUT_E) {
            take_block_e(f, &next, &stacks);
        } else {
            take_block(f, &next, &r);
        }
        if (f->filled > 0) {
            flush(f, (uint64_t)(next.at - f->begin));
        }
        if (!f->guessing && f->source != NULL) {
            af_source_release(f->source, (size_t)(next.at - f->begin));
        }
    }
    for (size_t i = 0; i < stacks.items.n; i++) {
        af_array_clear(af_array_at(&stacks.items, i));
    }
    af_idtable_clear(&stacks);
}
