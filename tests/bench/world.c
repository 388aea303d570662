#include "world.h"
#include "names.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTER, EXIT, UNWIND };

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "generate: %s\n", what);
    exit(2);
}

void *must(void *memory)
{
    if (memory == NULL) {
        fail("out of memory");
    }
    return memory;
}

/* ---- randomness ---- */

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

/* A rank below n; rank k has a probability of about 1 / (k + 1). */
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
        const bool leaf = i < N_WAITS || chance(w, small ? 75 : 6, 100);
        m->n_callees = leaf ? 0 : (uint8_t)(1 + below(w, small ? 3 : MAX_CALLEES));
        m->passes_on = !small && chance(w, 70, 100);
        m->loops = leaf && chance(w, 8, 100) ? (uint8_t)(2 + pick_rank(w, 20)) : 1;
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

void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

void write_bytes(world *w, const void *bytes, size_t n)
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
    t->stack[t->depth++] = (frame){node_number, NO_NODE, NO_NODE, budget, 0};
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
    /* message sizes: the probability of more than n is about 1 / n */
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
        return (uint32_t)((uint64_t)f->budget * (94 + below(w, 6)) / 100);
    }
    return pick_rank(w, f->budget);
}

/* A method usually makes the same calls in the same order. */
static uint32_t go_on(world *w, const frame *f)
{
    if (f->last_child == NO_NODE) {
        return chance(w, 80, 100) ? w->nodes[f->node].first_child : pick_known_child(w, f->node);
    }
    const uint32_t next = w->nodes[f->last_child].next_sibling;
    if (next == NO_NODE) { /* the end, or repeat the whole list */
        return chance(w, 30, 100) ? w->nodes[f->node].first_child : NO_NODE;
    }
    return chance(w, 85, 100) ? next : pick_known_child(w, f->node);
}

/* In a tower, a call makes one call, rarely a second one. */
static bool call_up(world *w, thread *t)
{
    frame *f = &t->stack[t->depth - 1];
    if (t->depth >= w->opt.depth || (f->last_child != NO_NODE && !chance(w, 1, 100))) {
        return false;
    }
    if (chance(w, 1, 50)) {
        t->fresh = w->n_paths < paths_by_now(w);
    }
    const uint32_t m = w->nodes[f->node].method;
    const method *caller = &w->methods[m];
    const uint32_t first = N_WAITS + N_SMALL;
    uint32_t child = t->fresh ? NO_NODE : pick_known_child(w, f->node);
    if (child == NO_NODE) {
        const uint32_t callee = caller->n_callees > 0 ? caller->callees[below(w, caller->n_callees)]
                                                      : first + (m + 1) % (N_METHODS - first);
        child = take_child(w, f->node, callee);
    }
    f->last_child = child;
    enter(w, t, child, 0);
    return true;
}

/* The next call of the innermost one, or FALSE if it has made all. */
static bool call_next(world *w, thread *t)
{
    if (w->opt.towers) {
        return call_up(w, t);
    }
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
    const uint32_t child =
        fresh ? take_child(w, f->node, m->callees[pick_rank(w, m->n_callees)]) : go_on(w, f);
    if (child == NO_NODE) {
        return false;
    }
    f->last_child = child;
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

/* One record of the thread. Returns FALSE if the thread waits now. */
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

/* The first thread is the main one: its first records end the calls open before the trace. The
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

void run(world *w)
{
    w->random = w->opt.seed;
    w->n_nodes = w->n_paths = w->n_records = w->depth_sum = 0;
    w->wall_us = w->wall_tenths = 0;
    make_methods(w);
    for (uint32_t i = 0; i < N_METHODS; i++) {
        w->methods[i].used = false;
    }
    for (uint32_t i = 0; i < w->opt.threads; i++) {
        const thread t = {
            .root = NO_NODE, .stack = w->threads[i].stack, .capacity = w->threads[i].capacity};
        w->threads[i] = t;
    }
    while (w->n_records < w->opt.records) {
        const uint32_t number = pick_thread(w);
        thread *t = &w->threads[number];
        if (t->root == NO_NODE) {
            begin_thread(w, number);
        }
        /* equal shares of records, despite waits: only the number of records ends a burst */
        uint32_t burst = 40 + below(w, 720);
        while (burst-- > 0 && w->n_records < w->opt.records) {
            if (!step(w, t)) {
                w->wall_us += 20 + pick_rank(w, 3000);
            }
        }
    }
}
