/* Compresses output with gzip. The header contains neither a file name nor a time, so the same
 * bytes always compress to the same output. */
#pragma once

#include <glib.h>
#include <aflame/output.h>

typedef struct af_gzip af_gzip;

typedef enum { AF_GZIP_QUICK, AF_GZIP_SMALL } af_gzip_effort;

/* Compressed bytes go to `write`. NULL if memory is refused. */
af_gzip *af_gzip_new(af_write_func write, void *user, af_gzip_effort effort);
void af_gzip_free(af_gzip *gzip);

/* An af_write_func whose user is an af_gzip. */
bool af_gzip_write(void *gzip, const void *bytes, size_t length, GError **error);

/* Sends the rest. Call it once, at the end. */
gboolean af_gzip_finish(af_gzip *gzip, GError **error);
