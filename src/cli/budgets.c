#include "cli/budgets.h"
#include "cli/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A budget of more than this is a mistake. */
#define MOST_BYTES ((size_t)4 << 20)

/* At most one byte more than that, followed by a zero byte. Returns NULL with errno. */
static char *read_start(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    char *text = g_malloc(MOST_BYTES + 2);
    *length = fread(text, 1, MOST_BYTES + 1, file);
    text[*length] = '\0';
    const int reason = errno;
    if (ferror(file) != 0) {
        g_clear_pointer(&text, g_free);
    }
    fclose(file);
    errno = reason;
    return text;
}

/* The budget that --update-budget begins a file with; the limit becomes what main took. */
static const char new_budget[] =
    "# Written by aflame check --update-budget. Add a group for each method that matters.\n"
    "[main]\n"
    "thread = main\n"
    "method = **\n"
    "limit = 0\n";

/* The text of the file, or of the one that this run creates. NULL with errno. */
static char *read_or_begin(const af_options *o, size_t *length)
{
    char *text = read_start(o->budget, length);
    if (text == NULL && errno == ENOENT && o->update_budget) {
        af_message_print(o->budget, "is new: it limits the time of main; add a group for each "
                                    "method that matters");
        *length = strlen(new_budget);
        text = g_strdup(new_budget);
    }
    return text;
}

af_budget *af_budgets_read(const af_options *o, af_exit *status)
{
    GError *error = NULL;
    size_t length = 0;
    g_autofree char *text = read_or_begin(o, &length);
    af_budget *budget = NULL;
    *status = AF_EXIT_INPUT;
    if (text == NULL) {
        af_message_print(o->budget, "cannot read: %s", g_strerror(errno));
    } else if (length > MOST_BYTES || !g_utf8_validate_len(text, length, NULL)) {
        af_message_print(o->budget,
                         "is not a budget file; a budget file is UTF-8 text of at most 4 MB");
        *status = AF_EXIT_USAGE;
    } else {
        budget = af_budget_new(text, &error);
        if (budget == NULL) {
            *status = af_message_fail(o->budget, error);
        }
    }
    return budget;
}

static bool print_bytes(void *user, const void *bytes, size_t length, GError **error)
{
    return fwrite(bytes, 1, length, user) == length;
}

af_exit af_budgets_print(const af_budget *budget)
{
    g_autoptr(GError) error = NULL;
    const gboolean ok = af_budget_write(budget, "text", print_bytes, stderr, &error);
    return ok ? AF_EXIT_DONE : AF_EXIT_OUTPUT;
}

static gboolean write_text(void *user, af_target *target, af_write_func write, void *to,
                           GError **error)
{
    return write(to, user, strlen(user), error);
}

af_exit af_budgets_update(const af_options *o, const af_budget *budget)
{
    g_autofree char *text = af_budget_updated(budget, 1000); /* 10 % */
    af_target target = {.path = g_strdup(o->budget)};
    g_autoptr(GPtrArray) targets = g_ptr_array_new();
    g_ptr_array_add(targets, &target);
    const af_exit status = af_targets_write(targets, NULL, write_text, text);
    g_free(target.path);
    return status;
}
