/* Whether two profiles can be runs of one side: they have the same unit, and both hold calls or
 * both hold samples. */
#ifndef AF_COMPARE_RUN_KIND_H
#define AF_COMPARE_RUN_KIND_H

#include "model/profile.h"

/* Compares with the unit (NULL = times) and kind of the first run, which errors call `first`.
 * FALSE with AF_ERROR_USAGE. */
gboolean af_run_kind_check(const af_profile *profile, const char *unit, gboolean sampled,
                           const char *first, GError **error);

#endif
