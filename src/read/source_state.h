/* The internals of a source, shared by source.c, which opens and rewinds it, and
 * source_window.c. */
#pragma once

#include "base/spool.h"
#include "read/inputfile.h"
#include "read/source.h"
#include "read/unpack_ahead.h"

/* Bytes per read when nothing is decompressed ahead. */
#define AF_SOURCE_STEP ((size_t)64 * 1024)

/* Bytes of a file held in memory for readers that need all of it: the largest recording buffer that
 * Android Studio offers. A longer file is copied to a temporary file. */
#define AF_SOURCE_MOST_HELD ((size_t)256 * 1024 * 1024)

struct af_source_inside {
    af_source_needs needs;
    af_cancel *stop;     /* cancelled together with the caller's */
    gboolean is_file;    /* a regular file; otherwise a pipe or `memory` */
    af_inputfile file;   /* if `is_file` */
    gboolean plain;      /* an uncompressed file */
    GBytes *carried;     /* the profile from a picture; the window is then this profile */
    GBytes *memory;      /* the caller's bytes, instead of a file */
    af_archive *archive; /* the archive that the window is an entry of; NULL = none */
    char *entry;         /* a copy of needs.entry */
    int fd, own_fd;      /* -1 = none, or closed */
    af_spool *copy;      /* bytes that were read from the descriptor, kept for rewinding */
    gint copy_lost;      /* atomic: there were too many of these bytes */
    af_unpack *unpack;   /* NULL if the window is `memory` or `copy`, or reaches the end */
    af_unpack_ahead *ahead;
    uint8_t *chunk; /* a buffer of AF_SOURCE_STEP bytes */
    uint64_t taken; /* bytes taken from `unpack` */
    af_spool *window;
};

/* Sets the bytes that the reader sees; NULL = none. */
void af_source_show_bytes(af_source *source, const uint8_t *bytes);

void af_source_end_unpacking(struct af_source_inside *in);

/* Closes the descriptor if the source opened it. */
void af_source_close_own(struct af_source_inside *in);
