/* The saved profiles of both sides that a picture or a page of a comparison carries. */
#pragma once

#include <aflame/diff.h>

#include "api/carried_profile.h"

typedef struct {
    af_carried_profile side[AF_SIDES];
    af_profile *merged[AF_SIDES]; /* of several runs */
    char *names[AF_SIDES];
    GBytes *bytes; /* of both, see base/aflp.h */
} af_carried_sides;

/* Begins to save both sides of a comparison in threads of their own, unless `jobs` is 1. Both
 * together get at most `most_bytes` (0 = no limit). Call af_carried_sides_clear() in any case.
 * FALSE with AF_ERROR_MEMORY. */
gboolean af_carried_sides_begin(af_carried_sides *carried, const af_diff *diff, size_t most_bytes,
                                unsigned jobs, GError **error);

/* The same of two profiles. */
void af_carried_sides_begin_profiles(af_carried_sides *carried,
                                     const af_profile *const profiles[AF_SIDES],
                                     const char *const names[AF_SIDES], af_clock clock,
                                     size_t most_bytes, unsigned jobs);

/* Waits for the bytes, which af_carried_sides_clear() releases. NULL with AF_ERROR_MEMORY. */
GBytes *af_carried_sides_take(af_carried_sides *carried, GError **error);
void af_carried_sides_clear(af_carried_sides *carried);

/* Waits for the bytes and attaches them. Adds a message if the file is binary or call paths were
 * left out. FALSE with AF_ERROR_MEMORY. */
gboolean af_carried_sides_attach(af_carried_sides *carried, af_scene *scene, gboolean binary,
                                 GPtrArray *messages, GError **error);
