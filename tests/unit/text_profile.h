/* A profile as text, for tests of operations on trees.
 *
 * Input: one line per node, two blanks per level, "SELF LABEL" or "SELFxCALLS LABEL"; wall time in
 * ns, CPU time is half of it. Of several calls all but the last take 1 ns.
 * Output: "SELF/INCLUSIVE LABEL", for several calls "SELF/INCLUSIVE xCALLS MIN-MAX LABEL", with "?"
 * instead of MIN-MAX if single calls are unknown. */
#pragma once

#include "made_profile.h"

/* An empty profile with both clocks. Free it with af_profile_free(). */
af_profile *text_profile_new(void);
void af_profile_free(af_profile *profile);

/* Adds a thread; ids must ascend. Copies the strings. */
void text_profile_add_thread(af_profile *profile, uint64_t id, const char *name, const char *text);

/* Call it after the last thread: adds methods, categories, titles. */
void text_profile_finish(af_profile *profile);

/* The tree of a thread as text. Free with g_free(). */
char *text_profile_thread(const af_profile *profile, uint32_t thread);

/* All threads as a line, callees in brackets: "a 6/9 (b 3/3, c 1/1) | d 4/4"; then "; open N", the
 * calls of the first thread that never ended, and warnings. Free with g_free(). */
char *text_profile_line(const af_profile *profile);

/* All stacks with a self weight, as "THREAD;FRAME;FRAME WEIGHT", separated by " | ". Free with
 * g_free(). */
char *text_profile_stacks(const af_profile *profile);

/* Warning ids as "KIND COUNT", separated by "; ". Free with g_free(). */
char *text_profile_warnings(const af_profile *profile);
