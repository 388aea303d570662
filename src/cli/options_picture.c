#include "cli/options.h"

static const af_option options[] = {
    {"view", 0, "NAME", "graph, chart, sandwich, callgraph or sheet (graph)",
     "Draw a graph, which shows what took the time, a chart, which shows single\n"
     "calls in order of time, a sandwich, which shows all callers of one method\n"
     "above it and all its callees below it, or a callgraph, which shows each method\n"
     "once, with arrows to the methods that it calls.\n"
     "A sheet is one page for a bug report, see --sheet.\n"
     "The default is graph.\n"
     "A chart supports the options that select threads and times, and rejects those\n"
     "that reshape call trees.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_MIDDLE, AF_READ(af_read_word, view),
     AF_WORDS("graph", "chart", "sandwich", "callgraph", "sheet")},
    {"sheet", 0, NULL, "One page for a bug report",
     "Draw one page that explains the trace to a reader who cannot point at frames:\n"
     "what stands out, when it happened, and where, with tables and the command that\n"
     "draws it.\n"
     "The same as --view sheet.",
     AF_RENDER, AF_ANYWHERE, AF_READ(af_read_sheet, view)},
    {"method", 'm', "PATTERN", "Sandwich: the method",
     "The method of the sandwich; of several that match, the one with the most time.\n"
     "Threads that never call it are left out.\n"
     "Needs --view sandwich.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_SANDWICH, AF_READ(af_read_text, picture.method)},
    {"min-percent", 0, "N", "Call graph: skip methods below N percent (0.5)",
     "Leave out methods of a call graph below N percent of the time of the drawn\n"
     "threads, from 0 to 100, and arrows below a fifth of that; the default is 0.5.\n"
     "Needs --view callgraph.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_CALLGRAPH, AF_READ(af_read_hundredths, picture.min_percent_c),
     AF_RANGE(0, 10000)},
    {"top", 0, "N", "Call graph: draw N methods, 0 = up to 150 (40)",
     "Draw N methods of a call graph: those with the most self time and those with\n"
     "the most inclusive time, in turns.\n"
     "0 draws as many as fit, at most 150; the default is 40.\n"
     "Needs --view callgraph.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_CALLGRAPH, AF_READ(af_read_number, picture.top),
     AF_RANGE(0, UINT32_MAX)},
    {"mark", 0, "PATTERN", "Chart: brackets over the calls of these; repeatable",
     "Put brackets over the calls of the methods that match.\n"
     "Needs --view chart.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_CHART, .repeat = AF_REPEATED, AF_READ(af_read_list, marks)},
    {"title", 0, "TEXT", "Put TEXT on top", "Put TEXT on top instead of the name of the file.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE, AF_READ(af_read_title, picture.title)},
    {"width", 0, "PX", "Width of the picture in pixels (1200, PNG 800)",
     "Width of the picture, from 200 to 100000 pixels; the default is 1200, for a\n"
     "PNG 800, so that its text stays readable in a bug report.\n"
     "An SVG keeps this width instead of filling its window.",
     AF_RENDER, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_WIDTHS,
     AF_READ(af_read_number, picture.width_px), AF_RANGE(200, 100000)},
    {"height", 0, "PX", "PNG: keep within this height (1800, or none)",
     "Height that a PNG keeps within, from 200 to 100000 pixels at --scale 1; the\n"
     "default is 1800.\n"
     "The first thread has all rows that matter, the others six, and the last ones\n"
     "are left out until the picture fits; its footer names them.\n"
     "A call graph has fewer methods, until it is also no wider than --width.\n"
     "With none the PNG is as large as an SVG.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_PNG,
     AF_READ(af_read_height, picture.height_px), AF_RANGE(200, 100000)},
    {"width", 0, "N", "Width of pictures in pixels, of text in columns",
     "Width of pictures, from 200 to 100000 pixels (1200, PNG 800), or of text in columns\n"
     "(that of the terminal, or\n"
     ".Ev COLUMNS ) .\n"
     "Text that does not go to a terminal has whole names by default.",
     AF_CALLS | AF_DIFF, AF_ANYWHERE, AF_NEEDS_PAGE, AF_READ(af_read_number, picture.width_px),
     AF_RANGE(40, 100000)},
    {"scale", 0, "N", "PNG: pixels for each px (2)",
     "Pixels of a PNG for each pixel of the picture, from 0.1 to 16; the default is\n"
     "2.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_PNG,
     AF_READ(af_read_hundredths, picture.scale_percent), AF_RANGE(10, 1600)},
    {"for", 0, "MEDIUM", "Sizes for github, jira, slack, slide or print",
     "Use the width, height and scale of the place where the picture is shown, so that\n"
     "its type is at least 11 pixels high there:\n"
     "github 800 x 1,200 pixels at scale 2, jira 680 x 1,000 at 2, slack 480 x 600 at\n"
     "3, slide 960 x 540 at 2, print 680 x 1,000 at 3.\n"
     "The height limits what --height limits, and a sheet.\n"
     "--width, --height and --scale have priority.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_WIDTHS,
     AF_READ(af_read_choice, picture.medium), .choice = af_picture_medium},
    {"max-bytes", 0, "SIZE", "PNG: at most SIZE bytes, such as 500K",
     "Keep a PNG within SIZE bytes, from 10K up.\n"
     "If it is larger, aflame reduces the number of colours, then the height, then\n"
     "the scale, and reports it.\n"
     "The profile that it carries takes half of SIZE at most, unless --data is full.",
     AF_DRAWING, AF_IN_FILE, AF_NEEDS_PICTURE | AF_NEEDS_PNG,
     AF_READ(af_read_size, picture.max_bytes), .least = 10},
    {"theme", 0, "NAME", "auto, light or dark",
     "Use colours for a light or a dark background.\n"
     "The default, auto, makes an SVG follow the viewer's system; PNG and PDF are\n"
     "light.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE, AF_READ(af_read_word, theme),
     AF_WORDS("auto", "light", "dark")},
    {"inverted", 0, NULL, "Root on top, calls below",
     "Put the root on top and calls below.\n"
     "Charts and sandwiches reject this option: the roots of a chart are always on\n"
     "top, and a sandwich has callers above and callees below.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_GRAPH | AF_NEEDS_ROOTS | AF_NEEDS_WIDTHS,
     AF_READ(af_read_flag, picture.inverted)},
    {"min-width", 0, "PX", "Group frames narrower than this (1)",
     "Group neighbouring frames narrower than this into one block, from 0 to 1000\n"
     "pixels; the default is 1.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_WIDTHS,
     AF_READ(af_read_hundredths, picture.min_width_c), AF_RANGE(0, 100000)},
    {"data", 0, "HOW", "The profile inside: auto, full or none",
     "How much of the profile the picture or page carries, so that it opens like the\n"
     "trace: auto up to a limit, full everything, none nothing.\n"
     "The limit of auto is 4 MB, or 0.3 MB in an SVG or a report.\n"
     "An SVG has 0.9 MB more for the call trees that its viewer draws from.\n"
     "Beyond it aflame leaves out the call paths with the least time and reports\n"
     "their number.\n"
     "With --thread, a picture carries these threads only, unless HOW is full.\n"
     "The sides of a comparison share the limit.",
     AF_DRAWING | AF_REPORT, AF_ANYWHERE, AF_NEEDS_CARRIER, AF_READ(af_read_word, data),
     AF_WORDS("auto", "full", "none")},
    {"no-script", 0, NULL, "SVG: no script", "Write an SVG without script and call trees.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_SVG | AF_NEEDS_SCRIPT,
     AF_READ(af_read_flag, picture.no_script)},
    {"static", 0, NULL, "SVG: no script, letters as outlines",
     "Write an SVG without script, with letters as outlines, so that no font can\n"
     "change it.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_SVG,
     AF_READ(af_read_flag, picture.outlines)},
    {"full-depth", 0, NULL, "Draw all rows, and each level of recursion",
     "Draw all rows and all counters.\n"
     "By default a small marker replaces rows whose frames are all too narrow for a\n"
     "label, or that exceed 160 in one thread or 480 in all threads of a graph; and a\n"
     "method that calls itself 100 times and deeper, in a graph of more than 160\n"
     "rows, is one frame.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE | AF_NEEDS_WIDTHS,
     AF_READ(af_read_flag, picture.full_depth)},
    {"system-fonts", 0, NULL, "Use this machine's fonts too",
     "Use the fonts of this machine for characters that the bundled faces lack.\n"
     "The picture then differs between machines.",
     AF_DRAWING, AF_ANYWHERE, AF_NEEDS_PICTURE, AF_READ(af_read_flag, picture.system_fonts)},
    {.name = NULL},
};

const af_option_section af_options_picture = {
    .title = "Picture",
    .options = options,
};
