/* Writes Android method traces of any size that look like real ones, the same on every machine.
 *
 * Every method has a fixed short list of callees. Threads process messages: a call with a budget of
 * nested calls, which it divides among its callees. A few callees get nearly all of it (deep chains), most
 * get little. Message number N of a thread makes the same calls each time. A new one comes while
 * there are fewer than a square-root curve requires; all others repeat known ones, the first ones
 * most often (Zipf). With --towers, a message makes one chain of calls down to the full depth. */
#include "names.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTER, EXIT, UNWIND };

enum {
    METHODS = 4096,
    CALLEES = 12,
    WAITS = 4,
    SMALL = WAITS + 900,  /* small methods of the platform, called from everywhere */
    FIRST_THREAD = 12500, /* ART: Linux ids; the main thread's is the process id */
    MOST_THREADS = 1000,
    MOST_DEPTH = 10000,
    MOST_BUDGET = 1000,
};

typedef struct {
    uint64_t cpu_tenths; /* of us */
    uint64_t messages;   /* the numbers below it are known */
    bool begun;
} thread;

static struct {
    uint64_t records, seed;
    unsigned threads, depth;
    bool towers;
    const char *output;
} opt = {.records = 4100000, .seed = 1, .threads = 24, .depth = 60};

static FILE *file;
static thread threads[MOST_THREADS];
static uint64_t wall_tenths, n_records, n_messages, random_state;
static unsigned unwinding; /* calls that an exception still ends */

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(2);
}

/* ---- randomness ---- */

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((next_random(state) >> 32) * n >> 32);
}

static bool chance(uint64_t *state, uint32_t in, uint32_t of)
{
    return below(state, of) < in;
}

/* A rank below n; rank k has a probability of about 1 / (k + 1). */
static uint32_t pick_rank(uint64_t *state, uint32_t n)
{
    uint32_t bits = 0;
    while ((n >> bits) > 1) {
        bits++;
    }
    const uint32_t low = 1u << below(state, bits + 1);
    const uint32_t rank = low - 1 + below(state, low);
    return rank < n ? rank : below(state, n);
}

/* ---- the program that is traced ---- */

typedef struct {
    uint16_t callees[CALLEES];
    uint8_t n_callees;
    uint8_t loops; /* a call site in a loop: the mean number of iterations */
    uint8_t cost;  /* in units of about 0.1 us */
    bool passes_on;
} method;

static method methods[METHODS];

static uint32_t pick_callee(uint32_t caller, bool large)
{
    if (!large && chance(&random_state, 45, 100)) {
        return WAITS + pick_rank(&random_state, SMALL - WAITS);
    }
    if (chance(&random_state, 2, 100)) {
        return caller; /* recursion */
    }
    const uint32_t rest = METHODS - SMALL;
    if (caller >= SMALL && chance(&random_state, 70, 100)) {
        return SMALL + (caller - SMALL + rest + below(&random_state, 61) - 20) % rest;
    }
    return SMALL + below(&random_state, rest);
}

static void make_methods(void)
{
    for (uint32_t i = 0; i < METHODS; i++) {
        method *m = &methods[i];
        const bool small = i < SMALL;
        const bool leaf = i < WAITS || chance(&random_state, small ? 75 : 6, 100);
        m->n_callees = leaf ? 0 : (uint8_t)(1 + below(&random_state, small ? 3 : CALLEES));
        m->passes_on = !small && chance(&random_state, 70, 100);
        m->loops =
            leaf && chance(&random_state, 8, 100) ? (uint8_t)(2 + pick_rank(&random_state, 20)) : 1;
        m->cost = (uint8_t)(1 + pick_rank(&random_state, 60));
        for (uint32_t c = 0; c < m->n_callees; c++) {
            m->callees[c] = (uint16_t)pick_callee(i, m->passes_on && c == 0);
        }
    }
}

/* ---- records ---- */

static void put(uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        putc((int)(value >> 8 * i & 255), file);
    }
}

/* Most steps are below a microsecond: several records then share one time. */
static void emit(thread *t, uint32_t number, unsigned action)
{
    if (n_records == opt.records) {
        return; /* the calls stay open */
    }
    uint64_t tenths = 1 + below(&random_state, 3u * methods[number].cost + 4u);
    if (chance(&random_state, 1, 500)) {
        tenths += below(&random_state, 4000);
    }
    wall_tenths += tenths;
    t->cpu_tenths += tenths - (chance(&random_state, 1, 20) ? tenths / 4 : 0);
    put(FIRST_THREAD + (uint64_t)(t - threads), 2);
    put((uint64_t)number << 2 | action, 4);
    put(t->cpu_tenths / 10, 4);
    put(wall_tenths / 10, 4);
    n_records++;
}

/* The structure of a message comes from its `state` alone. */
static void call(thread *t, uint32_t number, unsigned depth, uint32_t budget, uint64_t *state)
{
    const method *m = &methods[number];
    emit(t, number, ENTER);
    bool more = depth < opt.depth && (opt.towers || (m->n_callees > 0 && budget > 0));
    while (more && unwinding == 0 && n_records < opt.records) {
        const uint32_t next = m->n_callees > 0 ? m->callees[pick_rank(state, m->n_callees)]
                                               : SMALL + (number + 1) % (METHODS - SMALL);
        const method *callee = &methods[next];
        uint32_t share = 0;
        if (callee->n_callees > 0 && budget > 0) {
            share = callee->passes_on ? (uint32_t)((uint64_t)budget * (94 + below(state, 6)) / 100)
                                      : pick_rank(state, budget);
        }
        uint32_t times =
            callee->loops > 1 && !opt.towers ? 1 + below(state, 2u * callee->loops) : 1;
        while (times-- > 0 && unwinding == 0) {
            call(t, next, depth + 1, share, state);
        }
        budget -= share < budget ? share + 1 : budget;
        more = opt.towers ? chance(state, 1, 100) : budget > 0;
    }
    if (unwinding == 0 && chance(&random_state, 1, 6000)) {
        unwinding = 1 + pick_rank(&random_state, 12);
    }
    emit(t, number, unwinding > 0 ? UNWIND : EXIT);
    unwinding -= unwinding > 0;
}

/* ---- threads ---- */

/* The main thread first ends calls from before the trace; the others enter calls that stay open. */
static void begin_thread(thread *t)
{
    const uint32_t number = (uint32_t)(t - threads);
    for (uint32_t i = 0; i < (number == 0 ? 3 : 1 + number % 3); i++) {
        emit(t, METHODS - 4 - i, number == 0 ? EXIT : ENTER);
    }
    t->begun = true;
}

static void take_message(thread *t)
{
    const double done = (double)n_records / (double)opt.records;
    const double wanted = (opt.towers ? 1300 : 2100) * sqrt(done * (double)opt.records / 4.1e6);
    const uint64_t number = t->messages == 0 || (double)n_messages < wanted
                                ? t->messages++
                                : pick_rank(&random_state, (uint32_t)t->messages);
    n_messages += number + 1 == t->messages;
    uint64_t state = opt.seed << 48 | (uint64_t)(t - threads) << 32 | number;
    const uint32_t rest = METHODS - SMALL;
    const uint32_t module = (uint32_t)(t - threads) % 8 * (rest / 8);
    const uint32_t first = SMALL + (module + pick_rank(&state, rest / 8)) % rest;
    /* the probability of more than n calls is about 1 / n */
    call(t, first, 1, 1 + pick_rank(&state, MOST_BUDGET), &state);
    unwinding = 0;
}

/* A burst of messages, then the thread waits. */
static void run_thread(thread *t)
{
    if (!t->begun) {
        begin_thread(t);
    }
    do {
        take_message(t);
    } while (chance(&random_state, 60, 100) && n_records < opt.records);
    const uint32_t wait = (uint32_t)(t - threads) % WAITS;
    emit(t, wait, ENTER);
    wall_tenths += 200 + 10 * pick_rank(&random_state, 3000);
    emit(t, wait, EXIT);
}

static void write_trace(void)
{
    static const char head[] =
        "*version\n3\ndata-file-overflow=false\nclock=dual\nelapsed-time-usec=";
    char line[512];
    fprintf(file,
            "%s%020u\nnum-method-calls=%llu\nclock-call-overhead-nsec=214\nvm=art\npid=%u\n"
            "*threads\n",
            head, 0, (unsigned long long)opt.records, FIRST_THREAD);
    for (uint32_t i = 0; i < opt.threads; i++) {
        format_thread(line, sizeof line, i);
        fprintf(file, "%u\t%s\n", FIRST_THREAD + i, line);
    }
    fputs("*methods\n", file);
    for (uint32_t i = 0; i < METHODS; i++) {
        format_method(line, sizeof line, i);
        fputs(line, file);
    }
    fputs("*end\n", file);
    fputs("SLOW", file);
    put(3, 2);
    put(32, 2);
    put(UINT64_C(1700000000000000), 8);
    put(14, 2);
    put(0, 14);
    while (n_records < opt.records) {
        run_thread(
            &threads[chance(&random_state, 30, 100) ? 0 : pick_rank(&random_state, opt.threads)]);
    }
    if (fseek(file, sizeof head - 1, SEEK_SET) != 0 ||
        fprintf(file, "%020llu", (unsigned long long)(wall_tenths / 10)) != 20) {
        fail(strerror(errno));
    }
}

/* ---- the command line ---- */

static const char usage[] = "usage: generate [options] -o FILE\n"
                            "  --records N       records (default 4100000)\n"
                            "  --threads N       threads (default 24)\n"
                            "  --depth N         messages are at most this deep (default 60)\n"
                            "  --seed N          another trace of the same kind (default 1)\n"
                            "  --towers          every message calls down to the full depth\n";

static void parse_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"records", required_argument, NULL, 'r'}, {"threads", required_argument, NULL, 't'},
        {"depth", required_argument, NULL, 'd'},   {"seed", required_argument, NULL, 's'},
        {"towers", no_argument, NULL, 'T'},        {NULL, 0, NULL, 0}};
    bool known = true;
    for (int c; (c = getopt_long(argc, argv, "o:", names, NULL)) != -1;) {
        const unsigned long long number = optarg != NULL ? strtoull(optarg, NULL, 10) : 0;
        switch (c) {
        case 'r':
            opt.records = number;
            break;
        case 't':
            opt.threads = (unsigned)number;
            break;
        case 'd':
            opt.depth = (unsigned)number;
            break;
        case 's':
            opt.seed = number;
            break;
        case 'T':
            opt.towers = true;
            break;
        case 'o':
            opt.output = optarg;
            break;
        default:
            known = false;
        }
    }
    if (!known || opt.output == NULL || optind != argc || opt.records == 0 || opt.threads == 0 ||
        opt.threads > MOST_THREADS || opt.depth < 4 || opt.depth > MOST_DEPTH) {
        fputs(usage, stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    parse_options(argc, argv);
    file = fopen(opt.output, "wb");
    if (file == NULL) {
        fail(strerror(errno));
    }
    random_state = opt.seed;
    make_methods();
    write_trace();
    if (fclose(file) != 0) {
        fail(strerror(errno));
    }
    printf("%s: %llu records, %.3f s\n", opt.output, (unsigned long long)n_records,
           (double)wall_tenths / 1e7);
    return 0;
}
