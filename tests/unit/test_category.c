#include <string.h>

#include "cases.h"
#include "drawn_profile.h"
#include "model/packages.h"
#include "model/waits.h"
#include "suite.h"

TEST(the_package_table_is_sorted)
{
    static const char *const names[] = {
#define X(name, category) name,
        AF_PACKAGES(X)
#undef X
    };
    for (size_t i = 1; i < G_N_ELEMENTS(names); i++) {
        ck_assert_msg(strcmp(names[i - 1], names[i]) < 0, "%s before %s", names[i - 1], names[i]);
    }
}

static char *show_kernel(const char *input)
{
    return g_strdup(af_category_is_kernel(input) ? "yes" : "no");
}

/* "CLASS METHOD"; a class - is none. */
static char *show_method(const char *input)
{
    g_auto(GStrv) words = g_strsplit(input, " ", 2);
    const char *class_name = strcmp(words[0], "-") == 0 ? NULL : words[0];
    const af_category category = af_category_of_method(class_name, words[1]);
    const uint8_t reason = af_waits_of_method(class_name, words[1]);
    return g_strdup_printf(
        "%s, %s%s", category == AF_CATEGORY_COUNT ? "undecided" : af_category_title(category),
        (reason & AF_WAITS_KIND) == AF_WAITS_LOOP ? "loop" : af_waits_title(af_waits_kind(reason)),
        (reason & AF_WAITS_BLOCKS) != 0 ? ", blocks" : "");
}

TEST(names_decide)
{
    cases_map("methods", show_method);
    cases_map("files of the kernel", show_kernel);
    ck_assert(!af_category_is_kernel(NULL));
}

static void check_file(const char *app, const char *path, af_category category)
{
    static const made_row rows[] = {{1, "render", {9, 0}}, {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    profile->facts.app = (char *)app;
    profile->methods[0] =
        (af_method){.defined = TRUE, .name = "render", .library = path, .line = -1};
    ck_assert(af_categories_assign(profile));
    ck_assert_msg(profile->labels[0].category == category, "%s: %s", app, path);
}

TEST(native_code_of_the_app_is_the_app)
{
    static const char *const own[] = {
        "/data/app/com.foo.game-1/lib/arm64/libgame.so",
        "/data/app/~~x1y==/com.foo.game-Zq3==/base.apk!/lib/arm64-v8a/libgame.so",
        "/data/app/com.foo.game-Zq3==/oat/arm64/base.odex",
        "/data/data/com.foo.game/files/plugin.so",
        "/data/user/0/com.foo.game/cache/code.so",
    };
    static const char *const others[] = {
        "/vendor/lib64/egl/libGLES_mali.so",
        "/system/framework/arm64/boot.oat",
        "/data/app/com.google.android.webview-1/lib/arm64/libwebviewchromium.so",
        "/apex/com.android.art/lib64/libart.so",
        "libgame.so",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
        check_file("com.foo.game:remote", own[i], AF_CATEGORY_APP);
        check_file(NULL, own[i], AF_CATEGORY_APP);
        check_file("com.foo.games", own[i], AF_CATEGORY_UNKNOWN);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        check_file("com.foo.game", others[i], AF_CATEGORY_UNKNOWN);
        check_file(NULL, others[i], AF_CATEGORY_UNKNOWN);
    }
}

/* A profile with one thread of outermost calls. */
static af_profile *make_profile(const made_row *rows)
{
    af_profile *profile = made_profile_new(1u << AF_WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    return profile;
}

static af_category find_category(const af_profile *profile, const char *label)
{
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (strcmp(profile->labels[i].text, label) == 0) {
            return profile->labels[i].category;
        }
    }
    ck_abort_msg("no label %s", label);
    return AF_CATEGORY_COUNT;
}

TEST(the_heaviest_unknown_package_is_the_app)
{
    static const made_row rows[] = {{1, "android.os.Looper.loop", {900, 0}},
                                    {1, "com.foo.shop.cart.Cart.add", {50, 0}},
                                    {1, "com.foo.shop.Main.run", {40, 0}},
                                    {1, "com.foo.lib.Net.get", {5, 0}},
                                    {1, "com.other.Sdk.init", {20, 0}},
                                    {1, "a.b.c", {30, 0}},
                                    {1, "Tool.run", {3, 0}},
                                    {1, "A0.x", {3, 0}},
                                    {1, "0x12 [unknown]", {7, 0}},
                                    {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = make_profile(rows);
    ck_assert_str_eq(profile->app, "com.foo.shop");
    ck_assert_int_eq(find_category(profile, "com.foo.shop.cart.Cart.add"), AF_CATEGORY_APP);
    /* another module of the same owner belongs to the app too */
    ck_assert_int_eq(find_category(profile, "com.foo.lib.Net.get"), AF_CATEGORY_APP);
    ck_assert_int_eq(find_category(profile, "com.other.Sdk.init"), AF_CATEGORY_LIBRARY);
    ck_assert_int_eq(find_category(profile, "a.b.c"), AF_CATEGORY_LIBRARY);
    ck_assert_int_eq(find_category(profile, "Tool.run"), AF_CATEGORY_APP);
    ck_assert_int_eq(find_category(profile, "A0.x"), AF_CATEGORY_LIBRARY);
    ck_assert_int_eq(find_category(profile, "0x12 [unknown]"), AF_CATEGORY_UNKNOWN);
}

/* "METHOD SELF, METHOD SELF" => the app */
static char *show_app(const char *input)
{
    g_auto(GStrv) methods = g_strsplit(input, ", ", -1);
    made_row rows[16] = {{0, NULL, {0, 0}}};
    for (unsigned i = 0; methods[i] != NULL; i++) {
        char *self = strrchr(methods[i], ' ');
        rows[i] = (made_row){1, methods[i], {g_ascii_strtoull(self, NULL, 10), 0}};
        *self = '\0';
    }
    g_autoptr(af_profile) profile = make_profile(rows);
    return g_strdup(profile->app != NULL ? profile->app : "none");
}

TEST(packages_and_entry_points_tell_the_app)
{
    cases_map("apps", show_app);
    g_autoptr(af_profile) empty = make_profile((const made_row[]){{0, NULL, {0, 0}}});
    ck_assert_ptr_null(empty->app);
}

TEST(without_an_app_unknown_code_belongs_to_it)
{
    g_autoptr(af_profile) profile = make_profile((const made_row[]){
        {1, "a.b.C.d", {9, 0}}, {1, "okio.Buffer.read", {9, 0}}, {0, NULL, {0, 0}}});
    ck_assert_ptr_null(profile->app);
    ck_assert_int_eq(find_category(profile, "a.b.C.d"), AF_CATEGORY_APP);
    ck_assert_int_eq(find_category(profile, "okio.Buffer.read"), AF_CATEGORY_LIBRARY);
}

static af_profile *make_foreign(const made_row *rows)
{
    af_profile *profile = made_profile_new(1u << AF_WALL);
    profile->facts.container = AF_CONTAINER_OTHER;
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    return profile;
}

TEST(a_declared_app_may_look_like_the_platform)
{
    static const made_row rows[] = {{1, "com.android.music.Player.play", {9, 0}},
                                    {1, "com.android.musical.Score.read", {9, 0}},
                                    {1, "com.android.internal.os.ZygoteInit.main", {9, 0}},
                                    {1, "android.os.Looper.loop", {9, 0}},
                                    {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    profile->facts.app = (char *)"com.android.music:player";
    drawn_profile_finish(profile);
    ck_assert_int_eq(find_category(profile, rows[0].label), AF_CATEGORY_APP);
    for (unsigned i = 1; rows[i].label; i++) {
        ck_assert_int_eq(find_category(profile, rows[i].label), AF_CATEGORY_ANDROID);
    }
}

TEST(only_java_packages_are_the_app_in_files_of_other_tools)
{
    static const made_row chrome[] = {{1, "RendererMain.START_MSG_LOOP", {9, 0}},
                                      {1, "V8.Execute", {5, 0}},
                                      {1, "cc.Layer.draw", {5, 0}},
                                      {0, NULL, {0, 0}}};
    af_profile *profile = make_foreign(chrome);
    ck_assert_ptr_null(profile->app);
    for (unsigned i = 0; chrome[i].label; i++) {
        ck_assert_int_eq(find_category(profile, chrome[i].label), AF_CATEGORY_UNKNOWN);
    }
    af_profile_free(profile);

    static const made_row java[] = {{1, "java.lang.Thread.run", {1, 0}},
                                    {1, "com.foo.shop.Main.run", {9, 0}},
                                    {1, "RendererMain.START_MSG_LOOP", {5, 0}},
                                    {0, NULL, {0, 0}}};
    profile = make_foreign(java);
    ck_assert_str_eq(profile->app, "com.foo.shop");
    ck_assert_int_eq(find_category(profile, "com.foo.shop.Main.run"), AF_CATEGORY_APP);
    ck_assert_int_eq(find_category(profile, "RendererMain.START_MSG_LOOP"), AF_CATEGORY_UNKNOWN);
    af_profile_free(profile);
}

TEST(a_class_has_the_same_shade_everywhere)
{
    g_autoptr(af_profile) profile =
        make_profile((const made_row[]){{1, "java.lang.String.trim", {1, 0}},
                                        {1, "java.lang.String.split", {1, 0}},
                                        {1, "java.lang.Thread.run", {1, 0}},
                                        {0, NULL, {0, 0}}});
    /* FNV-1a, 32 bits: "java.lang.String" is 0xfbe8aed8 */
    ck_assert_uint_eq(profile->labels[0].shade, 0xfbe8aed8u % 5);
    ck_assert_uint_eq(profile->labels[1].shade, 0xfbe8aed8u % 5);
    ck_assert_uint_lt(profile->labels[2].shade, AF_CATEGORY_SHADES);
}
