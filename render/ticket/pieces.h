/* Pieces that the sheets for tickets share: that of a trace and that of a comparison. */
#pragma once

#include "render/chart/chart_calls.h"
#include "render/page/sheet_parts.h"

enum {
    AF_TICKET_ROWS_MOST = 16, /* of the graph */
    AF_TICKET_ROWS_LEAST = 4,
};

#define AF_TICKET_BODY_C     1200 /* face of the text */
#define AF_TICKET_LINE_C     1600 /* from baseline to baseline */
#define AF_TICKET_ROW_C      2000 /* of bars and tables */
#define AF_TICKET_HEADLINE_C 2000
#define AF_TICKET_NAME_C     13000 /* of a thread, left of its bar */
#define AF_TICKET_NUMBER_C   6400  /* right of it */
#define AF_TICKET_BAR_TOP_C  400
#define AF_TICKET_BAR_C      1200

/* The first sentence, in large letters, at most three lines of them. */
void af_ticket_write_headline(af_sheet *sheet, const char *text);

/* A line of facts, or several, from the baseline `y_c`. */
void af_ticket_write_pieces(af_sheet *sheet, af_paint paint, unsigned lines,
                            const GPtrArray *pieces);

/* Number `number` of a list with its bar and text, which begins a row below `y_c`. */
void af_ticket_write_item(af_sheet *sheet, unsigned number, double share, af_paint paint,
                          const char *text);

/* Reads the calls of the threads of `options` again; `walk` may be NULL. *chart is NULL if the
 * profile has no single calls. FALSE with AF_ERROR_MEMORY or _CANCELLED. */
gboolean af_ticket_read_calls(const af_profile *profile, const af_sheet_options *options,
                              const af_chart_walk *walk, af_chart **chart, GError **error);

/* ---- threads along time ---- */

typedef struct {
    af_sheet *sheet;
    const af_chart *chart;        /* NULL = sums take the place of calls */
    int32_t x;                    /* of the bars */
    af_chart_layout_options axis; /* only its ends and its width are used */
} af_tones;

/* With the bars between names and numbers. */
af_tones af_tones_new(af_sheet *sheet, const af_chart *chart);
void af_tones_draw_caption(const af_tones *tones, const char *title);
void af_tones_draw_axis(const af_tones *tones);
/* A thread in tones; it has calls in the chart. */
void af_tones_draw_calls(const af_tones *tones, uint32_t thread);
/* Bars of these sums, one after the other. */
void af_tones_draw_sums(const af_tones *tones, const uint64_t sums[AF_TONES]);
