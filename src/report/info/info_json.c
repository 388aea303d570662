#include "report/info/info.h"

#include "model/cpu_step.h"
#include "model/run_sums.h"

#include "base/json.h"
#include "base/number.h"
#include "report/report.h"

/* An integer, or null if the file does not state it. */
static void put_known(af_json *json, const char *key, gboolean known, uint64_t value)
{
    if (known) {
        af_json_put_number(json, key, value);
    } else {
        af_json_put_plain(json, key, "null");
    }
}

/* A string, unless the file does not state it: most traces need no such member. */
static void put_stated(af_json *json, const char *key, const char *value)
{
    if (value != NULL) {
        af_json_put_string(json, key, value);
    }
}

/* The available clocks, in the words of Android's `clock=`. */
static const char *name_clock(const af_profile *profile)
{
    gboolean wall = af_profile_has(profile, AF_WALL), cpu = af_profile_has(profile, AF_CPU);
    return wall && cpu ? "dual" : wall ? "wall" : cpu ? "thread-cpu" : NULL;
}

static void put_dropped(af_json *json, const af_profile *profile)
{
    af_json_begin(json, "dropped", '{');
    af_json_put_number(json, "partial", profile->facts.counts.dropped_partial);
    af_json_put_number(json, "thread_zero", profile->facts.android.dropped_zero_thread);
    af_json_put_number(json, "fill", profile->facts.android.dropped_fill);
    af_json_put_number(json, "corrupt_block", profile->warnings.count[AF_WARN_CORRUPT_BLOCK]);
    af_json_put_number(json, "unmatched", af_info_count_unmatched(profile));
    af_json_end(json, '}');
}

/* Since the start of the trace. */
static void put_part(af_json *json, const af_profile *profile)
{
    const uint64_t start_ns = af_profile_start_ns(profile);
    const af_time_range *span = &profile->facts.part.range;
    af_json_begin(json, "part_ns", '{');
    af_json_put_number(json, "from", span->from_ns - MIN(span->from_ns, start_ns));
    af_json_put_number(json, "to", MIN(span->to_ns, profile->facts.recording.end_ns) - start_ns);
    af_json_end(json, '}');
}

static void put_runtime(af_json *json, const af_facts *facts)
{
    af_json_put_string(json, "vm", facts->android.vm);
    put_known(json, "pid", facts->has_pid, facts->pid);
}

static void put_recording(af_json *json, const af_facts *facts)
{
    if (facts->recording.overflow < 0) {
        af_json_put_string(json, "overflow", NULL);
    } else {
        af_json_put_flag(json, "overflow", facts->recording.overflow > 0);
    }
    put_known(json, "elapsed_us", facts->recording.has_elapsed, facts->recording.elapsed_ns / 1000);
    put_known(json, "unrecorded_us", facts->recording.has_elapsed,
              facts->recording.unrecorded_ns / 1000);
}

/* Of recordings that count allocations. Traces state these numbers as text. */
static void put_allocations(af_json *json, const af_facts *facts)
{
    static const struct {
        const char *key, *name;
    } counts[] = {{"alloc-count", "allocations"},
                  {"alloc-size", "allocated_bytes"},
                  {"gc-count", "collections"}};
    for (unsigned i = 0; i < facts->n_keys; i++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(counts); k++) {
            guint64 count;
            if (strcmp(facts->keys[i].key, counts[k].key) == 0 &&
                g_ascii_string_to_unsigned(facts->keys[i].value, 10, 0, G_MAXUINT64, &count,
                                           NULL)) {
                af_json_put_number(json, counts[k].name, count);
            }
        }
    }
}

/* Only for Android's clocks and thread lists. */
static void put_repairs(af_json *json, const af_facts *facts)
{
    af_json_put_number(json, "backward_steps", facts->counts.backward_steps);
    af_json_put_number(json, "wraps", facts->counts.wraps);
    af_json_put_number(json, "lifted_threads", facts->counts.lifted_threads);
    af_json_put_string(json, "repaired", facts->android.repaired);
}

static void put_marks(af_json *json, const af_markers *marks)
{
    static const char *const kinds[] = {
        [AF_MARKER_INSTANT] = "instant", [AF_MARKER_COUNTER] = "counter"};
    af_json_begin(json, "marks", '[');
    for (uint32_t i = 0; i < marks->n_series; i++) {
        const af_marker_series *series = &marks->series[i];
        af_json_begin(json, NULL, '{');
        af_json_put_string(json, "kind", kinds[series->kind]);
        af_json_put_string(json, "name", series->name);
        af_json_put_number(json, "process", series->process);
        af_json_put_number(json, "count", series->count);
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
}

static void put_frames(af_json *json, const af_frame_timeline *timeline)
{
    const af_frame_counts counts = af_frame_timeline_count(timeline);
    if (counts.frames == 0) {
        return;
    }
    af_json_begin(json, "frames", '{');
    af_json_put_number(json, "all", counts.frames);
    af_json_put_number(json, "late", counts.late);
    for (unsigned fault = 0; fault < AF_FAULTS; fault++) {
        af_json_put_number(json, af_fault_word((af_fault)fault), counts.of_fault[fault]);
    }
    af_json_end(json, '}');
}

static void put_facts(af_json *json, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    put_stated(json, "carrier", facts->saved.carrier);
    put_stated(json, "side", facts->saved.side);
    if (profile->run_sums != NULL) {
        af_json_put_number(json, "runs", profile->run_sums->n_runs);
        af_json_put_number(json, "runs_with_sums", profile->run_sums->n_summed);
    }
    af_json_put_string(json, "container", af_info_format(profile));
    if (facts->format.name == NULL || facts->format.version > 0) {
        af_json_put_number(json, "version", facts->format.version);
    }
    put_stated(json, "layout", facts->format.layout);
    put_stated(json, "event", facts->weights.event);
    if (af_profile_has_clocks(profile)) {
        af_json_put_string(json, "clock", name_clock(profile));
        const uint64_t step_ns = af_cpu_step_ns(profile);
        if (step_ns > 0) {
            af_json_put_number(json, "cpu_step_us", step_ns / 1000);
        }
    } else {
        af_json_put_string(json, "unit", facts->weights.unit.name);
    }
    if (af_container_is_android(facts->container)) {
        put_runtime(json, facts);
    }
    put_stated(json, "app", profile->app);
    if (af_container_is_android(facts->container)) {
        put_recording(json, facts);
        put_allocations(json, facts);
    }
    if (facts->part.has_range) {
        put_part(json, profile);
    }
    const gboolean android = af_container_is_android(facts->container);
    af_json_put_number(json, "records", facts->counts.records);
    if (android) {
        put_dropped(json, profile);
    }
    if (af_profile_counts_calls(profile)) {
        af_json_put_number(json, "calls", facts->counts.calls);
    }
    af_json_put_number(json, "methods", facts->counts.methods);
    if (android) {
        af_json_put_number(json, "unknown_method_ids", facts->counts.unknown_method_ids);
    }
    af_json_put_flag(json, "sampled", af_content_is_sampled(facts->content));
    put_known(json, "interval_us",
              af_content_is_sampled(facts->content) && facts->recording.interval_ns > 0,
              facts->recording.interval_ns / 1000);
    if (android) {
        put_repairs(json, facts);
    }
    af_json_put_flag(json, "truncated", facts->recording.truncated);
    if (android) {
        af_json_put_number(json, "threads_listed", facts->android.threads_listed);
        af_json_put_number(json, "threads_announced", facts->android.threads_announced);
    }
}

/* Leaves out clocks that the thread lacks. */
static void put_times(af_json *json, const char *key, const af_thread *thread,
                      const uint64_t time_ns[AF_CLOCKS])
{
    af_json_begin(json, key, '{');
    if (af_tree_has(thread->tree, AF_WALL)) {
        af_json_put_number(json, "wall", time_ns[AF_WALL] / 1000);
    }
    if (af_tree_has(thread->tree, AF_CPU)) {
        af_json_put_number(json, "cpu", time_ns[AF_CPU] / 1000);
    }
    af_json_end(json, '}');
}

static void put_calls(af_json *json, const af_profile *profile, const af_thread *thread)
{
    const gboolean counted = af_thread_counts_calls(profile, thread);
    if (counted) {
        af_json_put_number(json, "calls", thread->calls);
    }
    if (profile->run_sums != NULL) { /* of single runs */
        if (counted) {
            af_json_put_number(json, "unwinds", thread->unwinds);
        }
        return;
    }
    put_times(json, "first_us", thread, thread->first_ns);
    put_times(json, "last_us", thread, thread->last_ns);
    if (!counted) {
        return;
    }
    af_json_put_number(json, "open_at_end", thread->open_at_end);
    af_json_put_number(json, "exits_on_empty", thread->exits_on_empty);
    af_json_put_number(json, "missing_exits", thread->missing_exits);
    af_json_put_number(json, "unmatched_exits", thread->unmatched_exits);
    af_json_put_number(json, "unwinds", thread->unwinds);
}

/* The weight of the samples, and the time of the first and the last. */
static void put_weights(af_json *json, const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    const uint64_t total = af_thread_time_ns(profile, number, AF_WALL);
    const af_unit *unit = &profile->facts.weights.unit;
    if (unit->digits > 0) {
        char text[AF_NUMBER_SIZE];
        af_json_put_plain(json, "total", af_number_amount_typed(text, total, unit));
    } else if (unit->name != NULL) {
        af_json_put_number(json, "total", total);
    } else {
        put_times(json, "total_us", thread,
                  (const uint64_t[AF_CLOCKS]){total, af_thread_time_ns(profile, number, AF_CPU)});
    }
    if (af_content_has_timed_weights(profile->facts.content)) {
        af_json_put_number(json, "first_us", thread->first_ns[AF_WALL] / 1000);
        af_json_put_number(json, "last_us", thread->last_ns[AF_WALL] / 1000);
    }
}

static void put_thread(af_json *json, const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    af_json_begin(json, NULL, '{');
    af_json_put_number(json, "id", thread->id);
    af_json_put_string(json, "name", thread->title); /* as in reports and exports */
    if (thread->process != AF_NO_PROCESS && profile->n_processes > 0) {
        af_json_put_number(json, "process", thread->process);
    }
    af_json_put_number(json, "records", thread->records);
    if (af_content_has_weights(profile->facts.content)) {
        put_weights(json, profile, number);
    } else {
        put_calls(json, profile, thread);
    }
    af_json_put_number(json, "max_depth", thread->max_depth);
    af_json_put_flag(json, "exited", thread->exited);
    af_json_end(json, '}');
}

/* Only if there are any: other traces need no such member. */
static void put_mappings(af_json *json, const af_profile *profile)
{
    af_json_begin(json, "mappings", '[');
    for (uint32_t i = 0; i < profile->n_mapped; i++) {
        const af_mapped_facts *facts = &profile->mapped[i];
        af_json_begin(json, NULL, '{');
        af_json_put_string(json, "path", facts->path);
        af_json_put_string(json, "compiler", facts->compiler);
        af_json_put_string(json, "version", facts->version);
        af_json_put_string(json, "id", facts->id);
        af_json_put_number(json, "methods", facts->methods);
        af_json_put_number(json, "known", facts->known);
        af_json_put_number(json, "named", facts->named);
        af_json_put_number(json, "ambiguous", facts->ambiguous);
        af_json_put_number(json, "synthetic", facts->synthetic);
        af_json_put_number(json, "broken_lines", facts->broken);
        af_json_put_flag(json, "other_build", facts->other_build);
        af_json_end(json, '}');
    }
    af_json_end(json, ']');
    g_autoptr(GPtrArray) names = af_report_ambiguous(profile);
    af_json_begin(json, "ambiguous_names", '[');
    for (guint i = 0; i < names->len; i++) {
        af_json_put_string(json, NULL, names->pdata[i]);
    }
    af_json_end(json, ']');
}

static void put_document(af_json *json, const af_profile *profile, const char *name)
{
    af_json_begin(json, NULL, '{');
    g_autofree char *input = name != NULL ? g_utf8_make_valid(name, -1) : NULL;
    af_json_put_string(json, "input", input);
    put_facts(json, profile);
    if (profile->n_processes > 0) {
        af_json_begin(json, "processes", '[');
        for (uint32_t p = 0; p < profile->n_processes; p++) {
            af_json_begin(json, NULL, '{');
            af_json_put_string(json, "id", profile->processes[p].id);
            af_json_put_string(json, "name", profile->processes[p].name);
            af_json_end(json, '}');
        }
        af_json_end(json, ']');
    }
    if (profile->markers.n_series > 0) {
        put_marks(json, &profile->markers);
    }
    put_frames(json, &profile->timeline);
    if (profile->n_mapped > 0) {
        put_mappings(json, profile);
    }
    af_json_begin(json, "threads", '[');
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        put_thread(json, profile, t);
    }
    af_json_end(json, ']');
    af_json_begin(json, "warnings", '[');
    af_report_put_warnings(json, &profile->warnings);
    af_json_end(json, ']');
    af_json_end(json, '}');
}

bool af_info_append(void *user, const void *bytes, size_t length, GError **error)
{
    g_string_append_len(user, bytes, (gssize)length);
    return TRUE;
}

char *af_info_json(const af_profile *profile, const char *name)
{
    GString *text = g_string_new(NULL);
    af_out out;
    af_out_open(&out, af_info_append, text);
    put_document(&(af_json){.out = &out}, profile, name);
    af_out_close(&out, NULL);
    return g_string_free(text, FALSE);
}
