/* A frame list: each frame of the app, how late it was, whose fault that was, and which calls
 * filled it.
 *
 * Frames come from the frame timelines of the input; without any, from the calls of
 * Choreographer.doFrame on main threads, which are late if they take longer than a given time. A
 * frame is filled by the self times of calls on the main thread and the RenderThread of its
 * process: of those within the slice whose name ends in the frame's token, such as
 * "Choreographer#doFrame 12345"; if the input has no such slice, of those within its time. */
#pragma once

#include "model/profile.h"

/* At 60 Hz. */
#define AF_FRAME_TIME_NS UINT64_C(16700000)

#define AF_FRAME_PARTS 3

typedef struct {
    uint32_t thread, label;
    uint64_t self_ns;
    gboolean is_main; /* of the main thread, not the RenderThread */
} af_frame_part;

typedef struct {
    const af_timeline_frame *actual; /* NULL = a call of doFrame */
    gboolean has_pid, has_token, has_late;
    gboolean is_open; /* its end is missing */
    int64_t pid, token;
    uint32_t picture;         /* its number; the layers of a window share one */
    int64_t begin_ns, end_ns; /* as in af_call_event */
    uint64_t late_ns;         /* from the expected end to the real one; 0 = in time */
    af_fault fault;
    uint32_t thread;                     /* whose call it is; UINT32_MAX = not known */
    af_frame_part parts[AF_FRAME_PARTS]; /* the longest, in descending order */
    unsigned n_parts;
} af_listed_frame;

/* Time of a thread in which it worked on late frames, or only on good ones. */
typedef struct {
    uint32_t thread;
    uint64_t from_ns, to_ns;
    gboolean is_late;
} af_frame_span;

typedef struct {
    af_listed_frame *frames; /* the most late first, then the longest */
    size_t n;
    gboolean from_calls;
    gboolean has_parts;   /* single calls are available */
    size_t n_late;        /* pictures with a frame that is late; the layers of a window share one */
    size_t n_good;        /* pictures that are in time, by nobody's fault */
    af_frame_span *spans; /* of these pictures, by thread and time; they do not overlap */
    size_t n_spans;
} af_frame_list;

/* Lists the frames of the processes of `profile`, which must not be reshaped, in its part of the
 * trace. `frame_time_ns` is the limit for calls of doFrame; 0 = AF_FRAME_TIME_NS. Returns NULL with
 * AF_ERROR_NOTHING if there are no frames, AF_ERROR_USAGE, _MEMORY or an error of
 * af_profile_walk(). */
af_frame_list *af_frame_list_new(const af_profile *profile, uint64_t frame_time_ns, GError **error);

/* The frames of the timelines only, without parts and spans: the input is not read again. An empty
 * list if there are none; NULL if memory is refused. */
af_frame_list *af_frame_list_new_timeline(const af_profile *profile);

/* `list` may be NULL. */
void af_frame_list_free(af_frame_list *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_frame_list, af_frame_list_free)
