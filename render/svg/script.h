/* The script of interactive SVGs: the same in every file of a version. It reads the block of call
 * trees; without it the file still shows the whole sheet. */
#ifndef AF_RENDER_SVG_SCRIPT_H
#define AF_RENDER_SVG_SCRIPT_H

#include <glib.h>

/* The text of the script as it stands in a file. Static memory. */
const char *af_svg_script_text(void);

/* "sha256-...": what a content policy calls it by. The caller frees it with g_free(). */
char *af_svg_script_hash(void);

#endif
