/* Steps on a profile (aflame/reshape.h). */
#ifndef AF_TRANSFORM_RESHAPE_H
#define AF_TRANSFORM_RESHAPE_H

#include <aflame/reshape.h>

#include "model/lineage.h"
#include "model/profile.h"

/* A valid step as it is typed: "--hide 'java.**'". Clean; free with g_free(). */
char *af_step_write(const af_step *step);

/* af_profile_reshape(). `lineage`, if not NULL, receives one; free it with af_lineage_free(). */
af_profile *af_reshape_run(const af_profile *profile, const af_step *steps, size_t n,
                           af_lineage **lineage, GError **error);

/* The steps, and then only what lies at and below a node of `profile`, which becomes the root. NULL
 * with AF_ERROR_NOTHING if the steps took its frame. */
af_profile *af_reshape_below(const af_profile *profile, const af_step *steps, size_t n,
                             uint32_t thread, uint32_t node, GError **error);

#endif
