/* The simulated program whose trace generate writes: its methods, its threads, and their state.
 *
 * Every method has a fixed short list of callees. Each thread processes messages: a call with a
 * budget of nested calls, of which each callee gets a share; some pass nearly all of it on (deep
 * chains) and most are small. While there are fewer distinct paths than a square-root curve
 * requires, a message may take a new path; all others repeat known paths, the first ones most often
 * (Zipf). With `towers`, every message first makes one chain of calls down to the full depth. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { DUAL, WALL, CPU };

#define N_METHODS    4096u
#define MAX_CALLEES  12u
#define N_WAITS      4u
#define N_SMALL      900u /* small methods of the platform, called from everywhere */
#define NO_NODE      UINT32_MAX
#define MAX_DEPTH    250000u
#define MAX_THREADS  65000u
#define FIRST_THREAD 12500u /* ART: Linux ids; the main thread's is the process id */

typedef struct {
    uint64_t records, paths, seed;
    unsigned threads, depth, clock;
    double one_share; /* share of the records for one thread; 0 = no preference */
    bool streaming;
    bool towers; /* every message calls down to the full depth */
    const char *output;
} options;

typedef struct {
    uint16_t callees[MAX_CALLEES];
    uint8_t n_callees;
    uint8_t loops; /* a call site in a loop: the mean number of iterations */
    uint8_t cost;  /* in units of about 0.1 us */
    bool passes_on, used;
} method;

typedef struct {
    uint32_t first_child, last_child, next_sibling, n_children;
    uint32_t method;
} node;

typedef struct {
    uint32_t node, loop_node, last_child;
    uint32_t budget, loops_left;
} frame;

typedef struct {
    frame *stack;
    uint32_t depth, base, root, capacity;
    uint32_t unwinding;
    uint64_t cpu_us, cpu_tenths;
    uint32_t to_exit; /* exits of calls that were open before the trace */
    bool fresh, known, waiting;
} thread;

typedef struct {
    options opt;
    uint64_t random;
    method methods[N_METHODS];
    node *nodes;
    uint64_t n_nodes, node_capacity, n_paths;
    thread *threads;
    uint64_t wall_us, wall_tenths, n_records;
    uint32_t max_depth;
    uint64_t depth_sum;
    FILE *file;
} world;

/* Ends the program. */
_Noreturn void fail(const char *what);

/* Ends the program if it is NULL. */
void *must(void *memory);

/* Little endian. */
void put(uint8_t *at, uint64_t value, unsigned bytes);

/* Writes to the world's file, if it has one. */
void write_bytes(world *w, const void *bytes, size_t n);

/* Generates all records of `opt` and writes them, with the packets of a stream. Restarts each time,
 * with the same result. */
void run(world *w);
