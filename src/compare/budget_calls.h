/* The values that budgets measure from single calls, which only traces have. */
#pragma once

#include "compare/budget.h"

/* The 95th percentile of the call durations; 0 if there are no calls. It is exact for up to
 * AF_CALL_STORE_MOST calls and within 1/128 for more. */
gboolean af_budget_find_p95(const af_budget_entry *entry, const af_profile *profile, af_clock clock,
                            uint64_t *p95_ns, GError **error);
