/* Runs the rules on a profile. */
#pragma once

#include "finding/finding.h"

/* The most findings; more are not read. */
#define AF_FINDINGS_MOST 5

/* Options must be complete. Takes a reference to the profile. Errors as af_explanation_new(). */
af_explanation *af_explain(const af_profile *profile, const af_explain_options *options,
                           GError **error);
