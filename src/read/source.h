/* The bytes of one input, decompressed, as a window that moves forward over them.
 *
 * The window is `bytes` and `length`. It starts `offset` bytes into the decompressed input; if
 * `more` is not set, it reaches the end. Input is read and decompressed as the window extends, and
 * bytes before the window are gone. A regular file is read in blocks, never mapped
 * (read/inputfile.h); an uncompressed one can also be read at any offset. gzip and zstd are undone
 * in any number of layers, with any number of consecutive members; data that cannot be decompressed
 * is dropped and `cut` is set, at the latest when `more` is cleared. If the file is a zip archive,
 * one of its entries is the input (read/archive.h).
 *
 * Pointers into the window are valid until the next reach, skip or rewind. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <aflame/cancel.h>
#include <aflame/error.h>

typedef struct af_source_inside af_source_inside;

typedef struct af_source {
    const uint8_t *bytes; /* never NULL */
    size_t length;
    uint64_t offset;
    gboolean more;
    gboolean cut;        /* the compressed data was truncated or damaged */
    gboolean reports;    /* the source reports progress; otherwise the reader of the window must */
    char *path;          /* NULL for a pipe */
    const char *carrier; /* the kind of picture that the window was taken from (read/unwrap.h), or
                            NULL. Static */
    GPtrArray *entries;  /* the traces in a zip archive, in words, the chosen one first; NULL = not
                            an archive */
    struct af_source *next;   /* the next input to read, owned; NULL = none */
    af_source_inside *inside; /* NULL = the window is the whole input and owned by somebody else */
} af_source;

/* Options for opening a source; all zero for an input that is read once. */
typedef struct {
    /* af_source_rewind() will be called: bytes that cannot be read from the file a second time are
     * saved while they are read, in memory if they are few, otherwise in a temporary file */
    gboolean again;
    unsigned jobs;       /* 1 = do not decompress ahead on another thread */
    uint64_t max_memory; /* limits the window of a file that is read as a whole; 0 = no limit */
    const char *entry;   /* the path of the entry to read, if it is a zip archive; NULL = choose */
    gboolean any_entry;  /* `entry` may be one that no reader recognises */
    gboolean is_part;    /* only the start of an input: do not treat it as an archive or a
                            picture */
    size_t window;       /* for tests: AF_SOURCE_LEAST or more; 0 = the default size */
    af_cancel *cancel;   /* checked while reading and decompressing; may be NULL */
    /* compressed bytes read so far and in total; 0 = unknown; may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
} af_source_needs;

/* The least size of the first window, unless the input is shorter: enough to detect the format. */
#define AF_SOURCE_LEAST ((size_t)64)

/* `needs` may be NULL. Returns NULL with AF_ERROR_MISSING if the file cannot be read,
 * AF_ERROR_DAMAGED for compressed data that yields no bytes, AF_ERROR_USAGE for an `entry` that
 * does not exist, AF_ERROR_UNRECOGNISED, AF_ERROR_CANCELLED or AF_ERROR_MEMORY. The descriptor is
 * not closed; it must stay open until `more` is cleared, or, with `again`, until this returns. */
af_source *af_source_open(const char *path, const af_source_needs *needs, GError **error);
af_source *af_source_open_fd(int fd, const af_source_needs *needs, GError **error);

/* Reads from memory; holds a reference to it. */
af_source *af_source_open_bytes(GBytes *bytes, const af_source_needs *needs, GError **error);

void af_source_free(af_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_source, af_source_free)

/* A good window size to continue reading with; 0 at the end of the input. */
size_t af_source_default_window(const af_source *source);

/* Makes the window at least `length` bytes long, or up to the end of the input. */
gboolean af_source_reach(af_source *source, size_t length, GError **error);

/* Extends the window to the end of the input. The result may not fit into memory: only for formats
 * that need the whole input at once. */
gboolean af_source_reach_end(af_source *source, GError **error);

/* Moves the start of the window `n` bytes forward, at most to its end. */
void af_source_skip(af_source *source, size_t n);

/* Frees the memory of the first `n` bytes of the window, from time to time and if it is the
 * source's own. No one may read these bytes again before a rewind; all other pointers stay valid. */
void af_source_release(af_source *source, size_t n);

/* The length of the decompressed input; 0 = not known yet. */
uint64_t af_source_total(const af_source *source);

/* Whether af_source_read_at() can be used: the input is an uncompressed file, and `more` is set. */
gboolean af_source_is_seekable(const af_source *source);

/* Reads `n` bytes at `offset`; the file must contain all of them. Leaves the window unchanged.
 * Several threads may call it at once. */
gboolean af_source_read_at(const af_source *source, uint64_t offset, uint8_t *to, size_t n,
                           GError **error);

/* Returns FALSE with AF_ERROR_DAMAGED if this file or one after it was written to since it was
 * opened. Reaching the end of a file checks it too. */
gboolean af_source_check(const af_source *source, GError **error);

/* Reads the rest of the input and drops it. */
gboolean af_source_drain(af_source *source, GError **error);

/* Whether af_source_rewind() is possible. A pipe may be too long to be kept. */
gboolean af_source_can_rewind(const af_source *source);

/* Restores the window to its state after opening, any number of times, for this source and its
 * successors. Requires `again`. `needs` (may be NULL) replaces the earlier options except
 * `again`. */
gboolean af_source_rewind(af_source *source, const af_source_needs *needs, GError **error);

/* Opens a file that belongs to this one, in the same way: its path with `suffix` instead of its
 * extension or, with `append`, after it. Sets `sibling` to NULL if no such file can be read;
 * returns FALSE only with AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_source_open_sibling(const af_source *source, const char *suffix, gboolean append,
                                af_source **sibling, GError **error);
