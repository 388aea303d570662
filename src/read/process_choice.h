/* Chooses the processes that --process names. */
#pragma once

#include <stdint.h>

#include "build/sink.h"

typedef struct {
    int64_t pid;
    int64_t uid; /* -1 = not known */
    af_span name;
    uint64_t weight; /* 0 = nothing to draw */
} af_choosable;

/* Sets chosen[i] of each process that `wanted` names: by id or name, or by a part of the name if no
 * name is equal; "app" (or NULL) is the busiest one that is not part of the system, or the busiest of all.
 * Warns if others have something to draw. Returns FALSE with AF_ERROR_USAGE if no process has the name. */
gboolean af_process_choose(const char *wanted, const af_choosable *processes, uint32_t n,
                           uint8_t *chosen, af_sink *sink, GError **error);
