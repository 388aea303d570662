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
    static const af_wording own = {"spent", "collecting garbage", LEAST_PERCENT, TRUE};
    const guint8 *labels = af_labels_named(c, names);
    if (labels == NULL) {
        return;
    }
    if (c->is_main) {
        af_names_find(c, rule, names, &own);
        return;
    }
    /* the collector's own thread: compared with the main thread, because it does nothing else */
    uint64_t time = 0, calls = 0;
    uint32_t node = AF_NO_NODE;
    for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
         n = af_next_outermost(c, labels, c->end[n])) {
        time += c->time[n];
        calls += c->counted ? c->tree->calls[n] : 0;
        node = node == AF_NO_NODE || c->time[n] > c->time[node] ? n : node;
    }
    const uint64_t main_time = c->inquiry->main_time;
    if (node != AF_NO_NODE && time * 100 >= main_time * LEAST_PERCENT) {
        af_candidate *candidate = af_candidate_add(c, rule, node, time, calls);
        char *amount = af_case_amount(c, time), *whole = af_case_amount(c, main_time);
        char *name = af_case_name(c, c->tree->label[node]);
        for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
             n = af_next_outermost(c, labels, c->end[n])) {
            af_candidate_cover(candidate, n, TRUE, c->time[n]);
        }
        af_candidate_say(candidate, "%s spent %s collecting garbage, in %s, while main took %s",
                         c->name, amount, name, whole);
        g_free(name);
        g_free(whole);
        g_free(amount);
    }
}

const af_rule af_rule_gc = {
    .id = "gc",
    .title = "Collecting garbage",
    .about = "collecting garbage, or waiting for it, takes at least 5 % of the time of the main "
             "thread",
    .weight = 145,
    .find = find,
};
