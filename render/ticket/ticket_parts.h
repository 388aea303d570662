/* The parts of a ticket's sheet; private to this folder. */
#pragma once

#include "render/ticket/pieces.h"
#include "render/ticket/ticket.h"

enum {
    AF_TICKET_FINDINGS = 3, /* with a badge */
    AF_TICKET_THREADS = 6,  /* rows of the timeline */
    AF_TICKET_TABLE_ROWS = 5,
};

typedef struct {
    af_sheet *sheet;
    const af_ticket_options *options;
    const af_explanation *explanation;
    unsigned n_findings; /* with a badge */
    uint32_t thread;     /* of the graph; AF_NO_NODE = there is nothing to draw */
    uint32_t threads[AF_TICKET_THREADS];
    uint32_t n_threads;
    const af_chart *chart; /* calls in order of time; NULL = unknown */
    uint32_t graph_rows, table_rows;
    gboolean is_folded; /* the graph lacks frames */
} af_ticket;

/* Each of these starts at `y_c` and moves it down. If memory is refused, the scene fails. */
void af_ticket_timeline_draw(af_ticket *ticket);
void af_ticket_graph_draw(af_ticket *ticket);
void af_ticket_tables_draw(af_ticket *ticket);
