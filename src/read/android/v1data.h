/* The records of a V1 file: the part that starts with "SLOW". */
#pragma once

#include "build/sink.h"
#include "read/source.h"

/* The header of V1 data, also of V1 streams. */
typedef struct {
    unsigned version; /* 1 to 3 */
    uint32_t offset;  /* of the first record; UINT32_MAX = there are no records */
    uint32_t size;    /* of a record, in bytes */
    unsigned clocks;  /* times per record: 1 or 2 */
    uint64_t start_us;
} af_v1_header;

/* Reads the header from `length` bytes (at least 16) that start with the magic; `streaming` headers
 * have 0xF0 added to the version. Corrects an invalid offset or record size with a warning. Returns
 * FALSE with AF_ERROR_DAMAGED if the version is unknown. */
gboolean af_v1_header_read(af_v1_header *header, const uint8_t *bytes, size_t length,
                           gboolean streaming, af_sink *sink, GError **error);

/* Returns what the stack rebuilder needs to know, from the facts in the sink. */
af_ticks af_v1_ticks(const af_v1_header *header, af_sink *sink);

/* Reads the times of one record. */
static inline void af_v1_times(const uint8_t *times, unsigned n, af_clock single, af_event *event);

/* Reads all records of data whose magic is at the start of the window of `source`; `crlf`: the text
 * before the data has CR LF line ends. Returns FALSE with AF_ERROR_DAMAGED or an error of the
 * source. */
gboolean af_v1_data_read(af_source *source, gboolean crlf, unsigned text_version, af_sink *sink,
                         GError **error);

#include "base/bytes.h"

static inline void af_v1_times(const uint8_t *times, unsigned n, af_clock single, af_event *event)
{
    /* CPU first; V2 has the opposite order */
    event->time[AF_CPU] = n == 2 || single == AF_CPU ? af_load_u32(times) : 0;
    event->time[AF_WALL] = n == 2              ? af_load_u32(times + 4)
                           : single == AF_WALL ? af_load_u32(times)
                                               : 0;
}
