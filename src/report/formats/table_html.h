/* A table in an HTML page. */
#ifndef AF_REPORT_FORMATS_TABLE_HTML_H
#define AF_REPORT_FORMATS_TABLE_HTML_H

#include "report/formats/markup.h"

/* `digits`: decimals of milliseconds, 3 or 6. Names with an anchor become links. A
 * callers-and-callees table is one of many, so it has only the columns that a text page shows
 * first. */
void af_table_put_html(af_out *out, const af_table *table, const af_anchors *anchors,
                       unsigned digits);

/* 6 if some time is not a whole number of microseconds, else 3. */
unsigned af_table_digits(const af_table *table);

#endif
