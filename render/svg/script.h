/* The script of interactive SVGs. It reads the block of call trees; without it the file still shows
 * the whole sheet. A version has two: graphs have a script without the parts that charts and
 * comparisons need. */
#pragma once

#include <glib.h>

typedef enum { AF_SCRIPT_GRAPH, AF_SCRIPT_ALL, AF_SCRIPTS } af_script;

/* The text of a script as embedded in a file. Static memory. */
const char *af_svg_script_text(af_script script);

/* The hash that names it in a content policy: "sha256-...". Free with g_free(). */
char *af_svg_script_hash(af_script script);
