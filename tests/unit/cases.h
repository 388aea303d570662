/* Cases in words: each is a paragraph of a text file in ../data. */
#pragma once

#include <glib.h>

/* Calls the function with the lines of each paragraph, without the comments (#) above them. It compares
 * with cases_expect(). */
void cases_check(const char *file, void (*check)(char **lines));

/* Whether what a case gives is expected. If not, prints both; the test goes on and fails at its end. */
gboolean cases_expect(const char *lines, const char *given, const char *expected);

/* Fails if a case of the test did. Called after each test. */
void cases_finish(void);

/* Compares what the function makes of the inputs in a section of functions.txt. It returns a string
 * for g_free(). */
void cases_map(const char *section, char *(*show)(const char *input));
