/* Options from callers who may know fewer of their fields, or more. */
#pragma once

#include <glib.h>

/* Overwrites the defaults in `known`, of `length` bytes, with the caller's `options`, which start
 * with their size; NULL = keep the defaults. Returns FALSE with AF_ERROR_USAGE if that size holds
 * no field: the caller did not initialise the structure, and aflame would ignore all of it. */
gboolean af_options_take(void *known, size_t length, const void *options, GError **error);
