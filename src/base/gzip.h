/* Bytes that are packed in gzip on their way out. The header names neither file nor time, so the
 * same bytes are packed alike on every day. */
#ifndef AF_BASE_GZIP_H
#define AF_BASE_GZIP_H

#include <aflame/output.h>

typedef struct af_gzip af_gzip;

/* Packed bytes go to `write`. NULL if the machine refuses memory. */
af_gzip *af_gzip_new(af_write_func write, void *user);
void af_gzip_free(af_gzip *gzip);

/* An af_write_func whose user is an af_gzip. */
gboolean af_gzip_write(void *gzip, const void *bytes, size_t length, GError **error);

/* Sends the rest; once, at the end. */
gboolean af_gzip_finish(af_gzip *gzip, GError **error);

#endif
