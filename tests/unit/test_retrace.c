/* Names that a mapping gives to methods: the cases of ../data/retrace.txt.
 *   mapping                        the next line belongs to the mapping, though it has a #
 *   keep synthetic                 with --keep-synthetic
 *   a.B -> c: ...                  lines of the mapping
 *   > CLASS NAME SIGNATURE [SOURCE [LINE]] => RENAMED
 *                                  a method of the trace; - is absent
 *   = METHODS, KNOWN, ...          the result of all */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "mapping/collect.h"
#include "mapping/retrace.h"
#include "model/labels.h"
#include "suite.h"

typedef struct {
    af_mapping *mapping;
    af_retracer *retracer;
    af_arena *arena;
} query;

static void begin(query *q, const char *text, gboolean keep_synthetic)
{
    GError *error = NULL;
    af_collector *collector = af_collector_new("mapping.txt");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        af_collector_take(collector, af_span_of(*line));
    }
    q->mapping = af_collector_finish(collector, FALSE, &error);
    ck_assert_msg(q->mapping != NULL, "%s", error != NULL ? error->message : "no error");
    af_collector_free(collector);
    q->retracer = af_retracer_new(q->mapping, keep_synthetic);
    q->arena = af_arena_new();
}

static void end(query *q)
{
    af_retracer_free(q->retracer);
    af_arena_free(q->arena);
    af_mapping_free(q->mapping);
}

static const char *get_word(char **words, int n, int i)
{
    return i < n && strcmp(words[i], "-") != 0 ? words[i] : NULL;
}

static char *rename_method(query *q, const char *line)
{
    int n;
    g_auto(GStrv) words = NULL;
    ck_assert_msg(g_shell_parse_argv(line, &n, &words, NULL), "%s", line);
    af_method method = {.class_name = get_word(words, n, 0),
                        .name = get_word(words, n, 1),
                        .signature = get_word(words, n, 2),
                        .source = get_word(words, n, 3),
                        .line = n > 4 ? atoi(words[4]) : -1,
                        .defined = TRUE};
    af_retracer_rename(q->retracer, q->arena, &method);
    GString *text = g_string_new(NULL);
    af_method_append_full(text, &method);
    if (method.source != NULL) {
        g_string_append_printf(text, ", %s", method.source);
    }
    if (method.line >= 0) {
        g_string_append_printf(text, ", line %d", method.line);
    }
    g_string_append(text, method.ambiguous ? ", ambiguous" : "");
    g_string_append(text, method.synthetic ? ", synthetic" : "");
    g_string_append(text, method.forwards ? ", forwards" : "");
    return g_string_free(text, FALSE);
}

static char *describe_result(query *q)
{
    af_mapped_facts facts;
    ck_assert(af_retracer_result(q->retracer, q->arena, &facts));
    return g_strdup_printf("%u methods, %u known, %u named, %u ambiguous, %u synthetic%s",
                           (unsigned)facts.methods, (unsigned)facts.known, (unsigned)facts.named,
                           (unsigned)facts.ambiguous, (unsigned)facts.synthetic,
                           facts.other_build ? ", of another build" : "");
}

static void check_case(char **lines)
{
    const gboolean keep_synthetic = strcmp(*lines, "keep synthetic") == 0;
    lines += keep_synthetic || strcmp(*lines, "mapping") == 0;
    g_autoptr(GString) mapping = g_string_new(NULL);
    for (; *lines != NULL && **lines != '>'; lines++) {
        g_string_append_printf(mapping, "%s\n", *lines);
    }
    query q;
    begin(&q, mapping->str, keep_synthetic);
    for (; *lines != NULL && **lines == '>'; lines++) {
        g_auto(GStrv) parts = g_strsplit(*lines + 1, " => ", 2);
        g_autofree char *renamed = rename_method(&q, parts[0]);
        cases_expect(parts[0], renamed, parts[1]);
    }
    g_autofree char *result = describe_result(&q);
    cases_expect(mapping->str, result, *lines != NULL ? *lines + strlen("= ") : NULL);
    end(&q);
}

TEST(methods_are_renamed)
{
    cases_check("retrace.txt", check_case);
}

TEST(another_build_is_detected_by_mismatches)
{
    query q;
    begin(&q, "com.example.Foo -> a.b:\n    int compute(int) -> b\n", FALSE);
    for (unsigned i = 0; i < 17; i++) {
        g_autofree char *before = describe_result(&q);
        ck_assert_ptr_null(strstr(before, "build"));
        g_free(rename_method(&q, i < 12 ? "a.b b (I)I" : i < 16 ? "a.b b (J)I" : "a.b z ()V"));
    }
    g_autofree char *result = describe_result(&q);
    ck_assert_ptr_nonnull(strstr(result, "of another build"));
    end(&q);
}

/* The limit of methods of one name in a class: 4,096; aflame-formats(5). */
TEST(overloads_beyond_the_limit_are_not_told_apart)
{
    query q;
    g_autoptr(GString) text = g_string_new("com.example.Foo -> a.b:\n");
    for (unsigned i = 0; i < 5000; i++) {
        g_string_append_printf(text, "    void m%04u(x.C%u) -> a\n", i, i);
    }
    begin(&q, text->str, FALSE);
    g_autofree char *last = rename_method(&q, "a.b a '(Lx/C4095;)V'");
    g_autofree char *beyond = rename_method(&q, "a.b a '(Lx/C4096;)V'");
    ck_assert_str_eq(last, "com.example.Foo.m4095(C4095), Foo.java");
    ck_assert_str_eq(beyond, "com.example.Foo.m0000|m0001|m0002|...(C4096), Foo.java, ambiguous");
    end(&q);
}
