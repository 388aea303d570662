/* Errors: how the library reports that something failed.
 *
 * Every function that can fail takes a GError ** as its last argument, which may be NULL. On
 * failure it returns NULL or false and stores an error there, which is yours. The pointer must be
 * NULL before the call. The message is one lower-case line without the name of the input: you know
 * the name and put it in front. The code tells you how to react.
 *
 * GError is the type of GLib, so programs with GLib can use its functions; the domain is AF_ERROR.
 * Others need no header of GLib: the functions below do the same.
 *
 *     af_profile *opened = af_profile_open("app.trace", NULL, &error);
 *     if (af_error_reason(error) == AF_ERROR_UNRECOGNISED) {
 *         fprintf(stderr, "app.trace: %s\n", af_error_message(error));
 *     }
 *     af_error_clear(&error);
 *     af_profile_free(opened);
 */
#ifndef AFLAME_ERROR_H
#define AFLAME_ERROR_H

#include <aflame/visibility.h>

AF_BEGIN_DECLS

typedef struct _GError GError; /* as in glib.h */

#define AF_ERROR (af_error_quark())

/* What failed. The command derives its exit code from this alone. */
typedef enum {
    AF_ERROR_USAGE = 1,    /* an invalid request: unknown thread, a clock that the input lacks */
    AF_ERROR_MISSING,      /* the input cannot be opened or read */
    AF_ERROR_UNRECOGNISED, /* not a method trace, or a format that is not supported */
    AF_ERROR_DAMAGED,      /* a method trace that is damaged beyond drawing */
    AF_ERROR_OUTPUT,       /* the output cannot be written */
    AF_ERROR_MEMORY,       /* the system refused memory or a thread */
    AF_ERROR_CANCELLED,    /* the caller cancelled the operation */
    AF_ERROR_NOTHING,      /* the request is valid, but nothing matches or nothing is left */
} af_error_code;

/* The domain of these errors, a GQuark. */
AF_API uint32_t af_error_quark(void);

/* The message, which the error owns. "" for NULL. */
AF_API const char *af_error_message(const GError *error);

/* The code; 0 for NULL and for errors of other domains, which your own functions may set. */
AF_API af_error_code af_error_reason(const GError *error);

/* Frees the error and sets the pointer to NULL. Both `error` and *error may be NULL. */
AF_API void af_error_clear(GError **error);

/* Stores a new error, for functions of yours that the library calls. Copies `message`. `error` may
 * be NULL. */
AF_API void af_error_set(GError **error, af_error_code code, const char *message);

AF_END_DECLS

#endif
