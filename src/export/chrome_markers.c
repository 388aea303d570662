#include "export/chrome_form.h"

#include "base/json.h"

#define NO_THREAD UINT32_MAX

typedef struct {
    af_chrome_form *form;
    uint64_t start_ns;
    uint32_t *selected; /* by thread of the profile that was read: the selected one, or NO_THREAD */
    uint32_t *first;    /* by process: its first selected thread, or NO_THREAD */
    uint32_t any;       /* the first selected thread */
} writer;

/* The selected thread whose process has the marker; NO_THREAD if none is selected. */
static uint32_t find_thread(const writer *w, const af_marker *marker)
{
    const af_marker_series *series = &w->form->profile->markers.series[marker->series];
    if (marker->thread != UINT32_MAX) {
        return w->selected[marker->thread];
    }
    return series->process == AF_NO_PROCESS ? w->any : w->first[series->process];
}

static void put_time(const writer *w, const char *kind, int64_t ns)
{
    const int64_t since_ns = ns - (int64_t)w->start_ns;
    af_out_text(w->form->out, kind);
    af_out_text(w->form->out, since_ns < 0 ? "-" : "");
    af_chrome_form_put_us(w->form, "", since_ns < 0 ? 0 - (uint64_t)since_ns : (uint64_t)since_ns);
}

/* The name of a counter includes its series: "heap: used". */
static void put_counter(writer *w, const af_marker *marker, const char *name, uint32_t thread)
{
    af_out *out = w->form->out;
    const char *colon = g_strrstr(name, ": ");
    const size_t head = colon != NULL ? (size_t)(colon - name) : strlen(name);
    af_json_text(out, name, head);
    put_time(w, ",\"ph\":\"C\",\"ts\":", marker->ns);
    af_chrome_form_put_ids(w->form, thread);
    af_out_text(out, ",\"args\":{");
    af_json_string(out, colon != NULL ? colon + 2 : "value");
    af_out_text(out, marker->thousandths < 0 ? ":-" : ":");
    af_out_decimal(out,
                   marker->thousandths < 0 ? 0 - (uint64_t)marker->thousandths
                                           : (uint64_t)marker->thousandths,
                   3);
    af_out_text(out, "}}");
}

static void put_marker(writer *w, const af_marker *marker)
{
    const af_marker_series *series = &w->form->profile->markers.series[marker->series];
    const uint32_t thread = find_thread(w, marker);
    if (thread == NO_THREAD) {
        return;
    }
    af_chrome_form_begin_event(w->form);
    if (series->kind == AF_MARKER_COUNTER) {
        put_counter(w, marker, series->name, thread);
        return;
    }
    af_json_string(w->form->out, series->name);
    put_time(w,
             marker->thread != UINT32_MAX ? ",\"ph\":\"i\",\"s\":\"t\",\"ts\":"
                                          : ",\"ph\":\"i\",\"s\":\"p\",\"ts\":",
             marker->ns);
    af_chrome_form_put_ids(w->form, thread);
    af_out_char(w->form->out, '}');
}

static void number_threads(writer *w, const af_selection *selection)
{
    const af_profile *profile = w->form->profile;
    const uint32_t n_read = af_profile_origin(profile)->n_threads;
    for (uint32_t t = 0; t < n_read; t++) {
        w->selected[t] = NO_THREAD;
    }
    for (uint32_t p = 0; p < profile->n_processes; p++) {
        w->first[p] = NO_THREAD;
    }
    for (uint32_t i = selection->n_threads; i-- > 0;) {
        const af_thread *thread = &profile->threads[selection->threads[i]];
        w->selected[thread->number] = selection->threads[i];
        if (thread->process < profile->n_processes) {
            w->first[thread->process] = selection->threads[i];
        }
    }
    w->any = selection->n_threads > 0 ? selection->threads[0] : NO_THREAD;
}

gboolean af_chrome_markers_put(af_chrome_form *form, const af_selection *selection,
                               uint64_t start_ns)
{
    const af_markers *markers = &form->profile->markers;
    writer w = {.form = form, .start_ns = start_ns};
    w.selected = g_try_new(uint32_t, (size_t)af_profile_origin(form->profile)->n_threads + 1);
    w.first = g_try_new(uint32_t, (size_t)form->profile->n_processes + 1);
    const gboolean ok = w.selected != NULL && w.first != NULL;
    if (ok) {
        number_threads(&w, selection);
        for (size_t i = 0; i < markers->n_markers && form->out->error == NULL; i++) {
            put_marker(&w, &markers->markers[i]);
        }
    }
    g_free(w.selected);
    g_free(w.first);
    return ok;
}
