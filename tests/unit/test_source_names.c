#include <string.h>

#include "suite.h"
#include "transform/source_names.h"

static void check_name(const char *class_name, const char *method, af_made_kind kind,
                       const char *expected)
{
    g_autoptr(GString) c = g_string_new(class_name), m = g_string_new(method);
    const af_made_kind found = af_source_name(c, m);
    g_autofree char *text = g_strdup_printf("%s|%s", c->str, m->str);
    ck_assert_str_eq(text, expected);
    ck_assert_msg(found == kind, "%s.%s is of kind %d", class_name, method, (int)found);
}

TEST(lambdas)
{
    static const struct {
        const char *class_name, *method, *expected;
    } classes[] = {
        {"com.me.Foo$$ExternalSyntheticLambda12", "run", "com.me.Foo|<lambda>"},
        {"com.me.Foo$$InternalSyntheticLambda$1$ab$0", "run", "com.me.Foo|<lambda>"},
        {"com.me.Foo$Bar$$Lambda$14", "run", "com.me.Foo$Bar|<lambda>"},
        {"com.me.Foo$$Lambda/0x7f0012", "run", "com.me.Foo|<lambda>"},
        {"Foo$$Lambda$1", "run", "Foo|<lambda>"},
        {"com.me.-$$Lambda$Foo$PehjG2_-sAb", "run", "com.me.Foo|<lambda>"},
        {"com.me.-$$Lambda$Foo$Bar$PehjG2_-sAb", "run", "com.me.Foo$Bar|<lambda>"},
        {"com.me.-$$LambdaGroup$ks$7ZtjSN", "invoke", "com.me|<lambda>"},
        {"-$$LambdaGroup$ks$7ZtjSN", "invoke", "|<lambda>"},
        {"com.me.-$$Lambda$PehjG2", "run", "com.me|<lambda>"},
        {"com.me.$$Lambda$1", "hash", "com.me|<lambda>"},
        {"java.lang.invoke.LambdaForm$DMH/0x00007f0012", "invokeStatic",
         "java.lang.invoke|<lambda>"},
        {"jdk.internal.vm.LambdaStub/0x0800", "run", "jdk.internal.vm|<lambda>"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
        check_name(classes[i].class_name, classes[i].method, AF_MADE_LAMBDA_CLASS,
                   classes[i].expected);
    }
    check_name("com.me.Foo$$ExternalSyntheticLambda1", "<init>", AF_MADE_OTHERWISE,
               "com.me.Foo|<lambda>.<init>");
    check_name("a.Foo", "lambda$onCreate$0", AF_MADE_LAMBDA_BODY, "a.Foo|onCreate.<lambda#0>");
    check_name("a.Foo", "lambda$onCreate$12$MainActivity", AF_MADE_LAMBDA_BODY,
               "a.Foo|onCreate.<lambda#12>");
    check_name("a.Foo", "lambda$get$it$3", AF_MADE_LAMBDA_BODY, "a.Foo|get$it.<lambda#3>");
    check_name("a.Foo", "lambda$-a_Foo_lambda$0", AF_MADE_LAMBDA_BODY, "a.Foo|<lambda#0>");
    check_name("a.FooKt", "onCreate$lambda$0", AF_MADE_LAMBDA_BODY, "a|onCreate.<lambda#0>");
    check_name("a.Foo", "onCreate$lambda-7", AF_MADE_LAMBDA_BODY, "a.Foo|onCreate.<lambda#7>");
    check_name("a.Foo", "$r8$lambda$k-2_xQ", AF_MADE_LAMBDA_FORWARDER, "a.Foo|$r8$lambda$k-2_xQ");
}

TEST(forwarders)
{
    check_name("a.Foo", "access$000", AF_MADE_FORWARDER, "a.Foo|access$000");
    check_name("a.Foo", "access$getBar$p", AF_MADE_FORWARDER, "a.Foo|access$getBar$p");
    check_name("a.Foo", "-$$Nest$fgetbar", AF_MADE_FORWARDER, "a.Foo|-$$Nest$fgetbar");
    check_name("a.Foo", "-$$Nest$smbar", AF_MADE_FORWARDER, "a.Foo|-$$Nest$smbar");
}

TEST(other_names)
{
    static const struct {
        const char *class_name, *method, *expected;
    } names[] = {
        {"a.Foo$-CC", "bar", "a.Foo|bar"},
        {"a.Foo$$CC", "bar", "a.Foo|bar"},
        {"a.Foo$-CC", "$default$bar", "a.Foo|bar"},
        {"a.Foo$-CC", "$private$bar", "a.Foo|bar"},
        {"a.Foo$DefaultImpls", "bar", "a.Foo|bar"},
        {"a.Job$DefaultImpls", "cancel$default", "a.Job|cancel"},
        {"a.Foo$Companion", "bar", "a.Foo|bar"},
        {"a.FilesKt", "read", "a|read"},
        {"FilesKt", "read", "|read"},
        {"kotlin.text.StringsKt__StringsJVMKt", "startsWith", "kotlin.text|startsWith"},
        {"a.Foo", "bar$default", "a.Foo|bar"},
        {"a.Foo", "bar-4WTKRHQ", "a.Foo|bar"},
        {"a.Foo", "bar-0d7_KjU", "a.Foo|bar"},
        {"a.Foo", "bar-4WTKRHQ$default", "a.Foo|bar"},
        {"a.Foo", "bar$app_debug", "a.Foo|bar"},
        {"a.Foo", "bar$kotlinx_coroutines_core", "a.Foo|bar"},
        {"a.Foo$bar$1", "invokeSuspend", "a.Foo|bar {suspend}"},
        {"a.Foo$bar$1$2", "invokeSuspend", "a.Foo|bar {suspend}"},
        {"a.FlowKt__ChannelsKt$emitAll$1", "invokeSuspend", "a|emitAll {suspend}"},
        {"a.Foo$load$$inlined$forEach$lambda$1", "invokeSuspend", "a.Foo|load {suspend}"},
        {"a.Foo$Companion$bar$1", "invokeSuspend", "a.Foo|bar {suspend}"},
        {"a.Foo$$InternalSyntheticOutline$1$ab$0", "m",
         "a.Foo$$InternalSyntheticOutline$1$ab$0|m {outline}"},
        {"a.Foo$$ExternalSyntheticOutline0", "m", "a.Foo$$ExternalSyntheticOutline0|m {outline}"},
        {"com.android.tools.r8.GeneratedOutlineSupport", "outline12",
         "com.android.tools.r8.GeneratedOutlineSupport|outline12 {outline}"},
        {"outline", "a", "outline|a {outline}"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        check_name(names[i].class_name, names[i].method, AF_MADE_OTHERWISE, names[i].expected);
    }
}

TEST(handwritten_names_are_unchanged)
{
    static const char *const names[][2] = {
        {"a.Foo", "bar"},
        {"a.Foo", "<init>"},
        {"a.FooKt", "<clinit>"},
        {"a.Foo$Companion", "<init>"},
        {"a.Foo$1", "run"},
        {"a.Foo$WhenMappings", "<clinit>"},
        {"a.FooKt$bar$1", "invoke"},
        {"a.Kt", "bar"},
        {"$Companion", "bar"},
        {"a.Foo", "$default"},
        {"a.Foo", "lambda$"},
        {"a.Foo", "lambda$x$y"},
        {"a.Foo", "lambda$$0"},
        {"a.Foo", "$lambda$0"},
        {"a.Foo", "x$lambda$y"},
        {"a.Foo", "access$"},
        {"a.Foo", "constructor-impl"},
        {"a.Foo", "should-do-nothing"},
        {"a.Foo", "-4WTKRHQ"},
        {"a.Foo", "bar$StringsKt__StringsKt"},
        {"a.Foo", "bar$okhttp"},
        {"a.Foo", "$app_debug"},
        {"a.Foo", "a$_b"},
        {"a.Foo", "a$b_"},
        {"a.Foo$1", "invokeSuspend"},
        {"a.Foo$Node", "invokeSuspend"},
        {"a.b$c.Foo$1", "invokeSuspend"},
        {"a.Foo$$special$$inlined$x$1", "invokeSuspend"},
        {"a.Foo", "outline"},
        {"a.Foo", "outline3d"},
        {"a.Outline", "draw"},
        {"a.Foo$$EnumUnboxingLocalUtility", "values"},
        {"a.LambdaForm", "run"},
        {"", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *same = g_strdup_printf("%s|%s", names[i][0], names[i][1]);
        check_name(names[i][0], names[i][1], AF_MADE_BY_PEOPLE, same);
    }
}

TEST(coroutine_machinery)
{
    static const char create[] =
        "(Ljava/lang/Object;Lkotlin/coroutines/Continuation;)Lkotlin/coroutines/Continuation;";
    ck_assert(af_source_is_machinery("kotlin.coroutines.jvm.internal.BaseContinuationImpl",
                                     "resumeWith", NULL));
    ck_assert(af_source_is_machinery("kotlinx.coroutines.DispatchedTask", "run", "()V"));
    ck_assert(af_source_is_machinery("kotlinx.coroutines.scheduling.CoroutineScheduler$Worker",
                                     "run", "()V"));
    ck_assert(af_source_is_machinery("a.Foo$bar$1", "create", create));
    ck_assert(af_source_is_machinery("a.Foo$bar$1", "create", NULL));
    ck_assert(af_source_is_machinery("a.Foo$bar$1$2", "create", ""));
    /* a factory, written code, its callees, and nothing */
    ck_assert(!af_source_is_machinery("a.Foo$bar$1", "create", "(Ljava/lang/Class;)La/Model;"));
    ck_assert(!af_source_is_machinery("a.Foo$bar$1", "invokeSuspend", NULL));
    ck_assert(!af_source_is_machinery("a.Foo", "create", create));
    ck_assert(!af_source_is_machinery("a.Foo$", "create", create));
    ck_assert(!af_source_is_machinery("kotlinx.coroutines.DelayKt", "delay", NULL));
    ck_assert(!af_source_is_machinery("kotlinx.coroutines.BuildersKt", "launch", NULL));
    ck_assert(!af_source_is_machinery("my.kotlin.coroutines.X", "run", NULL));
    ck_assert(!af_source_is_machinery("", "", NULL));
}

static void check_arguments(const char *text, const char *expected)
{
    g_autoptr(GString) arguments = g_string_new(text);
    af_source_arguments(arguments);
    ck_assert_str_eq(arguments->str, expected);
}

TEST(synthetic_arguments_are_removed)
{
    check_arguments("(int, Foo-IA)", "(int)");
    check_arguments("(Foo-IA)", "()");
    check_arguments("(Foo-IA, int)", "(int)");
    check_arguments("(int, Foo-IA, int)", "(int, int)");
    check_arguments("(A-IA, B-IA)", "()");
    check_arguments("(Foo-IAB)", "(Foo-IAB)");
    check_arguments("(int, String)", "(int, String)");
    check_arguments("", "");
}
