/* Errors: how the library reports that something failed.
 *
 * Every function that can fail takes a GError ** as its last argument, returns NULL or FALSE, and
 * sets an error of the domain AF_ERROR. The message is one lower-case line without the name of the
 * input: the caller knows the name and puts it in front. The code tells the caller how to react.
 *
 *     af_profile *opened = af_profile_open("app.trace", NULL, &error);
 *     if (g_error_matches(error, AF_ERROR, AF_ERROR_UNRECOGNISED)) {
 *         fprintf(stderr, "app.trace: %s\n", error->message);
 *     }
 *     g_clear_error(&error);
 *     af_profile_free(opened);
 */
#ifndef AFLAME_ERROR_H
#define AFLAME_ERROR_H

#include <aflame/visibility.h>

G_BEGIN_DECLS

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

AF_API GQuark af_error_quark(void);

G_END_DECLS

#endif
