/* One pair of threads in the union of the call trees of both sides. */
#pragma once

#include "base/array.h"
#include "compare/paths.h"
#include "compare/union_tree.h"
#include "model/waits.h"

/* The waiting time of a pair by side and reason, whatever clock is compared. */
typedef struct {
    uint64_t time[AF_SIDES][AF_WAITS_ALL];
} af_union_waits;

/* What all pairs share. */
typedef struct {
    const af_runs *const *sides;
    const af_pairing_labels *labels;
    const af_scale *scale;
    af_union_nodes *nodes;
    af_diff *diff;
    gssize *columns_taken;               /* bytes of diff->columns; atomic */
    uint32_t *borrowed_labels[AF_SIDES]; /* maps the labels of a profile with borrowed trees */
    gboolean has_runnable;               /* both sides recorded it */
    af_union_waits *waits;               /* by pair */
} af_union_state;

/* The paths of one side of a pair, each once, and their numbers. */
typedef struct {
    uint32_t n;                                                 /* 0 = the side lacks the thread */
    const uint32_t *parent, *name, *first_child, *next_sibling; /* as in af_paths */
    const uint64_t *calls, *self;                               /* self: NULL = zeros */
    const uint8_t *reason;                                      /* as in af_tree */
    uint64_t *inclusive;
    uint32_t *common; /* the number of the common path + 1; 0 = the other side lacks it */
    uint32_t *node;   /* where it is in the union; NULL = nobody asks */
    af_paths paths;   /* of several threads */
    uint64_t *sums;   /* likewise: the memory of their numbers */
    uint8_t *reasons; /* likewise */
} af_pair_side;

/* Builds one pair after another and reuses its memory. Several builders may work at once, in
 * different threads. */
typedef struct {
    const af_union_state *shared;
    af_pair_side side[AF_SIDES];
    af_array common; /* the paths that both sides have, parents first */
    af_array stack;  /* the paths that are due, the next one last */
    /* children of the path that is being matched, by name: valid where `mark` has its number */
    uint32_t *mark, *child, n_marks;
    uint64_t *inclusive; /* by path, first those of before; and so on */
    uint32_t *name, *first_child, *next_sibling, *common_of;
    void *lone;  /* a stack as well */
    void *block; /* the memory of these six */
    size_t block_size;
    char *next_column; /* the unused rest of the memory for columns of the pair */
} af_pair_builder;

/* The columns of a thread; NULL for clocks without times, whose columns hold zeros. */
af_runs_columns af_union_columns(const af_runs *runs, uint32_t thread);

/* The self time of a node, summed up over its runs, as af_tree_self_term(). */
static inline uint64_t af_union_self(const af_runs_columns *from, uint32_t node, unsigned clock)
{
    if (clock != AF_WAIT) {
        return from->self[clock] != NULL ? from->self[clock][node] : 0;
    }
    const uint64_t *const wall = from->self[AF_WALL], *const cpu = from->self[AF_CPU];
    return wall != NULL && cpu != NULL ? wall[node] - cpu[node] : 0;
}

/* The maximum number of nodes in the union of a pair, and the size of the columns of that many
 * nodes in bytes. */
uint32_t af_union_pair_nodes(const af_union_state *state, const af_thread_pair *pair);
size_t af_union_pair_bytes(uint32_t n_nodes);

/* Prepares for pairs of at most `most` nodes. FALSE if memory is refused. */
gboolean af_pair_builder_init(af_pair_builder *builder, const af_union_state *shared,
                              uint32_t most);
void af_pair_builder_clear(af_pair_builder *builder);

/* Builds the tree of a pair in the next columns, which are zero, as the tree of thread `number`.
 * FALSE if memory is refused. */
gboolean af_pair_builder_run(af_pair_builder *builder, const af_thread_pair *pair, uint32_t number);
