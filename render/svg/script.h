/* What makes an SVG a tool: one script, the same in every file, and the block of call trees that it
 * reads. Without it the file is the whole sheet all the same. */
#ifndef AF_RENDER_SVG_SCRIPT_H
#define AF_RENDER_SVG_SCRIPT_H

#include <glib.h>

/* The text of the script as it stands in a file. Static memory. */
const char *af_svg_script_text(void);

/* "sha256-...": what a content policy calls it by. The caller frees it with g_free(). */
char *af_svg_script_hash(void);

#endif
