#include "read/process_choice.h"

#include <string.h>
#include <aflame/error.h>

/* Android gives apps user ids from this one on, for each user of the device. */
#define FIRST_APP     10000
#define IDS_OF_A_USER 100000

/* The most processes that an error names. */
#define MOST_NAMED 12u

static gboolean is_of_system(const af_choosable *process)
{
    return (process->uid >= 0 && process->uid % IDS_OF_A_USER < FIRST_APP) ||
           af_span_is(process->name, "system_server") ||
           af_span_is(process->name, "surfaceflinger") ||
           af_span_is(process->name, "/system/bin/surfaceflinger");
}

static void choose_app(const af_choosable *processes, uint32_t n, uint8_t *chosen)
{
    uint32_t best = n;
    for (unsigned round = 0; round < 2 && best == n; round++) {
        for (uint32_t i = 0; i < n; i++) {
            const gboolean fits =
                processes[i].weight > 0 && (round > 0 || !is_of_system(&processes[i]));
            if (fits && (best == n || processes[i].weight > processes[best].weight)) {
                best = i;
            }
        }
    }
    if (best < n) {
        chosen[best] = 1;
    }
}

static gboolean choose_named(const char *wanted, const af_choosable *processes, uint32_t n,
                             uint8_t *chosen)
{
    gboolean any = FALSE;
    g_autofree char *folded = g_utf8_strdown(wanted, -1);
    for (unsigned round = 0; round < 2 && !any; round++) {
        for (uint32_t i = 0; i < n; i++) {
            char pid[24];
            const af_span name = processes[i].name;
            g_autofree char *text = g_strndup(name.bytes, MIN(name.length, (size_t)4096));
            g_autofree char *lower = g_ascii_strdown(text, -1);
            g_snprintf(pid, sizeof pid, "%" G_GINT64_FORMAT, processes[i].pid);
            const gboolean fits = round == 0 ? strcmp(pid, wanted) == 0 || strcmp(text, wanted) == 0
                                             : strstr(lower, folded) != NULL;
            chosen[i] = fits != FALSE;
            any |= fits;
        }
    }
    return any;
}

static void refuse(const char *wanted, const af_choosable *processes, uint32_t n, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    unsigned n_named = 0;
    for (uint32_t i = 0; i < n && n_named < MOST_NAMED; i++) {
        const af_choosable *process = &processes[i];
        if (process->weight > 0) {
            g_string_append(list, n_named++ > 0 ? ", " : "");
            if (process->name.length > 0) {
                g_string_append_printf(list, "%.*s (%" G_GINT64_FORMAT ")",
                                       (int)MIN(process->name.length, 200u), process->name.bytes,
                                       process->pid);
            } else {
                g_string_append_printf(list, "process %" G_GINT64_FORMAT, process->pid);
            }
        }
    }
    g_autofree char *shown = g_utf8_make_valid(list->str, (gssize)list->len);
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "no process is called \"%s\"; this file has %s",
                wanted, n_named > 0 ? shown : "none");
}

gboolean af_process_choose(const char *wanted, const af_choosable *processes, uint32_t n,
                           uint8_t *chosen, af_sink *sink, GError **error)
{
    if (wanted == NULL || strcmp(wanted, "app") == 0) {
        choose_app(processes, n, chosen);
    } else if (!choose_named(wanted, processes, n, chosen)) {
        refuse(wanted, processes, n, error);
        return FALSE;
    }
    uint64_t n_others = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_others += processes[i].weight > 0 && !chosen[i];
    }
    if (n_others > 0) {
        af_sink_warn(sink, AF_WARN_OTHER_PROCESSES, n_others, AF_NO_OFFSET);
    }
    return TRUE;
}
