#include <aflame/budget.h>
#include <aflame/calls.h>

#include "compare/budget.h"
#include "report/diff/budget_format.h"

af_budget *af_budget_new(const char *text, GError **error)
{
    return af_budget_parse(text, error);
}

void af_budget_free(af_budget *budget)
{
    af_budget_destroy(budget);
}

static const af_budget_entry *entry_at(const af_budget *budget, guint i)
{
    return &g_array_index(budget->entries, af_budget_entry, i);
}

gboolean af_budget_needs_calls(const af_budget *budget)
{
    for (guint i = 0; i < budget->entries->len; i++) {
        if (entry_at(budget, i)->measure == AF_MEASURE_P95) {
            return TRUE;
        }
    }
    return FALSE;
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* The time that 95 % of the calls do not exceed. */
static uint64_t find_p95(const af_call_list *list, af_clock clock)
{
    const uint32_t n = af_call_list_size(list);
    GArray *times = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), n);
    for (uint32_t i = 0; i < n; i++) {
        af_call_view call = AF_CALL_VIEW_INIT;
        af_call_list_at(list, i, &call);
        g_array_append_val(times, call.time_ns[clock]);
    }
    g_array_sort(times, compare_times);
    const uint64_t rank = n > 0 ? ((uint64_t)n * 95 + 99) / 100 - 1 : 0;
    const uint64_t p95 = n > 0 ? g_array_index(times, uint64_t, rank) : 0;
    g_array_unref(times);
    return p95;
}

/* A profile without such calls has 0. */
static gboolean measure_p95(const af_budget_entry *e, const af_profile *profile, uint64_t *p95,
                            GError **error)
{
    const char *const threads[] = {e->thread, NULL};
    af_call_list_options options = AF_CALL_LIST_OPTIONS_INIT;
    GError *why = NULL;
    options.threads = e->thread != NULL ? threads : NULL;
    options.clock = e->clock;
    options.limit = UINT32_MAX;
    af_call_list *list = af_call_list_new(profile, e->method, &options, &why);
    const af_clock clock =
        e->clock == AF_CLOCK_DEFAULT ? af_profile_default_clock(profile) : e->clock;
    *p95 = list != NULL ? find_p95(list, clock) : 0;
    af_call_list_free(list);
    if (why != NULL && g_error_matches(why, AF_ERROR, AF_ERROR_NOTHING)) {
        g_clear_error(&why);
    }
    if (why != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "[%s] cannot measure p95: %s", e->name,
                    why->message);
        g_error_free(why);
        return FALSE;
    }
    return TRUE;
}

gboolean af_budget_add(af_budget *budget, af_side side, const af_profile *profile, GError **error)
{
    uint64_t *p95 = g_new0(uint64_t, (gsize)budget->entries->len + 1);
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < budget->entries->len; i++) {
        const af_budget_entry *e = entry_at(budget, i);
        ok = e->measure != AF_MEASURE_P95 || measure_p95(e, profile, &p95[i], error);
    }
    ok = ok && af_budget_measure(budget, side, profile, p95, error);
    g_free(p95);
    return ok;
}

unsigned af_budget_n(const af_budget *budget)
{
    return budget->entries->len;
}

unsigned af_budget_n_failed(const af_budget *budget)
{
    unsigned n = 0;
    for (guint i = 0; i < budget->entries->len; i++) {
        n += af_budget_fails(af_budget_judge(entry_at(budget, i))) ? 1 : 0;
    }
    return n;
}

const char *af_budget_format_name(unsigned index)
{
    const af_budget_format *format = af_budget_format_at(index);
    return format != NULL ? format->name : NULL;
}

const char *af_budget_format_title(unsigned index)
{
    const af_budget_format *format = af_budget_format_at(index);
    return format != NULL ? format->title : NULL;
}

const char *af_budget_format_extension(unsigned index)
{
    const af_budget_format *format = af_budget_format_at(index);
    return format != NULL ? format->extension : NULL;
}

gboolean af_budget_write(const af_budget *budget, const char *format, af_write_func write,
                         void *user, GError **error)
{
    const af_budget_format *wanted = NULL;
    for (unsigned i = 0; af_budget_format_at(i) != NULL; i++) {
        if (g_strcmp0(af_budget_format_at(i)->name, format) == 0) {
            wanted = af_budget_format_at(i);
        }
    }
    if (wanted == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "there is no format \"%s\" for budgets",
                    format);
        return FALSE;
    }
    GArray *lines = af_budget_list(budget);
    af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    wanted->write(lines, &budget->unit, out);
    const gboolean sent = af_out_close(out, error);
    g_free(out);
    g_array_unref(lines);
    return sent;
}

char *af_budget_updated(const af_budget *budget, unsigned margin_c)
{
    return af_budget_update(budget, margin_c);
}
