/* The rules of aflame explain: each speaks at its thresholds, word by word, and is silent just below
 * one of them. */
#include <aflame/explain.h>
#include <aflame/open.h>
#include <aflame/report.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "base/out.h"
#include "cases.h"
#include "finding/finding.h"
#include "made_trace.h"
#include "model/profile.h"
#include "suite.h"

/* The lines of made_trace.h, and
 *   fill US             other work, spread over ten methods so that none stands out
 *   nest N US METHOD    N calls, each in the previous one; # is the number of the call */
static GBytes *make_trace(const char *text)
{
    g_autoptr(GString) trace = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        unsigned n, us;
        char method[64];
        if (sscanf(*line, "fill %u", &us) == 1) {
            for (char m = 'a'; m <= 'j'; m++) {
                g_string_append_printf(trace, "%u com.example.Fill.%c\n", us, m);
            }
        } else if (sscanf(*line, "nest %u %u %63s", &n, &us, method) == 3) {
            g_auto(GStrv) parts = g_strsplit(method, "#", 2);
            for (unsigned i = 0; i < n; i++) {
                g_autofree char *number = g_strdup_printf("%u", i);
                g_autofree char *name = g_strjoinv(number, parts);
                g_string_append_printf(trace, "%*s%u %s\n", (int)(2 * i), "", us, name);
            }
        } else {
            g_string_append_printf(trace, "%s\n", *line);
        }
    }
    return made_trace_bytes(trace->str);
}

static af_explanation *explain_bytes(GBytes *bytes, const char *unit, const char *rule,
                                     af_profile **profile)
{
    GError *error = NULL;
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.keep_input = TRUE;
    open.unit = unit;
    *profile = af_profile_open_bytes(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), &open,
                                     &error);
    ck_assert_msg(*profile != NULL, "%s", error != NULL ? error->message : "");
    const char *const rules[] = {rule, NULL};
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.rules = rule != NULL ? rules : NULL;
    options.input_name = "app.trace";
    af_explanation *e = af_explanation_new(*profile, &options, &error);
    ck_assert_msg(e != NULL, "%s", error != NULL ? error->message : "");
    return e;
}

static af_explanation *explain(const char *text, const char *rule, af_profile **profile)
{
    g_autoptr(GBytes) bytes = make_trace(text);
    return explain_bytes(bytes, NULL, rule, profile);
}

/* The rows of a table of a report. */
static JsonArray *read_rows(const af_report *report, const char *table, JsonNode **node)
{
    const af_report *all[] = {report};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert(af_report_write(all, 1, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    *node = json_from_string((const char *)bytes->data, NULL);
    ck_assert_ptr_nonnull(*node);
    return json_object_get_array_member(json_node_get_object(*node), table);
}

/* A column of the rows of methods of a report on a thread, added up; without methods: of all. */
static uint64_t sum_column(const af_profile *profile, char *thread, const char *column,
                           char **methods)
{
    const char *const threads[] = {thread, NULL};
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    options.threads = threads;
    g_autoptr(af_report) report = af_report_new(profile, "json", &options, NULL);
    ck_assert_ptr_nonnull(report);
    g_autoptr(JsonNode) node = NULL;
    JsonArray *rows = read_rows(report, "methods", &node);
    uint64_t sum = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const char *name = json_object_get_string_member(row, "name");
        if (*methods == NULL || g_strv_contains((const char *const *)methods, name)) {
            sum += (uint64_t)json_object_get_int_member(row, column);
        }
    }
    return sum;
}

/* "sum THREAD COLUMN METHOD...": for rules that add up several methods, or look at other columns
 * than the time of calls. */
static void check_sum(const af_profile *profile, const af_finding *f, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    const uint64_t sum = sum_column(profile, words[1], words[2], words + 3);
    ck_assert_msg(f->time == sum, "%s: %s", f->rule, f->text);
    if (strcmp(f->rule, "exceptions") == 0) {
        ck_assert_uint_eq(f->calls, sum_column(profile, words[1], "unwinds", words + 3));
    }
}

/* A time is that of the calls of its thread in a list: all, in the method itself, or the longest. */
static void check_calls(const af_profile *profile, const af_finding *f)
{
    const af_tree *tree = profile->threads[f->thread].tree;
    const char *label = profile->labels[tree->label[f->node]].text;
    g_autofree char *pattern = g_strconcat("=", label, NULL);
    g_autoptr(af_call_list) list = af_call_list_new(profile, pattern, NULL, NULL);
    ck_assert_ptr_nonnull(list);
    uint64_t inclusive = 0, self = 0, longest = 0;
    for (uint32_t k = 0; k < af_call_list_size(list); k++) {
        af_call_view call = AF_CALL_VIEW_INIT;
        ck_assert(af_call_list_at(list, k, &call));
        if (strcmp(call.thread, profile->threads[f->thread].title) != 0) {
            continue;
        }
        inclusive += call.nested ? 0 : call.time_ns[AF_WALL];
        self += call.self_ns[AF_WALL];
        longest = MAX(longest, call.time_ns[AF_WALL]);
    }
    const gboolean equal = f->time == inclusive || f->time == self || f->time == longest;
    ck_assert_msg(equal, "%s: %s", f->rule, f->text);
    ck_assert(f->call == 0 || f->call == af_call_list_longest(list));
}

/* "RULE" and a trace as above, or "RULE input [UNIT]" and an input; "= SENTENCE" or "silent"; if
 * the time of the finding is a sum of a report, "sum ...". */
static void check_case(char **lines)
{
    g_auto(GStrv) words = g_strsplit(*lines, " ", 3);
    const gboolean is_trace = words[1] == NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    for (lines++; *lines != NULL && **lines != '=' && strcmp(*lines, "silent") != 0; lines++) {
        g_string_append_printf(text, "%s\n", *lines);
    }
    ck_assert_msg(*lines != NULL, "%s", text->str);
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(GBytes) bytes = is_trace ? make_trace(text->str) : g_bytes_new(text->str, text->len);
    g_autoptr(af_explanation) e =
        explain_bytes(bytes, is_trace ? NULL : words[2], words[0], &profile);
    const char *first = af_explanation_text(e, 0);
    const char *expected = **lines == '=' ? *lines + 2 : NULL;
    g_string_prepend(text, "\n");
    g_string_prepend(text, words[0]);
    if (!cases_expect(text->str, first, expected)) {
        return;
    }
    ck_assert(!is_trace || af_explanation_n(e) <= 1);
    const af_finding *f = e->n > 0 ? &e->findings[0] : NULL;
    if (lines[1] != NULL) {
        check_sum(profile, f, lines[1]);
    } else if (is_trace && f != NULL && f->node != AF_NO_NODE && f->calls > 0) {
        check_calls(profile, f);
    }
}

TEST(a_rule_speaks_at_its_threshold_and_is_silent_below)
{
    cases_check("explain.txt", check_case);
}

/* The findings of a file together: which are shown, in which order, and how much they explain. */
TEST(time_counts_once_and_for_the_stronger_finding)
{
    g_autoptr(af_profile) profile = NULL;
    /* the file is read in a long call, and its method is hot too */
    g_autoptr(af_explanation) e = explain("fill 8000\n100x20 com.example.Main.load\n"
                                          "0 com.example.Main.load\n"
                                          "  18000 com.example.Main.parse\n",
                                          NULL, &profile);
    ck_assert_uint_eq(af_explanation_n(e), 1);
    ck_assert_str_eq(e->findings[0].rule, "long-call");
    ck_assert_uint_eq(e->findings[0].time, 18000000);
    ck_assert_uint_eq(e->findings[0].call, 21);
    ck_assert_uint_eq(e->explained, 18000000);
    ck_assert_uint_eq(e->total, 100000000);
}

/* ---- JSON ---- */

/* The hash in links to the SVG: 50e6da63 is that of render/svg/tree.js for this path. */
TEST(json_names_the_frame_and_the_call)
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e =
        explain("fill 9000\n0 com.example.Main.show\n  2500x4 java.util.Arrays.sort\n",
                "hot-method", &profile);
    const af_explanation *all[] = {e};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    ck_assert(af_explanation_write(all, 1, "json", 0, af_out_to_array, bytes, NULL));
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    ck_assert_ptr_nonnull(strstr((const char *)bytes->data, "\"frame\": \"50e6da63\""));
    ck_assert_ptr_nonnull(strstr((const char *)bytes->data, "\"call\": null"));
}

/* Late frames and their time are those of the report of frames. */
/* As a saved profile from elsewhere may have them. */
TEST(commands_quote_steps)
{
    af_profile *profile;
    g_autoptr(GBytes) trace = make_trace("nest 6 1000 com.example.Tree#.walk");
    af_explanation_free(explain_bytes(trace, NULL, NULL, &profile));
    const af_step_record steps[] = {{.option = "--clean;id '/a b/'"}};
    profile->steps = steps;
    profile->n_steps = 1;
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.input_name = "app.trace";
    af_explanation *e = af_explanation_new(profile, &options, NULL);
    ck_assert_uint_gt(e->n, 0);
    const char *command = e->findings[0].evidence[0];
    ck_assert_msg(strstr(command, " app.trace '--clean;id' '/a b/' ") != NULL, "%s", command);
    af_explanation_free(e);
    af_profile_free(profile);
}

TEST(late_frames_are_those_of_the_report)
{
    g_autoptr(af_profile) profile = NULL;
    g_autoptr(af_explanation) e = explain("fill 8000\n20000x2 android.view.Choreographer.doFrame\n"
                                          "16700x3 android.view.Choreographer.doFrame\n",
                                          "slow-frame", &profile);
    af_report_options options = AF_REPORT_OPTIONS_INIT;
    g_autoptr(af_report) report = af_report_new_frames(profile, "json", &options, NULL);
    g_autoptr(JsonNode) node = NULL;
    JsonArray *rows = read_rows(report, "frames", &node);
    uint64_t n = 0, time_ns = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const gboolean late = json_object_get_int_member(row, "late_ns") > 0;
        n += late ? 1 : 0;
        time_ns += late ? (uint64_t)json_object_get_int_member(row, "duration_ns") : 0;
    }
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(e->findings[0].calls, n);
    ck_assert_uint_eq(e->findings[0].time, time_ns);
}
