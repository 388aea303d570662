/* A report about frames: one table, a row for each frame. */
#pragma once

#include "calls/frame_list.h"
#include "report/report.h"

typedef struct {
    af_scope scope;
    const af_frame_list *list;
    uint64_t frame_time_ns; /* the limit for frames that are calls */
    const char *sort;       /* column; NULL = the most late first */
    uint32_t top;           /* rows; 0 = all */
} af_frames_request;

/* NULL with AF_ERROR_USAGE (unknown column) or _MEMORY. */
af_report *af_report_make_frames(const af_frames_request *request, const af_report_format *format,
                                 GError **error);
