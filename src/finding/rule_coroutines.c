#include "finding/groups.h"
#include "finding/inquiry.h"

#include "base/number.h"

#define LEAST_PERCENT 5

/* Dispatcher threads that were parked for less than this share did some of the work, in percent. */
#define MOSTLY_PARKED 80

static const af_name names[] = {
    {"kotlinx.coroutines.BuildersKt*", "runBlocking*"},
    {NULL, NULL},
};

static const af_wording wording = {"in runBlocking", LEAST_PERCENT, TRUE};

/* The main thread waits, and nobody works for it. */
static void say_parked(af_candidate *candidate)
{
    const af_inquiry *q = candidate->in->inquiry;
    uint64_t time = 0, parked = 0;
    unsigned n = 0;
    for (uint32_t i = 0; i < q->n_cases; i++) {
        const af_case *c = &q->cases[i];
        const char *name = c->profile->threads[c->thread].name;
        if (name != NULL && g_str_has_prefix(name, "DefaultDispatch")) {
            time += c->total;
            parked += c->idle[0];
            n++;
        }
    }
    if (n > 0 && parked * 100 >= time * MOSTLY_PARKED) {
        char share[AF_NUMBER_SIZE];
        af_candidate_say(candidate, "; %u dispatcher %s parked for %s", n,
                         n == 1 ? "thread was" : "threads were",
                         af_number_share(share, parked, time));
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    af_candidate *candidate = af_names_find(c, rule, names, &wording);
    if (candidate != NULL) {
        say_parked(candidate);
    }
}

const af_rule af_rule_coroutines = {
    .id = "coroutines",
    .title = "runBlocking on the main thread",
    .about = "runBlocking takes at least 5 % of the main thread; with it, whether the threads of "
             "the dispatchers were mostly parked",
    .weight = 120,
    .main_only = TRUE,
    .find = find,
};
