#include "cli/budgets.h"
#include "cli/outputs.h"

#include <stdio.h>

/* A budget of more than this is a mistake. */
#define MOST_BYTES (4 << 20)

af_budget *af_budgets_read(const af_options *o, af_exit *status)
{
    GError *error = NULL;
    char *text = NULL;
    gsize length = 0;
    af_budget *budget = NULL;
    *status = AF_EXIT_INPUT;
    if (!g_file_get_contents(o->budget, &text, &length, &error)) {
        af_message_print(o->budget, "cannot be read: %s", error->message);
    } else if (length > MOST_BYTES || !g_utf8_validate_len(text, length, NULL)) {
        af_message_print(o->budget,
                         "is not a budget file: it is not text in UTF-8 of at most 4 MB");
        *status = AF_EXIT_USAGE;
    } else {
        budget = af_budget_new(text, &error);
        if (budget == NULL) {
            *status = af_message_fail(o->budget, error);
        }
    }
    g_clear_error(&error);
    g_free(text);
    return budget;
}

static gboolean print_bytes(void *user, const void *bytes, size_t length, GError **error)
{
    (void)error;
    return fwrite(bytes, 1, length, user) == length;
}

af_exit af_budgets_print(const af_budget *budget)
{
    GError *error = NULL;
    const gboolean ok = af_budget_write(budget, "text", print_bytes, stderr, &error);
    g_clear_error(&error);
    return ok ? AF_EXIT_DONE : AF_EXIT_OUTPUT;
}

af_exit af_budgets_update(const af_options *o, const af_budget *budget)
{
    GError *error = NULL;
    char *text = af_budget_updated(budget, o->margin_c > 0 ? (unsigned)o->margin_c - 1 : 1000);
    const gboolean ok = g_file_set_contents(o->budget, text, -1, &error);
    if (!ok) {
        af_message_print(o->budget, "cannot be written: %s", error->message);
        g_error_free(error);
    }
    g_free(text);
    return ok ? AF_EXIT_DONE : AF_EXIT_OUTPUT;
}
