/* Who calls a method and whom it calls, with the times and counts of these calls alone.
 *
 * The split into ordinary and recursive is that of Traceview and dmtracedump: an edge to a caller
 * is recursive if the method is open further out, an edge to a callee if the method that calls it
 * is. So the ordinary callers add up to the inclusive time of the method, and so do its ordinary
 * callees with its own time outside of recursion; the recursive ones add up to the time of nested
 * calls. */
#ifndef AF_REPORT_TABLES_CALLERS_CALLEES_H
#define AF_REPORT_TABLES_CALLERS_CALLEES_H

#include "report/report.h"

typedef enum {
    AF_RELATION_CALLER,
    AF_RELATION_RECURSIVE_CALLER,
    AF_RELATION_METHOD, /* the method itself, with all its calls */
    AF_RELATION_CALLEE,
    AF_RELATION_RECURSIVE_CALLEE,
} af_relation;

/* Whose time or calls an edge counts. */
typedef struct {
    af_relation relation;
    uint32_t relative; /* a label; from n_labels on the threads of the scope; AF_NO_LABEL: itself */
    af_totals totals;  /* inclusive: of these calls; of itself: its own time */
} af_edge;

typedef struct af_callers_callees af_callers_callees;

/* Goes over the trees of the scope for the labels that are wanted (by label). NULL if the machine
 * refuses the memory. */
af_callers_callees *af_callers_callees_new(const af_scope *scope, const gboolean *wanted);
void af_callers_callees_free(af_callers_callees *relatives);

/* The edges of one of these labels, in order of the relations and then of the first calls, without
 * AF_RELATION_METHOD. They are good until the next call. NULL if the machine refuses the memory. */
const af_edge *af_callers_callees_of(af_callers_callees *relatives, uint32_t label, uint32_t *n);

#endif
