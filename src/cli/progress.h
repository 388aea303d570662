/* A progress line. It appears after half a second, only on a terminal, and is erased at the end. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    const char *doing; /* "reading" */
    const char *name;  /* of the input, or the address of the server */
    gboolean wanted;
    gboolean shown;
    int64_t begun_us, shown_us; /* monotonic */
} af_progress;

/* Returns whether progress will be shown. */
gboolean af_progress_begin(af_progress *progress, const char *doing, const char *name,
                           gboolean quiet);

/* See af_open_options; `user` is the af_progress. */
void af_progress_show(void *user, uint64_t done, uint64_t total);

void af_progress_end(af_progress *progress);
