/* Any trees, any steps: time is conserved or accounted for, trees stay valid. */
#include "../support/conservation.h"
#include "made.h"

enum { MOST_STEPS = AF_STEP_KINDS }; /* the number of kinds */

/* Text that a shell can pass on one line. */
static char *take_text(fuzz_feed *feed)
{
    size_t length;
    const char *text = feed_text(feed, &length);
    return g_strdelimit(g_strndup(text, length), "\n", ' ');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    const unsigned n = feed_byte(&feed) % (MOST_STEPS + 1);
    af_step steps[MOST_STEPS];
    char *texts[MOST_STEPS];
    for (unsigned i = 0; i < n; i++) {
        const uint8_t what = feed_byte(&feed);
        texts[i] = take_text(&feed);
        steps[i] = (af_step){.kind = (af_step_kind)(what % (AF_STEP_KINDS)),
                             .text = texts[i],
                             .number = feed_number(&feed, 3),
                             .clock = (af_clock)(what >> 6) - 1};
    }
    af_profile *profile = fuzz_make_profile(&feed, 200);
    profile->facts.android.has_call_overhead = TRUE;
    profile->facts.android.call_overhead_ns = profile->n_labels * 7;
    const char *broken = conservation_break(profile, steps, n);
    if (broken != NULL) {
        fuzz_fail(__FILE__, __LINE__, broken);
    }
    af_profile_free(profile);
    for (unsigned i = 0; i < n; i++) {
        g_free(texts[i]);
    }
    return 0;
}
