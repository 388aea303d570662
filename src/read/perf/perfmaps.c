#include <string.h>

#include "read/perf/perfdata.h"

/* The limit of mappings of all processes: a file of forks can require more copies than fit in
 * memory. */
#define MOST_MAPS (UINT64_C(4) << 20)

/* The limit of copied mappings in a file: short-lived processes can require any number. */
#define MOST_COPIES (UINT64_C(16) << 20)

struct af_perf_process {
    af_maps *maps;
    gboolean inherited; /* forked, and `maps` include the parent's mappings */
    unsigned live;      /* number of live threads */
};

static int compare_maps(const void *a, const void *b, void *user)
{
    const af_map *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* What a mapping, a thread and a process take with their entries in trees and tables. */
enum {
    MAP_BYTES = sizeof(af_map) + 64,
    TASK_BYTES = sizeof(af_perf_task) + 64,
    PROCESS_BYTES = 256
};

static void charge(af_perf_tasks *tasks, int64_t bytes)
{
    af_sink_meter(tasks->sink)->bytes += (uint64_t)bytes;
}

static af_maps *new_maps(void)
{
    return g_tree_new_full(compare_maps, NULL, g_free, NULL);
}

static void drop_maps(af_perf_tasks *tasks, af_maps *maps)
{
    const int64_t n = g_tree_nnodes(maps);
    tasks->n_maps -= (uint64_t)n;
    charge(tasks, -n * MAP_BYTES);
    g_tree_destroy(maps);
}

static void put_map(af_perf_tasks *tasks, af_maps *maps, const af_map *map)
{
    if (tasks->n_maps < MOST_MAPS) {
        af_map *copy = g_new(af_map, 1);
        *copy = *map;
        g_tree_insert(maps, copy, copy);
        tasks->n_maps++;
        charge(tasks, MAP_BYTES);
    } else {
        af_sink_warn(tasks->sink, AF_WARN_MANY_MAPS, 1, AF_NO_OFFSET);
    }
}

/* Returns the last mapping that starts at or before the address. */
static const af_map *find_before(af_maps *maps, uint64_t address)
{
    const af_map wanted = {.start = address};
    GTreeNode *node = g_tree_upper_bound(maps, &wanted);
    node = node != NULL ? g_tree_node_previous(node) : g_tree_node_last(maps);
    return node == NULL ? NULL : g_tree_node_key(node);
}

/* Removes the range from existing mappings; the parts around it remain. */
static void insert_map(af_perf_tasks *tasks, af_maps *maps, const af_map *map)
{
    const af_map *old;
    while ((old = find_before(maps, map->end - 1)) != NULL && old->end > map->start) {
        const af_map was = *old;
        g_tree_remove(maps, old);
        tasks->n_maps--;
        charge(tasks, -MAP_BYTES);
        if (was.end > map->end) {
            af_map right = was;
            right.start = map->end;
            right.offset += map->end - was.start;
            put_map(tasks, maps, &right);
        }
        if (was.start < map->start) {
            af_map left = was;
            left.end = map->start;
            put_map(tasks, maps, &left);
        }
    }
    put_map(tasks, maps, map);
}

static gboolean copy_map(void *key, void *value, void *user)
{
    void **to = user;
    insert_map(to[0], to[1], key);
    return FALSE;
}

/* A child gets its parent's mappings, over those that it has already. */
static void inherit_maps(af_perf_tasks *tasks, af_perf_process *child,
                         const af_perf_process *parent)
{
    void *to[] = {tasks, child->maps};
    const uint64_t n = (uint64_t)g_tree_nnodes(parent->maps);
    if (child->inherited) {
        return;
    }
    child->inherited = TRUE;
    if (n <= MOST_COPIES - MIN(tasks->n_copies, MOST_COPIES)) {
        tasks->n_copies += n;
        g_tree_foreach(parent->maps, copy_map, to);
    } else {
        af_sink_warn(tasks->sink, AF_WARN_MANY_MAPS, n, AF_NO_OFFSET);
    }
}

static void free_task(gpointer task)
{
    af_perf_away_clear(&((af_perf_task *)task)->away);
    g_free(task);
}

void af_perf_tasks_init(af_perf_tasks *tasks, af_sink *sink, af_symbols *symbols)
{
    *tasks = (af_perf_tasks){.sink = sink, .arena = af_arena_new(), .symbols = symbols};
    tasks->tasks = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_task);
    tasks->processes = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    tasks->kernel = new_maps();
}

void af_perf_tasks_clear(af_perf_tasks *tasks)
{
    GHashTableIter iter;
    gpointer process;
    g_hash_table_iter_init(&iter, tasks->processes);
    while (g_hash_table_iter_next(&iter, NULL, &process)) {
        drop_maps(tasks, ((af_perf_process *)process)->maps);
    }
    charge(tasks, -(int64_t)g_hash_table_size(tasks->processes) * PROCESS_BYTES);
    charge(tasks, -(int64_t)g_hash_table_size(tasks->tasks) * TASK_BYTES);
    g_hash_table_unref(tasks->processes);
    g_hash_table_unref(tasks->tasks);
    drop_maps(tasks, tasks->kernel);
    af_arena_free(tasks->arena);
}

static af_perf_task *look_up(const af_perf_tasks *tasks, uint32_t tid)
{
    return g_hash_table_lookup(tasks->tasks, GUINT_TO_POINTER(tid));
}

static af_perf_process *look_up_process(const af_perf_tasks *tasks, uint32_t pid)
{
    return g_hash_table_lookup(tasks->processes, GUINT_TO_POINTER(pid));
}

static af_perf_process *get_process(af_perf_tasks *tasks, uint32_t pid)
{
    af_perf_process *process = look_up_process(tasks, pid);
    if (process == NULL) {
        process = g_new0(af_perf_process, 1);
        process->maps = new_maps();
        charge(tasks, PROCESS_BYTES);
        g_hash_table_insert(tasks->processes, GUINT_TO_POINTER(pid), process);
    }
    return process;
}

/* Ends a thread; the last one also ends its process. */
static void end_task(af_perf_tasks *tasks, af_perf_task *task)
{
    af_perf_process *process = look_up_process(tasks, task->pid);
    if (!task->exited && process != NULL && --process->live == 0) {
        drop_maps(tasks, process->maps);
        charge(tasks, -PROCESS_BYTES);
        g_hash_table_remove(tasks->processes, GUINT_TO_POINTER(task->pid));
    }
    task->exited = TRUE;
}

static void begin_task(af_perf_tasks *tasks, af_perf_task *task, uint32_t pid, const char *comm)
{
    task->pid = pid;
    task->comm = comm;
    task->exited = FALSE;
    get_process(tasks, pid)->live++;
}

/* Starts a new thread that takes over the id and the row of any earlier thread with that id. */
static af_perf_task *put_task(af_perf_tasks *tasks, uint32_t pid, uint32_t tid, const char *comm)
{
    af_perf_task *task = look_up(tasks, tid);
    if (task != NULL) {
        end_task(tasks, task);
    } else {
        task = g_new0(af_perf_task, 1);
        charge(tasks, TASK_BYTES);
        task->tid = tid;
        task->number = UINT32_MAX;
        g_hash_table_insert(tasks->tasks, GUINT_TO_POINTER(tid), task);
    }
    begin_task(tasks, task, pid, comm);
    return task;
}

af_perf_task *af_perf_tasks_get(af_perf_tasks *tasks, uint32_t pid, uint32_t tid)
{
    af_perf_task *task = look_up(tasks, tid);
    if (task != NULL && task->pid == pid) {
        if (task->exited) {
            begin_task(tasks, task, pid, task->comm);
        }
        return task;
    }
    if (pid == tid) {
        return put_task(tasks, pid, tid, tid == 0 ? "swapper" : NULL);
    }
    return put_task(tasks, pid, tid, af_perf_tasks_get(tasks, pid, pid)->comm);
}

/* Returns a text that ends with a zero or at the end of the record. */
static const char *text_at(const af_perf_record *record, uint64_t at, size_t *length)
{
    *length =
        at >= record->length ? 0 : strnlen((const char *)record->bytes + at, record->length - at);
    return (const char *)record->bytes + at;
}

static void take_comm(af_perf_tasks *tasks, const af_perf_record *record)
{
    size_t length;
    if (record->length < 16) {
        return;
    }
    const uint32_t pid = af_load_u32(record->bytes + 8), tid = af_load_u32(record->bytes + 12);
    const char *comm = text_at(record, 16, &length);
    af_perf_task *task = af_perf_tasks_get(tasks, pid, tid);
    if (task->comm == NULL || strlen(task->comm) != length ||
        memcmp(task->comm, comm, length) != 0) {
        task->comm = af_arena_copy(tasks->arena, comm, length);
        charge(tasks, (int64_t)length);
    }
}

static void take_fork(af_perf_tasks *tasks, const af_perf_record *record)
{
    if (record->length < 24) {
        return;
    }
    const uint32_t pid = af_load_u32(record->bytes + 8), ppid = af_load_u32(record->bytes + 12);
    const uint32_t tid = af_load_u32(record->bytes + 16), ptid = af_load_u32(record->bytes + 20);
    if (tid == ptid || (pid != tid && pid != ppid)) {
        return;
    }
    const char *comm = af_perf_tasks_get(tasks, ppid, ptid)->comm;
    af_perf_tasks_get(tasks, pid, tid)->comm = comm;
    if (pid != ppid) {
        inherit_maps(tasks, get_process(tasks, pid), get_process(tasks, ppid));
    }
}

static void take_exit(af_perf_tasks *tasks, const af_perf_record *record)
{
    af_perf_task *task =
        record->length < 24 ? NULL : look_up(tasks, af_load_u32(record->bytes + 16));
    if (task != NULL) {
        end_task(tasks, task);
    }
}

static gboolean is_kernel(const af_perf_record *record)
{
    const unsigned mode = record->misc & 7;
    return mode == 1 || mode == 4;
}

static af_dso *find_dso(af_perf_tasks *tasks, const char *name, size_t length, gboolean kernel)
{
    af_symbols *symbols = tasks->symbols;
    static const char *const kernels[] = {"[kernel.kallsyms]", "[guest.kernel.kallsyms]", "[bpf]"};
    for (unsigned i = 0; kernel && i < G_N_ELEMENTS(kernels); i++) {
        const size_t n = strlen(kernels[i]);
        if (length >= n && memcmp(name, kernels[i], n) == 0) {
            return symbols->kernel;
        }
    }
    if ((length == 6 && memcmp(name, "//anon", 6) == 0) || length == 0) {
        return af_symbols_dso(symbols, "[unknown]", 9);
    }
    af_dso *dso = af_symbols_dso(symbols, name, length);
    if (dso != NULL && kernel && !dso->described) {
        dso->type = AF_DSO_MODULE;
    }
    return dso;
}

static void take_map(af_perf_tasks *tasks, const af_perf_record *record)
{
    const gboolean second = record->type == AF_PERF_MMAP2, kernel = is_kernel(record);
    const uint64_t name_at = second ? 72 : 40;
    if (record->length < name_at) {
        return;
    }
    const uint64_t start = af_load_u64(record->bytes + 16),
                   length = af_load_u64(record->bytes + 24);
    af_map map = {.start = start,
                  .end = length > UINT64_MAX - start ? UINT64_MAX : start + length,
                  .offset = af_load_u64(record->bytes + 32)};
    size_t name_length;
    const char *name = text_at(record, name_at, &name_length);
    map.dso = find_dso(tasks, name, name_length, kernel);
    map.jit_symbols = second && (af_load_u32(record->bytes + 64) & 0x4000) != 0;
    if (map.dso == NULL || length == 0) {
        return;
    }
    if (kernel) {
        insert_map(tasks, tasks->kernel, &map);
    } else {
        const uint32_t pid = af_load_u32(record->bytes + 8), tid = af_load_u32(record->bytes + 12);
        af_perf_tasks_get(tasks, pid, tid);
        insert_map(tasks, get_process(tasks, pid)->maps, &map);
    }
}

void af_perf_tasks_take(af_perf_tasks *tasks, const af_perf_record *record)
{
    switch (record->type) {
    case AF_PERF_COMM:
        take_comm(tasks, record);
        break;
    case AF_PERF_FORK:
        take_fork(tasks, record);
        break;
    case AF_PERF_EXIT:
        take_exit(tasks, record);
        break;
    case AF_PERF_MMAP:
    case AF_PERF_MMAP2:
        take_map(tasks, record);
        break;
    default:
        break;
    }
}

af_maps *af_perf_tasks_maps(const af_perf_tasks *tasks, const af_perf_task *task)
{
    const af_perf_process *process = look_up_process(tasks, task->pid);
    return process != NULL ? process->maps : NULL;
}

const af_map *af_maps_find(af_maps *maps, uint64_t ip)
{
    const af_map *map = maps == NULL ? NULL : find_before(maps, ip);
    return map != NULL && ip < map->end ? map : NULL;
}
