#include "cli/options.h"

/* Dumps of a Java heap have no times, but bytes or objects. */
static gboolean is_java_heap(const af_profile *profile)
{
    const char *unit = af_profile_unit_name(profile);
    return !af_profile_dump_time(profile, 0, NULL) &&
           (g_strcmp0(unit, "bytes") == 0 || g_strcmp0(unit, "objects") == 0);
}

static gboolean has_dumps(const af_profile *profile, const char *value, const af_options *run)
{
    return af_profile_dump_time(profile, 0, NULL) || is_java_heap(profile);
}

/* Events are those of samples, and the values of heaps. */
static gboolean has_events(const af_profile *profile, const char *value, const af_options *run)
{
    return !af_profile_has_calls(profile);
}

static gboolean has_stacks(const af_profile *profile, const char *value, const af_options *run)
{
    return !af_profile_has_calls(profile) && !is_java_heap(profile);
}

/* These formats state the units of their weights. */
static gboolean has_unit(const af_profile *profile, const char *value, const af_options *run)
{
    static const char *const stated[] = {"perf-data", "report-sample", "perf-script", "perfetto",
                                         NULL};
    return !g_strv_contains(stated, af_info_format(profile)) ||
           (g_strcmp0(value, "samples") == 0 &&
            g_strcmp0(af_profile_unit_name(profile), "samples") == 0);
}

static gboolean has_overlaps(const af_profile *profile, const char *value, const af_options *run)
{
    return af_profile_has_calls(profile);
}

/* It scales wall times only if there is another clock. */
static gboolean has_scaled_clock(const af_profile *profile, const char *value,
                                 const af_options *run)
{
    return run->clock != AF_CPU || !af_profile_has_clock(profile, AF_WALL) ||
           af_options_write_all_clocks(run);
}

static const af_option options[] = {
    {.name = "clock",
     .letter = 'c',
     .value = "NAME",
     .help = "Draw wall time, CPU time or waiting",
     .manual = "Draw wall time, CPU time or waiting.\n"
               "The default is wall time; a trace without it is drawn in CPU time.\n"
               "If the trace lacks the clock, aflame exits with status 2.",
     .verbs = AF_RENDER,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, clock),
     AF_WORDS("wall", "cpu", "wait")},
    {.name = "clock",
     .letter = 'c',
     .value = "NAME",
     .help = "Write wall time, CPU time or waiting",
     .manual = "Write wall time, CPU time or waiting.\n"
               "The default is wall time; formats with several clocks then have all of them.\n"
               "With wait, formats of single calls hold call trees or fail.",
     .verbs = AF_CONVERT,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, clock),
     AF_WORDS("wall", "cpu", "wait")},
    {.name = "clock",
     .letter = 'c',
     .value = "NAME",
     .help = "Only wall time, CPU time or waiting (all)",
     .manual = "Show this clock only.\n"
               "The default is all clocks of the trace, wall time first.",
     .verbs = AF_REPORT | AF_CALLS,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, clock),
     AF_WORDS("wall", "cpu", "wait")},
    {.name = "clock",
     .letter = 'c',
     .value = "NAME",
     .help = "Compare wall time, CPU time or waiting (wall)",
     .manual = "Compare wall time, CPU time or waiting.\n"
               "The default is wall time; without it on both sides CPU time.",
     .verbs = AF_DIFF,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, clock),
     AF_WORDS("wall", "cpu", "wait")},
    {.name = "names",
     .value = "STYLE",
     .help = "short, class or full method names (class)",
     .manual = "Show Class.method (short), pkg.Class.method (class) or the arguments too\n"
               "(full).\n"
               "The default is class.",
     .verbs = AF_RENDER | AF_CALLS | AF_REPORT,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     .needs = AF_NEEDS_TABLES,
     AF_READ(af_read_word, names),
     AF_WORDS("class", "short", "full")},
    {.name = "from",
     .value = "TIME",
     .help = "Start here: 1.5s, 300ms, 20us; -2s from the end",
     .manual = "Start at this time of the trace; a negative time counts from its end.\n"
               "Calls that started earlier are cut.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_time, from_ns)},
    {.name = "to",
     .value = "TIME",
     .help = "End here; as --from",
     .manual = "End at this time of the trace; a negative time counts from its end.\n"
               "Calls that end later are cut.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_time, to_ns)},
    {.name = "mapping",
     .value = "FILE",
     .help = "Real names from this mapping.txt (R8); repeatable",
     .manual = "Show the real names from a mapping file of R8 or ProGuard, compressed or not.\n"
               "Repeat the option for libraries that were obfuscated on their own; each file\n"
               "renames the result of the previous one.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE,
     .needs = AF_NEEDS_TABLES,
     .repeat = AF_REPEATED,
     AF_READ(af_read_list, mapping_paths)},
    {.name = "keep-synthetic",
     .help = "Do not name forwarders after their target",
     .manual = "Keep the names of methods that only forward a call, instead of naming them\n"
               "after the method that they call.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     .needs = AF_NEEDS_TABLES,
     AF_READ(af_read_flag, open.keep_synthetic)},
    {.name = "unit",
     .value = "NAME",
     .help = "What folded stacks count: samples, ns, us, ...",
     .manual = "Set the unit of the counts in folded stacks: ns, us, ms and s are times,\n"
               "samples and any other word are counts.\n"
               "The default is samples.\n"
               "In other recordings, samples counts samples instead of their weights.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.unit),
     .fits = has_unit,
     .unfit = "what is drawn has a unit of its own",
     AF_INPUTS("folded", "speedscope", "perf-data", "report-sample", "perf-script", "perfetto",
               "chrome-json", "firefox", "gecko")},
    {.name = "event",
     .value = "NAME",
     .help = "perf, pprof: samples of this event",
     .manual = "Show the samples of this event of a recording with several events, or of this\n"
               "type of value of a pprof profile or a callgrind file.\n"
               "The default is the first event that occurred, or the type that the profile names.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.event),
     .fits = has_events,
     .unfit = "no samples are drawn",
     AF_INPUTS("perf-data", "report-sample", "perf-script", "perfetto", "pprof", "callgrind")},
    {.name = "symfs",
     .value = "DIR",
     .help = "Symbols of libraries in this folder",
     .manual = "Take symbols of perf recordings and of the stacks of Perfetto traces from the\n"
               "libraries in this folder, if they belong to the same build.",
     .verbs = AF_READING,
     AF_READ(af_read_folder, open.symfs),
     .fits = has_stacks,
     .unfit = "no stacks of native code are drawn",
     AF_INPUTS("perf-data", "perfetto")},
    {.name = "kallsyms",
     .value = "FILE",
     .help = "Symbols of the kernel: a copy of /proc/kallsyms",
     .manual = "Take symbols of the kernel from this copy of /proc/kallsyms.",
     .verbs = AF_READING,
     AF_READ(af_read_text, open.kallsyms),
     AF_INPUTS("perf-data")},
    {.name = "source",
     .value = "KIND",
     .help = "Perfetto: samples, heap, java-heap or slices",
     .manual = "Read this kind of data of a Perfetto trace that holds several: samples, heap,\n"
               "java-heap or slices.\n"
               "The default is the first of these that the file holds.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.source),
     AF_INPUTS("perfetto")},
    {.name = "process",
     .value = "WHICH",
     .help = "Perfetto, systrace, perf.data: app, all, name, pid",
     .manual = "Read the data of these processes of a Perfetto trace, a systrace or a perf.data\n"
               "file: the one with this name or id, or those whose name contains it.\n"
               "app is the busiest process that does not belong to the system, together with\n"
               "the data that belongs to no process; all is every process.\n"
               "The default is app, and all for perf.data and for files that aflame wrote.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.process),
     AF_INPUTS("perfetto", "systrace", "perf-data")},
    {.name = "pid",
     .value = "WHICH",
     .help = "the same as --process",
     .manual = "The same as --process.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.process),
     AF_INPUTS("perfetto", "systrace", "perf-data")},
    {.name = "dump",
     .value = "N|TIME",
     .help = "Perfetto: this dump of a heap, from 1 (last)",
     .manual =
         "Read this dump of the heaps of a Perfetto trace, counted from 1, or the last dump of a\n"
         "native heap up to a time of the trace.\n"
         "The default is the last dump of a native heap, and all dumps of a Java heap.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_dump, dump),
     AF_RANGE(1, 1000000),
     .fits = has_dumps,
     .unfit = "no dumps of a heap are drawn",
     AF_INPUTS("perfetto")},
    {.name = "entry",
     .value = "PATH",
     .help = "Zip: read the trace with this path",
     .manual = "Read the trace with this path in a zip archive, such as a bug report.\n"
               "The default is a Perfetto trace, then any other trace, then the latest ANR\n"
               "report; info lists them all.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_text, open.entry)},
    {.name = "side",
     .value = "SIDE",
     .help = "Picture of a comparison: before or after",
     .manual = "Read this side, before or after, of a picture or HTML page of a comparison.\n"
               "The default is after.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, side),
     AF_WORDS("before", "after")},
    {.name = "time-scale",
     .value = "F",
     .help = "Multiply all times by F",
     .manual = "Multiply all times by F, from 0.000001 to 1000, before anything else.\n"
               "With two clocks it multiplies wall times only; weights of samples stay.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_millionths, open.time_scale),
     .fits = has_scaled_clock,
     .unfit = "it multiplies wall times, and only CPU times are written"},
    {.name = "format-in",
     .value = "NAME",
     .help = "Read in this format (by content)",
     .manual =
         "Read the input in this format, whatever its content looks like; aflame help formats\n"
         "lists the names.\n"
         "The default is the format that the content shows.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE,
     AF_READ(af_read_choice, open.format),
     .choice = af_input_format},
    {.name = "recorded",
     .value = "HOW",
     .help = "Method traces: sampled or instrumented",
     .manual = "Read method traces as sampled or instrumented recordings.\n"
               "Their files do not say which they are: the default is what the times of the\n"
               "records suggest.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, recorded),
     AF_WORDS("sampled", "instrumented"),
     AF_INPUTS("v1", "v2", "v1-streaming")},
    {.name = "other-ends",
     .value = "HOW",
     .help = "Chrome: ends that name no open call: close, ignore",
     .manual = "Set the effect of an end in a Chrome trace that names no open call: it closes\n"
               "the innermost call (close) or has no effect (ignore).\n"
               "The default is close.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, other_ends),
     AF_WORDS("close", "ignore"),
     AF_INPUTS("chrome-json")},
    {.name = "overlaps",
     .value = "HOW",
     .help = "Chrome, Perfetto: calls that overlap: cut, track",
     .manual = "Set the effect of calls that overlap without nesting, in a trace of Chrome or\n"
               "Perfetto: cut ends them with the outer call, track moves them to a track next to\n"
               "their thread.\n"
               "The default is cut.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_word, overlaps),
     .fits = has_overlaps,
     .unfit = "no calls are drawn",
     AF_WORDS("cut", "track"),
     AF_INPUTS("chrome-json", "perfetto")},
    {.name = "show-art-frames",
     .help = "Keep frames of the Android runtime",
     .manual = "Keep frames of the Android runtime between Java methods of simpleperf\n"
               "recordings.",
     .verbs = AF_READING,
     .allowed = AF_IN_FILE | AF_IN_QUERY,
     AF_READ(af_read_flag, open.show_art),
     AF_INPUTS("perf-data")},
    {.name = NULL},
};

const af_option_section af_options_input = {
    .title = "Input",
    .options = options,
};
