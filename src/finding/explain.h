/* Runs the rules on a profile. */
#pragma once

#include "calls/call_walk.h"
#include "finding/finding.h"

/* The most findings; more are not read. */
#define AF_FINDINGS_MOST 5

/* Options must be complete. Takes a reference to the profile. `also`, which may be NULL, receives all
 * calls if the profile has single calls: the rules read the input only once. Errors as
 * af_explanation_new(). */
af_explanation *af_explain(const af_profile *profile, const af_explain_options *options,
                           const af_observer *also, GError **error);
