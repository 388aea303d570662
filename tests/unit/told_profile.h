/* A profile as text, for tests of what is done to trees.
 *
 * Told: a line for each node, two blanks for each level, "SELF LABEL" or "SELFxCALLS LABEL"; wall
 * time in ns, CPU time is half of it. Of several calls all but the last take 1 ns.
 * Shown: "SELF/INCLUSIVE LABEL", for several calls "SELF/INCLUSIVE xCALLS MIN-MAX LABEL", and "?"
 * in the place of MIN-MAX where single calls are not known. */
#ifndef TESTS_TOLD_PROFILE_H
#define TESTS_TOLD_PROFILE_H

#include "made_profile.h"

/* An empty profile with both clocks. Free it with told_profile_free(). */
af_profile *told_profile_new(void);
void told_profile_free(af_profile *profile);

/* Adds a thread; ids ascend. The strings are copied. */
void told_thread_add(af_profile *profile, uint64_t id, const char *name, const char *text);

/* After the last thread: methods, categories, titles. */
void told_profile_finish(af_profile *profile);

/* The tree of a thread as it is shown. Free with g_free(). */
char *told_thread(const af_profile *profile, uint32_t thread);

#endif
