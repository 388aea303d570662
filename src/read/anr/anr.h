/* Internals of the reader of ANR reports: anr.c (the file and its dumps), anr_line.c (lines). */
#pragma once

#include <stdint.h>
#include <glib.h>
#include "base/span.h"

typedef enum {
    AF_ANR_OTHER,
    AF_ANR_BEGIN,   /* ----- pid 12 at 2026-03-01 10:11:12 ----- */
    AF_ANR_END,     /* ----- end 12 ----- */
    AF_ANR_COMMAND, /* Cmd line: com.example */
    AF_ANR_BUILD,   /* Build fingerprint: '...' */
    AF_ANR_THREAD,  /* "main" prio=5 tid=1 Native */
    AF_ANR_FRAME,   /* at ..., native: ..., kernel: ... */
    AF_ANR_WAIT,    /* - waiting to lock <0x1> (a Type) held by thread 7 */
} af_anr_kind;

typedef struct {
    af_anr_kind kind;
    uint64_t number;    /* the pid; of a thread, its tid in ART; of a lock, the holder; 0 = none */
    af_span text;       /* the name, the frame, the type of a lock */
    af_span extra;      /* of a thread, its state; of a frame, its library; of a wait, its kind */
    gboolean is_native; /* a frame of native code or of the kernel */
    gboolean has_date;
    int64_t date_us; /* since 1970 */
} af_anr_line;

void af_anr_parse(const char *bytes, size_t length, af_anr_line *line);
