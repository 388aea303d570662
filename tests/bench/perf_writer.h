/* Writes a perf.data file as simpleperf does: one event, samples with their stacks, then the
 * symbols of one library, to the file of output.h, which must be seekable. */
#pragma once

#include <stdint.h>

void perf_begin(void);
void perf_comm(uint32_t pid, const char *name);
void perf_map(uint32_t pid, uint64_t start, uint64_t length, const char *path);

/* `chain` starts with the leaf and has at most 8,000 addresses. */
void perf_sample(uint32_t pid, uint64_t time_ns, uint64_t period, const uint64_t *chain,
                 unsigned n);

/* The library has `symbols` symbols, one every 128 bytes. */
void perf_end(const char *path, uint64_t symbols);
