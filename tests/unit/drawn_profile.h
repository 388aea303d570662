/* Profiles made by hand that can be drawn: with methods, classes and categories. */
#ifndef TESTS_DRAWN_PROFILE_H
#define TESTS_DRAWN_PROFILE_H

#include "made_profile.h"

/* Makes methods from the labels ("pkg.Class.method", the class up to the last full stop; "0x..."
 * has neither) and gives them categories. Call it when all threads are there. */
void drawn_profile_finish(af_profile *profile);

/* The start of an app, with both clocks: main, a worker, three threads hardly busy. */
af_profile *drawn_app_start(void);

/* Compares `text` with the golden file `name`; AFLAME_BLESS=1 writes it instead. */
void drawn_compare_golden(const char *name, const char *text);

#endif
