/* Reads the calls or samples of a profile into a chart. */
#pragma once

#include "render/page/sheet.h"

/* Checks whether the profile has a chart with the clock `wanted`, and sets the clock of its axis.
 * If it has none, fails with AF_ERROR_USAGE. */
gboolean af_chart_calls_check(const af_profile *profile, af_clock wanted, af_clock *clock,
                              GError **error);

/* Whether af_chart_calls_try_packed() may add a chart, if the profile is opened with its input. */
gboolean af_chart_calls_are_packed(const af_profile *profile);

/* As af_chart_calls_try() for a graph whose script draws the chart too, with the clock that the
 * profile has. No chart either if there are too few or too many calls for one next to the graph. */
gboolean af_chart_calls_try_packed(const af_profile *profile, const af_sheet_options *options,
                                   af_chart **chart, GError **error);

/* Reports single calls to the observer while it reads them for itself. */
typedef struct {
    gboolean (*read)(void *user, const af_profile *profile, const af_observer *observer,
                     GError **error);
    void *user;
} af_chart_walk;

/* Reads the calls for a sheet, by `walk` unless it is NULL. Errors as in af_picture_write(). */
af_chart *af_chart_calls_read(const af_profile *profile, const char *const *patterns,
                              const af_sheet_options *options, const af_chart_walk *walk,
                              GError **error);

/* The same without highlights. *chart is NULL if the calls cannot be read. FALSE with
 * AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_chart_calls_try(const af_profile *profile, const af_sheet_options *options,
                            const af_chart_walk *walk, af_chart **chart, GError **error);
