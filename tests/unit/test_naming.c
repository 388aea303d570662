/* Mappings applied while traces are read, through the public functions. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <aflame/aflame.h>

#include "made_trace.h"
#include "suite.h"

static af_mapping *open_text(const char *text)
{
    GError *error = NULL;
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("mapping-XXXXXX", &path, &error);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert(g_file_set_contents(path, text, -1, &error));
    af_mapping *mapping = af_mapping_open(path, &error);
    ck_assert_msg(mapping != NULL, "%s", error != NULL ? error->message : "no error");
    unlink(path);
    return mapping;
}

/* The trace of a fixture, with a mapping. */
static af_profile *open_named(const char *fixture, const char *text)
{
    GError *error = NULL;
    af_mapping *mappings[] = {open_text(text), NULL};
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.mappings = (const af_mapping *const *)mappings;
    ck_assert_ptr_nonnull(getenv("AFLAME_DATA"));
    g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), fixture, NULL);
    af_profile *profile = af_profile_open(path, &options, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "no error");
    af_mapping_free(mappings[0]); /* the profile does not need them */
    return profile;
}

static gboolean has_label(const af_profile *profile, const char *label)
{
    for (uint32_t i = 0; i < af_profile_n_labels(profile); i++) {
        if (strcmp(af_profile_label(profile, i), label) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

TEST(proxies_get_the_name_of_the_interface)
{
    g_autoptr(af_profile) profile =
        open_named("stream_proxy.trace", "com.example.Clicks -> a.Listener:\n"
                                         "    void onClicked() -> onEvent\n");
    ck_assert(has_label(profile, "com.example.Clicks.onClicked [proxy]"));
    af_mapping_view view = AF_MAPPING_VIEW_INIT;
    ck_assert(af_profile_mapping(profile, 0, &view));
    ck_assert_uint_eq(view.named, 1);
}

TEST(overloads_with_one_name_are_two_methods)
{
    /* without the mapping a.B.put is one label; with it there are two */
    g_autoptr(af_profile) profile =
        open_named("overloads.trace", "com.example.Store -> a.B:\n"
                                      "    void putNumber(int) -> put\n"
                                      "    void putText(java.lang.String) -> put\n");
    ck_assert(has_label(profile, "com.example.Store.putNumber"));
    ck_assert(has_label(profile, "com.example.Store.putText"));
    ck_assert(has_label(profile, "com.example.Store.run"));
    ck_assert(!has_label(profile, "a.B.put"));
    af_mapping_view view = AF_MAPPING_VIEW_INIT;
    ck_assert(af_profile_mapping(profile, 0, &view));
    ck_assert_uint_eq(view.methods, 4);
    ck_assert_uint_eq(view.known, 4);
    ck_assert_uint_eq(view.named, 4);
    ck_assert_uint_eq(af_profile_n_mappings(profile), 1);
    ck_assert(!af_profile_mapping(profile, 1, &view));
}

static uint64_t count_calls(const af_profile *profile, const char *label)
{
    uint64_t calls = 0;
    for (uint32_t node = 1; node < af_tree_n_nodes(profile, 0); node++) {
        calls += strcmp(af_node_label(profile, 0, node), label) == 0
                     ? af_node_calls(profile, 0, node)
                     : 0;
    }
    return calls;
}

TEST(generated_methods_can_be_removed)
{
    static const char text[] = "com.example.Store -> a.B:\n"
                               "    void open() -> get\n"
                               "      # {'id':'com.android.tools.r8.synthesized'}\n"
                               "    void save(int) -> put\n"
                               "      # {'id':'com.android.tools.r8.synthesized'}\n"
                               "    void save(java.lang.String) -> put\n";
    static const af_step clean = {.kind = AF_STEP_CLEAN, .clock = AF_CLOCK_DEFAULT};
    g_autoptr(af_profile) profile = open_named("overloads.trace", text);
    ck_assert_uint_eq(count_calls(profile, "com.example.Store.open"), 1);
    ck_assert_uint_eq(count_calls(profile, "com.example.Store.save"), 3);
    g_autoptr(af_profile) cleaned = af_profile_reshape(profile, &clean, 1, NULL);
    ck_assert_uint_eq(count_calls(cleaned, "com.example.Store.open"), 0);
    /* one of the two methods with this name is written by hand */
    ck_assert_uint_eq(count_calls(cleaned, "com.example.Store.save"), 3);
    ck_assert_uint_eq(count_calls(cleaned, "com.example.Store.run"), 1);
    for (int clock = 0; clock < AF_CLOCKS; clock++) {
        ck_assert_uint_eq(af_node_inclusive_ns(profile, 0, 0, clock),
                          af_node_inclusive_ns(cleaned, 0, 0, clock));
    }
}

TEST(every_container_is_renamed)
{
    static const char *const fixtures[] = {"v2c.trace",         "v2d.trace", "v2e.trace",
                                           "stream_dual.trace", "pair.key",  "gzip.trace",
                                           "long_running.trace"};
    for (unsigned i = 0; i < G_N_ELEMENTS(fixtures); i++) {
        g_autofree char *path = g_build_filename(getenv("AFLAME_DATA"), fixtures[i], NULL);
        g_autoptr(af_profile) plain = af_profile_open(path, NULL, NULL);
        ck_assert_ptr_nonnull(plain);
        const char *label = af_profile_label(plain, 0), *dot = strrchr(label, '.');
        g_autofree char *text = g_strdup_printf("real.Name -> %.*s:\n    void it() -> %s\n",
                                                (int)(dot - label), label, dot + 1);
        g_autoptr(af_profile) profile = open_named(fixtures[i], text);
        ck_assert_msg(has_label(profile, "real.Name.it"), "%s: %s", fixtures[i], text);
    }
}

/* Short names that a mapping gave are meant to be short. */
TEST(mapped_traces_are_not_obfuscated)
{
    g_autoptr(GBytes) bytes = made_trace_bytes("1 a.a.run\n1 a.b.run\n1 a.c.run\n");
    af_mapping *mappings[] = {open_text("d.e -> a.a:\n"), NULL};
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        options.mappings = mapped ? (const af_mapping *const *)mappings : NULL;
        g_autoptr(af_profile) profile = af_profile_open_bytes(
            g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), &options, NULL);
        ck_assert(has_label(profile, mapped ? "d.e.run" : "a.a.run"));
        ck_assert_int_eq(af_profile_looks_obfuscated(profile), !mapped);
    }
    af_mapping_free(mappings[0]);
}
