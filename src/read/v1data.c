#include "read/v1data.h"

#include "base/bytes.h"
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

/* Slots that were reserved but never written: Dalvik fills its buffer with 0xEE, ART with zeros,
 * and no thread of either has the number 0. */
static gboolean is_dropped(const uint8_t *record, unsigned version, af_sink *sink, uint64_t place)
{
    const uint32_t thread = version == 1 ? record[0] : af_load_u16(record);
    if (thread == 0) {
        sink->facts.dropped_zero_thread++;
        af_sink_warn(sink, AF_WARN_ZERO_THREAD, 1, place);
        return TRUE;
    }
    if (thread == (version == 1 ? 0xEEu : 0xEEEEu) &&
        af_load_u32(record + (version == 1 ? 1 : 2)) == 0xEEEEEEEEu) {
        sink->facts.dropped_fill++;
        af_sink_warn(sink, AF_WARN_FILL_RECORD, 1, place);
        return TRUE;
    }
    return FALSE;
}

static gboolean read_records(const uint8_t *bytes, size_t n, const af_v1_header *header,
                             uint64_t place, af_sink *sink)
{
    af_event batch[BATCH];
    size_t filled = 0;
    uint64_t batch_place = place;
    const unsigned id = header->version == 1 ? 1 : 2;
    const af_clock single = (sink->clocks & 1u << AF_WALL) != 0 ? AF_WALL : AF_CPU;
    for (size_t i = 0; i < n; i++, bytes += header->size, place += header->size) {
        const uint32_t thread = header->version == 1 ? bytes[0] : af_load_u16(bytes);
        if (filled == BATCH || thread == 0 || thread == 0xEE || thread == 0xEEEE) {
            if (!af_sink_events(sink, batch, filled, batch_place, header->size)) {
                return FALSE;
            }
            filled = 0;
            batch_place = place;
            if (is_dropped(bytes, header->version, sink, place)) {
                batch_place += header->size;
                continue;
            }
        }
        const uint32_t word = af_load_u32(bytes + id);
        af_event *event = &batch[filled++];
        event->thread = af_sink_thread(sink, thread);
        event->call = af_event_call(af_sink_method(sink, word & ~3u), word & 3u);
        af_v1_times(bytes + id + 4, header->clocks, single, event);
    }
    return af_sink_events(sink, batch, filled, batch_place, header->size);
}

/* What damage of the whole data was found and put right. FALSE if it cannot be. */
static gboolean mend(const uint8_t **bytes, size_t *length, gboolean crlf, GByteArray **mended,
                     af_sink *sink, GError **error)
{
    if (af_mend_is_lossy(*bytes, *length)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            AF_LOSSY_MESSAGE);
        return FALSE;
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
    if (n > 0) {
        read_records(bytes + header.offset, n, &header, place + header.offset, sink);
    }
    g_clear_pointer(&mended, g_byte_array_unref);
    return TRUE;
}
