/* The calls of a profile as a chart wants them. */
#ifndef AF_API_CHART_CALLS_H
#define AF_API_CHART_CALLS_H

#include <aflame/picture.h>
#include "render/page/sheet.h"

/* What belongs to a chart while it is drawn. */
typedef struct {
    af_chart *chart;
    guint8 *wanted, *highlighted;
    char *words; /* the patterns of what is highlighted; NULL = none */
} af_chart_calls;

/* Whether the profile and the options make a chart, and the clock of its axis. AF_ERROR_USAGE if
 * not. */
gboolean af_chart_calls_check(const af_profile *profile, const af_picture_options *options,
                              af_clock *clock, GError **error);

/* Reads the calls for a sheet of `options`, which then draws them: `chart` and `marked` of it are
 * set. Errors as af_picture_write(). */
gboolean af_chart_calls_begin(af_chart_calls *charted, const af_profile *profile,
                              const char *const *marks, af_sheet_options *options, GError **error);
void af_chart_calls_end(af_chart_calls *charted);

#endif
