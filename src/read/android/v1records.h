/* The records of V1 data, as many as lie side by side: handed to the sink, on several threads if
 * they are many. */
#ifndef AF_READ_ANDROID_V1RECORDS_H
#define AF_READ_ANDROID_V1RECORDS_H

#include "read/android/v1data.h"

typedef struct {
    const uint8_t *bytes;
    size_t n;
    const af_v1_header *header;
    uint64_t place;                    /* of the first, in the input */
    size_t suspects;                   /* out: see mend.h */
    const af_source *source;           /* whose window holds the bytes; NULL = none does */
    size_t least_range, chunks_memory; /* for tests; 0 = the defaults */
} af_v1_records;

/* Behind all that were given to the sink before. FALSE when it is time to stop: cancelled or out
 * of memory, which af_sink_finish() will say. */
gboolean af_v1_records_read(af_v1_records *records, unsigned jobs, af_sink *sink);

#endif
