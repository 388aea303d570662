/* The saved profile that a picture or a page carries. */
#pragma once

#include <aflame/picture.h>

#include "base/workers.h"
#include "render/canvas.h"

typedef struct {
    const af_profile *profile;
    const char *input;      /* file name of the trace without its folder; may be NULL */
    af_clock clock;         /* definite */
    size_t most_bytes;      /* 0 = no limit */
    const uint32_t *chosen; /* for each thread; AF_NO_NODE = it is left out. NULL = all stay */
    af_work work;
    GBytes *bytes; /* NULL if memory was refused */
    uint64_t left_out;
    uint32_t n_threads; /* that are saved */
} af_carried_profile;

/* What AF_DATA_AUTO allows, in bytes of the saved profile. An SVG and the page of a report hold
 * them in base64, next to other data: call trees and tables. */
enum { AF_CARRIED_MOST_TEXT = 225000, AF_CARRIED_MOST_PAGE = 110000, AF_CARRIED_MOST = 4000000 };

/* The limit of AF_DATA_AUTO in this canvas, 0 for AF_DATA_FULL. */
size_t af_carried_profile_limit(const af_canvas_class *canvas, const af_picture_options *options);

/* Begins to save the profile, on another thread unless `jobs` is 1. `carried` holds the first
 * five fields, the rest is zero. */
void af_carried_profile_begin(af_carried_profile *carried, unsigned jobs);

/* Waits for the bytes, which af_carried_profile_clear() releases. NULL with AF_ERROR_MEMORY. */
GBytes *af_carried_profile_take(af_carried_profile *carried, GError **error);
void af_carried_profile_clear(af_carried_profile *carried);

/* Returns a message about the profile that the file carries. Free with g_free(). */
char *af_carried_profile_describe(const af_carried_profile *carried);

/* "0.3 MB", "12 KB". Free with g_free(). */
char *af_carried_profile_say_size(size_t bytes);
