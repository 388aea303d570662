/* The tables of dmtracedump as a report format. They come from the records, not from the call
 * trees, so the input is read again while the profile is open. */
#include "base/memory_error.h"
#include "report/dmtracedump/dmtrace.h"
#include "report/format.h"

typedef struct {
    af_dmtrace_names names;
    af_dmtrace_options options;
    af_dmtrace sums;
} own_tables;

static void free_tables(gpointer user)
{
    g_autofree own_tables *own = user;
    af_dmtrace_clear(&own->sums);
    af_dmtrace_options_clear(&own->options);
    af_dmtrace_names_clear(&own->names);
}

static gboolean gather(af_report *report, const af_report_request *request, GError **error)
{
    own_tables *own = g_new0(own_tables, 1);
    report->own = own;
    report->free_own = free_tables;
    af_dmtrace_names_init(&own->names, request->quirks);
    if (!af_dmtrace_begin(&own->names, &own->options, request, error)) {
        return FALSE;
    }
    af_dmtrace_init(&own->sums, &own->names, &own->options);
    const af_event_consumer consumer = af_dmtrace_listener(&own->sums);
    return request->read(request->scope.profile, &consumer, error) &&
           (af_dmtrace_finish(&own->sums) || af_memory_error_set(error));
}

static gboolean write_tables(const af_report *const *reports, unsigned n, af_out *out,
                             GError **error)
{
    for (unsigned i = 0; i < n; i++) {
        own_tables *own = reports[i]->own;
        if (!af_dmtrace_write(&own->sums, out)) {
            return af_memory_error_set(error);
        }
    }
    return TRUE;
}

const af_report_format af_report_format_dmtracedump = {
    .name = "dmtracedump",
    .extension = "dmtracedump",
    .title = "the four tables of dmtracedump",
    .gather = gather,
    .write = write_tables,
    .alone = TRUE,
    .needs_input = TRUE,
};
