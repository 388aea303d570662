/* Messages on standard error, and exit codes.
 *
 * Every message is one line, "aflame: NAME: what is wrong (where), what happens now". Names from
 * files and paths are escaped, so that they cannot control the terminal. */
#pragma once

#include <glib.h>
#include <aflame/aflame.h>

/* With several inputs the highest code counts. */
typedef enum {
    AF_EXIT_DONE = 0,
    AF_EXIT_NEGATIVE = 1, /* a negative answer: nothing matches, or nothing is left */
    AF_EXIT_USAGE = 2,
    AF_EXIT_INPUT = 3,   /* missing or not recognised */
    AF_EXIT_DAMAGED = 4, /* beyond drawing, or any warning under --strict; also: out of memory */
    AF_EXIT_OUTPUT = 5,
} af_exit;

typedef struct {
    af_exit code;
    const char *text; /* one line */
} af_exit_text;

/* The meanings of the codes; NULL past the end. */
const af_exit_text *af_exit_text_at(unsigned number);

/* `name` is the input or output that the message is about; NULL = none. */
void af_message_print(const char *name, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Prints the error, frees it and returns its exit code. */
af_exit af_message_fail(const char *name, GError *error);

/* One line for each kind of warning of the profile; includes information only if `messages`. */
void af_message_warnings(const char *name, const af_profile *profile, gboolean messages);

/* One line for each of `messages`, which may be NULL. */
void af_message_print_all(const char *name, char *const *messages);

/* The number of kinds of warnings, without information. */
unsigned af_message_count_warnings(const af_profile *profile);

/* The text with control characters escaped. Free with g_free(). */
char *af_message_escape(const char *text);
