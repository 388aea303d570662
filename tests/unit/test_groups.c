#include <aflame/open.h>
#include <glib/gstdio.h>
#include <string.h>

#include "model/groups.h"
#include "suite.h"

/* Opens a text as a file whose name allows stacks of one frame. */
static af_profile *open_text(const char *text)
{
    g_autofree char *path = NULL;
    GError *error = NULL;
    const int fd = g_file_open_tmp("aflame-XXXXXX.folded", &path, NULL);
    ck_assert_int_ge(fd, 0);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_profile *profile = af_profile_open(path, &options, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    g_close(fd, NULL);
    g_unlink(path);
    return profile;
}

static const af_label *find_label(const af_profile *profile, const char *text)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (strcmp(profile->labels[i].text, text) == 0) {
            return &profile->labels[i];
        }
    }
    ck_abort_msg("no label %s", text);
    return NULL;
}

static void check_origin(const af_profile *profile, const char *label, const char *title)
{
    const af_label *found = find_label(profile, label);
    ck_assert_str_eq(af_label_origin(profile, found), title);
    const unsigned hue = af_label_hue(profile, found);
    const char *of_hue = af_groups_hue_title(profile, hue);
    ck_assert_str_eq(of_hue,
                     hue != AF_CATEGORY_UNKNOWN || strcmp(of_hue, "other") != 0 ? title : "other");
}

TEST(events_have_the_category_of_the_file)
{
    g_autoptr(af_profile) profile = open_text(
        "[{\"ph\":\"X\",\"name\":\"V8.Execute\",\"cat\":\"v8,devtools\",\"pid\":1,\"tid\":1,"
        "\"ts\":0,\"dur\":50},"
        "{\"ph\":\"X\",\"name\":\"RendererMain.START_MSG_LOOP\","
        "\"cat\":\"disabled-by-default-toplevel\",\"pid\":1,\"tid\":1,\"ts\":50,\"dur\":50},"
        "{\"ph\":\"X\",\"name\":\"plain\",\"pid\":1,\"tid\":1,\"ts\":100,\"dur\":5}]");
    check_origin(profile, "V8.Execute", "v8");
    check_origin(profile, "RendererMain.START_MSG_LOOP", "toplevel");
    check_origin(profile, "plain", "native or unknown");
    ck_assert_ptr_null(profile->app);
    ck_assert_uint_ne(af_label_hue(profile, find_label(profile, "V8.Execute")),
                      af_label_hue(profile, find_label(profile, "RendererMain.START_MSG_LOOP")));
}

TEST(a_group_named_after_a_category_has_its_hue)
{
    g_autoptr(af_profile) profile =
        open_text("[{\"ph\":\"X\",\"name\":\"sys_read\",\"cat\":\"Kernel\",\"pid\":1,\"tid\":1,"
                  "\"ts\":0,\"dur\":50},"
                  "{\"ph\":\"X\",\"name\":\"x\",\"cat\":\"loader\",\"pid\":1,\"tid\":1,\"ts\":50,"
                  "\"dur\":90},"
                  "{\"ph\":\"X\",\"name\":\"y\",\"cat\":\"Java\",\"pid\":1,\"tid\":1,\"ts\":200,"
                  "\"dur\":5}]");
    ck_assert_uint_eq(af_label_hue(profile, find_label(profile, "sys_read")), AF_CATEGORY_KERNEL);
    ck_assert_uint_eq(af_label_hue(profile, find_label(profile, "y")), AF_CATEGORY_JAVA);
    check_origin(profile, "sys_read", "Kernel");
}

TEST(native_code_has_its_library)
{
    g_autoptr(af_profile) profile =
        open_text("libc.so.1`read;genunix`open 60\nlibc.so.1`read;[ld.so] 20\n"
                  "libc.so.1`read;stat (in libm.dylib) 20\nlibc.so.1`read;do_work_[k] 30\n");
    check_origin(profile, "libc.so.1`read", "libc.so.1");
    check_origin(profile, "genunix`open", "genunix");
    check_origin(profile, "[ld.so]", "ld.so");
    check_origin(profile, "stat (in libm.dylib)", "libm.dylib");
    check_origin(profile, "do_work", "kernel");
    ck_assert_uint_eq(af_label_hue(profile, find_label(profile, "do_work")), AF_CATEGORY_KERNEL);
}

TEST(a_group_that_holds_nearly_all_is_divided)
{
    af_profile *profile = open_text("art::Run;art::gc::Sweep 30\nart::Run;art::jit::Compile 40\n"
                                    "art::Run;std::sort<int> 20\nart::Run;memcpy 10\n");
    check_origin(profile, "art::gc::Sweep", "art");
    check_origin(profile, "std::sort<int>", "std");
    check_origin(profile, "memcpy", "native or unknown");
    af_profile_free(profile);

    /* one name space only: the next level divides it */
    profile = open_text("art::Run;art::gc::Sweep 30\nart::Run;art::jit::Compile 40\n");
    check_origin(profile, "art::gc::Sweep", "art::gc");
    check_origin(profile, "art::jit::Compile", "art::jit");
    af_profile_free(profile);

    /* no name spaces */
    profile = open_text("main;parse 30\nmain;draw 40\n");
    const af_label *parse = find_label(profile, "parse");
    ck_assert_str_eq(af_groups_hue_title(profile, af_label_hue(profile, parse)), "parse");
    ck_assert_str_eq(af_label_origin(profile, parse), "native or unknown");
    ck_assert_uint_ne(af_label_hue(profile, parse),
                      af_label_hue(profile, find_label(profile, "draw")));
    af_profile_free(profile);

    /* names that occur once */
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < 40; i++) {
        g_string_append_printf(text, "frame %u 1\n", i);
    }
    profile = open_text(text->str);
    ck_assert_uint_eq(profile->n_groups, 0);
    af_profile_free(profile);

    /* the app keeps its colour */
    profile = open_text("com.foo.ui.View.draw;com.foo.db.Table.load 50\n"
                        "com.foo.ui.View.draw;java.lang.Object.wait 500\n"
                        "com.foo.ui.View.draw;java.lang.String.trim 2\ncom.foo.ui.View.draw 45\n");
    ck_assert_uint_eq(profile->n_groups, 0);
    check_origin(profile, "com.foo.ui.View.draw", "your app");
    check_origin(profile, "com.foo.db.Table.load", "your app");
    check_origin(profile, "java.lang.String.trim", "Java runtime");
    check_origin(profile, "java.lang.Object.wait", "blocked");
    af_profile_free(profile);
}

/* Nobody is called "com". The app has its colour, the groups of libraries have others. */
TEST(packages_are_named_after_their_owners)
{
    g_autoptr(af_profile) profile =
        open_text("com.foo.ui.View.onCreate;com.squareup.moshi.Json.read 500\n"
                  "com.foo.ui.View.onCreate;com.bumptech.glide.Glide.load 400\n"
                  "com.foo.ui.View.onCreate;io.ktor.client.Http.get 90\n"
                  "com.foo.ui.View.onCreate;com.foo.ui.Page.onCreate 60\n");
    ck_assert_str_eq(profile->app, "com.foo");
    for (uint32_t i = 0; i < profile->n_groups; i++) {
        ck_assert_str_ne(profile->groups[i].title, "com");
        ck_assert_str_ne(profile->groups[i].title, "io");
        ck_assert_uint_ne(profile->groups[i].hue, AF_CATEGORY_APP);
    }
    ck_assert_uint_gt(profile->n_groups, 1);
    check_origin(profile, "com.bumptech.glide.Glide.load", "com.bumptech");
    check_origin(profile, "com.squareup.moshi.Json.read", "com.squareup");
}

/* The framework is green in every picture, also where its packages are groups. */
TEST(the_heaviest_group_keeps_the_hue_of_its_category)
{
    g_autoptr(af_profile) profile = open_text("android.view.View.draw 600\n"
                                              "com.android.internal.os.Zygote.main 300\n"
                                              "java.lang.String.trim 50\n");
    const unsigned hue =
        af_label_hue(profile, find_label(profile, "com.android.internal.os.Zygote.main"));
    check_origin(profile, "android.view.View.draw", "android");
    ck_assert_uint_eq(af_label_hue(profile, find_label(profile, "android.view.View.draw")),
                      AF_CATEGORY_ANDROID);
    ck_assert_uint_ne(hue, AF_CATEGORY_ANDROID);
    ck_assert_uint_ne(hue, AF_CATEGORY_JAVA);
}

TEST(a_mixture_of_categories_has_no_groups)
{
    g_autoptr(af_profile) profile = open_text("com.foo.ui.View.draw;com.foo.db.Table.load 50\n"
                                              "com.foo.ui.View.draw;java.lang.String.trim 50\n");
    ck_assert_uint_eq(profile->n_groups, 0);
    check_origin(profile, "com.foo.db.Table.load", "your app");
    check_origin(profile, "java.lang.String.trim", "Java runtime");
}

TEST(only_the_heaviest_groups_have_a_hue)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < 40; i++) {
        g_string_append_printf(text, "lib%u`f%u %u\n", i, i, 100 - i);
    }
    g_autoptr(af_profile) profile = open_text(text->str);
    unsigned used = 0, others = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const unsigned hue = af_label_hue(profile, &profile->labels[i]);
        ck_assert(hue != AF_CATEGORY_APP && hue != AF_CATEGORY_IDLE && hue != AF_CATEGORY_FOLDED &&
                  hue != AF_CATEGORY_TRACER);
        others += hue == AF_CATEGORY_UNKNOWN;
        ck_assert(hue == AF_CATEGORY_UNKNOWN || !(used >> hue & 1u));
        used |= hue == AF_CATEGORY_UNKNOWN ? 0 : 1u << hue;
    }
    ck_assert_uint_eq(others, 35);
    check_origin(profile, "lib0`f0", "lib0");
    check_origin(profile, "lib39`f39", "lib39");
}
