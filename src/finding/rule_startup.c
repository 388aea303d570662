#include "finding/groups.h"

#include "base/number.h"
#include "calls/startup.h"

#define LEAST_PERCENT 10

/* The phases that a sentence names; those within bindApplication are parts of it. */
static const af_startup_kind phases[] = {AF_STARTUP_PROVIDERS, AF_STARTUP_APPLICATION,
                                         AF_STARTUP_CREATE, AF_STARTUP_RESUME};

static uint64_t sum(const af_case *c, const af_name *names, uint32_t *node)
{
    const guint8 *labels = af_labels_named(c, names);
    uint64_t time = 0;
    for (uint32_t n = labels != NULL ? af_next_outermost(c, labels, 1) : c->tree->n; n < c->tree->n;
         n = af_next_outermost(c, labels, c->end[n])) {
        *node = time == 0 || c->time[n] > c->time[*node] ? n : *node;
        time += c->time[n];
    }
    return time;
}

/* The time of bindApplication and of the activity, which old versions of Android resume within its
 * creation. */
static uint64_t sum_whole(const af_case *c)
{
    static const af_startup_kind whole[] = {AF_STARTUP_BIND, AF_STARTUP_CREATE, AF_STARTUP_RESUME};
    const guint8 *labels[G_N_ELEMENTS(whole)];
    uint64_t time = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(whole); i++) {
        labels[i] = af_labels_named(c, af_startup_names(whole[i]));
        if (labels[i] == NULL) {
            return 0;
        }
    }
    for (uint32_t n = 1; n < c->tree->n;) {
        const uint32_t label = c->tree->label[n];
        const gboolean is_part = labels[0][label] || labels[1][label] || labels[2][label];
        time += is_part ? c->time[n] : 0;
        n = is_part ? c->end[n] : n + 1;
    }
    return time;
}

static void find(const af_case *c, const af_rule *rule)
{
    uint32_t begin = AF_NO_NODE, ignored = AF_NO_NODE;
    uint64_t times[G_N_ELEMENTS(phases)];
    sum(c, af_startup_names(AF_STARTUP_BIND), &begin);
    if (begin == AF_NO_NODE) {
        return;
    }
    const uint64_t total = sum_whole(c);
    for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++) {
        times[i] = sum(c, af_startup_names(phases[i]), &ignored);
    }
    if (!af_case_is_share(c, total, LEAST_PERCENT)) {
        return;
    }
    af_candidate *candidate = af_candidate_add(c, rule, begin, total, 0);
    af_candidate_begin(candidate, "spent");
    af_candidate_say(candidate, " starting the app");
    const char *between = ": ";
    for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++) {
        if (times[i] * 20 >= total) {
            g_autofree char *amount = af_case_amount(c, times[i]);
            af_candidate_say(candidate, "%s%s in %s", between, amount, af_startup_title(phases[i]));
            between = ", ";
        }
    }
}

const af_rule af_rule_startup = {
    .id = "startup",
    .title = "Starting the app",
    .about = "the start of the app takes at least 10 % of the main thread, if it was recorded",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .main_only = TRUE,
    .find = find,
};
