/* Cases in words: each is a paragraph of a text file in ../data. */
#pragma once

/* Calls the function with the lines of each paragraph, without the comments (#) above them. */
void cases_check(const char *file, void (*check)(char **lines));
