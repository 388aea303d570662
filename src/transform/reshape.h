/* Steps on a profile (aflame/reshape.h). */
#pragma once

#include <aflame/reshape.h>

#include "model/lineage.h"
#include "model/profile.h"

/* A valid step as typed: "--hide 'java.**'". Clean; free with g_free(). */
char *af_step_write(const af_step *step);

/* Runs af_profile_reshape(). `lineage`, if not NULL, receives a lineage; free it with
 * af_lineage_free(). */
af_profile *af_reshape_run(const af_profile *profile, const af_step *steps, size_t n,
                           af_lineage **lineage, GError **error);

/* Applies the steps, and then extracts a node of `profile` with its descendants; the node becomes
 * the root. NULL with AF_ERROR_NOTHING if the steps removed its frame. */
af_profile *af_reshape_below(const af_profile *profile, const af_step *steps, size_t n,
                             uint32_t thread, uint32_t node, GError **error);
