#include "cli/options.h"

static const af_option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write FILE, - is standard output; repeatable",
     .manual = "Write the picture to FILE; repeat the option for several formats in one run.\n"
               "The extension decides the format: .svg, .png or .pdf; for the list of aflame\n"
               "calls also .txt, .html, .json and .csv.\n"
               "A hyphen is standard output.\n"
               "Without this option, aflame render writes NAME.svg in the current directory,\n"
               "and aflame calls writes text to standard output.",
     .verbs = AF_RENDER | AF_CALLS,
     .repeat = AF_REPEATED,
     AF_READ(af_read_list, outputs)},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write FILE (default: standard output); repeatable",
     .manual = "Write FILE instead of standard output; repeat the option for several formats\n"
               "in one run.\n"
               "The extension decides the format.",
     .verbs = AF_CONVERT | AF_REPORT | AF_EXPLAIN | AF_CHECK | AF_MERGE,
     .repeat = AF_REPEATED,
     AF_READ(af_read_list, outputs)},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .help = "Write FILE (default: standard output); repeatable",
     .manual = "Write FILE instead of standard output; repeat the option for several formats\n"
               "in one run.\n"
               "The extension decides the format: .svg, .png and .pdf are pictures, all others\n"
               "tables.",
     .verbs = AF_DIFF,
     .repeat = AF_REPEATED,
     AF_READ(af_read_list, outputs)},
    {.name = "format",
     .value = "NAME",
     .help = "One of %FORMATS%",
     .manual = "Write this format, whatever extension FILE has.",
     .verbs = AF_RENDER | AF_REPORT | AF_CALLS | AF_EXPLAIN | AF_CHECK,
     AF_READ(af_read_text, format)},
    {.name = "format",
     .value = "NAME",
     .help = "A table (text, json, csv, ...) or svg, png, pdf",
     .manual = "Write this format, whatever extension FILE has: text, json, csv, markdown,\n"
               "folded, svg, png or pdf.",
     .verbs = AF_DIFF,
     AF_READ(af_read_text, format)},
    {.name = "format",
     .value = "NAME",
     .help = "One of those of --list, whatever FILE is called",
     .manual = "Write this format, whatever extension FILE has; the option --list prints the\n"
               "formats.\n"
               "The default for standard output is folded.",
     .verbs = AF_CONVERT | AF_MERGE,
     AF_READ(af_read_text, format)},
    {.name = "json",
     .help = "For programs: one object, or an array of them",
     .manual = "Print JSON: one object for one trace, an array for several.",
     .verbs = AF_INFO,
     AF_READ(af_read_flag, json)},
    {.name = "json",
     .help = "The same as --format json",
     .manual = "Write JSON, the same as --format json.",
     .verbs = AF_REPORT | AF_CALLS | AF_EXPLAIN | AF_DIFF | AF_CHECK,
     AF_READ(af_read_json, format)},
    {.name = "markdown",
     .help = "The same as --format markdown",
     .manual = "Write Markdown, for a comment on a bug report; the same as --format markdown.",
     .verbs = AF_EXPLAIN,
     AF_READ(af_read_markdown, format)},
    {.name = "markdown",
     .help = "Print a comment for a bug report",
     .manual = "Print a comment for a bug report to standard output, in Markdown: a reference to\n"
               "the picture of\n"
               ".Fl o\n"
               "with its alternative text, the findings of\n"
               ".Xr aflame-explain 1 ,\n"
               "the methods with the most self time, and the command that draws the picture.\n"
               "Without\n"
               ".Fl o\n"
               "aflame draws no picture.",
     .verbs = AF_RENDER,
     AF_READ(af_read_flag, markdown)},
    {.name = "rule",
     .value = "ID",
     .help = "Report findings of this rule only; repeatable",
     .manual = "Report only what this rule finds; repeat the option for several rules.",
     .verbs = AF_EXPLAIN,
     .allowed = AF_IN_FILE,
     .repeat = AF_REPEATED,
     AF_READ(af_read_choices, rules),
     .choice = af_explain_rule},
    {.name = "frame-time",
     .value = "TIME",
     .help = "Frames that take longer are late (16.7ms)",
     .manual = "Frames that take longer are late: 16.7ms by default, 8.3ms for a display with\n"
               "120 Hz.",
     .verbs = AF_EXPLAIN,
     .allowed = AF_IN_FILE,
     AF_READ(af_read_time, explain.frame_ns)},
    {.name = "list-rules",
     .help = "List the rules with their thresholds",
     .manual = "Print the rules with their thresholds, and exit.",
     .verbs = AF_EXPLAIN,
     AF_READ(af_read_flag, list_rules)},
    {.name = "list",
     .letter = 'l',
     .help = "List input and output formats",
     .manual = "Print the formats that aflame reads and writes, and exit.",
     .verbs = AF_CONVERT,
     AF_READ(af_read_flag, list_formats)},
    {.name = "csp-hash",
     .help = "Print the hashes of the scripts of SVGs",
     .manual = "Print the hashes of the scripts of SVGs, for a content security policy, and\n"
               "exit: that of graphs, then that of charts and comparisons.\n"
               "They are the same in every file of a version; the option takes no trace.",
     .verbs = AF_RENDER,
     AF_READ(af_read_flag, csp_hash)},
    {.name = "alt",
     .help = "Print the alternative text of the picture",
     .manual = "Print the alternative text of the picture to standard output: a paragraph for\n"
               "people who cannot see it, to paste next to it.\n"
               "Pictures contain this text, too.\n"
               "Without\n"
               ".Fl o\n"
               "aflame draws no picture.",
     .verbs = AF_RENDER | AF_DIFF,
     AF_READ(af_read_flag, alt)},
    {.name = "any-size",
     .help = "Write more than 16 GB, which deep recursion makes",
     .manual = "Write folded stacks of more than 16 GB, which deep recursion can produce.\n"
               "Without it aflame rejects such an output.",
     .verbs = AF_CONVERT,
     .needs = AF_NEEDS_FOLDED,
     AF_READ(af_read_flag, convert.any_size)},
    {.name = "remove-gaps",
     .value = "N",
     .help = "gecko: drop runs of up to N broken stacks (3)",
     .manual = "Drop runs of up to N broken stacks in a row from a gecko profile, as Android's\n"
               "gecko_profile_generator does.\n"
               "The default is 3; 0 keeps all.\n"
               "If simpleperf did not make the recording, a thread keeps its broken stacks if\n"
               "it has no others.",
     .verbs = AF_CONVERT,
     .needs = AF_NEEDS_GECKO,
     AF_READ(af_read_number, convert.remove_gaps),
     AF_RANGE(0, UINT32_MAX)},
    {.name = "min-percent",
     .value = "N",
     .help = "dot: skip methods below N percent (0.5)",
     .manual = "Leave out methods of a call graph below N percent of the time, from 0 to 100,\n"
               "and calls below a fifth of that; the default is 0.5.",
     .verbs = AF_CONVERT,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     .needs = AF_NEEDS_DOT,
     AF_READ(af_read_hundredths, convert.min_percent_c),
     AF_RANGE(0, 10000)},
    {.name = "top",
     .value = "N",
     .help = "dot: write N methods, 0 = all (80)",
     .manual = "Write N methods of a call graph: those with the most self time and those with\n"
               "the most inclusive time, in turns; 0 writes all, the default is 80.",
     .verbs = AF_CONVERT,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     .needs = AF_NEEDS_DOT,
     AF_READ(af_read_number, convert.top),
     AF_RANGE(0, UINT32_MAX)},
    {.name = "folded-unit",
     .value = "UNIT",
     .help = "folded: count us or ns (us)",
     .manual = "Count the time of folded stacks in us or ns.\n"
               "The default is us; aflame reports when rounding down loses more than 0.1 %\n"
               "of the time.",
     .verbs = AF_CONVERT,
     .needs = AF_NEEDS_FOLDED,
     AF_READ(af_read_text, convert.folded_unit)},
    {.name = "redact",
     .help = "Replace names, except the platform's, by pseudonyms",
     .manual = "Replace names by pseudonyms in everything that is written, and in the profile\n"
               "that a picture carries: packages, classes, methods, source files, threads,\n"
               "processes and the name of the input.\n"
               "Names of Android, AndroidX, Kotlin and Java stay.",
     .verbs = AF_RENDER | AF_REPORT | AF_CONVERT | AF_INFO | AF_EXPLAIN | AF_DIFF | AF_MERGE,
     .allowed = AF_IN_FILE,
     AF_READ(af_read_flag, redact)},
    {.name = "redact-key",
     .value = "FILE",
     .help = "The same pseudonyms wherever this key is used",
     .manual = "The key of the pseudonyms; aflame makes the file, readable by you alone, if it\n"
               "does not exist.\n"
               "The same key gives the same pseudonyms, so that redacted files can be compared.\n"
               "Without this option each run has a key of its own, which nobody keeps.",
     .verbs = AF_RENDER | AF_REPORT | AF_CONVERT | AF_INFO | AF_EXPLAIN | AF_DIFF | AF_MERGE,
     .needs = AF_NEEDS_REDACTION,
     AF_READ(af_read_text, redact_key)},
    {.name = "raw-csv",
     .help = "csv: names as they are, even if they are formulas",
     .manual = "Write names to a CSV file as they are.\n"
               "Without this option a name that a spreadsheet would interpret as a formula gets\n"
               "an apostrophe before it.",
     .verbs = AF_REPORT | AF_CALLS | AF_DIFF,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     .needs = AF_NEEDS_CSV,
     AF_READ(af_read_flag, report.raw_csv)},
    {.name = NULL},
};

const af_option_section af_options_output = {
    .title = "Output",
    .options = options,
};
