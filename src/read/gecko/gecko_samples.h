/* Passes the samples of threads to the sink, with their stacks and weights. */
#pragma once

#include "read/frames.h"
#include "read/gecko/gecko_tables.h"

typedef struct {
    af_sink *sink;
    af_frames frames;
    af_span text;       /* of the file */
    const char *asked;  /* as unit in af_open_options */
    gboolean processed; /* frames refer to functions */
    af_gecko_unit unit; /* of the first samples */
    uint64_t scale;
    uint32_t owner; /* of the stacks that are looked for: the number of threads so far */
    af_array path;  /* of uint32_t: stacks to look for, the innermost first */
    GString *buffer, *other_buffer;
} af_gecko_samples;

/* Declares the unit of all samples. */
void af_gecko_samples_start(af_gecko_samples *r, af_gecko_unit unit);

void af_gecko_samples_give(af_gecko_samples *r, af_gecko_tables *t, uint32_t thread);
