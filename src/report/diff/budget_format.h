/* Verdicts on budgets, for people and for CI servers. */
#pragma once

#include "base/out.h"
#include "compare/diff.h"

typedef struct {
    const char *name, *extension, *title;
    /* `lines`: of af_budget_line; `unit`: of their values, unless they are counts of calls. */
    void (*write)(const GArray *lines, const af_unit *unit, af_out *out);
} af_budget_format;

/* NULL past the end. */
const af_budget_format *af_budget_format_at(unsigned number);

static inline gboolean af_budget_fails(af_budget_verdict verdict)
{
    return verdict != AF_BUDGET_MET && verdict != AF_BUDGET_SKIPPED &&
           verdict != AF_BUDGET_UNTESTED;
}
