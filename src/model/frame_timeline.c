#include "model/frame_timeline.h"

af_fault af_fault_of_frame(const af_timeline_frame *frame)
{
    const uint32_t others =
        AF_JANK_SCHEDULING | AF_JANK_PREDICTION | AF_JANK_DISPLAY | AF_JANK_SF_CPU | AF_JANK_SF_GPU;
    return (frame->jank & (AF_JANK_APP | AF_JANK_UNKNOWN)) != 0 ? AF_FAULT_APP
           : (frame->jank & others) != 0                        ? AF_FAULT_OTHER
           : frame->jank == AF_JANK_STUFFING                    ? AF_FAULT_STUFFING
           : frame->present == AF_PRESENT_DROPPED               ? AF_FAULT_DROPPED
                                                                : AF_FAULT_NONE;
}

const char *af_fault_word(af_fault fault)
{
    static const char *const words[AF_FAULTS] = {"none", "app", "other", "stuffing", "dropped"};
    return words[fault];
}

const char *af_fault_title(af_fault fault)
{
    static const char *const titles[AF_FAULTS] = {"without fault", "by the app", "by others",
                                                  "by stuffing", "dropped"};
    return titles[fault];
}

af_frame_counts af_frame_timeline_count(const af_frame_timeline *timeline)
{
    af_frame_counts counts = {0};
    for (size_t i = 0; i < timeline->n; i++) {
        const af_timeline_frame *frame = &timeline->frames[i];
        if (frame->kind == AF_ACTUAL_SURFACE_FRAME) {
            counts.frames++;
            counts.late += frame->present == AF_PRESENT_LATE;
            counts.of_fault[af_fault_of_frame(frame)]++;
        }
    }
    return counts;
}

const char *af_present_word(af_present present)
{
    static const char *const words[AF_PRESENTS] = {NULL,    "on time", "late",
                                                   "early", "dropped", "unknown"};
    return words[present];
}

const char *af_jank_word(unsigned number)
{
    static const char *const words[AF_JANK_BITS] = {NULL,
                                                    "SurfaceFlinger scheduling",
                                                    "prediction error",
                                                    "display HAL",
                                                    "SurfaceFlinger CPU deadline missed",
                                                    "SurfaceFlinger GPU deadline missed",
                                                    "app deadline missed",
                                                    "buffer stuffing",
                                                    "unknown",
                                                    "SurfaceFlinger stuffing",
                                                    "dropped",
                                                    "not animating",
                                                    "app resynced jitter",
                                                    "display not on",
                                                    "display mode changing",
                                                    "power mode changing"};
    return number < AF_JANK_BITS ? words[number] : NULL;
}
