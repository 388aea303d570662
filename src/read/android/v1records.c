#include "read/android/v1records.h"

#include "base/bytes.h"
#include "base/workers.h"
#include "build/chunk.h"
#include "read/android/text_repair.h"

#define BATCH 256

/* Shorter ranges are not worth a thread. */
#define LEAST_RANGE ((size_t)50000)

/* The memory for the trees of all ranges but the first of a round before they are joined. Reading a
 * trace may take 64 MB and 120 bytes per distinct path; until the join, paths that several ranges
 * have in common are in memory several times. */
#define CHUNKS_MEMORY ((size_t)32 * 1024 * 1024)

/* The typical number of records per path in a part of a trace. */
#define TYPICAL_PER_PATH 8u

#define MOST_RANGES 256u

/* Bytes of a file per read: they stay in the second-level cache, and lie on the stack. */
#define BLOCK ((size_t)64 * 1024)

/* A part of the records, and the chunk that receives them. They are decoded block by block; records
 * in memory are one block. */
typedef struct {
    const uint8_t *from; /* NULL = they are read from `source` */
    const af_source *source;
    uint64_t begin;       /* offset of the first */
    size_t all, taken;    /* records; `taken` without those of the block */
    GError *error;        /* of the source */
    const uint8_t *bytes; /* the block */
    size_t n;
    uint64_t offset;
    const af_v1_header *header;
    af_chunk *chunk;
    af_sink_ids ids; /* of the sink */
    unsigned clocks;
    gboolean raw;           /* drop no records */
    size_t suspects;        /* see text_repair.h */
    const uint8_t *counted; /* the suspects up to here are counted */
    gboolean stopped;       /* before the end of the range */
} record_range;

/* Slots that were reserved but never written: Dalvik fills its buffer with 0xEE, ART with zeros; no
 * thread of either has the id 0. */
static gboolean is_dropped(const uint8_t *record, unsigned version, af_chunk *chunk,
                           uint64_t offset)
{
    const uint32_t thread = version == 1 ? record[0] : af_load_u16(record);
    if (thread == 0) {
        af_chunk_warn(chunk, AF_WARN_ZERO_THREAD, 1, offset);
        return TRUE;
    }
    if (thread == (version == 1 ? 0xEEu : 0xEEEEu) &&
        af_load_u32(record + (version == 1 ? 1 : 2)) == 0xEEEEEEEEu) {
        af_chunk_warn(chunk, AF_WARN_FILL_RECORD, 1, offset);
        return TRUE;
    }
    return FALSE;
}

/* Events on their way to the chunk. */
typedef struct {
    af_event events[BATCH];
    af_event *end;
    const uint8_t *full; /* before this record, the batch has space for an event */
    uint64_t offset;     /* of the first event */
} event_batch;

static void begin_batch(const record_range *range, event_batch *batch, const uint8_t *record)
{
    const size_t left = (size_t)(range->bytes + range->n * range->header->size - record);
    batch->end = batch->events;
    batch->full = record + MIN(left, (size_t)BATCH * range->header->size);
    batch->offset = range->offset + (uint64_t)(record - range->bytes);
}

/* Passes the events to the chunk. They come from the records before `next`. */
static gboolean flush(record_range *range, event_batch *batch, const uint8_t *next)
{
    range->suspects += af_mend_count_suspects(range->counted, (size_t)(next - range->counted));
    range->counted = next;
    range->stopped =
        !af_chunk_events(range->chunk, batch->events, (size_t)(batch->end - batch->events),
                         batch->offset, range->header->size);
    begin_batch(range, batch, next);
    return !range->stopped;
}

static uint32_t number_method(record_range *range, uint32_t id)
{
    const uint32_t number = af_idmap_look(range->ids.methods, id);
    return number != AF_IDMAP_NONE ? number : af_chunk_add_method(range->chunk, id);
}

/* Callers of the following functions pass constants for `version`, `clocks` and `single`, so that
 * the loops have no such branches. */
static G_ALWAYS_INLINE inline uint32_t load_thread(const uint8_t *record, unsigned version)
{
    return version == 1 ? record[0] : af_load_u16(record);
}

/* Adds the events of consecutive records of one thread to the batch, at most until it is full.
 * Returns the end of the records. */
static G_ALWAYS_INLINE inline const uint8_t *read_thread(record_range *range, event_batch *batch,
                                                         const uint8_t *record, uint32_t number,
                                                         unsigned version, unsigned clocks,
                                                         af_clock single)
{
    const af_idmap_small methods = af_idmap_get_small(range->ids.methods);
    const uint32_t size = range->header->size, thread = load_thread(record, version);
    /* each record with the fill value may be one to drop */
    const uint32_t same = thread == (version == 1 ? 0xEEu : 0xEEEEu) ? UINT32_MAX : thread;
    const uint8_t *const full = batch->full;
    const unsigned id = version == 1 ? 1 : 2;
    af_event *event = batch->end;
    do {
        const uint32_t word = af_load_u32(record + id);
        uint32_t next = af_idmap_look_small(&methods, word >> AF_ACTION_BITS);
        if (G_UNLIKELY(next == 0)) {
            next = number_method(range, word & ~3u) + 1;
        }
        event->thread = number;
        event->call = af_event_call(next - 1, word & 3u);
        af_v1_times(record + id + 4, clocks, single, event);
        event++;
        record += size;
    } while (record < full && load_thread(record, version) == same);
    batch->end = event;
    return record;
}

static G_ALWAYS_INLINE inline void read_records(record_range *range, unsigned version,
                                                unsigned clocks, af_clock single)
{
    event_batch batch;
    const uint32_t size = range->header->size;
    const uint8_t *record = range->bytes, *const end = record + range->n * size;
    begin_batch(range, &batch, record);
    while (record < end) {
        const uint64_t offset = range->offset + (uint64_t)(record - range->bytes);
        if (!range->raw && is_dropped(record, version, range->chunk, offset)) {
            record += size;
            if (!flush(range, &batch, record)) {
                return;
            }
            continue;
        }
        const uint32_t number = af_chunk_thread(range->chunk, load_thread(record, version));
        record = read_thread(range, &batch, record, number, version, clocks, single);
        if (record == batch.full && !flush(range, &batch, record)) {
            return;
        }
    }
}

static void read_block(record_range *range)
{
    const af_clock single = (range->clocks & 1u << AF_WALL) != 0 ? AF_WALL : AF_CPU;
    if (range->header->clocks == 2) {
        read_records(range, 3, 2, AF_WALL);
    } else if (range->header->version == 1) {
        if (single == AF_WALL) {
            read_records(range, 1, 1, AF_WALL);
        } else {
            read_records(range, 1, 1, AF_CPU);
        }
    } else if (single == AF_WALL) {
        read_records(range, 2, 1, AF_WALL);
    } else {
        read_records(range, 2, 1, AF_CPU);
    }
    range->taken += (size_t)(range->counted - range->bytes) / range->header->size;
}

static void show_block(record_range *range, const uint8_t *bytes, size_t n)
{
    range->bytes = range->counted = bytes;
    range->n = n;
    range->offset = range->begin + (uint64_t)range->taken * range->header->size;
}

static void read_from_file(record_range *range)
{
    const size_t size = range->header->size;
    uint8_t block[BLOCK];
    while (range->taken < range->all && !range->stopped) {
        show_block(range, block, MIN(sizeof block / size, range->all - range->taken));
        range->stopped =
            !af_source_read_at(range->source, range->offset, block, range->n * size, &range->error);
        if (!range->stopped) {
            read_block(range);
        }
    }
}

static void read_range(record_range *range)
{
    if (range->from == NULL) {
        read_from_file(range);
    } else {
        show_block(range, range->from + range->taken * range->header->size,
                   range->all - range->taken);
        read_block(range);
    }
}

static void read_piece(void *ranges, unsigned number)
{
    read_range((record_range *)ranges + number);
}

typedef struct {
    af_v1_records *all;
    af_sink *sink;
    unsigned jobs;
    size_t per_path; /* records to expect per path */
} reading;

static record_range cut_range(const af_v1_records *all, af_sink *sink, size_t begin, size_t n)
{
    const size_t offset = begin * all->header->size;
    return (record_range){.from = all->bytes == NULL ? NULL : all->bytes + offset,
                          .source = all->source,
                          .begin = all->offset + offset,
                          .all = n,
                          .header = all->header,
                          .ids = af_sink_borrow_ids(sink),
                          .clocks = af_sink_clocks(sink),
                          .raw = af_sink_is_raw(sink)};
}

/* Reads into the sink, after everything in it. */
static void read_first(record_range *range, af_sink *sink)
{
    range->chunk = af_chunk_new_first(sink);
    read_range(range);
    af_chunk_join(range->chunk);
}

/* Joins a range that was read in parallel with the previous ones, which are all in the sink. */
static void join_range(record_range *range, af_sink *sink)
{
    if (af_chunk_join(range->chunk)) {
        if (range->taken == range->all) {
            return;
        }
        /* the chunk was full: the rest follows */
    } else {
        range->taken = 0;
        range->suspects = 0;
    }
    range->stopped = FALSE;
    af_chunk_free(range->chunk);
    read_first(range, sink);
}

/* Expects as many records per path as the chunk with the fewest had, less a reserve. */
static void expect_paths(reading *r, const record_range *ranges, unsigned n_ranges)
{
    size_t least = SIZE_MAX;
    for (unsigned i = 1; i < n_ranges; i++) {
        const size_t paths = af_chunk_paths(ranges[i].chunk);
        least = paths == 0 ? least : MIN(least, ranges[i].taken / paths);
    }
    if (least != SIZE_MAX) {
        r->per_path = MAX(least * 3 / 4, 1);
    }
}

/* Whether reading one of the ranges failed; keeps the first error. */
static gboolean take_error(record_range *ranges, unsigned n_ranges, GError **error)
{
    for (unsigned i = 0; i < n_ranges; i++) {
        if (ranges[i].error != NULL && *error == NULL) {
            *error = ranges[i].error;
        } else {
            g_clear_error(&ranges[i].error);
        }
    }
    return *error != NULL;
}

/* Reads records from index `at` on: the first range into the sink, the others in parallel, then
 * joins them in order. Returns the number of records; 0 when it is time to stop. */
static size_t read_round(reading *r, size_t at)
{
    const size_t left = r->all->n - at;
    const unsigned n_ranges = (unsigned)CLAMP(left / LEAST_RANGE, 1, MIN(r->jobs, MOST_RANGES));
    const size_t most_paths = MAX(CHUNKS_MEMORY / AF_PATH_BYTES / MAX(n_ranges - 1, 1), 1);
    const size_t even = left / n_ranges;
    const size_t part = n_ranges == 1 ? left : MIN(even, most_paths * r->per_path);
    g_autofree record_range *ranges = g_new0(record_range, n_ranges);
    size_t end = at;
    for (unsigned i = 0; i < n_ranges; i++) {
        const gboolean last = i + 1 == n_ranges && part == even;
        ranges[i] = cut_range(r->all, r->sink, end, last ? r->all->n - end : part);
        end += ranges[i].all;
        if (i > 0) {
            ranges[i].chunk = af_chunk_new(r->sink, most_paths);
        }
    }
    ranges[0].chunk = af_chunk_new_first(r->sink);
    af_workers_run(n_ranges, r->jobs, read_piece, ranges);
    expect_paths(r, ranges, n_ranges);
    /* only now: running chunks read from the sink */
    af_chunk_join(ranges[0].chunk);
    gboolean go_on = TRUE;
    for (unsigned i = 0; i < n_ranges; i++) {
        go_on = go_on && ranges[i].error == NULL;
        if (i > 0 && go_on) {
            join_range(&ranges[i], r->sink);
        }
        go_on = go_on && !(af_chunk_is_first(ranges[i].chunk) && ranges[i].stopped);
        r->all->suspects += ranges[i].suspects;
        af_chunk_free(ranges[i].chunk);
    }
    go_on = !take_error(ranges, n_ranges, &r->all->error) && go_on;
    return go_on ? end - at : 0;
}

gboolean af_v1_records_read(af_v1_records *records, unsigned jobs, af_sink *sink)
{
    reading r = {
        .all = records, .sink = sink, .jobs = af_workers_count(jobs), .per_path = TYPICAL_PER_PATH};
    records->suspects = 0;
    size_t at = 0, n = 1;
    for (; at < records->n && n > 0; at += n) {
        n = read_round(&r, at);
    }
    af_facts *facts = af_sink_facts(sink);
    facts->android.dropped_zero_thread = af_sink_warned(sink, AF_WARN_ZERO_THREAD);
    facts->android.dropped_fill = af_sink_warned(sink, AF_WARN_FILL_RECORD);
    return n > 0;
}
