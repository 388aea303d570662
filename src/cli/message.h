/* What the command says on standard error, and how it ends.
 *
 * Every message is one line, "aflame: NAME: what is wrong (where), what was done about it". Names
 * from the outside are escaped, so that neither a file nor a path can play with the terminal. */
#ifndef AF_CLI_MESSAGE_H
#define AF_CLI_MESSAGE_H

#include <aflame/aflame.h>

/* Of several inputs the worst decides: the highest number. */
typedef enum {
    AF_EXIT_DONE = 0,
    AF_EXIT_NEGATIVE = 1, /* a negative answer: nothing matches, nothing is left */
    AF_EXIT_USAGE = 2,
    AF_EXIT_INPUT = 3,   /* missing or not recognised */
    AF_EXIT_DAMAGED = 4, /* beyond drawing, or any warning under --strict; also: out of memory */
    AF_EXIT_OUTPUT = 5,
} af_exit;

typedef struct {
    af_exit code;
    const char *text; /* one line */
} af_exit_text;

/* What the codes mean; NULL past the end. */
const af_exit_text *af_exit_text_at(unsigned number);

/* `name` is the input or output that is meant; NULL = none. */
void af_message_print(const char *name, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Says the error and returns how the command ends. */
af_exit af_message_fail(const char *name, const GError *error);

/* One line for each kind of warning of the profile; notes only if `notes`. */
void af_message_warnings(const char *name, const af_profile *profile, gboolean notes);

/* One line for each of `notes` (char *), which may be NULL. */
void af_message_details(const char *name, const GPtrArray *notes);

/* How many kinds of warnings there are, without notes. */
unsigned af_message_count_warnings(const af_profile *profile);

/* "text" with everything escaped that a terminal would act on. Free with g_free(). */
char *af_message_escape(const char *text);

#endif
