#include <string.h>

#include "mapping/collect.h"
#include "mapping/descriptor.h"
#include "mapping/line.h"
#include "mapping/comment.h"
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

TEST(lines_have_kinds)
{
    static const char *const cases[][2] = {
        {"", "blank"},
        {" \t\r", "blank"},
        {"# compiler: R8", "remark compiler: R8"},
        {"   #{\"id\":1}  ", "remark {\"id\":1}"},
        {"a.Foo -> b:", "class a.Foo b - - -"},
        {"a.Foo -> b:\r", "class a.Foo b - - -"},
        {"a.Foo->b:", "class a.Foo b - - -"},
        {"a.-$$Lambda->1 -> -$$x:", "class a.-$$Lambda->1 -$$x - - -"},
        {"a.Foo -> b", "broken"},
        {"a.Foo b:", "broken"},
        {" -> b:", "broken"},
        {"a.Foo -> :", "broken"},
        {"a Foo -> b:", "broken"},
        {"  int x -> a", "field x a int - -"},
        {"\tint a.b.x -> a", "field x a int a.b -"},
        {"  int -> a", "broken"},
        {"  -> a", "broken"},
        {"  void f() -> a", "method f a void -  0:0:0"},
        {"  1:3:int a.Util.twice(int):9:9 -> b", "method twice b int a.Util int 1:1:3"},
        {"  1:3:int compute(int):31 -> b", "method compute b int - int 1:1:3"},
        {"  9:3:void f(a.B[],int) -> <x>", "method f <x> void - a.B[],int 1:3:9"},
        {"  7:0:void f() -> a", "method f a void -  1:7:7"},
        {"  7:void f() -> a", "method f a void -  1:7:7"},
        {"  0:65535:void <init>():0:0 -> <init>", "method <init> <init> void -  1:0:65535"},
        {"  void f( int , a.B )->a", "method f a void - int , a.B 0:0:0"},
        {"  void access$000(a.b) -> -$$x", "method access$000 -$$x void - a.b 0:0:0"},
        {"  void \xC3\xA4.\xCA\x8A() -> \xE2\x82\xAC",
         "method \xCA\x8A \xE2\x82\xAC void \xC3\xA4  0:0:0"},
        {"  void f(-> a", "broken"},
        {"  void f()", "broken"},
        {"  void f() ->", "broken"},
        {"  void f() x -> a", "broken"},
        {"  void () -> a", "broken"},
        {"  void a.() -> a", "broken"},
        {"  void .a() -> a", "broken"},
        {"  f() -> a", "broken"},
        {"  void f() -> a b", "broken"},
        {"  99999999999999999999:1:void f() -> a", "method f a void -  1:1:4294967295"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got = parse(cases[i][0]);
        ck_assert_msg(strcmp(got, cases[i][1]) == 0, "\"%s\" is \"%s\", not \"%s\"", cases[i][0],
                      got, cases[i][1]);
    }
    af_line line;
    ck_assert_int_eq(af_line_parse("a\0 -> b:", 8, &line), AF_LINE_BROKEN);
}

static void check_remark(const char *text, const char *id, const char *signature, const char *file)
{
    af_comment remark;
    ck_assert(af_comment_parse((af_span){text, strlen(text)}, &remark));
    const af_span values[] = {remark.id, remark.signature, remark.file_name};
    const char *const expected[] = {id, signature, file};
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autoptr(GString) value = g_string_new(NULL);
        af_comment_append(value, values[i]);
        ck_assert_msg(strcmp(value->str, expected[i]) == 0, "%s: %s", text, value->str);
    }
}

TEST(remarks_are_read_leniently)
{
    check_remark("{\"id\":\"sourceFile\",\"fileName\":\"A.kt\"}", "sourceFile", "", "A.kt");
    check_remark("{ 'fileName' : 'A.kt' , id : sourceFile }", "sourceFile", "", "A.kt");
    check_remark("{\"x\":{\"id\":\"no\",\"a\":[1,{\"b\":\"}\"}]},\"id\":\"yes\"}", "yes", "", "");
    check_remark("{\"id\":\"r\",\"signature\":\"(La\\u002fb;\\u005BI)V\"}", "r", "(La/b;[I)V", "");
    check_remark("{\"id\":\"a\\\"b\\\\\",\"signature\":\"\\/\\q\"}", "a\"b\\", "/q", "");
    check_remark("{\"id\":\"n_valid\",\"signature\":\"cut", "n_valid", "", "");
    check_remark("{\"id\":\"n_valid\",\"signature\":[[[", "n_valid", "", "");
    check_remark("{", "", "", "");
    check_remark("{\"id\":\"\\uD83D\\uZZZZ\\", "", "", "");
    af_comment remark;
    ck_assert(!af_comment_parse((af_span){"compiler: R8", 12}, &remark));
    ck_assert(!af_comment_parse((af_span){"", 0}, &remark));
}

static void check_descriptor(const char *arguments, const char *type, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_descriptor_append(text, arguments, type, NULL);
    ck_assert_str_eq(text->str, expected);
}

TEST(descriptors)
{
    check_descriptor("", "void", "()V");
    check_descriptor("int,long[],a.b.C[][],boolean", "a.B$C", "(I[J[[La/b/C;Z)La/B$C;");
    check_descriptor("byte,char,double,float,short", "int[]", "(BCDFS)[I");
    static const struct {
        const char *text;
        int n;
    } counts[] = {
        {"()V", 0},   {"(I[[La/b;J)[I", 3}, {"", -1},        {"(", -1},
        {"()", -1},   {"(I", -1},           {"(La/b)V", -1}, {"(X)V", -1},
        {"()VV", -1}, {"(L;)V", -1},        {"I)V", -1},     {"([)V", -1},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        ck_assert_msg(af_descriptor_count(counts[i].text) == counts[i].n, "%s", counts[i].text);
    }
}

/* ---- whole files ---- */

/* Feeds the text in pieces of `piece` bytes. */
static af_mapping *collect(const char *text, size_t length, size_t piece, GError **error)
{
    af_collector *collector = af_collector_new("m.txt");
    for (size_t at = 0; at < length; at += piece) {
        if (!af_collector_take(collector, text + at, MIN(piece, length - at))) {
            break;
        }
    }
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

TEST(input_may_come_in_pieces_of_any_size)
{
    for (size_t piece = 1; piece <= sizeof mixed; piece++) {
        g_autoptr(af_mapping) mapping = collect(mixed, strlen(mixed), piece, NULL);
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
    for (size_t piece = 1000; piece <= 10000000; piece *= 10) {
        g_autoptr(af_mapping) mapping = collect(text->str, text->len, piece, NULL);
        ck_assert_uint_eq(mapping->methods.n, 1);
        ck_assert_uint_eq(mapping->broken, 1);
        ck_assert_uint_eq(mapping->lines, 3);
    }
}

TEST(files_without_a_mapping_are_refused)
{
    static const char *const texts[] = {"", "hello\nworld\n", "{\n  \"a\": 1\n}\n",
                                        "    int a -> b\n", "PK\x03\x04"};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(collect(texts[i], strlen(texts[i]), 7, &error));
        ck_assert_int_eq(error->code, AF_ERROR_UNRECOGNISED);
    }
    g_autoptr(af_mapping) empty = collect("# compiler: R8\n", 15, 100, NULL);
    ck_assert_uint_eq(empty->classes.n, 0);
    ck_assert_ptr_null(af_mapping_lookup_obfuscated(empty, "a"));
}

TEST(reading_stops_after_too_many_bad_lines)
{
    af_collector *collector = af_collector_new("x");
    unsigned taken = 0;
    static char zeros[65536];
    memset(zeros, '\n', 100);
    zeros[0] = 'x';
    while (af_collector_take(collector, zeros, sizeof zeros) && taken < 1000) {
        taken++;
    }
    ck_assert_uint_lt(taken, 100);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(af_collector_finish(collector, FALSE, &error));
    ck_assert_int_eq(error->code, AF_ERROR_UNRECOGNISED);
    af_collector_free(collector);
}

TEST(equal_classes)
{
    g_autoptr(af_mapping) mapping =
        collect("x.A -> a:\n  void f() -> a\nx.B -> a:\n  void g() -> a\n", 48, 100, NULL);
    ck_assert_uint_eq(mapping->classes.n, 2);
    ck_assert_str_eq(af_mapping_lookup_obfuscated(mapping, "a")->original, "x.A");
}
