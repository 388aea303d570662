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
#ifndef AF_REPORT_FORMATS_TREE_LINES_H
#define AF_REPORT_FORMATS_TREE_LINES_H

#include "report/table.h"

typedef struct {
    const af_table *table;
    uint32_t *parent;   /* by row; UINT32_MAX = none */
    uint32_t *children; /* by row, how many; behind them that of the roots */
    uint8_t *last;      /* by row, whether no sibling follows */
    uint32_t *level;    /* by row, how many lines stand before it */
    uint8_t *open;      /* by level: a sibling follows further down */
} af_tree_lines;

/* For a table whose rows are nested. FALSE if memory is refused; it is to be ended all the same. */
gboolean af_tree_lines_begin(af_tree_lines *guides, const af_table *table);
void af_tree_lines_end(af_tree_lines *guides);

/* Appends what stands before the name of a row, at most about `most` columns. The rows must be
 * asked for one after another. */
void af_tree_lines_append(af_tree_lines *guides, uint32_t row, unsigned most, GString *to);

#endif
