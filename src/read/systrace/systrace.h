/* Internals of the reader of systraces: systrace.c (the file and the wrappers around its text) and
 * systrace_line.c (a line of ftrace). */
#pragma once

#include "read/timeline.h"

/* The thread that a line names, to notice changes. */
typedef struct {
    uint32_t comm;
    int64_t tgid; /* -1 = not stated */
} af_systrace_task;

typedef struct {
    af_sink *sink;
    af_timeline *timeline;
    af_texts *texts;
    af_idtable tasks; /* of af_systrace_task, by tid */
    uint64_t n_events;
    char tracer[40];
} af_systrace;

/* Whether the text is a line of an event. */
gboolean af_systrace_is_line(const char *line, size_t length);

/* Takes a line: of an event, a comment, or about lost events. */
void af_systrace_take_line(af_systrace *s, const char *line, size_t length);
