/* WOFF 1.0: a font whose tables are compressed, a third smaller. Private to render/svg. */
#pragma once

#include <glib.h>

/* The font file (sfnt) as WOFF. NULL if memory is refused or the tables do not lie in the file. */
GByteArray *af_woff_new(const guint8 *font, size_t length);
