#include "api/sandwich.h"

#include <aflame/error.h>

#include "base/memory_error.h"
#include "base/number.h"
#include "model/select.h"

/* Sums of the threads by label. */
typedef struct {
    uint64_t *self_ns, *inclusive_ns;
    uint8_t *called;
} totals;

static void clear_totals(totals *sums)
{
    g_free(sums->self_ns);
    g_free(sums->inclusive_ns);
    g_free(sums->called);
}

/* Recursion counts several times, which only affects the choice, as the widths of waiting do. */
static void add_tree(totals *sums, const af_tree *tree, af_clock clock)
{
    const uint64_t *times = af_tree_widths(tree, clock);
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t label = tree->label[i];
        sums->called[label] = 1;
        sums->self_ns[label] += times != NULL ? af_tree_self_widths(tree, clock)[i] : 0;
        sums->inclusive_ns[label] += times != NULL ? times[i] : 0;
    }
}

static gboolean calls(const af_tree *tree, uint32_t label)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        if (tree->label[i] == label) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The label with the most time, AF_NO_LABEL if none is allowed. */
static uint32_t find_most(const af_profile *profile, const totals *sums, const uint64_t *times,
                          const guint8 *allowed, gboolean idle)
{
    uint32_t most = AF_NO_LABEL;
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        if (sums->called[l] && (allowed == NULL || allowed[l]) &&
            (idle || (profile->labels[l].category != AF_CATEGORY_IDLE &&
                      profile->labels[l].category != AF_CATEGORY_BLOCKED)) &&
            (most == AF_NO_LABEL || times[l] > times[most])) {
            most = l;
        }
    }
    return most;
}

static void report_choice(const af_profile *profile, const char *pattern, const guint8 *matches,
                          const totals *sums, uint32_t method, GPtrArray *messages)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        n += matches[l] && sums->called[l];
    }
    if (n > 1) {
        char count[AF_NUMBER_SIZE];
        g_ptr_array_add(messages,
                        g_strdup_printf("--method '%s' matches %s methods: drew %s, which has the "
                                        "most time; --method '=NAME' selects another one",
                                        pattern, af_number_count(count, n),
                                        profile->labels[method].text));
    }
}

static gboolean choose_label(const af_profile *profile, const char *pattern, const totals *sums,
                             uint32_t *method, GPtrArray *messages, GError **error)
{
    if (pattern == NULL) {
        *method = find_most(profile, sums, sums->self_ns, NULL, FALSE);
        if (*method == AF_NO_LABEL) {
            *method = find_most(profile, sums, sums->self_ns, NULL, TRUE);
        }
        if (*method == AF_NO_LABEL) {
            g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "the selected threads have no calls");
        }
        return *method != AF_NO_LABEL;
    }
    g_autofree guint8 *matches = af_select_labels(profile, pattern, error);
    if (matches == NULL) {
        return FALSE;
    }
    *method = find_most(profile, sums, sums->inclusive_ns, matches, TRUE);
    if (*method == AF_NO_LABEL) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING,
                    "the selected threads never call a method that matches '%s'", pattern);
    } else {
        report_choice(profile, pattern, matches, sums, *method, messages);
    }
    return *method != AF_NO_LABEL;
}

static void keep_callers(const af_profile *profile, GArray *threads, gboolean chosen,
                         uint32_t method)
{
    for (guint i = threads->len; i-- > 0;) {
        if (!calls(profile->threads[g_array_index(threads, uint32_t, i)].tree, method)) {
            g_array_remove_index(threads, i);
        }
    }
    const gboolean all = threads->len == 0 && !chosen;
    for (uint32_t i = 0; all && i < profile->n_threads; i++) {
        if (calls(profile->threads[i].tree, method)) {
            g_array_append_val(threads, i);
        }
    }
}

gboolean af_sandwich_choose(const af_profile *profile, const char *pattern, af_clock clock,
                            GArray *threads, gboolean chosen, uint32_t *method, GPtrArray *messages,
                            GError **error)
{
    totals sums = {0};
    const gsize n = (gsize)profile->n_labels + 1;
    sums.self_ns = g_try_new0(uint64_t, n);
    sums.inclusive_ns = g_try_new0(uint64_t, n);
    sums.called = g_try_new0(uint8_t, n);
    gboolean ok = sums.self_ns != NULL && sums.inclusive_ns != NULL && sums.called != NULL;
    if (!ok) {
        af_memory_error_set(error);
    } else {
        /* Adds the times of the chosen threads or, if these are only the default ones, of all. */
        const gboolean all = !chosen && pattern != NULL;
        for (guint i = 0; !all && i < threads->len; i++) {
            add_tree(&sums, profile->threads[g_array_index(threads, uint32_t, i)].tree, clock);
        }
        for (uint32_t i = 0; all && i < profile->n_threads; i++) {
            add_tree(&sums, profile->threads[i].tree, clock);
        }
        ok = choose_label(profile, pattern, &sums, method, messages, error);
    }
    if (ok) {
        keep_callers(profile, threads, chosen, *method);
    }
    clear_totals(&sums);
    return ok;
}
