#include <string.h>

#include "cases.h"
#include "mapping/collect.h"
#include "mapping/descriptor.h"
#include "mapping/line.h"
#include "mapping/comment.h"
#include "read/lines.h"
#include "suite.h"

static char *show(af_span slice)
{
    return slice.bytes == NULL ? g_strdup("-") : g_strndup(slice.bytes, slice.length);
}

/* "kind name obfuscated type owner arguments from to" */
static char *parse(const char *text)
{
    static const char *const kinds[] = {"blank", "remark", "class", "field", "method", "broken"};
    af_line line;
    const af_line_kind kind = af_line_parse(text, strlen(text), &line);
    if (kind == AF_LINE_BLANK || kind == AF_LINE_BROKEN) {
        return g_strdup(kinds[kind]);
    }
    if (kind == AF_LINE_REMARK) {
        char *remark = show(line.remark), *all = g_strdup_printf("remark %s", remark);
        g_free(remark);
        return all;
    }
    char *parts[] = {show(line.name),  show(line.obfuscated), show(line.type),
                     show(line.owner), show(line.arguments),  NULL};
    g_autofree char *joined = g_strjoinv(" ", parts);
    char *all = kind != AF_LINE_METHOD
                    ? g_strdup_printf("%s %s", kinds[kind], joined)
                    : g_strdup_printf("%s %s %d:%u:%u", kinds[kind], joined, line.ranged,
                                      (unsigned)line.from, (unsigned)line.to);
    for (unsigned i = 0; parts[i] != NULL; i++) {
        g_free(parts[i]);
    }
    return all;
}

static char *show_remark(const char *input)
{
    af_comment remark;
    if (!af_comment_parse((af_span){input, strlen(input)}, &remark)) {
        return g_strdup("none");
    }
    const af_span values[] = {remark.id, remark.signature, remark.file_name};
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        g_string_append(text, i > 0 ? "|" : "");
        af_comment_append(text, values[i]);
    }
    return g_string_free(text, FALSE);
}

/* "ARGUMENTS TYPE" */
static char *show_descriptor(const char *input)
{
    g_auto(GStrv) words = g_strsplit(input, " ", 2);
    GString *text = g_string_new(NULL);
    af_descriptor_append(text, words[0], words[1], NULL);
    return g_string_free(text, FALSE);
}

static char *show_count(const char *input)
{
    return g_strdup_printf("%d", af_descriptor_count(input));
}

TEST(lines_remarks_and_descriptors)
{
    cases_map("mapping lines", parse);
    cases_map("mapping remarks", show_remark);
    cases_map("descriptors", show_descriptor);
    cases_map("numbers of arguments", show_count);
    af_line line;
    ck_assert_int_eq(af_line_parse("a\0 -> b:", 8, &line), AF_LINE_BROKEN);
}

/* ---- whole files ---- */

static gboolean take_line(void *user, af_span line, uint64_t offset, GError **error)
{
    return af_collector_take(user, line);
}

/* Reads the text with windows of this size; 0 = the default. */
static af_mapping *collect(const char *text, size_t length, size_t window, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, length);
    const af_source_needs needs = {.window = window, .is_part = TRUE};
    g_autoptr(af_source) source = af_source_open_bytes(bytes, &needs, error);
    af_collector *collector = af_collector_new("m.txt");
    af_lines lines;
    ck_assert(af_lines_each(&lines, source, NULL, take_line, collector, error));
    af_mapping *mapping = af_collector_finish(collector, FALSE, error);
    af_collector_free(collector);
    return mapping;
}

static const char mixed[] =
    "\xEF\xBB\xBF# compiler: R8\r\n# compiler_version: 8.2.33\r\n# pg_map_id: 0a1b2c3\r\n"
    "# pg_map_hash: SHA-256 0a1b2c3d4e5f\r\n"
    "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\r\n"
    "    void lost() -> a\r\n"
    "com.Foo -> a:\r\n"
    "    int x -> a\r\n"
    "    1:1:void f() -> a\r\n"
    "    2:2:void f() -> a\r\n"
    "    1:1:void com.Bar.g():1:1 -> b\r\n"
    "    1:1:void h():2 -> b\r\n"
    "\r\n"
    "  nonsense\r\n"
    "nonsense at the margin\r\n"
    "    void lost() -> a\r\n"
    "com.Bar -> b:\r\n"
    "    void <init>() -> <init>";

static void check_mixed(const af_mapping *mapping)
{
    ck_assert_uint_eq(mapping->classes.n, 2);
    ck_assert_uint_eq(mapping->methods.n, 3);
    ck_assert_uint_eq(mapping->lines, 18);
    ck_assert_uint_eq(mapping->broken, 4);
    ck_assert_str_eq(mapping->compiler, "R8 8.2.33");
    ck_assert_str_eq(mapping->version, "2.2");
    ck_assert_uint_eq(mapping->ids.n, 2);
    ck_assert_str_eq(AF_ARRAY_AT(&mapping->ids, const char *, 0), "0a1b2c3");
    ck_assert_str_eq(AF_ARRAY_AT(&mapping->ids, const char *, 1), "0a1b2c3d4e5f");
    ck_assert_str_eq(af_mapping_lookup_obfuscated(mapping, "b")->original, "com.Bar");
    ck_assert_str_eq(af_mapping_lookup_original(mapping, "com.Foo")->obfuscated, "a");
    ck_assert_ptr_null(af_mapping_lookup_original(mapping, "com.Fo"));
    ck_assert_ptr_null(af_mapping_lookup_obfuscated(mapping, "c"));
    uint32_t first;
    const af_mapped_class *foo = af_mapping_lookup_obfuscated(mapping, "a");
    ck_assert_uint_eq(af_mapping_find_methods(mapping, foo, "b", &first), 1);
    ck_assert_str_eq(af_mapped_text_split(af_mapping_method(mapping, first)->text).name, "h");
    ck_assert_uint_eq(af_mapping_find_methods(mapping, foo, "x", &first), 0);
}

TEST(the_window_may_have_any_size)
{
    for (size_t window = AF_SOURCE_LEAST; window <= sizeof mixed; window++) {
        g_autoptr(af_mapping) mapping = collect(mixed, strlen(mixed), window, NULL);
        ck_assert_ptr_nonnull(mapping);
        check_mixed(mapping);
    }
}

/* Truncated at every length, and with every byte changed: a mapping or an error, nothing else. */
TEST(damaged_files_are_read_or_rejected)
{
    static const char bytes[] = {'\0', ' ', '\n', ':', '(', ')', '>', '#', '{', '"', '\\', '\xFF'};
    unsigned n_valid = 0;
    for (size_t cut = 0; cut < strlen(mixed); cut++) {
        g_autoptr(af_mapping) mapping = collect(mixed, cut, 64, NULL);
        n_valid += mapping != NULL;
    }
    for (size_t at = 0; at < strlen(mixed); at++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(bytes); i++) {
            g_autofree char *changed = g_memdup2(mixed, sizeof mixed);
            changed[at] = bytes[i];
            g_autoptr(af_mapping) mapping = collect(changed, strlen(mixed), 64, NULL);
            n_valid += mapping != NULL;
        }
    }
    ck_assert_uint_gt(n_valid, strlen(mixed));
}

TEST(long_lines_are_skipped)
{
    g_autoptr(GString) text = g_string_new("a.A -> b:\n    void f(");
    for (size_t i = 0; i < AF_LONGEST_MAPPING_LINE / 4; i++) {
        g_string_append(text, "int,");
    }
    g_string_append(text, "int) -> a\n    void g() -> c\n");
    for (size_t window = 1000; window <= 10000000; window *= 10) {
        g_autoptr(af_mapping) mapping = collect(text->str, text->len, window, NULL);
        ck_assert_uint_eq(mapping->methods.n, 1);
        ck_assert_uint_eq(mapping->broken, 1);
        ck_assert_uint_eq(mapping->lines, 3);
    }
}

/* The class that is read goes on after it. */
TEST(long_remarks_are_skipped)
{
    g_autoptr(GString) text = g_string_new("a.A -> b:\n#");
    for (size_t i = 0; i < AF_LONGEST_MAPPING_LINE; i++) {
        g_string_append_c(text, 'x');
    }
    g_string_append(text, "\n    void g() -> c\n");
    g_autoptr(af_mapping) mapping = collect(text->str, text->len, 0, NULL);
    ck_assert_uint_eq(mapping->methods.n, 1);
    ck_assert_uint_eq(mapping->broken, 1);
}

TEST(files_without_a_mapping_are_refused)
{
    static const char *const texts[] = {"", "hello\nworld\n", "{\n  \"a\": 1\n}\n",
                                        "    int a -> b\n", "PK\x03\x04"};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        ck_assert_error(collect(texts[i], strlen(texts[i]), 0, &error), AF_ERROR_UNRECOGNISED);
    }
    g_autoptr(af_mapping) empty = collect("# compiler: R8\n", 15, 0, NULL);
    ck_assert_uint_eq(empty->classes.n, 0);
    ck_assert_ptr_null(af_mapping_lookup_obfuscated(empty, "a"));
}

TEST(reading_stops_after_too_many_bad_lines)
{
    af_collector *collector = af_collector_new("x");
    unsigned taken = 0;
    while (af_collector_take(collector, af_span_of("x")) && taken < 10000000) {
        taken++;
    }
    ck_assert_uint_lt(taken, 1000000);
    ck_assert_error(af_collector_finish(collector, FALSE, &error), AF_ERROR_UNRECOGNISED);
    af_collector_free(collector);
}

TEST(equal_classes)
{
    g_autoptr(af_mapping) mapping =
        collect("x.A -> a:\n  void f() -> a\nx.B -> a:\n  void g() -> a\n", 48, 0, NULL);
    ck_assert_uint_eq(mapping->classes.n, 2);
    ck_assert_str_eq(af_mapping_lookup_obfuscated(mapping, "a")->original, "x.A");
}
