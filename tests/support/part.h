/* How much of a long test runs. Under sanitizers a normal run takes one in AFLAME_PART inputs or
 * random rounds; tests with the label `long`, and runs without sanitizers, take all of them. */
#ifndef AF_TEST_PART_H
#define AF_TEST_PART_H

#include <stdlib.h>

/* At least 1. */
static inline unsigned test_part(void)
{
    const char *text = getenv("AFLAME_PART");
    const long part = text != NULL ? strtol(text, NULL, 10) : 1;
    return part > 1 ? (unsigned)part : 1;
}

#endif
