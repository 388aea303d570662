/* Steps on a profile (aflame/reshape.h), and what became of each of its nodes. */
#ifndef AF_TRANSFORM_RESHAPE_H
#define AF_TRANSFORM_RESHAPE_H

#include <aflame/reshape.h>

#include "model/profile.h"

/* Where the frames of a profile are in the one that was made from it. It serves what lists single
 * calls under the same steps: a call at a node of the old profile is among those that the new
 * node's `calls` counts, and is not shown if its frame went. */
typedef struct {
    uint32_t n_threads; /* of the old profile */
    uint32_t *thread;   /* of each: its thread in the new profile; AF_NO_NODE = it went */
    uint32_t **node;    /* of each, by node of the old tree: the node of the new tree; AF_NO_NODE =
                           its frame went (its time may be with a caller). Where trees stand on
                           their heads: the root of its method. NULL if the thread went */
    uint32_t **time;    /* the same: the node that has its self time; AF_NO_NODE = left out */
    uint32_t *first; /* of each thread of the new profile: an old thread that came to it; AF_NO_NODE
                        = none */
    uint32_t *next;  /* of each old thread: another one that came to the same */
} af_lineage;

void af_lineage_free(af_lineage *lineage);

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
