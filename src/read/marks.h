/* Marks: lines that programs write into the kernel's trace buffer, as atrace defines them. */
#pragma once

#include "read/timeline.h"

/* Parses the text of a mark. Sets everything of the event but its time and its thread, which is in
 * `a`. FALSE if it is none, which is reported with the offset, or one that relates clocks. */
gboolean af_mark_parse(af_texts *texts, af_span text, uint64_t offset, af_timeline_event *event);

/* The mark of a driver: its kind is one of B, E, C, I. Process 0 = not stated. Returns FALSE for
 * another kind. */
gboolean af_mark_make(af_texts *texts, char kind, uint32_t pid, af_span name, int64_t value,
                      af_timeline_event *event);
