#include <string.h>

#include "read/demangle.h"
#include "suite.h"

Suite *af_suite_demangle(void);

static void expect(const char *name, const char *shown)
{
    char *is = af_demangle(name, strlen(name));
    ck_assert_str_eq(is, shown);
    g_free(is);
}

START_TEST(names_of_their_sources)
{
    expect("_ZN3foo3barEi", "foo::bar(int)");
    expect("_ZNSt6vectorIiSaIiEE9push_backERKi",
           "std::vector<int, std::allocator<int> >::push_back(int const&)");
    expect("__dl__ZN6soinfo10link_imageEv", "[linker]soinfo::link_image()");
    expect("__dl_open", "[linker]open");
    expect("_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE",
           "core::ops::function::FnOnce::call_once");
    expect("_ZN52_$LT$alloc..string..String$u20$as$u20$fmt..Debug$GT$3fmt17h0123456789abcdefE",
           "<alloc::string::String as fmt::Debug>::fmt");
}
END_TEST

START_TEST(anything_else_stays)
{
    static const char *const others[] = {"main", "_Z",      "_Zzz",
                                         "",     "_ZN3foo", "com.example.Main.run"};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        expect(others[i], others[i]);
    }
}
END_TEST

/* Each level of pairs stands for twice the one before: 2^60 names in a few hundred bytes. */
START_TEST(endless_names_stay)
{
    GString *name = g_string_new("_Z1f");
    g_string_append(name, "St4pairIiiE");
    for (unsigned i = 0; i < 60; i++) {
        char last[8];
        g_snprintf(last, sizeof last, "S%s_",
                   i == 0    ? ""
                   : i <= 10 ? (char[]){(char)('0' + i - 1), 0}
                             : (char[]){(char)('A' + (i - 11) % 26), 0});
        g_string_append_printf(name, "S_I%s%sE", last, last);
    }
    char *is = af_demangle(name->str, name->len);
    ck_assert_uint_le(strlen(is), 20000);
    g_free(is);
    g_string_free(name, TRUE);
    char *deep = g_strnfill(100000, 'P');
    char *pointers = g_strconcat("_Z1f", deep, "i", NULL);
    expect(pointers, pointers);
    g_free(pointers);
    g_free(deep);
}
END_TEST

Suite *af_suite_demangle(void)
{
    Suite *suite = suite_create("demangle");
    TCase *tests = tcase_create("demangle");
    tcase_add_test(tests, names_of_their_sources);
    tcase_add_test(tests, anything_else_stays);
    tcase_add_test(tests, endless_names_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
