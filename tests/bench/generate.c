/* Writes Android method traces of any size that look like real ones, the same on every machine.
 *
 * Every method has a fixed short list of callees. Each thread works off messages: a call with a
 * budget of calls below it, of which each callee gets a part, so that some pass nearly all of it on
 * (deep chains) and most are small. While there are fewer distinct paths than the curve of a
 * square root asks for, a message may go where none went before; all others repeat known paths, the
 * first ones most often (Zipf). The simulation runs twice: the text in front of the records holds
 * numbers that are known only at the end. */
#include "names.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTER, EXIT, UNWIND };
enum { DUAL, WALL, CPU };

#define N_METHODS    4096u
#define MAX_CALLEES  12u
#define N_WAITS      4u
#define N_SMALL      900u /* small methods of the platform, called from everywhere */
#define NO_NODE      UINT32_MAX
#define MAX_DEPTH    250000u
#define MAX_THREADS  65000u
#define FIRST_THREAD 12500u /* ART: ids of Linux; the main thread's is the process id */

typedef struct {
    uint64_t records, paths, seed;
    unsigned threads, depth, clock;
    double one_share; /* of the records for one thread; 0 = as it comes */
    bool streaming;
    const char *output;
} options;

typedef struct {
    uint16_t callees[MAX_CALLEES];
    uint8_t n_callees;
    uint8_t loops; /* a call site in a loop: the mean of its turns */
    uint8_t cost;  /* in some 0.1 us */
    bool passes_on, used;
} method;

typedef struct {
    uint32_t first_child, last_child, next_sibling, n_children;
    uint32_t method;
} node;

typedef struct {
    uint32_t node, loop_node;
    uint32_t budget, loops_left;
} frame;

typedef struct {
    frame *stack;
    uint32_t depth, base, root, capacity;
    uint32_t unwinding;
    uint64_t cpu_us, cpu_tenths;
    uint32_t to_exit; /* exits of calls that were open before the trace */
    bool fresh, known, waiting;
} thread;

typedef struct {
    options opt;
    uint64_t random;
    method methods[N_METHODS];
    node *nodes;
    uint64_t n_nodes, node_capacity, n_paths;
    thread *threads;
    uint64_t wall_us, wall_tenths, n_records;
    uint32_t max_depth;
    uint64_t depth_sum;
    FILE *file;
} world;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(2);
}

static void *must(void *memory)
{
    if (memory == NULL) {
        fail("out of memory");
    }
    return memory;
}

/* ---- chance ---- */

static uint64_t next_random(world *w) /* splitmix64 */
{
    uint64_t z = w->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(world *w, uint32_t n)
{
    return (uint32_t)((next_random(w) >> 32) * n >> 32);
}

static bool chance(world *w, uint32_t in, uint32_t of)
{
    return below(w, of) < in;
}

/* A rank below n, rank k about as often as 1 / (k + 1). */
static uint32_t pick_rank(world *w, uint32_t n)
{
    uint32_t bits = 0;
    while ((n >> bits) > 1) {
        bits++;
    }
    const uint32_t low = 1u << below(w, bits + 1);
    const uint32_t rank = low - 1 + below(w, low);
    return rank < n ? rank : below(w, n);
}

/* ---- the program that is traced ---- */

static uint32_t pick_callee(world *w, uint32_t caller, bool large)
{
    if (!large && chance(w, 45, 100)) {
        return N_WAITS + pick_rank(w, N_SMALL);
    }
    if (chance(w, 2, 100)) {
        return caller; /* recursion */
    }
    const uint32_t rest = N_METHODS - N_WAITS - N_SMALL;
    if (caller >= N_WAITS + N_SMALL && chance(w, 70, 100)) {
        const uint32_t near = caller - N_WAITS - N_SMALL + rest + below(w, 61) - 20;
        return N_WAITS + N_SMALL + near % rest;
    }
    return N_WAITS + N_SMALL + below(w, rest);
}

static void make_methods(world *w)
{
    for (uint32_t i = 0; i < N_METHODS; i++) {
        method *m = &w->methods[i];
        const bool small = i < N_WAITS + N_SMALL;
        const bool leaf = i < N_WAITS || chance(w, small ? 75 : 15, 100);
        m->n_callees = leaf ? 0 : (uint8_t)(1 + below(w, small ? 3 : MAX_CALLEES));
        m->passes_on = !small && chance(w, 70, 100);
        m->loops = chance(w, leaf ? 30 : 4, 100) ? (uint8_t)(2 + pick_rank(w, 60)) : 1;
        m->cost = (uint8_t)(1 + pick_rank(w, 60));
        for (uint32_t c = 0; c < m->n_callees; c++) {
            m->callees[c] = (uint16_t)pick_callee(w, i, m->passes_on && c == 0);
        }
    }
}

/* ---- paths ---- */

static uint32_t add_node(world *w, uint32_t parent, uint32_t m)
{
    if (w->n_nodes == w->node_capacity) {
        w->node_capacity = w->node_capacity == 0 ? 4096 : w->node_capacity * 2;
        w->nodes = must(realloc(w->nodes, w->node_capacity * sizeof *w->nodes));
    }
    const uint32_t i = (uint32_t)w->n_nodes++;
    w->nodes[i] = (node){NO_NODE, NO_NODE, NO_NODE, 0, m};
    if (parent != NO_NODE) {
        node *p = &w->nodes[parent];
        if (p->n_children++ == 0) {
            p->first_child = i;
        } else {
            w->nodes[p->last_child].next_sibling = i;
        }
        p->last_child = i;
        w->n_paths++;
    }
    return i;
}

static uint32_t take_child(world *w, uint32_t parent, uint32_t m)
{
    for (uint32_t i = w->nodes[parent].first_child; i != NO_NODE; i = w->nodes[i].next_sibling) {
        if (w->nodes[i].method == m) {
            return i;
        }
    }
    return add_node(w, parent, m);
}

static uint32_t pick_known_child(world *w, uint32_t parent)
{
    if (w->nodes[parent].n_children == 0) {
        return NO_NODE;
    }
    uint32_t rank = pick_rank(w, w->nodes[parent].n_children);
    uint32_t i = w->nodes[parent].first_child;
    while (rank-- > 0) {
        i = w->nodes[i].next_sibling;
    }
    return i;
}

static uint64_t paths_by_now(const world *w)
{
    return (uint64_t)((double)w->opt.paths * sqrt((double)w->n_records / (double)w->opt.records));
}

/* ---- records ---- */

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static void write_bytes(world *w, const void *bytes, size_t n)
{
    if (w->file != NULL && fwrite(bytes, 1, n, w->file) != n) {
        fail(strerror(errno));
    }
}

static void write_method_packet(world *w, uint32_t m)
{
    char line[512];
    const int n = format_method(line, sizeof line, m);
    const uint8_t head[5] = {0, 0, 1, (uint8_t)n, (uint8_t)(n >> 8)};
    write_bytes(w, head, sizeof head);
    write_bytes(w, line, (size_t)n);
}

static void write_thread_packet(world *w, uint32_t t)
{
    char name[64];
    const int n = format_thread(name, sizeof name, t);
    uint8_t head[7] = {0, 0, 2};
    put(head + 3, FIRST_THREAD + t, 2);
    put(head + 5, (uint64_t)n, 2);
    write_bytes(w, head, sizeof head);
    write_bytes(w, name, (size_t)n);
}

/* Most steps are below a microsecond: several records then share one time. */
static void pass_time(world *w, thread *t, uint32_t m)
{
    uint64_t tenths = 1 + below(w, 3u * w->methods[m].cost + 4u);
    if (chance(w, 1, 500)) {
        tenths += below(w, 4000);
    }
    w->wall_tenths += tenths;
    t->cpu_tenths += tenths - (chance(w, 1, 20) ? tenths / 4 : 0);
    w->wall_us += w->wall_tenths / 10;
    w->wall_tenths %= 10;
    t->cpu_us += t->cpu_tenths / 10;
    t->cpu_tenths %= 10;
}

static void emit(world *w, thread *t, uint32_t m, unsigned action)
{
    pass_time(w, t, m);
    const uint32_t number = (uint32_t)(t - w->threads);
    if (w->opt.streaming && !t->known) {
        write_thread_packet(w, number);
    }
    if (w->opt.streaming && !w->methods[m].used) {
        write_method_packet(w, m);
    }
    t->known = w->methods[m].used = true;
    uint8_t record[14];
    put(record, FIRST_THREAD + number, 2);
    put(record + 2, (uint64_t)m << 2 | action, 4);
    put(record + 6, w->opt.clock == WALL ? w->wall_us : t->cpu_us, 4);
    put(record + 10, w->wall_us, 4);
    write_bytes(w, record, w->opt.clock == DUAL ? 14 : 10);
    w->n_records++;
    w->depth_sum += t->depth;
    w->max_depth = t->depth > w->max_depth ? t->depth : w->max_depth;
}

/* ---- threads ---- */

static void enter(world *w, thread *t, uint32_t node_number, uint32_t budget)
{
    if (t->depth == t->capacity) {
        t->capacity = t->capacity == 0 ? 64 : t->capacity * 2;
        t->stack = must(realloc(t->stack, t->capacity * sizeof *t->stack));
    }
    t->stack[t->depth++] = (frame){node_number, NO_NODE, budget, 0};
    emit(w, t, w->nodes[node_number].method, ENTER);
}

static void leave(world *w, thread *t, unsigned action)
{
    const uint32_t m = w->nodes[t->stack[t->depth - 1].node].method;
    emit(w, t, m, action);
    t->depth--;
}

static uint32_t top_node(const thread *t)
{
    return t->depth == 0 ? t->root : t->stack[t->depth - 1].node;
}

static void begin_message(world *w, thread *t)
{
    const uint32_t parent = top_node(t);
    t->fresh = w->nodes[parent].n_children == 0 || w->n_paths < paths_by_now(w);
    /* sizes of messages: as often above n as 1 / n */
    const uint32_t budget = 1 + pick_rank(w, 40000);
    uint32_t child = NO_NODE;
    if (t->fresh) {
        const uint32_t rest = N_METHODS - N_WAITS - N_SMALL;
        const uint32_t module = (uint32_t)(t - w->threads) % 8 * (rest / 8);
        const uint32_t m = N_WAITS + N_SMALL + (module + pick_rank(w, rest / 8)) % rest;
        child = take_child(w, parent, m);
    } else {
        child = pick_known_child(w, parent);
    }
    enter(w, t, child, budget);
}

static uint32_t pick_budget(world *w, const frame *f, const method *callee)
{
    if (callee->n_callees == 0 || f->budget == 0) {
        return 0;
    }
    if (callee->passes_on) {
        return (uint32_t)((uint64_t)f->budget * (75 + below(w, 25)) / 100);
    }
    return pick_rank(w, f->budget);
}

/* The next call of the innermost one, or FALSE when it has made all. */
static bool call_next(world *w, thread *t)
{
    frame *f = &t->stack[t->depth - 1];
    if (f->loops_left > 0) {
        f->loops_left--;
        enter(w, t, f->loop_node, 0);
        return true;
    }
    const method *m = &w->methods[w->nodes[f->node].method];
    if (f->budget == 0 || m->n_callees == 0 || t->depth >= w->opt.depth) {
        return false;
    }
    if (chance(w, 1, 50)) {
        t->fresh = w->n_paths < paths_by_now(w);
    }
    const bool fresh = t->fresh && w->n_paths < w->opt.paths;
    const uint32_t child = fresh ? take_child(w, f->node, m->callees[pick_rank(w, m->n_callees)])
                                 : pick_known_child(w, f->node);
    if (child == NO_NODE) {
        return false;
    }
    const method *callee = &w->methods[w->nodes[child].method];
    const uint32_t budget = pick_budget(w, f, callee);
    f->budget -= budget < f->budget ? budget + 1 : f->budget;
    if (callee->n_callees == 0 && callee->loops > 1) {
        f->loop_node = child;
        f->loops_left = below(w, 2u * callee->loops);
    }
    enter(w, t, child, budget);
    return true;
}

/* One record of the thread. Returns whether it goes on, that is: does not wait now. */
static bool step(world *w, thread *t)
{
    if (t->to_exit > 0) {
        emit(w, t, N_METHODS - t->to_exit--, EXIT);
        return true;
    }
    if (t->waiting) {
        t->waiting = false;
        leave(w, t, EXIT);
        return true;
    }
    if (t->unwinding > 0) {
        t->unwinding = t->depth - 1 > t->base ? t->unwinding - 1 : 0;
        leave(w, t, UNWIND);
        return true;
    }
    if (t->depth == t->base) {
        if (chance(w, 40, 100)) {
            t->waiting = true;
            enter(w, t, take_child(w, top_node(t), (uint32_t)(t - w->threads) % N_WAITS), 0);
            return false;
        }
        begin_message(w, t);
        return true;
    }
    if (!call_next(w, t)) {
        leave(w, t, EXIT);
    } else if (chance(w, 1, 3000)) {
        t->unwinding = 1 + pick_rank(w, 12);
    }
    return true;
}

/* The first thread is the main one: its first records end the calls that began the trace. The
 * others enter calls that stay open until the end. */
static void begin_thread(world *w, uint32_t number)
{
    thread *t = &w->threads[number];
    t->root = add_node(w, NO_NODE, 0);
    t->cpu_us = number % 3 == 2 ? 2000 + below(w, 500000) : 0;
    if (number == 0) {
        t->to_exit = 3;
        return;
    }
    t->base = 1 + number % 3;
    for (uint32_t i = 0; i < t->base && w->n_records < w->opt.records; i++) {
        enter(w, t, take_child(w, top_node(t), N_METHODS - 4 - i), 0);
    }
}

static uint32_t pick_thread(world *w)
{
    if (w->opt.one_share > 0) {
        const bool one = (double)below(w, 1000000) < w->opt.one_share * 1e6;
        return one || w->opt.threads == 1 ? 0 : 1 + below(w, w->opt.threads - 1);
    }
    return chance(w, 30, 100) ? 0 : pick_rank(w, w->opt.threads);
}

static void run(world *w)
{
    w->random = w->opt.seed;
    w->n_nodes = w->n_paths = w->n_records = w->depth_sum = 0;
    w->wall_us = w->wall_tenths = 0;
    make_methods(w);
    for (uint32_t i = 0; i < N_METHODS; i++) {
        w->methods[i].used = false;
    }
    for (uint32_t i = 0; i < w->opt.threads; i++) {
        const thread t = {.root = NO_NODE, .stack = w->threads[i].stack, .capacity = w->threads[i].capacity};
        w->threads[i] = t;
    }
    while (w->n_records < w->opt.records) {
        const uint32_t number = pick_thread(w);
        thread *t = &w->threads[number];
        if (t->root == NO_NODE) {
            begin_thread(w, number);
        }
        /* equal shares of records, though threads wait: bursts end by count only */
        uint32_t burst = 40 + below(w, 720);
        while (burst-- > 0 && w->n_records < w->opt.records) {
            if (!step(w, t)) {
                w->wall_us += 20 + pick_rank(w, 3000);
            }
        }
    }
}

/* ---- the text ---- */

static void write_text(world *w, FILE *out, bool methods)
{
    static const char *const clocks[] = {"dual", "wall", "thread-cpu"};
    fprintf(out, "*version\n%u\ndata-file-overflow=false\nclock=%s\nelapsed-time-usec=%llu\n",
            w->opt.clock == DUAL ? 3 : 2, clocks[w->opt.clock], (unsigned long long)w->wall_us);
    if (!w->opt.streaming) {
        fprintf(out, "num-method-calls=%llu\n", (unsigned long long)w->opt.records);
    }
    fprintf(out, "clock-call-overhead-nsec=214\nvm=art\npid=%u\n*threads\n", FIRST_THREAD);
    for (uint32_t i = 0; i < w->opt.threads; i++) {
        char name[64];
        format_thread(name, sizeof name, i);
        fprintf(out, "%u\t%s\n", FIRST_THREAD + i, name);
    }
    fputs("*methods\n", out);
    for (uint32_t i = 0; methods && i < N_METHODS; i++) {
        char line[512];
        if (w->methods[i].used) {
            format_method(line, sizeof line, i);
            fputs(line, out);
        }
    }
    fputs("*end\n", out);
}

static void write_header(world *w)
{
    uint8_t header[32] = "SLOW";
    const unsigned version = w->opt.clock == DUAL ? 3 : 2;
    put(header + 4, w->opt.streaming ? version | 0xf0 : version, 2);
    put(header + 6, sizeof header, 2);
    put(header + 8, UINT64_C(1700000000000000), 8);
    /* ART stores the size of a record from version 3 on, and in all streams */
    put(header + 16, w->opt.clock == DUAL ? 14 : w->opt.streaming ? 10 : 0, 2);
    write_bytes(w, header, sizeof header);
}

static void write_summary(world *w)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = must(open_memstream(&text, &length));
    write_text(w, out, false);
    fclose(out);
    uint8_t head[7] = {0, 0, 3};
    put(head + 3, length, 4);
    write_bytes(w, head, sizeof head);
    write_bytes(w, text, length);
    free(text);
}

static void write_trace(world *w)
{
    FILE *file = fopen(w->opt.output, "wb");
    if (file == NULL) {
        fail(strerror(errno));
    }
    w->file = NULL;
    run(w);
    if (!w->opt.streaming) {
        write_text(w, file, true);
    }
    w->file = file;
    write_header(w);
    run(w);
    if (w->opt.streaming) {
        write_summary(w);
    }
    if (fclose(file) != 0) {
        fail(strerror(errno));
    }
}

/* ---- the command line ---- */

static const char usage[] =
    "usage: generate [options] -o FILE\n"
    "  --records N       records (default 4100000)\n"
    "  --threads N       threads (default 24)\n"
    "  --depth N         calls are at most this deep (default 60)\n"
    "  --clock C         dual, wall or cpu (default dual)\n"
    "  --paths N         distinct paths aimed at (default 136000 for 4.1 million records,\n"
    "                    else by the square root)\n"
    "  --seed N          another trace of the same kind (default 1)\n"
    "  --streaming       as a stream of packets\n"
    "  --one-thread S    one thread has this share of the records, such as 0.97\n";

static unsigned parse_clock(const char *name)
{
    return strcmp(name, "dual") == 0   ? DUAL
           : strcmp(name, "wall") == 0 ? WALL
           : strcmp(name, "cpu") == 0  ? CPU
                                       : (fail("unknown clock"), 0u);
}

static options parse_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"records", required_argument, NULL, 'r'},    {"threads", required_argument, NULL, 't'},
        {"depth", required_argument, NULL, 'd'},      {"clock", required_argument, NULL, 'c'},
        {"paths", required_argument, NULL, 'p'},      {"seed", required_argument, NULL, 's'},
        {"one-thread", required_argument, NULL, '1'}, {"streaming", no_argument, NULL, 'S'},
        {"help", no_argument, NULL, 'h'},             {NULL, 0, NULL, 0}};
    options opt = {.records = 4100000, .seed = 1, .threads = 24, .depth = 60, .clock = DUAL};
    for (int c; (c = getopt_long(argc, argv, "o:h", names, NULL)) != -1;) {
        switch (c) {
        case 'r': opt.records = strtoull(optarg, NULL, 10); break;
        case 't': opt.threads = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'd': opt.depth = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'c': opt.clock = parse_clock(optarg); break;
        case 'p': opt.paths = strtoull(optarg, NULL, 10); break;
        case 's': opt.seed = strtoull(optarg, NULL, 10); break;
        case '1': opt.one_share = strtod(optarg, NULL); break;
        case 'S': opt.streaming = true; break;
        case 'o': opt.output = optarg; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    }
    if (opt.output == NULL || optind != argc || opt.records == 0 || opt.threads == 0 ||
        opt.threads > MAX_THREADS - FIRST_THREAD || opt.depth < 4 || opt.depth > MAX_DEPTH) {
        fputs(usage, stderr);
        exit(2);
    }
    if (opt.paths == 0) {
        opt.paths = (uint64_t)(136000 * sqrt((double)opt.records / 4.1e6));
    }
    return opt;
}

int main(int argc, char **argv)
{
    static world w;
    w.opt = parse_options(argc, argv);
    w.threads = must(calloc(w.opt.threads, sizeof *w.threads));
    write_trace(&w);
    printf("%s: %llu records, %llu distinct paths, depth up to %u, %.1f on average, %.3f s\n",
           w.opt.output, (unsigned long long)w.n_records, (unsigned long long)w.n_paths,
           w.max_depth, (double)w.depth_sum / (double)w.n_records, (double)w.wall_us / 1e6);
    for (uint32_t i = 0; i < w.opt.threads; i++) {
        free(w.threads[i].stack);
    }
    free(w.threads);
    free(w.nodes);
    return 0;
}
