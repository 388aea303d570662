#include "cli/options.h"

static const af_option options[] = {
    {"output", 'o', "FILE", "Write FILE, - is standard output; repeatable",
     "Write the picture to FILE; repeat the option for several formats in one run.\n"
     "The extension decides the format: .svg, .png or .pdf; for the list of aflame\n"
     "calls also .txt, .html, .json and .csv.\n"
     "A hyphen is standard output.\n"
     "Without this option, aflame render writes NAME.svg in the current directory,\n"
     "and aflame calls writes text to standard output.",
     AF_RENDER | AF_CALLS, .repeat = AF_REPEATED, AF_READ(af_read_list, outputs)},
    {"output", 'o', "FILE", "Write FILE (default: standard output); repeatable",
     "Write FILE instead of standard output; repeat the option for several formats\n"
     "in one run.\n"
     "The extension decides the format.",
     AF_CONVERT | AF_REPORT | AF_EXPLAIN | AF_CHECK, .repeat = AF_REPEATED,
     AF_READ(af_read_list, outputs)},
    {"output", 'o', "FILE", "Write FILE, - is standard output; repeatable",
     "Write FILE; repeat the option for several formats in one run.\n"
     "The extension decides the format.\n"
     "A hyphen is standard output.",
     AF_MERGE, .repeat = AF_REPEATED, AF_READ(af_read_list, outputs)},
    {"output", 'o', "FILE", "Write FILE (default: standard output); repeatable",
     "Write FILE instead of standard output; repeat the option for several formats\n"
     "in one run.\n"
     "The extension decides the format: .svg, .png and .pdf are pictures, all others\n"
     "tables.",
     AF_DIFF, .repeat = AF_REPEATED, AF_READ(af_read_list, outputs)},
    {"format", 0, "NAME", "One of %FORMATS%", "Write this format, whatever extension FILE has.",
     AF_RENDER | AF_REPORT | AF_CALLS | AF_EXPLAIN | AF_CHECK, AF_READ(af_read_text, format)},
    {"format", 0, "NAME", "A table (text, json, csv, ...) or svg, png, pdf",
     "Write this format, whatever extension FILE has: text, json, csv, markdown,\n"
     "folded, svg, png or pdf.",
     AF_DIFF, AF_READ(af_read_text, format)},
    {"format", 0, "NAME", "One of those of --list, whatever FILE is called",
     "Write this format, whatever extension FILE has; the option --list prints the\n"
     "formats.\n"
     "The default for standard output is folded.",
     AF_CONVERT | AF_MERGE, AF_READ(af_read_text, format)},
    {"json", 0, NULL, "For programs: one object, or an array of them",
     "Print JSON: one object for one trace, an array for several.", AF_INFO,
     AF_READ(af_read_flag, json)},
    {"json", 0, NULL, "The same as --format json", "Write JSON, the same as --format json.",
     AF_REPORT | AF_CALLS | AF_EXPLAIN | AF_DIFF | AF_CHECK, AF_READ(af_read_json, format)},
    {"markdown", 0, NULL, "The same as --format markdown",
     "Write Markdown, for a comment on a bug report; the same as --format markdown.", AF_EXPLAIN,
     AF_READ(af_read_markdown, format)},
    {"markdown", 0, NULL, "Print a comment for a bug report",
     "Print a comment for a bug report to standard output, in Markdown: a reference to\n"
     "the picture of\n"
     ".Fl o\n"
     "with its alternative text, the findings of\n"
     ".Xr aflame-explain 1 ,\n"
     "the methods with the most self time, and the command that draws the picture.\n"
     "Without\n"
     ".Fl o\n"
     "aflame draws no picture.",
     AF_RENDER, AF_READ(af_read_flag, markdown)},
    {"rule", 0, "ID", "Report findings of this rule only; repeatable",
     "Report only what this rule finds; repeat the option for several rules.", AF_EXPLAIN,
     AF_IN_FILE, .repeat = AF_REPEATED, AF_READ(af_read_choices, rules), .choice = af_explain_rule},
    {"frame-time", 0, "TIME", "Frames that take longer are late (16.7ms)",
     "Frames that take longer are late: 16.7ms by default, 8.3ms for a display with\n"
     "120 Hz.",
     AF_EXPLAIN, AF_IN_FILE, AF_READ(af_read_time, explain.frame_ns)},
    {"list-rules", 0, NULL, "List the rules with their thresholds",
     "Print the rules with their thresholds, and exit.", AF_EXPLAIN,
     AF_READ(af_read_flag, list_rules)},
    {"list", 'l', NULL, "List input and output formats",
     "Print the formats that aflame reads and writes, and exit.", AF_CONVERT,
     AF_READ(af_read_flag, list_formats)},
    {"csp-hash", 0, NULL, "Print the hashes of the scripts of SVGs",
     "Print the hashes of the scripts of SVGs, for a content security policy, and\n"
     "exit: that of graphs, then that of charts and comparisons.\n"
     "They are the same in every file of a version; the option takes no trace.",
     AF_RENDER, AF_READ(af_read_flag, csp_hash)},
    {"alt", 0, NULL, "Print the alternative text of the picture",
     "Print the alternative text of the picture to standard output: a paragraph for\n"
     "people who cannot see it, to paste next to it.\n"
     "Pictures contain this text, too.\n"
     "Without\n"
     ".Fl o\n"
     "aflame draws no picture.",
     AF_RENDER | AF_DIFF, AF_READ(af_read_flag, alt)},
    {"any-size", 0, NULL, "Write more than 16 GB, which deep recursion makes",
     "Write folded stacks of more than 16 GB, which deep recursion can produce.\n"
     "Without it aflame rejects such an output.",
     AF_CONVERT, 0, AF_NEEDS_FOLDED, AF_READ(af_read_flag, convert.any_size)},
    {"remove-gaps", 0, "N", "gecko: drop runs of up to N broken stacks (3)",
     "Drop runs of up to N broken stacks in a row from a gecko profile, as Android's\n"
     "gecko_profile_generator does.\n"
     "The default is 3; 0 keeps all.\n"
     "If simpleperf did not make the recording, a thread keeps its broken stacks if\n"
     "it has no others.",
     AF_CONVERT, 0, AF_NEEDS_GECKO, AF_READ(af_read_number, convert.remove_gaps),
     AF_RANGE(0, UINT32_MAX)},
    {"min-percent", 0, "N", "dot: skip methods below N percent (0.5)",
     "Leave out methods of a call graph below N percent of the time, from 0 to 100,\n"
     "and calls below a fifth of that; the default is 0.5.",
     AF_CONVERT, AF_ANYWHERE, AF_NEEDS_DOT, AF_READ(af_read_hundredths, convert.min_percent_c),
     AF_RANGE(0, 10000)},
    {"top", 0, "N", "dot: write N methods, 0 = all (80)",
     "Write N methods of a call graph: those with the most self time and those with\n"
     "the most inclusive time, in turns; 0 writes all, the default is 80.",
     AF_CONVERT, AF_ANYWHERE, AF_NEEDS_DOT, AF_READ(af_read_number, convert.top),
     AF_RANGE(0, UINT32_MAX)},
    {"folded-unit", 0, "UNIT", "folded: count us or ns (us)",
     "Count the time of folded stacks in us or ns.\n"
     "The default is us; aflame reports when rounding down loses more than 0.1 %\n"
     "of the time.",
     AF_CONVERT, 0, AF_NEEDS_FOLDED, AF_READ(af_read_text, convert.folded_unit)},
    {"redact", 0, NULL, "Replace names, except the platform's, by pseudonyms",
     "Replace names by pseudonyms in everything that is written, and in the profile\n"
     "that a picture carries: packages, classes, methods, source files, threads,\n"
     "processes and the name of the input.\n"
     "Names of Android, AndroidX, Kotlin and Java stay.",
     AF_RENDER | AF_REPORT | AF_CONVERT | AF_INFO | AF_EXPLAIN | AF_DIFF | AF_MERGE, AF_IN_FILE,
     AF_READ(af_read_flag, redact)},
    {"redact-key", 0, "FILE", "The same pseudonyms wherever this key is used",
     "The key of the pseudonyms; aflame makes the file, readable by you alone, if it\n"
     "does not exist.\n"
     "The same key gives the same pseudonyms, so that redacted files can be compared.\n"
     "Without this option each run has a key of its own, which nobody keeps.",
     AF_RENDER | AF_REPORT | AF_CONVERT | AF_INFO | AF_EXPLAIN | AF_DIFF | AF_MERGE, 0,
     AF_NEEDS_REDACTION, AF_READ(af_read_text, redact_key)},
    {"raw-csv", 0, NULL, "csv: names as they are, even if they are formulas",
     "Write names to a CSV file as they are.\n"
     "Without this option a name that a spreadsheet would interpret as a formula gets\n"
     "an apostrophe before it.",
     AF_REPORT | AF_CALLS | AF_DIFF, AF_ANYWHERE, AF_NEEDS_CSV,
     AF_READ(af_read_flag, report.raw_csv)},
    {.name = NULL},
};

const af_option_section af_options_output = {
    .title = "Output",
    .options = options,
};
