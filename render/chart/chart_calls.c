#include "render/chart/chart_calls.h"

#include "base/memory_error.h"
#include "calls/input.h"
#include "calls/samples.h"
#include "calls/profile_walk.h"
#include "model/select.h"

/* The reader thins a longer list; a budget holds somewhat fewer. */
#define CAPACITY UINT64_C(250000)

/* The limit for instants and counter values in a file with a budget, and for states of threads. */
#define MOST_MARKERS 10000

/* The length of the axis if all samples have the same time. */
#define LEAST_NS 1000

/* Whether the chart has instants and counters only, such as the dumps of a heap. */
static gboolean has_only_markers(const af_profile *profile)
{
    return af_content_has_weights(profile->facts.content) &&
           !af_content_has_timed_weights(profile->facts.content) && profile->markers.n_markers > 0;
}

gboolean af_chart_calls_check(const af_profile *profile, af_clock wanted, af_clock *clock,
                              GError **error)
{
    if (profile->n_steps > 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "%s: a chart draws single calls as recorded; it supports --thread, --from, "
                    "--to and --mapping, but no option that reshapes call trees",
                    profile->steps[0].option);
        return FALSE;
    }
    if (wanted == AF_WAIT) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            "a chart needs the clock wall or cpu; the chart of the wall clock hatches waiting");
        return FALSE;
    }
    const gboolean timed =
        has_only_markers(profile) ? profile->n_steps == 0
        : af_content_has_weights(profile->facts.content)
            ? af_content_has_timed_weights(profile->facts.content)
            : profile->walk_plan != NULL || af_profile_origin(profile)->walk_plan != NULL;
    if (!timed) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the input does not record when %s, so it has no chart; draw a graph instead",
                    af_content_has_weights(profile->facts.content) ? "its stacks were sampled"
                                                                   : "its calls began and ended");
        return FALSE;
    }
    return af_select_clock(profile, wanted, clock, error);
}

/* By label: whether a pattern matches it. NULL with an error. */
static guint8 *select_highlights(const af_profile *profile, const char *const *patterns,
                                 GError **error)
{
    g_autofree guint8 *highlighted = g_malloc0((size_t)profile->n_labels + 1);
    for (unsigned i = 0; patterns[i] != NULL; i++) {
        g_autofree guint8 *matched = af_select_labels(profile, patterns[i], error);
        if (matched == NULL) {
            return NULL;
        }
        for (uint32_t l = 0; l < profile->n_labels; l++) {
            highlighted[l] |= matched[l];
        }
    }
    return g_steal_pointer(&highlighted);
}

/* The minimum length of the axis. On CPU clocks the exact length is unknown until the calls are
 * read. */
static uint64_t find_span(const af_profile *profile, af_clock clock)
{
    uint64_t span_ns = 0;
    if (clock == AF_WALL) {
        const af_time_range range = af_profile_range(profile);
        return range.to_ns - MIN(range.from_ns, range.to_ns);
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        span_ns = MAX(span_ns, af_thread_time_ns(profile, t, clock));
    }
    return span_ns;
}

static void set_axis(const af_profile *profile, af_chart *chart)
{
    if (chart->options.clock == AF_WALL) {
        const af_time_range range = af_profile_range(profile);
        chart->from_ns = range.from_ns;
        chart->to_ns = range.to_ns;
        /* the axis shows how much is missing */
        chart->to_ns += profile->facts.part.has_range ? 0 : profile->facts.recording.unrecorded_ns;
        /* the last samples extend past the last recorded time */
        for (uint32_t t = 0; chart->options.sampled && t < chart->options.n_threads; t++) {
            chart->to_ns = MAX(chart->to_ns, chart->threads[t].last_ns);
        }
        if (has_only_markers(profile)) {
            const af_markers *marks = &profile->markers;
            chart->to_ns = MAX(chart->to_ns, (uint64_t)marks->markers[marks->n_markers - 1].ns);
        }
        if (chart->options.sampled && chart->to_ns == chart->from_ns) {
            chart->to_ns += LEAST_NS;
        }
        return;
    }
    gboolean any = FALSE;
    for (uint32_t t = 0; t < chart->options.n_threads; t++) {
        const af_chart_thread *thread = &chart->threads[t];
        if (thread->has_calls) {
            chart->from_ns = any ? MIN(chart->from_ns, thread->first_ns) : thread->first_ns;
            chart->to_ns = MAX(chart->to_ns, thread->last_ns);
            any = TRUE;
        }
    }
}

static gboolean take_calls(const af_profile *profile, af_chart *chart, const af_chart_walk *walk,
                           GError **error)
{
    const af_observer observer = af_chart_observer(chart);
    const af_call_walk_options options = AF_CALL_WALK_OPTIONS_INIT;
    return walk != NULL ? walk->read(walk->user, profile, &observer, error)
                        : af_profile_walk(profile, &observer, NULL, &options, error);
}

static gboolean take_sample(void *user, const af_sample *sample, GError **error)
{
    return af_sample_timeline_add(user, sample, error);
}

static gboolean take_samples(const af_profile *profile, af_chart *chart, GError **error)
{
    /* samples of time on and off the CPU start at each switch */
    af_sample_timeline *timeline =
        af_sample_timeline_new(profile->facts.content == AF_CONTENT_STACK_SLICES ? AF_LASTS_EXACTLY
                               : af_profile_has(profile, AF_WAIT)                ? AF_LASTS_AT_LEAST
                                                                  : AF_LASTS_UNKNOWN);
    const af_sample_edge_observer observer = af_chart_sample_observer(chart);
    const uint64_t end_ns =
        profile->facts.part.has_range ? profile->facts.part.range.to_ns : UINT64_MAX;
    const af_state_observer states = {af_chart_add_state, chart};
    const gboolean ok =
        af_samples_walk(profile, NULL, NULL, take_sample, timeline, &states, error) &&
        af_sample_timeline_walk(timeline, end_ns, &observer, error);
    chart->calls = af_sample_timeline_n(timeline);
    chart->interval_ns = af_sample_timeline_interval_ns(timeline);
    af_sample_timeline_free(timeline);
    return ok;
}

/* Instants and counters have wall times. */
static gboolean take_markers(const af_profile *profile, const af_sheet_options *options,
                             af_chart *chart)
{
    if (chart->options.clock != AF_WALL || profile->markers.n_markers == 0) {
        return TRUE;
    }
    chart->markers = af_chart_markers_new(profile, options->threads, options->n_threads,
                                          chart->from_ns, chart->to_ns);
    if (chart->markers != NULL && options->packed && options->pack_budget > 0) {
        af_chart_markers_thin(chart->markers, MOST_MARKERS);
    }
    return chart->markers != NULL;
}

static gboolean take_frames(const af_profile *profile, const af_sheet_options *options,
                            af_chart *chart)
{
    if (chart->options.clock == AF_WALL && profile->timeline.n > 0) {
        chart->frames = af_chart_frames_new(profile, options->threads, options->n_threads,
                                            chart->from_ns, chart->to_ns);
        if (chart->frames != NULL && options->packed && options->pack_budget > 0) {
            af_chart_frames_thin(chart->frames, MOST_MARKERS);
        }
        return chart->frames != NULL;
    }
    return TRUE;
}

/* By thread: whether the sheet needs its calls; NULL = all. */
static guint8 *list_wanted(const af_profile *profile, const af_sheet_options *options)
{
    const gboolean some = !options->packed || options->drawn_only;
    guint8 *wanted = NULL;
    if (some || af_profile_n_without(profile, options->clock) > 0) {
        wanted = g_malloc0((size_t)profile->n_threads + 1);
        for (uint32_t i = 0; i < (some ? options->n_threads : profile->n_threads); i++) {
            const uint32_t thread = some ? options->threads[i] : i;
            wanted[thread] = (guint8)af_thread_has(profile, thread, options->clock);
        }
    }
    return wanted;
}

af_chart *af_chart_calls_read(const af_profile *profile, const char *const *patterns,
                              const af_sheet_options *options, const af_chart_walk *walk,
                              GError **error)
{
    const gboolean highlights = patterns != NULL && patterns[0] != NULL;
    g_autofree guint8 *highlighted =
        highlights ? select_highlights(profile, patterns, error) : NULL;
    if (highlights && highlighted == NULL) {
        return NULL;
    }
    g_autofree guint8 *wanted = list_wanted(profile, options);
    const gboolean sampled = af_content_has_weights(profile->facts.content);
    const af_clock clock = sampled ? AF_WALL : options->clock;
    g_autoptr(af_chart) chart = af_chart_new(&(af_chart_options){
        .clock = clock,
        .sampled = sampled,
        .n_threads = profile->n_threads,
        .wanted = wanted,
        .highlighted = highlighted,
        .coarsest_ns = af_sheet_shortest_ns(options, find_span(profile, clock)),
        .capacity = !options->packed           ? 0
                    : options->pack_budget > 0 ? CAPACITY
                                               : UINT64_MAX,
    });
    if (chart == NULL) {
        af_memory_error_set(error);
        return NULL;
    }
    chart->highlighted = highlights ? g_strjoinv(", ", (char **)(void *)patterns) : NULL;
    if (!has_only_markers(profile) && !(sampled ? take_samples(profile, chart, error)
                                                : take_calls(profile, chart, walk, error))) {
        return NULL;
    }
    chart->options.wanted = chart->options.highlighted = NULL;
    set_axis(profile, chart);
    if (options->packed && options->pack_budget > 0) {
        af_chart_thin_states(chart, MOST_MARKERS);
    }
    if (!take_markers(profile, options, chart) || !take_frames(profile, options, chart)) {
        af_memory_error_set(error);
        return NULL;
    }
    return g_steal_pointer(&chart);
}

gboolean af_chart_calls_try(const af_profile *profile, const af_sheet_options *options,
                            const af_chart_walk *walk, af_chart **chart, GError **error)
{
    GError *why = NULL;
    *chart = af_chart_calls_read(profile, NULL, options, walk, &why);
    if (g_error_matches(why, AF_ERROR, AF_ERROR_MEMORY) ||
        g_error_matches(why, AF_ERROR, AF_ERROR_CANCELLED)) {
        g_propagate_error(error, why);
        return FALSE;
    }
    g_clear_error(&why); /* the input has changed; its call trees are complete */
    return TRUE;
}

/* Fewer calls are better seen in the graph; a file with more would lack some. */
enum { CALLS_MIN = 100, CALLS_MAX = 20000 };

gboolean af_chart_calls_are_packed(const af_profile *profile)
{
    uint64_t calls = 0;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        calls += profile->threads[t].calls;
    }
    calls = af_content_has_weights(profile->facts.content) ? profile->facts.counts.records : calls;
    return calls >= CALLS_MIN && calls <= CALLS_MAX &&
           profile->facts.counts.records <= UINT64_C(4) * CALLS_MAX &&
           profile->facts.saved.version == NULL;
}

gboolean af_chart_calls_try_packed(const af_profile *profile, const af_sheet_options *options,
                                   af_chart **chart, GError **error)
{
    af_sheet_options own = *options;
    *chart = NULL;
    return !af_chart_calls_are_packed(profile) || !af_input_exists(profile) ||
           !af_chart_calls_check(profile, AF_CLOCK_DEFAULT, &own.clock, NULL) ||
           af_chart_calls_try(profile, &own, NULL, chart, error);
}
