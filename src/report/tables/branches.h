/* The rows of a tree while the report selects them: the largest branches, each with all its
 * ancestors. */
#pragma once

#include "base/array.h"
#include "report/tables/callers_callees.h"

#define AF_NO_BRANCH UINT32_MAX

typedef struct {
    uint32_t parent; /* AF_NO_BRANCH: a root */
    uint32_t name;   /* a label; numbers from n_labels on are threads of the scope */
    af_totals totals;
} af_branch;

/* The columns and titles of a tree table. */
typedef struct {
    const char *id, *title;
    af_figures_of figures;
    gboolean rooted; /* the roots are threads, without calls and self time */
} af_branch_style;

/* Whether a branch is large enough to show. */
gboolean af_branch_is_large(const af_report_request *request, uint64_t time_ns, uint64_t whole_ns);

/* The table of the branches, which are sorted by size: a parent precedes its children, and siblings
 * are in their final order. NULL if out of memory. */
af_table *af_branches_to_table(const af_report_request *request, const af_branch_style *style,
                               const af_array *branches);
