/* pprof: a protobuf Profile in gzip, for `go tool pprof`, speedscope and ui.perfetto.dev.
 *
 * Each node of the trees with calls or self time is a sample: its stack, innermost method first,
 * and a value of every type that the profile has. Threads are labels of samples (`pprof
 * -tagroot=thread`), because viewers merge equal stacks. A label of aflame is one function with one
 * location; all are in one mapping that is marked as symbolised, so that no tool looks for symbols.
 *
 * A sample has a value of every type. Call counts and clocks that its thread lacks are 0, and a
 * comment lists them.
 *
 * Strings are referenced by index: the words of this file first, then threads, their processes,
 * comments, labels and sources in order. `doc_url` is not written: Perfetto would mistake the file
 * for another format.
 *
 * Tested with go tool pprof 1.19.8 (all value types), speedscope 1.25.0 and pprof-format 2.3.2; the
 * sums equal those of the trees. protoc 3.21 decodes it without unknown fields. */
#include "export/exporter.h"

#include "base/memory_error.h"
#include "base/own_trace.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/paths.h"
#include "export/pprof.pb-c.h"
#include "export/protobuf.h"
#include "export/label_numbers.h"

enum { THREAD = 1, TID, PID, PROCESS, WRITER, FILE_NAME, WORDS };
static const char *const words[] = {"", "thread", "tid", "pid", "process", AF_TRACE_WRITER};

/* calls, wall, cpu, and wait if selected */
#define MOST_VALUES 4

/* Estimated bytes for each location in a sample. */
#define LOCATION_BYTES 2

typedef struct {
    int clock; /* -1 = calls */
    const char *type, *unit;
} value;

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    af_label_numbers used;
    af_textmap sources;
    value values[MOST_VALUES];
    unsigned n_values, shown; /* the default value type */
    Af__Pprof__ValueType types[MOST_VALUES];
    GPtrArray *comments; /* char *: values of 0 that mean "unknown" */
    int64_t first_thread, first_process, first_comment, first_label, first_source,
        first_type; /* string indices */
} writer;

static void put(const writer *w, const Af__Pprof__Profile *part)
{
    af_protobuf_put(w->out, &part->base);
}

static void add_value(writer *w, int clock, const char *type, const char *unit)
{
    w->shown = clock == (int)w->selection->clock ? w->n_values : w->shown;
    w->values[w->n_values++] = (value){clock, type, unit};
}

static void choose_values(writer *w)
{
    static const char *const names[] = {"wall", "cpu", "wait"};
    const af_unit *unit = &w->profile->facts.weights.unit;
    if (af_profile_counts_calls(w->profile)) {
        add_value(w, -1, "calls", "count");
    }
    if (unit->name != NULL) {
        const char *of = !unit->counted                     ? "nanoseconds"
                         : unit->digits > 0                 ? "thousandths"
                         : strcmp(unit->name, "bytes") == 0 ? "bytes"
                                                            : "count";
        add_value(w, AF_WALL, unit->counted ? unit->name : "time", of);
        return;
    }
    for (int c = 0; c < AF_CLOCKS; c++) {
        if (af_profile_has(w->profile, (af_clock)c)) {
            add_value(w, c, names[c], "nanoseconds");
        }
    }
    if (w->selection->clock == AF_WAIT) {
        add_value(w, AF_WAIT, names[AF_WAIT], "nanoseconds");
    }
}

/* What the format cannot hold. Values that a thread lacks are 0; a comment lists them. */
static void add_comments(writer *w)
{
    if (w->selection->left_out != NULL) {
        g_ptr_array_add(w->comments, g_strconcat("left out: ", w->selection->left_out, NULL));
    }
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        const af_thread *thread = &w->profile->threads[w->selection->threads[i]];
        for (unsigned v = 0; v < w->n_values; v++) {
            const int clock = w->values[v].clock;
            const gboolean known = clock < 0 ? af_thread_counts_calls(w->profile, thread)
                                             : af_tree_has(thread->tree, (af_clock)clock);
            if (!known) {
                g_ptr_array_add(w->comments, g_strdup_printf("no %s known for thread %s",
                                                             w->values[v].type, thread->title));
            }
        }
    }
}

static void put_string(const writer *w, const char *text)
{
    Af__Pprof__Profile part = AF__PPROF__PROFILE__INIT;
    char *list[] = {(char *)text};
    part.n_string_table = 1;
    part.string_table = list;
    put(w, &part);
}

static void put_strings(writer *w)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        put_string(w, words[i]);
    }
    put_string(w, w->profile->app != NULL ? w->profile->app : "trace");
    w->first_type = WORDS;
    for (unsigned i = 0; i < w->n_values; i++) {
        put_string(w, w->values[i].type);
        put_string(w, w->values[i].unit);
    }
    w->first_thread = w->first_type + INT64_C(2) * w->n_values;
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        put_string(w, w->profile->threads[w->selection->threads[i]].title);
    }
    w->first_process = w->first_thread + w->selection->n_threads;
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        const char *name = w->selection->ids->names[w->selection->threads[i]];
        put_string(w, name != NULL ? name : "");
    }
    w->first_comment = w->first_process + w->selection->n_threads;
    for (guint i = 0; i < w->comments->len; i++) {
        put_string(w, w->comments->pdata[i]);
    }
    w->first_label = w->first_comment + w->comments->len;
    for (uint32_t i = 0; i < w->used.n; i++) {
        put_string(w, w->profile->labels[w->used.labels[i]].text);
    }
    w->first_source = w->first_label + w->used.n;
}

/* The string index of a file name, added at its first use. 0 = none. */
static int64_t add_source(writer *w, const char *source)
{
    if (source == NULL) {
        return 0;
    }
    const uint32_t known = w->sources.n;
    const uint32_t number = af_textmap_add(&w->sources, source, strlen(source));
    if (number == known && number != AF_TEXTMAP_NONE) {
        put_string(w, source);
    }
    return number == AF_TEXTMAP_NONE ? 0 : w->first_source + number;
}

static uint64_t read_value(const writer *w, const af_thread *thread, uint32_t node, unsigned number)
{
    const af_tree *tree = thread->tree;
    const int clock = w->values[number].clock;
    if (clock < 0) {
        return af_thread_counts_calls(w->profile, thread) ? tree->calls[node] : 0;
    }
    const uint64_t *self = af_tree_self_widths(tree, (af_clock)clock);
    return self != NULL ? self[node] : 0;
}

/* `path` has the capacity of the tree's depth. */
static void put_sample(const writer *w, const af_thread *thread, uint32_t node,
                       Af__Pprof__Sample *sample, uint64_t *path)
{
    const af_tree *tree = thread->tree;
    gboolean any = FALSE;
    for (unsigned i = 0; i < w->n_values; i++) {
        sample->value[i] = (int64_t)MIN(read_value(w, thread, node, i), (uint64_t)INT64_MAX);
        any = any || sample->value[i] > 0;
    }
    if (!any) {
        return;
    }
    sample->n_location_id = 0;
    for (uint32_t n = node; n != 0; n = tree->parent[n]) {
        path[sample->n_location_id++] = w->used.number_of[tree->label[n]] + 1;
    }
    Af__Pprof__Profile part = AF__PPROF__PROFILE__INIT;
    part.n_sample = 1;
    part.sample = &sample;
    put(w, &part);
}

static void put_thread(const writer *w, uint32_t index, uint64_t *path)
{
    enum { LABELS = 4 };
    const uint32_t thread = w->selection->threads[index];
    const af_tree *tree = w->profile->threads[thread].tree;
    Af__Pprof__Label labels[LABELS], *list[LABELS];
    for (unsigned i = 0; i < LABELS; i++) {
        af__pprof__label__init(&labels[i]);
        labels[i].key = THREAD + i;
        list[i] = &labels[i];
    }
    labels[THREAD - 1].str = w->first_thread + index;
    labels[TID - 1].num = w->selection->ids->tids[thread];
    labels[PID - 1].num = w->selection->ids->pids[thread];
    labels[PROCESS - 1].str = w->first_process + index;
    int64_t values[MOST_VALUES];
    Af__Pprof__Sample sample = AF__PPROF__SAMPLE__INIT;
    sample.n_label = w->selection->ids->names[thread] != NULL ? LABELS : LABELS - 1;
    sample.label = list;
    sample.location_id = path;
    sample.n_value = w->n_values;
    sample.value = values;
    for (uint32_t n = 1; n < tree->n && w->out->error == NULL; n++) {
        put_sample(w, &w->profile->threads[thread], n, &sample, path);
    }
}

static void put_head(writer *w)
{
    Af__Pprof__ValueType *list[MOST_VALUES];
    for (unsigned i = 0; i < w->n_values; i++) {
        af__pprof__value_type__init(&w->types[i]);
        w->types[i].type = w->first_type + INT64_C(2) * i;
        w->types[i].unit = w->types[i].type + 1;
        list[i] = &w->types[i];
    }
    const af_facts *facts = &w->profile->facts;
    Af__Pprof__Mapping mapping = AF__PPROF__MAPPING__INIT, *mappings = &mapping;
    mapping.id = 1;
    mapping.filename = FILE_NAME;
    mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = TRUE;
    Af__Pprof__Profile part = AF__PPROF__PROFILE__INIT;
    part.n_sample_type = w->n_values;
    part.sample_type = list;
    part.default_sample_type = w->types[w->shown].type;
    part.n_mapping = 1;
    part.mapping = &mappings;
    /* 0 if unknown, or for a date after the year 2262, which the field cannot hold. */
    const int64_t date_s = af_profile_date_s(w->profile);
    part.time_nanos = date_s < 0 || date_s > INT64_MAX / 1000000000 ? 0 : date_s * 1000000000;
    if (af_profile_has_clocks(w->profile) && af_profile_has(w->profile, AF_WALL)) {
        part.duration_nanos = (int64_t)(facts->recording.end_ns - af_profile_start_ns(w->profile));
    }
    g_autofree int64_t *comments = g_new(int64_t, w->comments->len + 1);
    comments[0] = WRITER;
    for (guint i = 0; i < w->comments->len; i++) {
        comments[1 + i] = w->first_comment + i;
    }
    part.n_comment = w->comments->len + 1;
    part.comment = comments;
    if (facts->recording.interval_ns > 0) {
        part.period_type = list[w->shown];
        part.period = (int64_t)facts->recording.interval_ns;
    }
    put(w, &part);
}

static gboolean put_all(writer *w, GError **error)
{
    const uint32_t deepest =
        af_profile_deepest(w->profile, w->selection->threads, w->selection->n_threads);
    g_autofree uint64_t *path = g_try_new(uint64_t, (size_t)deepest + 1);
    if (path == NULL) {
        return af_memory_error_set(error);
    }
    put_strings(w);
    put_head(w);
    for (uint32_t i = 0; i < w->used.n; i++) {
        int32_t line;
        const char *source = af_label_source(w->profile, w->used.labels[i], &line);
        Af__Pprof__Function function = AF__PPROF__FUNCTION__INIT, *functions = &function;
        function.id = i + 1;
        function.name = function.system_name = w->first_label + i;
        function.filename = add_source(w, source);
        function.start_line = MAX(line, 0);
        Af__Pprof__Line in = AF__PPROF__LINE__INIT, *lines = &in;
        in.function_id = function.id;
        in.line = function.start_line;
        Af__Pprof__Location location = AF__PPROF__LOCATION__INIT, *locations = &location;
        location.id = function.id;
        location.mapping_id = 1;
        location.n_line = 1;
        location.line = &lines;
        Af__Pprof__Profile part = AF__PPROF__PROFILE__INIT;
        part.n_location = part.n_function = 1;
        part.location = &locations;
        part.function = &functions;
        put(w, &part);
    }
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        put_thread(w, i, path);
    }
    return !w->sources.failed || af_memory_error_set(error);
}

static gboolean write_pprof(const af_profile *profile, const af_selection *selection, af_out *out,
                            GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    if (!af_paths_check(profile, selection, LOCATION_BYTES, "samples", error)) {
        return FALSE;
    }
    if (!af_label_numbers_init(&w.used, profile, selection->threads, selection->n_threads)) {
        return af_memory_error_set(error);
    }
    af_textmap_init(&w.sources);
    choose_values(&w);
    w.comments = g_ptr_array_new_with_free_func(g_free);
    add_comments(&w);
    const gboolean ok = put_all(&w, error);
    g_ptr_array_unref(w.comments);
    af_textmap_clear(&w.sources);
    af_label_numbers_clear(&w.used);
    return ok;
}

const af_exporter af_exporter_pprof = {
    .name = "pprof",
    .extensions = "pb.gz pprof pb",
    .title = "pprof, for go tool pprof, speedscope and ui.perfetto.dev",
    .binary = TRUE,
    .packed = TRUE,
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_pprof,
};
