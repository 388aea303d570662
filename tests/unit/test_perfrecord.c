/* The records of perf.data: one small file per fact of the format. */
#include <string.h>
#include <zstd.h>

#include <aflame/aflame.h>

#include "made_perf.h"
#include "suite.h"

/* ---- records ---- */

TEST(records_with_odd_sizes)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 32769, 0, "0/4"); /* 12 bytes: everything after it is misaligned */
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_perf_expect(perf, "t;a 5");
}

TEST(an_invalid_size_ends_the_records)
{
    for (unsigned events = 1; events <= 2; events++) {
        made_perf *perf = made_perf_begin();
        if (events == 2) {
            made_perf_event(perf, &(made_event){.has = PERF_DEFAULT});
        }
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
        made_bytes(perf->data, "9/4 2/2 7/2"); /* a size below 8 */
        made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 1 5 0");
        made_perf_expect_warned(perf, "t;a 5", "bad-records 1");
    }
}

TEST(a_record_past_the_end_is_ignored)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_bytes(perf->data, "9/4 2/2 200/2 0x1020");
    made_perf_expect_warned(perf, "t;a 5", "recording-cut 1");
}

/* Records of other types are not samples, whatever their contents; losses they count are
 * reported. */
TEST(records_without_samples_are_skipped)
{
    static const uint32_t types[] = {5,  6,  8,  11, 12,    14,    15,    16,    17,
                                     18, 19, 20, 64, 65,    66,    67,    68,    70,
                                     79, 82, 84, 99, 32775, 32776, 32777, 32778, 40000};
    made_perf *perf = made_perf_begin();
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        made_perf_record(perf, types[i], 2, "0x1020 7/4 7/4 1 9 0");
    }
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_perf_record(perf, 2, 0, "1 20");
    made_perf_record(perf, 13, 0, "3");
    made_perf_expect_warned(perf, "t;a 5", "lost-samples 23");
}

/* Records of processor traces are followed by as many bytes as they declare. */
TEST(bytes_after_a_record_are_skipped)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 71, 0, "48 0 0 0/4 0/4 0/4 0/4");
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 1 9 0"); /* 48 bytes */
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_perf_record(perf, 66, 0, "48/4 0/4"); /* of tracepoints: inside the record, in files */
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 1 7 0");
    made_perf_expect(perf, "t;a 5 | t;b 7");
}

/* A recording of ETM: a trace of the processor, and samples only of an event that counts nothing. */
TEST(processor_traces_are_rejected)
{
    for (unsigned sampled = 0; sampled < 2; sampled++) {
        made_perf *perf = made_perf_begin();
        made_perf_record(perf, 70, 0, "3/4 0/4 1 2 3");
        made_perf_record(perf, 71, 0, "16 0 0 0/4 0/4 0/4 0/4");
        made_bytes(perf->data, "1 2");
        if (sampled != 0) {
            made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
            made_perf_expect(perf, "t;a 5");
            continue;
        }
        g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(made_perf_open(bytes, &error));
        ck_assert_msg(g_error_matches(error, AF_ERROR, AF_ERROR_UNRECOGNISED) &&
                          strstr(error->message, "ETM") != NULL,
                      "%s", error->message);
        made_perf_free(perf);
    }
}

TEST(a_sample_with_every_field)
{
    static const made_event all = {.has = 0xFFFFFF, .read_format = 7, .id = 11};
    made_perf *perf = made_perf_begin_with(&all);
    made_perf_record(perf, 9, 2,
                     "11 0x1010 7/4 7/4 1 99 11 98 0 5 1 2 3 4 2 -512 0x1020 "
                     "4/4 1/4 1 1 2 3 0 0 0 1 2 3 0 4 5 6 7 8");
    made_perf_expect(perf, "t;b;a 5");
}

/* Counter values precede the callers; four bits of the event determine their number. */
TEST(counter_values_before_the_callers)
{
    static const char *const values[] = {
        "1",         "1 2",         "1 2",         "1 2 3",        "1 2",   "1 2 3",
        "1 2 3",     "1 2 3 4",     "1 5",         "1 2 5",        "1 2 5", "1 2 3 5",
        "2 5 6 5 6", "2 3 5 6 5 6", "2 3 5 6 5 6", "2 3 4 5 6 5 6"};
    for (unsigned format = 0; format < 32; format++) {
        made_perf *perf = made_perf_begin_with(
            &(made_event){.has = PERF_DEFAULT | PERF_READ, .read_format = format});
        /* since Linux 6.0: the number lost, after each value */
        const unsigned n = format < 16 ? 0 : (format & 12) == 12 ? 2 : 1;
        g_autofree char *words =
            g_strdup_printf("0x1010 7/4 7/4 1 5 %s%s 2 -512 0x1020", values[format % 16],
                            n == 0   ? ""
                            : n == 1 ? " 0"
                                     : " 0 0");
        made_perf_record(perf, 9, 2, words);
        made_perf_expect(perf, "t;b;a 5");
    }
}

TEST(truncated_samples)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 2 -512 0x1020");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 3 -512 0x1020");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0x2000000000000001 -512 0x1020");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5");
    made_perf_record(perf, 9, 2, "0x1010");
    made_perf_expect_warned(perf, "t;b;a 5", "short-sample 4");
}

/* One record in pieces contains its own header. */
TEST(records_in_pieces)
{
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 32772, 0, "9/4 2/2 64/2 0x1010 7/4 7/4 1 5");
    made_perf_record(perf, 32772, 0, "2 -512 0x1020");
    made_perf_record(perf, 32773, 0, "");
    made_perf_record(perf, 32772, 0, "9/4 2/2 48/2 0x1010 7/4 7/4 1 3 0");
    made_perf_record(perf, 32773, 0, "");
    made_perf_expect(perf, "t;b;a 5 | t;a 3");
}

/* Other records of perf end with some fields of a sample, by the same bits; their time sorts them
 * among the samples. */
TEST(records_are_sorted_by_time)
{
    for (unsigned bits = 0; bits < 16; bits++) {
        const uint64_t has =
            PERF_DEFAULT | ((bits & 1) != 0 ? PERF_ID : 0) | ((bits & 2) != 0 ? PERF_STREAM : 0) |
            ((bits & 4) != 0 ? PERF_CPU : 0) | ((bits & 8) != 0 ? PERF_IDENTIFIER : 0);
        made_perf *perf = made_perf_new();
        made_perf_event(perf, &(made_event){.has = has, .flags = 1 << 18});
        made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
        g_autofree char *suffix =
            g_strdup_printf("%s%s%s%s", (bits & 1) != 0 ? " 91" : "", (bits & 2) != 0 ? " 92" : "",
                            (bits & 4) != 0 ? " 93" : "", (bits & 8) != 0 ? " 94" : "");
        char *words[] = {
            g_strdup_printf("%s0x1020 7/4 7/4 30%s%s%s 2 0", (bits & 8) != 0 ? "94 " : "",
                            (bits & 1) != 0 ? " 91" : "", (bits & 2) != 0 ? " 92" : "",
                            (bits & 4) != 0 ? " 93" : ""),
            g_strdup_printf("7/4 7/4 0x1000 0x1000 0 '/over.so' pad 7/4 7/4 40%s", suffix),
            g_strdup_printf("7/4 7/4 0x1000 0x1000 0x20 '/under.so' pad 7/4 7/4 20%s", suffix),
        };
        static const uint32_t types[] = {9, 1, 1};
        for (unsigned i = 0; i < 3; i++) {
            made_perf_record(perf, types[i], 2, words[i]);
            g_free(words[i]);
        }
        made_perf_expect(perf, "Thread 7;under.so[+40] 2");
    }
}

/* Without these fields they count where they are in the file, and so they do if no record has a
 * time. */
TEST(records_without_times_stay_in_file_order)
{
    made_perf *perf = made_perf_begin_with(&(made_event){.has = PERF_DEFAULT});
    made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
    made_perf_record(perf, 1, 2, "7/4 7/4 0x1000 0x1000 0 '/first.so' pad 99");
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 30 2 0");
    made_perf_expect(perf, "t;first.so[+20] 2");
    perf = made_perf_begin_with(
        &(made_event){.has = PERF_IP | PERF_TID | PERF_PERIOD, .flags = 1 << 18});
    made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 2");
    made_perf_record(perf, 1, 2, "7/4 7/4 0x1000 0x1000 0 '/later.so' pad 7/4 7/4");
    made_perf_record(perf, 9, 2, "0x1020 7/4 7/4 3");
    made_perf_expect(perf, "t;b 2 | t;later.so[+20] 3");
}

/* The event id of a record is near its end; here the second event has no times after records. */
TEST(records_belong_to_events_by_id)
{
    static const struct {
        uint64_t more;
        const char *sample, *id;
    } rows[] = {
        {PERF_ID, "0x1020 7/4 7/4 30 11 2", "22"},
        {PERF_ID | PERF_STREAM | PERF_CPU, "0x1020 7/4 7/4 30 11 5 6 2", "22 5 6"},
        {PERF_IDENTIFIER | PERF_CPU, "11 0x1020 7/4 7/4 30 6 2", "6 22"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const uint64_t has = PERF_IP | PERF_TID | PERF_TIME | PERF_PERIOD | rows[i].more;
        made_perf *perf = made_perf_new();
        made_perf_event(perf, &(made_event){.has = has, .id = 11, .flags = 1 << 18});
        made_perf_event(perf, &(made_event){.has = has, .id = 22});
        made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
        g_autofree char *map =
            g_strdup_printf("7/4 7/4 0x1000 0x1000 0 '/at_once.so' pad 7/4 7/4 40 %s", rows[i].id);
        made_perf_record(perf, 9, 2, rows[i].sample);
        made_perf_record(perf, 1, 2, map);
        made_perf_expect(perf, "Thread 7;at_once.so[+20] 2");
    }
}

/* The bytes after the callers show whether the stack was copied but never unwound. */
TEST(copied_stacks_are_reported)
{
    for (unsigned is_linux = 0; is_linux < 2; is_linux++) {
        for (unsigned size = 0; size <= 8; size += 8) {
            for (unsigned regs = 0; regs < 2; regs++) {
                made_perf *perf = made_perf_begin_with(&(made_event){
                    .has = PERF_DEFAULT | PERF_RAW | PERF_BRANCH | PERF_REGS | PERF_STACK,
                    .branch_type = 1 << 17,
                    .regs = 5});
                if (is_linux != 0) {
                    made_perf_feature(perf, 12, "1/4 0/4 0/4 [ 'cycles' ]");
                }
                g_autofree char *words =
                    g_strdup_printf("0x1010 7/4 7/4 1 5 0 4/4 9/4 2 0 1 2 3 4 5 6 %s %u%s",
                                    regs != 0 ? "2 0 0" : "0", size, size > 0 ? " 7 8" : "");
                made_perf_record(perf, 9, 2, words);
                made_perf_expect_warned(perf, "t;a 5",
                                        is_linux != 0 && size > 0 ? "raw-stacks 1" : "");
            }
        }
    }
}

/* perf record -o -: events are records; those of tracepoints are followed by as many bytes as they
 * declare. */
TEST(files_from_a_pipe)
{
    g_autoptr(made_perf) perf = made_perf_new();
    made_perf_record(perf, 64, 0, "0/4 64/4 0 0 0x107 0 0 0 0");
    made_perf_record(perf, 66, 0, "5/4");
    made_bytes(perf->data, "9/4 2/2 48/2");
    made_perf_record(perf, 3, 0, "7/4 7/4 't' pad");
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5");
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    made_bytes(bytes, "\"PERFILE2\" 16");
    g_byte_array_append(bytes, perf->data->data, perf->data->len);
    g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
    g_autofree char *stacks = made_perf_stacks(profile);
    ck_assert_str_eq(stacks, "t;[unknown] 5");
}

/* The weight of a sample without one: the period of its event; unknown for an event sampled at a
 * fixed frequency. The unit is the event. */
TEST(samples_have_weights)
{
    static const struct {
        uint64_t config, flags;
        const char *stacks, *unit;
    } rows[] = {
        {0, 0, "t;a 8000", "cycles"},
        {0, 1 << 10, "t;a 2", "samples"},
        {7, 0, "t;a 8000", "stalled-cycles-frontend"},
        {3, 0, "t;a 8000", "cache-misses"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        made_perf *perf = made_perf_begin_with(&(made_event){.has = PERF_IP | PERF_TID | PERF_TIME,
                                                             .period = 4000,
                                                             .config = rows[i].config,
                                                             .flags = rows[i].flags});
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1");
        made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 2");
        g_autoptr(GByteArray) bytes = made_perf_bytes(perf);
        g_autoptr(af_profile) profile = made_perf_open(bytes, NULL);
        ck_assert_str_eq(af_profile_unit_name(profile), rows[i].unit);
        made_perf_expect(perf, rows[i].stacks);
    }
}

/* A size above 16 bits stores its upper half first. */
TEST(long_records)
{
    made_perf *perf = made_perf_begin();
    g_autoptr(GString) words = g_string_new(NULL);
    for (unsigned i = 0; i < 8300; i++) {
        g_string_append(words, "0x90000000002 ");
    }
    made_perf_record(perf, 32777, 0, words->str);
    made_perf_record(perf, 9, 2, "0x1010 7/4 7/4 1 5 0");
    made_perf_expect(perf, "t;a 5");
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
    g_autoptr(GString) words = g_string_new(NULL);
    for (guint i = 0; i < length; i++) {
        g_string_append_printf(words, "%u/1 ", bytes[i]);
    }
    made_perf_record(perf, 81, 0, words->str);
}

TEST(compressed_records_in_pieces)
{
    g_autoptr(GByteArray) packed = make_packed();
    for (guint first = 1; first < packed->len; first += 7) {
        made_perf *perf = made_perf_begin();
        add_packed(perf, packed->data, first);
        add_packed(perf, packed->data + first, packed->len - first);
        made_perf_expect(perf, "t;a 3 | t;b 5");
    }
}

TEST(damaged_compressed_records)
{
    g_autoptr(GByteArray) packed = make_packed();
    made_perf *perf = made_perf_begin();
    made_perf_record(perf, 9, 2, "0x1030 7/4 7/4 1 4 0");
    packed->data[0] ^= 1; /* no zstd frame */
    add_packed(perf, packed->data, packed->len);
    made_perf_expect_warned(perf, "t;c 4", "packed-records 1");
}
