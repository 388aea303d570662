/* The description of a trace and its health: as a text page, as JSON, as single lines. */
#pragma once

#include <aflame/info.h>
#include "model/profile.h"

/* ---- parts of the page ---- */

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

/* The number of exits without a call, of all threads. */
uint64_t af_info_count_unmatched(const af_profile *profile);

/* Appends "12 truncated" to a list, unless the number is 0. */
void af_info_add_count(GString *list, uint64_t n, const char *what);

/* Appends to a GString; an af_write_func. */
bool af_info_append(void *text, const void *bytes, size_t length, GError **error);
