/* A table for a page of HTML. */
#ifndef AF_REPORT_FORMATS_TABLE_HTML_H
#define AF_REPORT_FORMATS_TABLE_HTML_H

#include "report/formats/markup.h"

/* `digits` behind the point of milliseconds: 3 or 6. Names that have an anchor become links. A
 * table of callers and callees is one of many, so it keeps to the columns that a page of text would
 * show first. */
void af_table_put_html(af_out *out, const af_table *table, const af_anchors *anchors,
                       unsigned digits);

/* 3, or 6 where some time is no whole microsecond. */
unsigned af_table_digits(const af_table *table);

#endif
