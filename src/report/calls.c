#include "report/calls.h"

#include "base/memory_error.h"
#include "report/format.h"

/* Sorts the existing rows: a list that was cut short is sorted as far as it goes. */
static gboolean sort_calls(af_table *table, const af_calls_request *request, af_clock first,
                           GError **error)
{
    const int longest = af_table_find_word(table, af_clock_word(first));
    const char *sort = g_strcmp0(request->sort, "time") == 0    ? af_clock_word(first)
                       : g_strcmp0(request->sort, "first") == 0 ? "start"
                                                                : request->sort;
    const int column = sort == NULL ? longest : af_table_find_word(table, sort);
    if (column < 0) {
        af_report_refuse_sort(table, request->sort, error);
        return FALSE;
    }
    if (!af_table_sort_first(table, (unsigned)column, af_table_find(table, "number"),
                             request->top)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

static gboolean keep(af_report *report, af_table *table, GError **error)
{
    if (table == NULL) {
        return af_memory_error_set(error);
    }
    g_ptr_array_add(report->tables, table);
    return TRUE;
}

static gboolean add_sums(const af_calls_context *making, af_report *report, GError **error)
{
    af_table *called = af_table_of_called(making);
    return keep(report, called, error) &&
           (af_table_sort_first(called, (unsigned)af_table_find_word(called, "total"), -1,
                                making->request->top) ||
            af_memory_error_set(error)) &&
           keep(report, af_table_of_durations(making), error);
}

static gboolean add_calls(const af_calls_context *making, af_report *report, GError **error)
{
    af_table *calls = af_table_of_calls(making);
    if (calls != NULL && !sort_calls(calls, making->request, making->clocks[0], error)) {
        af_table_free(calls);
        return FALSE;
    }
    return keep(report, calls, error);
}

af_report *af_report_make_calls(const af_calls_request *wanted, const af_report_format *format,
                                GError **error)
{
    af_calls_request own = *wanted;
    const af_calls_request *request = &own;
    af_report *report = af_report_open(&own.scope, format, error);
    if (report == NULL) {
        return NULL;
    }
    af_calls_context making = {.request = request, .arena = report->arena};
    making.n_clocks = af_scope_clocks(&request->scope, making.clocks);
    const af_profile *profile = request->scope.profile;
    uint32_t n;
    const af_call *calls = af_call_store_calls(request->store, &n);
    gboolean any = !af_profile_counts_calls(profile);
    for (uint32_t i = 0; i < n && !any; i++) {
        any = !af_thread_counts_calls(profile, &profile->threads[calls[i].thread]);
    }
    making.sampled = any;
    const gboolean ok = (format->one_table || add_sums(&making, report, error)) &&
                        add_calls(&making, report, error);
    return af_report_finish(report, ok, error);
}
