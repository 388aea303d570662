/* Pictures as inputs: the saved profile (base/aflp.h) that a PNG, PDF, SVG or HTML page carries.
 *
 * The search looks for magic bytes, so it finds the profile even if another program has rewritten
 * the picture. A picture that ends too early or has a wrong checksum is damaged, even if its
 * profile is complete: programs write all of a picture or none of it. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <aflame/error.h>

typedef enum {
    AF_CARRIER_NONE = 0, /* not a picture */
    AF_CARRIER_PNG,
    AF_CARRIER_PDF,
    AF_CARRIER_SVG,
    AF_CARRIER_HTML,
} af_carrier;

/* The type of a file by its first bytes. SVG and HTML can begin in many ways; 64 KB are enough to
 * recognise them. */
af_carrier af_carrier_detect(const uint8_t *bytes, size_t length);

/* "PNG picture"; NULL for AF_CARRIER_NONE. Static. */
const char *af_carrier_title(af_carrier carrier);

/* Returns the profile in the file. Returns NULL without an error if aflame did not write the file,
 * or with AF_ERROR_UNRECOGNISED if aflame did but the profile is missing, AF_ERROR_DAMAGED if the
 * picture is truncated or damaged, or AF_ERROR_MEMORY. Does not check the profile itself. */
GBytes *af_carrier_unwrap(af_carrier carrier, const uint8_t *bytes, size_t length, GError **error);

/* The part for PDF: finds the magic bytes at the start of a stream, plain or deflated. Sets *drawn
 * to TRUE if the document was written by aflame. Returns NULL without an error if the document
 * carries no profile, and NULL with AF_ERROR_MEMORY if memory is refused. */
GBytes *af_carrier_search_pdf(const uint8_t *bytes, size_t length, gboolean *drawn, GError **error);
