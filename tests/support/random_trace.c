/* random_trace SEED FILE
 *
 * Writes a V1 trace that dmtracedump reads to its end: calls match and thread ids are below 32,768.
 * Everything else that such a file may contain occurs over many seeds: recursion, exits on an empty
 * stack, calls that stay open, ids without a line, lines with the same id or the same names, method
 * lines with any number of columns, a clock that steps back, a truncated last record. The same seed
 * gives the same bytes on every machine. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 12, MOST_THREADS = 5, MOST_OPEN = 400 };

static uint64_t state;

static unsigned roll(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 20) % n;
}

/* True once in `n` times on average. */
static int once_in(unsigned n)
{
    return roll(n) == 0;
}

static const char *pick(const char *const *words, unsigned n)
{
    return words[roll(n)];
}

#define PICK(...)                                                                                  \
    pick((const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static uint32_t ids[MOST_METHODS + 2]; /* the last two have no line */
static unsigned n_ids;

static void write_method(FILE *file)
{
    const uint32_t id = (once_in(3) ? roll(1u << 30) : roll(24)) << 2;
    for (unsigned i = 0; i < n_ids; i++) {
        if (ids[i] == id && !once_in(3)) {
            return;
        }
    }
    ids[n_ids++] = id;
    const unsigned kind = roll(20);
    fprintf(file, once_in(3) ? "%u\t" : "0x%08x\t", id);
    if (kind == 0) {
        fprintf(file, "%s\n", PICK("lonely", "a name", "$Proxy2"));
    } else if (kind == 1) {
        fprintf(file, "%s\t%s\n", PICK("a.A", "z.Z"), PICK("run", "<init>"));
    } else {
        fprintf(file, "%s\t%s\t%s%s\n", PICK("a.A", "a.B", "$Proxy2", "b/C", "(x", "z.Z", ""),
                PICK("m", "n", "<init>", "run"), PICK("()V", "(I)V", ""),
                PICK("", "\tA.java", "\tA.java\t12", "\t\t3", "\tx\ty\tz"));
    }
}

static void put(FILE *file, uint32_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        fputc((int)(value >> 8 * i & 0xff), file);
    }
}

static void write_text(FILE *file, unsigned version, const unsigned *threads, unsigned n_threads)
{
    fprintf(file, "*version\n%u\nclock=%s\nvm=%s\n*threads\n", version,
            version == 3 ? "dual" : PICK("wall", "thread-cpu"), PICK("art", "dalvik"));
    for (unsigned i = 0; i < n_threads; i++) {
        fprintf(file, "%u\t%s\n", threads[i], PICK("main", "T", "", "x y"));
    }
    fprintf(file, "*methods\n");
    const unsigned n = 1 + roll(MOST_METHODS);
    for (unsigned i = 0; i < n; i++) {
        write_method(file);
    }
    fprintf(file, "*end\n");
    put(file, 0x574f4c53, 4);
    put(file, version, 2);
    put(file, 32, 2);
    put(file, 12345, 4);
    put(file, 0, 4);
    put(file, version == 3 ? 14 : 0, 2);
    for (unsigned i = 18; i < 32; i++) {
        put(file, 0, 1);
    }
}

typedef struct {
    uint32_t open[MOST_OPEN], cpu, wall;
    unsigned depth;
} thread_state;

/* The next call or return of the thread, as the word of a record. */
static uint32_t act(thread_state *t)
{
    const unsigned known = n_ids - 2;
    if (t->depth > 0 && (once_in(2) || t->depth == MOST_OPEN)) {
        const uint32_t id = t->open[--t->depth];
        /* dmtracedump merges all ids without a line */
        const int has_line = id != ids[known] && id != ids[known + 1];
        return (has_line ? id : ids[known + roll(2)]) | (once_in(4) ? 2 + roll(2) : 1);
    }
    if (t->depth == 0 && once_in(3)) {
        return ids[roll(n_ids)] | 1;
    }
    return t->open[t->depth++] = ids[once_in(2) ? roll(known < 2 ? known : 2) : roll(n_ids)];
}

static void write_records(FILE *file, unsigned version, const unsigned *threads, unsigned n_threads)
{
    static thread_state states[MOST_THREADS];
    const int steps_back = once_in(10);
    const unsigned n = (unsigned[]){1, 5, 60, 300}[roll(4)];
    for (unsigned i = 0; i < n_threads; i++) {
        states[i].cpu = once_in(2) ? roll(5000) : 0;
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned which = roll(n_threads);
        thread_state *t = &states[which];
        t->cpu += (unsigned[]){0, 0, 1, 5, 100}[roll(5)];
        t->wall += roll(8);
        if (steps_back && once_in(10)) {
            t->cpu -= t->cpu < 50 ? t->cpu : 50;
        }
        put(file, threads[which], version == 1 ? 1 : 2);
        put(file, act(t), 4);
        put(file, t->cpu, 4);
        if (version == 3) {
            put(file, t->wall, 4);
        }
    }
    if (once_in(10)) {
        put(file, 1, 1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: random_trace SEED FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[2], "wb");
    if (file == NULL) {
        perror(argv[2]);
        return 1;
    }
    state = strtoull(argv[1], NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (unsigned i = 0; i < 10; i++) {
        roll(2);
    }
    const unsigned version = (unsigned[]){1, 2, 3, 3}[roll(4)];
    unsigned threads[MOST_THREADS];
    const unsigned n_threads = 1 + roll(MOST_THREADS);
    const int few = once_in(2);
    for (unsigned i = 0; i < n_threads; i++) {
        const unsigned apart = version == 1 || few ? 50 : 5000;
        threads[i] = 1 + i * apart + roll(apart);
    }
    write_text(file, version, threads, n_threads);
    ids[n_ids++] = (roll(1u << 28) | 1u << 29) << 2;
    ids[n_ids++] = (roll(1u << 28) | 1u << 29) << 2;
    write_records(file, version, threads, n_threads);
    return fclose(file) == 0 ? 0 : 1;
}
