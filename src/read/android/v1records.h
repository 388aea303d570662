/* Contiguous records of V1 data: passes them to the sink, on several threads if there are many. */
#pragma once

#include "read/android/v1data.h"

typedef struct {
    const uint8_t *bytes;    /* NULL = they are read from `source` */
    const af_source *source; /* a seekable one */
    size_t n;
    const af_v1_header *header;
    uint64_t offset; /* of the first record, in the input */
    size_t suspects; /* out: see text_repair.h */
    GError *error;   /* out: of the source; the caller frees it */
} af_v1_records;

/* Passes the records to the sink, after all earlier ones. Returns FALSE with `error`, or to stop:
 * cancelled or out of memory, which af_sink_finish() reports. */
gboolean af_v1_records_read(af_v1_records *records, unsigned jobs, af_sink *sink);
