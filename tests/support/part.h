/* How much of a long test runs. AFLAME_PART=N/K takes every Nth input, position or random round; K
 * differs between the tests, and between runs with and without sanitizers, so that they take
 * different ones. Without AFLAME_PART, as in tests with the label `long`, a test takes all. */
#pragma once

#include <stdlib.h>
#include <string.h>

/* N, at least 1. */
static inline unsigned test_part(void)
{
    const char *text = getenv("AFLAME_PART");
    const long part = text != NULL ? strtol(text, NULL, 10) : 1;
    return part > 1 ? (unsigned)part : 1;
}

/* The first number that this run takes, below test_part(). */
static inline unsigned test_part_first(void)
{
    const char *text = getenv("AFLAME_PART");
    const char *first = text != NULL ? strchr(text, '/') : NULL;
    return first != NULL ? (unsigned)strtoul(first + 1, NULL, 10) % test_part() : 0;
}

/* The same for the positions in an input: another one for each path, whatever its folder. */
static inline unsigned test_part_first_in(const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    unsigned hash = 5381;
    for (; *name != '\0'; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return (hash + test_part_first()) % test_part();
}

static inline int test_part_takes(unsigned number)
{
    return number % test_part() == test_part_first();
}

/* Whether this run takes the input. */
static inline int test_part_takes_input(const char *path)
{
    return test_part_first_in(path) == 0;
}
