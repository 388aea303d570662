/* The canvases that draw with cairo. In the command they are in a module, which is loaded when one
 * of them is used: loading its twenty libraries takes longer than reading a small trace. */
#ifndef AF_CANVASES_CANVASES_H
#define AF_CANVASES_CANVASES_H

#include <glib.h>

/* Loads the module now, for a process that cannot open files later. FALSE with an error if that
 * fails; using its canvases fails then, too. */
gboolean af_canvases_load(GError **error);

#endif
