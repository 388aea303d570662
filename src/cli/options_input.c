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
    {"clock", 'c', "NAME", "Draw wall time, CPU time or waiting",
     "Draw wall time, CPU time or waiting.\n"
     "The default is wall time; a trace without it is drawn in CPU time.\n"
     "If the trace lacks the clock, aflame exits with status 2.",
     AF_RENDER, AF_ANYWHERE, AF_READ(af_read_word, clock), AF_WORDS("wall", "cpu", "wait")},
    {"clock", 'c', "NAME", "Write wall time, CPU time or waiting",
     "Write wall time, CPU time or waiting.\n"
     "The default is wall time; formats with several clocks then have all of them.\n"
     "With wait, formats of single calls hold call trees or fail.",
     AF_CONVERT, AF_ANYWHERE, AF_READ(af_read_word, clock), AF_WORDS("wall", "cpu", "wait")},
    {"clock", 'c', "NAME", "Only wall time, CPU time or waiting (all)",
     "Show this clock only.\n"
     "The default is all clocks of the trace, wall time first.",
     AF_REPORT | AF_CALLS, AF_ANYWHERE, AF_READ(af_read_word, clock),
     AF_WORDS("wall", "cpu", "wait")},
    {"clock", 'c', "NAME", "Compare wall time, CPU time or waiting (wall)",
     "Compare wall time, CPU time or waiting.\n"
     "The default is wall time; without it on both sides CPU time.",
     AF_DIFF, AF_ANYWHERE, AF_READ(af_read_word, clock), AF_WORDS("wall", "cpu", "wait")},
    {"names", 0, "STYLE", "short, class or full method names (class)",
     "Show Class.method (short), pkg.Class.method (class) or the arguments too\n"
     "(full).\n"
     "The default is class, or the style of a saved profile that has no other one.",
     AF_RENDER | AF_CALLS | AF_REPORT, AF_ANYWHERE, AF_NEEDS_TABLES, AF_READ(af_read_word, names),
     AF_WORDS("class", "short", "full")},
    {"from", 0, "TIME", "Start here: 1.5s, 300ms, 20us; -2s from the end",
     "Start at this time of the trace; a negative time counts from its end.\n"
     "Calls that started earlier are cut.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_time, from_ns)},
    {"to", 0, "TIME", "End here; as --from",
     "End at this time of the trace; a negative time counts from its end.\n"
     "Calls that end later are cut.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_time, to_ns)},
    {"mapping", 0, "FILE", "Real names from this mapping.txt (R8); repeatable",
     "Show the real names from a mapping file of R8 or ProGuard, compressed or not.\n"
     "Repeat the option for libraries that were obfuscated on their own; each file\n"
     "renames the result of the previous one.",
     AF_READING, AF_IN_FILE, AF_NEEDS_TABLES, .repeat = AF_REPEATED,
     AF_READ(af_read_list, mapping_paths)},
    {"keep-synthetic", 0, NULL, "Do not name forwarders after their target",
     "Keep the names of methods that only forward a call, instead of naming them\n"
     "after the method that they call.",
     AF_READING, AF_ANYWHERE, AF_NEEDS_TABLES, AF_READ(af_read_flag, open.keep_synthetic)},
    {"unit", 0, "NAME", "What folded stacks count: samples, ns, us, ...",
     "Set the unit of the counts in folded stacks: ns, us, ms and s are times,\n"
     "samples and any other word are counts.\n"
     "The default is samples.\n"
     "In other recordings, samples counts samples instead of their weights.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_text, open.unit),
     AF_INPUTS("folded", "speedscope", "perf-data", "report-sample", "perf-script", "perfetto",
               "chrome-json", "firefox", "gecko"),
     .fits = has_unit, .unfit = "what is drawn has a unit of its own"},
    {"event", 0, "NAME", "perf, pprof: samples of this event",
     "Show the samples of this event of a recording with several events, or of this\n"
     "type of value of a pprof profile or a callgrind file.\n"
     "The default is the first event that occurred, or the type that the profile names.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_text, open.event),
     AF_INPUTS("perf-data", "report-sample", "perf-script", "perfetto", "pprof", "callgrind"),
     .fits = has_events, .unfit = "no samples are drawn"},
    {"symfs", 0, "DIR", "Symbols of libraries in this folder",
     "Take symbols of perf recordings and of the stacks of Perfetto traces from the\n"
     "libraries in this folder, if they belong to the same build.",
     AF_READING, AF_READ(af_read_folder, open.symfs), AF_INPUTS("perf-data", "perfetto"),
     .fits = has_stacks, .unfit = "no stacks of native code are drawn"},
    {"kallsyms", 0, "FILE", "Symbols of the kernel: a copy of /proc/kallsyms",
     "Take symbols of the kernel from this copy of /proc/kallsyms.", AF_READING,
     AF_READ(af_read_text, open.kallsyms), AF_INPUTS("perf-data")},
    {"source", 0, "KIND", "Perfetto: samples, heap, java-heap or slices",
     "Read this kind of data of a Perfetto trace that holds several: samples, heap,\n"
     "java-heap or slices.\n"
     "The default is the first of these that the file holds.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_text, open.source), AF_INPUTS("perfetto")},
    {"process", 0, "WHICH", "Perfetto, systrace, perf.data: app, all, name, pid",
     "Read the data of these processes of a Perfetto trace, a systrace or a perf.data\n"
     "file: the one with this name or id, or those whose name contains it.\n"
     "app is the busiest process that does not belong to the system, together with\n"
     "the data that belongs to no process; all is every process.\n"
     "The default is app, and all for perf.data and for files that aflame wrote.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_text, open.process),
     AF_INPUTS("perfetto", "systrace", "perf-data")},
    {"pid", 0, "WHICH", "the same as --process", "The same as --process.", AF_READING, AF_ANYWHERE,
     AF_READ(af_read_text, open.process), AF_INPUTS("perfetto", "systrace", "perf-data")},
    {"dump", 0, "N|TIME", "Perfetto: this dump of a heap, from 1 (last)",
     "Read this dump of the heaps of a Perfetto trace, counted from 1, or the last dump of a\n"
     "native heap up to a time of the trace.\n"
     "The default is the last dump of a native heap, and all dumps of a Java heap.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_dump, dump), AF_RANGE(1, 1000000),
     AF_INPUTS("perfetto"), .fits = has_dumps, .unfit = "no dumps of a heap are drawn"},
    {"entry", 0, "PATH", "Zip: read the trace with this path",
     "Read the trace with this path in a zip archive, such as a bug report.\n"
     "The default is a Perfetto trace, then any other trace, then the latest ANR\n"
     "report; info lists them all.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_text, open.entry)},
    {"side", 0, "SIDE", "Picture of a comparison: before or after",
     "Read this side, before or after, of a picture or HTML page of a comparison.\n"
     "The default is after.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_word, side), AF_WORDS("before", "after")},
    {"time-scale", 0, "F", "Multiply all times by F",
     "Multiply all times by F, from 0.000001 to 1000, before anything else.\n"
     "With two clocks it multiplies wall times only; weights of samples stay.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_millionths, open.time_scale),
     .fits = has_scaled_clock, .unfit = "it multiplies wall times, and only CPU times are written"},
    {"format-in", 0, "NAME", "Read in this format (by content)",
     "Read the input in this format, whatever its content looks like; aflame help formats\n"
     "lists the names.\n"
     "The default is the format that the content shows.",
     AF_READING, AF_IN_FILE, AF_READ(af_read_choice, open.format), .choice = af_input_format},
    {"recorded", 0, "HOW", "Method traces: sampled or instrumented",
     "Read method traces as sampled or instrumented recordings.\n"
     "Their files do not say which they are: the default is what the times of the\n"
     "records suggest.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_word, recorded), AF_WORDS("sampled", "instrumented"),
     AF_INPUTS("v1", "v2", "v1-streaming")},
    {"other-ends", 0, "HOW", "Chrome: ends that name no open call: close, ignore",
     "Set the effect of an end in a Chrome trace that names no open call: it closes\n"
     "the innermost call (close) or has no effect (ignore).\n"
     "The default is close.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_word, other_ends), AF_WORDS("close", "ignore"),
     AF_INPUTS("chrome-json")},
    {"overlaps", 0, "HOW", "Chrome, Perfetto: calls that overlap: cut, track",
     "Set the effect of calls that overlap without nesting, in a trace of Chrome or\n"
     "Perfetto: cut ends them with the outer call, track moves them to a track next to\n"
     "their thread.\n"
     "The default is cut.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_word, overlaps), AF_WORDS("cut", "track"),
     AF_INPUTS("chrome-json", "perfetto"), .fits = has_overlaps, .unfit = "no calls are drawn"},
    {"show-art-frames", 0, NULL, "Keep frames of the Android runtime",
     "Keep frames of the Android runtime between Java methods of simpleperf\n"
     "recordings.",
     AF_READING, AF_ANYWHERE, AF_READ(af_read_flag, open.show_art), AF_INPUTS("perf-data")},
    {.name = NULL},
};

const af_option_section af_options_input = {
    .title = "Input",
    .options = options,
};
