/* The manual pages as printed on a terminal: formatted when aflame is built, so that `aflame help
 * VERB` needs no other program. */
#pragma once

typedef struct {
    const char *name; /* "aflame-render"; NULL ends the list */
    const char *utf8, *ascii;
} af_manual_page;

/* Written by CMake. */
extern const af_manual_page af_manual_pages[];
