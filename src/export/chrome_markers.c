#include "export/chrome_form.h"

#include "base/json.h"
#include "export/marker_threads.h"

typedef struct {
    af_chrome_form *form;
    uint64_t start_ns;
    af_marker_threads threads;
} writer;

static void put_categories(const writer *w, const af_marker_series *series)
{
    if (series->categories != NULL) {
        af_json_string_after(w->form->out, ",\"cat\":", series->categories);
    }
}

static void put_time(const writer *w, const char *kind, int64_t ns)
{
    const int64_t since_ns = ns - (int64_t)w->start_ns;
    af_out_texts(w->form->out, kind, since_ns < 0 ? "-" : "");
    af_chrome_form_put_us(w->form, "", since_ns < 0 ? 0 - (uint64_t)since_ns : (uint64_t)since_ns);
}

/* The name of a counter includes its series: "heap: used". */
static void put_counter(writer *w, const af_marker *marker, const af_marker_series *series,
                        uint32_t thread)
{
    af_out *out = w->form->out;
    const char *name = series->name;
    const char *colon = g_strrstr(name, ": ");
    const size_t head = colon != NULL ? (size_t)(colon - name) : strlen(name);
    af_json_text(out, name, head);
    put_categories(w, series);
    put_time(w, ",\"ph\":\"C\",\"ts\":", marker->ns);
    af_chrome_form_put_ids(w->form, thread);
    af_json_string_after(out, ",\"args\":{", colon != NULL ? colon + 2 : "value");
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
    const uint32_t thread = af_marker_threads_find(&w->threads, w->form->profile, marker);
    if (thread == AF_NO_MARKER_THREAD) {
        return;
    }
    af_chrome_form_begin_event(w->form);
    if (series->kind == AF_MARKER_COUNTER) {
        put_counter(w, marker, series, thread);
        return;
    }
    af_json_string(w->form->out, series->name);
    put_categories(w, series);
    const gboolean of_track =
        marker->thread != UINT32_MAX && af_chrome_form_is_track(w->form, thread);
    if (of_track) {
        put_time(w, ",\"ph\":\"n\",\"ts\":", marker->ns);
        af_chrome_form_put_track(w->form, thread);
        af_out_char(w->form->out, '}');
        return;
    }
    put_time(w,
             marker->thread != UINT32_MAX ? ",\"ph\":\"i\",\"s\":\"t\",\"ts\":"
                                          : ",\"ph\":\"i\",\"s\":\"p\",\"ts\":",
             marker->ns);
    af_chrome_form_put_ids(w->form, thread);
    af_out_char(w->form->out, '}');
}

gboolean af_chrome_markers_put(af_chrome_form *form, uint64_t start_ns)
{
    const af_markers *markers = &form->profile->markers;
    writer w = {.form = form, .start_ns = start_ns};
    const gboolean ok = af_marker_threads_init(&w.threads, form->profile, form->selection);
    for (size_t i = 0; ok && i < markers->n_markers && form->out->error == NULL; i++) {
        put_marker(&w, &markers->markers[i]);
    }
    af_marker_threads_clear(&w.threads);
    return ok;
}
