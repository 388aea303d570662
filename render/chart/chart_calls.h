/* Reads the calls or samples of a profile into a chart. */
#pragma once

#include "render/page/sheet.h"

/* A chart and the arrays that it borrows while it is drawn. */
typedef struct {
    af_chart *chart;
    guint8 *wanted, *highlighted;
    char *words; /* the patterns of highlighted calls; NULL = none */
} af_chart_calls;

/* Checks whether the profile has a chart with the clock `wanted`, and sets the clock of its axis.
 * If it has none, fails with AF_ERROR_USAGE. */
gboolean af_chart_calls_check(const af_profile *profile, af_clock wanted, af_clock *clock,
                              GError **error);

/* Whether af_chart_calls_begin_packed() may add a chart, if the profile is opened with its input. */
gboolean af_chart_calls_are_packed(const af_profile *profile);

/* As af_chart_calls_begin() for a graph whose script draws the chart too: sets `packed_chart` and leaves the clock
 * to the profile. Has no effect if the profile has no chart, or too few or too many calls for one
 * next to the graph. */
gboolean af_chart_calls_begin_packed(af_chart_calls *calls, const af_profile *profile,
                                     af_sheet_options *options, GError **error);

/* Reports single calls to the observer while it reads them for itself. */
typedef struct {
    gboolean (*read)(void *user, const af_profile *profile, const af_observer *observer,
                     GError **error);
    void *user;
} af_chart_walk;

/* Reads the calls for a sheet, by `walk` unless it is NULL, and sets `chart` and `highlighted` of its
 * options. Errors as in af_picture_write(). */
gboolean af_chart_calls_begin(af_chart_calls *calls, const af_profile *profile,
                              const char *const *patterns, af_sheet_options *options,
                              const af_chart_walk *walk, GError **error);

/* The same without highlights. If the calls cannot be read, there is only no chart. FALSE with
 * AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_chart_calls_try(af_chart_calls *calls, const af_profile *profile,
                            af_sheet_options *options, const af_chart_walk *walk, GError **error);
void af_chart_calls_end(af_chart_calls *calls);
