#include "perf_writer.h"

#include <stdlib.h>
#include <string.h>

enum { ATTR = 112, MAP = 1, COMM = 3, SAMPLE = 9, FILES = 128, USER = 2 };

/* instruction, thread, time, stack, period */
#define SAMPLE_TYPE (1u | 2u | 4u | 32u | 256u)

static void put(perf_writer *w, const void *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, w->out) != length) {
        fprintf(stderr, "inputs: cannot write to the disk\n");
        exit(2);
    }
    w->at += length;
}

static void put_le(perf_writer *w, uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
    put(w, bytes, width);
}

static void put_zeros(perf_writer *w, uint64_t n)
{
    while (n-- > 0) {
        put_le(w, 0, 1);
    }
}

static void put_section(perf_writer *w, uint64_t offset, uint64_t size)
{
    put_le(w, offset, 8);
    put_le(w, size, 8);
}

static void put_header(perf_writer *w, uint64_t records)
{
    put(w, "PERFILE2", 8);
    put_le(w, 104, 8);
    put_le(w, ATTR + 16, 8);
    put_section(w, 104, ATTR + 16);
    put_section(w, 104 + ATTR + 16, records);
    put_section(w, 0, 0);
    put_zeros(w, FILES / 8);
    put_le(w, 1u << FILES % 8, 1);
    put_zeros(w, 32 - FILES / 8 - 1);
}

void perf_begin(perf_writer *w, FILE *out)
{
    *w = (perf_writer){.out = out};
    put_header(w, 0);
    put_le(w, 1, 4); /* cpu-clock, a software event */
    put_le(w, ATTR, 4);
    put_le(w, 0, 8);
    put_le(w, 250000, 8);
    put_le(w, SAMPLE_TYPE, 8);
    put_zeros(w, ATTR - 32);
    put_section(w, 0, 0); /* no ids */
    w->begin = w->at;
}

static void put_record(perf_writer *w, uint32_t type, uint64_t size)
{
    put_le(w, type, 4);
    put_le(w, USER, 2);
    put_le(w, size, 2);
}

static uint64_t pad(uint64_t length)
{
    return (length + 8) / 8 * 8;
}

static void put_padded(perf_writer *w, const char *text)
{
    put(w, text, strlen(text));
    put_zeros(w, pad(strlen(text)) - strlen(text));
}

void perf_comm(perf_writer *w, uint32_t pid, const char *name)
{
    put_record(w, COMM, 16 + pad(strlen(name)));
    put_le(w, pid, 4);
    put_le(w, pid, 4);
    put_padded(w, name);
}

void perf_map(perf_writer *w, uint32_t pid, uint64_t start, uint64_t length, const char *path)
{
    put_record(w, MAP, 40 + pad(strlen(path)));
    put_le(w, pid, 4);
    put_le(w, pid, 4);
    put_le(w, start, 8);
    put_le(w, length, 8);
    put_le(w, 0, 8);
    put_padded(w, path);
}

void perf_sample(perf_writer *w, uint32_t pid, uint64_t time_ns, uint64_t period,
                 const uint64_t *chain, unsigned n)
{
    put_record(w, SAMPLE, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 * (uint64_t)n);
    put_le(w, chain[0], 8);
    put_le(w, pid, 4);
    put_le(w, pid, 4);
    put_le(w, time_ns, 8);
    put_le(w, period, 8);
    put_le(w, n + 1, 8);
    put_le(w, (uint64_t)-512, 8); /* of the process */
    for (unsigned i = 0; i < n; i++) {
        put_le(w, chain[i], 8);
    }
}

void perf_end(perf_writer *w, const char *path, uint64_t symbols)
{
    const uint64_t records = w->at - w->begin, at = w->at;
    /* a name has 10 bytes and a zero: "f000000001" */
    const uint64_t library = strlen(path) + 1 + 4 + 8 + 4 + symbols * (8 + 4 + 11) + 8;
    put_section(w, at + 16, 4 + library);
    put_le(w, library, 4);
    put(w, path, strlen(path) + 1);
    put_le(w, 2, 4);
    put_le(w, 0, 8);
    put_le(w, symbols, 4);
    for (uint64_t i = symbols; i-- > 0;) {
        char name[32];
        snprintf(name, sizeof name, "f%09llu", (unsigned long long)(i % 1000000000));
        put_le(w, i * 128, 8);
        put_le(w, 128, 4);
        put(w, name, 11);
    }
    put_le(w, 0, 8);
    rewind(w->out);
    put_header(w, records);
}
