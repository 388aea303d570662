/* The canvases that draw with cairo. In the command they are in a module, which is loaded when one
 * of them is used: loading its twenty libraries takes longer than reading a small trace. */
#ifndef AF_CANVASES_CANVASES_H
#define AF_CANVASES_CANVASES_H

#include <glib.h>

/* Loads HarfBuzz now, which an SVG needs too, for a process that cannot open files later. */
void af_canvases_load_fonts(void);

/* The same with the module. FALSE with an error if that fails; using its canvases fails then, too. */
gboolean af_canvases_load(GError **error);

#endif
