/* Cases in words: each is a paragraph of a text file in ../data. */
#pragma once

/* Calls the function with the lines of each paragraph, without the comments (#) above them. */
void cases_check(const char *file, void (*check)(char **lines));

/* Compares what the function makes of the inputs in a section of functions.txt. It returns a string
 * for g_free(). */
void cases_map(const char *section, char *(*show)(const char *input));
