/* Names for the methods and threads of a generated trace, derived from their numbers alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The line of the method table, with its line break. Returns its length. */
int format_method(char *line, size_t size, uint32_t method);

/* Returns the length. */
int format_thread(char *name, size_t size, uint32_t thread);
