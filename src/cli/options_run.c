#include "cli/options.h"

static const af_option options[] = {
    {"preset", 0, "NAME", "Options of [preset NAME] in .aflame; repeatable",
     "Add the options of the group [preset NAME] in .aflame.", AF_READING, .repeat = AF_REPEATED,
     AF_READ(af_read_list, presets)},
    {"no-config", 0, NULL, "Do not look for .aflame", "Do not read .aflame.", AF_ALL_VERBS,
     AF_READ(af_read_flag, no_config)},
    {"print-options", 0, NULL, "Print the effective options and exit",
     "Print the effective options, each with its origin, and exit.", AF_READING,
     AF_READ(af_read_flag, print_options)},
    {"jobs", 'j', "N", "Work on N processors (default: all)",
     "Use N threads, from 1 to 1024; the default is one for each processor.\n"
     "The output does not depend on it.",
     AF_READING, AF_READ(af_read_number, jobs), AF_RANGE(1, 1024)},
    {"max-memory", 0, "SIZE", "Read what fits into SIZE (half of free memory)",
     "Read each input only as far as its call trees and names fit into SIZE bytes, and\n"
     "report where reading stopped.\n"
     "K, M, G and T are powers of 1024; the minimum is 1M.\n"
     "The default is half of the memory that is available; an input that needs more\n"
     "then is an error with exit status 4, so that no output depends on the machine.",
     AF_READING, AF_READ(af_read_size, open.max_memory)},
    {"strict", 0, NULL, "Fail on any warning about the input (exit 4)",
     "Treat any warning about the input as a failure: write nothing and exit with\n"
     "status 4.",
     AF_READING, AF_READ(af_read_flag, strict)},
    {"quiet", 'q', NULL, "Print errors only", "Print errors only, no warnings and no progress.",
     AF_ALL_VERBS, AF_READ(af_read_flag, quiet)},
    {"verbose", 'v', NULL, "Print hints too", "Print hints too.", AF_ALL_VERBS,
     AF_READ(af_read_flag, verbose)},
    {"help", 'h', NULL, "Print this help; with --all every option",
     "Print a summary of the common options and exit; with\n"
     ".Fl -all\n"
     "of every option.",
     AF_ALL_VERBS, AF_READ(af_read_flag, help)},
    {"all", 0, NULL, "With --help: list every option",
     "With\n"
     ".Fl -help ,\n"
     "list every option.",
     AF_ALL_VERBS, 0, AF_NEEDS_HELP, AF_READ(af_read_flag, all)},
    {.name = NULL},
};

const af_option_section af_options_run = {
    .title = "Running",
    .options = options,
};
