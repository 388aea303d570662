#include "made.h"

#include "model/category.h"
#include "build/profile_builder.h"

enum { MOST_METHODS = 12, MOST_THREADS = 4 };

static af_span take_slice(fuzz_feed *feed)
{
    af_span slice;
    slice.bytes = feed_text(feed, &slice.length);
    return slice;
}

static void tell_methods(fuzz_feed *feed, af_sink *sink, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const uint8_t what = feed_byte(feed);
        if (what == 0) {
            continue; /* not defined */
        }
        af_method_text text = {.line = -1, .whole = (what & 8) != 0};
        text.class_name = take_slice(feed);
        text.name = (what & 1) != 0 ? take_slice(feed) : text.name;
        text.signature = (what & 2) != 0 ? take_slice(feed) : text.signature;
        text.source = (what & 4) != 0 ? take_slice(feed) : text.source;
        af_sink_define_method(sink, 4 * i, &text, TRUE);
    }
}

static void tell_threads(fuzz_feed *feed, af_sink *sink, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const af_span name = take_slice(feed);
        af_sink_describe_thread(sink, af_sink_thread(sink, feed_byte(feed)), name.bytes,
                                name.length, TRUE, FALSE);
    }
}

static void tell_events(fuzz_feed *feed, af_sink *sink, unsigned n_methods, unsigned most)
{
    uint64_t wall = 0, cpu = 0;
    for (unsigned i = 0; i < most && feed_left(feed) > 0; i++) {
        const uint8_t what = feed_byte(feed), when = feed_byte(feed);
        wall += when == 255 ? feed_number(feed, 4) : when * 100u;
        cpu += when / 2 * 100u;
        const uint32_t method = af_sink_method(sink, 4 * ((what >> 4) % n_methods));
        af_event event = {.thread = (what >> 2 & 3) % af_sink_threads(sink)->n,
                          .call = af_event_call(method, what & 3)};
        event.time[AF_WALL] = (af_sink_clocks(sink) >> AF_WALL & 1) != 0 ? wall : 0;
        event.time[AF_CPU] = (af_sink_clocks(sink) >> AF_CPU & 1) != 0 ? cpu : 0;
        af_sink_events(sink, &event, 1, i, 1);
    }
}

af_profile *fuzz_make_profile(fuzz_feed *feed, unsigned most_events)
{
    static const unsigned clocks[] = {3, 1, 2, 3};
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    const uint8_t how = feed_byte(feed), more = feed_byte(feed);
    options.names = (af_names)((how & 3) % 3);
    af_sink *sink = af_sink_new(&options);
    af_sink_set_undefined(sink, (how & 8) != 0   ? AF_UNDEFINED_PROXY_GUESSED
                                : (how & 4) != 0 ? AF_UNDEFINED_PROXY
                                                 : AF_UNDEFINED_UNKNOWN);
    const unsigned n_methods = 1 + (more & 15) % MOST_METHODS;
    tell_methods(feed, sink, n_methods);
    tell_threads(feed, sink, 1 + (more >> 4) % MOST_THREADS);
    const af_ticks ticks = {.clocks = clocks[how >> 4 & 3], .tick_ns = (how & 64) != 0 ? 1000 : 1};
    af_sink_start(sink, &ticks);
    tell_events(feed, sink, n_methods, most_events);
    GError *error = NULL;
    af_profile *profile = af_sink_finish(sink, &options, &error);
    af_sink_free(sink);
    FUZZ_CHECK(profile != NULL && error == NULL);
    af_categories_assign(profile);
    return profile;
}
