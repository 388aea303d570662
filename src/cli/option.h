/* The table of options.
 *
 * Each option of the command is one row, in the section under whose heading help and manual list
 * it. Everything that handles options reads these rows: the parser, `.aflame`, --print-options,
 * help, did-you-mean and the manual. So a new option is one row here and the code that uses its
 * value.
 *
 * The options of steps come from the library (af_step_kind_describe()).
 *
 * If a name means different things for different verbs, it has several rows, with disjoint sets of
 * verbs. */
#pragma once

#include "cli/message.h"

/* The verbs that have an option, as bits. */
enum {
    AF_RENDER = 1 << 0,
    AF_INFO = 1 << 1,
    AF_CONVERT = 1 << 2,
    AF_REPORT = 1 << 3,
    AF_CALLS = 1 << 4,
    AF_DIFF = 1 << 5,
    AF_CHECK = 1 << 6,
    AF_MERGE = 1 << 7,
    AF_SERVE = 1 << 8,
    AF_SEND = 1 << 9,
    AF_EXPLAIN = 1 << 10,
    AF_STEPPING = AF_RENDER | AF_CONVERT | AF_REPORT | AF_CALLS | AF_DIFF | AF_CHECK |
                  AF_MERGE,                /* those that reshape */
    AF_WRITING = AF_STEPPING | AF_EXPLAIN, /* those with -o */
    AF_DRAWING = AF_RENDER | AF_CALLS | AF_DIFF,
    AF_READING = AF_STEPPING | AF_INFO | AF_EXPLAIN,
    AF_ALL_VERBS = AF_READING | AF_SERVE | AF_SEND,
};

/* Which settings count if an option is repeated. */
typedef enum {
    AF_LAST = 0,  /* the last one counts */
    AF_REPEATED,  /* all settings of the source with the highest priority count */
    AF_CUMULATED, /* all settings count, in order of priority, then of occurrence */
} af_option_repeat;

/* Where an option is allowed besides the command line. */
enum {
    AF_IN_FILE = 1 << 0,  /* in `.aflame`: options that name no file to write, no program and no
                             number of jobs */
    AF_IN_QUERY = 1 << 1, /* in a URL of the server: options that select, reshape or draw, and name
                             no file */
    AF_ANYWHERE = AF_IN_FILE | AF_IN_QUERY,
};

/* What an option needs to have an effect; needs.c checks it. */
enum {
    AF_NEEDS_CHART = 1 << 0,       /* --view chart */
    AF_NEEDS_GRAPH = 1 << 1,       /* another view */
    AF_NEEDS_SVG = 1 << 2,         /* an output of that format */
    AF_NEEDS_CARRIER = 1 << 3,     /* a picture or an HTML report, which carry the profile */
    AF_NEEDS_PNG = 1 << 4,         /* an output of that format */
    AF_NEEDS_GECKO = 1 << 5,       /* an output of that format */
    AF_NEEDS_PICTURE = 1 << 6,     /* of calls: --around; of diff: an output that is a picture */
    AF_NEEDS_LIST = 1 << 7,        /* of calls: no --around */
    AF_NEEDS_TABLES = 1 << 8,      /* of report: an output in another format than dmtracedump */
    AF_NEEDS_DMTRACEDUMP = 1 << 9, /* of report: an output in that format */
    AF_NEEDS_TREE = 1 << 10,       /* of report: --tree */
    AF_NEEDS_ROWS = 1 << 11,       /* of report: a table that is not a tree */
    AF_NEEDS_SIBLINGS = 1 << 12,   /* of convert: an output with call trees, not single calls */
    AF_NEEDS_FOLDED = 1 << 13,     /* an output of that format */
    AF_NEEDS_CSV = 1 << 14,        /* an output of that format */
    AF_NEEDS_COMPARED = 1 << 15,   /* of diff: an output with tables */
    AF_NEEDS_BRANCHES = 1 << 16,   /* of diff: --tree */
    AF_NEEDS_REDACTION = 1 << 17,  /* --redact */
    AF_NEEDS_SANDWICH = 1 << 19,   /* --view sandwich */
    AF_NEEDS_ROOTS = 1 << 20,      /* another view */
    AF_NEEDS_CALLGRAPH = 1 << 21,  /* --view callgraph */
    AF_NEEDS_WIDTHS = 1 << 22,     /* another view */
    AF_NEEDS_DOT = 1 << 23,        /* an output of that format */
    AF_NEEDS_UNION = 1 << 24,      /* of diff: a comparison, not --view chart */
    AF_NEEDS_SCRIPT = 1 << 25,     /* a view with a script */
    AF_NEEDS_MIDDLE = 1 << 26,     /* --method, if the view is a sandwich */
    AF_NEEDS_PAGE = 1 << 27,       /* an output that is text or a picture */
    AF_NEEDS_HELP = 1 << 28,       /* --help */
    AF_NEEDS_FRAMES = 1 << 29,     /* of report: --frames */
    AF_NEEDS_METHODS = 1 << 30,    /* of report: tables about methods, not frames */
};
#define AF_NEEDS_FOLDER                                                                            \
    (1u << 31) /* an input that is a folder; constants of an enum end before it */

struct af_options;
typedef struct af_option af_option;
typedef struct af_setting af_setting;

/* Reads the value of a setting into `target`. Prints why a value is invalid. */
typedef gboolean (*af_value_reader)(const af_setting *setting, void *target);

/* A row names its first eight members by their order. */
struct af_option {
    const char *name;   /* "theme"; NULL ends a section */
    char letter;        /* 0 = none */
    const char *value;  /* "NAME"; NULL = the option has no value */
    const char *help;   /* one line; %FORMATS% stands for the verb's formats */
    const char *manual; /* mdoc: its effect, in sentences */
    unsigned verbs;
    unsigned allowed; /* AF_IN_FILE, AF_IN_QUERY */
    unsigned needs;   /* AF_NEEDS_...; without them the option is rejected */
    af_option_repeat repeat;
    af_value_reader read;
    size_t target; /* offset of the value in af_options */
    /* for some readers */
    const char *const *words;               /* ends with NULL */
    const char *(*choice)(unsigned number); /* NULL past the end */
    uint32_t least, most;
    int step; /* af_step_kind */
    const char *const
        *inputs; /* the input formats on which it has an effect; ends with NULL; NULL = all */
    /* whether this value has an effect on this one in a run; NULL = yes */
    gboolean (*fits)(const af_profile *profile, const char *value, const struct af_options *run);
    const char *unfit; /* why not: "no samples are drawn" */
};

typedef struct {
    const char *title;              /* "Picture" */
    const char *hint;               /* lines for the help; NULL = none */
    const af_option *options;       /* the last one has no name */
    const af_option *(*list)(void); /* makes them instead */
} af_option_section;

static inline const af_option *af_option_section_options(const af_option_section *section)
{
    return section->list != NULL ? section->list() : section->options;
}

extern const af_option_section af_options_output, af_options_compare, af_options_table,
    af_options_picture, af_options_steps, af_options_input, af_options_serve, af_options_run;

/* The sections in their order; NULL past the end. */
const af_option_section *af_option_section_at(unsigned number);

/* All options, section by section; NULL past the end. */
const af_option *af_option_at(unsigned number);

/* The option of a verb by the first `length` bytes of a name, or by its letter; NULL = the verb has
 * none. With AF_ALL_VERBS the first row of that name. */
const af_option *af_option_lookup(unsigned verbs, const char *name, size_t length);
const af_option *af_option_by_letter(unsigned verbs, char letter);

/* The name closest to a mistyped one among the verbs' options that are allowed in all places of
 * `allowed`; NULL = none is close. */
const char *af_option_nearest(unsigned verbs, unsigned allowed, const char *typed);
