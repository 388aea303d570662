/* The description of a trace and its health (include/aflame/info.h): parts of the page. */
#pragma once

#include <aflame/info.h>
#include "model/profile.h"

typedef struct {
    GString *text;
    unsigned width; /* in columns */
    gboolean fits;  /* tables have this width too */
} af_info_page;

/* The threads as a table: main first, then by time. */
void af_report_threads(af_info_page *page, const af_profile *profile);

/* The result of a mapping, in one line. */
char *af_report_mapping(const af_mapped_facts *facts);

/* The full names of methods that the mapping leaves ambiguous, as a GPtrArray of char *, and the
 * part of the page that lists them. */
GPtrArray *af_report_ambiguous(const af_profile *profile);
void af_report_mappings(af_info_page *page, const af_profile *profile);

/* Warnings and information, with advice. */
void af_report_health(af_info_page *page, const af_profile *profile);
