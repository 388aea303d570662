/* Frame timelines: when SurfaceFlinger expected each frame of an app or of the display, and when
 * the frame was really done.
 *
 * A surface frame is the work of one process on one frame of one layer; a display frame is
 * SurfaceFlinger's work on the picture that the display then shows. An expected and an actual frame
 * with the same token and process belong together. Times have the same zero as those of calls, and
 * frames before the first call have negative times. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef enum {
    AF_EXPECTED_DISPLAY_FRAME,
    AF_ACTUAL_DISPLAY_FRAME,
    AF_EXPECTED_SURFACE_FRAME,
    AF_ACTUAL_SURFACE_FRAME,
    AF_TIMELINE_FRAME_KINDS,
} af_timeline_frame_kind;

/* Why a frame was not presented as expected: bits, as Android numbers them. */
enum {
    AF_JANK_NONE = 1 << 0,
    AF_JANK_SCHEDULING = 1 << 1, /* SurfaceFlinger's */
    AF_JANK_PREDICTION = 1 << 2,
    AF_JANK_DISPLAY = 1 << 3,
    AF_JANK_SF_CPU = 1 << 4,
    AF_JANK_SF_GPU = 1 << 5,
    AF_JANK_APP = 1 << 6,
    AF_JANK_STUFFING = 1 << 7, /* the app sent frames faster than they were shown */
    AF_JANK_UNKNOWN = 1 << 8,
};

/* How a frame was presented, as Android numbers it. Numbers above the known ones become 0. */
typedef enum {
    AF_PRESENT_UNSPECIFIED,
    AF_PRESENT_ON_TIME,
    AF_PRESENT_LATE,
    AF_PRESENT_EARLY,
    AF_PRESENT_DROPPED,
    AF_PRESENT_UNKNOWN,
    AF_PRESENTS,
} af_present;

typedef struct {
    int64_t begin_ns, end_ns;
    int64_t token;
    int64_t display_token; /* of a surface frame: the token of the display frame that shows it */
    const char *layer;     /* of a surface frame, cleaned; NULL = not stated */
    int32_t pid;           /* of the process that made the frame */
    uint32_t jank;         /* bits; actual frames only, as are the fields below */
    uint8_t kind;          /* af_timeline_frame_kind */
    uint8_t present;       /* af_present */
    uint8_t is_open; /* of any kind: its end is missing, so it lasts to the end of the trace */
} af_timeline_frame;

/* The frames of a profile, in order of their begin. */
typedef struct {
    const af_timeline_frame *frames;
    size_t n;
} af_frame_timeline;

typedef enum {
    AF_FAULT_NONE,
    AF_FAULT_APP,
    AF_FAULT_OTHER, /* SurfaceFlinger or the display */
    AF_FAULT_STUFFING,
    AF_FAULT_DROPPED,
    AF_FAULTS,
} af_fault;

/* Whose fault it is that a surface frame was not presented as expected. */
af_fault af_fault_of_frame(const af_timeline_frame *frame);

/* "none", "app", "other", "stuffing", "dropped". */
const char *af_fault_word(af_fault fault);

/* For people: "without fault", "by the app", "by others", ... */
const char *af_fault_title(af_fault fault);

/* The actual surface frames. */
typedef struct {
    uint64_t frames, late; /* presented late */
    uint64_t of_fault[AF_FAULTS];
} af_frame_counts;

af_frame_counts af_frame_timeline_count(const af_frame_timeline *timeline);

/* "on time", "late", "early", "dropped", "unknown"; NULL = unspecified. */
const char *af_present_word(af_present present);

/* The name of bit `number` of a jank type; NULL past the known ones and for bit 0, which means
 * none. */
const char *af_jank_word(unsigned number);
#define AF_JANK_BITS 16u
