#include "cli/options.h"

static const af_option options[] = {
    {"by", 0, "WHAT", "Group by WHAT, see above (methods); repeatable",
     "Group by methods, threads, classes, packages, categories, sources (source\n"
     "files) or waits (what methods waited for).\n"
     "The default is methods; repeat the option for several tables.",
     AF_REPORT, AF_ANYWHERE, AF_NEEDS_TABLES | AF_NEEDS_METHODS, .repeat = AF_REPEATED,
     AF_READ(af_read_choices, tables), .choice = af_report_table_name},
    {"method", 'm', "PATTERN", "Callers and callees of these methods; repeatable",
     "Show the callers and callees of each method that matches.", AF_REPORT, AF_ANYWHERE,
     AF_NEEDS_TABLES | AF_NEEDS_METHODS, .repeat = AF_REPEATED, AF_READ(af_read_list, methods)},
    {"tree", 0, "WAY", "Calls from the top: down; callers: up; repeatable",
     "Show the call tree: down from the roots, or up from the methods that took the\n"
     "time to their callers.",
     AF_REPORT, AF_ANYWHERE, AF_NEEDS_TABLES | AF_NEEDS_METHODS, .repeat = AF_REPEATED,
     AF_READ(af_read_choices, trees), AF_WORDS("down", "up")},
    {"invert-callers", 0, NULL, "The same as --tree up", "The same as --tree up.", AF_REPORT,
     AF_ANYWHERE, AF_NEEDS_TABLES | AF_NEEDS_METHODS, AF_READ(af_read_flag, callers_above)},
    {"min-percent", 0, "N", "Skip branches of trees below N percent (0.5)",
     "Leave out branches of trees below N percent, from 0 to 100; the default is\n"
     "0.5.",
     AF_REPORT, AF_ANYWHERE, AF_NEEDS_TREE | AF_NEEDS_TABLES,
     AF_READ(af_read_hundredths, min_percent_c), AF_RANGE(0, 10000)},
    {"frames", 0, NULL, "List the frames of the app instead, worst first",
     "List the frames of the app, the most late first: how long and how late each was,\n"
     "whose fault that was, and the calls that filled it on the main thread and\n"
     "RenderThread.\n"
     "Frames come from the frame timelines of Perfetto traces; in other traces, each\n"
     "call of Choreographer.doFrame is one.\n"
     "Columns for --sort are late, length, start, fault, token and layer.",
     AF_REPORT, AF_IN_QUERY, AF_NEEDS_TABLES, AF_READ(af_read_flag, frames)},
    {"frames", 0, NULL, "Compare late frames with good ones instead",
     "Draw one flame graph of the late frames of the app against one of the good ones,\n"
     "like a comparison with the good ones before and the late ones after.\n"
     "It has the calls on the main thread and RenderThread within the frames, with the\n"
     "times of a mean frame.\n"
     "Frames are those of aflame report --frames.",
     AF_RENDER, AF_IN_QUERY, AF_READ(af_read_flag, frames)},
    {"startup", 0, NULL, "Show the phases of the start of the app instead",
     "Show the start of the app: its phases in order of time, each with its share of the\n"
     "time until the first frame is drawn, and of that the self time of the app's own\n"
     "methods.\n"
     "Phases are the launch by the system, bindApplication with content providers and\n"
     "Application.onCreate, the first activity and the first frame, as far as the trace\n"
     "has them as methods or slices.\n"
     "A picture has a bar for each.",
     AF_REPORT | AF_RENDER, AF_IN_QUERY, AF_READ(af_read_flag, startup)},
    {"frame-time", 0, "TIME", "A call of doFrame is late after TIME (16.7ms)",
     "Count a call of Choreographer.doFrame as late after this time; the default is\n"
     "16.7ms, for displays with 60 frames per second.\n"
     "Frame timelines have their own deadlines.",
     AF_REPORT | AF_RENDER, AF_ANYWHERE, AF_NEEDS_FRAMES, AF_READ(af_read_time, frame_time_ns)},
    {"sort", 0, "COLUMN", "Sort by self, inclusive, wait, calls, ... (self)",
     "Sort by a column: self, inclusive, calls, mean, max, or one with a clock, such\n"
     "as self-cpu.\n"
     "A clock alone sorts by its self times.\n"
     "The default is self.",
     AF_REPORT, AF_ANYWHERE, AF_NEEDS_TABLES | AF_NEEDS_ROWS, AF_READ(af_read_text, report.sort)},
    {"sort", 0, "COLUMN", "Sort by start, wall, self, cpu, wait, depth, ...",
     "Sort by a column: start, wall, self, cpu, wait, depth, caller or thread.\n"
     "The default is the duration, longest first.",
     AF_CALLS, AF_ANYWHERE, AF_NEEDS_LIST, AF_READ(af_read_text, report.sort)},
    {"top", 0, "N", "Show N rows, 0 = all (text: a screen; html: 500)",
     "Show N rows of each table; 0 shows all.\n"
     "The default is a screenful of text (40 rows if not on a terminal),\n"
     "40 rows of JSON, 500 of HTML, and everything in CSV.\n"
     "A page of all tables has 8 callers and 8 callees of each method, and\n"
     "1,760 of all methods together.",
     AF_REPORT, AF_ANYWHERE, AF_NEEDS_TABLES, AF_READ(af_read_number, report.top),
     AF_RANGE(0, UINT32_MAX)},
    {"top", 0, "N", "Show N calls, 0 = all (text: a screen; html: 500)",
     "Show N calls; 0 shows all.\n"
     "The default is a screenful of text (40 calls if not on a terminal),\n"
     "40 calls of JSON, 500 of HTML, and everything in CSV.",
     AF_CALLS, AF_ANYWHERE, AF_NEEDS_LIST, AF_READ(af_read_number, report.top),
     AF_RANGE(0, UINT32_MAX)},
    {"width", 0, "N", "Width of text in columns (that of the terminal)",
     "Width of text in columns; longer names are shortened.\n"
     "The default is that of the terminal, or\n"
     ".Ev COLUMNS .\n"
     "Text that does not go to a terminal has whole names by default.",
     AF_REPORT | AF_INFO | AF_EXPLAIN, AF_IN_FILE, AF_NEEDS_PAGE,
     AF_READ(af_read_number, picture.width_px), AF_RANGE(40, 100000)},
    {"records", 0, NULL, "List the records instead, as dmtracedump -o",
     "List the records of the file, as dmtracedump -o does.\n"
     "Of the options that select, only --thread and --clock apply.",
     AF_REPORT, AF_READ(af_read_flag, records)},
    {"quirks", 0, NULL, "Write names exactly as dmtracedump does",
     "Print names exactly as dmtracedump does: bytes unchanged, and the source file\n"
     "after the signature of a method of ART.\n"
     "Needs --records or --format dmtracedump.",
     AF_REPORT, AF_IN_FILE, AF_NEEDS_DMTRACEDUMP, AF_READ(af_read_flag, report.dmtracedump_quirks)},
    {"around", 0, "N", "Draw call N, or the longest",
     "Draw call N of the list, or the longest one, instead of listing calls.", AF_CALLS,
     AF_READ(af_read_around, around)},
    {.name = NULL},
};

const af_option_section af_options_table = {
    .title = "Tables",
    .options = options,
};
