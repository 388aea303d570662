/* Pictures as inputs: the saved profile (base/aflp.h) that a PNG, PDF, SVG or HTML page carries.
 *
 * The search goes by magic bytes, so that it finds the profile after another program has written
 * the picture again. A picture that ends too early or has a wrong checksum is damaged, whatever of
 * the profile is left: programs write all of a picture or none. */
#ifndef AF_READ_UNWRAP_H
#define AF_READ_UNWRAP_H

#include <stdint.h>
#include <aflame/error.h>

typedef enum {
    AF_CARRIER_NONE = 0, /* not a picture */
    AF_CARRIER_PNG,
    AF_CARRIER_PDF,
    AF_CARRIER_SVG,
    AF_CARRIER_HTML,
} af_carrier;

/* What the first bytes of a file begin. SVG and HTML begin in many ways; 64 KB tell them. */
af_carrier af_carrier_detect(const uint8_t *bytes, size_t length);

/* "PNG picture"; NULL for AF_CARRIER_NONE. Static. */
const char *af_carrier_title(af_carrier carrier);

/* What the whole file holds: the profile; or NULL without an error, if aflame did not write it; or
 * NULL with AF_ERROR_UNRECOGNISED if aflame did and the profile is gone, AF_ERROR_DAMAGED if the
 * picture is truncated or damaged, AF_ERROR_MEMORY. Whether the profile itself is intact is for its
 * reader to say. */
GBytes *af_carrier_unwrap(af_carrier carrier, const uint8_t *bytes, size_t length, GError **error);

/* The part for PDF: finds the magic bytes at the begin of a stream, as they are or deflated. *drawn
 * tells whether aflame wrote the document. NULL, with AF_ERROR_MEMORY only if that is the reason.
 */
GBytes *af_carrier_search_pdf(const uint8_t *bytes, size_t length, gboolean *drawn, GError **error);

#endif
