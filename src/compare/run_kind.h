/* Whether two profiles can be runs of one side: they have the same unit, and both hold calls or
 * both hold samples. */
#pragma once

#include "model/profile.h"

/* For method traces, whose files do not say how they were recorded. */
#define AF_RUN_KIND_HINT                                                                           \
    "; if aflame took a method trace for the other kind, --recorded sampled or --recorded "        \
    "instrumented corrects it"

/* Compares with the unit and kind of the first run, which errors call `first`. FALSE with
 * AF_ERROR_USAGE. */
gboolean af_run_kind_check(const af_profile *profile, const af_unit *unit, gboolean sampled,
                           const char *first, GError **error);

/* "samples", "thousandths of samples", "times". Numbers in the two former cannot be added. */
void af_run_unit_describe(const af_unit *unit, GString *to);
