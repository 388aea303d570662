/* Drawable profiles built by hand: with methods, classes and categories. */
#pragma once

#include "made_profile.h"
#include "render/chart/chart.h"
#include "render/scene.h"

/* Creates methods from the labels ("pkg.Class.method", the class up to the last full stop; "0x..."
 * has neither) and assigns categories. Call it after the last thread. */
void drawn_profile_finish(af_profile *profile);

/* The calls of a profile built by hand, as if each node of its trees were one call that calls first
 * and works afterwards, and each thread started 10 ms after the previous one. `highlighted` is
 * indexed by label and may be NULL. Free it with af_chart_free(). */
af_chart *drawn_chart(const af_profile *profile, const guint8 *highlighted, uint64_t coarsest_ns,
                      uint64_t capacity);

/* The start of an app, with both clocks: main, a worker, three nearly idle threads. */
af_profile *drawn_app_start(void);

/* The scene as text, one line for each command: for golden files and for reading. */
char *drawn_print(const af_scene *scene);

/* Compares `text` with the golden file `name`; AFLAME_BLESS=1 writes it instead. */
void drawn_compare_golden(const char *name, const char *text);
