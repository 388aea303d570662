/* A Perfetto trace: protobuf packets for ui.perfetto.dev and trace_processor.
 *
 * With single calls: one packet for each start and each end of a call. They are in file order:
 * readers sort them by time and keep the order of equal times, so calls of zero length stay in
 * place. Names and categories are written once, at the top, and referenced by number. A thread is a
 * track, identified by its process and thread id; an asynchronous track has a name and a process only. Times are ns since the trace began, of one clock;
 * if that is wall time and there is CPU time too, each end has the CPU time of the call as the
 * argument `cpu_ns`. Instants and counters: see perfetto_markers.c. Without single calls: stacks, see
 * perfetto_samples.c.
 *
 * Perfetto accepts at most 512 nested calls. It drops the starts of deeper ones and counts them as
 * errors, but keeps their ends, which then end the wrong calls. So neither is written, and their
 * time belongs to the enclosing call. Stacks of samples may be deeper.
 *
 * Tested: protoc 3.21 decodes it without unknown fields. trace_processor was not available as a
 * package. */
#include <string.h>

#include "base/array.h"
#include "base/memory_error.h"
#include "base/own_trace.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/perfetto_form.h"

#define DEEPEST 512

/* The number of the only argument name. */
#define CPU_NAME 1

typedef struct {
    af_perfetto_form form;
    gboolean both;        /* also write CPU times, for threads that have them */
    af_array *began;      /* by thread, of uint64_t: CPU times at the start of open calls */
    uint64_t *categories; /* by number of the label */
} writer;

/* Writes the name of a category with its number. */
static void put_category(writer *w, uint64_t number, const char *name)
{
    Af__Perfetto__EventCategory category = AF__PERFETTO__EVENT_CATEGORY__INIT,
                                *categories = &category;
    Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
    names.n_event_categories = 1;
    names.event_categories = &categories;
    category.has_iid = TRUE;
    category.iid = number;
    category.name = (char *)name;
    af_perfetto_form_put_names(&w->form, &names);
}

static void put_own_category(writer *w, uint64_t number, const char *title)
{
    g_autofree char *name = g_strconcat(title, "," AF_TRACE_CATEGORY, NULL);
    put_category(w, number, name);
}

/* Numbers aflame's categories, its groups, and then those that the input names. */
static gboolean put_categories(writer *w)
{
    const af_profile *profile = w->form.profile;
    const uint64_t n_own = AF_CATEGORY_COUNT + (uint64_t)profile->n_groups;
    af_textmap stated;
    af_textmap_init(&stated);
    for (unsigned i = 0; i < AF_CATEGORY_COUNT; i++) {
        put_own_category(w, i + UINT64_C(1), af_category_title((af_category)i));
    }
    for (uint32_t i = 0; i < profile->n_groups; i++) {
        put_own_category(w, AF_CATEGORY_COUNT + UINT64_C(1) + i, profile->groups[i].title);
    }
    for (uint32_t i = 0; i < w->form.used.n && !stated.failed; i++) {
        const af_label *label = &profile->labels[w->form.used.labels[i]];
        const char *name = af_export_categories(profile, label);
        const uint32_t n = stated.n;
        if (name == NULL) {
            w->categories[i] = label->group > 0 ? (uint64_t)AF_CATEGORY_COUNT + label->group
                                                : label->category + UINT64_C(1);
            continue;
        }
        w->categories[i] = n_own + 1 + af_textmap_add(&stated, name, strlen(name));
        if (stated.n > n) {
            put_category(w, w->categories[i], name);
        }
    }
    const gboolean ok = !stated.failed;
    af_textmap_clear(&stated);
    return ok;
}

static void put_labels(writer *w)
{
    Af__Perfetto__EventName name = AF__PERFETTO__EVENT_NAME__INIT, *list = &name;
    Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
    names.n_event_names = 1;
    names.event_names = &list;
    name.has_iid = TRUE;
    for (uint32_t i = 0; i < w->form.used.n && w->form.out->error == NULL; i++) {
        name.iid = i + 1;
        name.name = (char *)w->form.profile->labels[w->form.used.labels[i]].text;
        af_perfetto_form_put_names(&w->form, &names);
    }
}

static void put_argument_name(writer *w)
{
    Af__Perfetto__DebugAnnotationName name = AF__PERFETTO__DEBUG_ANNOTATION_NAME__INIT,
                                      *list = &name;
    Af__Perfetto__InternedData names = AF__PERFETTO__INTERNED_DATA__INIT;
    names.n_debug_annotation_names = 1;
    names.debug_annotation_names = &list;
    name.has_iid = TRUE;
    name.iid = CPU_NAME;
    name.name = (char *)"cpu_ns";
    af_perfetto_form_put_names(&w->form, &names);
}

static gboolean put_event(writer *w, const af_call_event *edge, Af__Perfetto__TrackEvent *event,
                          GError **error)
{
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    event->has_type = event->has_track_uuid = TRUE;
    event->track_uuid = af_perfetto_form_track(&w->form, edge->thread);
    packet.has_timestamp = packet.has_sequence_flags = TRUE;
    packet.timestamp = edge->time_ns[w->form.selection->clock] - w->form.start_ns;
    packet.sequence_flags = AF_PERFETTO_NEEDS_STATE;
    packet.track_event = event;
    af_perfetto_form_put(&w->form, &packet);
    return w->form.out->error == NULL || af_export_stop(error);
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (edge->depth >= DEEPEST) {
        return TRUE;
    }
    if (w->both && af_thread_has(w->form.profile, edge->thread, AF_CPU)) {
        uint64_t *began = af_array_add(&w->began[edge->thread], 1);
        if (began == NULL) {
            return af_memory_error_set(error);
        }
        *began = edge->time_ns[AF_CPU];
    }
    Af__Perfetto__TrackEvent event = AF__PERFETTO__TRACK_EVENT__INIT;
    event.type = AF__PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
    event.has_name_iid = TRUE;
    event.name_iid = w->form.used.number_of[edge->label] + UINT64_C(1);
    event.n_category_iids = 1;
    event.category_iids = &w->categories[w->form.used.number_of[edge->label]];
    return put_event(w, edge, &event, error);
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (edge->depth >= DEEPEST) {
        return TRUE;
    }
    Af__Perfetto__TrackEvent event = AF__PERFETTO__TRACK_EVENT__INIT;
    Af__Perfetto__DebugAnnotation cpu = AF__PERFETTO__DEBUG_ANNOTATION__INIT, *list = &cpu;
    event.type = AF__PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
    if (w->both && af_thread_has(w->form.profile, edge->thread, AF_CPU)) {
        af_array *began = &w->began[edge->thread];
        cpu.has_name_iid = cpu.has_uint_value = TRUE;
        cpu.name_iid = CPU_NAME;
        cpu.uint_value = edge->time_ns[AF_CPU] - AF_ARRAY_AT(began, uint64_t, --began->n);
        event.n_debug_annotations = 1;
        event.debug_annotations = &list;
    }
    return put_event(w, edge, &event, error);
}

static gboolean put_calls(writer *w, GError **error)
{
    const af_observer observer = {enter_call, leave_call, NULL, w, NULL};
    if (!put_categories(w)) {
        return af_memory_error_set(error);
    }
    put_labels(w);
    if (w->both) {
        put_argument_name(w);
    }
    if (!af_perfetto_markers_put(&w->form)) {
        return af_memory_error_set(error);
    }
    return af_export_walk(w->form.profile, w->form.selection, &observer, error);
}

static gboolean write_calls(writer *w, GError **error)
{
    const af_profile *profile = w->form.profile;
    w->both = w->form.selection->clock == AF_WALL && af_profile_has(profile, AF_CPU);
    w->began = g_try_new0(af_array, (size_t)profile->n_threads + 1);
    w->categories = g_try_new0(uint64_t, (size_t)w->form.used.n + 1);
    if (w->began == NULL || w->categories == NULL) {
        g_free(w->began);
        g_free(w->categories);
        return af_memory_error_set(error);
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_init(&w->began[t], sizeof(uint64_t));
    }
    const gboolean ok = put_calls(w, error);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_clear(&w->began[t]);
    }
    g_free(w->began);
    g_free(w->categories);
    return ok;
}

static gboolean write_perfetto(const af_profile *profile, const af_selection *selection,
                               af_out *out, GError **error)
{
    writer w = {.both = FALSE};
    if (!af_perfetto_form_init(&w.form, profile, selection, out)) {
        return af_memory_error_set(error);
    }
    af_perfetto_form_begin(&w.form);
    const gboolean ok =
        selection->calls != NULL ? write_calls(&w, error) : af_perfetto_samples_put(&w.form, error);
    af_label_numbers_clear(&w.form.used);
    return ok;
}

const af_exporter af_exporter_perfetto = {
    .name = "perfetto",
    .extensions = "pftrace perfetto-trace",
    .title = "Perfetto trace, for ui.perfetto.dev",
    .calls = AF_CALLS_IF_ANY,
    .binary = TRUE,
    .deepest = DEEPEST,
    .stacks_lose = AF_LOSES_GROUPS,
    .write = write_perfetto,
};
