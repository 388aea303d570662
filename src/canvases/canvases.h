/* The canvases that draw with cairo, as the command has them: in a module, which is loaded when one
 * of them is used. To load its twenty libraries takes longer than to read a small trace. */
#ifndef AF_CANVASES_CANVASES_H
#define AF_CANVASES_CANVASES_H

#include <glib.h>

/* Loads the module now, for a process that cannot open files later. FALSE, with an error, if that
 * fails; then using a canvas fails, too. */
gboolean af_canvases_load(GError **error);

#endif
