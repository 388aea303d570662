/* What a trace is and how healthy it is: as a page of text, as JSON, as single lines. */
#ifndef AF_REPORT_INFO_INFO_H
#define AF_REPORT_INFO_INFO_H

#include "model/profile.h"

/* All are freed with g_free(). `name` is how the input is called; any bytes. */
char *af_report_info_text(const af_profile *profile, const char *name);
char *af_report_info_json(const af_profile *profile, const char *name);

/* The name of the input's format, for programs. Static. */
const char *af_report_input_format(const af_profile *profile);

/* ---- parts of the page ---- */

/* The threads as a table, main first, then those with the most time. */
void af_report_threads(GString *page, const af_profile *profile);

/* What a mapping did, in one line. */
char *af_report_mapping(const af_mapped_facts *facts);

/* The full names of methods that are ambiguous by a mapping, as a GPtrArray of char *, and the part
 * of the page that lists them. */
GPtrArray *af_report_ambiguous(const af_profile *profile);
void af_report_mappings(GString *page, const af_profile *profile);

/* Warnings and notes with what to do about them. */
void af_report_health(GString *page, const af_profile *profile);

#endif
