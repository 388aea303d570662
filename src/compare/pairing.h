/* Pairs the two sides: threads by name, labels by text. */
#pragma once

#include "compare/runs.h"

/* Threads that are compared as one, by their numbers on each side. */
typedef struct {
    const char *title;
    GArray *threads[AF_SIDES]; /* of uint32_t */
} af_thread_pair;

/* Pairs threads by name, then the remaining ones by name with masked digits (unless `exact`). The
 * pairs are in order of first appearance, those of before first. Texts are in the arena. Free with
 * g_ptr_array_unref(); NULL if memory is refused. */
GPtrArray *af_pairing_threads(const af_runs *const sides[AF_SIDES], gboolean exact,
                              af_arena *arena);

/* The labels of the union, and the label of each name of a side. */
typedef struct {
    af_array labels;                   /* of af_diff_label */
    uint32_t *label_of[AF_SIDES];      /* by name */
    uint32_t *label_of_mask[AF_SIDES]; /* by mask; UINT32_MAX = none. NULL if exact */
} af_pairing_labels;

/* FALSE if memory is refused; clear it in any case. */
gboolean af_pairing_labels_init(af_pairing_labels *pairing, const af_runs *const sides[AF_SIDES],
                                gboolean exact, af_arena *arena);
void af_pairing_labels_clear(af_pairing_labels *pairing);
