/* What the library itself needs of an af_cancel. */
#ifndef AF_BASE_CANCEL_H
#define AF_BASE_CANCEL_H

#include <aflame/cancel.h>

/* The same object once more; free both. NULL for NULL. */
af_cancel *af_cancel_keep(af_cancel *cancel);

/* A new one that also counts as requested as soon as `outer` is, which may be NULL. */
af_cancel *af_cancel_new_within(af_cancel *outer);

/* Waits until `fd` is readable or at its end, or until the request. `cancel` may be NULL. */
void af_cancel_wait(af_cancel *cancel, int fd);

/* Returns TRUE, with AF_ERROR_CANCELLED, if the end is requested. */
gboolean af_cancel_check(const af_cancel *cancel, GError **error);

#endif
