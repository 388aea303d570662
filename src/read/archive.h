/* A zip archive as an input: its entries, and the bytes of those that were chosen.
 *
 * Entries are decompressed while they are read, never to disk. Encrypted ones, folders and empty
 * files count as absent. */
#pragma once

#include <stdint.h>

#include "read/inputfile.h"

typedef struct af_archive af_archive;

typedef struct {
    char *path;
    uint64_t size;  /* decompressed, as the archive declares it */
    uint64_t date;  /* ascending; of the last write, in the local time of the writer */
    uint64_t at[2]; /* its position */
} af_archive_entry;

/* More entries are ignored. */
#define AF_ARCHIVE_MOST 65536u

static inline gboolean af_is_zip(const uint8_t *bytes, size_t length)
{
    return length >= 4 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4;
}

/* Reads from a file, which is borrowed, or from bytes, to which it holds a reference. NULL with
 * AF_ERROR_DAMAGED. */
af_archive *af_archive_open_file(const af_inputfile *file, GError **error);
af_archive *af_archive_open_bytes(GBytes *bytes, GError **error);
void af_archive_free(af_archive *archive);

unsigned af_archive_n(const af_archive *archive);
const af_archive_entry *af_archive_entry_at(const af_archive *archive, unsigned number);

/* Chooses the entries to read, one after the other, and starts over. Copies `entries`. */
void af_archive_choose(af_archive *archive, const unsigned *entries, unsigned n);

/* Reads the chosen entries from their begin again. */
void af_archive_restart(af_archive *archive);

/* The sum of their sizes. */
uint64_t af_archive_chosen_size(const af_archive *archive);

/* Reads the next bytes of the chosen entries. Returns 0 at the end, -1 with AF_ERROR_DAMAGED,
 * _MISSING. */
gssize af_archive_take(af_archive *archive, uint8_t *to, size_t capacity, GError **error);

/* Whether an entry ended early, or has another checksum. */
gboolean af_archive_is_truncated(const af_archive *archive);

/* Chooses the entry to draw: `path`, or by content. Prefers Perfetto traces, then other traces,
 * then ANR reports, and the latest of several. Symbols next to a Perfetto trace are read after it.
 * `list` receives a line for each trace inside, the chosen one first. With `any`, `path` may be an
 * entry that no reader recognises. FALSE with AF_ERROR_USAGE if no entry has the path,
 * AF_ERROR_UNRECOGNISED if aflame reads none. */
gboolean af_archive_find(af_archive *archive, const char *path, gboolean any, GPtrArray *list,
                         GError **error);
