#include "checks.h"

#include <stdio.h>
#include <string.h>

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
    g_autofree char *text = af_report_info_text(profile, "fuzz", 0);
    g_autofree char *json = af_report_info_json(profile, "fuzz");
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

void fuzz_check_error(GError *error)
{
    FUZZ_CHECK(error != NULL && error->domain == AF_ERROR);
    FUZZ_CHECK(strchr(error->message, '\n') == NULL && *error->message != '\0');
    g_error_free(error);
}
