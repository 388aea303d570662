#include "cli/options.h"

static const af_option options[] = {
    {"budget", 0, "FILE", "Limits to check; exit code 1 if one is not met",
     "Check the limits of this file; the exit status is 1 if one is not met.", AF_DIFF | AF_CHECK,
     AF_IN_FILE, AF_NEEDS_UNION, AF_READ(af_read_text, budget)},
    {"benchmark", 0, "NAME", "Folders of Macrobenchmark: take this benchmark",
     "In folders that Macrobenchmark wrote, take the iterations of this benchmark:\n"
     "startup, StartupBenchmark.startup or the full name.\n"
     "The default is the only benchmark of the folder.",
     AF_DIFF | AF_CHECK | AF_MERGE, AF_IN_FILE, AF_NEEDS_FOLDER, AF_READ(af_read_text, benchmark)},
    {"update-budget", 0, NULL, "Write the measured values into the budget file",
     "Write the measured values plus 10 percent into the budget file, in place of a\n"
     "verdict.\n"
     "Comments and order stay.",
     AF_CHECK, AF_READ(af_read_flag, update_budget)},
    {"before", 0, "TRACE", "A run of before: file, folder or glob; repeatable",
     "Add runs to the side before: a file, the profiles directly in a folder, or the\n"
     "files that a glob matches.",
     AF_DIFF, .repeat = AF_REPEATED, AF_READ(af_read_list, before)},
    {"after", 0, "TRACE", "A run of after: file, folder or glob; repeatable",
     "Add runs to the side after, in the same way.", AF_DIFF, .repeat = AF_REPEATED,
     AF_READ(af_read_list, after)},
    {"by", 0, "WHAT", "Group by WHAT, see above (methods); repeatable",
     "Group by methods, threads, classes, packages, categories, files (source\n"
     "files) or waits (what methods waited for).\n"
     "The default is methods; repeat the option for several tables.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_COMPARED, .repeat = AF_REPEATED,
     AF_READ(af_read_choices, tables), .choice = af_diff_table_name},
    {"method", 'm', "PATTERN", "Callers and callees of these methods; repeatable",
     "Show the callers and callees of each method that matches, on both sides.", AF_DIFF,
     AF_ANYWHERE, AF_NEEDS_COMPARED, .repeat = AF_REPEATED, AF_READ(af_read_list, methods)},
    {"tree", 0, "WAY", "Changed calls from the top: down; callers: up",
     "Show the calls that changed: down from the roots, or up from the methods whose\n"
     "own time changed to their callers.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_COMPARED, .repeat = AF_REPEATED,
     AF_READ(af_read_choices, trees), AF_WORDS("down", "up")},
    {"paths", 0, NULL, "Also list every call path",
     "Also list every call path, with the numbers of both sides.", AF_DIFF, AF_ANYWHERE,
     AF_NEEDS_COMPARED, AF_READ(af_read_flag, compared.paths)},
    {"min-percent", 0, "N", "Skip branches that changed less than N % (0.5)",
     "Leave out branches of trees that changed by less than N percent of the larger\n"
     "side, from 0 to 100; the default is 0.5.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_BRANCHES | AF_NEEDS_COMPARED,
     AF_READ(af_read_hundredths, min_percent_c), AF_RANGE(0, 10000)},
    {"top", 0, "N", "Show N rows, 0 = all (text: a screen; html: 500)",
     "Show N rows of each table; 0 shows all.\n"
     "The default is a screenful of text (40 rows where it goes to no terminal),\n"
     "40 rows of JSON, 500 of HTML, and everything in CSV.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_COMPARED, AF_READ(af_read_number, report.top),
     AF_RANGE(0, UINT32_MAX)},
    {"min-delta", 0, "LEAST", "Least difference: 2ms, or 1% of the time (0.5%)",
     "Treat smaller differences as no change: a time such as 2ms, or a percentage\n"
     "of the larger side; 0 takes every difference.\n"
     "The default is 0.5%.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_UNION, AF_READ(af_read_least, least)},
    {"view", 0, "NAME", "Pictures: graph, or chart: both sides on one axis",
     "Draw a graph of the union of both sides, or the charts of both, with single\n"
     "calls in order of time, below each other on one axis.\n"
     "The default is graph.",
     AF_DIFF, AF_IN_FILE, AF_NEEDS_PICTURE, AF_READ(af_read_word, view),
     AF_WORDS("graph", "chart")},
    {"sheet", 0, NULL, "Pictures: one page for a bug report",
     "Draw one page that explains the comparison: the verdict, the three largest causes,\n"
     "the thread that changed most along time, before and after, and the graph of\n"
     "both.\n"
     "Needs an output that is a picture.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_PICTURE, AF_READ(af_read_sheet, view)},
    {"align", 0, "PATTERN", "Chart: the first call of this method is time 0",
     "Let the axis of both charts start at the first call of a method that matches.\n"
     "The default is the start of each recording.\n"
     "Needs --view chart.",
     AF_DIFF, 0, AF_NEEDS_CHART, AF_READ(af_read_text, align)},
    {"normalize", 0, NULL, "Scale both sides to one total",
     "Scale both sides to the larger of their totals, for runs of different length.\n"
     "Calls stay as they are.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_UNION, AF_READ(af_read_flag, compare.normalize)},
    {"exact-names", 0, NULL, "Pair names as they are, with all numbers",
     "Pair names as they are, without masking the numbers that a compiler or a run\n"
     "assigns.",
     AF_DIFF, AF_ANYWHERE, AF_NEEDS_UNION, AF_READ(af_read_flag, compare.exact_names)},
    {"mapping-before", 0, "FILE", "As --mapping, for before only; repeatable",
     "Use this mapping file for before, in place of --mapping.", AF_DIFF, .repeat = AF_REPEATED,
     AF_READ(af_read_list, mapping_before)},
    {"mapping-after", 0, "FILE", "As --mapping, for after only; repeatable",
     "Use this mapping file for after, in place of --mapping.", AF_DIFF, .repeat = AF_REPEATED,
     AF_READ(af_read_list, mapping_after)},
    {"dump-before", 0, "N|TIME", "Perfetto: as --dump, for before only",
     "Read this dump of the heaps of before.\n"
     "With the same file on both sides, the picture is the growth between two dumps.",
     AF_DIFF, AF_READ(af_read_dump, dump_before), AF_RANGE(1, 1000000), AF_INPUTS("perfetto")},
    {"dump-after", 0, "N|TIME", "Perfetto: as --dump, for after only",
     "Read this dump of the heaps of after.", AF_DIFF, AF_READ(af_read_dump, dump_after),
     AF_RANGE(1, 1000000), AF_INPUTS("perfetto")},
    {.name = NULL},
};

const af_option_section af_options_compare = {
    .title = "Comparing",
    .options = options,
};
