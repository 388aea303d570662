/* One pair of threads in the union of the call trees of both sides. */
#ifndef AF_COMPARE_UNION_PAIR_H
#define AF_COMPARE_UNION_PAIR_H

#include "compare/paths.h"
#include "compare/union_tree.h"

/* What all pairs share. */
typedef struct {
    const af_runs *const *sides;
    const af_pairing_labels *labels;
    const af_scale *scale;
    af_union_nodes *nodes;
    af_diff *diff;
    gssize *columns_taken;           /* bytes of diff->columns; atomic */
    uint32_t *lent_labels[AF_SIDES]; /* maps the labels of a profile that lends its trees */
} af_union_state;

/* Builds one pair after another and reuses its memory. Several builders may work at once, in
 * different threads. */
typedef struct {
    const af_union_state *shared;
    uint64_t *self[AF_SIDES]; /* by node of the union as it grows: of the clock of the comparison,
                                 sums of the runs */
    uint64_t *change;         /* by node as well */
    uint32_t *order, *index;
    void *block; /* the memory of these five */
    size_t block_size;
    af_paths paths;
    char *next_column; /* the unused rest of the memory for columns of the pair */
} af_pair_builder;

/* The columns of a thread; NULL for clocks without times, whose columns hold zeros. */
af_runs_columns af_union_columns(const af_runs *runs, uint32_t thread);

/* The self time of a node, summed up over its runs. Waiting is computed from the sums. */
static inline uint64_t af_union_self(const af_runs_columns *from, uint32_t node, unsigned clock)
{
    if (clock != AF_WAIT) {
        return from->self[clock] != NULL ? from->self[clock][node] : 0;
    }
    const uint64_t *const wall = from->self[AF_WALL], *const cpu = from->self[AF_CPU];
    return wall != NULL && cpu != NULL && wall[node] > cpu[node] ? wall[node] - cpu[node] : 0;
}

/* The maximum number of nodes in the union of a pair, and the size of the columns of that many
 * nodes in bytes. */
uint32_t af_union_pair_nodes(const af_union_state *state, const af_thread_pair *pair);
size_t af_union_pair_bytes(const af_union_state *state, uint32_t n_nodes);

/* Prepares for pairs of at most `most` nodes. FALSE if memory is refused. */
gboolean af_pair_builder_init(af_pair_builder *builder, const af_union_state *shared,
                              uint32_t most);
void af_pair_builder_clear(af_pair_builder *builder);

/* Builds the tree of a pair in the next columns, which are zero, as the tree of thread `number`.
 * FALSE if memory is refused. */
gboolean af_pair_builder_run(af_pair_builder *builder, const af_thread_pair *pair, uint32_t number);

#endif
