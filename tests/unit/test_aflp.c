/* Saved profiles: any damage is noticed. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdeflate.h>
#include <aflame/aflame.h>
#include "base/aflp.h"
#include "base/bytes.h"
#include "base/out.h"
#include "export/aflp.h"
#include "made_message.h"
#include "suite.h"

static GByteArray *save(const char *path)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.keep_methods = TRUE;
    g_autoptr(af_profile) profile = af_profile_open(path, &options, NULL);
    ck_assert_ptr_nonnull(profile);
    GByteArray *bytes = g_byte_array_new();
    af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
    convert.input_name = "sample.trace";
    ck_assert(af_convert_write(profile, "aflp", &convert, af_out_to_array, bytes, NULL));
    return bytes;
}

static af_profile *open_bytes(const guint8 *bytes, size_t n, af_names names, GError **error)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.names = names;
    const int fd = memfd_create("saved", 0);
    ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
    ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
    af_profile *profile = af_profile_open_fd(fd, &options, error);
    close(fd);
    return profile;
}

TEST(the_name_and_times_of_the_recording_survive)
{
    g_autoptr(GByteArray) bytes = save(getenv("AFLAME_SAMPLE"));
    g_autoptr(af_profile) profile = open_bytes(bytes->data, bytes->len, AF_NAMES_FULL, NULL);
    g_autoptr(af_profile) trace = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    ck_assert_ptr_nonnull(profile);
    ck_assert_str_eq(af_profile_saved_name(profile), "sample.trace");
    ck_assert_ptr_null(af_profile_saved_name(trace));
    ck_assert_uint_eq(af_profile_n_threads(profile), af_profile_n_threads(trace));
    for (unsigned t = 0; t < af_profile_n_threads(trace); t++) {
        ck_assert_uint_eq(af_node_inclusive_ns(profile, t, 0, AF_WALL),
                          af_node_inclusive_ns(trace, t, 0, AF_WALL));
    }
}

/* Other threads may use the profile meanwhile. Values that are true in an unusual way show writes. */
TEST(a_profile_is_not_changed_while_it_is_saved)
{
    g_autoptr(af_profile) profile = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
    ck_assert_ptr_nonnull(profile);
    profile->methods[0].defined = profile->labels[0].synthetic = 2;
    ck_assert(af_convert_write(profile, "aflp", &convert, af_out_to_array, bytes, NULL));
    ck_assert_int_eq(profile->methods[0].defined, 2);
    ck_assert_int_eq(profile->labels[0].synthetic, 2);
}

TEST(a_truncated_profile_is_refused)
{
    g_autoptr(GByteArray) bytes = save(getenv("AFLAME_SAMPLE"));
    for (size_t n = AF_AFLP_MAGIC_SIZE; n < bytes->len; n += n < 100 ? 1 : 97) {
        ck_assert_error(open_bytes(bytes->data, n, AF_NAMES_CLASS, &error), AF_ERROR_DAMAGED);
    }
}

TEST(a_changed_bit_is_noticed)
{
    g_autoptr(GByteArray) bytes = save(getenv("AFLAME_SAMPLE"));
    for (size_t at = AF_AFLP_MAGIC_SIZE; at < bytes->len; at += at < 100 ? 1 : 61) {
        bytes->data[at] ^= (guint8)(1u << at % 8);
        ck_assert_error(open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, &error),
                        AF_ERROR_DAMAGED);
        bytes->data[at] ^= (guint8)(1u << at % 8);
    }
}

TEST(a_false_length_allocates_no_memory)
{
    /* 2^40 bytes declared */
    static const guint8 lie[] = "\x89"
                                "AFLP\r\n\x1A\x01\x80\x80\x80\x80\x80\x20\x01\x00\x00\x00\x00";
    ck_assert_error(open_bytes(lie, sizeof lie - 1, AF_NAMES_CLASS, &error), AF_ERROR_DAMAGED);
}

/* ---- content that is invalid, with a valid checksum ---- */

/* The payload of a file of one piece. */
static GByteArray *take_payload(const GByteArray *file)
{
    const uint8_t *at = file->data + AF_AFLP_MAGIC_SIZE + 1, *end = file->data + file->len;
    uint64_t length, packed;
    ck_assert(af_uleb128(&at, end, &length) && af_uleb128(&at, end, &packed));
    ck_assert_uint_le(length, AF_AFLP_PIECE);
    GByteArray *payload = g_byte_array_new();
    g_byte_array_set_size(payload, (guint)length);
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    ck_assert_int_eq(libdeflate_zlib_decompress(unpacker, at, packed, payload->data, length, NULL),
                     LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(unpacker);
    return payload;
}

static GByteArray *make_file(const GByteArray *payload, struct libdeflate_compressor *packer)
{
    static const guint8 head[] = AF_AFLP_MAGIC "\x01";
    const uint32_t checksum = libdeflate_crc32(0, payload->data, payload->len);
    const size_t most = libdeflate_zlib_compress_bound(packer, payload->len);
    g_autofree guint8 *packed = g_malloc(most);
    const size_t n = libdeflate_zlib_compress(packer, payload->data, payload->len, packed, most);
    GByteArray *file = g_byte_array_new();
    g_byte_array_append(file, head, sizeof head - 1);
    made_varint(file, payload->len);
    made_varint(file, n);
    g_byte_array_append(file, packed, (guint)n);
    for (unsigned i = 0; i < 4; i++) {
        const guint8 byte = (guint8)(checksum >> 8 * i);
        g_byte_array_append(file, &byte, 1);
    }
    return file;
}

static void check_trees(const af_profile *profile)
{
    for (uint32_t t = 0; t < af_profile_n_threads(profile); t++) {
        ck_assert_ptr_null(af_tree_check(profile->threads[t].tree));
    }
}

/* Each byte of the payload in turn gets other values. The file is refused as damaged, or what it
 * holds is a valid profile. */
TEST(invalid_content_is_refused)
{
    static const char *const files[] = {"basic.trace", "perfetto_waits.trace", "proxy_names.trace"};
    static const guint8 values[] = {0, 0x7F, 0xFF};
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(0);
    unsigned refused = 0, read = 0;
    for (size_t f = 0; f < G_N_ELEMENTS(files); f++) {
        g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), files[f], NULL);
        g_autoptr(GByteArray) whole = save(path), payload = take_payload(whole);
        for (guint at = 0; at < payload->len; at++) {
            const guint8 before = payload->data[at];
            for (size_t v = 0; v < G_N_ELEMENTS(values); v++) {
                payload->data[at] = values[v];
                g_autoptr(GError) error = NULL;
                g_autoptr(GByteArray) file = make_file(payload, packer);
                g_autoptr(af_profile) profile =
                    open_bytes(file->data, file->len, AF_NAMES_CLASS, &error);
                if (profile != NULL) {
                    check_trees(profile);
                } else {
                    ck_assert_msg(g_error_matches(error, AF_ERROR, AF_ERROR_DAMAGED),
                                  "%s, byte %u: %s", files[f], at, error->message);
                }
                refused += profile == NULL;
                read += profile != NULL;
            }
            payload->data[at] = before;
        }
    }
    libdeflate_free_compressor(packer);
    ck_assert_uint_gt(refused, 500);
    ck_assert_uint_gt(read, 500);
}

/* Replaces a section of a saved fixture by others. Returns the file. */
static GByteArray *replace_section(const char *name, unsigned replaced, const guint8 *sections,
                                   guint n)
{
    g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), name, NULL);
    g_autoptr(GByteArray) whole = save(path), payload = take_payload(whole);
    const uint8_t *at = payload->data, *end = at + payload->len, *begin = at;
    uint64_t number = 0, length = 0;
    while (number != replaced) {
        begin = at += length;
        ck_assert(af_uleb128(&at, end, &number) && af_uleb128(&at, end, &length));
    }
    g_autoptr(GByteArray) changed = g_byte_array_new();
    g_byte_array_append(changed, payload->data, (guint)(begin - payload->data));
    g_byte_array_append(changed, sections, n);
    g_byte_array_append(changed, at + length, (guint)(end - at - length));
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(1);
    GByteArray *file = make_file(changed, packer);
    libdeflate_free_compressor(packer);
    return file;
}

static void check_section_is_refused(const char *name, unsigned replaced, const guint8 *sections,
                                     guint n)
{
    g_autoptr(GByteArray) file = replace_section(name, replaced, sections, n);
    ck_assert_error(open_bytes(file->data, file->len, AF_NAMES_CLASS, &error), AF_ERROR_DAMAGED);
}

TEST(a_process_without_an_id_is_refused)
{
    static const guint8 no_ids[] = {AF_AFLP_PROCESSES, 13, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    check_section_is_refused("chrome_ids.trace", AF_AFLP_PROCESSES, no_ids, sizeof no_ids);
}

TEST(an_amount_without_a_unit_is_refused)
{
    /* another container, its title, stacks, counted */
    static const guint8 no_unit[] = {AF_AFLP_FACTS, 9, 2, 4, 34 * 2 + 1, 2, 'x', 80, 1, 90, 1};
    check_section_is_refused("folded.trace", AF_AFLP_FACTS, no_unit, sizeof no_unit);
}

TEST(labels_next_to_trees_by_method_are_refused)
{
    /* one label, "x", of the first method; then no warnings */
    static const guint8 labels[] = {AF_AFLP_LABELS,   11, 1, 0, 2, 'x', 0, 1, 0, 0, 0, 0, 0,
                                    AF_AFLP_WARNINGS, 1,  0};
    check_section_is_refused("basic.trace", AF_AFLP_WARNINGS, labels, sizeof labels);
}

static void append_zeros(GByteArray *to, guint n)
{
    const guint before = to->len;
    g_byte_array_set_size(to, before + n);
    memset(to->data + before, 0, n);
}

/* Each text of a column may repeat the one before it: few bytes, but much memory. */
TEST(repeated_texts_are_within_the_memory_limit)
{
    enum { METHODS = 1000, LENGTH = 60000 };
    g_autoptr(GByteArray) content = g_byte_array_new(), section = g_byte_array_new();
    g_autofree char *text = g_strnfill(LENGTH, 'x');
    made_varint(content, METHODS);
    append_zeros(content, METHODS); /* ids */
    made_varint(content, 0);        /* classes */
    made_varint(content, LENGTH + 1);
    g_byte_array_append(content, (const guint8 *)text, LENGTH);
    for (unsigned i = 1; i < METHODS; i++) {
        made_varint(content, LENGTH);
        made_varint(content, 1);
    }
    append_zeros(content, 6 * 2 * METHODS + METHODS); /* other texts; lines */
    for (unsigned i = 0; i < METHODS; i++) {
        made_varint(content, 1); /* defined */
    }
    made_varint(section, AF_AFLP_METHODS);
    made_varint(section, content->len);
    g_byte_array_append(section, content->data, content->len);
    g_autoptr(GByteArray) file =
        replace_section("basic.trace", AF_AFLP_METHODS, section->data, section->len);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.max_memory = 16 << 20;
    ck_assert_error(af_profile_open_bytes(file->data, file->len, &options, &error),
                    AF_ERROR_MEMORY);
}

/* Both sides of a comparison: one whole file each, see base/aflp.h. */
TEST(damaged_sides_of_a_comparison_are_refused)
{
    static const guint8 head[] = AF_AFLP_MAGIC "\x02";
    g_autoptr(GByteArray) side = save(getenv("AFLAME_SAMPLE")), both = g_byte_array_new();
    g_byte_array_append(both, head, sizeof head - 1);
    guint ends[2];
    for (unsigned i = 0; i < 2; i++) {
        made_varint(both, side->len);
        g_byte_array_append(both, side->data, side->len);
        ends[i] = both->len;
    }
    const struct {
        guint length, changed; /* a byte that is changed; 0 = none */
        const char *message;   /* NULL = both are read */
    } rows[] = {
        {ends[1], 0, NULL},
        {ends[1] - 1, 0,
         "the saved profile is damaged: it does not hold both sides of the "
         "comparison"},
        {ends[0], 0, "the saved profile is damaged: it does not hold both sides of the comparison"},
        {sizeof head - 1, 0,
         "the saved profile is damaged: it does not hold both sides of the comparison"},
        {ends[1], sizeof head + 2, /* in the magic of before */
         "the saved profile is damaged: it does not hold both sides of the comparison"},
        {ends[1], ends[1] - 1, "the saved profile is damaged: its checksum does not match"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        both->data[rows[i].changed] ^= rows[i].changed > 0;
        g_autoptr(af_profile) profile =
            open_bytes(both->data, rows[i].length, AF_NAMES_CLASS, &error);
        both->data[rows[i].changed] ^= rows[i].changed > 0;
        ck_assert_str_eq(error != NULL ? error->message : "",
                         rows[i].message != NULL ? rows[i].message : "");
        ck_assert_int_eq(profile != NULL, rows[i].message == NULL);
    }
}

/* Without its methods, a profile keeps the style of names that it was saved with. */
TEST(other_names_need_the_methods)
{
    g_autoptr(af_profile) trace = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
    ck_assert(af_convert_write(trace, "aflp", &convert, af_out_to_array, bytes, NULL));
    ck_assert_error_is(open_bytes(bytes->data, bytes->len, AF_NAMES_FULL, &error), AF_ERROR_USAGE,
                       "the saved profile has class names; --names full needs the trace");
    g_autoptr(af_profile) profile = open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, NULL);
    ck_assert_ptr_nonnull(profile);
}

/* The picture of `render --names full --fold ...` opens without options. */
TEST(the_default_is_the_names_of_the_file)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.names = AF_NAMES_FULL;
    g_autoptr(af_profile) trace = af_profile_open(getenv("AFLAME_SAMPLE"), &options, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    af_convert_options convert = AF_CONVERT_OPTIONS_INIT;
    ck_assert(af_convert_write(trace, "aflp", &convert, af_out_to_array, bytes, NULL));
    g_autoptr(af_profile) profile = open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, NULL);
    ck_assert(profile != NULL && profile->names == AF_NAMES_FULL);
    ck_assert_str_eq(profile->labels[0].text, trace->labels[0].text);
    ck_assert_ptr_null(open_bytes(bytes->data, bytes->len, AF_NAMES_SHORT, NULL));
    options.names = AF_NAMES_CLASS;
    options.names_required = TRUE;
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(af_profile_open_bytes(bytes->data, bytes->len, &options, &error));
    ck_assert_str_eq(error->message,
                     "the saved profile has full names; --names class needs the trace");
}

/* What is left out is time of its own, so that nothing else changes. */
TEST(a_limit_leaves_out_paths_and_no_time)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    for (unsigned i = 0; i < 2; i++) {
        options.keep_methods = i == 0;
        g_autoptr(af_profile) trace = af_profile_open(getenv("AFLAME_SAMPLE"), &options, NULL);
        uint32_t threads[64];
        const uint32_t n = af_profile_n_threads(trace);
        ck_assert_uint_le(n, G_N_ELEMENTS(threads));
        for (uint32_t t = 0; t < n; t++) {
            threads[t] = t;
        }
        for (size_t most = 12000; most >= 3000; most -= 3000) {
            const af_aflp_options limited = {
                .threads = threads, .n_threads = n, .most_bytes = most};
            uint64_t left_out = 0;
            g_autoptr(GBytes) bytes = af_aflp_save(trace, &limited, &left_out, NULL);
            ck_assert_uint_le(g_bytes_get_size(bytes), most);
            ck_assert_uint_gt(left_out, 0);
            g_autoptr(af_profile) part = open_bytes(g_bytes_get_data(bytes, NULL),
                                                    g_bytes_get_size(bytes), AF_NAMES_CLASS, NULL);
            ck_assert_ptr_nonnull(part);
            ck_assert_uint_eq(part->warnings.count[AF_WARN_LEFT_OUT], left_out);
            for (uint32_t t = 0; t < n; t++) {
                const af_tree *tree = part->threads[t].tree;
                ck_assert_ptr_null(af_tree_check(tree));
                ck_assert_uint_eq(tree->inclusive[AF_WALL][0],
                                  trace->threads[t].tree->inclusive[AF_WALL][0]);
                ck_assert_uint_eq(tree->inclusive[AF_CPU][0],
                                  trace->threads[t].tree->inclusive[AF_CPU][0]);
            }
        }
    }
}

/* Saves the sample as it is or with its callers inverted: then the file has the extremes of all nodes,
 * also those of single calls. */
static GBytes *save_shape(gboolean inverted)
{
    const af_step invert = {.kind = AF_STEP_INVERT_CALLERS};
    af_profile *profile = af_profile_open(getenv("AFLAME_SAMPLE"), NULL, NULL);
    if (inverted) {
        af_profile *made = af_profile_reshape(profile, &invert, 1, NULL);
        af_profile_free(profile);
        profile = made;
    }
    const af_aflp_options all = {.threads = (const uint32_t[]){0}, .n_threads = 1};
    uint64_t left_out;
    GBytes *bytes = af_aflp_save(profile, &all, &left_out, NULL);
    ck_assert_ptr_nonnull(bytes);
    af_profile_free(profile);
    return bytes;
}

TEST(only_sums_have_no_times_of_calls)
{
    for (unsigned inverted = 0; inverted < 2; inverted++) {
        g_autoptr(GBytes) bytes = save_shape(inverted == 1);
        af_open_options options = AF_OPEN_OPTIONS_INIT;
        g_autoptr(af_profile) all = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                          g_bytes_get_size(bytes), &options, NULL);
        options.only_sums = TRUE;
        g_autoptr(af_profile) sums = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                           g_bytes_get_size(bytes), &options, NULL);
        ck_assert_ptr_nonnull(all);
        ck_assert_ptr_nonnull(sums);
        const af_tree *one = all->threads[0].tree, *other = sums->threads[0].tree;
        ck_assert_ptr_null(af_tree_check(other));
        ck_assert_uint_eq(one->n, other->n);
        uint64_t longest = 0;
        for (uint32_t i = 0; i < one->n; i++) {
            ck_assert_uint_eq(one->parent[i], other->parent[i]);
            ck_assert_uint_eq(one->label[i], other->label[i]);
            ck_assert_uint_eq(one->calls[i], other->calls[i]);
            ck_assert_uint_eq(one->unwinds[i], other->unwinds[i]);
            for (unsigned c = 0; c < AF_CLOCKS; c++) {
                ck_assert_uint_eq(one->self[c][i], other->self[c][i]);
                ck_assert_uint_eq(one->inclusive[c][i], other->inclusive[c][i]);
                ck_assert_uint_eq(other->min[c][i], 0);
                ck_assert_uint_eq(other->max[c][i], 0);
                longest = MAX(longest, one->max[c][i]);
            }
        }
        ck_assert(inverted == 1 || longest > 0);
    }
}

TEST(single_calls_are_refused_with_the_reason)
{
    g_autoptr(GByteArray) bytes = save(getenv("AFLAME_SAMPLE"));
    g_autoptr(af_profile) profile = open_bytes(bytes->data, bytes->len, AF_NAMES_CLASS, NULL);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(af_call_list_new(profile, "onBind", NULL, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_ptr_nonnull(strstr(error->message, "saved profile"));
}
