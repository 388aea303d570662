/* A second stack rebuilder that follows its rules as plainly as possible: the reference for the
 * real one, with which it shares only the input types. */
#pragma once

#include "build/rebuild.h"

enum { PLAIN_THREADS = 4, PLAIN_METHODS = 16 };

typedef struct plain_node plain_node;
struct plain_node {
    uint32_t method;
    plain_node *parent; /* NULL: the thread */
    GPtrArray *children;
    uint64_t calls, unwinds;
    uint64_t self[AF_CLOCKS], min[AF_CLOCKS], max[AF_CLOCKS]; /* ticks */
};

typedef struct {
    plain_node *node;
    uint64_t start[AF_CLOCKS];
} plain_call;

typedef struct {
    plain_node *root; /* NULL before the first record */
    GArray *stack;    /* of plain_call */
    uint64_t start[AF_CLOCKS], last[AF_CLOCKS], offset[AF_CLOCKS], raw[AF_CLOCKS];
    unsigned group_records;
    gboolean group_entered, group_mixed;
    af_thread_counts counts;
} plain_thread;

typedef struct {
    af_ticks ticks;
    uint64_t largest;
    plain_thread threads[PLAIN_THREADS];
    af_trace_counts counts;
    af_warnings warnings;
    gboolean missed[PLAIN_METHODS];
    gboolean any;
    uint64_t wall_before, last_wall;
    uint64_t groups, large_groups, mixed_groups;
    GArray *steps; /* of uint64_t */
} plain_rebuild;

void plain_init(plain_rebuild *plain, const af_ticks *ticks);
void plain_clear(plain_rebuild *plain);
void plain_take(plain_rebuild *plain, const af_event *event, uint64_t offset);
void plain_finish(plain_rebuild *plain, const gboolean *exited);

/* Ends the program if the real one has any different result. */
void plain_compare(const plain_rebuild *plain, af_rebuild *rebuild, const af_warnings *warnings,
                   af_tree *const *trees);
