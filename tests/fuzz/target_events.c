/* Any events give the trees that the rules require: whole, in batches of any size, and in chunks
 * cut anywhere; and their single calls add up to these trees. */
#include "api/autoptr.h"
#include "feed.h"
#include "plain.h"
#include "reading.h"

enum { MOST_EVENTS = 4096, MOST_CUTS = 7 };

typedef struct {
    af_ticks ticks;
    gboolean exited[PLAIN_THREADS];
    size_t batch;
    uint8_t cuts[MOST_CUTS]; /* 256ths of the events; ascending or not */
    unsigned n_cuts;
    af_event *events;
    size_t n;
} input;

/* ---- bytes to events ---- */

typedef struct {
    fuzz_feed feed;
    uint64_t wall, cpu[PLAIN_THREADS];
    GArray *open[PLAIN_THREADS]; /* of uint32_t: the calls entered and not left */
} teller;

static void tell_ticks(fuzz_feed *feed, input *t)
{
    static const unsigned clocks[] = {3, 1, 2, 3};
    static const uint64_t units[] = {1, 1000, UINT64_C(1) << 24, UINT64_C(1) << 48};
    const uint8_t how = feed_byte(feed), more = feed_byte(feed);
    t->ticks = (af_ticks){.clocks = clocks[how & 3],
                          .tick_ns = (how & 4) != 0 ? 1 : 1000,
                          .wraps = (how & 8) != 0,
                          .has_elapsed = (how & 16) != 0};
    if (t->ticks.has_elapsed) {
        t->ticks.elapsed_ticks = feed_number(feed, 2) * units[how >> 5 & 3];
    }
    for (unsigned i = 0; i < PLAIN_THREADS; i++) {
        t->exited[i] = (more >> i & 1) != 0;
    }
    t->batch = (more >> 4 & 1) != 0 ? 1 + feed_byte(feed) : MOST_EVENTS;
    t->n_cuts = more >> 5;
    for (unsigned i = 0; i < t->n_cuts; i++) {
        t->cuts[i] = feed_byte(feed);
    }
}

/* The step of a clock, or its next value: small steps in a nibble, the others in a separate
 * byte. */
static uint64_t tell_time(fuzz_feed *feed, uint64_t now, unsigned nibble)
{
    if (nibble < 15) {
        return now + nibble;
    }
    const uint8_t kind = feed_byte(feed);
    switch (kind & 7) {
    case 0:
        return now - MIN(now, feed_byte(feed));
    case 1:
        return now + feed_number(feed, 2);
    case 2:
        return now + feed_number(feed, 4);
    case 3:
        return now - MIN(now, feed_number(feed, 4));
    case 4:
        return now + (UINT64_C(1) << 31);
    case 5:
        return now - MIN(now, UINT64_C(1) << 31);
    case 6:
        return feed_number(feed, 8);
    default:
        return now + ((uint64_t)(kind >> 3) << 15);
    }
}

static uint32_t tell_method(teller *t, unsigned thread, unsigned action, unsigned method,
                            gboolean innermost)
{
    GArray *open = t->open[thread];
    if (action == AF_ENTER) {
        const uint32_t entered = method + (innermost ? 8 : 0);
        g_array_append_val(open, entered);
        return entered;
    }
    if (open->len == 0) {
        return method;
    }
    const uint32_t last = g_array_index(open, uint32_t, open->len - 1);
    if (innermost) {
        g_array_set_size(open, open->len - 1);
    }
    return innermost ? last : method;
}

static af_event tell_event(teller *t, const af_ticks *ticks)
{
    const uint8_t what = feed_byte(&t->feed), when = feed_byte(&t->feed);
    const unsigned thread = what >> 2 & 3, action = what & 3;
    const uint64_t mask = ticks->wraps ? UINT32_MAX : UINT64_MAX;
    t->wall = tell_time(&t->feed, t->wall, when & 15) & mask;
    t->cpu[thread] = tell_time(&t->feed, t->cpu[thread], when >> 4) & mask;
    const uint32_t method = tell_method(t, thread, action, what >> 4 & 7, (what >> 7 & 1) != 0);
    af_event event = {.thread = thread, .call = af_event_call(method, action)};
    event.time[AF_WALL] = (ticks->clocks >> AF_WALL & 1) != 0 ? t->wall : 0;
    event.time[AF_CPU] = (ticks->clocks >> AF_CPU & 1) != 0 ? t->cpu[thread] : 0;
    return event;
}

static void tell(input *t, const uint8_t *bytes, size_t size)
{
    teller one = {.feed = {bytes, bytes + size}};
    for (unsigned i = 0; i < PLAIN_THREADS; i++) {
        one.open[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    tell_ticks(&one.feed, t);
    t->events = g_new(af_event, MOST_EVENTS);
    while (t->n < MOST_EVENTS && feed_left(&one.feed) > 0) {
        t->events[t->n++] = tell_event(&one, &t->ticks);
    }
    for (unsigned i = 0; i < PLAIN_THREADS; i++) {
        g_array_unref(one.open[i]);
    }
}

/* ---- ways to rebuild ---- */

static uint64_t offset_of(size_t i)
{
    return 100 + 14 * i;
}

static void take(af_rebuild *rebuild, const input *t, const af_event *events, size_t from,
                 size_t to)
{
    for (size_t at = from; at < to; at += MIN(t->batch, to - at)) {
        af_rebuild_events(rebuild, events + at, MIN(t->batch, to - at), PLAIN_THREADS,
                          offset_of(at), 14);
    }
}

static void finish(af_rebuild *rebuild, const input *t, const af_warnings *warnings,
                   const plain_rebuild *plain)
{
    af_tree *trees[PLAIN_THREADS];
    FUZZ_CHECK(af_rebuild_finish(rebuild, t->exited, PLAIN_THREADS));
    FUZZ_CHECK(af_rebuild_trees(rebuild, trees, PLAIN_THREADS));
    plain_compare(plain, rebuild, warnings, trees);
    for (unsigned i = 0; i < PLAIN_THREADS; i++) {
        af_tree_free(trees[i]);
    }
    af_rebuild_free(rebuild);
}

static void rebuild_whole(const input *t, const plain_rebuild *plain)
{
    af_warnings warnings;
    af_warnings_init(&warnings);
    af_rebuild *rebuild = af_rebuild_new(&t->ticks, &warnings);
    take(rebuild, t, t->events, 0, t->n);
    finish(rebuild, t, &warnings, plain);
}

/* Chunks number threads and methods independently. */
static af_event *renumber(const input *t)
{
    af_event *events = g_memdup2(t->events, MAX(t->n, 1) * sizeof *events);
    for (size_t i = 0; i < t->n; i++) {
        events[i].thread = PLAIN_THREADS - 1 - events[i].thread;
        events[i].call =
            af_event_call(PLAIN_METHODS - 1 - (events[i].call >> 2), events[i].call & 3);
    }
    return events;
}

static gboolean join_chunk(af_rebuild *rebuild, const input *t, const af_event *renumbered,
                           size_t from, size_t to, af_warnings *warnings)
{
    uint32_t thread_of[PLAIN_THREADS], method_of[PLAIN_METHODS];
    for (uint32_t i = 0; i < PLAIN_THREADS; i++) {
        thread_of[i] = PLAIN_THREADS - 1 - i;
    }
    for (uint32_t i = 0; i < PLAIN_METHODS; i++) {
        method_of[i] = PLAIN_METHODS - 1 - i;
    }
    af_warnings found;
    af_warnings_init(&found);
    af_rebuild *chunk = af_rebuild_new_chunk(&t->ticks, &found);
    take(chunk, t, renumbered, from, to);
    const gboolean joined = !af_rebuild_gave_up(chunk) &&
                            af_rebuild_join(rebuild, chunk, thread_of, method_of, PLAIN_THREADS);
    for (unsigned kind = 0; joined && kind < AF_WARNING_COUNT; kind++) {
        if (found.count[kind] > 0) {
            af_warnings_add(warnings, (af_warning_kind)kind, found.count[kind], found.offset[kind]);
        }
    }
    af_rebuild_free(chunk);
    return joined;
}

static void rebuild_chunks(const input *t, const plain_rebuild *plain)
{
    af_warnings warnings;
    af_warnings_init(&warnings);
    g_autofree af_event *renumbered = renumber(t);
    af_rebuild *rebuild = af_rebuild_new(&t->ticks, &warnings);
    size_t from = 0;
    for (unsigned i = 0; i <= t->n_cuts; i++) {
        const size_t to = i == t->n_cuts ? t->n : MAX(from, t->n * t->cuts[i] / 256);
        if (i == 0 || !join_chunk(rebuild, t, renumbered, from, to, &warnings)) {
            take(rebuild, t, t->events, from, to);
        }
        from = to;
    }
    finish(rebuild, t, &warnings, plain);
}

/* ---- the single calls ---- */

/* The same events, for a profile. */
static gboolean fill(const void *user, af_sink *sink, GError **error)
{
    const input *t = user;
    for (unsigned i = 0; i < PLAIN_METHODS; i++) {
        const char name = (char)('a' + i);
        const af_method_text text = {.class_name = {&name, 1}, .line = -1};
        af_sink_define_method(sink, i, &text, TRUE);
    }
    for (unsigned i = 0; i < PLAIN_THREADS; i++) {
        af_sink_describe_thread(sink, af_sink_thread(sink, i), "t", 1, TRUE, t->exited[i]);
    }
    af_sink_start(sink, &t->ticks);
    for (size_t at = 0; at < t->n; at += MIN(t->batch, t->n - at)) {
        af_sink_events(sink, t->events + at, MIN(t->batch, t->n - at), offset_of(at), 14);
    }
    return TRUE;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input t = {.n = 0};
    plain_rebuild plain;
    tell(&t, bytes, size);
    plain_init(&plain, &t.ticks);
    for (size_t i = 0; i < t.n; i++) {
        plain_take(&plain, &t.events[i], offset_of(i));
    }
    plain_finish(&plain, t.exited);
    rebuild_whole(&t, &plain);
    if (t.n_cuts > 0) {
        rebuild_chunks(&t, &plain);
    }
    plain_clear(&plain);
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    fuzz_build(fill, &t, &options, TRUE);
    g_free(t.events);
    return 0;
}
