/* The options of comparisons. */
#pragma once

#include "compare/compare.h"

/* FALSE with AF_ERROR_USAGE. `options` may be NULL. */
gboolean af_diff_take_options(const af_diff_options *options, af_compare_options *wanted,
                              GError **error);
