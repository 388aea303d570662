/* A lineage: maps the frames of a profile to those of the profile that steps made from it.
 *
 * Lists of single calls use it to apply the same steps: a call at a node of the old profile belongs
 * to the new node and is part of its `calls`; it is not shown if its frame was removed. */
#pragma once

#include <stdint.h>

typedef struct {
    uint32_t n_threads; /* of the old profile */
    uint32_t *thread;   /* by old thread: its thread in the new profile; AF_NO_NODE = removed */
    uint32_t **node;    /* by old thread and node: the node of the new tree; AF_NO_NODE = the frame
                           was removed (its time may be with a caller). In inverted trees: the root
                           of its method. NULL if the thread was removed */
    uint32_t **time;    /* the same for the node that has its self time; AF_NO_NODE = left out */
    uint32_t *first;    /* by new thread: an old thread that was merged into it; AF_NO_NODE =
                           none */
    uint32_t *next;     /* by old thread: the next one that was merged into the same thread */
} af_lineage;

void af_lineage_free(af_lineage *lineage);
