#include "cli/options.h"

static const af_option options[] = {
    {.name = "preset",
     .value = "NAME",
     .help = "Options of [preset NAME] in .aflame; repeatable",
     .manual = "Add the options of the group [preset NAME] in .aflame.",
     .verbs = AF_READING,
     .repeat = AF_REPEATED,
     AF_READ(af_read_list, presets)},
    {.name = "no-config",
     .help = "Do not look for .aflame",
     .manual = "Do not read .aflame.",
     .verbs = AF_ALL_VERBS,
     AF_READ(af_read_flag, no_config)},
    {.name = "print-options",
     .help = "Print the effective options and exit",
     .manual = "Print the effective options, each with its origin, and exit.",
     .verbs = AF_READING,
     AF_READ(af_read_flag, print_options)},
    {.name = "jobs",
     .letter = 'j',
     .value = "N",
     .help = "Work on N processors (default: all)",
     .manual = "Use N threads, from 1 to 1024; the default is one for each processor.\n"
               "The output does not depend on it.",
     .verbs = AF_READING,
     AF_READ(af_read_number, jobs),
     AF_RANGE(1, 1024)},
    {.name = "max-memory",
     .value = "SIZE",
     .help = "Read what fits into SIZE (half of free memory)",
     .manual = "Read each input only as far as its call trees and names fit into SIZE bytes, and\n"
               "report where reading stopped.\n"
               "K, M, G and T are powers of 1024; the minimum is 1M.\n"
               "The default is half of the memory that is available; an input that needs more\n"
               "then is an error with exit status 4, so that no output depends on the machine.",
     .verbs = AF_READING,
     AF_READ(af_read_size, open.max_memory)},
    {.name = "strict",
     .help = "Fail on any warning about the input (exit 4)",
     .manual = "Treat any warning about the input as a failure: write nothing and exit with\n"
               "status 4.",
     .verbs = AF_READING,
     AF_READ(af_read_flag, strict)},
    {.name = "quiet",
     .letter = 'q',
     .help = "Print errors only",
     .manual = "Print errors only, no warnings and no progress.",
     .verbs = AF_ALL_VERBS,
     AF_READ(af_read_flag, quiet)},
    {.name = "verbose",
     .letter = 'v',
     .help = "Print hints too",
     .manual = "Print hints too.",
     .verbs = AF_ALL_VERBS,
     AF_READ(af_read_flag, verbose)},
    {.name = "help",
     .letter = 'h',
     .help = "Print this help; with --all every option",
     .manual = "Print a summary of the common options and exit; with\n"
               ".Fl -all\n"
               "of every option.",
     .verbs = AF_ALL_VERBS,
     AF_READ(af_read_flag, help)},
    {.name = "all",
     .help = "With --help: list every option",
     .manual = "With\n"
               ".Fl -help ,\n"
               "list every option.",
     .verbs = AF_ALL_VERBS,
     .needs = AF_NEEDS_HELP,
     AF_READ(af_read_flag, all)},
    {.name = NULL},
};

const af_option_section af_options_run = {
    .title = "Running",
    .options = options,
};
