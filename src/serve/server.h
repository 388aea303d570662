/* The state that all parts of the server share. */
#pragma once

#include "serve/access.h"
#include "serve/html.h"
#include "serve/pool.h"
#include "serve/process.h"
#include "serve/serve.h"
#include "serve/store.h"

typedef struct af_renditions af_renditions;
typedef struct af_readings af_readings;

/* Bytes of files that are being received; atomic. */
typedef struct {
    gsize all, unproven; /* unproven: from clients without a token that allows it */
} af_incoming;

/* Counters since the start; atomic. */
typedef struct {
    gsize requests, responses[6]; /* by hundreds of the status */
    gsize uploads, upload_bytes, refused, workers, workers_failed, cache_hits, cache_misses;
} af_counters;

/* The requests that wait. */
typedef struct {
    GMutex lock;
    GHashTable *requests; /* af_request -> the event for which it waits */
    gboolean ending;      /* only requests whose files are stored wait */
    gboolean closed;      /* none waits any more */
} af_wait_set;

typedef struct {
    const af_serve_options *options;
    af_store *store;
    af_access *access;
    af_process_limits limits;
    af_pool *workers; /* each runs one worker process at a time */
    af_pool *disk;    /* stores uploads */
    af_renditions *renditions;
    af_readings *readings;
    char *url;                /* "http://127.0.0.1:8192", without a slash at the end */
    char *base_path;          /* of --base-url, with a slash at both ends; "/" = none */
    char *policies[AF_KINDS]; /* content security policies */
    GMutex used_lock;
    GHashTable *used; /* IDs of traces that were used since the last look */
    af_wait_set waits;
    af_incoming incoming;
    af_counters counters;
    int64_t started_s;
} af_server;

static inline void af_count(gsize *counter, gsize n)
{
    __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/* Seconds since 1970. */
static inline int64_t af_now_s(void)
{
    return g_get_real_time() / G_USEC_PER_SEC;
}
