#include "perf_writer.h"

#include <string.h>

#include "output.h"

enum { ATTR = 112, MAP = 1, COMM = 3, SAMPLE = 9, FILES = 128, USER = 2 };

/* instruction, thread, time, stack, period */
#define SAMPLE_TYPE (1u | 2u | 4u | 32u | 256u)

static long begin; /* of the records */

static void put_zeros(uint64_t n)
{
    while (n-- > 0) {
        put_le(0, 1);
    }
}

static void put_section(uint64_t offset, uint64_t size)
{
    put_le(offset, 8);
    put_le(size, 8);
}

static void put_header(uint64_t records)
{
    put("PERFILE2", 8);
    put_le(104, 8);
    put_le(ATTR + 16, 8);
    put_section(104, ATTR + 16);
    put_section(104 + ATTR + 16, records);
    put_section(0, 0);
    put_zeros(FILES / 8);
    put_le(1u << FILES % 8, 1);
    put_zeros(32 - FILES / 8 - 1);
}

void perf_begin(void)
{
    put_header(0);
    put_le(1, 4); /* cpu-clock, a software event */
    put_le(ATTR, 4);
    put_le(0, 8);
    put_le(250000, 8);
    put_le(SAMPLE_TYPE, 8);
    put_zeros(ATTR - 32);
    put_section(0, 0); /* no ids */
    begin = ftell(out);
}

static void put_record(uint32_t type, uint64_t size)
{
    put_le(type, 4);
    put_le(USER, 2);
    put_le(size, 2);
}

static uint64_t pad(uint64_t length)
{
    return (length + 8) / 8 * 8;
}

static void put_padded(const char *text)
{
    put(text, strlen(text));
    put_zeros(pad(strlen(text)) - strlen(text));
}

void perf_comm(uint32_t pid, const char *name)
{
    put_record(COMM, 16 + pad(strlen(name)));
    put_le(pid, 4);
    put_le(pid, 4);
    put_padded(name);
}

void perf_map(uint32_t pid, uint64_t start, uint64_t length, const char *path)
{
    put_record(MAP, 40 + pad(strlen(path)));
    put_le(pid, 4);
    put_le(pid, 4);
    put_le(start, 8);
    put_le(length, 8);
    put_le(0, 8);
    put_padded(path);
}

void perf_sample(uint32_t pid, uint64_t time_ns, uint64_t period, const uint64_t *chain, unsigned n)
{
    put_record(SAMPLE, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8 * (uint64_t)n);
    put_le(chain[0], 8);
    put_le(pid, 4);
    put_le(pid, 4);
    put_le(time_ns, 8);
    put_le(period, 8);
    put_le(n + 1, 8);
    put_le((uint64_t)-512, 8); /* of the process */
    for (unsigned i = 0; i < n; i++) {
        put_le(chain[i], 8);
    }
}

void perf_end(const char *path, uint64_t symbols)
{
    const uint64_t at = (uint64_t)ftell(out), records = at - (uint64_t)begin;
    /* a name has 10 bytes and a zero: "f000000001" */
    const uint64_t library = strlen(path) + 1 + 4 + 8 + 4 + symbols * (8 + 4 + 11) + 8;
    put_section(at + 16, 4 + library);
    put_le(library, 4);
    put(path, strlen(path) + 1);
    put_le(2, 4);
    put_le(0, 8);
    put_le(symbols, 4);
    for (uint64_t i = symbols; i-- > 0;) {
        char name[32];
        snprintf(name, sizeof name, "f%09llu", (unsigned long long)(i % 1000000000));
        put_le(i * 128, 8);
        put_le(128, 4);
        put(name, 11);
    }
    put_le(0, 8);
    rewind(out);
    put_header(records);
}
