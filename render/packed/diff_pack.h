/* The union of a comparison as one compressed block, which the script of an interactive SVG draws
 * from. The block is that of render/packed/pack.h, with flag 16. */
#pragma once

#include "compare/diff.h"
#include "render/packed/pack.h"

typedef struct {
    const char *input;     /* may be NULL */
    const gboolean *drawn; /* by thread */
    size_t budget;         /* limit for the block in bytes of base64; 0 = none */
    unsigned jobs;         /* threads to use; 0 = one for each processor */
} af_diff_pack_options;

/* The union of a thread as a tree that borrows its columns. The wall times are the widths; what grew
 * takes the place of CPU times, and what shrunk that of the runnable parts, so that stand-ins add
 * up all three. */
af_tree af_diff_tree_borrow(const af_diff_tree *tree);

/* Leaves out the narrowest paths if the block exceeds the budget. NULL if memory is refused. */
af_pack *af_diff_pack_new(const af_diff *diff, const af_diff_pack_options *options);
