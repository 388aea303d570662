/* The internal interface of af_cancel. */
#pragma once

#include <glib.h>
#include <aflame/cancel.h>

/* Returns another reference to the object; free both. NULL for NULL. */
af_cancel *af_cancel_keep(af_cancel *cancel);

/* Returns a new object that is also cancelled when `outer` is; `outer` may be NULL. */
af_cancel *af_cancel_new_within(af_cancel *outer);

/* Waits until `fd` is readable or at its end, or until `cancel`, which may be NULL, is
 * cancelled. */
void af_cancel_wait(af_cancel *cancel, int fd);

/* If cancelled, sets AF_ERROR_CANCELLED and returns TRUE. */
gboolean af_cancel_check(const af_cancel *cancel, GError **error);
