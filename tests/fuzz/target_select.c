/* Any selectors: existing threads, each once, or an error with its cause. */
#include "checks.h"
#include "made.h"
#include "model/select.h"

enum { MOST_SELECTORS = 4 };

/* Text that a shell can pass on one line: a line feed would appear in the message. */
static char *take_selector(fuzz_feed *feed)
{
    size_t length;
    const char *text = feed_text(feed, &length);
    return g_strdelimit(g_strndup(text, length), "\n", ' ');
}

static void check_selected(const af_profile *profile, const GArray *threads)
{
    guint8 chosen[64] = {0};
    for (guint i = 0; i < threads->len; i++) {
        const uint32_t t = g_array_index(threads, uint32_t, i);
        FUZZ_CHECK(t < profile->n_threads && t < sizeof chosen && chosen[t] == 0);
        chosen[t] = 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed);
    const unsigned n = how % (MOST_SELECTORS + 1);
    char *selectors[MOST_SELECTORS + 1] = {NULL};
    for (unsigned i = 0; i < n; i++) {
        selectors[i] = take_selector(&feed);
    }
    af_profile *profile = fuzz_make_profile(&feed, 60);
    GError *error = NULL;
    GArray *threads = af_select_threads(profile, (const char *const *)selectors, &error);
    FUZZ_CHECK((threads == NULL) == (error != NULL));
    if (threads != NULL) {
        check_selected(profile, threads);
        g_array_unref(threads);
    } else {
        fuzz_check_error(error);
    }
    af_clock clock;
    error = NULL;
    if (af_select_clock(profile, (af_clock)((int)(how >> 4) - 2), &clock, &error)) {
        FUZZ_CHECK(af_profile_has(profile, clock) || profile->clocks == 0);
    } else {
        fuzz_check_error(error);
    }
    af_profile_free(profile);
    for (unsigned i = 0; i < n; i++) {
        g_free(selectors[i]);
    }
    return 0;
}
