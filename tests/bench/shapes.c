/* Traces that could make a program slow: each has one dimension that grows with its size.
 *   shapes                    lists the shapes: name, a size that takes about a second, the tasks
 *                             (a ! after the size: four times it is as large as it needs to be)
 *   shapes SHAPE SIZE -o FILE
 * growth.sh runs the command on them and measures how the time grows. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "output.h"

static void put_repeated(const char *text, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        put(text, strlen(text));
    }
}

static size_t make_leb(uint8_t *to, uint64_t value, bool sign)
{
    size_t n = 0;
    for (;;) {
        const uint8_t low = value & 0x7F;
        value = sign ? (uint64_t)((int64_t)value >> 7) : value >> 7;
        const bool last = sign
                              ? (value == 0 && !(low & 0x40)) || (value == UINT64_MAX && low & 0x40)
                              : value == 0;
        to[n++] = last ? low : low | 0x80;
        if (last) {
            return n;
        }
    }
}

/* ---- V1: text, then records of 10 bytes in wall time ---- */

enum { ENTER, EXIT, UNWIND };

static void begin_text(void)
{
    fprintf(out, "*version\n2\ndata-file-overflow=false\nclock=wall\nvm=art\npid=1\n");
}

static void begin_threads(void)
{
    fprintf(out, "*threads\n1\tmain\n");
}

static void begin_methods(void)
{
    begin_text();
    begin_threads();
    fprintf(out, "*methods\n");
}

/* The method as class, tab, name; ids ascend by 4. */
__attribute__((format(printf, 2, 3))) static void put_method(uint64_t index, const char *format,
                                                             ...)
{
    va_list list;
    fprintf(out, "0x%" PRIx64 "\t", index << 2);
    va_start(list, format);
    vfprintf(out, format, list);
    va_end(list);
    fprintf(out, "\t()V\tA.java\n");
}

static void begin_records(void)
{
    static const uint8_t header[32] = {'S', 'L', 'O', 'W', 2, 0, 32};
    fprintf(out, "*end\n");
    put(header, sizeof header);
}

static uint32_t now_us;

static void put_record(uint32_t thread, uint32_t method, unsigned action)
{
    put_le(thread, 2);
    put_le(method << 2 | action, 4);
    put_le(now_us += 10, 4);
}

/* Methods m0, m1 ... */
static void put_plain_methods(uint64_t methods)
{
    for (uint64_t i = 0; i < methods; i++) {
        put_method(i, "com.example.Main\tm%" PRIu64, i);
    }
}

static void begin_plain(uint64_t methods)
{
    begin_methods();
    put_plain_methods(methods);
    begin_records();
}

static void put_records(uint64_t n, uint32_t method, unsigned action)
{
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, method, action);
    }
}

static void call(uint32_t method)
{
    put_record(1, method, ENTER);
    put_record(1, method, EXIT);
}

static void call_each(uint64_t methods)
{
    for (uint64_t i = 0; i < methods; i++) {
        call((uint32_t)i);
    }
}

/* ---- V2: nanoseconds, one clock ---- */

static void begin_v2(unsigned version)
{
    const uint8_t header[32] = {'S', 'L', 'O', 'W', (uint8_t)version};
    put(header, sizeof header);
}

static void put_v2_thread(uint32_t id, const char *name)
{
    put_le(0, 1);
    put_le(id, 4);
    put_le(strlen(name), 2);
    put(name, strlen(name));
}

static void put_v2_method(uint64_t id, const char *name)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "com.example.Main\t%s\t()V\tA.java\t1\n", name);
    put_le(1, 1);
    put_le(id, 8);
    put_le((uint64_t)length, 2);
    put(line, (size_t)length);
}

/* A block with one call of 10 us that starts at `ns`. */
static void put_v2_call(uint32_t thread, uint64_t method, uint64_t ns)
{
    uint8_t bytes[64];
    size_t n = make_leb(bytes, method, true);
    n += make_leb(bytes + n, ns, false);
    n += make_leb(bytes + n, 1, true);
    n += make_leb(bytes + n, 10000, false);
    put_le(2, 1);
    put_le(thread, 4);
    put_le(2, 3);
    put_le(n, 4);
    put(bytes, n);
}

/* The same calls in V2, with both clocks: a block per 1,000 records. */
static uint8_t block[64 * 1024];
static size_t block_length;
static uint64_t block_last[3];
static unsigned block_records;

static void put_v2_block(void)
{
    put_le(2, 1);
    put_le(1, 4);
    put_le(block_records, 3);
    put_le(block_length, 4);
    put(block, block_length);
    block_length = block_records = 0;
    memset(block_last, 0, sizeof block_last);
}

static void put_v2_record(uint32_t method, unsigned action)
{
    now_us += 10;
    const uint64_t now[3] = {(method + 1) << 2 | action, UINT64_C(1000) * now_us,
                             UINT64_C(500) * now_us};
    for (unsigned i = 0; i < 3; i++) {
        block_length += make_leb(block + block_length, now[i] - block_last[i], i == 0);
        block_last[i] = now[i];
    }
    if (++block_records == 1000) {
        put_v2_block();
    }
}

static void end_v2(unsigned version, const char *clock)
{
    char text[128];
    const int length = snprintf(text, sizeof text,
                                "*version\n%u\ndata-file-overflow=false\nclock=%s\n"
                                "elapsed-time-nsec=1000000\nvm=art\n*end\n",
                                version, clock);
    put_le(3, 1);
    put_le((uint64_t)length, 2);
    put(text, (size_t)length);
}

/* ---- calls ---- */

static void deep(uint64_t n)
{
    begin_plain(1);
    put_records(n, 0, ENTER);
    put_records(n, 0, EXIT);
}

static void unmatched(uint64_t n)
{
    begin_plain(3);
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, (uint32_t)i % 2, ENTER);
    }
    put_records(n, 2, EXIT);
}

/* A matching exit of a deep call, then the stack grows again. */
static void missing(uint64_t n)
{
    begin_plain(2);
    put_record(1, 0, ENTER);
    put_records(n, 1, ENTER);
    put_record(1, 0, EXIT);
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, 0, ENTER);
        put_record(1, 1, ENTER);
        put_record(1, 0, EXIT);
    }
}

static void adopted(uint64_t n)
{
    begin_plain(2);
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, 0, ENTER);
        put_record(1, 0, EXIT);
        put_record(1, 1, EXIT);
    }
}

static void unwound(uint64_t n)
{
    begin_plain(n);
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, (uint32_t)i, ENTER);
        put_record(1, (uint32_t)i, UNWIND);
    }
}

static void wide(uint64_t n)
{
    begin_plain(n);
    call_each(n);
}

/* A chain, with one additional call at each level. */
static void comb(uint64_t n)
{
    begin_plain(3);
    for (uint64_t i = 0; i < n; i++) {
        put_record(1, 0, ENTER);
        call(1);
        call(2);
    }
    put_records(n, 0, EXIT);
}

/* A hundred levels, each with many children. */
static void bushy(uint64_t n)
{
    begin_plain(n / 100 + 100);
    for (uint32_t level = 0; level < 100; level++) {
        put_record(1, level, ENTER);
        for (uint64_t i = 0; i < n / 100; i++) {
            call((uint32_t)(100 + i));
        }
    }
    for (uint32_t level = 100; level-- > 0;) {
        put_record(1, level, EXIT);
    }
}

/* No path occurs twice: the digits of a counter, in base 16. */
static void paths(uint64_t n)
{
    begin_plain(16);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t digits[16];
        unsigned n_digits = 0;
        for (uint64_t rest = i; n_digits < 5; rest /= 16) {
            digits[n_digits++] = rest % 16;
        }
        for (unsigned d = n_digits; d-- > 0;) {
            put_record(1, digits[d], ENTER);
        }
        for (unsigned d = 0; d < n_digits; d++) {
            put_record(1, digits[d], EXIT);
        }
    }
}

/* Every call has its own path, with few methods: a tree in which each node has sixteen children. */
static void walk_distinct(uint64_t n, void (*record)(uint32_t method, unsigned action))
{
    uint32_t stack[64], depth = 0, next = 0;
    for (uint64_t left = n; left > 0 || depth > 0;) {
        if (left > 0 && depth < 6 && next < 16) {
            record(next, ENTER);
            stack[depth++] = next;
            next = 0;
            left--;
        } else if (depth > 0) {
            record(stack[--depth], EXIT);
            next = stack[depth] + 1;
        } else {
            next = 0; /* the tree is full */
        }
    }
}

static void put_main_record(uint32_t method, unsigned action)
{
    put_record(1, method, action);
}

static void distinct(uint64_t n)
{
    begin_plain(16);
    walk_distinct(n, put_main_record);
}

/* The same with both clocks: V1 with records of 14 bytes. */
static void put_dual_record(uint32_t method, unsigned action)
{
    put_le(1, 2);
    put_le(method << 2 | action, 4);
    put_le(now_us / 2, 4);
    put_le(now_us += 10, 4);
}

static void distinct_dual(uint64_t n)
{
    static const uint8_t header[32] = {'S', 'L', 'O', 'W', 3, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14};
    fprintf(out, "*version\n3\ndata-file-overflow=false\nclock=dual\nvm=art\npid=1\n");
    begin_threads();
    fprintf(out, "*methods\n");
    put_plain_methods(16);
    fprintf(out, "*end\n");
    put(header, sizeof header);
    walk_distinct(n, put_dual_record);
}

static void distinct_v2(uint64_t n)
{
    begin_v2(5);
    for (uint32_t i = 0; i < 16; i++) {
        char name[32];
        snprintf(name, sizeof name, "m%u", i);
        put_v2_method((uint64_t)(i + 1) << 2, name);
    }
    put_v2_thread(1, "main");
    walk_distinct(n, put_v2_record);
    put_v2_block();
    end_v2(5, "dual");
}

/* Threads that take turns at every record. */
static void turns(uint64_t n)
{
    begin_plain(2);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t thread = 1 + (uint32_t)i * 7 % 1000;
        put_record(thread, 1, i / 1000 % 2 == 0 ? ENTER : EXIT);
    }
}

/* A sampler in which every interval differs. */
static void steps(uint64_t n)
{
    begin_plain(4);
    for (uint64_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 4; k++) {
            put_le(1, 2);
            put_le(k << 2 | (i % 2 == 0 ? ENTER : EXIT), 4);
            put_le(now_us, 4);
        }
        now_us += 8192 + (uint32_t)i % 500000;
    }
}

/* ---- threads ---- */

static void threads(uint64_t n)
{
    begin_v2(4);
    put_v2_method(16, "run");
    for (uint64_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "pool-%llu", (unsigned long long)i);
        put_v2_thread((uint32_t)i + 1, name);
        put_v2_call((uint32_t)i + 1, 16, i * 1000);
    }
    end_v2(4, "wall");
}

/* Pairs of threads with one name; that name followed by the id is the name of a third thread. */
static void titles(uint64_t n)
{
    begin_v2(4);
    put_v2_method(16, "run");
    put_v2_method(32, "a;b");
    for (uint64_t i = 0; i < n; i++) {
        const unsigned trio = (unsigned)i / 3 * 3;
        char name[64];
        snprintf(name, sizeof name, i % 3 == 2 ? "pool %u [%u]" : "pool %u", trio, trio + 1);
        put_v2_thread((uint32_t)i + 1, name);
        put_v2_call((uint32_t)i + 1, i % 2 == 0 ? 16 : 32, i * 1000);
    }
    end_v2(4, "wall");
}

/* The same thread listed repeatedly, under different names. */
static void listed(uint64_t n)
{
    begin_text();
    begin_threads();
    for (uint64_t i = 0; i < n; i++) {
        fprintf(out, "%llu\tT%llu\n", (unsigned long long)(i % 100 + 1), (unsigned long long)i);
    }
    fprintf(out, "*methods\n");
    put_method(0, "a.B\tc");
    begin_records();
    for (uint32_t i = 0; i < 100; i++) {
        put_record(i + 1, 0, ENTER);
        put_record(i + 1, 0, EXIT);
    }
}

static void headers(uint64_t n)
{
    begin_text();
    put_repeated("*threads\n1\tmain\n*methods\n\n\n", n);
    put_method(0, "a.B\tc");
    begin_records();
    call(0);
}

static void facts(uint64_t n)
{
    begin_text();
    for (uint64_t i = 0; i < n; i++) {
        fprintf(out, "key%llu=value\n", (unsigned long long)i);
    }
    put_repeated("*threads\n1\tmain\n*methods\n", 1);
    put_method(0, "a.B\tc");
    begin_records();
    call(0);
}

/* ---- names ---- */

static void equal_names(uint64_t n)
{
    begin_methods();
    for (uint64_t i = 0; i < n; i++) {
        put_method(i, "com.example.Main\trun");
    }
    begin_records();
    call_each(n);
}

/* One name as long as the size, drawn in forty places that fit a part of it. */
static void long_name(uint64_t n, const char *repeated)
{
    enum { SITES = 40 };
    begin_methods();
    fprintf(out, "0x0\tcom.example.Main\tm");
    put_repeated(repeated, n / strlen(repeated));
    fprintf(out, "\t()V\tA.java\n");
    for (uint32_t i = 1; i <= SITES; i++) {
        put_method(i, "com.example.Main\tm%u", (unsigned)i);
    }
    begin_records();
    for (uint32_t i = 1; i <= SITES; i++) {
        put_record(1, i, ENTER);
        call(0);
        put_record(1, i, EXIT);
    }
}

static void long_ascii(uint64_t n)
{
    long_name(n, "x");
}

/* Zero-width characters: a text of any length fits everywhere. */
static void long_marks(uint64_t n)
{
    long_name(n, "\xcc\x81");
}

static void long_arabic(uint64_t n)
{
    long_name(n, "\xd8\xa7\xd9\x84 ");
}

static void long_broken(uint64_t n)
{
    long_name(n, "\xff\x01");
}

/* A package with as many components as the size. */
static void long_package(uint64_t n)
{
    begin_text();
    fprintf(out, "*threads\n1\t");
    put_repeated("thread.", n / 7);
    fprintf(out, "\n*methods\n0x0\t");
    put_repeated("com.", n / 4);
    fprintf(out, "Main\trun\t(");
    put_repeated("[I", n / 2);
    fprintf(out, ")V\tA.java\n");
    begin_records();
    call(0);
}

static void packages(uint64_t n)
{
    begin_methods();
    for (uint64_t i = 0; i < n; i++) {
        put_method(i, "c%" PRIu64 ".d%" PRIu64 ".Main\trun", i % 1000, i);
    }
    begin_records();
    call_each(n);
}

/* Half of the methods are used but not defined, the others defined but not used. */
static void proxies(uint64_t n)
{
    begin_methods();
    put_method(0, "a.B\tc");
    for (uint64_t i = n; i < 2 * n; i++) {
        put_method(i, "a.Interface\tm%" PRIu64, i);
    }
    for (uint64_t i = 0; i < 100; i++) {
        put_method(n / 2 + i, "a.Target\tm%" PRIu64, n + i);
    }
    begin_records();
    for (uint64_t i = 1; i < n / 2; i++) {
        put_record(1, (uint32_t)i, ENTER);
        call((uint32_t)(n / 2 + i % 100));
        put_record(1, (uint32_t)i, EXIT);
    }
}

/* ---- ids and names that collide in a hash table ---- */

/* A publicly known constant: the multiplier of most integer hash tables. */
#define KNOWN UINT64_C(0x9E3779B97F4A7C15)

static uint64_t invert(uint64_t odd)
{
    uint64_t inverse = odd;
    for (unsigned i = 0; i < 6; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

static void colliding_ids(uint64_t n)
{
    const uint64_t inverse = invert(KNOWN);
    begin_v2(4);
    for (uint64_t i = 1; i <= n; i++) {
        put_v2_method((i << 2) * inverse, "run");
    }
    for (uint64_t i = 1; i <= n; i++) {
        put_v2_call(1, (i << 2) * inverse, i * 10000);
    }
    end_v2(4, "wall");
}

/* Numbers with equal halves: GLib's hash of all of them is 0. */
static void colliding_halves(uint64_t n)
{
    begin_v2(4);
    for (uint64_t i = 1; i <= n; i++) {
        put_v2_method((i << 2) | (i << 34), "run");
        put_v2_call(1, (i << 2) | (i << 34), i * 20000);
    }
    end_v2(4, "wall");
}

/* One path, its rows numbered in sequence: each next method puts its row into the same slot as the
 * others. */
static void colliding_paths(uint64_t n)
{
    enum { METHODS = 4096 };
    uint64_t slots = 4096;
    while (slots < 2 * n) {
        slots *= 2;
    }
    begin_plain(METHODS);
    for (uint64_t row = 0; row < n; row++) {
        uint32_t method = 0;
        while (method + 1 < METHODS &&
               (((row << 32 | method) * KNOWN >> 32) & (slots - 1)) >= slots / 1024) {
            method++;
        }
        put_record(1, method, ENTER);
    }
}

enum { COLLIDING = 24 };

/* "ab" and "bA" collide in every string hash that multiplies by 33. */
static const char *collide(char name[2 * COLLIDING + 1], uint64_t number)
{
    for (unsigned bit = 0; bit < COLLIDING; bit++) {
        memcpy(name + 2 * bit, (number >> bit & 1) != 0 ? "bA" : "ab", 3);
    }
    return name;
}

static void colliding_names(uint64_t n)
{
    begin_methods();
    for (uint64_t i = 0; i < n; i++) {
        char name[2 * COLLIDING + 1];
        put_method(i, "com.example.Main\t%s", collide(name, i));
    }
    begin_records();
    call_each(n);
}

static void colliding_packages(uint64_t n)
{
    begin_text();
    begin_threads();
    for (uint64_t i = 0; i < n; i++) {
        char name[2 * COLLIDING + 1];
        fprintf(out, "2\t%s\n", collide(name, i));
    }
    fprintf(out, "*methods\n");
    for (uint64_t i = 0; i < n; i++) {
        char name[2 * COLLIDING + 1];
        put_method(i, "org.%s.Main\trun", collide(name, i));
    }
    begin_records();
    call_each(n);
    put_record(2, 0, ENTER);
    put_record(2, 0, EXIT);
}

/* ---- packets ---- */

static void stream(uint64_t n)
{
    static const uint8_t header[32] = {'S', 'L', 'O', 'W', 0xF2, 0, 32, 0, 0,
                                       0,   0,   0,   0,   0,    0, 0,  10};
    put(header, sizeof header);
    for (uint64_t i = 1; i <= n; i++) {
        const uint32_t thread = 1 + (uint32_t)i % 60000;
        char line[64];
        int length = snprintf(line, sizeof line, "0x%llx\ta.B\tm%llu\t()V\tA.java\n",
                              (unsigned long long)i * 4, (unsigned long long)i);
        put("\0\0\1", 3);
        put_le((uint64_t)length, 2);
        put(line, (size_t)length);
        length = snprintf(line, sizeof line, "T%llu", (unsigned long long)i);
        put("\0\0\2", 3);
        put_le(thread, 2);
        put_le((uint64_t)length, 2);
        put(line, (size_t)length);
        put_record(thread, (uint32_t)i, ENTER);
        put_record(thread, (uint32_t)i, EXIT);
    }
}

static void blocks(uint64_t n)
{
    begin_v2(4);
    put_v2_method(16, "run");
    for (uint64_t i = 0; i < n; i++) {
        put_v2_call(1, 16, i * 20000);
    }
}

/* ---- gzip ---- */

/* Returns bytes that the caller frees. */
static uint8_t *pack(const void *bytes, size_t length, int level, size_t *packed)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)length};
    if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        fail("deflate");
    }
    *packed = deflateBound(&z, (uLong)length);
    uint8_t *to = malloc(*packed);
    z.next_out = to;
    z.avail_out = (uInt)*packed;
    if (to == NULL || deflate(&z, Z_FINISH) != Z_STREAM_END) {
        fail("deflate");
    }
    *packed -= z.avail_out;
    deflateEnd(&z);
    return to;
}

static void put_member(const void *bytes, size_t length)
{
    size_t n;
    uint8_t *packed = pack(bytes, length, 1, &n);
    put(packed, n);
    free(packed);
}

/* One member per few records. */
static void members(uint64_t n)
{
    FILE *const file = out;
    char *text;
    size_t length;
    out = open_memstream(&text, &length);
    begin_plain(1);
    for (uint64_t i = 0; i < n; i++) {
        call(0);
    }
    fclose(out);
    out = file;
    for (size_t at = 0; at < length; at += 40) {
        put_member(text + at, length - at < 40 ? length - at : 40);
    }
    free(text);
}

/* `n` copies of a member with a megabyte that compresses to one kilobyte, after `head`; all of it
 * is compressed again: ten gigabytes become some forty kilobytes. */
static void put_bomb(const char *head, size_t head_length, const void *mega, size_t mega_length,
                     uint64_t n)
{
    FILE *const file = out;
    char *once;
    size_t length, packed;
    uint8_t *member = pack(mega, mega_length, 9, &packed);
    out = open_memstream(&once, &length);
    put_member(head, head_length);
    for (uint64_t i = 0; i < n; i++) {
        put(member, packed);
    }
    fclose(out);
    out = file;
    put_member(once, length);
    free(member);
    free(once);
}

/* As many megabytes of zero-length calls. */
static void bomb(uint64_t n)
{
    enum { RECORDS = 104858 };
    FILE *const file = out;
    char *head, *records;
    size_t head_length, length;
    out = open_memstream(&head, &head_length);
    begin_plain(1);
    fclose(out);
    out = open_memstream(&records, &length);
    for (unsigned i = 0; i < RECORDS; i++) {
        put_le(1, 2);
        put_le(i % 2 == 0 ? ENTER : EXIT, 4);
        put_le(10, 4);
    }
    fclose(out);
    out = file;
    put_bomb(head, head_length, records, length, n);
    free(head);
    free(records);
}

/* `as`: the tasks of growth.sh; convert is omitted where its text may grow faster than the input.
 * With a !, four times the size is more than any device records. */
static const shape shapes[] = {
    {"deep", 10000, "svg png pdf info explain", deep},
    {"unmatched", 50000, "! svg info", unmatched},
    {"missing", 10000, "svg info", missing},
    {"adopted", 10000, "svg info", adopted},
    {"unwound", 10000, "svg convert info explain", unwound},
    {"wide", 8000, "svg png pdf convert info explain", wide},
    {"comb", 10000, "svg png pdf info", comb},
    {"bushy", 20000, "svg png pdf convert info explain", bushy},
    {"paths", 20000, "svg png pdf convert info", paths},
    {"distinct", 50000, "svg png pdf convert info", distinct},
    {"distinct-dual", 50000, "info", distinct_dual},
    {"distinct-v2", 50000, "info", distinct_v2},
    {"turns", 20000, "svg convert info text", turns},
    {"steps", 20000, "info", steps},
    /* more than fit into the large pages that malloc() begins with */
    {"threads", 32768, "! svg png pdf info explain text", threads},
    /* converting takes half the memory, so twice this number fits */
    {"threads-folded", 16384, "! convert", threads},
    {"pages", 200, "all", threads},
    {"titles", 2500, "svg convert info", titles},
    {"listed", 20000, "svg convert info", listed},
    {"headers", 20000, "info", headers},
    {"facts", 10000, "svg info text", facts},
    {"equal-names", 250000, "! svg info", equal_names},
    {"long-ascii", 200000, "svg png pdf info", long_ascii},
    {"long-marks", 200000, "svg png pdf info", long_marks},
    {"long-arabic", 200000, "svg png pdf info", long_arabic},
    {"long-broken", 100000, "svg png pdf info", long_broken},
    {"long-package", 200000, "svg png pdf convert info", long_package},
    {"packages", 8000, "svg convert info", packages},
    {"proxies", 10000, "svg info", proxies},
    {"colliding-ids", 10000, "svg convert info", colliding_ids},
    {"colliding-halves", 10000, "svg convert info", colliding_halves},
    {"colliding-paths", 20000, "info", colliding_paths},
    {"colliding-names", 8000, "svg convert info", colliding_names},
    {"colliding-packages", 5000, "svg convert info", colliding_packages},
    {"stream", 5000, "svg convert info", stream},
    {"blocks", 20000, "svg convert info", blocks},
    {"members", 4000, "info", members},
    {"bomb", 20, "! svg info", bomb},
};

int main(int argc, char **argv)
{
    return make_shape("shapes", shapes, sizeof shapes / sizeof *shapes, argc, argv);
}
