/* Redaction: a profile without the names of the app, for files that you share with others.
 *
 * Packages, classes, methods, source files, threads, processes and the name of the input become
 * pseudonyms, except those of Android, AndroidX, Kotlin and Java. The same key gives the same
 * pseudonyms, so redacted files can be compared. Without the key, nobody can check whether a
 * guessed name is correct.
 *
 *     static const char key[] = "32 random bytes, kept in a secret place";
 *     af_profile *opened = af_profile_open("app.trace", NULL, &error);
 *     if (opened != NULL &&
 *         !af_profile_redact(opened, "app.trace", key, sizeof key - 1, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 *     af_profile_free(opened);
 */
#ifndef AFLAME_REDACT_H
#define AFLAME_REDACT_H

#include <aflame/profile.h>

AF_BEGIN_DECLS

/* Replaces the names in `profile` and in those that it was derived from, and removes texts of the
 * input that may hold names. Call it after all steps and before any output, from one thread.
 * Options that name methods or threads then match pseudonyms; a title appears unchanged.
 * `input_name` is the name of the input, which becomes a pseudonym too (af_profile_saved_name()).
 * Fails with AF_ERROR_USAGE if the key is shorter than 16 bytes, or AF_ERROR_MEMORY; the profile
 * must not be used then. */
AF_API bool af_profile_redact(af_profile *profile, const char *input_name, const void *key,
                              size_t key_length, GError **error);

AF_END_DECLS

#endif
