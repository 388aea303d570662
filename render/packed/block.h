/* Writes the bytes of the block that render/packed/pack.h specifies. */
#pragma once

#include "model/profile.h"
#include "render/packed/chart_block.h"
#include "model/tree_prune.h"

typedef struct {
    const af_profile *profile;
    af_clock clock;                       /* of the picture */
    const char *input;                    /* may be NULL */
    uint32_t *order;                      /* the profile's threads in the order of the block */
    uint32_t n_threads;                   /* of the block */
    gboolean *drawn;                      /* by thread */
    const af_tree **trees;                /* by index in the order */
    const af_tree_extract *const *pruned; /* likewise: the remaining entries; NULL = all */
    uint32_t unit_ns;                     /* of all times */
    const af_chart_block *calls; /* calls after the trees; this module sets its order and label
                                       numbers; NULL = none */
    unsigned jobs;               /* 1 = no second thread; the bytes are the same */
} af_block;

/* Returns pieces as af_deflater_join() makes them, and sets *plain_length to their unpacked length.
 * NULL if memory is refused. */
GBytes *af_block_write(const af_block *block, size_t *plain_length);
