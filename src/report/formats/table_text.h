/* A table for a terminal: as many columns as fit on the page, the name last. */
#pragma once

#include "base/out.h"
#include "report/table.h"

/* Headings, wide ones in two lines, and rows, each line at most `width` columns wide. Leaves out
 * `quiet` columns that are empty, then the columns with the highest ranks until the rest fits, and
 * shortens names last.
 * A width of 0, for a file, is AF_COLUMNS_PAGE, but names are never shortened. */
void af_table_put_text(af_out *out, const af_table *table, unsigned width);
