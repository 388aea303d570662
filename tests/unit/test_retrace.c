#include <string.h>

#include "mapping/collect.h"
#include "mapping/retrace.h"
#include "model/labels.h"
#include "suite.h"

/* The worked examples of the format's description. */
static const char worked[] = "com.example.Foo -> a.b:\n"
                             "    int count -> a\n"
                             "    1:5:void init(android.content.Context):20:24 -> a\n"
                             "    1:3:int com.example.Util.twice(int):9:9 -> b\n"
                             "    1:3:int compute(int):31 -> b\n"
                             "    4:6:int compute(int):33:35 -> b\n"
                             "    void init(int,java.lang.String[]) -> a\n";

static af_mapping *make(const char *text)
{
    GError *error = NULL;
    af_collector *collector = af_collector_new("mapping.txt");
    af_collector_take(collector, text, strlen(text));
    af_mapping *mapping = af_collector_finish(collector, FALSE, &error);
    ck_assert_msg(mapping != NULL, "%s", error != NULL ? error->message : "no error");
    af_collector_free(collector);
    return mapping;
}

/* One retracer, query repeatedly. */
typedef struct {
    af_mapping *mapping;
    af_retracer *retracer;
    af_arena *arena;
} query;

static query ask_with(const char *text, gboolean keep_synthetic)
{
    af_mapping *mapping = make(text);
    return (query){mapping, af_retracer_new(mapping, keep_synthetic), af_arena_new()};
}

static query ask(const char *text)
{
    return ask_with(text, FALSE);
}

static void end(query *a)
{
    af_retracer_free(a->retracer);
    af_arena_free(a->arena);
    af_mapping_free(a->mapping);
}

static af_method rename_method(query *a, const char *class_name, const char *name,
                               const char *signature)
{
    af_method method = {.class_name = class_name,
                        .name = name,
                        .signature = signature,
                        .defined = TRUE,
                        .line = -1};
    af_retracer_rename(a->retracer, a->arena, &method);
    return method;
}

static void check(query *a, const char *class_name, const char *name, const char *signature,
                  const char *expected)
{
    const af_method method = rename_method(a, class_name, name, signature);
    g_autoptr(GString) full = g_string_new(NULL);
    af_method_append_full(full, &method);
    ck_assert_str_eq(full->str, expected);
}

static af_mapped_facts result(query *a)
{
    af_mapped_facts facts;
    ck_assert(af_retracer_result(a->retracer, a->arena, &facts));
    return facts;
}

TEST(worked_examples)
{
    query a = ask(worked);
    check(&a, "a.b", "a", "(Landroid/content/Context;)V", "com.example.Foo.init(Context)");
    check(&a, "a.b", "a", "(I[Ljava/lang/String;)V", "com.example.Foo.init(int, String[])");
    check(&a, "a.b", "b", "(I)I", "com.example.Foo.compute(int)");
    check(&a, "a.b", "c", "()V", "com.example.Foo.c()");
    check(&a, "android.app.Activity", "a", "(La/b;)V", "android.app.Activity.a(Foo)");
    const af_mapped_facts facts = result(&a);
    ck_assert_uint_eq(facts.methods, 5);
    ck_assert_uint_eq(facts.known, 4);
    ck_assert_uint_eq(facts.named, 4);
    ck_assert_uint_eq(facts.ambiguous, 0);
    ck_assert(!facts.other_build);
    end(&a);
}

TEST(types_get_their_original_names)
{
    query a = ask("com.example.Foo -> a.a:\n"
                  "    void take(com.example.Bar,com.example.Bar[][]) -> a\n"
                  "    void take(com.example.Baz,int) -> a\n"
                  "com.example.Bar -> a.b:\n"
                  "com.example.Baz -> a.c:\n");
    check(&a, "a.a", "a", "(La/b;[[La/b;)V", "com.example.Foo.take(Bar, Bar[][])");
    check(&a, "a.a", "a", "(La/c;I)V", "com.example.Foo.take(Baz, int)");
    /* slashes and dots are equivalent in a descriptor; malformed ones are unchanged */
    check(&a, "a.a", "x", "(La.b;)V", "com.example.Foo.x(Bar)");
    check(&a, "a.a", "x", "(La/b", "com.example.Foo.x(La/b");
    check(&a, "a.a", "x", NULL, "com.example.Foo.x");
    end(&a);
}

TEST(residual_signatures_decide)
{
    query a =
        ask("com.example.Foo -> a.a:\n"
            "    1:2:int com.example.Util.twice(int):9:9 -> b\n"
            "    # {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"(La;I)V\"}\n"
            "    1:2:void change(com.example.Bar,int,boolean):31 -> b\n"
            "    3:4:void other(com.example.Bar,int):40:41 -> b\n"
            "    # {'signature':'(I)V','id':'com.android.tools.r8.residualsignature'}\n"
            "com.example.Bar -> a:\n");
    check(&a, "a.a", "b", "(La;I)V", "com.example.Foo.change(Bar, int, boolean)");
    check(&a, "a.a", "b", "(I)V", "com.example.Foo.other(Bar, int)");
    end(&a);
}

TEST(unmatched_methods_are_found_by_their_arguments)
{
    query a = ask("com.example.Foo -> a.a:\n"
                  "    void one(int) -> a\n"
                  "    void two(int,int) -> a\n"
                  "    void three(int,int,com.example.Gone) -> a\n");
    check(&a, "a.a", "a", "(J)V", "com.example.Foo.one(long)");
    check(&a, "a.a", "a", "(JJ)V", "com.example.Foo.two(long, long)");
    check(&a, "a.a", "a", "(IILcom/example/Gone;)V", "com.example.Foo.three(int, int, Gone)");
    check(&a, "a.a", "a", "()V", "com.example.Foo.one|two|three()");
    ck_assert_uint_eq(result(&a).ambiguous, 1);
    end(&a);
}

TEST(ambiguous_names_are_marked)
{
    query a = ask("com.example.Foo -> a.a:\n"
                  "    void b() -> a\n"
                  "    void a() -> a\n"
                  "    void b() -> a\n"
                  "    int same(int) -> b\n"
                  "    int same(long) -> b\n"
                  "    void com.example.Bar.run() -> c\n"
                  "    void run() -> c\n"
                  "    void v() -> d\n"
                  "    void w() -> d\n"
                  "    void x() -> d\n"
                  "    void y() -> d\n");
    check(&a, "a.a", "a", "()V", "com.example.Foo.b|a()");
    check(&a, "a.a", "b", "(D)I", "com.example.Foo.same(double)");
    check(&a, "a.a", "c", "()V", "com.example.Foo.Bar.run|run()");
    check(&a, "a.a", "d", "()V", "com.example.Foo.v|w|x|...()");
    ck_assert_uint_eq(result(&a).ambiguous, 3);
    ck_assert(rename_method(&a, "a.a", "d", "()V").ambiguous);
    end(&a);
}

TEST(moved_methods_get_their_original_class)
{
    query a = ask("com.example.Foo -> a.a:\n"
                  "    1:1:void com.example.Gone.work(int):7:7 -> a\n"
                  "    1:1:void com.example.Util.inner():9:9 -> b\n"
                  "    1:1:void R8$$REMOVED$$CLASS$$12.lost():3 -> b\n"
                  "com.example.Gone -> a.g:\n"
                  "# {\"id\":\"sourceFile\",\"fileName\":\"Everything.kt\"}\n");
    check(&a, "a.a", "a", "(I)V", "com.example.Gone.work(int)");
    check(&a, "a.a", "b", "()V", "[removed class].lost()");
    ck_assert_str_eq(rename_method(&a, "a.a", "a", "(I)V").source, "Everything.kt");
    end(&a);
}

static const char lambda[] =
    "com.example.Main -> a.m:\n"
    "com.example.Main$$ExternalSyntheticLambda0 -> a.a:\n"
    "# {\"id\":\"sourceFile\",\"fileName\":\"D8$$SyntheticClass\"}\n"
    "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"
    "    1:1:void com.example.Main.lambda$onCreate$0(android.view.View):40:40 -> onClick\n"
    "    1:1:void onClick(android.view.View):0 -> onClick\n"
    "      # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
    "    2:2:void com.example.Main.lambda$onCreate$0(android.view.View):41:41 -> onClick\n"
    "    2:2:void onClick(android.view.View):0 -> onClick\n"
    "    1:1:void com.example.Main.one():50:50 -> b\n"
    "    1:1:void both():0 -> b\n"
    "    2:2:void com.example.Main.two():51:51 -> b\n"
    "    2:2:void both():0 -> b\n";

TEST(forwarders_are_named_after_their_callee)
{
    query a = ask(lambda);
    check(&a, "a.a", "onClick", "(Landroid/view/View;)V",
          "com.example.Main.lambda$onCreate$0(View)");
    check(&a, "a.a", "b", "()V", "com.example.Main$$ExternalSyntheticLambda0.both()");
    ck_assert_str_eq(rename_method(&a, "a.a", "onClick", "(Landroid/view/View;)V").source,
                     "Main.java");
    ck_assert_uint_eq(result(&a).synthetic, 3);
    end(&a);

    a = ask_with(lambda, TRUE);
    check(&a, "a.a", "onClick", "(Landroid/view/View;)V",
          "com.example.Main$$ExternalSyntheticLambda0.onClick(View)");
    end(&a);
}

TEST(outlines_are_marked)
{
    query a = ask("com.example.Main$$ExternalSyntheticOutline0 -> a.a:\n"
                  "# {'id':'com.android.tools.r8.synthesized'}\n"
                  "    1:2:java.lang.String m(int):0:0 -> a\n"
                  "      # {'id':'com.android.tools.r8.outline'}\n"
                  "      # {'id':'com.android.tools.r8.synthesized'}\n");
    check(&a, "a.a", "a", "(I)Ljava/lang/String;",
          "com.example.Main$$ExternalSyntheticOutline0.m [outline](int)");
    ck_assert(!rename_method(&a, "a.a", "a", "(I)Ljava/lang/String;").synthetic);
    ck_assert(rename_method(&a, "a.a", "b", "()V").synthetic);
    end(&a);
}

/* R8 renumbers lines; older shrinkers leave them unchanged. */
TEST(line_numbers_of_the_program_are_hidden)
{
    static const char *const headers[] = {"", "# compiler: R8\n"};
    for (int i = 0; i < 2; i++) {
        g_autofree char *text =
            g_strdup_printf("%sx.A -> a.a:\n    3:9:void f():3:9 -> a\n", headers[i]);
        query a = ask(text);
        af_method method = {.class_name = "a.a", .name = "a", .line = 3, .defined = TRUE};
        af_retracer_rename(a.retracer, a.arena, &method);
        ck_assert_int_eq(method.line, i == 0 ? 3 : -1);
        end(&a);
    }
}

TEST(overloads_on_one_line_are_not_a_group)
{
    query a = ask("com.example.Point -> a.a:\n"
                  "    5:5:void <init>(int,int):5:5 -> <init>\n"
                  "    5:5:void <init>(int,int,int):5:5 -> <init>\n"
                  "    1:1:void com.example.Merged.one(int):7:7 -> b\n"
                  "    1:1:void com.example.Other.two(long):8:8 -> b\n");
    check(&a, "a.a", "<init>", "(II)V", "com.example.Point.<init>(int, int)");
    check(&a, "a.a", "<init>", "(III)V", "com.example.Point.<init>(int, int, int)");
    check(&a, "a.a", "b", "(I)V", "com.example.Merged.one(int)");
    check(&a, "a.a", "b", "(J)V", "com.example.Other.two(long)");
    check(&a, "a.a", "b", "(D)V", "com.example.Other.two(double)");
    end(&a);
}

TEST(source_files_are_read_or_guessed)
{
    static const struct {
        const char *class_name, *source, *expected;
    } cases[] = {
        {"a.a", NULL, "Main.kt"},
        {"a.b", NULL, "Util.kt"},
        {"a.c", NULL, "Foo.java"},
        {"a.c", "SourceFile", "Foo.java"},
        {"a.c", "FooFromTrace.kt", "FooFromTrace.kt"},
        {"a.d", "x", NULL},
    };
    query a = ask("com.example.Main -> a.a:\n"
                  "  # {'id':'sourceFile','fileName':'Main.kt'}\n"
                  "com.example.UtilKt -> a.b:\n"
                  "com.example.Foo$Bar$1 -> a.c:\n"
                  "$$Loader -> a.d:\n");
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        af_method method = {.class_name = cases[i].class_name,
                            .name = "x",
                            .source = cases[i].source,
                            .defined = TRUE};
        af_retracer_rename(a.retracer, a.arena, &method);
        ck_assert_pstr_eq(method.source, cases[i].expected);
    }
    end(&a);
}

TEST(methods_without_a_signature_are_named)
{
    query a = ask(worked);
    check(&a, "a.b.b", NULL, NULL, "com.example.Foo.compute(int)");
    check(&a, "b", NULL, NULL, "b");
    check(&a, NULL, "b", NULL, "b");
    check(&a, "a.c.b", NULL, NULL, "a.c.b");
    end(&a);
}

/* Frames of heap graphs. */
TEST(classes_are_named)
{
    query a = ask("com.example.Foo -> a.b:\n"
                  "    int size -> c\n"
                  "com.example.Bar -> z:\n"
                  "com.example.Held -> a.b$a:\n"
                  "com.example. -> y.z:\n");
    check(&a, "a", "b", NULL, "com.example.Foo");
    check(&a, "a.b", NULL, NULL, "com.example.Foo");
    check(&a, "a", "b[]", NULL, "com.example.Foo[]");
    check(&a, "a", "b$a[][]", NULL, "com.example.Held[][]");
    check(&a, "java.lang.Class<a", "b>", NULL, "java.lang.Class<com.example.Foo>");
    check(&a, NULL, "java.lang.Class<a.b[]>", NULL, "java.lang.Class<com.example.Foo[]>");
    check(&a, NULL, "[native] a.b", NULL, "[native] com.example.Foo");
    check(&a, "z", NULL, NULL, "com.example.Bar");
    check(&a, NULL, "z[]", NULL, "com.example.Bar[]");
    check(&a, NULL, "[]", NULL, "[]");
    check(&a, "y", "z", NULL, "com.example.");
    check(&a, "a", "b", "()V", "a.b()"); /* a method */
    check(&a, "com.example", "Foo", NULL, "com.example.Foo");
    ck_assert_uint_eq(result(&a).known, 10);
    ck_assert_uint_eq(result(&a).named, 10);
    end(&a);
}

/* "A -> B": the ids of the trace and of the file as read. */
TEST(another_build_is_detected_by_its_id)
{
    static const struct {
        const char *source;
        gboolean other;
    } cases[] = {
        {"r8-map-id-fae6908", FALSE},
        {"r8-map-id-fae6909", TRUE},
        {"fae6908", FALSE},
        {"0123456789abcdef", TRUE},
        {"SourceFile", FALSE},
        {"Main.kt", FALSE},
        {"r8-map-id-fae6908d0a1bb2c3d4e5f60718293a4b5c6d7e8f9fae6908d0a1bb2c3d4e5f607", FALSE},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        query a = ask("# compiler: R8\n# pg_map_id: fae6908\n"
                      "com.example.Foo -> a.b:\n    void x() -> a\n");
        af_method method = {.class_name = "a.b",
                            .name = "a",
                            .signature = "()V",
                            .source = cases[i].source,
                            .defined = TRUE};
        af_retracer_rename(a.retracer, a.arena, &method);
        ck_assert_msg(result(&a).other_build == cases[i].other, "%s", cases[i].source);
        end(&a);
    }
}

TEST(another_build_is_detected_by_mismatches)
{
    query a = ask(worked);
    for (unsigned i = 0; i < 12; i++) {
        check(&a, "a.b", "b", "(I)I", "com.example.Foo.compute(int)");
    }
    for (unsigned i = 0; i < 4; i++) {
        ck_assert(!result(&a).other_build);
        check(&a, "a.b", "b", "(J)I", "com.example.Foo.compute(long)");
    }
    check(&a, "a.b", "z", "()V", "com.example.Foo.z()");
    ck_assert(result(&a).other_build);
    end(&a);
}
