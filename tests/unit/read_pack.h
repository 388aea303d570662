/* Reads the block that render/pack.h describes, for tests. A damaged block fails the test. */
#pragma once

#include "render/packed/pack.h"

typedef struct {
    char *text, *full, *source;
    unsigned category, shade;
} read_label;

typedef struct {
    uint64_t depth, label, calls, unwinds, self[AF_CLOCKS], min[AF_CLOCKS], max[AF_CLOCKS];
    uint64_t inclusive[AF_CLOCKS], runnable;
    uint64_t grown, shrunk, before, after, verdict; /* of a comparison; before, after: calls */
} read_node;

typedef struct {
    uint64_t id, flags, records, n, left_out;
    char *name, *title;
    read_node *nodes; /* from 1 */
} read_thread;

typedef struct {
    uint8_t *plain;
    uint64_t clocks, unit_ns, clock, flags, lacking, n_labels, n_threads;
    char *input;
    read_label *labels;
    read_thread *threads;
} read_block;

/* The caller frees it with read_pack_free(). */
read_block *read_pack_new(const af_pack *pack);
void read_pack_free(read_block *block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(read_block, read_pack_free)
