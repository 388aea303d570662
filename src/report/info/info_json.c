#include "report/info/info.h"

#include <json-glib/json-glib.h>

static void put_count(JsonBuilder *json, const char *key, uint64_t value)
{
    json_builder_set_member_name(json, key);
    json_builder_add_int_value(json, (gint64)value);
}

/* An integer, or null where the file does not say. */
static void put_known(JsonBuilder *json, const char *key, gboolean known, uint64_t value)
{
    json_builder_set_member_name(json, key);
    if (known) {
        json_builder_add_int_value(json, (gint64)value);
    } else {
        json_builder_add_null_value(json);
    }
}

static void put_flag(JsonBuilder *json, const char *key, gboolean value)
{
    json_builder_set_member_name(json, key);
    json_builder_add_boolean_value(json, value);
}

static void put_string(JsonBuilder *json, const char *key, const char *value)
{
    json_builder_set_member_name(json, key);
    if (value != NULL) {
        json_builder_add_string_value(json, value);
    } else {
        json_builder_add_null_value(json);
    }
}

static const char *name_container(af_container container)
{
    switch (container) {
    case AF_CONTAINER_V1:
        return "v1";
    case AF_CONTAINER_V1_STREAMING:
        return "v1-streaming";
    case AF_CONTAINER_V2:
        return "v2";
    case AF_CONTAINER_LONG_RUNNING:
        return "long-running";
    case AF_CONTAINER_OTHER:
        break;
    }
    return NULL;
}

/* The clocks there are, in the words that Android uses for its `clock=`. */
static const char *name_clock(const af_profile *profile)
{
    gboolean wall = af_profile_has(profile, AF_WALL), cpu = af_profile_has(profile, AF_CPU);
    return wall && cpu ? "dual" : wall ? "wall" : cpu ? "thread-cpu" : NULL;
}

static void put_dropped(JsonBuilder *json, const af_profile *profile)
{
    uint64_t unmatched = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        unmatched += profile->threads[t].unmatched_exits;
    }
    json_builder_set_member_name(json, "dropped");
    json_builder_begin_object(json);
    put_count(json, "partial", profile->facts.dropped_partial);
    put_count(json, "thread_zero", profile->facts.dropped_zero_thread);
    put_count(json, "fill", profile->facts.dropped_fill);
    put_count(json, "corrupt_block", profile->warnings.count[AF_WARN_CORRUPT_BLOCK]);
    put_count(json, "unmatched", unmatched);
    json_builder_end_object(json);
}

/* Since the begin of the trace. */
static void put_part(JsonBuilder *json, const af_profile *profile)
{
    const uint64_t start_ns = af_profile_start_ns(profile);
    const af_time_range *span = &profile->facts.span;
    json_builder_set_member_name(json, "part_ns");
    json_builder_begin_object(json);
    put_count(json, "from", span->from_ns - MIN(span->from_ns, start_ns));
    put_count(json, "to", MIN(span->to_ns, profile->facts.end_ns) - start_ns);
    json_builder_end_object(json);
}

static void put_runtime(JsonBuilder *json, const af_facts *facts)
{
    put_string(json, "vm", facts->vm);
    put_known(json, "pid", facts->has_pid, facts->pid);
}

static void put_recording(JsonBuilder *json, const af_facts *facts)
{
    if (facts->overflow < 0) {
        put_string(json, "overflow", NULL);
    } else {
        put_flag(json, "overflow", facts->overflow > 0);
    }
    put_known(json, "elapsed_us", facts->has_elapsed, facts->elapsed_ns / 1000);
}

/* What only Android's clocks and lists of threads do. */
static void put_repairs(JsonBuilder *json, const af_facts *facts)
{
    put_count(json, "backward_steps", facts->backward_steps);
    put_count(json, "wraps", facts->wraps);
    put_count(json, "lifted_threads", facts->lifted_threads);
    put_string(json, "repaired", facts->repaired);
}

static void put_processes(JsonBuilder *json, const af_profile *profile)
{
    json_builder_set_member_name(json, "processes");
    json_builder_begin_array(json);
    for (uint32_t p = 0; p < profile->n_processes; p++) {
        json_builder_begin_object(json);
        put_string(json, "id", profile->processes[p].id);
        put_string(json, "name", profile->processes[p].name);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_marks(JsonBuilder *json, const af_markers *marks)
{
    static const char *const kinds[] = {
        [AF_MARKER_INSTANT] = "instant", [AF_MARKER_COUNTER] = "counter"};
    json_builder_set_member_name(json, "marks");
    json_builder_begin_array(json);
    for (uint32_t i = 0; i < marks->n_series; i++) {
        const af_marker_series *series = &marks->series[i];
        json_builder_begin_object(json);
        put_string(json, "kind", kinds[series->kind]);
        put_string(json, "name", series->name);
        put_count(json, "process", series->process);
        put_count(json, "count", series->count);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_facts(JsonBuilder *json, const af_profile *profile)
{
    const af_facts *facts = &profile->facts;
    put_string(json, "container",
               facts->format != NULL ? facts->format : name_container(facts->container));
    if (facts->format == NULL || facts->version > 0) {
        put_count(json, "version", facts->version);
    }
    if (facts->layout != NULL) {
        put_string(json, "layout", facts->layout);
    }
    if (facts->event != NULL) {
        put_string(json, "event", facts->event);
    }
    if (af_profile_has_clocks(profile)) {
        put_string(json, "clock", name_clock(profile));
    } else {
        put_string(json, "unit", facts->unit.name);
    }
    if (af_container_is_android(facts->container)) {
        put_runtime(json, facts);
    }
    if (profile->app != NULL) {
        put_string(json, "app", profile->app);
    }
    if (af_container_is_android(facts->container)) {
        put_recording(json, facts);
    }
    if (facts->has_range) {
        put_part(json, profile);
    }
    const gboolean android = af_container_is_android(facts->container);
    put_count(json, "records", facts->records);
    if (android) {
        put_dropped(json, profile);
    }
    if (af_profile_counts_calls(profile)) {
        put_count(json, "calls", facts->calls);
    }
    put_count(json, "methods", facts->methods);
    if (android) {
        put_count(json, "unknown_method_ids", facts->unknown_method_ids);
    }
    put_flag(json, "sampled", facts->sampled);
    put_known(json, "interval_us", facts->sampled && facts->interval_ns > 0,
              facts->interval_ns / 1000);
    if (android) {
        put_repairs(json, facts);
    }
    put_flag(json, "truncated", facts->truncated);
    if (android) {
        put_count(json, "threads_listed", facts->threads_listed);
        put_count(json, "threads_announced", facts->threads_announced);
    }
}

/* Clocks that the thread lacks are left out. */
static void put_times(JsonBuilder *json, const char *key, const af_thread *thread,
                      const uint64_t time_ns[AF_CLOCKS])
{
    json_builder_set_member_name(json, key);
    json_builder_begin_object(json);
    if (af_tree_has(thread->tree, AF_WALL)) {
        put_count(json, "wall", time_ns[AF_WALL] / 1000);
    }
    if (af_tree_has(thread->tree, AF_CPU)) {
        put_count(json, "cpu", time_ns[AF_CPU] / 1000);
    }
    json_builder_end_object(json);
}

static void put_calls(JsonBuilder *json, const af_profile *profile, const af_thread *thread)
{
    const gboolean counted = af_thread_counts_calls(profile, thread);
    if (counted) {
        put_count(json, "calls", thread->calls);
    }
    put_times(json, "first_us", thread, thread->first_ns);
    put_times(json, "last_us", thread, thread->last_ns);
    if (!counted) {
        return;
    }
    put_count(json, "open_at_end", thread->open_at_end);
    put_count(json, "exits_on_empty", thread->exits_on_empty);
    put_count(json, "missing_exits", thread->missing_exits);
    put_count(json, "unmatched_exits", thread->unmatched_exits);
    put_count(json, "unwinds", thread->unwinds);
}

/* What stacks weigh, and when the first and the last were seen. */
static void put_weights(JsonBuilder *json, const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    const uint64_t total = af_thread_time_ns(profile, number, AF_WALL);
    const af_unit *unit = &profile->facts.unit;
    if (unit->digits > 0) {
        json_builder_set_member_name(json, "total");
        json_builder_add_double_value(json, (double)total / 1000);
    } else if (unit->name != NULL) {
        put_count(json, "total", total);
    } else {
        put_times(json, "total_us", thread,
                  (const uint64_t[AF_CLOCKS]){total, af_thread_time_ns(profile, number, AF_CPU)});
    }
    if (profile->facts.timed) {
        put_count(json, "first_us", thread->first_ns[AF_WALL] / 1000);
        put_count(json, "last_us", thread->last_ns[AF_WALL] / 1000);
    }
}

static void put_thread(JsonBuilder *json, const af_profile *profile, uint32_t number)
{
    const af_thread *thread = &profile->threads[number];
    json_builder_begin_object(json);
    put_count(json, "id", thread->id);
    put_string(json, "name", thread->name);
    if (thread->process != AF_NO_PROCESS && profile->n_processes > 0) {
        put_count(json, "process", thread->process);
    }
    put_count(json, "records", thread->records);
    if (profile->facts.weighed) {
        put_weights(json, profile, number);
    } else {
        put_calls(json, profile, thread);
    }
    put_count(json, "max_depth", thread->max_depth);
    put_flag(json, "exited", thread->exited);
    json_builder_end_object(json);
}

static void put_warning(JsonBuilder *json, const af_profile *profile, af_warning_kind kind)
{
    uint64_t place = profile->warnings.place[kind];
    json_builder_begin_object(json);
    put_string(json, "id", af_warning_id(kind));
    put_count(json, "count", profile->warnings.count[kind]);
    put_known(json, "first", place != AF_NO_OFFSET, place);
    put_string(json, "text", af_warning_text(kind));
    put_flag(json, "note", af_warning_is_info(kind));
    json_builder_end_object(json);
}

/* Only where there are any: a page for a trace alone stays what it was. */
static void put_mappings(JsonBuilder *json, const af_profile *profile)
{
    json_builder_set_member_name(json, "mappings");
    json_builder_begin_array(json);
    for (uint32_t i = 0; i < profile->n_mapped; i++) {
        const af_mapped_facts *facts = &profile->mapped[i];
        json_builder_begin_object(json);
        put_string(json, "path", facts->path);
        put_string(json, "compiler", facts->compiler);
        put_string(json, "version", facts->version);
        put_string(json, "id", facts->id);
        put_count(json, "methods", facts->methods);
        put_count(json, "known", facts->known);
        put_count(json, "named", facts->named);
        put_count(json, "ambiguous", facts->ambiguous);
        put_count(json, "synthetic", facts->synthetic);
        put_count(json, "broken_lines", facts->broken);
        put_flag(json, "other_build", facts->other_build);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    GPtrArray *names = af_report_ambiguous(profile);
    json_builder_set_member_name(json, "ambiguous_names");
    json_builder_begin_array(json);
    for (guint i = 0; i < names->len; i++) {
        json_builder_add_string_value(json, names->pdata[i]);
    }
    json_builder_end_array(json);
    g_ptr_array_unref(names);
}

static char *print_document(JsonBuilder *json)
{
    JsonNode *root = json_builder_get_root(json);
    JsonGenerator *generator = json_generator_new();
    json_generator_set_pretty(generator, TRUE);
    json_generator_set_root(generator, root);
    char *text = json_generator_to_data(generator, NULL);
    g_object_unref(generator);
    json_node_unref(root);
    return text;
}

char *af_report_info_json(const af_profile *profile, const char *name)
{
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    char *input = name != NULL ? g_utf8_make_valid(name, -1) : NULL;
    put_string(json, "input", input);
    g_free(input);
    put_facts(json, profile);
    if (profile->n_processes > 0) {
        put_processes(json, profile);
    }
    if (profile->marks.n_series > 0) {
        put_marks(json, &profile->marks);
    }
    if (profile->n_mapped > 0) {
        put_mappings(json, profile);
    }
    json_builder_set_member_name(json, "threads");
    json_builder_begin_array(json);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        put_thread(json, profile, t);
    }
    json_builder_end_array(json);
    json_builder_set_member_name(json, "warnings");
    json_builder_begin_array(json);
    int kind;
    for (unsigned i = 0; (kind = af_warnings_kind_at(&profile->warnings, i)) >= 0; i++) {
        put_warning(json, profile, (af_warning_kind)kind);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    char *text = print_document(json);
    g_object_unref(json);
    return text;
}
