/* The rows of a tree while it is chosen what of it is shown: the largest branches, each with all
 * that lead to it. */
#ifndef AF_REPORT_TABLES_BRANCHES_H
#define AF_REPORT_TABLES_BRANCHES_H

#include "base/array.h"
#include "report/report.h"

#define AF_NO_BRANCH UINT32_MAX

typedef struct {
    uint32_t parent; /* AF_NO_BRANCH: a root */
    uint32_t name;   /* a label; from n_labels on the threads of the scope */
    uint64_t self[AF_MEASURES], inclusive[AF_MEASURES], min[AF_MEASURES], max[AF_MEASURES];
    uint64_t calls, unwinds;
    gboolean uncounted;      /* nobody counted those of some threads */
    unsigned known, lacking; /* as in af_totals */
} af_branch;

/* What a tree looks like as a table. */
typedef struct {
    const char *id, *title;
    const af_figure *figures; /* ends with AF_FIGURES; the first decides the order */
    gboolean rooted;    /* the roots are threads, which have no calls and no time of their own */
    const char *thread; /* stands before the title of a thread */
} af_branch_style;

/* Whether a branch is large enough to be shown. */
gboolean af_branch_is_large(const af_report_request *request, uint64_t time_ns, uint64_t whole_ns);

/* The table of the branches, which are sorted by size: a parent stands before its children, and
 * siblings in the order that they shall have. NULL if the machine refuses the memory. */
af_table *af_branches_to_table(const af_report_request *request, const af_branch_style *style,
                               const af_array *branches);

#endif
