/* Draws lines that show how the rows of a tree are nested.
 *
 * An only child is right below its parent, with the same indentation: a path without branches needs
 * no width however long it is. Several children are indented, each after a tick. So are all rows
 * below a root, which separates several roots:
 *
 *     main
 *       loop
 *       ├─dispatch
 *       │ run
 *       └─next
 *     worker
 *
 * If branches are too deep for the page, their number replaces the outer lines. */
#pragma once

#include "report/table.h"

typedef struct {
    const af_table *table;
    uint32_t *parent;   /* by row; UINT32_MAX = none */
    uint32_t *children; /* number of children by row; the last entry is that of the roots */
    uint8_t *last;      /* by row, whether no sibling follows */
    uint32_t *level;    /* by row: number of tree lines before the name */
    uint8_t *open;      /* by level: a sibling follows further down */
} af_tree_lines;

/* For a table whose rows are nested. FALSE if out of memory; call the end function in any case. */
gboolean af_tree_lines_begin(af_tree_lines *tree_lines, const af_table *table);
void af_tree_lines_end(af_tree_lines *tree_lines);

/* Appends the tree lines of a row, at most about `most` columns. Rows must come in order. */
void af_tree_lines_append(af_tree_lines *tree_lines, uint32_t row, unsigned most, GString *to);
