/* The sheet for a ticket: one page that prints what hovering would show.
 *
 * From top to bottom: the first finding as a headline, facts, the findings with their shares, the
 * threads along time, the graph of one thread, two short tables, and how it was made. The rules have
 * found what it says; it only draws. */
#pragma once

#include "finding/finding.h"
#include "render/chart/chart_calls.h"

typedef struct {
    const af_explanation *explanation; /* of the profile */
    const char *command;               /* that makes the sheet; NULL = unknown */
    int32_t height_c;                  /* the most: the graph gives up rows to keep to it */
    const af_chart *chart;             /* by af_ticket_read_along(); NULL = none */
} af_ticket_options;

/* Reads the calls that the sheet will probably draw, from `walk`. *chart is NULL if the profile has
 * no single calls. FALSE with AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_ticket_read_along(const af_profile *profile, const af_sheet_options *options,
                              const af_chart_walk *walk, af_chart **chart, GError **error);

/* Reads the calls again if they can be read. `options` has the title, the input, the clock, the
 * size and the threads by default. NULL with AF_ERROR_MEMORY or _CANCELLED. */
af_scene *af_ticket_new(const af_profile *profile, const af_sheet_options *options,
                        const af_ticket_options *ticket, GError **error);

/* Appends the methods with the most self time that do not idle, as a table in Markdown. */
void af_ticket_table_append(GString *to, const af_profile *profile, uint32_t thread,
                            af_clock clock);
