#include "export/chrome_form.h"

#include "base/json.h"
#include "base/own_trace.h"

void af_chrome_form_begin_event(af_chrome_form *form)
{
    af_out_text(form->out, form->any ? ",\n{\"name\":" : "\n{\"name\":");
    form->any = TRUE;
}

void af_chrome_form_put_categories(const af_chrome_form *form, const af_label *label,
                                   af_category category)
{
    static const char *const names[AF_CATEGORY_COUNT] = {
        "app",    "android", "androidx", "kotlin",  "java",  "library", "unknown", "idle",
        "folded", "kernel",  "jit",      "inlined", "waker", "tracer",  "blocked"};
    const char *stated = af_export_categories(form->profile, label);
    if (stated != NULL) {
        af_json_string(form->out, stated);
        return;
    }
    const gboolean grouped = label->group > 0 && category == label->category;
    g_autofree char *own =
        g_strconcat(grouped ? form->profile->groups[label->group - 1].title : names[category],
                    "," AF_TRACE_CATEGORY, NULL);
    af_json_string(form->out, own);
}

void af_chrome_form_put_us(const af_chrome_form *form, const char *key, uint64_t ns)
{
    af_out_text(form->out, key);
    af_out_decimal(form->out, ns, 3);
}

void af_chrome_form_put_ids(const af_chrome_form *form, uint32_t thread)
{
    af_out_number(form->out, ",\"pid\":", form->selection->ids->pids[thread], ",\"tid\":");
    af_out_u64(form->out, form->selection->ids->tids[thread]);
}

gboolean af_chrome_form_is_track(const af_chrome_form *form, uint32_t thread)
{
    return form->profile->threads[thread].is_track && !af_thread_has(form->profile, thread, AF_CPU);
}

void af_chrome_form_put_track(const af_chrome_form *form, uint32_t thread)
{
    af_chrome_form_put_ids(form, thread);
    af_out_number(form->out, ",\"scope\":\"" AF_TRACE_TRACK "\",\"id\":\"",
                  form->selection->ids->tids[thread], "\"");
}

void af_chrome_form_begin(const af_chrome_form *form)
{
    const unsigned facts = af_exporter_facts(form->profile, form->selection);
    af_out_text(form->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"writer\":\"aflame\"");
#define PUT(fact, key, value)                                                                      \
    af_out_text(form->out, (facts & (fact)) != 0 ? ",\"" key "\":\"" value "\"" : "");
    AF_TRACE_FACTS(PUT)
    if (form->selection->left_out != NULL) {
        af_json_string_after(form->out, ",\"leftOut\":", form->selection->left_out);
    }
}

static void begin_meta(af_chrome_form *form, const char *what, uint32_t thread)
{
    af_chrome_form_begin_event(form);
    af_json_string(form->out, what);
    af_out_text(form->out, ",\"ph\":\"M\"");
    af_chrome_form_put_ids(form, thread);
    af_out_text(form->out, ",\"args\":{");
}

static void put_name(af_chrome_form *form, const char *what, uint32_t thread, const char *name)
{
    begin_meta(form, what, thread);
    af_json_string_after(form->out, "\"name\":", name);
    af_out_text(form->out, "}}");
}

void af_chrome_form_put_names(af_chrome_form *form)
{
    const af_selection *selection = form->selection;
    const af_export_ids *ids = selection->ids;
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        const uint32_t t = selection->threads[i];
        /* once per process: its threads are consecutive, and repeats are harmless */
        const gboolean begins = i == 0 || ids->pids[t] != ids->pids[selection->threads[i - 1]];
        if (begins && ids->names[t] != NULL) {
            put_name(form, "process_name", t, ids->names[t]);
        }
        put_name(form, "thread_name", t, form->profile->threads[t].name);
        if (af_export_ids_is_main(ids, t)) {
            begin_meta(form, "thread_sort_index", t);
            af_out_text(form->out, "\"sort_index\":-1}}");
        }
    }
}
