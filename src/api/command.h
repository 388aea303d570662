/* What the command needs of the library and other programs do not: installed headers declare
 * none of it. Words and times that people type, and what differs between systems, are in base/. */
#pragma once

#include <aflame/explain.h>
#include <aflame/picture.h>
#include <aflame/profile.h>
#include <aflame/reshape.h>
#include "base/markdown.h"
#include "base/named.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/system.h"

/* ---- inputs ---- */

/* Opens several files of folded stacks and adds them up. NULL ends `paths`. Fails with
 * AF_ERROR_USAGE if a file has another format. */
af_profile *af_profile_open_sum(const char *const *paths, const af_open_options *options,
                                GError **error);

/* Which half of a .key/.data pair the file at `path` is. AF_HALF_NONE also if the file cannot be
 * read. */
typedef enum { AF_HALF_NONE, AF_HALF_KEY, AF_HALF_DATA } af_half;
af_half af_trace_half(const char *path);

/* What the file at `path` is, by the bytes at its start. AF_TRACE_OUTPUT: a picture, an HTML
 * page, or a file that aflame wrote for another program; also if aflame reads it.
 * AF_TRACE_UNKNOWN also for pipes and devices, because looking would consume their bytes. */
typedef enum {
    AF_TRACE_UNKNOWN,
    AF_TRACE_RECORDING,
    AF_TRACE_OUTPUT,
    AF_TRACE_UNSIGNED, /* a recording or an output, in a format without a place for its writer:
                          folded stacks, Spall */
} af_trace_kind;
af_trace_kind af_trace_recognise(const char *path);

/* If `folder` has results of Jetpack's benchmarks (*-benchmarkData.json), adds the paths of the
 * traces of one benchmark to `paths`: its method traces, or if there are none, its stack samples
 * or its Perfetto traces. *left_out is the number of its other traces. `name` is "startup",
 * "StartupBenchmark.startup" or the full name; NULL is the only benchmark. Fails with
 * AF_ERROR_USAGE if that is not one benchmark. Without results and without a name, adds nothing. */
gboolean af_benchmark_list(const char *folder, const char *name, GPtrArray *paths,
                           unsigned *left_out, GError **error);

/* ---- for sheets and comments ---- */

/* As af_explanation_new(), for the sheets that are drawn with `picture`: the calls that they draw are
 * read along with the rules, not once more for each sheet. */
af_explanation *af_explanation_new_for_sheet(const af_profile *profile,
                                             const af_explain_options *options,
                                             const af_picture_options *picture, GError **error);

/* Appends the methods with the most self time as a table in Markdown: of the thread that a sheet
 * about the explanation draws. Appends nothing if no thread has the clock. */
void af_explanation_append_table(GString *to, const af_profile *profile, const af_explanation *e,
                                 af_clock clock);

/* ---- for options and the manual ---- */

/* A kind of step. Strings are static. */
typedef struct {
    const char *name;  /* its option: "focus" */
    const char *help;  /* one line */
    const char *about; /* sentences, a line each */
    af_step_value value;
} af_step_kind_view;

/* Fills *view. Kinds are consecutive numbers from 0; returns FALSE past the end. */
gboolean af_step_kind_describe(unsigned kind, af_step_kind_view *view);

/* The rules for numbers in names that a compiler or a run assigns: an example name, the name that
 * is compared instead, and a description of the number. FALSE past the end. */
gboolean af_diff_name_rule(unsigned index, const char **example, const char **becomes,
                           const char **about);

/* Fails with AF_ERROR_NOTHING and a way out if a view of a Perfetto trace shows nothing, and
 * nothing was lost that would explain it. The picture of other inputs says so itself. */
gboolean af_picture_check_content(const af_profile *profile, af_view view, GError **error);

/* ---- for pages ---- */

/* The time of a thread as pictures divide it. */
typedef struct {
    uint64_t busy_ns;    /* outside idle frames; shares of threads are shares of its sum */
    uint64_t blocked_ns; /* the part of it that waits */
    uint64_t idle_ns;    /* in idle frames */
    gboolean is_main;    /* it is drawn first */
} af_thread_times;

/* Returns the times of all threads in their order; free the array with g_free(). NULL if memory is
 * refused. */
af_thread_times *af_picture_thread_times(const af_profile *profile, af_clock clock);

/* Whether an interactive SVG of the graph may also contain the chart if `profile` is opened with
 * `keep_input`, and so differ from one of the saved profile. */
gboolean af_picture_adds_chart(const af_profile *profile);

/* The hash of a script in interactive SVGs for a content security policy: "sha256-...". This
 * version writes two scripts: index 0 is that of graphs, 1 that of charts and comparisons; NULL
 * past the end. Free it with g_free(). The server, a module, finds it in the command. */
AF_API char *af_picture_script_hash(unsigned index);
