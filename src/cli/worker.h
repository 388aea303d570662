/* A worker of the server: this program, started for one job, without access to files, the network
 * or other processes.
 *
 *     aflame worker PARENT MEMORY SECONDS NAME JOB [QUERY...] -- [ARGUMENT...]
 *
 * The server starts it with these descriptors; there are no others:
 *     0 the input, 1 the output, 2 messages, 3 the system-call filter, 4 facts, from 5 on more inputs
 *
 * JOB is a verb, "read" (writes a saved profile to 1 and its facts to 4) or "probe" (prints the
 * guards that the kernel refuses). QUERY is NAME=VALUE from a URL: an option of the verb that the
 * table of options allows in queries. MEMORY (bytes) and SECONDS (of CPU time) are limits. */
#pragma once

#include "cli/message.h"

/* argv[0] is "worker". */
af_exit af_worker_run(int argc, char **argv);
