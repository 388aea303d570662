/* The bytes of the block that render/pack.h describes. */
#ifndef AF_RENDER_PACKED_BLOCK_H
#define AF_RENDER_PACKED_BLOCK_H

#include "model/profile.h"
#include "render/packed/chart_block.h"
#include "render/packed/prune.h"

typedef struct {
    const af_profile *profile;
    af_clock clock;                 /* of the picture */
    const char *input;              /* may be NULL */
    const uint32_t *order;          /* the profile's threads as they stand in the block */
    const gboolean *drawn;          /* by thread */
    const af_tree *const *trees;    /* by place in the order */
    const af_pruned *const *pruned; /* the same: what is left of them; NULL = all */
    uint32_t unit_ns;               /* of all times */
    const af_chart_block *calls;    /* behind the trees; order and numbers of labels are filled in;
                                       NULL = none */
    unsigned jobs;                  /* 1 = no second thread; the bytes are the same */
} af_block;

/* Pieces, as af_deflater_join() makes them; *plain_length becomes their length unpacked. NULL if
 * the machine refuses memory. */
GBytes *af_block_write(const af_block *block, size_t *plain_length);

#endif
