/* The Firefox Profiler's processed profile, version 55: tables stored in columns, for each thread.
 * Fewer tools read later versions, and newer readers accept this one.
 *
 * The stack table of a thread is its call tree. A sample stands for the time between two changes of
 * the stack and has that weight, so all times are exact; or it is a recorded sample with its own
 * time and weight. If there are only trees, each node is one sample, in sequence. A thread that took
 * no time has one sample without weight: readers drop threads without samples. Columns are written
 * one at a time, so each column reads the calls again. CPU time goes into the track graphs
 * (`threadCPUDelta`).
 *
 * Tested with the profiler's own code in @firefox-devtools/profiler-cli 0.10.0: it opens the output
 * of the fixtures without messages and finds the time of every method. For an input without threads
 * it reports that there is nothing to show. */
#include "export/exporter.h"

#include "base/json.h"
#include "base/memory_error.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/slices.h"
#include "export/label_numbers.h"
#include "model/waits.h"

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    unsigned column;  /* the current column */
    gboolean cpu;     /* the last column exists, for threads with CPU times */
    gboolean skips;   /* this thread has no CPU times */
    gboolean sampled; /* recorded samples are written, with their times */
    uint64_t n;       /* samples of the thread so far */
    uint64_t last_cpu_ns;
    uint32_t n_threads; /* threads begun so far */
} writer;

/* The column of each pass. */
enum { STACK, TIME, WEIGHT, CPU_DELTA };

static const struct {
    const char *name, *color;
} categories[] = {
    [AF_CATEGORY_APP] = {"App", "green"},
    [AF_CATEGORY_ANDROID] = {"Android framework", "blue"},
    [AF_CATEGORY_ANDROIDX] = {"AndroidX", "lightblue"},
    [AF_CATEGORY_KOTLIN] = {"Kotlin", "purple"},
    [AF_CATEGORY_JAVA] = {"Java runtime", "orange"},
    [AF_CATEGORY_LIBRARY] = {"Library", "yellow"},
    [AF_CATEGORY_UNKNOWN] = {"Native or unknown", "brown"},
    [AF_CATEGORY_IDLE] = {"Idle", "transparent"},
    [AF_CATEGORY_FOLDED] = {"Folded frames", "darkgrey"},
    [AF_CATEGORY_KERNEL] = {"Kernel", "red"},
    [AF_CATEGORY_JIT] = {"JIT-compiled", "green"},
    [AF_CATEGORY_INLINED] = {"Inlined", "magenta"},
    [AF_CATEGORY_WAKER] = {"Waker", "lightred"},
    [AF_CATEGORY_BLOCKED] = {"Blocked", "lightred"},
    [AF_CATEGORY_TRACER] = {"Tracer", "darkgrey"},
    [AF_CATEGORY_COUNT] = {"Other", "grey"}, /* one must be grey */
};

static void begin_column(writer *w, const char *name)
{
    af_out_texts(w->out, "\"", name, "\":[");
}

static void put_comma(writer *w, uint64_t i)
{
    if (i > 0) {
        af_out_char(w->out, ',');
    }
}

/* A column with one repeated value. */
static void put_same(writer *w, const char *name, const char *value, uint32_t n)
{
    begin_column(w, name);
    for (uint32_t i = 0; i < n; i++) {
        put_comma(w, i);
        af_out_text(w->out, value);
    }
    af_out_text(w->out, "],");
}

/* 0, 1, 2 ... */
static void put_counting(writer *w, const char *name, uint32_t n)
{
    begin_column(w, name);
    for (uint32_t i = 0; i < n; i++) {
        put_comma(w, i);
        af_out_u64(w->out, i);
    }
    af_out_text(w->out, "],");
}

static void put_length(writer *w, uint64_t n)
{
    af_out_number(w->out, "\"length\":", n, "},\n");
}

static void put_stacks(writer *w, const af_tree *tree, const af_label_numbers *used)
{
    begin_column(w, "stackTable\":{\"frame");
    for (uint32_t n = 1; n < tree->n; n++) {
        put_comma(w, n - 1);
        const gboolean idle = af_waits_is_idle(w->profile, tree, n);
        af_out_u64(w->out, used->number_of[tree->label[n]] + (idle ? used->n : 0));
    }
    af_out_text(w->out, "],");
    begin_column(w, "prefix");
    for (uint32_t n = 1; n < tree->n; n++) {
        put_comma(w, n - 1);
        if (tree->parent[n] == 0) {
            af_out_text(w->out, "null");
        } else {
            af_out_u64(w->out, tree->parent[n] - 1);
        }
    }
    af_out_text(w->out, "],");
    put_length(w, tree->n - 1);
}

/* Each function has a second frame, for calls that wait for work. */
static void put_frames(writer *w, const af_label_numbers *used)
{
    const uint32_t n = 2 * used->n;
    af_out_text(w->out, "\"frameTable\":{");
    put_same(w, "address", "-1", n);
    put_same(w, "inlineDepth", "0", n);
    begin_column(w, "category");
    for (uint32_t i = 0; i < n; i++) {
        put_comma(w, i);
        af_out_u64(w->out,
                   i < used->n ? w->profile->labels[used->labels[i]].category : AF_CATEGORY_IDLE);
    }
    af_out_text(w->out, "],");
    put_same(w, "subcategory", "0", n);
    begin_column(w, "func");
    for (uint32_t i = 0; i < n; i++) {
        put_comma(w, i);
        af_out_u64(w->out, i % used->n);
    }
    af_out_text(w->out, "],");
    put_same(w, "nativeSymbol", "null", n);
    put_same(w, "innerWindowID", "0", n);
    put_same(w, "line", "null", n);
    put_same(w, "column", "null", n);
    put_length(w, n);
}

/* Among the strings, file names come after method names. */
static void put_functions(writer *w, const af_label_numbers *used, af_textmap *sources)
{
    int32_t line;
    af_out_text(w->out, "\"funcTable\":{");
    put_counting(w, "name", used->n);
    put_same(w, "isJS", "false", used->n);
    put_same(w, "relevantForJS", "false", used->n);
    put_same(w, "resource", "-1", used->n);
    begin_column(w, "fileName");
    for (uint32_t i = 0; i < used->n; i++) {
        const char *source = af_label_source(w->profile, used->labels[i], &line);
        const uint32_t number =
            source == NULL ? AF_TEXTMAP_NONE : af_textmap_add(sources, source, strlen(source));
        put_comma(w, i);
        if (number == AF_TEXTMAP_NONE) {
            af_out_text(w->out, "null");
        } else {
            af_out_u64(w->out, (uint64_t)used->n + number);
        }
    }
    af_out_text(w->out, "],");
    begin_column(w, "lineNumber");
    for (uint32_t i = 0; i < used->n; i++) {
        const char *source = af_label_source(w->profile, used->labels[i], &line);
        put_comma(w, i);
        if (source == NULL || line <= 0) {
            af_out_text(w->out, "null");
        } else {
            af_out_i64(w->out, line);
        }
    }
    af_out_text(w->out, "],");
    put_same(w, "columnNumber", "null", used->n);
    put_length(w, used->n);
}

static void put_strings(writer *w, const af_label_numbers *used, const af_textmap *sources)
{
    begin_column(w, "stringArray");
    for (uint32_t i = 0; i < used->n; i++) {
        const af_label *label = &w->profile->labels[used->labels[i]];
        put_comma(w, i);
        af_json_text(w->out, label->text, label->length);
    }
    for (uint32_t i = 0; i < sources->n; i++) {
        put_comma(w, used->n + (uint64_t)i);
        af_json_text(w->out, sources->entries[i].bytes, sources->entries[i].length);
    }
    af_out_text(w->out, "],\n");
}

static gboolean put_tables(writer *w, uint32_t thread, GError **error)
{
    af_label_numbers used;
    af_textmap sources;
    if (!af_label_numbers_init(&used, w->profile, &thread, 1)) {
        return af_memory_error_set(error);
    }
    af_textmap_init(&sources);
    put_stacks(w, w->profile->threads[thread].tree, &used);
    put_frames(w, &used);
    put_functions(w, &used, &sources);
    put_strings(w, &used, &sources);
    const gboolean ok = !sources.failed || af_memory_error_set(error);
    af_textmap_clear(&sources);
    af_label_numbers_clear(&used);
    return ok;
}

static void put_thread(writer *w, uint32_t thread)
{
    af_json_string_after(w->out, w->n_threads++ > 0 ? ",\n{\"name\":" : "\n{\"name\":",
                         w->profile->threads[thread].name);
    af_json_string_after(w->out, ",\"processName\":",
                         w->selection->ids->names[thread] != NULL ? w->selection->ids->names[thread]
                                                                  : "trace");
    af_out_texts(w->out, ",\"isMainThread\":",
                 af_export_ids_is_main(w->selection->ids, thread) ? "true" : "false");
    af_out_number(w->out, ",\"pid\":\"", w->selection->ids->pids[thread], "\",\"tid\":");
    af_out_number(w->out, "", w->selection->ids->tids[thread],
                  ",\"processType\":\"default\",\"processStartupTime\":0,"
                  "\"processShutdownTime\":null,\"registerTime\":0,"
                  "\"unregisterTime\":null,\"pausedRanges\":[],\n"
                  "\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],"
                  "\"length\":0},\"nativeSymbols\":{\"libIndex\":[],\"address\":[],"
                  "\"name\":[],\"functionSize\":[],\"length\":0},"
                  "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
                  "\"phase\":[],\"category\":[],\"length\":0},\n");
}

static gboolean begin_round(void *user, uint32_t thread, unsigned round, GError **error)
{
    static const char *const names[] = {"stack", "time", "weight", "threadCPUDelta"};
    writer *w = user;
    if (round == 0) {
        put_thread(w, thread);
        if (!put_tables(w, thread, error)) {
            return FALSE;
        }
        af_out_text(w->out, "\"samples\":{");
    }
    w->column = round;
    w->skips = round == CPU_DELTA && !af_thread_has(w->profile, thread, AF_CPU);
    if (!w->skips) {
        w->n = 0;
        begin_column(w, names[round]);
    }
    return TRUE;
}

static void put_weight(const writer *w, uint64_t weight)
{
    const af_unit *unit = &w->profile->facts.weights.unit;
    af_out_decimal(w->out, weight, unit->counted ? unit->digits : 6);
}

static gboolean put_sample(void *user, const af_export_slice *slice, GError **error)
{
    writer *w = user;
    if (w->skips) {
        return TRUE;
    }
    put_comma(w, w->n);
    switch (w->column) {
    case STACK:
        af_out_u64(w->out, slice->node - 1);
        break;
    case TIME:
        if (w->profile->facts.weights.unit.counted && !w->sampled) {
            af_out_u64(w->out, w->n); /* no times: one after the other */
        } else {
            af_out_decimal(w->out, slice->begin_ns, 6);
        }
        break;
    case WEIGHT:
        put_weight(w, slice->end_ns - slice->begin_ns);
        break;
    default:
        if (w->n == 0) {
            af_out_text(w->out, "null");
        } else {
            af_out_u64(w->out, slice->cpu_ns - w->last_cpu_ns);
        }
        w->last_cpu_ns = slice->cpu_ns;
    }
    w->n++;
    return w->out->error == NULL || af_export_stop(error);
}

static gboolean end_round(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    const af_unit *unit = &w->profile->facts.weights.unit;
    af_out_text(w->out, w->skips ? "" : "],\n");
    if (round == (w->cpu ? CPU_DELTA : WEIGHT)) {
        af_json_string_after(w->out, "\"weightType\":",
                             !unit->counted                     ? "tracing-ms"
                             : strcmp(unit->name, "bytes") == 0 ? "bytes"
                                                                : "samples");
        af_out_number(w->out, ",\"length\":", w->n, "}}");
    }
    return TRUE;
}

static void put_meta(writer *w)
{
    /* Perfetto recognises the file by its first key */
    af_out_text(w->out, "{\"meta\":{\"interval\":1,\"startTime\":");
    af_out_i64(w->out, MAX(af_profile_date_s(w->profile), 0) * 1000);
    af_json_string_after(w->out, ",\"processType\":0,\"product\":",
                         w->profile->app != NULL ? w->profile->app : "trace");
    af_out_text(w->out, ",\"stackwalk\":1,\"version\":27,\"preprocessedProfileVersion\":55,"
                        "\"symbolicated\":true,\"importedFrom\":\"aflame\","
                        "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
                        "\"markerSchema\":[],\n");
    if (w->selection->left_out != NULL) {
        af_json_string_after(w->out, "\"leftOut\":", w->selection->left_out);
        af_out_text(w->out, ",\n");
    }
    if (w->cpu) {
        af_out_text(w->out, "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
                            "\"threadCPUDelta\":\"ns\"},\n");
    }
    af_out_text(w->out, "\"categories\":[");
    for (unsigned i = 0; i < G_N_ELEMENTS(categories); i++) {
        af_json_string_after(w->out, i > 0 ? ",\n{\"name\":" : "\n{\"name\":", categories[i].name);
        af_json_string_after(w->out, ",\"color\":", categories[i].color);
        af_out_text(w->out, ",\"subcategories\":[\"Other\"]}");
    }
    af_out_text(w->out, "]},\n\"libs\":[],\n\"threads\":[");
}

static gboolean write_firefox(const af_profile *profile, const af_selection *selection, af_out *out,
                              GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    w.sampled = af_export_slices_are_sampled(selection);
    w.cpu =
        selection->calls != NULL && selection->clock == AF_WALL && af_profile_has(profile, AF_CPU);
    const af_export_slice_observer observer = {w.cpu ? CPU_DELTA + 1 : WEIGHT + 1, begin_round,
                                               put_sample, end_round, &w};
    put_meta(&w);
    const gboolean ok = af_export_slices_walk_samples(profile, selection, &observer, error);
    af_out_text(out, "]}\n");
    return ok;
}

const af_exporter af_exporter_firefox = {
    .name = "firefox",
    .extensions = "firefox.json processed.json",
    .title = "Firefox Profiler, with exact times",
    .calls = AF_CALLS_IF_ANY,
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_firefox,
};
