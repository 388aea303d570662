#include "read/v1data.h"

#include "base/bytes.h"
#include "model/lane.h"
#include "read/mend.h"

#define BATCH 1024

#define USUAL_OFFSET 32u
#define USUAL_SIZE   14u

static const uint32_t least_offset[] = {16, 16, 18};

gboolean af_v1_header_read(af_v1_header *header, const uint8_t *bytes, size_t length,
                           gboolean streaming, af_sink *sink, GError **error)
{
    const unsigned field = af_load_u16(bytes + 4);
    *header = (af_v1_header){.version = streaming ? field & 15 : field,
                             .offset = af_load_u16(bytes + 6),
                             .start_us = af_load_u64(bytes + 8)};
    if (header->version < 1 || header->version > 3) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                    "unknown version %u in the header of the records", field);
        return FALSE;
    }
    const gboolean has_size = field >= 3;
    if (header->offset < (has_size ? least_offset[2] : least_offset[0]) ||
        header->offset > length) {
        af_sink_warn(sink, AF_WARN_BAD_OFFSET, 1, AF_NO_PLACE);
        header->offset = USUAL_OFFSET;
        if (length < USUAL_OFFSET) {
            header->offset = UINT32_MAX;
            sink->facts.truncated = TRUE;
        }
    }
    header->clocks = header->version == 3 ? 2 : 1;
    header->size = header->version == 1 ? 9 : header->version == 2 ? 10 : USUAL_SIZE;
    if (header->version == 3 && length >= 18) {
        const uint32_t size = af_load_u16(bytes + 16);
        if (size == 10) {
            header->clocks = 1;
            header->size = 10;
        } else if (size >= USUAL_SIZE) {
            header->size = size;
        } else if (size != 0) {
            af_sink_warn(sink, AF_WARN_BAD_RECORD_SIZE, 1, AF_NO_PLACE);
        }
    }
    sink->facts.version = header->version;
    sink->facts.has_start = TRUE;
    sink->facts.start = header->start_us;
    sink->facts.start_tick_ns = 1000;
    return TRUE;
}

af_clock af_v1_single_clock(const char *clock)
{
    return g_strcmp0(clock, "wall") == 0 || g_strcmp0(clock, "global") == 0 ? AF_WALL : AF_CPU;
}

af_ticks af_v1_ticks(const af_v1_header *header, const af_sink *sink)
{
    return (af_ticks){
        .clocks = header->clocks == 2 ? 1u << AF_WALL | 1u << AF_CPU
                                      : 1u << af_v1_single_clock(sink->facts.clock),
        .tick_ns = 1000,
        .wraps = TRUE,
        .has_elapsed = sink->facts.has_elapsed,
        .elapsed_ticks = sink->facts.elapsed_ns / 1000};
}

/* Records that lie side by side, and the lane that takes them. */
typedef struct {
    const uint8_t *bytes;
    size_t n;
    const af_v1_header *header;
    uint64_t place;
    af_lane lane;
    size_t suspects;       /* see mend.h */
    const uint8_t *counted; /* up to here */
} record_range;

/* Slots that were reserved but never written: Dalvik fills its buffer with 0xEE, ART with zeros,
 * and no thread of either has the number 0. */
static gboolean is_dropped(const uint8_t *record, unsigned version, af_lane *lane, uint64_t place)
{
    const uint32_t thread = version == 1 ? record[0] : af_load_u16(record);
    if (thread == 0) {
        af_lane_warn(lane, AF_WARN_ZERO_THREAD, 1, place);
        return TRUE;
    }
    if (thread == (version == 1 ? 0xEEu : 0xEEEEu) &&
        af_load_u32(record + (version == 1 ? 1 : 2)) == 0xEEEEEEEEu) {
        af_lane_warn(lane, AF_WARN_FILL_RECORD, 1, place);
        return TRUE;
    }
    return FALSE;
}

/* Events on their way to the lane. */
typedef struct {
    af_event events[BATCH];
    size_t filled;
    uint64_t place; /* of the first */
} event_batch;

static gboolean flush(record_range *range, event_batch *batch, const uint8_t *next)
{
    const uint64_t next_place = range->place + (uint64_t)(next - range->bytes);
    range->suspects += af_mend_count_suspects(range->counted, (size_t)(next - range->counted));
    range->counted = next;
    const gboolean ok = af_lane_events(&range->lane, batch->events, batch->filled, batch->place,
                                       range->header->size);
    batch->filled = 0;
    batch->place = next_place;
    return ok;
}

/* `version`, `clocks` and `single` are constants where it is called, so that the loop has no such
 * choice. */
static G_ALWAYS_INLINE inline void read_records(record_range *range, unsigned version,
                                                unsigned clocks, af_clock single)
{
    event_batch batch;
    batch.filled = 0;
    batch.place = range->place;
    const af_idmap_small methods = af_idmap_get_small(&range->lane.sink->method_ids);
    const uint32_t size = range->header->size;
    const unsigned id = version == 1 ? 1 : 2;
    const uint8_t *record = range->bytes, *end = record + range->n * size;
    uint32_t last_thread = UINT32_MAX, number = 0; /* none yet: also the first may be dropped */
    for (; record < end; record += size) {
        const uint32_t thread = version == 1 ? record[0] : af_load_u16(record);
        if (thread != last_thread || thread == (version == 1 ? 0xEE : 0xEEEE)) {
            const uint64_t place = range->place + (uint64_t)(record - range->bytes);
            if (is_dropped(record, version, &range->lane, place)) {
                if (!flush(range, &batch, record + size)) {
                    return;
                }
                continue;
            }
            number = af_lane_thread(&range->lane, thread);
            last_thread = thread;
        }
        const uint32_t word = af_load_u32(record + id);
        af_event *event = &batch.events[batch.filled++];
        uint32_t method = af_idmap_look_small(&methods, word >> AF_ACTION_BITS);
        if (G_UNLIKELY(method == AF_IDMAP_NONE)) {
            method = af_lane_method(&range->lane, word & ~3u);
        }
        event->thread = number;
        event->call = af_event_call(method, word & 3u);
        af_v1_times(record + id + 4, clocks, single, event);
        if (batch.filled == BATCH &&
            !flush(range, &batch, record + size)) {
            return;
        }
    }
    flush(range, &batch, end);
}

static gpointer read_range(gpointer data)
{
    record_range *range = data;
    const af_clock single =
        (range->lane.sink->clocks & 1u << AF_WALL) != 0 ? AF_WALL : AF_CPU;
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
    return NULL;
}

static void begin_range(record_range *range)
{
    range->counted = range->bytes;
    range->suspects = 0;
}

/* Ranges shorter than this are not worth a thread. */
#define LEAST_RANGE ((size_t)50000)

static unsigned count_ranges(size_t n, unsigned jobs)
{
    jobs = jobs == 0 ? g_get_num_processors() : jobs;
    return (unsigned)CLAMP(n / LEAST_RANGE, 1, MIN(jobs, 256u));
}

/* Reads all records: the first range into the sink, the others beside it, then joined in order.
 * Returns how many bytes raise the suspicion that the file is lossy. */
static size_t read_ranges(const record_range *all, unsigned n_ranges, af_sink *sink)
{
    record_range *ranges = g_new0(record_range, n_ranges);
    GThread **threads = g_new0(GThread *, n_ranges);
    size_t suspects = 0;
    for (unsigned i = 0; i < n_ranges; i++) {
        const size_t begin = all->n / n_ranges * i;
        const size_t end = i + 1 == n_ranges ? all->n : all->n / n_ranges * (i + 1);
        ranges[i] = (record_range){.bytes = all->bytes + begin * all->header->size,
                                   .n = end - begin,
                                   .header = all->header,
                                   .place = all->place + begin * all->header->size};
        begin_range(&ranges[i]);
        if (i > 0) {
            af_lane_init(&ranges[i].lane, sink);
        }
    }
    for (unsigned i = 1; i < n_ranges; i++) {
        threads[i] = g_thread_try_new("aflame-range", read_range, &ranges[i], NULL);
    }
    af_lane_init_first(&ranges[0].lane, sink);
    read_range(&ranges[0]);
    for (unsigned i = 1; i < n_ranges; i++) {
        if (threads[i] != NULL) {
            g_thread_join(threads[i]);
        }
    }
    for (unsigned i = 0; i < n_ranges; i++) {
        if ((i > 0 && threads[i] == NULL) || !af_lane_join(&ranges[i].lane)) {
            af_lane_clear(&ranges[i].lane);
            af_lane_init_first(&ranges[i].lane, sink);
            begin_range(&ranges[i]);
            read_range(&ranges[i]);
            af_lane_join(&ranges[i].lane);
        }
        suspects += ranges[i].suspects;
        af_lane_clear(&ranges[i].lane);
    }
    sink->facts.dropped_zero_thread = sink->warnings.count[AF_WARN_ZERO_THREAD];
    sink->facts.dropped_fill = sink->warnings.count[AF_WARN_FILL_RECORD];
    g_free(threads);
    g_free(ranges);
    return suspects;
}

static gboolean refuse_lossy(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED, AF_LOSSY_MESSAGE);
    return FALSE;
}

/* What damage of the whole data was found and put right. FALSE if it cannot be. */
static gboolean mend(const uint8_t **bytes, size_t *length, gboolean crlf, GByteArray **mended,
                     af_sink *sink, GError **error)
{
    if (!crlf && af_mend_fits(*bytes, *length)) {
        return TRUE; /* whether it is lossy is seen while it is read */
    }
    if (af_mend_is_lossy(*bytes, *length)) {
        return refuse_lossy(error);
    }
    *mended = crlf ? af_mend_crlf(*bytes, *length) : NULL;
    if (*mended != NULL) {
        sink->facts.repaired = "crlf";
        af_sink_warn(sink, AF_WARN_REPAIRED_CRLF, 1, AF_NO_PLACE);
    } else {
        *mended = af_mend_1252(*bytes, *length);
        if (*mended != NULL) {
            sink->facts.repaired = "windows-1252";
            af_sink_warn(sink, AF_WARN_REPAIRED_1252, 1, AF_NO_PLACE);
        }
    }
    if (*mended != NULL) {
        *bytes = (*mended)->data;
        *length = (*mended)->len;
    }
    return TRUE;
}

static void compare_with_text(unsigned text_version, size_t n, af_sink *sink)
{
    if (text_version != sink->facts.version) {
        af_sink_warn(sink, AF_WARN_VERSION_DIFFERS, 1, AF_NO_PLACE);
    }
    for (guint i = 0; i < sink->key_values->len; i++) {
        const af_fact *fact = &g_array_index(sink->key_values, af_fact, i);
        uint64_t announced;
        if (g_strcmp0(fact->key, "num-method-calls") == 0 &&
            g_ascii_string_to_unsigned(fact->value, 10, 0, UINT64_MAX, &announced, NULL) &&
            announced != n) {
            af_sink_warn(sink, AF_WARN_RECORD_COUNT, 1, AF_NO_PLACE);
        }
    }
}

gboolean af_v1_data_read(const uint8_t *bytes, size_t length, uint64_t place, gboolean crlf,
                         unsigned text_version, af_sink *sink, GError **error)
{
    if (length < 16) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "cut off inside the header of the records: the file is too short");
        return FALSE;
    }
    GByteArray *mended = NULL;
    af_v1_header header;
    if (!mend(&bytes, &length, crlf, &mended, sink, error) ||
        !af_v1_header_read(&header, bytes, length, FALSE, sink, error)) {
        g_clear_pointer(&mended, g_byte_array_unref);
        return FALSE;
    }
    const size_t left = header.offset == UINT32_MAX ? 0 : length - header.offset;
    const size_t n = left / header.size;
    if (left % header.size != 0) {
        sink->facts.dropped_partial = 1;
        sink->facts.truncated = TRUE;
        af_sink_warn(sink, AF_WARN_PARTIAL_RECORD, 1, place + header.offset + n * header.size);
    }
    compare_with_text(text_version, n, sink);
    const af_ticks ticks = af_v1_ticks(&header, sink);
    af_sink_start(sink, &ticks);
    sink->total = place + length;
    gboolean ok = TRUE;
    if (n > 0) {
        const record_range all = {.bytes = bytes + header.offset,
                                  .n = n,
                                  .header = &header,
                                  .place = place + header.offset};
        const size_t suspects = read_ranges(&all, count_ranges(n, sink->jobs), sink);
        ok = !af_mend_is_suspect(suspects + header.offset, length) ||
             !af_mend_is_lossy(bytes, length) || refuse_lossy(error);
    }
    g_clear_pointer(&mended, g_byte_array_unref);
    return ok;
}
