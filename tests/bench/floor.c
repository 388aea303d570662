/* The practical limit for reading a V1 trace on one core: map the file, decode each record, track
 * the open calls of each thread and add up the merged tree. Handles only well-formed files with
 * text, such as generate writes (not streams): no names, no checks, no repairs.
 *
 * A thread needs no stack besides the tree: the parent of the open call is its caller. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NONE UINT32_MAX

typedef struct {
    uint64_t self_wall, self_cpu; /* the only clock of a file counts as wall */
    uint32_t parent, method, calls;
    uint32_t last_child; /* the child entered last: most calls of a loop are to it */
} node;

typedef struct {
    uint32_t method, child; /* the parent is stored in the child's node */
} slot;

typedef struct {
    uint32_t open; /* the innermost open call, or the root */
    uint32_t root, first_root;
    uint64_t wall, cpu;
} thread;

typedef struct {
    const uint8_t *at, *end;
    unsigned size; /* for each record */
    bool wall, cpu;
} records;

typedef struct {
    node *nodes;
    slot *slots;
    uint32_t n_nodes, capacity, mask;
    thread *threads[65536]; /* by the id in the records */
} floor_tree;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "floor: %s\n", what);
    exit(2);
}

static void *must(void *memory)
{
    if (memory == NULL) {
        fail("out of memory");
    }
    return memory;
}

static inline uint32_t hash(uint32_t parent, uint32_t method)
{
    const uint64_t key = (uint64_t)parent << 32 | method;
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static void insert(floor_tree *f, uint32_t i)
{
    const node *n = &f->nodes[i];
    uint32_t at = hash(n->parent, n->method) & f->mask;
    while (f->slots[at].child != 0) {
        at = (at + 1) & f->mask;
    }
    f->slots[at] = (slot){n->method, i};
}

static void resize(floor_tree *f, uint32_t capacity)
{
    node *nodes = must(aligned_alloc(64, capacity * sizeof *nodes));
    if (f->n_nodes > 0) {
        memcpy(nodes, f->nodes, f->n_nodes * sizeof *nodes);
    }
    free(f->nodes);
    free(f->slots);
    f->nodes = nodes;
    f->capacity = capacity;
    f->mask = capacity * 2 - 1;
    f->slots = must(calloc(f->mask + 1, sizeof *f->slots));
    for (uint32_t i = 1; i < f->n_nodes; i++) {
        if (f->nodes[i].parent != NONE) {
            insert(f, i);
        }
    }
}

static uint32_t add(floor_tree *f, uint32_t parent, uint32_t method)
{
    if (f->n_nodes == f->capacity) {
        resize(f, f->capacity * 2);
    }
    const uint32_t i = f->n_nodes++;
    f->nodes[i] = (node){.parent = parent, .method = method};
    if (parent != NONE) {
        insert(f, i);
    }
    return i;
}

static inline uint32_t take_child(floor_tree *f, uint32_t parent, uint32_t method)
{
    const uint32_t last = f->nodes[parent].last_child;
    if (f->nodes[last].method == method && last != 0) {
        return last;
    }
    uint32_t at = hash(parent, method) & f->mask;
    for (; f->slots[at].child != 0; at = (at + 1) & f->mask) {
        if (f->slots[at].method == method && f->nodes[f->slots[at].child].parent == parent) {
            return f->nodes[parent].last_child = f->slots[at].child;
        }
    }
    const uint32_t child = add(f, parent, method);
    return f->nodes[parent].last_child = child;
}

/* Calls open before the trace have only exits. */
static void adopt(floor_tree *f, thread *t, uint32_t method)
{
    const uint32_t root = add(f, NONE, NONE);
    node *inner = &f->nodes[t->root];
    inner->parent = root;
    inner->method = method;
    inner->calls = 1;
    insert(f, t->root);
    t->root = t->open = root;
}

static thread *begin_thread(floor_tree *f, const records *r, unsigned id, uint64_t first)
{
    thread *t = f->threads[id] = must(calloc(1, sizeof *t));
    t->root = t->first_root = t->open = add(f, NONE, NONE);
    if (r->cpu) { /* ART does not always reset it */
        t->cpu = first <= 1000 ? 0 : first;
        t->wall = r->wall ? 0 : t->cpu;
    }
    return t;
}

static inline uint32_t read_u4(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

__attribute__((always_inline)) static inline void read_all(floor_tree *f, const records *r,
                                                           const unsigned size, const bool dual)
{
    unsigned id = 0;
    thread *t = NULL;
    for (const uint8_t *at = r->at; (size_t)(r->end - at) >= size; at += size) {
        const unsigned now = (unsigned)at[0] | (unsigned)at[1] << 8;
        const uint32_t call = read_u4(at + 2);
        const uint32_t first = read_u4(at + 6);
        const uint32_t wall = dual ? read_u4(at + 10) : first;
        if (now != id || t == NULL) {
            id = now;
            t = f->threads[id];
            if (t == NULL) {
                t = begin_thread(f, r, id, first);
            }
        }
        node *open = &f->nodes[t->open];
        /* 32 bits wide: the difference is right across a wrap of the clock */
        const uint32_t wall_step = wall - (uint32_t)t->wall;
        open->self_wall += wall_step;
        t->wall += wall_step;
        if (dual) {
            const uint32_t cpu_step = first - (uint32_t)t->cpu;
            open->self_cpu += cpu_step;
            t->cpu += cpu_step;
        }
        if ((call & 3) == 0) {
            t->open = take_child(f, t->open, call >> 2);
            f->nodes[t->open].calls++;
        } else if (open->parent != NONE) {
            t->open = open->parent;
        } else {
            adopt(f, t, call >> 2);
        }
    }
}

/* Closes the calls open at the end of the trace, then runs the backward pass. Nodes come after
 * their parents, except for the roots of a thread. */
static uint64_t *sum(floor_tree *f, const records *r)
{
    uint64_t end = 0;
    for (unsigned id = 0; id < 65536; id++) {
        const thread *t = f->threads[id];
        end = t != NULL && t->wall > end ? t->wall : end;
    }
    for (unsigned id = 0; id < 65536; id++) {
        thread *t = f->threads[id];
        if (t != NULL && r->wall) {
            f->nodes[t->open].self_wall += end - t->wall;
        }
    }
    uint64_t(*inclusive)[2] = must(calloc(f->n_nodes, sizeof *inclusive));
    for (uint32_t i = f->n_nodes; i-- > 1;) {
        inclusive[i][0] += f->nodes[i].self_wall;
        inclusive[i][1] += f->nodes[i].self_cpu;
        const uint32_t parent = f->nodes[i].parent;
        if (parent < i) {
            inclusive[parent][0] += inclusive[i][0];
            inclusive[parent][1] += inclusive[i][1];
        }
    }
    for (unsigned id = 0; id < 65536; id++) {
        const thread *t = f->threads[id];
        for (uint32_t i = t != NULL ? t->first_root : 0; i != 0 && f->nodes[i].parent != NONE;) {
            const uint32_t parent = f->nodes[i].parent;
            inclusive[parent][0] += inclusive[i][0];
            inclusive[parent][1] += inclusive[i][1];
            i = parent;
        }
    }
    return &inclusive[0][0];
}

static void print_sums(const floor_tree *f, const records *r, const uint64_t *inclusive)
{
    uint64_t self[2] = {0, 0}, check = 0, calls = 0;
    uint32_t paths = 0;
    for (uint32_t i = 1; i < f->n_nodes; i++) {
        const node *n = &f->nodes[i];
        if (n->parent == NONE) {
            continue;
        }
        paths++;
        calls += n->calls;
        self[0] += n->self_wall;
        self[1] += n->self_cpu;
        check += (inclusive[2 * (size_t)i] * 31 + inclusive[2 * (size_t)i + 1]) * (n->method + 1);
    }
    printf("nodes %u\ncalls %llu\n", paths, (unsigned long long)calls);
    if (r->wall || r->cpu) {
        printf("%s_us %llu\n", r->wall ? "wall" : "cpu", (unsigned long long)self[0]);
    }
    if (r->wall && r->cpu) {
        printf("cpu_us %llu\n", (unsigned long long)self[1]);
    }
    printf("checksum %016llx\n", (unsigned long long)check);
}

/* ---- the file ---- */

static records find_records(const uint8_t *file, size_t length)
{
    static const char mark[] = "\n*end\nSLOW";
    const uint8_t *found = memmem(file, length, mark, sizeof mark - 1);
    if (found == NULL) {
        fail("no text followed by records");
    }
    const uint8_t *head = found + sizeof mark - 1 - 4;
    if ((size_t)(file + length - head) < 32) {
        fail("no records");
    }
    const unsigned version = head[4];
    const unsigned offset = (unsigned)head[6] | (unsigned)head[7] << 8;
    if ((version != 2 && version != 3) || offset > (size_t)(file + length - head)) {
        fail("not a trace for this program");
    }
    const bool cpu_only = memmem(file, (size_t)(found - file), "\nclock=thread-cpu\n", 18) != NULL;
    return (records){.at = head + offset,
                     .end = file + length,
                     .size = version == 3 ? 14 : 10,
                     .wall = !cpu_only,
                     .cpu = version == 3 || cpu_only};
}

static const uint8_t *map_file(const char *path, size_t *length)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size == 0) {
        fail(errno != 0 ? strerror(errno) : "empty file");
    }
    *length = (size_t)status.st_size;
    void *map = mmap(NULL, *length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (map == MAP_FAILED) {
        fail(strerror(errno));
    }
    close(fd);
    return map;
}

/* Traces have a new path in some 30 records, long ones fewer. An oversized table is slow. */
static uint32_t first_capacity(const records *r)
{
    uint32_t capacity = 1u << 10;
    while (capacity < (1u << 18) && capacity < (size_t)(r->end - r->at) / r->size / 30) {
        capacity *= 2;
    }
    return capacity;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fail("usage: floor TRACE");
    }
    const double begin = now_ms();
    size_t length = 0;
    const uint8_t *file = map_file(argv[1], &length);
    const records r = find_records(file, length);
    static floor_tree f;
    resize(&f, first_capacity(&r));
    f.n_nodes = 1;
    f.nodes[0] = (node){.parent = NONE, .method = NONE};
    if (r.size == 14) {
        read_all(&f, &r, 14, true);
    } else {
        read_all(&f, &r, 10, false);
    }
    const double read_ms = now_ms() - begin;
    const uint64_t *inclusive = sum(&f, &r);
    const double sum_ms = now_ms() - begin - read_ms;
    print_sums(&f, &r, inclusive);
    printf("read_ms %.2f\nsum_ms %.2f\n", read_ms, sum_ms);
    return 0; /* the exit of the process frees everything */
}
