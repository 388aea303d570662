/* A table for a terminal: as many columns as the page has room for, the name last. */
#ifndef AF_REPORT_FORMATS_TABLE_TEXT_H
#define AF_REPORT_FORMATS_TABLE_TEXT_H

#include "base/out.h"
#include "report/table.h"

/* Headings and rows, each line at most `width` columns wide. Columns that are `quiet` and say
 * nothing are left out, then those of the highest ranks until the rest has room. */
void af_table_put_text(af_out *out, const af_table *table, unsigned width);

#endif
