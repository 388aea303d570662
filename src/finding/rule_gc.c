#include "finding/groups.h"
#include "finding/inquiry.h"

#define LEAST_PERCENT 5 /* of the main thread */

static const af_name names[] = {
    {"java.lang.Runtime", "gc"},
    {"java.lang.Runtime", "nativeGc"},
    {"dalvik.system.VMRuntime", "concurrentGC"},
    {"dalvik.system.VMRuntime", "requestConcurrentGC"},
    {"dalvik.system.VMRuntime", "trimHeap"},
    {"dalvik.system.VMDebug", "startGC"},
    {"", "art::gc::Heap::CollectGarbage*"},
    {"", "art::gc::collector::*"},
    {"", "GC: Wait For*"},
    {"", "*concurrent copying GC"},
    {"", "*concurrent mark compact GC"},
    {"", "*mark sweep GC"},
    {NULL, NULL},
};

static void find(const af_case *c, const af_rule *rule)
{
    static const af_wording own = {"collecting garbage", LEAST_PERCENT, TRUE};
    const guint8 *labels = af_labels_named(c, names);
    if (labels == NULL) {
        return;
    }
    if (c->is_main) {
        af_names_find(c, rule, names, &own);
        return;
    }
    /* the collector's own thread: compared with the main thread, because it does nothing else */
    af_group_sums sums;
    af_group_sums_begin_labels(&sums, c, labels, TRUE);
    const af_group_sum *largest = af_group_sums_largest(&sums);
    const uint64_t main_time = c->inquiry->main_time;
    const af_thread *main = &c->profile->threads[c->inquiry->main];
    if (largest != NULL && sums.total * 100 >= main_time * LEAST_PERCENT) {
        af_candidate *candidate = af_candidate_add(c, rule, largest->node, sums.total, sums.calls);
        g_autofree char *amount = af_case_amount(c, sums.total),
                        *whole = af_case_amount(c, main_time),
                        *name = af_case_name(c, largest->label),
                        *main_name = af_thread_short_name(c->profile, main);
        af_group_sums_cover(candidate, labels);
        af_candidate_say(candidate, "%s spent %s collecting garbage, in %s, while %s took %s",
                         c->name, amount, name, main_name, whole);
    }
    af_group_sums_free(&sums);
}

const af_rule af_rule_gc = {
    .id = "gc",
    .title = "Collecting garbage",
    .about = "collecting garbage, or waiting for it, takes at least 5 % of the time of the main "
             "thread",
    .weight = 145,
    .find = find,
};
