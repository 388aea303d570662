/* perf.data and report-sample, one small file per fact of the format: the cases of ../data/perf.
 *
 * A case ends at an empty line. It has the lines of made_perf.h, and these:
 *   # what it shows
 *   symfs                     symbols come from libraries of the fixtures
 *   fixture NAME              the file starts with a fixture
 *   show event|facts|library|pid|unit    instead of the stacks and, after a !, the warnings
 *   = EXPECTED                the file has this, or is refused with this error
 *   : 1ST ; 2ND => EXPECTED   a file with these words in place of $1, $2; several such lines are as
 *                             many files, which without => have what = says
 *   each WORD...              as many files, with one word each */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <aflame/aflame.h>

#include "build/profile_builder.h"
#include "cases.h"
#include "made_perf.h"
#include "read/perf/perfdata.h"
#include "suite.h"

typedef struct {
    GString *lines;            /* of the file to be made */
    GPtrArray *words, *wanted; /* by file; NULL in `wanted` stands for `expected` */
    char *expected, *show, *fixture;
    gboolean symfs;
} perf_case;

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
    if (show == NULL) {
        g_autofree char *stacks = made_perf_stacks(profile);
        g_autofree char *warnings = made_perf_warnings(profile);
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

/* The words in place of $1, $2. */
static char *fill_in(const char *lines, const char *words)
{
    g_autoptr(GString) text = g_string_new(lines);
    g_auto(GStrv) parts = g_strsplit(words, ";", -1);
    for (unsigned i = 0; parts[i] != NULL; i++) {
        const char mark[] = {'$', (char)('1' + i), '\0'};
        g_string_replace(text, mark, g_strstrip(parts[i]), 0);
    }
    char *filled = g_strdup(text->str);
    return filled;
}

static void check_file(const perf_case *c, const char *words, const char *expected)
{
    g_autofree char *lines = fill_in(c->lines->str, words);
    g_autoptr(made_perf) perf = made_perf_new();
    if (c->fixture != NULL) {
        made_perf_add(perf, "head");
    }
    made_perf_add(perf, lines);
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    if (c->fixture != NULL) {
        g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), c->fixture, NULL);
        g_autofree char *content = NULL;
        gsize length = 0;
        ck_assert(g_file_get_contents(path, &content, &length, NULL));
        g_byte_array_prepend(bytes, (const guint8 *)content, (guint)length);
    }
    g_autofree char *symfs = g_build_filename(getenv("AFLAME_DATA"), "refused", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(af_profile) profile = made_perf_open(bytes, c->symfs ? symfs : NULL, &error);
    g_autofree char *found =
        profile != NULL ? describe(profile, c->show) : g_strdup(error->message);
    ck_assert_msg(g_strcmp0(found, expected) == 0, "%s: %s instead of %s", lines, found, expected);
}

static void add_words(perf_case *c, const char *words, const char *wanted)
{
    g_ptr_array_add(c->words, g_strdup(words));
    g_ptr_array_add(c->wanted, g_strdup(wanted));
}

static void take_line(perf_case *c, const char *line)
{
    if (line[0] == ':') {
        const char *wanted = strstr(line, "=>");
        g_autofree char *words =
            g_strndup(line + 1, wanted != NULL ? (gsize)(wanted - line - 1) : strlen(line + 1));
        add_words(c, words, wanted != NULL ? wanted + strspn(wanted, "=> ") : NULL);
    } else if (g_str_has_prefix(line, "each ")) {
        g_auto(GStrv) words = g_strsplit(line + strlen("each "), " ", -1);
        for (char **word = words; *word != NULL; word++) {
            add_words(c, *word, NULL);
        }
    } else if (line[0] == '=') {
        c->expected = g_strdup(line + strspn(line, "= "));
    } else if (g_str_has_prefix(line, "show ")) {
        c->show = g_strdup(line + strlen("show "));
    } else if (g_str_has_prefix(line, "fixture ")) {
        c->fixture = g_strdup(line + strlen("fixture "));
    } else if (strcmp(line, "symfs") == 0) {
        c->symfs = TRUE;
    } else if (line[0] != '#') {
        g_string_append_printf(c->lines, "%s\n", line);
    }
}

static void check_case(char **lines)
{
    perf_case c = {.lines = g_string_new(NULL),
                   .words = g_ptr_array_new_with_free_func(g_free),
                   .wanted = g_ptr_array_new_with_free_func(g_free)};
    for (; *lines != NULL; lines++) {
        take_line(&c, *lines);
    }
    if (c.words->len == 0) {
        add_words(&c, "", NULL);
    }
    for (guint i = 0; i < c.words->len; i++) {
        const char *wanted = c.wanted->pdata[i];
        check_file(&c, c.words->pdata[i], wanted != NULL ? wanted : c.expected);
    }
    g_string_free(c.lines, TRUE);
    g_ptr_array_unref(c.words);
    g_ptr_array_unref(c.wanted);
    g_free(c.expected);
    g_free(c.show);
    g_free(c.fixture);
}

static const char *const files[] = {"perf/records.txt", "perf/head.txt", "perf/stacks.txt",
                                    "perf/maps.txt", "perf/report_sample.txt"};

TEST_EACH(files_are_read, G_N_ELEMENTS(files))
{
    cases_check(files[_i], check_case);
}

/* ---- compressed and long records ---- */

static void expect(made_perf *perf, const char *expected)
{
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL, NULL);
    ck_assert_ptr_nonnull(profile);
    g_autofree char *found = describe(profile, NULL);
    ck_assert_str_eq(found, expected);
    made_perf_free(perf);
}

static made_perf *begin_with(const char *lines)
{
    made_perf *perf = made_perf_new();
    made_perf_add(perf, "library");
    made_perf_add(perf, lines);
    return perf;
}

/* A size above 16 bits stores its upper half first. */
TEST(long_records)
{
    g_autoptr(GString) lines = g_string_new("record 32777 0");
    for (unsigned i = 0; i < 8300; i++) {
        g_string_append(lines, " 0x90000000002");
    }
    g_string_append(lines, "\nsample 0x1010 7/4 7/4 1 5 0");
    expect(begin_with(lines->str), "t;a 5");
}

/* Compressed records are one stream, and a record may continue in the next one. */
static GByteArray *make_packed(void)
{
    g_autoptr(GByteArray) records = g_byte_array_new();
    made_bytes(records, "9/4 2/2 48/2 0x1010 7/4 7/4 1 3 0 9/4 2/2 48/2 0x1020 7/4 7/4 2 5 0");
    GByteArray *packed = g_byte_array_new();
    g_byte_array_set_size(packed, (guint)ZSTD_compressBound(records->len));
    const size_t n = ZSTD_compress(packed->data, packed->len, records->data, records->len, 1);
    ck_assert(!ZSTD_isError(n));
    g_byte_array_set_size(packed, (guint)n);
    return packed;
}

static void add_packed(made_perf *perf, const guint8 *bytes, guint length)
{
    g_autoptr(GString) line = g_string_new("record 81 0");
    for (guint i = 0; i < length; i++) {
        g_string_append_printf(line, " %u/1", bytes[i]);
    }
    made_perf_add(perf, line->str);
}

TEST(compressed_records_in_pieces)
{
    g_autoptr(GByteArray) packed = make_packed();
    for (guint first = 1; first < packed->len; first += 7) {
        made_perf *perf = begin_with("");
        add_packed(perf, packed->data, first);
        add_packed(perf, packed->data + first, packed->len - first);
        expect(perf, "t;a 3 | t;b 5");
    }
}

TEST(damaged_compressed_records)
{
    g_autoptr(GByteArray) packed = make_packed();
    made_perf *perf = begin_with("sample 0x1030 7/4 7/4 1 4 0");
    packed->data[0] ^= 1; /* no zstd frame */
    add_packed(perf, packed->data, packed->len);
    expect(perf, "t;c 4 ! packed-records 1");
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
