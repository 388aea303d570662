/* Threads that run jobs in order: those for workers, and those that wait for the disk. */
#pragma once

#include <glib.h>

typedef struct af_pool af_pool;

/* Up to `n` threads, which live until af_pool_free(). NULL if the system refuses even the first. */
af_pool *af_pool_new(unsigned n);

/* Finishes all jobs first. The pool may be NULL. */
void af_pool_free(af_pool *pool);

/* `run` is called with `job` in one of the threads. */
void af_pool_push(af_pool *pool, void (*run)(gpointer job), gpointer job);

/* Jobs that wait or run. */
unsigned af_pool_n(af_pool *pool);
