/* Writes a perf.data file as simpleperf does: one event, samples with their stacks, then the
 * symbols of one library. The file must be seekable. */
#pragma once

#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *out;
    uint64_t begin, at; /* of the records, in the file */
} perf_writer;

void perf_begin(perf_writer *w, FILE *out);
void perf_comm(perf_writer *w, uint32_t pid, const char *name);
void perf_map(perf_writer *w, uint32_t pid, uint64_t start, uint64_t length, const char *path);

/* `chain` starts with the leaf and has at most 8,000 addresses. */
void perf_sample(perf_writer *w, uint32_t pid, uint64_t time_ns, uint64_t period,
                 const uint64_t *chain, unsigned n);

/* The library has `symbols` symbols, one every 128 bytes. */
void perf_end(perf_writer *w, const char *path, uint64_t symbols);
