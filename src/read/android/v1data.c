#include "read/android/v1data.h"

#include "base/bytes.h"
#include "base/error_pass.h"
#include "read/android/text_repair.h"
#include "read/android/v1records.h"

#define LEAST_DATA 16

/* A header with the size of the records. */
#define SIZED_HEADER 18

/* Bytes of a file that usually show how to read it. */
#define LEAST_JUDGED ((size_t)64 * 1024)

/* Longer data without any other byte than ASCII does not come from a text tool. */
#define MOST_ASCII ((size_t)16 * 1024 * 1024)

#define DEFAULT_OFFSET 32u
#define DEFAULT_SIZE   14u

gboolean af_v1_header_read(af_v1_header *header, const uint8_t *bytes, size_t length,
                           gboolean streaming, af_sink *sink, GError **error)
{
    const unsigned field = af_load_u16(bytes + 4);
    *header = (af_v1_header){.version = streaming ? field & 15 : field,
                             .offset = af_load_u16(bytes + 6),
                             .start_us = af_load_u64(bytes + 8)};
    if (header->version < (streaming ? 2 : 1) || header->version > 3) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                    "unknown version %u in the header of the records", field);
        return FALSE;
    }
    if (header->offset < (field >= 3 ? SIZED_HEADER : LEAST_DATA) || header->offset > length) {
        af_sink_warn(sink, AF_WARN_BAD_OFFSET, 1, AF_NO_OFFSET);
        header->offset = DEFAULT_OFFSET;
        if (length < DEFAULT_OFFSET) {
            header->offset = UINT32_MAX;
            af_sink_facts(sink)->recording.truncated = TRUE;
        }
    }
    header->clocks = header->version == 3 ? 2 : 1;
    header->size = header->version == 1 ? 9 : header->version == 2 ? 10 : DEFAULT_SIZE;
    if (header->version == 3 && length >= SIZED_HEADER) {
        const uint32_t size = af_load_u16(bytes + 16);
        if (size == 10) {
            header->clocks = 1;
            header->size = 10;
        } else if (size >= DEFAULT_SIZE) {
            header->size = size;
        } else if (size != 0) {
            af_sink_warn(sink, AF_WARN_BAD_RECORD_SIZE, 1, AF_NO_OFFSET);
        }
    }
    af_facts *facts = af_sink_facts(sink);
    facts->format.version = header->version;
    facts->recording.has_start = TRUE;
    facts->recording.start = header->start_us;
    facts->recording.start_tick_ns = 1000;
    return TRUE;
}

/* Returns the clock of records with one time, by the `clock=` line. */
static af_clock choose_single_clock(const char *clock)
{
    return g_strcmp0(clock, "wall") == 0 || g_strcmp0(clock, "global") == 0 ? AF_WALL : AF_CPU;
}

af_ticks af_v1_ticks(const af_v1_header *header, af_sink *sink)
{
    const af_facts *facts = af_sink_facts(sink);
    return (af_ticks){.clocks = header->clocks == 2
                                    ? 1u << AF_WALL | 1u << AF_CPU
                                    : 1u << choose_single_clock(facts->android.clock),
                      .tick_ns = 1000,
                      .wraps = TRUE,
                      .has_elapsed = facts->recording.has_elapsed,
                      .elapsed_ticks = facts->recording.elapsed_ns / 1000};
}

static gboolean refuse_lossy(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED, AF_LOSSY_MESSAGE);
    return FALSE;
}

/* Reports a repair; `mended` may be NULL. */
static void report_repair(const af_spool *mended, const char *what, af_warning_kind warning,
                          af_sink *sink)
{
    if (mended != NULL) {
        af_sink_facts(sink)->android.repaired = what;
        af_sink_warn(sink, warning, 1, AF_NO_OFFSET);
    }
}

/* Repairs damage of the whole data. Returns FALSE if it cannot be repaired. */
static gboolean mend(const uint8_t *bytes, size_t length, gboolean crlf, af_spool **mended,
                     af_sink *sink, GError **error)
{
    if (!crlf && af_mend_fits(bytes, length)) {
        return TRUE; /* the reading detects lossy data */
    }
    if (af_mend_is_lossy(bytes, length)) {
        return refuse_lossy(error);
    }
    if (crlf && !af_mend_crlf(bytes, length, mended, error)) {
        return FALSE;
    }
    report_repair(*mended, "crlf", AF_WARN_REPAIRED_CRLF, sink);
    if (*mended == NULL) {
        if (!af_mend_1252(bytes, length, mended, error)) {
            return FALSE;
        }
        report_repair(*mended, "windows-1252", AF_WARN_REPAIRED_1252, sink);
    }
    return TRUE;
}

static void compare_with_text(unsigned text_version, uint64_t n, af_sink *sink)
{
    if (text_version != af_sink_facts(sink)->format.version) {
        af_sink_warn(sink, AF_WARN_VERSION_DIFFERS, 1, AF_NO_OFFSET);
    }
    size_t n_facts;
    const af_fact *facts = af_sink_key_values(sink, &n_facts);
    for (size_t i = 0; i < n_facts; i++) {
        const af_fact *fact = &facts[i];
        uint64_t announced;
        if (g_strcmp0(fact->key, "num-method-calls") == 0 &&
            g_ascii_string_to_unsigned(fact->value, 10, 0, UINT64_MAX, &announced, NULL) &&
            announced != n) {
            af_sink_warn(sink, AF_WARN_RECORD_COUNT, 1, AF_NO_OFFSET);
            af_sink_facts(sink)->recording.truncated |= n < announced && announced <= INT64_MAX;
        }
    }
}

static void warn_partial(uint64_t offset, af_sink *sink)
{
    af_sink_facts(sink)->counts.dropped_partial = 1;
    af_sink_facts(sink)->recording.truncated = TRUE;
    af_sink_warn(sink, AF_WARN_PARTIAL_RECORD, 1, offset);
}

/* Data of known length. */
typedef struct {
    const uint8_t *bytes;    /* all of it; only its start if `source` is set */
    const af_source *source; /* a seekable one, or NULL */
    size_t length;
    uint64_t offset; /* in the input */
} whole;

/* Fails if too much of the data is the replacement character. */
static gboolean check_lossy(const whole *data, size_t suspects, GError **error)
{
    if (!af_mend_is_suspect(suspects, data->length)) {
        return TRUE;
    }
    af_mend_count count = {0};
    uint8_t block[64 * 1024];
    for (size_t at = 0, n; at < data->length; at += n) {
        n = MIN(data->length - at, sizeof block);
        if (data->source != NULL &&
            !af_source_read_at(data->source, data->offset + at, block, n, error)) {
            return FALSE;
        }
        af_mend_count_add(&count, data->source != NULL ? block : data->bytes + at, n);
    }
    return !af_mend_count_is_lossy(&count) || refuse_lossy(error);
}

static gboolean read_whole(const whole *data, unsigned text_version, af_sink *sink, GError **error)
{
    af_v1_header header;
    const size_t length = data->length;
    const uint64_t offset = data->offset;
    if (!af_v1_header_read(&header, data->bytes, length, FALSE, sink, error)) {
        return FALSE;
    }
    const size_t left = header.offset == UINT32_MAX ? 0 : length - header.offset;
    const size_t n = left / header.size;
    if (left % header.size != 0) {
        warn_partial(offset + header.offset + n * header.size, sink);
    }
    compare_with_text(text_version, n, sink);
    af_ticks ticks = af_v1_ticks(&header, sink);
    ticks.most_records = n;
    af_sink_start(sink, &ticks);
    af_sink_set_total(sink, offset + length);
    if (n == 0) {
        return TRUE;
    }
    af_v1_records all = {.bytes = data->source == NULL ? data->bytes + header.offset : NULL,
                         .source = data->source,
                         .n = n,
                         .header = &header,
                         .offset = offset + header.offset};
    const gboolean go_on = af_v1_records_read(&all, af_sink_jobs(sink), sink);
    if (!af_error_pass(error, &all.error)) {
        return FALSE;
    }
    return !go_on || check_lossy(data, all.suspects + header.offset, error);
}

/* Whether ART or Dalvik writes such a header. */
static gboolean has_valid_header(const af_source *source)
{
    if (source->length < SIZED_HEADER) {
        return FALSE;
    }
    const unsigned version = af_load_u16(source->bytes + 4);
    const size_t size = version == 1 ? 9 : version == 2 ? 10 : 14;
    return af_mend_fits(source->bytes, af_load_u16(source->bytes + 6) + size);
}

/* Extends the window until its bytes show that no text tool changed the data in a way that can be
 * undone, or to the end. */
static gboolean reach_binary(af_source *source, GError **error)
{
    size_t judged = 0, ascii = 0;
    for (;;) {
        const uint8_t *at = source->bytes + judged, *const end = source->bytes + source->length;
        if (ascii == judged) {
            ascii = (size_t)(af_mend_skip_ascii(at, end) - source->bytes);
        }
        if (!source->more || af_mend_is_binary(&at, end, TRUE) ||
            (ascii == source->length && ascii >= MOST_ASCII)) {
            return TRUE;
        }
        judged = (size_t)(at - source->bytes);
        const size_t step = MAX(source->length, af_source_default_window(source));
        if (!af_source_reach(source, source->length + step, error)) {
            return FALSE;
        }
    }
}

/* Reads the records of a pipe or compressed file window by window. */
static gboolean read_forward(af_source *source, unsigned text_version, af_sink *sink,
                             GError **error)
{
    af_v1_header header;
    if (!af_v1_header_read(&header, source->bytes, source->length, FALSE, sink, error)) {
        return FALSE;
    }
    const af_ticks ticks = af_v1_ticks(&header, sink);
    af_sink_start(sink, &ticks);
    af_mend_count count = {0};
    uint64_t n = 0;
    for (size_t used = header.offset; used > 0;) {
        af_mend_count_add(&count, source->bytes, used);
        af_source_skip(source, used);
        if (!af_source_reach(source, af_source_default_window(source), error)) {
            return FALSE;
        }
        af_v1_records records = {.bytes = source->bytes,
                                 .n = source->length / header.size,
                                 .header = &header,
                                 .offset = source->offset};
        if (!af_v1_records_read(&records, 1, sink) && source->more) {
            return TRUE; /* af_sink_finish() reports the reason */
        }
        n += records.n;
        used = records.n * header.size;
    }
    if (source->length > 0) {
        warn_partial(source->offset, sink);
    }
    compare_with_text(text_version, n, sink);
    af_mend_count_add(&count, source->bytes, source->length);
    return !af_mend_count_is_lossy(&count) || refuse_lossy(error);
}

/* Extends the window as far as necessary: `more` remains set if the records can be read without
 * holding all of them. A text tool may have changed other data, which its length shows. */
static gboolean reach_records(af_source *source, GError **error)
{
    const gboolean seekable = af_source_is_seekable(source);
    const uint64_t length = af_source_total(source) - source->offset;
    if (!af_source_reach(source, seekable ? LEAST_JUDGED : af_source_default_window(source),
                         error)) {
        return FALSE;
    }
    if (!has_valid_header(source)) {
        return af_source_reach_end(source, error);
    }
    return (seekable && length <= SIZE_MAX && af_mend_fits(source->bytes, (size_t)length)) ||
           reach_binary(source, error);
}

gboolean af_v1_data_read(af_source *source, gboolean crlf, unsigned text_version, af_sink *sink,
                         GError **error)
{
    if (crlf ? !af_source_reach_end(source, error) : !reach_records(source, error)) {
        return FALSE;
    }
    if (source->more && !af_source_is_seekable(source)) {
        return read_forward(source, text_version, sink, error);
    }
    whole data = {.bytes = source->bytes, .length = source->length, .offset = source->offset};
    if (source->more) {
        data.source = source;
        data.length = (size_t)(af_source_total(source) - source->offset);
        return read_whole(&data, text_version, sink, error) && af_source_drain(source, error);
    }
    if (source->length < LEAST_DATA) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "truncated inside the header of the records: the file is too short");
        return FALSE;
    }
    g_autoptr(af_spool) mended = NULL;
    if (!mend(source->bytes, source->length, crlf, &mended, sink, error)) {
        return FALSE;
    }
    if (mended != NULL) {
        af_source_skip(source, source->length);
        data = (whole){.bytes = mended->bytes, .length = mended->length, .offset = data.offset};
    }
    return read_whole(&data, text_version, sink, error);
}
