/* HTML that is XML, too: what is written can be read by parsers of both. */
#ifndef AF_REPORT_FORMATS_MARKUP_H
#define AF_REPORT_FORMATS_MARKUP_H

#include "base/out.h"
#include "base/textmap.h"
#include "report/report.h"

/* Any UTF-8 as text or as the value of an attribute in double quotes. What has no shape, moves the
 * line about or is forbidden in XML is replaced. */
void af_markup_text(af_out *out, const char *text);

/* The same for a dotted name, which may go on in the next line behind each dot. */
void af_markup_name(af_out *out, const char *name);

/* Where the callers and callees of methods stand in the page: names made from the methods' own, so
 * that a link from elsewhere leads to the same method in every report. */
typedef struct {
    af_textmap methods; /* by label */
    af_textmap taken;
    GPtrArray *anchors; /* by number in `methods` */
} af_anchors;

/* Those of all tables of callers and callees. `prefix` tells several reports in one page apart.
 * FALSE if memory is refused; they are to be ended all the same. */
gboolean af_anchors_begin(af_anchors *anchors, const af_report *report, const char *prefix);
void af_anchors_end(af_anchors *anchors);

/* The anchor of a method; NULL if it has no place. */
const char *af_anchors_lookup(const af_anchors *anchors, const char *label);

/* href="#..." of an anchor. */
void af_markup_href(af_out *out, const char *anchor);

#endif
