/* perf.data and report-sample, one small file per fact of the format: ../support/make_perf.js makes them
 * from the cases of ../data/perf. */
#include <stdlib.h>
#include <string.h>

#include <aflame/aflame.h>

#include "build/profile_builder.h"
#include "cases.h"
#include "read/perf/perfdata.h"
#include "suite.h"
#include "text_profile.h"

/* The facts as "KEY=VALUE,...". */
static char *list_facts(const af_profile *profile)
{
    g_autoptr(GPtrArray) facts = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < profile->facts.n_keys; i++) {
        g_ptr_array_add(facts, g_strdup_printf("%s=%s", profile->facts.keys[i].key,
                                               profile->facts.keys[i].value));
    }
    if (profile->facts.app != NULL) {
        g_ptr_array_add(facts, g_strdup_printf("app=%s", profile->facts.app));
    }
    g_ptr_array_add(facts, NULL);
    return g_strjoinv(",", (char **)facts->pdata);
}

static char *describe(const af_profile *profile, const char *show)
{
    if (*show == '\0') {
        g_autofree char *stacks = text_profile_stacks(profile);
        g_autofree char *warnings = text_profile_warnings(profile);
        return g_strconcat(stacks, *warnings != '\0' ? " ! " : "", warnings, NULL);
    }
    if (strcmp(show, "facts") == 0) {
        return list_facts(profile);
    }
    if (strcmp(show, "pid") == 0) {
        return g_strdup_printf("%" G_GUINT64_FORMAT, profile->facts.pid);
    }
    return g_strdup(strcmp(show, "event") == 0  ? profile->facts.weights.event
                    : strcmp(show, "unit") == 0 ? af_profile_unit_name(profile)
                                                : profile->methods[profile->n_methods - 1].library);
}

/* A line of the list of files: NUMBER, SHOW, SYMFS, EXPECTED, WHERE. */
static void check_file(const char *folder, const char *line)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", -1);
    ck_assert_uint_eq(g_strv_length(columns), 5);
    g_autofree char *path = g_build_filename(folder, columns[0], NULL);
    g_autofree char *symfs = g_build_filename(getenv("AFLAME_DATA"), "refused", NULL);
    g_autoptr(GError) error = NULL;
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.symfs = *columns[2] != '\0' ? symfs : NULL;
    g_autoptr(af_profile) profile = af_profile_open(path, &options, &error);
    g_autofree char *found =
        profile != NULL ? describe(profile, columns[1]) : g_strdup(error->message);
    cases_expect(columns[4], found, columns[3]);
}

TEST(files_are_read)
{
    g_autofree char *folder = g_build_filename(getenv("AFLAME_DATA"), "../perf", NULL);
    g_autofree char *list = g_build_filename(folder, "cases", NULL);
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(list, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    ck_assert_uint_gt(g_strv_length(lines), 200);
    for (char **line = lines; *line != NULL; line++) {
        check_file(folder, *line);
    }
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
    } map = {0, GUINT32_TO_LE(pid), GUINT32_TO_LE(pid), GUINT64_TO_LE(start), GUINT64_TO_LE(0x1000),
             0, "/lib/l.so"};
    const af_perf_record record = {
        .bytes = (const uint8_t *)&map, .length = sizeof map, .type = AF_PERF_MMAP};
    af_perf_tasks_take(&r->tasks, &record);
}

static void take_fork(map_reader *r, uint32_t pid, uint32_t parent)
{
    struct {
        uint64_t head;
        uint32_t pid, ppid, tid, ptid;
    } fork = {0, GUINT32_TO_LE(pid), GUINT32_TO_LE(parent), GUINT32_TO_LE(pid),
              GUINT32_TO_LE(parent)};
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
