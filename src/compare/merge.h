/* Merging: runs added up become one profile.
 *
 * The result depends neither on the order of the inputs nor on how they are grouped: threads are
 * sorted by id and name, labels and siblings by name, and whatever cannot be added up is dropped
 * unless all inputs agree on it. */
#pragma once

#include "compare/runs.h"

/* Joins the facts of a profile, everything but the numbers of its paths. Call it for each profile
 * that is added. */
void af_merge_join_facts(af_runs *runs, const af_profile *profile, const uint32_t *name_of);

/* NULL with AF_ERROR_MEMORY, or AF_ERROR_USAGE if the runs have no thread. */
af_profile *af_merge_finish(af_runs *runs, GError **error);
