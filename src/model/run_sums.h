/* The runs of a merged profile: sums per method for each of them, for statistics.
 *
 * A merged profile adds up many runs. Its trees hold the sums of all runs. For at most AF_RUNS_MAX
 * of them, those with the smallest content hashes, it also keeps the time of every method in each
 * run.
 */
#pragma once

#include <stdint.h>
#include <glib.h>

#define AF_RUNS_MAX     64
#define AF_RUN_HASH     16 /* bytes */
#define AF_RUN_MEASURES 3  /* wall, cpu, wait */

/* A method in one thread of one run. Recursion counts once. */
typedef struct {
    uint32_t thread;
    uint32_t name;
    gboolean masked; /* `name` is one with masked numbers and sums up several labels */
    uint64_t calls;
    uint64_t self[AF_RUN_MEASURES], inclusive[AF_RUN_MEASURES]; /* by af_clock */
} af_run_row;

typedef struct {
    uint8_t hash[AF_RUN_HASH]; /* of its rows, with names in place of numbers */
    uint32_t number;           /* in the order in which runs were added one by one */
    af_run_row *rows;          /* by thread, masked, name */
    uint32_t n_rows;
} af_run;

/* Threads of the rows are those of the profile by index; names are of `names`. */
typedef struct af_run_sums {
    uint32_t n_runs;          /* that the trees add up */
    const char *const *names; /* ascending */
    uint32_t n_names;
    const af_run *runs; /* by hash */
    uint32_t n_summed;
} af_run_sums;
