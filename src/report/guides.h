/* Lines that show how the rows of a tree hang together, drawn with letters.
 *
 * A row that is the only child of the one above it stands right below it, in the same place: a path
 * without branches needs no room however long it is. Only where a row has several children they
 * move to the right, each behind a tick. What is below a root moves, too, so that several roots can
 * be told from what is below them:
 *
 *     main
 *       loop
 *       ├─dispatch
 *       │ run
 *       └─next
 *     worker
 *
 * Where branches lie too deep for the page, the outer lines give way to their number. */
#ifndef AF_REPORT_GUIDES_H
#define AF_REPORT_GUIDES_H

#include "report/table.h"

typedef struct {
    const af_table *table;
    uint32_t *parent;   /* by row; UINT32_MAX = none */
    uint32_t *children; /* by row, how many; behind them that of the roots */
    uint8_t *last;      /* by row, whether no sibling follows */
    uint32_t *level;    /* by row, how many lines stand before it */
    uint8_t *open;      /* by level: a sibling follows further down */
} af_guides;

/* For a table whose rows are nested. FALSE if memory is refused; it is to be ended all the same. */
gboolean af_guides_begin(af_guides *guides, const af_table *table);
void af_guides_end(af_guides *guides);

/* Appends what stands before the name of a row, at most about `most` columns. The rows must be
 * asked for one after another. */
void af_guides_append(af_guides *guides, uint32_t row, unsigned most, GString *to);

#endif
