/* What a report for people begins with: the main thread, and waiting for work in one line. Sums of all
 * threads would begin with the waiting of daemons. */
#include "report/report.h"

#include "base/memory_error.h"
#include "model/busy.h"

/* The position in the scope of main, or of the busiest thread; n_threads = out of memory. */
static uint32_t choose_first(const af_scope *scope)
{
    const uint32_t main_thread = af_profile_find_main(scope->profile);
    const af_clock clock = af_scope_first_clock(scope);
    uint32_t first = 0;
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        if (scope->threads[i] == main_thread) {
            return i;
        }
    }
    g_autoptr(af_busy) busy = af_busy_new(scope->profile, clock == AF_WAIT ? AF_WALL : clock);
    for (uint32_t i = 1; busy != NULL && i < scope->n_threads; i++) {
        if (busy->time_ns[scope->threads[i]] > busy->time_ns[scope->threads[first]]) {
            first = i;
        }
    }
    return busy == NULL ? scope->n_threads : first;
}

/* The methods of the first `n` threads of `threads`. */
static gboolean add_part(af_report *report, const af_report_request *request,
                         const uint32_t *threads, uint32_t n, char *title, GError **error)
{
    af_report_request part = *request;
    g_autoptr(GString) whole = g_string_new(NULL);
    part.scope.threads = threads;
    part.scope.n_threads = n;
    part.scope.first = (int)af_scope_first_clock(&request->scope);
    part.folds_idle = TRUE;
    af_table *table = af_table_of_groups(&part, &af_table_kind_methods);
    if (table != NULL && report->in_parts) {
        af_report_append_times(whole, report, table->whole_ns, TRUE);
        table->title = af_arena_text(report->arena, title);
        table->subtitle = af_arena_copy(report->arena, whole->str, whole->len);
    }
    g_free(title);
    if (table == NULL) {
        return af_memory_error_set(error);
    }
    g_ptr_array_add(report->tables, table);
    return TRUE;
}

gboolean af_overview_add(af_report *report, const af_report_request *request, GError **error)
{
    const af_scope *scope = &request->scope;
    const uint32_t n = scope->n_threads, first = n > 1 ? choose_first(scope) : 0;
    if (n > 1 && first == n) {
        return af_memory_error_set(error);
    }
    report->in_parts = n > 1;
    if (n <= 1) {
        return add_part(report, request, scope->threads, n, NULL, error);
    }
    const char *name = scope->profile->threads[scope->threads[first]].title;
    g_autofree uint32_t *others = g_new(uint32_t, n);
    for (uint32_t i = 0; i + 1 < n; i++) {
        others[i] = scope->threads[i < first ? i : i + 1];
    }
    return add_part(report, request, scope->threads + first, 1,
                    g_strdup_printf("methods of %s", name), error) &&
           add_part(report, request, others, n - 1,
                    g_strdup_printf("methods of the other %s",
                                    n == 2 ? scope->thread_word : scope->threads_word),
                    error);
}
