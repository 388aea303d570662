#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "read/perf/perfdata.h"

/* The limit of records that wait to be sorted. perf ends a round when it has emptied its buffers
 * once, so a round has a few megabytes; files without rounds are sorted within this limit. */
#define MOST_WAITING ((size_t)1 << 21)
#define MOST_HELD    ((size_t)256 * 1024 * 1024)

/* Bytes decompressed at a time. */
#define UNPACKED ((size_t)256 * 1024)

/* Larger split records are dropped. */
#define MOST_SPLIT ((size_t)64 * 1024 * 1024)

typedef struct {
    uint64_t time_ns, number;
    const uint8_t *bytes;
    uint64_t length, offset;
} waiting;

typedef struct {
    af_perf_file *file;
    af_perf_take take;
    void *user;
    gboolean sorted, quiet, stopped;
    af_array joined;   /* bytes of a split record */
    ZSTD_DCtx *zstd;   /* NULL until the first compressed record */
    uint8_t *unpacked; /* UNPACKED bytes, and as many for an incomplete record */
    size_t n_unpacked;
    gboolean packing_damaged;
    /* sorting: this round and the previous one */
    af_array queue; /* waiting */
    af_arena *held, *held_before;
    size_t n_held;
    uint64_t number, latest, latest_before;
} reading;

static unsigned count_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

static gboolean parse_record(const uint8_t *bytes, uint64_t left, uint64_t offset,
                             af_perf_record *record)
{
    if (left < 8) {
        return FALSE;
    }
    const uint32_t type = af_load_u32(bytes);
    const uint16_t first = af_load_u16(bytes + 4), second = af_load_u16(bytes + 6);
    const gboolean own = type >= AF_PERF_OWN;
    *record = (af_perf_record){.bytes = bytes,
                               .length = own ? (uint64_t)first << 16 | second : second,
                               .offset = offset,
                               .type = type,
                               .misc = own ? 0 : first};
    return record->length >= 8;
}

uint32_t af_perf_event_of(const af_perf_file *file, const af_perf_record *record)
{
    if (file->events.n < 2) {
        return 0;
    }
    const uint64_t has = af_perf_event_at(file, 0)->sample_type;
    uint64_t at = 0;
    if (record->type == AF_PERF_SAMPLE) {
        at = (has & AF_PERF_HAS_IDENTIFIER) != 0
                 ? 8
                 : 8 + 8 * (uint64_t)count_bits(has & (AF_PERF_HAS_IP | AF_PERF_HAS_TID |
                                                       AF_PERF_HAS_TIME | AF_PERF_HAS_ADDR));
    } else if ((has & AF_PERF_HAS_IDENTIFIER) != 0) {
        at = record->length - 8;
    } else {
        const uint64_t trailing =
            8 + 8 * (uint64_t)count_bits(has & (AF_PERF_HAS_STREAM | AF_PERF_HAS_CPU));
        at = record->length > trailing ? record->length - trailing : 0;
    }
    if ((has & (AF_PERF_HAS_ID | AF_PERF_HAS_IDENTIFIER)) == 0 || at < 8 ||
        at > record->length - 8) {
        return 0;
    }
    const uint32_t *event = af_idtable_find(&file->event_of, af_load_u64(record->bytes + at));
    return event != NULL && *event < file->events.n ? *event : 0;
}

static gboolean sample_time(const af_perf_file *file, const af_perf_record *record,
                            uint64_t *time_ns)
{
    const uint64_t has = af_perf_event_at(file, af_perf_event_of(file, record))->sample_type;
    const uint64_t at = 8 + 8 * (uint64_t)count_bits(has & (AF_PERF_HAS_IDENTIFIER |
                                                            AF_PERF_HAS_IP | AF_PERF_HAS_TID));
    if ((has & AF_PERF_HAS_TIME) == 0 || record->length < at + 8) {
        return FALSE;
    }
    *time_ns = af_load_u64(record->bytes + at);
    return TRUE;
}

gboolean af_perf_record_time(const af_perf_file *file, const af_perf_record *record,
                             uint64_t *time_ns)
{
    if (file->events.n == 0 || record->type >= AF_PERF_ATTR) {
        return FALSE;
    }
    if (record->type == AF_PERF_SAMPLE) {
        return sample_time(file, record, time_ns);
    }
    const af_perf_event *event = af_perf_event_at(file, af_perf_event_of(file, record));
    const uint64_t trailing =
        8 +
        8 * (uint64_t)count_bits(event->sample_type & (AF_PERF_HAS_ID | AF_PERF_HAS_STREAM |
                                                       AF_PERF_HAS_CPU | AF_PERF_HAS_IDENTIFIER));
    if ((event->flags & AF_PERF_SAMPLE_ID_ALL) == 0 ||
        (event->sample_type & AF_PERF_HAS_TIME) == 0 || record->length < trailing + 8) {
        return FALSE;
    }
    *time_ns = af_load_u64(record->bytes + record->length - trailing);
    return TRUE;
}

/* Skips the values of counters, which are not needed. */
static void skip_read(af_perf_cursor *f, uint64_t format)
{
    const uint64_t times = (format & 1) + (format >> 1 & 1);
    const uint64_t id_and_lost = (format >> 2 & 1) + (format >> 4 & 1); /* lost: since Linux 6.0 */
    if ((format >> 3 & 1) == 0) {
        af_perf_take_items(f, 8 * (1 + times + id_and_lost), 1);
        return;
    }
    const uint64_t n = af_perf_take_u64(f);
    af_perf_take_items(f, 8 * times, 1);
    af_perf_take_items(f, n, 8 * (1 + id_and_lost));
}

/* Skips the fields between the call chain and the stack, to find out whether there is a stack. */
static void look_for_stack(af_perf_cursor *f, const af_perf_event *event, af_perf_mapping *mapped)
{
    const uint64_t has = event->sample_type;
    if ((has & AF_PERF_HAS_RAW) != 0) {
        af_perf_take_items(f, af_perf_take_u32(f), 1);
    }
    if ((has & AF_PERF_HAS_BRANCH) != 0) {
        const uint64_t n = af_perf_take_u64(f);
        af_perf_take_items(f, (event->branch_type >> 17 & 1) != 0 ? 8 : 0, 1);
        af_perf_take_items(f, n, 24);
    }
    if ((has & AF_PERF_HAS_REGS) != 0) {
        af_perf_take_items(
            f, af_perf_take_u64(f) != 0 ? 8 * (uint64_t)count_bits(event->regs_user) : 0, 1);
    }
    if ((has & AF_PERF_HAS_STACK) != 0) {
        mapped->raw_stack = af_perf_take_u64(f) > 0 && !f->failed;
    }
}

gboolean af_perf_read_sample(const af_perf_file *file, const af_perf_record *record,
                             af_perf_mapping *mapped)
{
    *mapped = (af_perf_mapping){.event = af_perf_event_of(file, record)};
    const af_perf_event *event = af_perf_event_at(file, mapped->event);
    const uint64_t has = event->sample_type;
    af_perf_cursor f = af_perf_cursor_over(record->bytes + 8, record->length - 8);
    af_perf_take_items(&f, (has & AF_PERF_HAS_IDENTIFIER) != 0 ? 8 : 0, 1);
    mapped->ip = (has & AF_PERF_HAS_IP) != 0 ? af_perf_take_u64(&f) : 0;
    if ((has & AF_PERF_HAS_TID) != 0) {
        const uint64_t both = af_perf_take_u64(&f);
        mapped->pid = (uint32_t)both;
        mapped->tid = (uint32_t)(both >> 32);
    }
    mapped->has_time = (has & AF_PERF_HAS_TIME) != 0;
    mapped->time_ns = mapped->has_time ? af_perf_take_u64(&f) : 0;
    af_perf_take_items(&f,
                       8 * (uint64_t)count_bits(has & (AF_PERF_HAS_ADDR | AF_PERF_HAS_ID |
                                                       AF_PERF_HAS_STREAM | AF_PERF_HAS_CPU)),
                       1);
    mapped->has_period = (has & AF_PERF_HAS_PERIOD) != 0;
    mapped->period = mapped->has_period ? af_perf_take_u64(&f) : 0;
    if ((has & AF_PERF_HAS_READ) != 0) {
        skip_read(&f, event->read_format);
    }
    if ((has & AF_PERF_HAS_CHAIN) != 0) {
        mapped->n_chain = af_perf_take_u64(&f);
        mapped->chain = af_perf_take_items(&f, mapped->n_chain, 8);
    }
    if (f.failed) {
        return FALSE;
    }
    look_for_stack(&f, event, mapped); /* the sample is valid even if these fields are truncated */
    return TRUE;
}

static void hand_on(reading *r, const af_perf_record *record)
{
    if (!r->stopped && (!r->take(r->user, record) || af_sink_has_failed(r->file->sink))) {
        r->stopped = TRUE;
    }
}

static int compare_waiting(const void *a, const void *b)
{
    const waiting *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns < y->time_ns ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

/* Passes on the waiting records up to `limit`; later ones remain. */
static void flush(reading *r, uint64_t limit)
{
    waiting *queue = r->queue.items;
    size_t done = 0;
    if (r->queue.n > 0) {
        qsort(queue, r->queue.n, sizeof *queue, compare_waiting);
    }
    for (; done < r->queue.n && queue[done].time_ns <= limit; done++) {
        af_perf_record record;
        if (parse_record(queue[done].bytes, queue[done].length, queue[done].offset, &record)) {
            hand_on(r, &record);
        }
    }
    if (done > 0) {
        memmove(queue, queue + done, (r->queue.n - done) * sizeof *queue);
        r->queue.n -= done;
    }
}

static void forget_held(reading *r)
{
    af_arena_free(r->held_before);
    r->held_before = r->held;
    r->held = af_arena_new();
    r->n_held = 0;
}

/* Ends a round: perf has emptied its buffers, so no record older than the end of the previous round
 * can follow. */
static void end_round(reading *r)
{
    flush(r, r->latest_before);
    r->latest_before = r->latest;
    forget_held(r);
}

static void wait_for_order(reading *r, const af_perf_record *record, uint64_t time_ns,
                           gboolean borrowed)
{
    if (r->queue.n >= MOST_WAITING || r->n_held >= MOST_HELD) {
        flush(r, UINT64_MAX);
        forget_held(r);
    }
    waiting *added = af_array_add(&r->queue, 1);
    const uint8_t *bytes = record->bytes;
    if (borrowed && added != NULL) {
        bytes = (const uint8_t *)af_arena_copy(r->held, (const char *)bytes, record->length);
        r->n_held += record->length;
    }
    if (added == NULL || bytes == NULL) {
        af_sink_fail(r->file->sink);
        r->stopped = TRUE;
        return;
    }
    *added = (waiting){time_ns, r->number++, bytes, record->length, record->offset};
    r->latest = MAX(r->latest, time_ns);
}

/* Takes a complete record. `borrowed`: its bytes are borrowed for this call only. */
static void take_record(reading *r, const af_perf_record *record, gboolean borrowed)
{
    uint64_t time_ns;
    if (r->sorted && record->type == AF_PERF_FINISHED_ROUND) {
        end_round(r);
    } else if (r->sorted && af_perf_record_time(r->file, record, &time_ns)) {
        wait_for_order(r, record, time_ns, borrowed);
    } else {
        hand_on(r, record);
    }
}

static void warn(const reading *r, af_warning_kind kind, uint64_t offset)
{
    if (!r->quiet) {
        af_sink_warn(r->file->sink, kind, 1, offset);
    }
}

static uint64_t walk(reading *r, const uint8_t *bytes, uint64_t length, uint64_t offset,
                     gboolean packed);

static gboolean begin_unpacking(reading *r)
{
    if (r->zstd == NULL) {
        r->zstd = ZSTD_createDCtx();
        r->unpacked = g_try_malloc(UNPACKED * 2);
    }
    return r->zstd != NULL && r->unpacked != NULL;
}

/* All compressed records are one stream; the records inside do not end at their boundaries. */
static void unpack(reading *r, const uint8_t *bytes, uint64_t length, uint64_t offset)
{
    if (!begin_unpacking(r)) {
        af_sink_fail(r->file->sink);
        r->stopped = TRUE;
        return;
    }
    ZSTD_inBuffer in = {bytes, length, 0};
    gboolean full = FALSE;
    while ((in.pos < in.size || full) && !r->stopped && !r->packing_damaged) {
        ZSTD_outBuffer out = {r->unpacked, UNPACKED * 2, r->n_unpacked};
        const size_t result = ZSTD_decompressStream(r->zstd, &out, &in);
        const gboolean none = out.pos == r->n_unpacked;
        full = out.pos == out.size;
        const size_t used = (size_t)walk(r, r->unpacked, out.pos, offset, TRUE);
        r->n_unpacked = out.pos - used;
        memmove(r->unpacked, r->unpacked + used, r->n_unpacked);
        /* no record is longer than the buffer */
        r->packing_damaged =
            ZSTD_isError(result) || (full && used == 0) || (none && in.pos < in.size && used == 0);
    }
    if (r->packing_damaged) {
        warn(r, AF_WARN_PACKED_RECORDS, offset);
    }
}

static void join_split(reading *r, const af_perf_record *record)
{
    const size_t before = r->joined.n;
    const uint64_t n = record->length - 8;
    if (n == 0) {
        return; /* the array may still be unallocated */
    }
    if (n > MOST_SPLIT - MIN(before, MOST_SPLIT) || !af_array_reach(&r->joined, before + n)) {
        r->joined.n = 0;
        warn(r, AF_WARN_PACKED_RECORDS, record->offset);
        return;
    }
    memcpy((uint8_t *)r->joined.items + before, record->bytes + 8, n);
}

static void take_joined(reading *r, uint64_t offset)
{
    af_perf_record record;
    if (parse_record(r->joined.items, r->joined.n, offset, &record) &&
        record.length <= r->joined.n && record.type != AF_PERF_COMPRESSED) {
        take_record(r, &record, TRUE);
    }
    r->joined.n = 0;
}

/* Returns the number of bytes that follow a record without being part of it. */
static uint64_t count_trailing(const reading *r, const af_perf_record *record)
{
    if (record->type == AF_PERF_AUXTRACE && record->length >= 16) {
        return af_load_u64(record->bytes + 8);
    }
    if (record->type == AF_PERF_TRACING_DATA && r->file->pipe && record->length >= 12) {
        return ((uint64_t)af_load_u32(record->bytes + 8) + 7) & ~UINT64_C(7);
    }
    return 0;
}

static void take_framed(reading *r, const af_perf_record *record, gboolean packed)
{
    switch (record->type) {
    case AF_PERF_COMPRESSED:
        if (!packed) {
            unpack(r, record->bytes + 8, record->length - 8, record->offset);
        }
        break;
    case AF_PERF_COMPRESSED2:
        if (!packed && record->length >= 16) {
            const uint64_t size = af_load_u64(record->bytes + 8);
            unpack(r, record->bytes + 16, MIN(size, record->length - 16), record->offset);
        }
        break;
    case AF_PERF_SPLIT:
        join_split(r, record);
        break;
    case AF_PERF_SPLIT_END:
        take_joined(r, record->offset);
        break;
    default:
        take_record(r, record, packed);
        break;
    }
}

/* Returns the number of bytes in complete records. */
static uint64_t walk(reading *r, const uint8_t *bytes, uint64_t length, uint64_t offset,
                     gboolean packed)
{
    uint64_t at = 0;
    af_perf_record record;
    while (!r->stopped && at < length) {
        const uint64_t where = packed ? offset : offset + at;
        if (!parse_record(bytes + at, length - at, where, &record)) {
            if (length - at < 8 && packed) {
                break;
            }
            warn(r, AF_WARN_BAD_RECORDS, where);
            return length;
        }
        const gboolean whole = record.length <= length - at;
        const uint64_t trailing = whole ? count_trailing(r, &record) : 0;
        if (!whole || trailing > length - at - record.length) {
            if (!packed) {
                r->file->clipped = TRUE;
                return length;
            }
            break;
        }
        take_framed(r, &record, packed);
        at += record.length + trailing;
    }
    return at;
}

gboolean af_perf_records(af_perf_file *file, af_perf_bytes data, af_perf_pass pass,
                         af_perf_take take, void *user)
{
    reading r = {.file = file,
                 .take = take,
                 .user = user,
                 .sorted = pass == AF_PERF_TAKE_SORTED,
                 .quiet = pass == AF_PERF_LOOK,
                 .held = af_arena_new(),
                 .held_before = af_arena_new()};
    af_array_init_metered(&r.joined, 1, af_sink_meter(file->sink));
    af_array_init_metered(&r.queue, sizeof(waiting), af_sink_meter(file->sink));
    walk(&r, data.bytes, data.length, (uint64_t)(data.bytes - file->bytes), FALSE);
    flush(&r, UINT64_MAX);
    af_array_clear(&r.joined);
    af_array_clear(&r.queue);
    af_arena_free(r.held);
    af_arena_free(r.held_before);
    ZSTD_freeDCtx(r.zstd);
    g_free(r.unpacked);
    return !r.stopped;
}
