/* Lists the calls of methods, and makes a profile of a single call. */
#include "api/autoptr.h"
#include "base/memory_error.h"
#include "base/options.h"
#include "api/view.h"
#include "api/report_options.h"
#include "calls/call_selection.h"
#include "calls/call_store.h"
#include "calls/single_call.h"
#include "report/calls.h"
#include "report/format.h"
#include "transform/reshape.h"
#include "transform/step.h"

#include <string.h>

struct af_call_list {
    af_call_selection selection;
    char *pattern;
    af_call_store *store;
};

static gboolean complete_options(const af_call_list_options *options, af_call_list_options *known,
                                 GError **error)
{
    *known = (af_call_list_options)AF_CALL_LIST_OPTIONS_INIT;
    const gboolean ok = af_options_take(known, sizeof *known, options, error);
    known->limit = known->limit == 0 ? UINT32_MAX : known->limit;
    return ok;
}

static gboolean check_steps(const af_profile *profile, const af_call_list_options *options,
                            GError **error)
{
    const char *objection = NULL;
    for (size_t i = 0; objection == NULL && i < options->n_steps; i++) {
        const af_step_class *class = af_step_class_at(options->steps[i].kind);
        objection = class != NULL ? class->no_calls : NULL;
    }
    if (objection == NULL && profile->n_steps > 0) {
        objection = "calls can be listed only before a profile is reshaped; pass the steps to the "
                    "list instead";
    }
    if (objection != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, objection);
    }
    return objection == NULL;
}

static gboolean open_selection(af_call_selection *selection, const af_profile *profile,
                               const char *pattern, const af_call_list_options *options,
                               GError **error)
{
    af_lineage *lineage = NULL;
    if (!check_steps(profile, options, error)) {
        return FALSE;
    }
    af_profile *shown = options->n_steps > 0 ? af_reshape_run(profile, options->steps,
                                                              options->n_steps, &lineage, error)
                                             : (af_profile *)af_profile_hold(profile);
    return shown != NULL &&
           af_call_selection_open(selection, profile, shown, lineage, pattern, options, error);
}

void af_call_list_free(af_call_list *list)
{
    if (list != NULL) {
        af_call_store_free(list->store);
        af_call_selection_close(&list->selection);
        g_free(list->pattern);
        g_free(list);
    }
}

static gboolean fill_store(af_call_list *list, const af_call_list_options *options, GError **error)
{
    const af_call_selection *selection = &list->selection;
    const uint32_t most = MIN(options->limit, AF_CALL_STORE_MOST);
    uint64_t n;
    list->store =
        af_call_store_new(selection->shown->n_labels, selection->clocks, selection->clock, most);
    if (list->store == NULL) {
        return af_memory_error_set(error);
    }
    if (!af_call_selection_walk(selection, options, af_call_store_add, list->store, &n, error)) {
        return FALSE;
    }
    if (!af_call_store_close(list->store)) {
        return af_memory_error_set(error);
    }
    if (n == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING,
                    "\"%s\" is never called in the selected part", list->pattern);
        return FALSE;
    }
    return TRUE;
}

af_call_list *af_call_list_new(const af_profile *profile, const char *pattern,
                               const af_call_list_options *options, GError **error)
{
    af_call_list_options known;
    if (!complete_options(options, &known, error)) {
        return NULL;
    }
    g_autoptr(af_call_list) list = g_new0(af_call_list, 1);
    list->pattern = g_utf8_make_valid(pattern, -1);
    return !open_selection(&list->selection, profile, pattern, &known, error) ||
                   !fill_store(list, &known, error)
               ? NULL
               : g_steal_pointer(&list);
}

uint64_t af_call_list_n(const af_call_list *list)
{
    return af_call_store_n(list->store);
}

uint32_t af_call_list_size(const af_call_list *list)
{
    uint32_t n;
    af_call_store_calls(list->store, &n);
    return n;
}

bool af_call_list_at(const af_call_list *list, uint32_t index, af_call_view *view)
{
    const af_profile *shown = list->selection.shown;
    uint32_t n;
    const af_call *calls = af_call_store_calls(list->store, &n);
    if (index >= n) {
        return FALSE;
    }
    const af_call *call = &calls[index];
    af_call_view full = {
        .number = call->number,
        .method = shown->labels[call->label].text,
        .caller = call->caller == AF_NO_LABEL ? NULL : shown->labels[call->caller].text,
        .thread = shown->threads[call->thread].title,
        .depth = call->depth,
        .nested = call->nested,
        .end = call->end,
        .open_at_begin = call->begin == AF_BEGIN_EARLY,
        .cut_begin = call->begin == AF_BEGIN_CUT,
        .cut_end = call->cut,
        .has_runnable = call->has_runnable,
        .runnable_ns = call->runnable_ns,
        .self_runnable_ns = call->self_runnable_ns,
        .slept_ns = call->slept_ns,
        .waker =
            call->slept_ns > 0 && call->waker < shown->n_wakers ? shown->wakers[call->waker] : NULL,
    };
    memcpy(full.begin_ns, call->begin_ns, sizeof full.begin_ns);
    for (unsigned c = 0; c < G_N_ELEMENTS(full.time_ns); c++) {
        const gboolean known = af_call_has(call, (af_clock)c);
        full.time_ns[c] = known ? af_call_time_ns(call, (af_clock)c) : 0;
        full.self_ns[c] = known ? af_call_self_ns(call, (af_clock)c) : 0;
    }
    af_view_fill(view, view->size, &full, sizeof full);
    return TRUE;
}

uint64_t af_call_list_longest(const af_call_list *list)
{
    const af_call *longest = af_call_store_longest(list->store);
    return longest != NULL ? longest->number : 0;
}

af_report *af_report_new_calls(const af_call_list *list, const char *format,
                               const af_report_options *options, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    const af_report_format *wanted =
        af_report_take_options(options, format, "calls", &known, error);
    if (wanted == NULL) {
        return NULL;
    }
    const af_call_selection *selection = &list->selection;
    const af_calls_request request = {
        .scope = {.profile = selection->shown,
                  .clocks = selection->clocks,
                  .first = (int)selection->clock,
                  .threads = (const uint32_t *)(const void *)selection->threads->data,
                  .n_threads = selection->threads->len,
                  .n_left_out = selection->n_left_out},
        .store = list->store,
        .pattern = list->pattern,
        .sort = known.sort,
        .top = known.top};
    return af_report_set_page(af_report_make_calls(&request, wanted, error), &known);
}

/* Applies the steps to the extracted profile and extracts the call with its callees. */
static af_profile *reshape_call(const af_profile *extracted, const af_single_call *call,
                                const af_call_list_options *options, GError **error)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(af_step));
    for (size_t i = 0; i < options->n_steps; i++) {
        const af_step_kind kind = options->steps[i].kind;
        if (kind != AF_STEP_THREADS && kind != AF_STEP_MERGE_THREADS) { /* there is only one
                                                                           thread */
            g_array_append_val(steps, options->steps[i]);
        }
    }
    /* each node above the call has one child, so numbers are depths */
    return af_reshape_below(extracted, (const af_step *)(const void *)steps->data, steps->len, 0,
                            call->depth, error);
}

af_profile *af_profile_extract_call(const af_profile *profile, const char *pattern, uint64_t number,
                                    const af_call_list_options *options, GError **error)
{
    af_call_list_options known;
    if (!complete_options(options, &known, error)) {
        return NULL;
    }
    af_call_selection selection = {0};
    af_single_call call;
    g_autoptr(af_profile) extracted = NULL;
    af_profile *made = NULL;
    if (open_selection(&selection, profile, pattern, &known, error)) {
        extracted = af_single_call_extract(&selection, number, &known, &call, error);
    }
    if (extracted != NULL) {
        made = reshape_call(extracted, &call, &known, error);
    }
    if (made != NULL && !af_single_call_name(made, &selection, &call)) {
        af_memory_error_set(error);
        g_clear_pointer(&made, af_profile_free);
    }
    af_call_selection_close(&selection);
    return made;
}
