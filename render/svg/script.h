/* The script of interactive SVGs: the same in every file of a version. It reads the block of call
 * trees; without it the file still shows the whole sheet. */
#ifndef AF_RENDER_SVG_SCRIPT_H
#define AF_RENDER_SVG_SCRIPT_H

#include <glib.h>

/* The text of the script as embedded in a file. Static memory. */
const char *af_svg_script_text(void);

/* The hash that names it in a content policy: "sha256-...". Free with g_free(). */
char *af_svg_script_hash(void);

#endif
