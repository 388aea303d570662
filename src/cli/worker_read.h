/* Reads an upload in a worker of the server. */
#pragma once

#include "cli/message.h"

/* Reads descriptor 0, writes the saved profile to 1, and writes lines to `facts_fd`: "# DONE TOTAL"
 * for progress, then a key file about the trace called `name`. */
af_exit af_worker_read(const char *name, unsigned jobs, uint64_t max_memory, int facts_fd);
