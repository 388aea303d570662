/* Lists the calls of some methods. */
#include "base/memory_error.h"
#include "api/call_selection.h"
#include "api/view.h"
#include "calls/call_store.h"
#include "report/calls.h"
#include "report/format.h"

#include <string.h>

#define DEFAULT_WIDTH 100

struct af_call_list {
    af_call_selection selection;
    char *pattern;
    af_call_store *store;
};

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
    af_call_follower *follower;
    uint64_t n;
    list->store =
        af_call_store_new(selection->shown->n_labels, selection->clocks, selection->clock, most);
    if (list->store == NULL) {
        return af_memory_error_set(error);
    }
    if (!af_call_selection_walk(selection, options, af_call_store_add, list->store, NULL, &follower,
                                &n, error)) {
        return FALSE;
    }
    if (!af_call_store_close(list->store)) {
        return af_memory_error_set(error);
    }
    if (n == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "\"%s\" is not called in what is shown",
                    list->pattern);
        return FALSE;
    }
    return TRUE;
}

af_call_list *af_call_list_new(const af_profile *profile, const char *pattern,
                               const af_call_list_options *options, GError **error)
{
    const af_call_list_options known = af_call_selection_complete(options);
    af_call_list *list = g_new0(af_call_list, 1);
    list->pattern = g_utf8_make_valid(pattern, -1);
    if (!af_call_selection_open(&list->selection, profile, pattern, &known, error) ||
        !fill_store(list, &known, error)) {
        af_call_list_free(list);
        return NULL;
    }
    return list;
}

uint64_t af_call_list_n(const af_call_list *list)
{
    return af_call_store_n(list->store);
}

uint32_t af_call_list_n_kept(const af_call_list *list)
{
    uint32_t n;
    af_call_store_calls(list->store, &n);
    return n;
}

gboolean af_call_list_at(const af_call_list *list, uint32_t index, af_call_view *view)
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
        .early = call->begin == AF_BEGIN_EARLY,
        .cut_begin = call->begin == AF_BEGIN_CUT,
        .cut_end = call->cut,
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
    const af_call *longest = NULL;
    uint32_t n;
    const af_call *calls = af_call_store_calls(list->store, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (longest == NULL || af_call_time_ns(&calls[i], list->selection.clock) >
                                   af_call_time_ns(longest, list->selection.clock)) {
            longest = &calls[i];
        }
    }
    return longest != NULL ? longest->number : 0;
}

af_report *af_report_new_calls(const af_call_list *list, const char *format,
                               const af_report_options *options, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    if (options != NULL) {
        memcpy(&known, options, MIN(options->size, sizeof known));
    }
    const af_report_format *wanted = af_report_format_lookup(format);
    if (wanted == NULL || wanted->needs_input) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "there is no format \"%s\" for calls", format);
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
        .book = list->store,
        .pattern = list->pattern,
        .sort = known.sort,
        .top = known.top};
    af_report *report = af_report_make_calls(&request, wanted, error);
    if (report != NULL) {
        report->input = known.input_name != NULL ? g_utf8_make_valid(known.input_name, -1) : NULL;
        report->width = known.width > 0 ? known.width : DEFAULT_WIDTH;
        report->spreadsheet = known.spreadsheet;
    }
    return report;
}
