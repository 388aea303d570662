/* The guards of a worker: limits, Landlock and a filter of system calls. */
#pragma once

#include <stdint.h>
#include <glib.h>

enum { AF_GUARD_FILTER = 1 << 0, AF_GUARD_LANDLOCK = 1 << 1, AF_GUARD_LIMITS = 1 << 2 };

typedef struct {
    int64_t parent;   /* the worker dies with this process */
    uint64_t memory;  /* bytes of address space */
    uint64_t seconds; /* of CPU time */
    int filter_fd;    /* a program of the kernel's packet filter; the function closes it */
} af_guard_limits;

/* Restricts this process. Returns the guards that the system refused, as bits. */
unsigned af_worker_guard(const af_guard_limits *limits);
