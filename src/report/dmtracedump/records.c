#include "report/dmtracedump/records.h"

#include "base/memory_error.h"
#include "build/walk_plan.h"

/* Deeper calls are not indented further; a mark shows it. */
#define DEEPEST 10000

/* The depth of a thread before its first record: its root was entered before the trace. */
#define FIRST_DEPTH 2

static void put_right(af_out *out, uint64_t value, size_t width)
{
    char text[24];
    const int n = g_snprintf(text, sizeof text, "%*" G_GUINT64_FORMAT, (int)width, value);
    af_out_bytes(out, text, (size_t)n);
}

typedef struct {
    const af_profile *profile;
    const af_dmtrace_names *names;
    const af_dmtrace_options *options;
    af_out *out;
    af_array *depths; /* int64_t, by the reader's thread number; 0 = start depth */
    char *dots;
    gboolean own_ends; /* as in af_ticks */
} records;

static void put_head(const records *r, const af_facts *facts)
{
    const af_array *threads = &r->names->threads;
    af_out_text(r->out, "VERSION: ");
    af_out_u64(r->out, facts->android.text_version != 0 ? facts->android.text_version
                                                        : facts->format.version);
    af_out_text(r->out, "\nThreads (");
    af_out_u64(r->out, threads->n);
    af_out_text(r->out, "):\n");
    for (size_t i = 0; i < threads->n; i++) {
        const af_dmtrace_thread *thread = &AF_ARRAY_AT(threads, af_dmtrace_thread, i);
        char id[24];
        g_snprintf(id, sizeof id, "%2" G_GINT64_FORMAT " ", (int64_t)thread->id);
        af_out_texts(r->out, id, thread->name, "\n");
    }
    af_out_text(r->out, "Trace (threadID action usecs class.method signature):\n");
}

static void put_method(const records *r, uint64_t id)
{
    const uint32_t number = af_dmtrace_names_find(r->names, id);
    const af_dmtrace_method *method = af_dmtrace_names_at(r->names, number);
    if (number == AF_DMTRACE_UNKNOWN) {
        char text[40];
        const int n = g_snprintf(text, sizeof text, "%#" G_GINT64_MODIFIER "x", id);
        af_out_text(r->out, "???.??? methodId: ");
        af_out_bytes(r->out, text, (size_t)n);
        return;
    }
    af_out_text(r->out, method->class_name);
    if (method->name != NULL) {
        af_out_texts(r->out, ".", method->name, " ", method->signature);
    }
}

static void put_record(const records *r, const af_sink *sink, const af_event *event,
                       int64_t *entered)
{
    static const char *const actions[] = {" ent  ", " xit  ", " unr  ", " ???  "};
    const unsigned action =
        r->own_ends && (event->call & 3) == AF_STILL_OPEN ? AF_EXIT : event->call & 3;
    *entered += action == AF_ENTER;
    const int64_t depth = FIRST_DEPTH + *entered;
    put_right(r->out, af_dmtrace_thread_id(r->profile, sink, event->thread), 2);
    af_out_text(r->out, actions[action]);
    put_right(r->out, af_dmtrace_time_us(r->options, sink, event), 8);
    af_out_char(r->out, (char)(depth < 0 ? '-' : depth > DEEPEST ? '+' : ' '));
    af_out_bytes(r->out, r->dots, (size_t)CLAMP(depth, 0, DEEPEST));
    put_method(r, af_event_method_id(sink, event));
    af_out_char(r->out, '\n');
    *entered -= action != AF_ENTER;
}

static gboolean take_events(void *user, const af_sink *sink, const af_event *events, size_t n)
{
    const records *r = user;
    if (!af_array_reach(r->depths, af_sink_threads(sink)->n)) {
        return FALSE;
    }
    for (size_t i = 0; i < n && r->out->error == NULL; i++) {
        if (af_dmtrace_wants(r->options, sink, events[i].thread)) {
            put_record(r, sink, &events[i], &AF_ARRAY_AT(r->depths, int64_t, events[i].thread));
        }
    }
    return r->out->error == NULL;
}

gboolean af_records_write(const af_report_request *request, af_out *out, GError **error)
{
    const af_profile *profile = request->scope.profile;
    af_dmtrace_names names;
    af_dmtrace_options options;
    af_array depths;
    af_dmtrace_names_init(&names, request->quirks);
    af_array_init(&depths, sizeof(int64_t));
    gboolean ok = af_dmtrace_begin(&names, &options, request, error);
    if (ok) {
        records r = {.profile = profile,
                     .names = &names,
                     .options = &options,
                     .out = out,
                     .depths = &depths,
                     .dots = g_strnfill(DEEPEST, '.'),
                     .own_ends = profile->walk_plan != NULL && profile->walk_plan->ticks.own_ends};
        put_head(&r, &profile->facts);
        const af_event_consumer consumer =
            af_dmtrace_names_listener_events(&names, take_events, &r);
        ok = request->read(profile, &consumer, error);
        g_free(r.dots);
    }
    if (ok && depths.failed) {
        af_memory_error_set(error);
        ok = FALSE;
    }
    af_array_clear(&depths);
    af_dmtrace_options_clear(&options);
    af_dmtrace_names_clear(&names);
    return ok;
}
