/* The records of a V1 file: the part that begins with "SLOW". */
#ifndef AF_READ_ANDROID_V1DATA_H
#define AF_READ_ANDROID_V1DATA_H

#include "build/sink.h"
#include "read/source.h"

/* The header of V1 data, also of V1 streams. */
typedef struct {
    unsigned version; /* 1 to 3 */
    uint32_t offset;  /* of the first record; SIZE_MAX-like UINT32_MAX = there are none */
    uint32_t size;    /* of a record */
    unsigned clocks;  /* how many times a record has: 1 or 2 */
    uint64_t start_us;
} af_v1_header;

/* Reads the header in `length` bytes (at least 16) that begin with the magic; `streaming` headers
 * have 0xF0 added to the version. Faults of offset and record size are put right with a warning.
 * FALSE with AF_ERROR_DAMAGED for an unknown version. */
gboolean af_v1_header_read(af_v1_header *header, const uint8_t *bytes, size_t length,
                           gboolean streaming, af_sink *sink, GError **error);

/* The clock of records with one time, by the `clock=` line. */
af_clock af_v1_single_clock(const char *clock);

/* What the rebuilder must know, from the facts in the sink. */
af_ticks af_v1_ticks(const af_v1_header *header, af_sink *sink);

/* One record without its thread. */
static inline void af_v1_times(const uint8_t *times, unsigned n, af_clock single, af_event *event);

/* All records of data whose magic the window of `source` begins with; `crlf` says that the text in
 * front of it has CR LF line ends. FALSE with AF_ERROR_DAMAGED, or what reading the source may
 * give. */
gboolean af_v1_data_read(af_source *source, gboolean crlf, unsigned text_version, af_sink *sink,
                         GError **error);

#include "base/bytes.h"

static inline void af_v1_times(const uint8_t *times, unsigned n, af_clock single, af_event *event)
{
    event->time[0] = event->time[1] = 0;
    if (n == 2) { /* CPU first; V2 has it the other way round */
        event->time[AF_CPU] = af_load_u32(times);
        event->time[AF_WALL] = af_load_u32(times + 4);
    } else {
        event->time[single] = af_load_u32(times);
    }
}

#endif
