#include <aflame/budget.h>

#include "api/field.h"
#include "base/named.h"
#include "compare/budget.h"
#include "report/diff/budget_format.h"

static const af_budget_entry *entry_at(const af_budget *budget, guint i)
{
    return &g_array_index(budget->entries, af_budget_entry, i);
}

bool af_budget_needs_calls(const af_budget *budget)
{
    for (guint i = 0; i < budget->entries->len; i++) {
        if (entry_at(budget, i)->measure == AF_MEASURE_P95) {
            return TRUE;
        }
    }
    return FALSE;
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

unsigned af_budget_n_untested(const af_budget *budget)
{
    unsigned n = 0;
    for (guint i = 0; i < budget->entries->len; i++) {
        n += af_budget_judge(entry_at(budget, i)) == AF_BUDGET_UNTESTED ? 1 : 0;
    }
    return n;
}

AF_FIELD_OF(const char *, af_budget_format_name, af_budget_format_at, name)
AF_FIELD_OF(const char *, af_budget_format_title, af_budget_format_at, title)
AF_FIELD_OF(const char *, af_budget_format_extension, af_budget_format_at, extension)

bool af_budget_write(const af_budget *budget, const char *format, af_write_func write, void *user,
                     GError **error)
{
    const int number = af_named_find(af_budget_format_name, format);
    if (number < 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown format \"%s\" for budgets", format);
        return FALSE;
    }
    g_autoptr(GArray) lines = af_budget_list(budget);
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    af_budget_format_at((unsigned)number)->write(lines, &budget->unit, out);
    return af_out_close(out, error);
}
