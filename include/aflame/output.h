/* Where written bytes go. */
#ifndef AFLAME_OUTPUT_H
#define AFLAME_OUTPUT_H

#include <aflame/error.h>

G_BEGIN_DECLS

/* Takes `length` bytes. Returns TRUE when it took all of them, else FALSE with an error set; it is
 * not called again after that. */
typedef gboolean (*af_write_func)(void *user, const void *bytes, size_t length, GError **error);

G_END_DECLS

#endif
