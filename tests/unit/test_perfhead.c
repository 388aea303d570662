/* The header, the events and the features of perf.data: one small file per fact of the format. */
#include <string.h>

#include <aflame/aflame.h>

#include "made_perf.h"
#include "suite.h"

/* The event that the file declares. */
static void expect_event(made_perf *perf, const char *name)
{
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    ck_assert_ptr_nonnull(profile);
    ck_assert_str_eq(profile->facts.weights.event, name);
    made_perf_free(perf);
}

/* ---- the header ---- */

TEST(entries_may_have_any_size)
{
    static const uint32_t sizes[] = {64, 80, 112, 128, 136, 144, 256};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        made_perf *perf = made_perf_begin();
        perf->attr_size = sizes[i];
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        made_perf_expect(perf, "t;a 5");
    }
}

TEST(sections_may_have_any_order)
{
    for (unsigned backward = 0; backward < 2; backward++) {
        made_perf *perf = made_perf_begin();
        perf->backward = backward != 0;
        made_perf_feature(perf, 3, "[ 'host' pad ]");
        made_perf_feature(perf, 129, "'event_type_info' 'mine,0,0'");
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        expect_event(perf, "mine");
    }
}

/* Invalid values for bytes of the header. */
static void expect_bad(size_t at, uint8_t value, const char *why)
{
    g_autoptr(made_perf) perf =
        made_perf_begin_with(&(made_event){.has = PERF_DEFAULT | PERF_ID, .id = 5});
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(GError) error = NULL;
    bytes->data[at] = value;
    ck_assert_ptr_null(made_perf_open(bytes, &error));
    ck_assert_msg(error->code == AF_ERROR_DAMAGED && strstr(error->message, why) != NULL, "%s",
                  error->message);
}

TEST(invalid_headers)
{
    expect_bad(8, 0, "header");
    expect_bad(16, 0, "list of events");    /* entry size 0 */
    expect_bad(16, 16, "list of events");   /* only the ids */
    expect_bad(16, 120, "list of events");  /* the table is not a multiple of it */
    expect_bad(32, 0, "list of events");    /* no event */
    expect_bad(27, 0x7f, "list of events"); /* outside the file */
    expect_bad(43, 0x7f, "records");        /* outside the file */
    expect_bad(112 + 112 + 8, 7, "ids");    /* not a multiple of 8 bytes */
    expect_bad(112 + 112 + 3, 0x7f, "ids"); /* outside the file */
    expect_bad(112 + 112 + 8 + 3, 0x70, "ids");
}

TEST(the_other_byte_order)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    made_bytes(bytes, "\"2ELIFREP\" 0 0 0 0 0 0 0 0 0 0 0 0 0");
    ck_assert_ptr_null(made_perf_open(bytes, &error));
    ck_assert_msg(strstr(error->message, "big-endian") != NULL, "%s", error->message);
}

/* The header is rewritten at the end; if the recording was killed, it declares 0 bytes and there
 * are no features. */
TEST(killed_recordings)
{
    made_perf *perf = made_perf_new();
    made_perf_event(perf, &(made_event){.has = PERF_DEFAULT});
    perf->data_size = 0;
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_perf_record(perf, 3, 0, "7/4 7/4 'late' pad");
    made_perf_expect_warned(perf, "late;[unknown] 5", "recording-cut 1");
}

/* A feature outside the file is ignored; the others are not. */
TEST(features_outside_the_file)
{
    g_autoptr(made_perf) perf = made_perf_begin();
    made_perf_feature(perf, 5, "[ '1' ]");
    made_perf_feature(perf, 129, "'event_type_info' 'mine,0,0'");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    const guint table = 104 + 8 + 128 + perf->data->len;
    bytes->data[table + 7] = 0x7f; /* the first: version */
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    g_autofree char *stacks = made_perf_stacks(profile);
    ck_assert_str_eq(stacks, "t;a 5");
    ck_assert_str_eq(profile->facts.weights.event, "mine");
}

/* ---- events ---- */

TEST(names_of_events)
{
    static const struct {
        uint32_t type;
        uint64_t config, flags;
        const char *meta, *name;
    } rows[] = {
        {0, 0, 0, NULL, "cpu-cycles"},
        {0, 1, 0, NULL, "instructions"},
        {0, 2, 0, NULL, "cache-references"},
        {0, 3, 0, NULL, "cache-misses"},
        {0, 4, 0, NULL, "branch-instructions"},
        {0, 5, 0, NULL, "branch-misses"},
        {0, 6, 0, NULL, "bus-cycles"},
        {0, 7, 0, NULL, "stalled-cycles-frontend"},
        {0, 8, 0, NULL, "stalled-cycles-backend"},
        {1, 0, 0, NULL, "cpu-clock"},
        {1, 1, 0, NULL, "task-clock"},
        {1, 2, 0, NULL, "page-faults"},
        {1, 3, 0, NULL, "context-switches"},
        {1, 4, 0, NULL, "cpu-migrations"},
        {1, 5, 0, NULL, "minor-faults"},
        {1, 6, 0, NULL, "major-faults"},
        {1, 7, 0, NULL, "alignment-faults"},
        {1, 8, 0, NULL, "emulation-faults"},
        {1, 99, 0, NULL, "unknown"},
        {4, 17, 0, NULL, "unknown"},
        {4, 17, 0, "a,4,16\nraw-cpu-cycles,4,17\nb,3,17", "raw-cpu-cycles"},
        {2, 17, 0, "a,4,17\nsched:sched_switch,2,17", "sched:sched_switch"},
        {0, 0, 0, "a,1,0", "cpu-cycles"},
        {0, 0, 1 << 5, NULL, "cpu-cycles:u"},
        {0, 0, 1 << 4, "mine,0,0", "mine:k"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        made_perf *perf = made_perf_begin_with(&(made_event){.type = rows[i].type,
                                                             .config = rows[i].config,
                                                             .flags = rows[i].flags,
                                                             .has = PERF_DEFAULT});
        if (rows[i].meta != NULL) {
            g_autofree char *words = g_strdup_printf("'event_type_info' '%s'", rows[i].meta);
            made_perf_feature(perf, 129, words);
        }
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        expect_event(perf, rows[i].name);
    }
}

/* The position of a sample's event id depends on the fields that precede it. */
TEST(ids_of_samples)
{
    static const struct {
        uint64_t has;
        const char *words[3];
    } rows[] = {
        {PERF_IP | PERF_TID | PERF_TIME | PERF_ID | PERF_PERIOD,
         {"0x1010 7/4 7/4 1 %u %u", "0x1020 7/4 7/4 2 %u %u", "0x1030 7/4 7/4 3 %u %u"}},
        {PERF_IP | PERF_TID | PERF_TIME | PERF_ADDR | PERF_ID | PERF_STREAM | PERF_CPU |
             PERF_PERIOD,
         {"0x1010 7/4 7/4 1 22 %u 11 0 %u", "0x1020 7/4 7/4 2 33 %u 22 0 %u",
          "0x1030 7/4 7/4 3 0 %u 0 0 %u"}},
        {PERF_IP | PERF_TID | PERF_ID | PERF_PERIOD,
         {"0x1010 7/4 7/4 %u %u", "0x1020 7/4 7/4 %u %u", "0x1030 7/4 7/4 %u %u"}},
        {PERF_IDENTIFIER | PERF_IP | PERF_TID | PERF_TIME | PERF_ID | PERF_PERIOD,
         {"%u 0x1010 7/4 7/4 1 22 %u", "%u 0x1020 7/4 7/4 2 22 %u", "%u 0x1030 7/4 7/4 3 22 %u"}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        made_perf *perf = made_perf_new();
        made_perf_event(perf, &(made_event){.has = rows[i].has, .id = 11});
        made_perf_event(perf, &(made_event){.has = rows[i].has, .id = 22, .config = 1});
        made_perf_library(perf);
        /* of the first; of the second, which is not shown; of none, so of the first */
        static const unsigned ids[] = {11, 22, 33};
        for (unsigned k = 0; k < 3; k++) {
            g_autoptr(GString) words = g_string_new(rows[i].words[k]);
            char id[8], weight[8];
            g_snprintf(id, sizeof id, "%u", ids[k]);
            g_snprintf(weight, sizeof weight, "%u", 1u << k);
            g_string_replace(words, "%u", id, 1);
            g_string_replace(words, "%u", weight, 1);
            made_perf_record(perf, 9, 2, words->str);
        }
        made_perf_expect(perf, "t;a 1 | t;c 4");
    }
}

/* Records add ids when processors come online. */
TEST(late_ids)
{
    made_perf *perf = made_perf_new();
    const uint64_t has = PERF_IP | PERF_TID | PERF_ID | PERF_PERIOD;
    made_perf_event(perf, &(made_event){.has = has, .id = 11});
    made_perf_event(perf, &(made_event){.has = has, .id = 22, .config = 1});
    made_perf_library(perf);
    made_perf_record(perf, 32774, 0, "2 1 33 0 44");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 44 1");
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 33 2");
    made_perf_expect(perf, "t;a 1");
}

/* ---- metadata of the recording ---- */

/* The facts of a profile as "KEY=VALUE,". */
static char *list_facts(const af_profile *profile)
{
    GString *facts = g_string_new(NULL);
    for (unsigned i = 0; i < profile->facts.n_keys; i++) {
        g_string_append_printf(facts, "%s=%s,", profile->facts.keys[i].key,
                               profile->facts.keys[i].value);
    }
    return g_string_free(facts, FALSE);
}

TEST(metadata_of_the_recording)
{
    g_autoptr(made_perf) perf = made_perf_begin();
    made_perf_feature(perf, 4, "[ '4.9' pad ]");
    made_perf_feature(perf, 5, "[ '1.build' ]");
    made_perf_feature(perf, 6, "[ 'aarch64' ]");
    made_perf_feature(perf, 11, "3/4 [ 'simpleperf' pad ] [ 'record' 0 ] [ '-e a b' ]");
    made_perf_feature(perf, 129,
                      "'app_package_name' 'org.mine' 'timestamp' '1596654389' 'clockid' 'perf'");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    g_autofree char *facts = list_facts(profile);
    ck_assert_str_eq(facts,
                     "kernel=4.9,version=1.build,arch=aarch64,command=simpleperf record \"-e a b\","
                     "timestamp=1596654389,clockid=perf,");
    ck_assert_str_eq(profile->facts.app, "org.mine");
}

/* An empty key, a key without a value: the preceding entries count. */
TEST(damaged_metadata)
{
    static const char *const words[] = {
        "'event_type_info' 'mine,0,0' '' 'event_type_info' 'app_package_name' 'x'",
        "'event_type_info' 'mine,0,0' 'app_package_name'",
        "'event_type_info' 'mine,0,0' 'app_package_name' \"x\"",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        made_perf *perf = made_perf_begin();
        made_perf_feature(perf, 129, words[i]);
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
        g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
        ck_assert_ptr_null(profile->facts.app);
        expect_event(perf, "mine");
    }
}

/* Texts that exceed their section, and sections without their count. */
TEST(truncated_features)
{
    static const struct {
        unsigned feature;
        const char *words, *facts;
    } rows[] = {
        {4, "4/4 '4.9'", "kernel=4.9,"},
        {4, "5/4 '4.9'", ""},
        {4, "3/2", ""},
        {11, "2/4 [ 'perf' ] 7/4 'record'", "command=perf record,"},
        {11, "2/4 [ 'perf' ] 8/4 'record'", "command=perf,"},
        {11, "2/4 [ 'perf' ] 7/2", "command=perf,"},
        {12, "1/4", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(made_perf) perf = made_perf_begin();
        made_perf_feature(perf, rows[i].feature, rows[i].words);
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
        g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
        ck_assert_ptr_nonnull(profile);
        g_autofree char *facts = list_facts(profile);
        ck_assert_str_eq(facts, rows[i].facts);
    }
}

/* `perf record -o -` writes each section as a record: type 80, the section's number, its bytes. */
TEST(sections_as_records)
{
    g_autofree char *path = g_build_filename(g_getenv("AFLAME_DATA"), "perf_pipe.trace", NULL);
    char *content = NULL;
    gsize length = 0;
    ck_assert(g_file_get_contents(path, &content, &length, NULL));
    g_autoptr(GByteArray) bytes = g_byte_array_new_take((guint8 *)content, length);
    made_bytes(bytes, "80/4 0/2 28/2 6 [ 'aarch64' ]");
    made_bytes(bytes, "80/4 0/2 40/2 11 2/4 [ 'perf' ] [ 'record' ]");
    made_bytes(bytes, "80/4 0/2 24/2 300 77"); /* an unknown section */
    made_bytes(bytes, "80/4 0/2 8/2");         /* no number */
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    ck_assert_ptr_nonnull(profile);
    g_autofree char *facts = list_facts(profile);
    ck_assert_str_eq(facts, "arch=aarch64,command=perf record,");
}

/* EVENT_DESC of Linux: n, size of an event, then events with their ids and names. */
TEST(events_as_linux_names_them)
{
    made_perf *perf =
        made_perf_begin_with(&(made_event){.has = PERF_DEFAULT, .type = 6, .flags = 1 << 5});
    made_perf_feature(perf, 12, "1/4 8/4 77 1/4 [ 'cpu_core/cycles/' pad ] 5");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    expect_event(perf, "cpu_core/cycles/");
}
