#include "calls/time_part.h"

#include "base/memory_error.h"
#include "base/number.h"
#include "calls/clip.h"
#include "calls/profile_walk.h"
#include "calls/samples.h"
#include "calls/subprofile.h"

/* Converts a time of the options to the clock of the trace; earlier times become its start. */
static uint64_t find_time(const af_profile *profile, int64_t given_ns)
{
    const uint64_t start_ns = af_profile_start_ns(profile),
                   end_ns = profile->facts.recording.end_ns;
    if (given_ns >= 0) {
        return start_ns + MIN((uint64_t)given_ns, UINT64_MAX - 1 - start_ns);
    }
    const uint64_t back_ns = 0 - (uint64_t)given_ns;
    return end_ns - start_ns > back_ns ? end_ns - back_ns : start_ns;
}

static gboolean check_span(const af_profile *profile, const af_time_range *span, GError **error)
{
    const uint64_t start_ns = af_profile_start_ns(profile),
                   end_ns = profile->facts.recording.end_ns;
    char from[AF_NUMBER_SIZE], end[AF_NUMBER_SIZE];
    if (profile->n_steps > 0) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            "a part of the time can be selected only before the profile is reshaped");
        return FALSE;
    }
    if (profile->facts.dump_times != NULL) {
        /* the growth has two sides, and what shrank: a comparison */
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "a heap is recorded only in dumps; render, report and convert show its "
                            "growth between two dumps");
        return FALSE;
    }
    if (af_profile_timeline_clock(profile) != AF_WALL) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            profile->run_sums != NULL
                ? "the input adds up several runs, so no part of it can be selected by time"
            : af_content_has_weights(profile->facts.content)
                ? "the input has no start times, so no part of it can be selected by time"
                : "the trace has no wall times, so no part of it can be selected by time");
        return FALSE;
    }
    if (span->from_ns >= end_ns && span->from_ns > start_ns) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the trace ends at %s, before the selected part begins (%s)",
                    af_number_time(end, end_ns - start_ns),
                    af_number_time(from, span->from_ns - start_ns));
        return FALSE;
    }
    if (span->to_ns <= span->from_ns) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "the part must end (%s) after it starts (%s)",
                    af_number_time(end, span->to_ns - MIN(span->to_ns, start_ns)),
                    af_number_time(from, span->from_ns - start_ns));
        return FALSE;
    }
    return TRUE;
}

/* The selected range, within the one that the profile already covers. */
static af_time_range find_span(const af_profile *profile, int64_t from_ns, int64_t to_ns)
{
    af_time_range span = {find_time(profile, from_ns), UINT64_MAX};
    if (to_ns != AF_TO_THE_END) {
        span.to_ns = find_time(profile, to_ns);
        /* a range that ends with the trace includes the end */
        span.to_ns = span.to_ns >= profile->facts.recording.end_ns ? UINT64_MAX : span.to_ns;
    }
    if (profile->facts.part.has_range) {
        span.from_ns = MAX(span.from_ns, profile->facts.part.range.from_ns);
        span.to_ns = MIN(span.to_ns, profile->facts.part.range.to_ns);
    }
    return span;
}

static gboolean grow_sample(void *user, const af_sample *sample, GError **error)
{
    af_subprofile_sample(user, sample);
    return TRUE;
}

/* Makes a profile of the samples in the range. */
static af_profile *grow_samples(const af_profile *profile, const af_time_range *span,
                                const af_call_walk_options *options, GError **error)
{
    af_subprofile *subprofile = af_subprofile_new(profile);
    af_profile *made = NULL;
    if (subprofile == NULL) {
        af_memory_error_set(error);
    } else if (af_samples_walk(profile, span, options, grow_sample, subprofile, NULL, error)) {
        made = af_subprofile_finish(subprofile, error);
    }
    af_subprofile_free(subprofile);
    return made;
}

/* Makes a profile of the calls in the range. */
static af_profile *grow_span(const af_profile *profile, const af_time_range *span,
                             const af_call_walk_options *options, GError **error)
{
    af_subprofile *subprofile = af_subprofile_new(profile);
    af_observer grow = {0};
    af_clip *clip = NULL;
    if (subprofile != NULL) {
        grow = af_subprofile_observer(subprofile);
        clip = af_clip_new(span, profile->n_threads, &grow);
    }
    af_profile *made = NULL;
    if (clip == NULL) {
        af_memory_error_set(error);
    } else {
        const af_observer clipped = af_clip_observer(clip);
        if (af_profile_walk(profile, &clipped, NULL, options, error)) {
            made = af_subprofile_finish(subprofile, error);
        }
    }
    af_clip_free(clip);
    af_subprofile_free(subprofile);
    return made;
}

/* "200 ms to 400 ms of 1.10 s", in time since the trace began. */
static gboolean name_span(af_profile *part)
{
    const uint64_t start_ns = af_profile_start_ns(part), end_ns = part->facts.recording.end_ns;
    const af_time_range *span = &part->facts.part.range;
    char from[AF_NUMBER_SIZE], to[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE];
    af_number_exact(from, span->from_ns - MIN(span->from_ns, start_ns));
    af_number_exact(to, MIN(span->to_ns, end_ns) - start_ns);
    af_number_time(all, end_ns - start_ns);
    g_autofree char *brief = g_strdup_printf("%s to %s", from, to);
    g_autofree char *full = g_strdup_printf("%s of %s", brief, all);
    return af_profile_name_part(part, full, brief);
}

af_profile *af_time_part_new(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                             const af_call_walk_options *options, GError **error)
{
    af_call_walk_options known = *options;
    known.threads = NULL;
    const af_time_range span = find_span(profile, from_ns, to_ns);
    if (!check_span(profile, &span, error)) {
        return NULL;
    }
    af_profile *part = af_content_has_weights(profile->facts.content)
                           ? grow_samples(profile, &span, &known, error)
                           : grow_span(profile, &span, &known, error);
    if (part != NULL) {
        part->facts.part.has_range = TRUE;
        part->facts.part.range = span;
        if (!name_span(part)) {
            af_memory_error_set(error);
            g_clear_pointer(&part, af_profile_free);
        }
    }
    return part;
}
