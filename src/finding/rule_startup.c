#include "finding/groups.h"

#include "base/number.h"

#define LEAST_PERCENT 10

static const af_name begins[] = {
    {"android.app.ActivityThread", "handleBindApplication"},
    {"", "bindApplication"},
    {NULL, NULL},
};

/* The phases of a start; the parts of the first one are named, the rest of it is not. */
static const struct {
    const char *title;
    gboolean inside; /* bindApplication */
    af_name names[5];
} phases[] = {
    {"content providers",
     TRUE,
     {{"android.app.ActivityThread", "installContentProviders"}, {NULL, NULL}}},
    {"Application.onCreate",
     TRUE,
     {{"android.app.Instrumentation", "callApplicationOnCreate"}, {NULL, NULL}}},
    {"creating the activity",
     FALSE,
     {{"android.app.ActivityThread", "handleLaunchActivity"},
      {"", "activityStart"},
      {"", "performCreate:*"},
      {NULL, NULL}}},
    {"resuming it",
     FALSE,
     {{"android.app.ActivityThread", "handleResumeActivity"},
      {"", "activityResume"},
      {NULL, NULL}}},
};

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

static void find(const af_case *c, const af_rule *rule)
{
    uint32_t begin = AF_NO_NODE, ignored = AF_NO_NODE;
    uint64_t total = sum(c, begins, &begin), times[G_N_ELEMENTS(phases)];
    if (begin == AF_NO_NODE) {
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(phases); i++) {
        times[i] = sum(c, phases[i].names, &ignored);
        total += phases[i].inside ? 0 : times[i];
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
            char *amount = af_case_amount(c, times[i]);
            af_candidate_say(candidate, "%s%s in %s", between, amount, phases[i].title);
            between = ", ";
            g_free(amount);
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
