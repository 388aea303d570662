/* Runs one worker: starts the program, collects its output, and describes how it ended. */
#pragma once

#include "serve/serve.h"

#define AF_PROCESS_INPUTS 18u

typedef enum {
    AF_ENDED_WELL,
    AF_ENDED_USAGE,   /* the query is wrong */
    AF_ENDED_NOTHING, /* nothing matches */
    AF_ENDED_INPUT,   /* the input is not a trace, or damaged */
    AF_ENDED_LIMIT,   /* it met a limit, or crashed */
    AF_ENDED_FULL,    /* its output does not fit on the disk */
    AF_ENDED_FAILED,  /* this machine could not run it */
} af_process_end;

typedef struct {
    const char *const *words; /* the job and its words, as in cli/worker.h; NULL ends */
    const char *name;         /* of the input */
    const int *inputs;        /* descriptors: 0, 5, 6 and so on of the worker */
    unsigned n_inputs;        /* at most AF_PROCESS_INPUTS */
    int output;               /* receives the output */
    uint64_t max_output;      /* bytes */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL */
    void *user;
} af_process_job;

typedef struct {
    af_process_end end;
    char *message; /* the reason for its failure, or its report; "" = none */
    char *facts;   /* of the job "read" */
} af_process_result;

typedef struct {
    const af_serve_options *options;
    int filter;  /* -1 = none */
    gint ending; /* atomic: the server ends, and its workers with it */
} af_process_limits;

/* Blocks until the worker has ended. Call it from a thread that lives as long as the server: a
 * worker dies with the thread that started it. Clear the result with af_process_clear(). */
void af_process_run(const af_process_limits *limits, const af_process_job *job,
                    af_process_result *result);
void af_process_clear(af_process_result *result);
