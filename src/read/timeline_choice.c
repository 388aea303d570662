/* Chooses the processes to draw. */
#include <string.h>
#include <aflame/error.h>

#include "read/timeline_state.h"

/* Android gives apps user ids from this one on, for each user of the device. */
#define FIRST_APP     10000
#define IDS_OF_A_USER 100000

/* The most processes that an error names. */
#define MOST_NAMED 12u

static af_span name_of(const af_timeline *t, uint32_t process)
{
    return af_texts_get(&t->texts, af_tasks_process_name(t->tasks, process));
}

static gboolean is_of_system(const af_timeline *t, uint32_t process)
{
    const af_span name = name_of(t, process);
    const int64_t uid = af_tasks_uid(t->tasks, process);
    return (uid >= 0 && uid % IDS_OF_A_USER < FIRST_APP) || af_span_is(name, "system_server") ||
           af_span_is(name, "surfaceflinger") || af_span_is(name, "/system/bin/surfaceflinger");
}

/* The busiest process that is not part of the system; the busiest of all if there is none; and what
 * belongs to no process. */
static void choose_app(af_timeline *t, const uint64_t *weights)
{
    uint32_t best = AF_NO_TASK;
    for (unsigned round = 0; round < 2 && best == AF_NO_TASK; round++) {
        for (uint32_t i = 0; i < t->n_drawn; i++) {
            const gboolean fits = weights[i] > 0 && (round > 0 || !is_of_system(t, i));
            if (fits && (best == AF_NO_TASK || weights[i] > weights[best])) {
                best = i;
            }
        }
    }
    if (best != AF_NO_TASK) {
        t->drawn[best] = 1;
    }
    t->drawn[t->n_drawn] = 1; /* what belongs to no process */
}

/* By pid or name; by a part of the name if no name is equal. */
static gboolean choose_named(af_timeline *t, const char *wanted)
{
    gboolean any = FALSE;
    char *folded = g_utf8_strdown(wanted, -1);
    for (unsigned round = 0; round < 2 && !any; round++) {
        for (uint32_t i = 0; i < t->n_drawn; i++) {
            char pid[24];
            const af_span name = name_of(t, i);
            char *text = g_strndup(name.bytes, MIN(name.length, (size_t)4096));
            char *lower = g_ascii_strdown(text, -1);
            g_snprintf(pid, sizeof pid, "%" G_GINT64_FORMAT, af_tasks_pid(t->tasks, i));
            const gboolean fits = round == 0 ? strcmp(pid, wanted) == 0 || strcmp(text, wanted) == 0
                                             : strstr(lower, folded) != NULL;
            t->drawn[i] = fits != FALSE;
            any |= fits;
            g_free(lower);
            g_free(text);
        }
    }
    g_free(folded);
    return any;
}

static void refuse(const af_timeline *t, const uint64_t *weights, GError **error)
{
    GString *list = g_string_new(NULL);
    unsigned n = 0;
    for (uint32_t i = 0; i < t->n_drawn && n < MOST_NAMED; i++) {
        const af_span name = name_of(t, i);
        if (weights[i] > 0) {
            const gint64 pid = af_tasks_pid(t->tasks, i);
            g_string_append(list, n++ > 0 ? ", " : "");
            if (name.length > 0) {
                g_string_append_printf(list, "%.*s (%" G_GINT64_FORMAT ")",
                                       (int)MIN(name.length, 200u), name.bytes, pid);
            } else {
                g_string_append_printf(list, "process %" G_GINT64_FORMAT, pid);
            }
        }
    }
    char *shown = g_utf8_make_valid(list->str, (gssize)list->len);
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "no process is called \"%s\"; this file has %s",
                t->process, n > 0 ? shown : "none");
    g_free(shown);
    g_string_free(list, TRUE);
}

void af_timeline_set_own(af_timeline *t, unsigned facts)
{
    t->is_own = TRUE;
    af_slices_set_facts(t->slices, facts);
}

gboolean af_timeline_chooses(const af_timeline *t)
{
    return t->process != NULL ? strcmp(t->process, "all") != 0 : !t->is_own;
}

gboolean af_timeline_choose_processes(af_timeline *t, const uint64_t *weights, GError **error)
{
    t->n_drawn = af_tasks_n_processes(t->tasks);
    if (!af_timeline_chooses(t)) {
        return TRUE;
    }
    g_free(t->drawn);
    t->drawn = g_try_new0(uint8_t, (size_t)t->n_drawn + 1);
    if (t->drawn == NULL) {
        af_sink_fail(t->sink);
        return TRUE;
    }
    if (t->process == NULL || strcmp(t->process, "app") == 0) {
        choose_app(t, weights);
    } else if (!choose_named(t, t->process)) {
        refuse(t, weights, error);
        return FALSE;
    }
    uint64_t n_others = 0;
    for (uint32_t i = 0; i < t->n_drawn; i++) {
        n_others += weights[i] > 0 && !t->drawn[i];
    }
    if (n_others > 0) {
        af_sink_warn(t->sink, AF_WARN_OTHER_PROCESSES, n_others, AF_NO_OFFSET);
    }
    return TRUE;
}

gboolean af_timeline_draws(const af_timeline *t, uint32_t process)
{
    return t->drawn == NULL || t->drawn[MIN(process, t->n_drawn)] != 0;
}
