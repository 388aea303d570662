/* Stacks as Chrome trace events, of inputs without single calls: `stackFrames` holds each frame with
 * its caller, `samples` each sample with its thread, its innermost frame (`sf`), its time in µs
 * since the first one (`ts`) and its weight. A node with time of its own is one sample, in sequence,
 * as if it ran once, if there are only trees. Then a sample lasts until the next, so readers that
 * ignore weights, such as speedscope, compute the same.
 *
 * Weights are µs if they are times. The format does not state what weights count: `otherData` has
 * the unit for aflame's reader, see base/own_trace.h. A thread without samples gets one of weight 0, to
 * keep it. */
#include "export/chrome_form.h"

#include "base/idmap.h"
#include "base/json.h"
#include "base/memory_error.h"
#include "base/own_trace.h"
#include "export/calls.h"
#include "export/slices.h"
#include "model/waits.h"

typedef struct {
    af_chrome_form *form;
    const af_unit *unit;
    const char *event; /* what the weights measure */
    af_idmap frames; /* id of the caller << 32 | label; a frame's id is its number + 1, 0 = none */
    uint32_t thread; /* the current one */
    uint32_t *ids;   /* by node of its tree */
} samples;

/* Returns the ids of the nodes, to be freed; writes the frames that no thread had before. NULL if
 * memory is refused. */
static uint32_t *number_nodes(samples *s, const af_tree *tree)
{
    uint32_t *ids = g_try_new0(uint32_t, tree->n);
    for (uint32_t n = 1; n < tree->n && ids != NULL; n++) {
        const uint32_t known = s->frames.n, caller = ids[tree->parent[n]];
        const uint32_t number =
            af_idmap_number(&s->frames, (uint64_t)caller << 32 | tree->label[n]);
        if (number >= AF_IDMAP_NONE - 1) {
            g_clear_pointer(&ids, g_free);
            break;
        }
        ids[n] = number + 1;
        if (number == known) {
            const af_label *label = &s->form->profile->labels[tree->label[n]];
            af_out *out = s->form->out;
            af_out_number(out, ids[n] == 1 ? "\n\"" : ",\n\"", ids[n], "\":{\"name\":");
            af_json_text(out, label->text, label->length);
            af_out_text(out, ",\"category\":");
            af_chrome_form_put_categories(s->form, label,
                                          af_waits_category(s->form->profile, tree, n));
            if (caller > 0) {
                af_out_number(out, ",\"parent\":\"", caller, "\"");
            }
            af_out_char(out, '}');
        }
    }
    return ids;
}

static gboolean put_frames(samples *s, GError **error)
{
    const af_selection *selection = s->form->selection;
    gboolean ok = TRUE;
    af_out_text(s->form->out, "],\"stackFrames\":{");
    for (uint32_t i = 0; ok && i < selection->n_threads && s->form->out->error == NULL; i++) {
        g_autofree uint32_t *ids =
            number_nodes(s, s->form->profile->threads[selection->threads[i]].tree);
        ok = ids != NULL;
    }
    return ok || af_memory_error_set(error);
}

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    samples *s = user;
    s->thread = thread;
    s->ids = number_nodes(s, s->form->profile->threads[thread].tree);
    return s->ids != NULL || af_memory_error_set(error);
}

static gboolean put_sample(void *user, const af_export_slice *slice, GError **error)
{
    samples *s = user;
    af_out *out = s->form->out;
    af_chrome_form_begin_event(s->form);
    af_json_string(out, s->event);
    af_chrome_form_put_us(s->form, ",\"ts\":", slice->begin_ns);
    af_chrome_form_put_ids(s->form, s->thread);
    af_out_number(out, ",\"sf\":\"", s->ids[slice->node], "\",\"weight\":");
    af_out_decimal(out, slice->end_ns - slice->begin_ns, s->unit->counted ? s->unit->digits : 3);
    af_out_char(out, '}');
    return out->error == NULL || af_export_stop(error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    (void)thread, (void)round, (void)error;
    samples *s = user;
    g_clear_pointer(&s->ids, g_free);
    return TRUE;
}

static gboolean put_all(samples *s, GError **error)
{
    af_out *out = s->form->out;
    const af_export_slice_observer observer = {1, begin_thread, put_sample, end_thread, s};
    af_chrome_form_begin(s->form);
    af_json_string_after(out,
                         ",\"" AF_TRACE_WEIGHT_UNIT "\":", s->unit->counted ? s->unit->name : "us");
    af_out_texts(out, s->form->profile->facts.threadless ? ",\"" AF_TRACE_THREADLESS "\":true" : "",
                 "},\"traceEvents\":[");
    af_chrome_form_put_names(s->form);
    if (!put_frames(s, error)) {
        return FALSE;
    }
    af_out_text(out, "},\"samples\":[");
    s->form->any = FALSE;
    const gboolean ok =
        af_export_slices_walk_samples(s->form->profile, s->form->selection, &observer, error);
    af_out_text(out, "\n]}\n");
    return ok;
}

/* Perfetto reads `traceEvents` only. */
static void report_viewers(const af_selection *selection)
{
    if (selection->messages != NULL) {
        g_ptr_array_add(selection->messages,
                        g_strdup("the Chrome trace holds samples, which ui.perfetto.dev does not "
                                 "show; a Perfetto trace (.pftrace) holds them too"));
    }
}

gboolean af_chrome_samples_put(af_chrome_form *form, GError **error)
{
    samples s = {.form = form,
                 .unit = &form->profile->facts.weights.unit,
                 .event = af_export_slices_measure(form->profile, form->selection)};
    af_idmap_init_hashed(&s.frames, NULL);
    const gboolean ok = put_all(&s, error);
    if (ok) {
        af_export_slices_report_untimed(form->selection, "Chrome");
        report_viewers(form->selection);
    }
    af_idmap_clear(&s.frames);
    g_free(s.ids);
    return ok;
}
