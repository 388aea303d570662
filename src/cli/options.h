/* The parsed options of a run: every verb gets all of them and uses its own. */
#pragma once

#include "cli/mappings.h"
#include "cli/values.h"
#include "serve/serve.h"

#define AF_REDACTION_KEY 32 /* bytes of a new key */

/* The steps that select and reshape, in the order of execution.
 *
 * --thread selects what is shown of the result; only before --merge-threads it is a step of its
 * own, because the names there are still those of the trace. */
typedef struct {
    GArray *steps;        /* of af_step */
    const char **threads; /* what to show: selectors, ends with NULL; NULL = the verb's default */
} af_steps;

typedef struct af_options {
    const af_verb *verb;
    af_settings *settings;  /* owns the strings */
    char **operands;        /* ends with NULL */
    bool implied;           /* `aflame TRACE`, without a verb */
    const char *input_name; /* of standard input; NULL = "standard input" */

    bool help, all, print_options, no_config;
    const char **presets;
    bool quiet;    /* errors only */
    bool verbose;  /* hints too */
    bool strict;   /* any warning is a failure */
    unsigned jobs; /* 0 = one for each processor */

    af_open_options open;
    const char **mapping_paths;
    af_mappings *mappings;
    bool part; /* a part of each trace, as in af_profile_extract_part() */
    int64_t from_ns, to_ns;
    int other_ends, overlaps, recorded; /* words */
    int side;                           /* af_side, if --side is given */

    const char **outputs; /* NULL = the verb's default */
    const char *format;
    int clock, names; /* af_clock, af_names */
    af_steps steps;

    af_picture_options picture;
    const char **marks;
    int theme, data, view; /* af_theme, af_data, af_view */
    bool csp_hash, alt, markdown;

    af_report_options report;
    const char **tables, **trees, **methods;
    const char **before, **after; /* runs of the sides */
    const char **mapping_before, **mapping_after;
    af_dump dump, dump_before, dump_after; /* of a side: none = --dump */
    af_diff_options compare;
    af_diff_tables compared;
    af_least least;
    af_explain_options explain;
    const char **rules;
    bool list_rules;
    const char *benchmark, *budget, *align;
    bool update_budget;
    int min_percent_c;
    bool records, frames, startup, callers_above;
    int64_t frame_time_ns; /* 0 = the default */

    af_around around;
    af_convert_options convert;
    bool list_formats, json;

    bool redact;
    const char *redact_key; /* a file; NULL = run_key */
    uint8_t run_key[AF_REDACTION_KEY];

    af_serve_options serve;
    af_send_options send;
    const char **hosts, **viewers;
    bool open_browser;
} af_options;

/* For rows of the table of options. */
#define AF_READ(reader, field) .read = reader, .target = offsetof(af_options, field)
#define AF_RANGE(low, high)    .least = low, .most = high
#define AF_WORDS(...)                                                                              \
    .words = (const char *const[])                                                                 \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

#define AF_INPUTS(...)                                                                             \
    .inputs = (const char *const[])                                                                \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* Reads the command line and `.aflame`. Returns FALSE with *status set if the run ends here: the
 * options are invalid (prints why), or only help or the options themselves were requested. The
 * caller frees `options` with af_options_free() in any case. */
gboolean af_options_read(const af_verb *verb, int argc, char **argv, af_options *options,
                         af_exit *status);
void af_options_free(af_options *options);

/* Whether an option ("top") has a value from any source. */
gboolean af_options_have(const af_options *options, const char *name);

/* Whether all typed options have an effect on this input. Prints the first that has none. */
gboolean af_options_fit_input(const af_options *options, const char *name,
                              const af_profile *profile);

/* The same for verbs that add up or compare their inputs, once these are read: an option must have
 * an effect on one of them. */
gboolean af_options_fit_inputs(const af_options *options);

/* The formats that the outputs of this run can have. */
const af_formats *af_options_formats(const af_options *options);

/* Whether the run only prints text about a picture, and draws none. */
static inline gboolean af_options_only_print(const af_options *options)
{
    return options->outputs == NULL && (options->alt || options->markdown);
}

/* Whether one of the outputs has the format. */
gboolean af_options_write(const af_options *options, const char *format);

/* Returns FALSE, and prints the conflict, if other options contradict --frames, --frame-time or
 * --startup. */
gboolean af_options_fit_frames(const af_options *options);

/* Whether an output holds both clocks, whichever is asked for. */
gboolean af_options_write_all_clocks(const af_options *o);

/* The first of the needs (AF_NEEDS_...) that is not met, as the end of a sentence: "needs --view
 * chart"; NULL = all are met. */
const char *af_needs_missing(const af_options *options, unsigned needs);
