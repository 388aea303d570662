#include "finding/rule.h"

#include <aflame/mapping.h>
#include <string.h>

#include "base/number.h"

/* Fewer samples of a thread tell little: one of them is 1 % of it. */
#define LEAST_SAMPLES 100

/* What makes the numbers of a profile wrong, the worst first. */
static const af_warning_kind kinds[] = {
    AF_WARN_OVERFLOW,      AF_WARN_MEMORY_LIMIT,     AF_WARN_TRUNCATED,      AF_WARN_NO_SUMMARY,
    AF_WARN_GZIP_DAMAGED,  AF_WARN_TRUNCATED_PERF,   AF_WARN_UNKNOWN_PACKET, AF_WARN_CORRUPT_BLOCK,
    AF_WARN_BAD_RECORDS,   AF_WARN_LOST_SAMPLES,     AF_WARN_LOST_PACKETS,   AF_WARN_LOST_KERNEL,
    AF_WARN_BUFFER_FULL,   AF_WARN_SAMPLING_STOPPED, AF_WARN_RAW_STACKS,     AF_WARN_HEAP_OVERRAN,
    AF_WARN_MAPPING_OTHER, AF_WARN_LEFT_OUT,
};

static af_candidate *add(const af_case *c, const af_rule *rule)
{
    return af_candidate_add(c, rule, AF_NO_NODE, 0, 0);
}

static void find_damage(const af_case *c, const af_rule *rule)
{
    const af_recording_facts *recording = &c->profile->facts.recording;
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (c->profile->warnings.count[kinds[i]] == 0) {
            continue;
        }
        af_candidate *candidate = add(c, rule);
        af_candidate_say(candidate, "%s", af_warning_problem(kinds[i]));
        if (recording->unrecorded_ns > 0) {
            char lost[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE];
            af_candidate_say(candidate, "; the last %s of %s were not recorded",
                             af_number_time(lost, recording->unrecorded_ns),
                             af_number_time(all, recording->end_ns + recording->unrecorded_ns));
        }
        return;
    }
}

/* Addresses in place of names, when they take this share of the thread, in percent. */
#define MANY_NAMELESS 50

static void find_nameless(const af_case *c, const af_rule *rule)
{
    uint64_t sum = 0;
    for (uint32_t n = 1; n < c->tree->n; n++) {
        const gboolean nameless = af_case_is(c, n, AF_LABEL_NAMELESS);
        sum += nameless && !af_waits_is_idle(c->profile, c->tree, n) ? c->self[n] : 0;
    }
    const uint64_t busy = c->total - c->idle[0];
    if (sum > 0 && !c->vague && sum * 100 >= busy * MANY_NAMELESS) {
        char share[AF_NUMBER_SIZE];
        af_candidate_say(add(c, rule),
                         "%s of the time of %s is in functions without names: --symfs reads them "
                         "from the libraries",
                         af_number_share(share, sum, busy), c->name);
    }
}

static void find_few_samples(const af_case *c, const af_rule *rule)
{
    const uint64_t n = af_case_samples(c->profile, &c->profile->threads[c->thread]);
    if (n > 0 && n < LEAST_SAMPLES) {
        char number[AF_NUMBER_SIZE], each[AF_NUMBER_SIZE];
        af_candidate *candidate = add(c, rule);
        af_candidate_say(candidate, "only %s %s of %s", af_number_count(number, n),
                         n == 1 ? "sample" : "samples", c->name);
        if (c->total > n) {
            af_candidate_say(candidate, ": each stands for %s",
                             af_number_amount(each, c->total / n, &c->profile->facts.weights.unit));
        }
        af_candidate_say(candidate, ", and shorter calls may be missing");
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    find_damage(c, rule);
    if (af_profile_looks_obfuscated(c->profile)) {
        af_candidate_say(add(c, rule), "names are obfuscated; --mapping with the mapping.txt of "
                                       "the recorded build restores them");
    }
    find_nameless(c, rule);
    find_few_samples(c, rule);
}

const af_rule af_rule_data = {
    .id = "data",
    .title = "The recording",
    .about = "what makes the numbers incomplete: a full buffer, a truncated file, lost events, "
             "fewer than 100 samples, obfuscated names",
    .kind = AF_RULE_REMARK,
    .weight = 100,
    .main_only = TRUE,
    .find = find,
};
