/* The frames of frame timelines in a chart: those of the processes with drawn threads. */
#pragma once

#include "base/array.h"
#include "model/profile.h"

typedef enum { AF_FRAMES_EXPECTED, AF_FRAMES_ACTUAL, AF_FRAME_TRACKS } af_frame_track;

/* More frames at the same time share the last row. */
#define AF_FRAME_ROWS_MAX 3u

/* Times are those of the chart, within its axis. */
typedef struct {
    uint64_t begin_ns, end_ns;
    uint64_t length_ns, late_ns; /* of the whole frame */
    int64_t token;
    uint8_t track; /* af_frame_track */
    uint8_t row;   /* of its track */
    uint8_t fault; /* af_fault; of actual frames */
} af_chart_frame;

typedef struct {
    af_array frames;                /* of af_chart_frame, by time */
    uint32_t rows[AF_FRAME_TRACKS]; /* 0 = the track is empty */
    uint64_t expected;              /* expected frames */
    gboolean thinned;               /* frames without fault were dropped */
    uint64_t late;                  /* actual frames after their expected end */
    uint64_t of_fault[AF_FAULTS];   /* actual frames */
} af_chart_frames;

/* The frames between two times; NULL if memory is refused. */
af_chart_frames *af_chart_frames_new(const af_profile *profile, const uint32_t *threads,
                                     uint32_t n_threads, uint64_t from_ns, uint64_t to_ns);
/* Drops frames without fault, and all expectations, if there are more than `most`. */
void af_chart_frames_thin(af_chart_frames *frames, size_t most);

void af_chart_frames_free(af_chart_frames *frames);
