/* A table in an HTML page. */
#pragma once

#include "report/formats/markup.h"

/* Names with an anchor become links. A callers-and-callees table is one of many, so it has only the
 * columns that a text page shows first. The first rows are static; the others follow for the script
 * (report/formats/rest_html.h), under `prefix` and the id of the table. */
void af_table_put_html(af_out *out, const af_table *table, const af_anchors *anchors,
                       const char *prefix);
