/* HTML that is also XML: parsers of both can read it. */
#pragma once

#include "base/out.h"
#include "base/textmap.h"
#include "report/report.h"

/* Writes any UTF-8 as text or as a double-quoted attribute value. Replaces characters that are
 * invisible, move the line or are forbidden in XML. */
void af_markup_text(af_out *out, const char *text);

/* The same for a dotted name, which may break after each dot. */
void af_markup_name(af_out *out, const char *name);

/* The anchors of callers-and-callees tables, derived from method names, so that a link from another
 * page reaches the same method in every report. */
typedef struct {
    af_textmap methods; /* by label */
    af_textmap taken;
    GPtrArray *anchors; /* by number in `methods` */
} af_anchors;

/* The anchors of all callers-and-callees tables. `prefix` separates several reports on one page.
 * FALSE if out of memory; call the end function in any case. */
gboolean af_anchors_begin(af_anchors *anchors, const af_report *report, const char *prefix);
void af_anchors_end(af_anchors *anchors);

/* The anchor of a method; NULL if it has none. */
const char *af_anchors_lookup(const af_anchors *anchors, const char *label);

/* href="#..." of an anchor. */
void af_markup_href(af_out *out, const char *anchor);
