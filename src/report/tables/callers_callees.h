/* The callers and callees of a method, with the times and counts of these calls alone.
 *
 * Ordinary and recursive edges are split as in Traceview and dmtracedump: an edge to a caller is
 * recursive if the method is open further out, an edge to a callee if the calling method is. So the
 * ordinary callers add up to the inclusive time of the method, and so do its ordinary callees plus
 * its self time outside recursion; the recursive ones add up to the time of nested calls. */
#pragma once

#include "report/report.h"

/* The names of labels, and of the threads of a scope, which have numbers from n_labels on, copied into
 * the report at their first use. */
typedef struct {
    const af_report_request *request;
    const char *word;    /* in front of the titles of threads; NULL = none */
    const char **copies; /* NULL = out of memory; free with g_free() */
} af_relative_names;

af_relative_names af_relative_names_of(const af_report_request *request, const char *word);
const char *af_relative_name(const af_relative_names *names, uint32_t relative);

typedef enum {
    AF_RELATION_CALLER,
    AF_RELATION_RECURSIVE_CALLER,
    AF_RELATION_METHOD, /* the method itself, with all its calls */
    AF_RELATION_CALLEE,
    AF_RELATION_RECURSIVE_CALLEE,
} af_relation;

/* The relation of an edge to the method. */
typedef struct {
    af_relation relation;
    uint32_t relative; /* a label; numbers from n_labels on are threads of the scope; AF_NO_LABEL:
                          itself */
    af_totals totals;  /* inclusive: of these calls; for the method itself: its self time */
} af_edge;

typedef struct af_callers_callees af_callers_callees;

/* Walks the trees of the scope for the wanted labels (a flag by label). NULL if out of memory. */
af_callers_callees *af_callers_callees_new(const af_scope *scope, const gboolean *wanted);
void af_callers_callees_free(af_callers_callees *relatives);

/* The edges of one of these labels, by relation and then by first call, without AF_RELATION_METHOD.
 * They are valid until the next call. NULL if out of memory. */
const af_edge *af_callers_callees_of(af_callers_callees *relatives, uint32_t label, uint32_t *n);
