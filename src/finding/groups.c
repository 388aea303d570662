#include "finding/groups.h"

#include <string.h>

#include "base/number.h"
#include "finding/inquiry.h"

/* A label with this share of the time of its group stands for all of it, in percent. */
#define STANDS_FOR_ALL 90

/* Slices outside of Android are those of Chrome; functions of the kernel at which its samples are
 * taken say nothing about the program. */
static const af_name dispatchers[] = {
    {"android.os.Handler*", "*"},
    {"android.os.Looper", "*"},
    {"android.os.MessageQueue", "*"},
    {"android.view.Choreographer*", "*"},
    {"android.app.ActivityThread$H", "handleMessage"},
    {"android.view.ViewRootImpl*", "*"},
    {"android.app.Instrumentation", "*"},
    {"java.util.concurrent.ThreadPoolExecutor*", "*"},
    {"java.util.concurrent.FutureTask", "run"},
    {"kotlinx.coroutines.DispatchedTask", "run"},
    {"kotlinx.coroutines.scheduling.*", "*"},
    {"kotlin.coroutines.jvm.internal.*", "resumeWith"},
    {"java.lang.reflect.Method", "invoke"},
    {"", "Choreographer#doFrame*"},
    {"", "Looper.dispatchMessage"},
    {"Looper", "dispatchMessage"},
    {"", "TaskQueueManager::*"},
    {"", "*RunTask"},
    {"", "*MESSAGE_LOOP"},
    {"", "MessagePump*"},
    {"", "_raw_spin_*"},
    {"", "*__schedule"},
    {"", "finish_task_switch*"},
    {"", "park"},
    {"", "*OnDispatchMessage"},
    {"", "*ThreadMain::Run"},
    {"", "XRE_InitChildProcess"},
    {"", "XRE_main"},
    {NULL, NULL},
};

guint8 *af_label_facts_new(const af_profile *profile)
{
    guint8 *facts = g_try_malloc0((gsize)profile->n_labels + 1);
    for (uint32_t l = 0; facts != NULL && l < profile->n_labels; l++) {
        const af_label *label = &profile->labels[l];
        const af_category category = label->category;
        const gboolean nameless = strstr(label->text, "[+") != NULL;
        const gboolean dispatches = af_label_is_named(profile, label, dispatchers);
        const gboolean works = !nameless && !dispatches && category != AF_CATEGORY_IDLE &&
                               category != AF_CATEGORY_BLOCKED && category != AF_CATEGORY_FOLDED &&
                               category != AF_CATEGORY_TRACER && label->text[0] != '\0' &&
                               strchr("[(@", label->text[0]) == NULL;
        facts[l] = (works ? AF_LABEL_WORKS : 0) | (nameless ? AF_LABEL_NAMELESS : 0) |
                   (dispatches ? AF_LABEL_DISPATCHES : 0);
    }
    return facts;
}

void af_group_sums_begin(af_group_sums *sums, const af_case *c)
{
    *sums = (af_group_sums){.in = c,
                            .numbers = g_new0(uint32_t, (gsize)c->n_methods + 1),
                            .sums = g_array_new(FALSE, FALSE, sizeof(af_group_sum))};
}

void af_group_sums_free(af_group_sums *sums)
{
    g_free(sums->numbers);
    g_array_unref(sums->sums);
}

void af_group_sums_add(af_group_sums *sums, uint32_t node, uint64_t time)
{
    const af_case *c = sums->in;
    uint32_t *number = &sums->numbers[c->local[node]];
    if (*number == 0) {
        const af_group_sum new = {.label = c->tree->label[node], .node = node};
        g_array_append_val(sums->sums, new);
        *number = sums->sums->len;
    }
    af_group_sum *sum = &g_array_index(sums->sums, af_group_sum, *number - 1);
    sum->time += time;
    const uint64_t calls = c->counted ? c->tree->calls[node] : 0;
    sum->calls += calls;
    sums->calls += calls;
    if (time > sum->heaviest) {
        sum->heaviest = time;
        sum->node = node;
    }
    sums->total += time;
}

const af_group_sum *af_group_sums_largest(const af_group_sums *sums)
{
    const af_group_sum *largest = NULL;
    for (guint i = 0; i < sums->sums->len; i++) {
        const af_group_sum *sum = &g_array_index(sums->sums, af_group_sum, i);
        if (largest == NULL || sum->time > largest->time) {
            largest = sum;
        }
    }
    return largest;
}

const guint8 *af_labels_named(const af_case *c, const af_name *names)
{
    GHashTable *known = c->inquiry->named;
    guint8 *labels = g_hash_table_lookup(known, names);
    if (labels == NULL) {
        labels = g_try_malloc((gsize)c->profile->n_labels + 1);
        for (uint32_t l = 0; labels != NULL && l < c->profile->n_labels; l++) {
            labels[l] = af_label_is_named(c->profile, &c->profile->labels[l], names) ? 1 : 0;
        }
        if (labels == NULL) {
            c->inquiry->refused = TRUE;
            return NULL;
        }
        g_hash_table_insert(known, (gpointer)names, labels);
    }
    return labels;
}

uint32_t af_next_outermost(const af_case *c, const guint8 *labels, uint32_t node)
{
    while (node < c->tree->n && labels[c->tree->label[node]] == 0) {
        node++;
    }
    return node;
}

void af_group_sums_begin_labels(af_group_sums *sums, const af_case *c, const guint8 *labels,
                                gboolean whole)
{
    af_group_sums_begin(sums, c);
    for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
         n = af_next_outermost(c, labels, whole ? c->end[n] : n + 1)) {
        af_group_sums_add(sums, n, whole ? c->time[n] : c->self[n]);
    }
}

/* Only the nodes of one label, unless it is AF_NO_LABEL. */
static void cover(af_candidate *candidate, const guint8 *labels, uint32_t only, gboolean whole)
{
    const af_case *c = candidate->in;
    for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
         n = af_next_outermost(c, labels, whole ? c->end[n] : n + 1)) {
        if (only == AF_NO_LABEL || c->tree->label[n] == only) {
            af_candidate_cover(candidate, n, whole, whole ? c->time[n] : c->self[n]);
        }
    }
}

void af_group_sums_cover(af_candidate *candidate, const guint8 *labels)
{
    cover(candidate, labels, AF_NO_LABEL, TRUE);
}

af_candidate *af_group_sums_report(const af_group_sums *sums, const af_rule *rule,
                                   const af_wording *wording, const guint8 *labels)
{
    const af_case *c = sums->in;
    const af_group_sum *largest = af_group_sums_largest(sums);
    if (largest == NULL || !af_case_is_share(c, sums->total, wording->percent)) {
        return NULL;
    }
    const gboolean alone = af_case_is_share(c, largest->time, wording->percent) &&
                           largest->time / STANDS_FOR_ALL >= sums->total / 100;
    af_candidate *candidate = af_candidate_add(
        c, rule, largest->node, alone ? largest->time : sums->total, alone ? largest->calls : 0);
    cover(candidate, labels, alone ? largest->label : AF_NO_LABEL, wording->whole);
    af_candidate_begin(candidate, "spent");
    g_autofree char *name = af_case_name(c, largest->label),
                    *time = af_case_amount(c, largest->time);
    if (alone && largest->calls > 0) {
        g_autofree char *calls = af_case_calls(largest->calls);
        af_candidate_say(candidate, " %s, in %s of %s", wording->phrase, calls, name);
    } else if (alone) {
        af_candidate_say(candidate, " %s, in %s", wording->phrase, name);
    } else {
        af_candidate_say(candidate, " %s, %s of it in %s", wording->phrase, time, name);
    }
    af_candidate_behalf(candidate);
    return candidate;
}

af_candidate *af_names_find(const af_case *c, const af_rule *rule, const af_name *names,
                            const af_wording *wording)
{
    const guint8 *labels = af_labels_named(c, names);
    if (labels == NULL) {
        return NULL;
    }
    af_group_sums sums;
    af_group_sums_begin_labels(&sums, c, labels, wording->whole);
    af_candidate *candidate = af_group_sums_report(&sums, rule, wording, labels);
    af_group_sums_free(&sums);
    return candidate;
}
