/* Threads and maps in perf.data: one small file per fact of the format. */
#include <string.h>

#include <aflame/aflame.h>

#include "build/profile_builder.h"
#include "made_perf.h"
#include "read/perf/perfdata.h"
#include "suite.h"

/* ---- threads and processes ---- */

TEST(names_of_threads)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, COMM, 0, "7/4 8/4 'first' pad");
    made_perf_record(perf, COMM, 0, "7/4 8/4 'second' pad");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 8/4 1 1 0"); /* the maps of its process */
    made_perf_record(perf, SAMPLE, USER, "0x1020 7/4 9/4 2 2 0"); /* has the name of its process */
    made_perf_record(perf, SAMPLE, USER, "0x1020 5/4 5/4 3 3 0"); /* has none, and no maps */
    made_perf_record(perf, SAMPLE, USER, "0x1020 0/4 0/4 4 4 0");
    made_perf_expect(perf, "swapper: swapper;[unknown] 4 | process 5: Thread 5;[unknown] 3 | "
                           "t: second;a 1 | t: t;b 2");
}

/* A thread id that another process reuses. */
TEST(reused_ids)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, COMM, 0, "7/4 8/4 'old' pad");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 8/4 1 1 0");
    made_perf_record(perf, COMM, 0, "8/4 8/4 'new' pad");
    made_perf_record(perf, SAMPLE, USER, "0x1010 8/4 8/4 2 2 0");
    made_perf_expect(perf, "new;a 1 | new;[unknown] 2");
}

TEST(children)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, FORK, 0, "7/4 7/4 8/4 7/4 0"); /* a thread */
    made_perf_record(perf, FORK, 0, "9/4 7/4 9/4 7/4 0"); /* a process */
    made_perf_map(perf, "7/4 7/4", "0x2000 0x1000 0",
                  "/lib/l.so"); /* both threads of the process have it, 9 does not */
    made_perf_record(perf, SAMPLE, USER, "0x2010 7/4 8/4 1 1 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 9/4 9/4 1 2 0");
    made_perf_record(perf, SAMPLE, USER, "0x2010 9/4 9/4 1 4 0");
    made_perf_expect(perf, "t 7: t;a 1 | t 9: t;a 2 | t 9: t;[unknown] 4");
}

/* A fork of itself; a thread of a process that is not its parent's. */
TEST(forks_without_a_child)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, FORK, 0, "8/4 7/4 8/4 8/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 8/4 8/4 1 4 0");
    made_perf_record(perf, FORK, 0, "9/4 7/4 8/4 7/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1 1 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 9/4 8/4 1 2 0");
    made_perf_expect(perf, "t: t;a 1 | process 9: Thread 8;[unknown] 6");
}

/* Maps of a child recorded before its fork count; the maps of its parent overlay them. */
TEST(children_recorded_before_their_fork)
{
    made_perf *perf = made_perf_begin();
    made_perf_map(perf, "9/4 9/4", "0x1800 0x1000 0", "/lib/other.so");
    made_perf_record(perf, COMM, 0, "9/4 9/4 'child' pad");
    made_perf_record(perf, FORK, 0, "9/4 7/4 9/4 7/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 9/4 9/4 1 1 0");
    made_perf_record(perf, SAMPLE, USER, "0x1810 9/4 9/4 1 2 0");
    made_perf_record(perf, SAMPLE, USER, "0x2010 9/4 9/4 1 4 0");
    /* once only: later maps of the child are its own */
    made_perf_map(perf, "9/4 9/4", "0x1000 0x100 0", "/lib/own.so");
    made_perf_record(perf, FORK, 0, "9/4 7/4 9/4 7/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 9/4 9/4 1 8 0");
    made_perf_expect(perf, "t;a 1 | t;l.so[+810] 2 | t;other.so[+810] 4 | t;own.so[+10] 8");
}

TEST(threads_that_end)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, COMM, 0, "7/4 8/4 'u' pad");
    made_perf_record(perf, EXIT, 0, "7/4 7/4 7/4 7/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 8/4 1 1 0"); /* the process continues */
    made_perf_record(perf, EXIT, 0, "7/4 7/4 8/4 7/4 0");
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1 2 0"); /* all its maps are removed */
    made_perf_expect(perf, "t;[unknown] 2 | u;a 1");
}

/* ---- what is mapped ---- */

/* A map truncates those below it; the rest of them stays in place. */
TEST(overlapping_maps)
{
    made_perf *perf = made_perf_default();
    made_perf_map(perf, "7/4 7/4", "0x1000 0x1000 0x100", "/lib/under.so");
    made_perf_map(perf, "7/4 7/4", "0x1400 0x100 0", "/lib/over.so");
    made_perf_record(perf, MMAP, USER, "7/4 7/4 0x1480 0x20 0x50 '/lib/top.so' pad");
    made_perf_record(perf, MMAP, USER, "7/4 7/4 0x1490 0 0 '/lib/empty.so' pad");
    made_perf_record(perf, COMM, 0, "7/4 7/4 't' pad");
    static const char *const ips[] = {"0x13ff", "0x1400", "0x147f", "0x1480", "0x149f",
                                      "0x14a0", "0x1500", "0x1fff", "0x2000"};
    for (size_t i = 0; i < G_N_ELEMENTS(ips); i++) {
        g_autofree char *words = g_strdup_printf("%s 7/4 7/4 1 %u 0", ips[i], 1u << i);
        made_perf_record(perf, SAMPLE, USER, words);
    }
    made_perf_expect(perf, "t;under.so[+4ff] 1 | t;over.so[+0] 2 | t;over.so[+7f] 4 | "
                           "t;top.so[+50] 8 | t;top.so[+6f] 16 | t;over.so[+a0] 32 | "
                           "t;under.so[+600] 64 | t;under.so[+10ff] 128 | t;[unknown] 256");
}

TEST(maps_of_the_kernel)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0x8000 0x1000 0 '[kernel.kallsyms]_text' pad");
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0x9000 0x1000 0 '[bpf]x' pad");
    made_perf_record(perf, MMAP, 4, "-1/4 0/4 0xc000 0x1000 0 '[guest.kernel.kallsyms]' pad");
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0xa000 0x1000 0x30 '/v/wifi.ko' pad");
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0xb000 0x1000 0x30 '/v/nfc.ko' pad");
    made_perf_record(perf, MMAP, KERNEL, "-1/4 0/4 0x8000 0 0 '/v/nothing.ko' pad");
    made_perf_feature(perf, 128,
                      "[ '[kernel.kallsyms]' 0/4 0 5/4 0x8010 0x10/4 'ka' 0x9010 0x10/4 'kb' "
                      "0xa810 0x10/4 'kc' 0x8100 0/4 'never' 0xc010 0x10/4 'kd' ]"
                      "[ '/v/wifi.ko' 1/4 0x500 1/4 0x410 0x10/4 'send' 0x100 ]");
    static const char *const ips[] = {"0x8010", "0x9010", "0xa010", "0xa810",
                                      "0xb010", "0x8100", "0xc010"};
    for (size_t i = 0; i < G_N_ELEMENTS(ips); i++) {
        g_autofree char *words = g_strdup_printf("%s 7/4 7/4 1 %u 0", ips[i], 1u << i);
        made_perf_record(perf, SAMPLE, KERNEL, words);
    }
    /* a module: ip - start - offset in memory + least address; otherwise the kernel's symbol; a
     * module without a description: by its file */
    made_perf_expect(perf, "t;ka 1 | t;kb 2 | t;send 4 | t;kc 8 | t;nfc.ko[+40] 16 | "
                           "t;[kernel.kallsyms][+8100] 32 | t;kd 64");
}

/* A separate feature holds the maps from before the recording. */
TEST(maps_from_before_the_recording)
{
    made_perf *perf = made_perf_default();
    made_perf_library(perf);
    perf->features[134] = perf->data;
    perf->data = g_byte_array_new();
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 1 1 0");
    made_perf_record(perf, COMM, 0, "7/4 7/4 'later' pad");
    made_perf_expect(perf, "later;a 1");
}

TEST(anonymous_memory)
{
    made_perf *perf = made_perf_begin();
    made_perf_map(perf, "7/4 7/4", "0x3000 0x1000 0", "//anon");
    made_perf_map(perf, "7/4 7/4", "0x4000 0x1000 0", "");
    made_perf_record(perf, SAMPLE, USER, "0x3abc 7/4 7/4 1 1 0");
    made_perf_record(perf, SAMPLE, USER, "0x4def 7/4 7/4 1 2 0");
    made_perf_expect(perf, "t;[unknown][+abc] 1 | t;[unknown][+def] 2");
}

/* perf writes buffer by buffer, simpleperf in order. */
TEST(records_out_of_order)
{
    made_perf *perf = made_perf_begin_linux();
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 30 1 0");
    made_perf_record(perf, COMM, 0, "7/4 7/4 'first' pad 7/4 7/4 10");
    made_perf_record(perf, COMM, 0, "7/4 7/4 'later' pad 7/4 7/4 40");
    made_perf_record(perf, COMM, 0, "7/4 7/4 'last' pad 7/4 7/4 40");
    made_perf_record(perf, MMAP2, USER,
                     "7/4 7/4 0x1000 0x1000 0 0/4 0/4 0 0 5/4 2/4 '/lib/l.so' pad 7/4 7/4 20");
    made_perf_record(perf, 68, 0, "");
    made_perf_expect(perf, "last;l.so[+10] 1");
    perf = made_perf_default();
    made_perf_record(perf, SAMPLE, USER, "0x1010 7/4 7/4 30 1 0");
    made_perf_map(perf, "7/4 7/4", "0x1000 0x1000 0", "/lib/l.so");
    made_perf_expect(perf, "Thread 7;[unknown] 1");
}

/* ---- the limits ---- */

typedef struct {
    af_sink *sink;
    af_symbols symbols;
    af_perf_tasks tasks;
} map_reader;

static void begin_maps(map_reader *r)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    *r = (map_reader){.sink = af_sink_new(&options)};
    af_symbols_init(&r->symbols, r->sink);
    af_perf_tasks_init(&r->tasks, r->sink, &r->symbols);
}

static void end_maps(map_reader *r)
{
    af_perf_tasks_clear(&r->tasks);
    af_symbols_clear(&r->symbols);
    af_sink_free(r->sink);
}

/* A library that a process maps. */
static void take_map(map_reader *r, uint32_t pid, uint64_t start)
{
    struct {
        uint64_t head;
        uint32_t pid, tid;
        uint64_t start, length, offset;
        char name[16];
    } map = {0, pid, pid, start, 0x1000, 0, "/lib/l.so"};
    const af_perf_record record = {
        .bytes = (const uint8_t *)&map, .length = sizeof map, .type = AF_PERF_MMAP};
    af_perf_tasks_take(&r->tasks, &record);
}

static void take_fork(map_reader *r, uint32_t pid, uint32_t parent)
{
    struct {
        uint64_t head;
        uint32_t pid, ppid, tid, ptid;
    } fork = {0, pid, parent, pid, parent};
    const af_perf_record record = {
        .bytes = (const uint8_t *)&fork, .length = sizeof fork, .type = AF_PERF_FORK};
    af_perf_tasks_take(&r->tasks, &record);
}

static gboolean is_mapped(map_reader *r, uint32_t pid, uint64_t address)
{
    const af_perf_task *task = af_perf_tasks_get(&r->tasks, pid, pid);
    return af_maps_find(af_perf_tasks_maps(&r->tasks, task), address) != NULL;
}

/* 4 million mappings of all processes, 16 million copies for forks; aflame-formats(5). */
TEST(more_maps_than_the_limit_are_dropped)
{
    map_reader r;
    begin_maps(&r);
    r.tasks.n_maps = (UINT64_C(4) << 20) - 2;
    take_map(&r, 7, 0x1000);
    take_map(&r, 7, 0x2000);
    ck_assert_uint_eq(af_sink_warned(r.sink, AF_WARN_MANY_MAPS), 0);
    take_map(&r, 7, 0x3000);
    ck_assert_uint_eq(af_sink_warned(r.sink, AF_WARN_MANY_MAPS), 1);
    ck_assert(is_mapped(&r, 7, 0x1010));
    ck_assert(is_mapped(&r, 7, 0x2010));
    ck_assert(!is_mapped(&r, 7, 0x3010));
    end_maps(&r);
}

TEST(more_copied_maps_than_the_limit_are_dropped)
{
    map_reader r;
    begin_maps(&r);
    r.tasks.n_copies = (UINT64_C(16) << 20) - 2;
    take_map(&r, 7, 0x1000);
    take_map(&r, 7, 0x2000);
    for (uint32_t pid = 8; pid <= 9; pid++) {
        take_fork(&r, pid, 7);
        take_map(&r, pid, 0x3000); /* the maps of its parent are copied now */
    }
    ck_assert(is_mapped(&r, 8, 0x1010));
    ck_assert(!is_mapped(&r, 9, 0x1010));
    ck_assert(is_mapped(&r, 9, 0x3010));
    ck_assert_uint_eq(af_sink_warned(r.sink, AF_WARN_MANY_MAPS), 2);
    end_maps(&r);
}
