/* Any calls or stacks with any names, in every export format: aflame reads the file again, with the same
 * time and no other names. */
#include <string.h>
#include "api/autoptr.h"
#include "base/out.h"
#include "feed.h"
#include "model/profile.h"

enum { MOST_NAMES = 8, MOST_EVENTS = 150 };

static void put_text(GString *text, const char *bytes, size_t length, const char *escaped)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(escaped, bytes[i]) != NULL && bytes[i] != '\0') {
            g_string_append_c(text, '\\');
        }
        g_string_append_c(text, bytes[i]);
    }
}

static void put_name(GString *json, const char *what, unsigned tid, fuzz_feed *feed)
{
    size_t length;
    const char *name = feed_text(feed, &length);
    g_string_append_printf(
        json, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"", what,
        tid / 2 + 1, tid + 1);
    put_text(json, name, length, "\"\\");
    g_string_append(json, "\"}},");
}

/* Begins and ends on four threads of two processes, possibly with CPU times. */
static void put_calls(GString *json, fuzz_feed *feed, uint8_t how)
{
    const char *names[MOST_NAMES];
    size_t lengths[MOST_NAMES];
    uint64_t now = 0, cpu = 0;
    g_string_assign(json, "[");
    for (unsigned t = 0; t < 4 && (how & 4) != 0; t++) {
        put_name(json, t % 2 == 0 ? "process_name" : "thread_name", t, feed);
    }
    for (unsigned i = 0; i < MOST_NAMES; i++) {
        names[i] = feed_text(feed, &lengths[i]);
    }
    for (unsigned i = 0; i < MOST_EVENTS && feed_left(feed) > 0; i++) {
        const uint8_t what = feed_byte(feed), when = feed_byte(feed);
        const unsigned tid = what >> 1 & 3, name = what >> 3 & 7;
        now += when == 255 ? feed_number(feed, 2) : when * 13; /* gecko: one sample per us */
        cpu += when & 15;
        g_string_append_printf(
            json, "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%" G_GUINT64_FORMAT ".%03u",
            (what & 1) != 0 ? 'E' : 'B', tid / 2 + 1, tid + 1, (guint64)now / 1000,
            (unsigned)(now % 1000));
        if ((how & 8) != 0) {
            g_string_append_printf(json, ",\"tts\":%" G_GUINT64_FORMAT, (guint64)cpu);
        }
        if ((what & 1) == 0) {
            g_string_append(json, ",\"name\":\"");
            put_text(json, names[name], lengths[name], "\"\\");
            g_string_append_c(json, '"');
        }
        g_string_append(json, "},");
    }
}

/* Stack lines, the first of which selects the variant. */
static void put_stacks(GString *text, fuzz_feed *feed)
{
    g_string_assign(text, "a;b 1\n");
    for (unsigned i = 0; i < MOST_EVENTS && feed_left(feed) > 0; i++) {
        size_t length;
        const char *stack = feed_text(feed, &length);
        put_text(text, stack, length, "");
        g_string_append_printf(text, " %" G_GUINT64_FORMAT "\n", (guint64)feed_number(feed, 2));
    }
}

/* Neither format has a date, but every exporter must handle one. */
static void set_date(af_profile *profile, fuzz_feed *feed)
{
    profile->facts.recording.has_start = TRUE;
    profile->facts.recording.start = feed_number(feed, 8);
    profile->facts.recording.start_tick_ns = 1000;
}

static uint64_t sum_time(const af_profile *profile)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < af_profile_n_threads(profile); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(profile, t); n++) {
            sum += af_node_self_ns(profile, t, n, af_profile_default_clock(profile));
        }
    }
    return af_profile_unit_is_count(profile) && af_profile_unit_decimals(profile) == 0 ? sum * 1000
                                                                                       : sum;
}

/* The bytes of a name that a format holds. */
static size_t cut_name(const char *format, const char *name)
{
    const size_t length = strlen(name), most = strcmp(format, "spall") == 0 ? 255 : SIZE_MAX;
    return length <= most ? length : (size_t)(g_utf8_find_prev_char(name, name + most + 1) - name);
}

/* Firefox would take a frame for an address, so the export for it puts "at " before these names. */
static void check_names(const af_profile *profile, const af_profile *again, const char *format)
{
    const gboolean gecko = strcmp(format, "gecko") == 0;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = 0; i < af_profile_n_labels(profile); i++) {
        const char *name = af_profile_label(profile, i);
        name += gecko && g_str_has_prefix(name, "at 0x") ? 3 : 0;
        g_hash_table_add(names, g_strndup(name, cut_name(format, name)));
    }
    for (unsigned t = 0; t < af_profile_n_threads(again); t++) {
        for (uint32_t n = 1; n < af_tree_n_nodes(again, t); n++) {
            FUZZ_CHECK(g_hash_table_contains(names, af_node_label(again, t, n)));
        }
    }
}

static void check_again(const af_profile *profile, const char *format, const GByteArray *written)
{
    g_autoptr(af_profile) again = af_profile_open_bytes(written->data, written->len, NULL, NULL);
    FUZZ_CHECK(again != NULL || sum_time(profile) == 0 || strcmp(format, "gecko") == 0);
    if (again != NULL) {
        /* a Gecko profile holds samples */
        FUZZ_CHECK(strcmp(format, "gecko") == 0 || sum_time(again) == sum_time(profile));
        check_names(profile, again, format);
    }
}

/* A saved profile has every node with its times and calls. */
static void check_saved(const af_profile *profile, GByteArray *written)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.names = profile->names;
    g_autoptr(GBytes) bytes = g_bytes_new(written->data, written->len);
    g_autoptr(af_profile) again = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                        g_bytes_get_size(bytes), &options, NULL);
    FUZZ_CHECK(again != NULL && again->n_threads == profile->n_threads);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree, *saved = again->threads[t].tree;
        FUZZ_CHECK(strcmp(profile->threads[t].title, again->threads[t].title) == 0);
        FUZZ_CHECK(tree->n == saved->n && af_tree_clocks(tree) == af_tree_clocks(saved));
        for (uint32_t i = 1; i < tree->n; i++) {
            FUZZ_CHECK(tree->parent[i] == saved->parent[i] && tree->calls[i] == saved->calls[i] &&
                       strcmp(profile->labels[tree->label[i]].text,
                              again->labels[saved->label[i]].text) == 0);
            for (unsigned c = 0; c < AF_CLOCKS; c++) {
                FUZZ_CHECK(tree->self[c] == NULL || (tree->self[c][i] == saved->self[c][i] &&
                                                     tree->min[c][i] == saved->min[c][i] &&
                                                     tree->max[c][i] == saved->max[c][i]));
            }
        }
    }
}

/* A file in Graphviz' language: no name ends a string or a line. */
static void check_dot(const GByteArray *written)
{
    static const char begin[] = "digraph  {\n", end[] = "\n}\n";
    g_autoptr(GString) bare = g_string_new(NULL); /* without strings */
    gboolean quoted = FALSE;
    for (guint i = 0; i < written->len; i++) {
        const char c = (char)written->data[i];
        FUZZ_CHECK(c != '\0' && (c != '\n' || !quoted));
        if (quoted && c == '\\') {
            i++;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            g_string_append_c(bare, c);
        }
    }
    FUZZ_CHECK(!quoted && g_str_has_prefix(bare->str, begin) && g_str_has_suffix(bare->str, end));
    g_auto(GStrv) lines = g_strsplit(bare->str, "\n", -1);
    for (char **line = lines + 4; *line != NULL && (*line)[0] != '}'; line++) {
        FUZZ_CHECK(g_str_has_prefix(*line, "  n") && g_str_has_suffix(*line, "];"));
    }
}

static void check_format(const af_profile *profile, const char *format)
{
    GByteArray *written = g_byte_array_new();
    GError *error = NULL;
    if (!af_convert_write(profile, format, NULL, af_out_to_array, written, &error)) {
        FUZZ_CHECK(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE) &&
                   !af_profile_has_calls(profile));
        g_error_free(error);
        g_byte_array_unref(written);
        return;
    }
    if (strcmp(format, "aflp") == 0) {
        check_saved(profile, written);
        g_byte_array_unref(written);
        return;
    }
    if (strcmp(format, "dot") == 0) {
        check_dot(written);
        g_byte_array_unref(written);
        return;
    }
    if (strcmp(format, "folded") != 0) { /* detected by the name of the file */
        check_again(profile, format, written);
    }
    g_byte_array_unref(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed), which = feed_byte(&feed); /* 0 = all formats */
    fuzz_feed date = feed;
    feed_number(&feed, (how & 64) != 0 ? 8 : 0);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    g_autoptr(GString) text = g_string_new(NULL);
    options.keep_input = TRUE;
    options.jobs = 1;
    options.names = (af_names)((how & 3) % 3);
    options.unit = (how & 32) != 0 ? "us" : NULL;
    if ((how & 16) != 0) {
        put_stacks(text, &feed);
    } else {
        put_calls(text, &feed, how);
    }
    g_autoptr(af_profile) profile = af_profile_open_bytes(text->str, text->len, &options, NULL);
    if (profile != NULL && (how & 64) != 0) {
        set_date(profile, &date);
    }
    unsigned n_formats = 0;
    while (af_convert_format(n_formats) != NULL) {
        n_formats++;
    }
    for (unsigned f = 0; profile != NULL && f < n_formats; f++) {
        if (which == 0 || which % n_formats == f) {
            check_format(profile, af_convert_format(f));
        }
    }
    return 0;
}
