/* The bytes of one input, unpacked, as a window that moves forward over them.
 *
 * The window is `bytes` and `length`; it begins `place` bytes behind the begin of the unpacked
 * input, and if `more` is not set nothing lies behind it. A regular file that is not packed is
 * mapped and all of it is in the window from the beginning: reaching further costs nothing there.
 * Whatever else there is (pipes, gzip) is read and unpacked as the window asks for it, and what
 * the window has passed is gone. gzip is undone as often as it was done, members one behind the
 * other; what cannot be unpacked any more is left out and `cut` is set, at the latest when `more`
 * is not.
 *
 * Pointers into the window are good until it is next reached, skipped or rewound; in front of
 * what af_source_keep() named they stay good as long as the source. */
#ifndef AF_READ_SOURCE_H
#define AF_READ_SOURCE_H

#include <stdint.h>
#include <gio/gio.h>
#include <aflame/error.h>

typedef struct af_source_inside af_source_inside;

typedef struct af_source {
    const uint8_t *bytes; /* never NULL */
    size_t length;
    uint64_t place;
    gboolean more;
    gboolean cut;             /* the gzip data was cut or damaged */
    gboolean reports;         /* it tells how far it is; else who reads the window has to */
    char *path;               /* NULL for a pipe */
    struct af_source *next;   /* what is to be read behind it, which it owns; NULL = nothing */
    af_source_inside *inside; /* NULL = the window is all there is and somebody else's */
} af_source;

/* What the opener asks of a source; all zero for an input that is read once. */
typedef struct {
    /* af_source_rewind() will be wanted: what cannot be read from its file a second time is kept
     * aside while it is read, in memory if it is short, else in a temporary file */
    gboolean again;
    unsigned jobs;        /* 1 = no other thread unpacks ahead */
    size_t window;        /* for tests: AF_SOURCE_LEAST or more; 0 = the usual size */
    GCancellable *cancel; /* looked at while reading and unpacking; may be NULL */
    /* how many bytes of the file, still packed, were read of how many; 0 = not known; may be NULL
     */
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
} af_source_needs;

/* How much of an input is in the first window at least, if it has so much: enough to tell what it
 * is. */
#define AF_SOURCE_LEAST ((size_t)64)

/* `needs` may be NULL. AF_ERROR_MISSING if it cannot be read, AF_ERROR_DAMAGED for gzip of which
 * nothing unpacks, AF_ERROR_CANCELLED, AF_ERROR_MEMORY. The descriptor is not closed; it must stay
 * open until `more` is not set. */
af_source *af_source_open(const char *path, const af_source_needs *needs, GError **error);
af_source *af_source_open_fd(int fd, const af_source_needs *needs, GError **error);

/* Reads memory; holds a reference to it. */
af_source *af_source_open_bytes(GBytes *bytes, const af_source_needs *needs, GError **error);

void af_source_free(af_source *source);

/* How long a window is good to read on in; 0 if there is no more input. */
size_t af_source_default_window(const af_source *source);

/* Makes the window at least `length` bytes long, or as long as there is input. */
gboolean af_source_reach(af_source *source, size_t length, GError **error);

/* The window holds everything from where it begins. Does not fit every memory: for formats that
 * must be seen as a whole. */
gboolean af_source_reach_end(af_source *source, GError **error);

/* Moves the begin of the window `n` bytes forward, at most to its end. */
void af_source_skip(af_source *source, size_t n);

/* The same, but the `n` bytes stay where they are until the source is freed. */
gboolean af_source_keep(af_source *source, size_t n, GError **error);

/* A part of the window is not needed any more, by and large: what a file is mapped to goes back to
 * the system, and comes from the file again if it is looked at. May run in another thread than
 * the reading of it. */
void af_source_forget(const af_source *source, const uint8_t *bytes, size_t length);

/* Reads what is left and forgets it. */
gboolean af_source_drain(af_source *source, GError **error);

/* The window is again what it was when the source was opened. Only if `again` was asked for, and
 * any number of times, and so for those behind it. `needs` (may be NULL) take the place of those of
 * before, but for `again`. */
gboolean af_source_rewind(af_source *source, const af_source_needs *needs, GError **error);

/* A file that belongs to this one: its path with `suffix` in the place of its extension or, if
 * `append`, behind it; opened as this one was. `beside` receives NULL if there is none that can be
 * read; FALSE only with AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_source_open_beside(const af_source *source, const char *suffix, gboolean append,
                               af_source **beside, GError **error);

#endif
