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

/* The path of a library => the category of its code in three apps */
static char *show_library(const char *path)
{
    static const made_row rows[] = {{1, "render", {9, 0}}, {0, NULL, {0, 0}}};
    static const char *const apps[] = {"com.foo.game:remote", NULL, "com.foo.games"};
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(apps); i++) {
        g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
        made_thread_add(profile, 1, "main", "main", rows);
        drawn_profile_finish(profile);
        profile->facts.app = (char *)apps[i];
        profile->methods[0] =
            (af_method){.defined = TRUE, .name = "render", .library = path, .line = -1};
        ck_assert(af_categories_assign(profile));
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "",
                               af_category_title((af_category)profile->labels[0].category));
    }
    return g_string_free(text, FALSE);
}

/* "METHOD SELF, METHOD SELF", after "app NAME: " if the trace declares it, after "other: " in the file of
 * another tool => the app and the categories of the methods */
static char *show_app(const char *input)
{
    g_auto(GStrv) parts = g_strsplit(input, ": ", 2);
    const char *head = parts[0] != NULL && parts[1] != NULL ? parts[0] : "";
    g_auto(GStrv) methods = g_strsplit(*head != '\0' ? parts[1] : input, ", ", -1);
    made_row rows[16] = {{0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    for (unsigned i = 0; methods[i] != NULL; i++) {
        char *self = strrchr(methods[i], ' ');
        rows[i] = (made_row){1, methods[i], {g_ascii_strtoull(self, NULL, 10), 0}};
        *self = '\0';
    }
    made_thread_add(profile, 1, "main", "main", rows);
    if (strcmp(head, "other") == 0) {
        profile->facts.container = AF_CONTAINER_OTHER;
    } else if (*head != '\0') {
        profile->facts.app = parts[0] + strlen("app ");
    }
    drawn_profile_finish(profile);
    GString *text = g_string_new(profile->app != NULL ? profile->app : "none");
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const af_category category = (af_category)profile->labels[i].category;
        g_string_append_printf(text, "; %s", af_category_title(category));
    }
    return g_string_free(text, FALSE);
}

TEST(packages_and_entry_points_tell_the_app)
{
    cases_map("apps", show_app);
    cases_map("libraries of apps", show_library);
}

TEST(a_class_has_the_same_shade_everywhere)
{
    static const made_row rows[] = {{1, "java.lang.String.trim", {1, 0}},
                                    {1, "java.lang.String.split", {1, 0}},
                                    {1, "java.lang.Thread.run", {1, 0}},
                                    {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    drawn_profile_finish(profile);
    /* FNV-1a, 32 bits: "java.lang.String" is 0xfbe8aed8 */
    ck_assert_uint_eq(profile->labels[0].shade, 0xfbe8aed8u % 5);
    ck_assert_uint_eq(profile->labels[1].shade, 0xfbe8aed8u % 5);
    ck_assert_uint_lt(profile->labels[2].shade, AF_CATEGORY_SHADES);
}
