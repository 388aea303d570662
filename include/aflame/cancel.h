/* Cancelling: how a program stops a long reading.
 *
 * Put an af_cancel into the options of a function, then cancel it from another thread, from the
 * progress callback or from a signal handler. The function returns soon, even if it is waiting for
 * a pipe, with the error AF_ERROR_CANCELLED.
 *
 *     af_cancel *cancel = af_cancel_new();
 *     af_open_options options = AF_OPEN_OPTIONS_INIT;
 *     options.cancel = cancel;
 *     af_profile *opened = af_profile_open("app.trace", &options, &error);
 *     af_profile_free(opened);
 *     af_cancel_free(cancel);
 */
#ifndef AFLAME_CANCEL_H
#define AFLAME_CANCEL_H

#include <aflame/visibility.h>

AF_BEGIN_DECLS

typedef struct af_cancel af_cancel;

AF_API af_cancel *af_cancel_new(void);

/* Drops the caller's reference; `cancel` may be NULL. A profile that was opened with it keeps its
 * own reference for further readings. */
AF_API void af_cancel_free(af_cancel *cancel);

/* Cancels everything that uses `cancel`, now and later; this cannot be undone. May be called from
 * any thread and from a signal handler. */
AF_API void af_cancel_request(af_cancel *cancel);

/* false for NULL. */
AF_API bool af_cancel_is_requested(const af_cancel *cancel);

AF_END_DECLS

#endif
