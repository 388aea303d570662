#include "report/info/info.h"

#include <string.h>
#include "base/number.h"
#include "model/cpu_step.h"
#include "model/run_sums.h"
#include "report/report.h"
#include "report/tables/columns.h"

#define NAME_COLUMN 12
#define PAGE_WIDTH  88

static G_GNUC_PRINTF(3, 4) void put_fact(af_info_page *page, const char *name, const char *format,
                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *raw = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *text = af_columns_clean(raw);
    g_string_append(page->text, "  ");
    af_columns_put(page->text, name, NAME_COLUMN, AF_COLUMNS_LEFT);
    af_columns_wrap(page->text, text, NAME_COLUMN + 2, page->width);
}

static const struct {
    const char *name, *title;
} containers[] = {
    [AF_CONTAINER_V1] = {"v1", "Android method trace V1 (text and records)"},
    [AF_CONTAINER_V1_STREAMING] = {"v1-streaming", "Android method trace V1, streaming"},
    [AF_CONTAINER_V2] = {"v2", "Android method trace V2"},
    [AF_CONTAINER_LONG_RUNNING] = {"long-running", "dump of long-running methods"},
    [AF_CONTAINER_OTHER] = {NULL, "method trace"},
};

const char *af_info_format(const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    return facts->format.name != NULL ? facts->format.name : containers[facts->container].name;
}

/* The processes of a file that distinguishes them. */
static void put_processes(af_info_page *page, const af_profile *profile)
{
    const uint32_t most = 12;
    g_autoptr(GString) list = g_string_new(NULL);
    for (uint32_t p = 0; p < MIN(profile->n_processes, most); p++) {
        const af_profile_process *process = &profile->processes[p];
        g_string_append(list, p > 0 ? ", " : "");
        if (process->name != NULL) {
            g_string_append_printf(list, "%s (%s)", process->name, process->id);
        } else {
            g_string_append(list, process->id);
        }
    }
    if (profile->n_processes > most) {
        g_string_append_printf(list, " and %u more", profile->n_processes - most);
    }
    if (list->len > 0) {
        put_fact(page, profile->n_processes == 1 ? "process" : "processes", "%s", list->str);
    }
}

static void put_origin(af_info_page *page, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    const af_saved_facts *saved = &facts->saved;
    const char *of = saved->side != NULL ? " of a comparison, " : "";
    const char *side = saved->side != NULL ? saved->side : "";
    if (saved->carrier != NULL) {
        put_fact(page, "profile", "%s%sfrom the %s%s%s, saved by aflame %s, without single calls",
                 side, of, saved->carrier, saved->carrier_file != NULL ? " " : "",
                 saved->carrier_file != NULL ? saved->carrier_file : "", saved->version);
    } else if (saved->version != NULL) {
        put_fact(page, "profile", "%s%ssaved by aflame %s, without single calls", side, of,
                 saved->version);
    }
    if (profile->run_sums != NULL) {
        const af_run_sums *sums = profile->run_sums;
        char runs[AF_NUMBER_SIZE], summed[AF_NUMBER_SIZE];
        af_number_count(runs, sums->n_runs);
        if (sums->n_summed == sums->n_runs) {
            put_fact(page, "runs", "%s merged; times of methods are stored for each run", runs);
        } else {
            put_fact(page, "runs", "%s merged; times of methods are stored for each of %s runs",
                     runs, af_number_count(summed, sums->n_summed));
        }
    }
    if (facts->android.vm != NULL) {
        gboolean art = strcmp(facts->android.vm, "art") == 0,
                 dalvik = strcmp(facts->android.vm, "dalvik") == 0;
        put_fact(page, "runtime", "%s", art ? "ART" : dalvik ? "Dalvik" : facts->android.vm);
    } else if (af_container_is_android(facts->container)) {
        put_fact(page, "runtime", "not recorded");
    }
    if (facts->format.producer != NULL) {
        put_fact(page, "written by", "%s", facts->format.producer);
    }
    if (facts->app != NULL) {
        put_fact(page, "app", "%s", facts->app);
    } else if (profile->app != NULL) {
        put_fact(page, "app", "%s (from the packages of its classes)", profile->app);
    }
    for (uint32_t i = 0; i < profile->n_mapped; i++) {
        g_autofree char *mapping = af_report_mapping(&profile->mapped[i]);
        put_fact(page, "names", "%s", mapping);
    }
    put_processes(page, profile);
    if (facts->has_pid && profile->n_processes == 0) {
        put_fact(page, "process", "%" G_GUINT64_FORMAT, facts->pid);
    }
}

static void put_start(af_info_page *page, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    const int64_t date_s = af_profile_date_s(profile);
    const uint64_t seconds =
        facts->recording.start / (facts->recording.start_tick_ns == 1 ? 1000000000 : 1000000);
    if (date_s >= 0) {
        g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(date_s);
        g_autofree char *shown = g_date_time_format(date, "%Y-%m-%d %H:%M:%S UTC");
        put_fact(page, af_content_has_weights(facts->content) ? "ended" : "started", "%s", shown);
    } else if (facts->recording.has_start && facts->recording.start > 0 &&
               seconds < 1000000000) { /* otherwise the value makes no sense */
        put_fact(page, "started", "%" G_GUINT64_FORMAT " h %02u min %02u s after the device booted",
                 seconds / 3600, (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    }
}

/* "; 2 of 5 threads have no CPU times" */
static void append_without(GString *text, const af_profile *profile)
{
    static const char *const names[AF_CLOCKS] = {"wall", "CPU"};
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        const uint32_t n = af_profile_n_without(profile, (af_clock)c);
        if (n > 0) {
            g_string_append_printf(text, "; %u of %u threads ha%s no %s times", n,
                                   profile->n_threads, n == 1 ? "s" : "ve", names[c]);
        }
    }
}

static void put_clocks(af_info_page *page, const af_profile *profile)
{
    gboolean wall = af_profile_has(profile, AF_WALL), cpu = af_profile_has(profile, AF_CPU);
    const char *has = wall && cpu ? "wall and thread CPU"
                      : wall      ? "wall only"
                      : cpu       ? "thread CPU only, without waiting"
                                  : "none";
    const char *stated = profile->facts.android.clock;
    g_autoptr(GString) text = g_string_new(has);
    if (stated != NULL) {
        g_string_append_printf(text, " (clock=%s)", stated);
    } else if (af_container_is_android(profile->facts.container) && profile->run_sums == NULL) {
        g_string_append(text, " (not recorded)");
    }
    append_without(text, profile);
    const uint64_t step_ns = af_cpu_step_ns(profile);
    if (step_ns > 0) {
        char step[AF_NUMBER_SIZE];
        g_string_append_printf(text, "; the CPU clock advances in steps of %s",
                               af_number_time(step, step_ns));
    }
    put_fact(page, "clocks", "%s", text->str);
}

/* The unit of the samples' weights. */
static void put_weights(af_info_page *page, const af_facts *facts)
{
    const af_unit *unit = &facts->weights.unit;
    if (facts->weights.event != NULL) {
        put_fact(page, "event", "%s", facts->weights.event);
    }
    put_fact(page, "measures", "%s",
             unit->counted ? unit->name
             : unit->name  ? "time on an unknown clock"
                           : "time");
    put_fact(page, "recorded", "%s",
             facts->threadless ? "stacks with weights, without call counts"
                               : "samples, without call counts");
}

static unsigned count_sampled(const af_profile *profile)
{
    unsigned n = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        n += !af_thread_counts_calls(profile, &profile->threads[t]);
    }
    return n;
}

static void put_times(af_info_page *page, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    char text[AF_NUMBER_SIZE];
    put_start(page, profile);
    if (facts->recording.has_elapsed) {
        put_fact(page, "elapsed", "%s", af_number_time(text, facts->recording.elapsed_ns));
    }
    if (facts->recording.unrecorded_ns > 0) {
        put_fact(page, "unrecorded", "%s after the last record, not included in any total",
                 af_number_time(text, facts->recording.unrecorded_ns));
    }
    if (facts->part.title != NULL) {
        put_fact(page, "part", "%s; everything below is about this part", facts->part.title);
    }
    if (af_profile_has_clocks(profile)) {
        put_clocks(page, profile);
    }
    if (af_content_has_weights(facts->content)) {
        put_weights(page, facts);
    } else if (af_profile_counts_calls(profile)) {
        put_fact(page, "recorded", "every call (instrumented)%s",
                 count_sampled(profile) > 0 ? "; samples without call counts in some threads" : "");
    } else if (facts->recording.interval_ns > 0) {
        put_fact(page, "recorded", "samples about every %s, without call counts",
                 af_number_time(text, facts->recording.interval_ns));
    } else {
        put_fact(page, "recorded", "samples, without call counts");
    }
    if (facts->android.has_call_overhead && facts->android.call_overhead_ns > 0 &&
        af_profile_counts_calls(profile)) {
        put_fact(page, "overhead",
                 "reading the clock took %s, so each call appears longer by about that",
                 af_number_time(text, facts->android.call_overhead_ns));
    }
}

void af_info_add_count(GString *list, uint64_t n, const char *what)
{
    char text[AF_NUMBER_SIZE];
    if (n > 0) {
        g_string_append_printf(list, "%s%s %s", list->len > 0 ? ", " : "", af_number_count(text, n),
                               what);
    }
}

uint64_t af_info_count_unmatched(const af_profile *profile)
{
    uint64_t unmatched = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        unmatched += profile->threads[t].unmatched_exits;
    }
    return unmatched;
}

static void put_counts(af_info_page *page, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    char text[AF_NUMBER_SIZE];
    g_autoptr(GString) dropped = g_string_new(NULL);
    af_info_add_count(dropped, facts->counts.dropped_partial, "truncated");
    af_info_add_count(dropped, facts->android.dropped_zero_thread, "for thread 0");
    af_info_add_count(dropped, facts->android.dropped_fill, "blank");
    af_info_add_count(dropped, profile->warnings.count[AF_WARN_CORRUPT_BLOCK], "damaged blocks");
    af_info_add_count(dropped, af_info_count_unmatched(profile), "unmatched exits");
    af_number_count(text, facts->counts.records);
    char *records =
        g_strconcat(facts->format.record != NULL ? facts->format.record : "record", "s", NULL);
    if (dropped->len > 0) {
        put_fact(page, records, "%s (dropped: %s)", text, dropped->str);
    } else {
        put_fact(page, records, "%s", text);
    }
    g_free(records);
    if (af_profile_counts_calls(profile)) {
        put_fact(page, "calls", "%s", af_number_count(text, facts->counts.calls));
    }

    g_string_truncate(dropped, 0);
    af_info_add_count(dropped, facts->counts.unknown_method_ids, "ids without a name");
    af_number_count(text, facts->counts.methods);
    put_fact(page, "methods", dropped->len > 0 ? "%s named, %s" : "%s named", text, dropped->str);

    if (facts->threadless) {
        return;
    }
    g_string_truncate(dropped, 0);
    af_info_add_count(dropped, facts->android.threads_listed, "listed");
    af_info_add_count(dropped, facts->android.threads_announced, "announced in the stream");
    af_number_count(text, profile->n_threads);
    g_autofree char *threads =
        g_strconcat(facts->format.thread != NULL ? facts->format.thread : "thread", "s", NULL);
    put_fact(page, threads, dropped->len > 0 ? "%s with records, %s" : "%s with records", text,
             dropped->str);
}

/* Instants and counters. */
static void put_markers(af_info_page *page, const af_markers *marks)
{
    uint64_t names = 0;
    char n[AF_NUMBER_SIZE], of[AF_NUMBER_SIZE];
    for (uint32_t i = 0; i < marks->n_series; i++) {
        names += marks->series[i].kind == AF_MARKER_INSTANT;
    }
    if (marks->instants > 0) {
        af_number_count(n, marks->instants);
        af_number_count(of, names);
        put_fact(page, "instants", "%s with %s name%s", n, of, names == 1 ? "" : "s");
    }
    if (marks->values > 0) {
        af_number_count(n, marks->values);
        const uint64_t counters = marks->n_series - names;
        af_number_count(of, counters);
        put_fact(page, "counters", "%s value%s of %s counter%s", n, marks->values == 1 ? "" : "s",
                 of, counters == 1 ? "" : "s");
    }
}

/* Surface frames of frame timelines. */
static void put_frames(af_info_page *page, const af_frame_timeline *timeline)
{
    const af_frame_counts counts = af_frame_timeline_count(timeline);
    char n[AF_NUMBER_SIZE];
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s late", af_number_count(n, counts.late));
    for (unsigned fault = AF_FAULT_APP; fault < AF_FAULTS; fault++) {
        if (counts.of_fault[fault] > 0) {
            g_string_append_printf(text, ", %s %s", af_number_count(n, counts.of_fault[fault]),
                                   af_fault_title((af_fault)fault));
        }
    }
    if (counts.frames > 0) {
        put_fact(page, "frames", "%s: %s", af_number_count(n, counts.frames), text->str);
    }
}

static const char *describe_end(const af_profile *profile)
{
    if (profile->warnings.count[AF_WARN_MEMORY_LIMIT] > 0) {
        return "read in part, up to the limit of --max-memory";
    }
    return profile->facts.recording.truncated ? "CUT OFF: the end is missing" : "complete";
}

static void put_state(af_info_page *page, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    if (facts->recording.overflow >= 0) {
        put_fact(page, "buffer", "%s",
                 facts->recording.overflow <= 0 ? "did not overflow"
                 : profile->run_sums != NULL    ? "OVERFLOWED: the end of a run is missing"
                                                : "OVERFLOWED: the end of the run is missing");
    }
    if (profile->run_sums != NULL) {
        return; /* the files of the runs are gone */
    }
    put_fact(page, "file", "%s%s%s", describe_end(profile),
             facts->android.repaired != NULL ? ", repaired: " : "",
             facts->android.repaired != NULL ? facts->android.repaired : "");
}

/* Lines of the text part that the page does not interpret, such as alloc-count. */
static void put_rest(af_info_page *page, const af_facts *facts)
{
    static const char *const shown[] = {
        "clock",
        "vm",
        "pid",
        "data-file-overflow",
        "elapsed-time-usec",
        "elapsed-time-nsec",
        "clock-call-overhead-nsec",
        "num-method-calls",
        NULL,
    };
    /* of readers, not of the file */
    static const char *const own[] = {
        "content",  "not read", "no data",     "scheduling", "overwritten", "not drawn",
        "packets",  "memory",   "trace clock", "entry",      "other entry", "blocked",
        "deadlock", "dumps",    "gaps",        AF_FACT_LOST, NULL};
    for (unsigned i = 0; i < facts->n_keys; i++) {
        if (g_strv_contains(own, facts->keys[i].key)) {
            put_fact(page, facts->keys[i].key, "%s", facts->keys[i].value);
        } else if (!g_strv_contains(shown, facts->keys[i].key)) {
            put_fact(page, "also states", "%s=%s", facts->keys[i].key, facts->keys[i].value);
        }
    }
}

char *af_info_text_fit(const af_profile *profile, const char *name, unsigned width)
{
    af_info_page own = {g_string_new(NULL), width > 0 ? width : PAGE_WIDTH, width > 0},
                 *const page = &own;
    g_autofree char *shown = af_columns_clean(name != NULL ? name : "");
    g_string_append_printf(page->text, "%s\n", shown);
    const char *kind = profile->facts.format.title != NULL
                           ? profile->facts.format.title
                           : containers[profile->facts.container].title;
    g_autoptr(GString) text = g_string_new(g_str_has_prefix(kind, "a ") ? kind + 2 : kind);
    if (profile->facts.format.version != 0) {
        g_string_append_printf(text, ", version %u", profile->facts.format.version);
    }
    if (profile->facts.format.layout != NULL) {
        g_string_append_printf(text, ", layout %s", profile->facts.format.layout);
    }
    put_fact(page, "format", "%s", text->str);
    put_origin(page, profile);
    put_times(page, profile);
    put_counts(page, profile);
    put_markers(page, &profile->markers);
    put_frames(page, &profile->timeline);
    put_state(page, profile);
    put_rest(page, &profile->facts);
    af_report_threads(page, profile);
    af_report_mappings(page, profile);
    af_report_health(page, profile);
    return g_string_free(page->text, FALSE);
}

char *af_info_text(const af_profile *profile, const char *name)
{
    return af_info_text_fit(profile, name, 0);
}

char *af_info_warning(const af_profile *profile, unsigned index)
{
    return af_report_describe_warning(&profile->warnings, index);
}
