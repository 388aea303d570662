/* The bytes of one input, unpacked. Regular files are mapped, pipes are read to their end. gzip is
 * undone as often as it was done, members one behind the other; what cannot be unpacked any more
 * is left out and `cut` is set. */
#ifndef AF_READ_SOURCE_H
#define AF_READ_SOURCE_H

#include <stdint.h>
#include <glib.h>
#include <aflame/error.h>

typedef struct {
    const uint8_t *bytes;
    size_t length;
    char *path;       /* NULL for a pipe */
    gboolean cut;     /* the gzip data was cut or damaged */
    GMappedFile *map; /* what `bytes` lies in: the map, or `held` */
    uint8_t *held;
} af_source;

/* AF_ERROR_MISSING if it cannot be read, AF_ERROR_DAMAGED for gzip of which nothing unpacks. */
af_source *af_source_open(const char *path, GError **error);
af_source *af_source_open_fd(int fd, GError **error);
void af_source_free(af_source *source);

/* A file that belongs to this one: its path with `suffix` in the place of its extension (which
 * must be `instead_of`, any if NULL) or, if `append`, behind it. NULL if there is none. */
af_source *af_source_open_beside(const af_source *source, const char *instead_of,
                                 const char *suffix, gboolean append);

#endif
