/* Errors of the library.
 *
 * Every function that can fail takes a GError ** as its last argument and sets an error of the
 * domain AF_ERROR. The message is one line in lower case without the input's name: the caller
 * knows which input it was and puts the name in front. */
#ifndef AFLAME_ERROR_H
#define AFLAME_ERROR_H

#include <aflame/visibility.h>

G_BEGIN_DECLS

#define AF_ERROR (af_error_quark())

/* What went wrong, by what the caller can do about it. The command's exit code is derived from
 * this alone. */
typedef enum {
    AF_ERROR_USAGE = 1,    /* the request makes no sense: unknown thread, a clock the input lacks */
    AF_ERROR_MISSING,      /* the input cannot be opened or read */
    AF_ERROR_UNRECOGNISED, /* the input is no method trace, or of a layout that is refused by name
                            */
    AF_ERROR_DAMAGED,      /* a method trace, but nothing in it can be drawn any more */
    AF_ERROR_OUTPUT,       /* the output could not be written */
    AF_ERROR_MEMORY,       /* the machine refused memory */
    AF_ERROR_CANCELLED,    /* the caller asked to stop */
    AF_ERROR_NOTHING,      /* understood and done, and nothing matched or is left */
} af_error_code;

AF_API GQuark af_error_quark(void);

/* For "did you mean": the one of `words` (ends with NULL) that is nearest to `typed`, or NULL when
 * none is near. */
AF_API const char *af_word_nearest(const char *typed, const char *const *words);

G_END_DECLS

#endif
