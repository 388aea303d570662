/* Writes the bytes of the block of a comparison, which render/packed/pack.h specifies. */
#pragma once

#include "compare/diff.h"
#include "model/tree_prune.h"

typedef struct {
    const af_diff *diff;
    const char *input;     /* may be NULL */
    const gboolean *drawn; /* by thread */
    const af_tree_extract *const
        *pruned;                   /* by thread: the remaining entries; NULL = all. The sums of
                                       stand-ins are those of after (AF_WALL) and before (AF_CPU) */
    const uint64_t *const *widths; /* by thread and stand-in: its width */
    unsigned jobs;                 /* 1 = no second thread; the bytes are the same */
} af_diff_block;

/* Returns pieces as af_deflater_join() makes them, and sets *plain_length to their unpacked length.
 * NULL if memory is refused. */
GBytes *af_diff_block_write(const af_diff_block *block, size_t *plain_length);
