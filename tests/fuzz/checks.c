#include "checks.h"

#include <stdio.h>
#include <string.h>

#include "../support/added_calls.h"
#include "../support/cut_parts.h"
#include "fuzz.h"
#include "report/info/info.h"

static void check_thread(const af_profile *profile, uint32_t t)
{
    const af_thread *thread = &profile->threads[t];
    const char *wrong = af_tree_check(thread->tree);
    if (wrong != NULL) {
        fprintf(stderr, "thread %u: ", t);
        fuzz_fail(__FILE__, __LINE__, wrong);
    }
    uint64_t calls = 0;
    for (uint32_t n = 1; n < thread->tree->n; n++) {
        FUZZ_CHECK(thread->tree->label[n] < profile->n_labels);
        calls += thread->tree->calls[n];
    }
    FUZZ_CHECK(calls == thread->calls);
    FUZZ_CHECK(thread->records > 0);
    FUZZ_CHECK(t == 0 || thread[-1].number < thread->number);
    FUZZ_CHECK(g_utf8_validate(thread->name, -1, NULL) && *thread->name != '\0');
    FUZZ_CHECK(g_utf8_validate(thread->title, -1, NULL));
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        FUZZ_CHECK(thread->first_ns[c] <= thread->last_ns[c]);
        FUZZ_CHECK(thread->tree->self[c] == NULL || af_profile_has(profile, (af_clock)c));
    }
}

void fuzz_check_texts(const af_profile *profile)
{
    g_autofree char *text = af_info_text_fit(profile, "fuzz", 0);
    g_autofree char *json = af_info_json(profile, "fuzz");
    FUZZ_CHECK(text != NULL && g_utf8_validate(text, -1, NULL));
    FUZZ_CHECK(json != NULL && g_utf8_validate(json, -1, NULL));
}

void fuzz_check_profile(const af_profile *profile)
{
    uint64_t records = 0;
    unsigned clocks = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        check_thread(profile, t);
        records += profile->threads[t].records;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            clocks |= af_thread_has(profile, t, (af_clock)c) ? 1u << c : 0;
        }
    }
    FUZZ_CHECK(records == profile->facts.counts.records);
    FUZZ_CHECK(clocks == profile->clocks || profile->n_threads == 0);
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        const af_label *label = &profile->labels[i];
        FUZZ_CHECK(label->method < profile->n_methods && label->methods > 0);
        FUZZ_CHECK(strlen(label->text) == label->length);
        FUZZ_CHECK(label->class_length <= label->length && label->method_at <= label->length);
        FUZZ_CHECK(g_utf8_validate(label->text, -1, NULL));
    }
}

/* Two times inside the profile, ascending: arbitrary ones or, for every other profile, exactly at
 * records. FALSE if there are none, or if calls may have begun before time 0 of parts. */
static gboolean choose_cuts(const af_profile *profile, uint64_t at_ns[2])
{
    const uint64_t end_ns = af_profile_end_ns(profile);
    at_ns[0] = end_ns / 3;
    at_ns[1] = end_ns - end_ns / 3;
    if ((end_ns / 1000) % 2 != 0) {
        at_ns[0] = at_ns[1] = 0;
        for (uint32_t t = 0; t < profile->n_threads; t++) {
            at_ns[0] = MAX(at_ns[0], profile->threads[t].first_ns[AF_WALL]);
            at_ns[1] = MAX(at_ns[1], profile->threads[t].last_ns[AF_WALL]);
        }
    }
    return at_ns[0] > 0 && at_ns[0] < at_ns[1] && at_ns[1] < end_ns && end_ns < G_MAXINT64 &&
           af_profile_start_ns(profile) == 0;
}

void fuzz_check_calls(const af_profile *profile)
{
    uint64_t at_ns[2];
    fuzz_check_right(added_calls_check(profile, NULL));
    if (af_profile_has(profile, AF_WALL) && choose_cuts(profile, at_ns)) {
        fuzz_check_right(cut_parts_check(profile, at_ns, G_N_ELEMENTS(at_ns)));
    }
}

void fuzz_check_right(char *wrong)
{
    if (wrong != NULL) {
        fuzz_fail(__FILE__, __LINE__, wrong);
    }
}

void fuzz_check_error(GError *error)
{
    FUZZ_CHECK(error != NULL && error->domain == AF_ERROR);
    FUZZ_CHECK(strchr(error->message, '\n') == NULL && *error->message != '\0');
    g_error_free(error);
}
