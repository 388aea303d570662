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
    gboolean has_runnable; /* both sides recorded it */
    af_union_waits *waits; /* by pair */
} af_union_state;

/* The paths of one side of a pair, each once, and their numbers. */
typedef struct {
    uint32_t n; /* 0 = the side lacks the thread */
    af_paths paths;
    const uint32_t *parent, *name, *first_child, *next_sibling; /* of `paths` */
    uint64_t *calls, *self, *inclusive;                         /* in one block */
    uint8_t *reason;                                            /* as in af_tree */
    uint32_t *common; /* the number of the common path + 1; 0 = the other side lacks it */
    uint32_t *node;   /* where it is in the union; NULL = nobody asks */
} af_pair_side;

/* Builds one pair after another. Several builders may work at once, in different threads. */
typedef struct {
    const af_union_state *shared;
    af_pair_side side[AF_SIDES];
    af_array common; /* the paths that both sides have, parents first */
    af_array stack;  /* the paths that are due, the next one last */
    /* children of the path that is being matched, by name: valid where `mark` has its number */
    uint32_t *mark, *child, n_marks;
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

/* The maximum number of nodes in the union of a pair. */
uint32_t af_union_pair_nodes(const af_union_state *state, const af_thread_pair *pair);

/* FALSE if memory is refused; clear it in any case. */
gboolean af_pair_builder_init(af_pair_builder *builder, const af_union_state *shared);
void af_pair_builder_clear(af_pair_builder *builder);

/* Builds the tree of a pair as the tree of thread `number`. FALSE if memory is refused. */
gboolean af_pair_builder_run(af_pair_builder *builder, const af_thread_pair *pair, uint32_t number);
