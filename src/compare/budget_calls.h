/* What budgets measure of single calls, which only a trace has. */
#ifndef AF_COMPARE_BUDGET_CALLS_H
#define AF_COMPARE_BUDGET_CALLS_H

#include "compare/budget.h"

/* The time that 95 % of the calls do not exceed; 0 if there are none. It is exact for up to
 * AF_CALL_STORE_MOST calls, beyond that within 1/128. */
gboolean af_budget_find_p95(const af_budget_entry *entry, const af_profile *profile, af_clock clock,
                            uint64_t *p95_ns, GError **error);

#endif
