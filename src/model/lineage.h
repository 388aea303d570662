/* A lineage: where the frames of a profile are in the one that steps made from it.
 *
 * It serves lists of single calls under the same steps: a call at a node of the old profile is among
 * those that the `calls` of the new node count, and is not shown if its frame was removed. */
#ifndef AF_MODEL_LINEAGE_H
#define AF_MODEL_LINEAGE_H

#include <stdint.h>

typedef struct {
    uint32_t n_threads; /* of the old profile */
    uint32_t *thread;   /* of each: its thread in the new profile; AF_NO_NODE = removed */
    uint32_t **node;    /* of each, by node of the old tree: the node of the new tree; AF_NO_NODE =
                           its frame was removed (its time may be with a caller). In inverted trees:
                           the root of its method. NULL if the thread was removed */
    uint32_t **time;    /* the same: the node that has its self time; AF_NO_NODE = left out */
    uint32_t *first;    /* of each thread of the new profile: an old thread that was merged into it;
                        AF_NO_NODE = none */
    uint32_t *next;     /* of each old thread: another one that was merged into the same */
} af_lineage;

void af_lineage_free(af_lineage *lineage);

#endif
