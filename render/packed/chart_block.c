#include "render/packed/chart_block.h"

#include "base/bytes.h"
#include "base/wide.h"
#include "render/packed/block_text.h"

typedef struct {
    const af_chart_block *block;
    const af_chart_thread *thread;
    unsigned clocks; /* clocks of the thread, bits 1 << clock */
    gboolean has_runnable;
    af_deflater *out;
    uint32_t unit_ns; /* of all times */
    uint64_t *ends;   /* by depth: the end of the previous entry, where the next entry may start */
} writing;

static inline uint64_t to_units(const writing *w, uint64_t time_ns)
{
    return w->unit_ns == 1000 ? time_ns / 1000 : time_ns;
}

static inline uint8_t *put_time(const writing *w, uint8_t *at, uint64_t time_ns)
{
    return af_uleb128_put(at, to_units(w, time_ns));
}

/* ---- columns ---- */

/* Each function writes at `at`: at most two numbers for each entry, and three more. It returns the
 * end. */
typedef uint8_t *column(const writing *w, uint8_t *at);

static uint8_t *put_head(const writing *w, uint8_t *at)
{
    const af_chart_thread *thread = w->thread;
    at = put_time(w, at, thread->has_calls ? thread->first_ns - w->block->chart->from_ns : 0);
    at = put_time(w, at, thread->has_calls ? thread->last_ns - thread->first_ns : 0);
    return af_uleb128_put(at, af_chart_n(thread));
}

static uint8_t *put_depths(const writing *w, uint8_t *at)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        const uint32_t depth = af_chart_at(w->thread, i)->depth + 1;
        at = af_uleb128_put(at, (uint64_t)before + 1 - depth);
        before = depth;
    }
    return at;
}

static uint8_t *put_labels(const writing *w, uint8_t *at)
{
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        const uint32_t label = af_chart_at(w->thread, i)->label;
        const uint32_t *numbers = w->block->numbers;
        at = af_uleb128_put(at, label == AF_NO_LABEL ? w->block->joined
                                : numbers            ? numbers[label] - 1
                                                     : label);
    }
    return at;
}

static uint8_t *put_gaps(const writing *w, uint8_t *at)
{
    w->ends[0] = w->block->chart->from_ns;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        const af_chart_entry *entry = af_chart_at(w->thread, i);
        at = put_time(w, at, entry->start_ns - w->ends[entry->depth]);
        w->ends[entry->depth] = entry->start_ns + entry->extent_ns;
        w->ends[entry->depth + 1] = entry->start_ns;
    }
    return at;
}

static uint8_t *put_extents(const writing *w, uint8_t *at)
{
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        at = put_time(w, at, af_chart_at(w->thread, i)->extent_ns);
    }
    return at;
}

static uint8_t *put_lengths(const writing *w, uint8_t *at, unsigned clock)
{
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        at = put_time(w, at, af_chart_at(w->thread, i)->length_ns[clock]);
    }
    return at;
}

/* Writes by how much the other clock's length is less, twice; or by how much it is more, twice
 * minus one. */
static uint8_t *put_differences(const writing *w, uint8_t *at, unsigned other)
{
    const unsigned clock = (unsigned)w->block->chart->options.clock;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        const uint64_t *length_ns = af_chart_at(w->thread, i)->length_ns;
        if (length_ns[other] <= length_ns[clock]) {
            at = af_uleb128_put(at, to_units(w, length_ns[clock] - length_ns[other]) * 2);
        } else {
            at = af_uleb128_put(at, to_units(w, length_ns[other] - length_ns[clock]) * 2 - 1);
        }
    }
    return at;
}

/* Writes the weights of samples in each clock, which differ from their duration. */
static uint8_t *put_weights(const writing *w, uint8_t *at)
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((w->clocks >> c & 1u) != 0) {
            at = put_lengths(w, at, c);
        }
    }
    return at;
}

/* Writes the time in the other clock, in the shorter of two ways: for threads that compute, the
 * clocks differ little. */
static uint8_t *put_others(const writing *w, uint8_t *at)
{
    if (w->thread->sampled) {
        return put_weights(w, at);
    }
    const unsigned other = w->block->chart->options.clock == AF_WALL ? AF_CPU : AF_WALL;
    if ((w->clocks >> other & 1u) == 0) {
        return at;
    }
    uint8_t *const begin = at + 1, *const lengths = put_lengths(w, begin, other);
    uint8_t *const differences = put_differences(w, begin, other);
    *at = differences < lengths ? 1 : 0;
    return differences < lengths ? differences : put_lengths(w, begin, other);
}

/* Writes the number of merged calls and the gaps in their extent; or the number of samples. */
static uint8_t *put_joined(const writing *w, uint8_t *at)
{
    const unsigned clock = (unsigned)w->block->chart->options.clock;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        const af_chart_entry *entry = af_chart_at(w->thread, i);
        if (w->thread->sampled) {
            at = af_uleb128_put(at, entry->calls);
        } else if (entry->label == AF_NO_LABEL) {
            at = af_uleb128_put(at, entry->calls - 1);
            at = put_time(w, at, entry->extent_ns - entry->length_ns[clock]);
        }
    }
    return at;
}

static inline gboolean has_flags(const af_chart_entry *entry)
{
    return entry->flags != 0 && entry->label != AF_NO_LABEL;
}

static uint8_t *put_flags(const writing *w, uint8_t *at)
{
    uint32_t n = 0, before = 0;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        n += has_flags(af_chart_at(w->thread, i));
    }
    at = af_uleb128_put(at, n);
    for (uint32_t i = 0; i < af_chart_n(w->thread) && n > 0; i++) {
        const af_chart_entry *entry = af_chart_at(w->thread, i);
        if (has_flags(entry)) {
            at = af_uleb128_put(at, i - before);
            at = af_uleb128_put(at, entry->flags);
            before = i;
        }
    }
    return at;
}

static inline gboolean waits(const writing *w, const af_chart_entry *entry)
{
    return to_units(w, entry->runnable_ns) > 0 || entry->waker != AF_NO_WAKER;
}

/* Three numbers for each of these entries, which is more than a column may have. */
static void write_waits(const writing *w)
{
    uint32_t n = 0, before = 0;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        n += waits(w, af_chart_at(w->thread, i));
    }
    af_deflater_number(w->out, n);
    for (uint32_t i = 0; i < af_chart_n(w->thread) && n > 0; i++) {
        const af_chart_entry *entry = af_chart_at(w->thread, i);
        if (waits(w, entry)) {
            af_deflater_number(w->out, i - before);
            af_deflater_number(w->out, to_units(w, entry->runnable_ns));
            af_deflater_number(w->out,
                               entry->waker == AF_NO_WAKER ? 0 : (uint64_t)entry->waker + 1);
            before = i;
        }
    }
}

/* ---- a thread ---- */

static void write_column(const writing *w, column *put)
{
    const size_t most = (2 * (size_t)af_chart_n(w->thread) + 3) * AF_ULEB128_MAX;
    uint8_t *at = af_deflater_reserve(w->out, most);
    if (at) {
        af_deflater_commit(w->out, put(w, at));
    }
}

static void write_marks(const writing *w)
{
    uint64_t end_ns = w->block->chart->from_ns;
    af_deflater_number(w->out, w->thread->highlights.n);
    for (size_t i = 0; i < w->thread->highlights.n; i++) {
        const af_chart_entry *mark = af_array_at(&w->thread->highlights, i);
        af_deflater_number(w->out, to_units(w, mark->start_ns - end_ns));
        af_deflater_number(w->out, to_units(w, mark->extent_ns));
        af_deflater_number(w->out, to_units(w, mark->extent_ns - mark->length_ns[0]));
        af_deflater_number(w->out, mark->calls - 1);
        end_ns = mark->start_ns + mark->extent_ns;
    }
}

static gboolean write_thread(writing *w)
{
    static column *const columns[] = {put_head,    put_depths, put_labels, put_gaps,
                                      put_extents, put_joined, put_others, put_flags};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < af_chart_n(w->thread); i++) {
        depth = MAX(depth, af_chart_at(w->thread, i)->depth);
    }
    g_free(w->ends);
    w->ends = g_try_new(uint64_t, (gsize)depth + 2);
    if (!w->ends) {
        return FALSE;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        write_column(w, columns[i]);
    }
    if (w->has_runnable && !w->thread->sampled) {
        write_waits(w);
    }
    write_marks(w);
    return TRUE;
}

/* ---- instants and counters ---- */

static void mark_series(guint8 *used, const af_array *instants)
{
    for (size_t i = 0; i < instants->n; i++) {
        used[AF_ARRAY_AT(instants, af_instant, i).series] = 1;
    }
}

/* Names that only threads outside the block use are empty. */
static void write_names(const writing *w)
{
    const af_profile *profile = w->block->profile;
    const af_chart_markers *markers = w->block->chart->markers;
    g_autofree guint8 *used = g_malloc0((size_t)profile->markers.n_series + 1);
    for (uint32_t t = 0; t < w->block->n_threads; t++) {
        mark_series(used, &markers->instants[w->block->order[t]]);
    }
    mark_series(used, &markers->instants[markers->n_threads]);
    for (uint32_t i = 0; i < markers->n_counters; i++) {
        used[markers->counters[i].series] = 1;
    }
    af_deflater_number(w->out, profile->markers.n_series);
    for (uint32_t s = 0; s < profile->markers.n_series; s++) {
        g_autofree char *process = used[s] ? af_chart_markers_process(profile, s) : NULL;
        af_block_append_text(w->out, used[s] ? profile->markers.series[s].name : NULL);
        af_block_append_text(w->out, process);
    }
}

static void write_instants(const writing *w, const af_array *instants)
{
    uint64_t before_ns = w->block->chart->from_ns;
    af_deflater_number(w->out, instants->n);
    for (size_t i = 0; i < instants->n; i++) {
        const af_instant *instant = af_array_at(instants, i);
        af_deflater_number(w->out, instant->time_ns - before_ns);
        af_deflater_number(w->out, instant->end_ns - instant->time_ns);
        af_deflater_number(w->out, instant->series);
        af_deflater_number(w->out, instant->n);
        before_ns = instant->time_ns;
    }
}

/* Scripts compute exactly with integers up to 2^53. */
static void write_counter(const writing *w, const af_counter *counter)
{
    const int64_t largest = INT64_C(1) << 51, coarse = 1000000;
    const int64_t unit = counter->least < -largest || counter->most > largest ? coarse : 1;
    uint64_t before_ns = w->block->chart->from_ns;
    af_deflater_number(w->out, counter->series);
    af_deflater_number(w->out, counter->n);
    af_deflater_number(w->out, (uint64_t)unit);
    af_deflater_number(w->out, counter->values.n);
    for (size_t i = 0; i < counter->values.n; i++) {
        const af_value *value = af_array_at(&counter->values, i);
        const int64_t n = value->thousandths / unit;
        af_deflater_number(w->out, value->time_ns - before_ns);
        af_deflater_number(w->out, n < 0 ? 0 - (uint64_t)n * 2 - 1 : (uint64_t)n * 2);
        before_ns = value->time_ns;
    }
}

static void write_samples(const writing *w)
{
    const af_chart_markers *markers = w->block->chart->markers;
    write_names(w);
    af_deflater_number(w->out, markers->grain_ns);
    af_deflater_number(w->out, markers->outside);
    af_deflater_number(w->out, markers->left_out);
    for (uint32_t t = 0; t < w->block->n_threads; t++) {
        write_instants(w, &markers->instants[w->block->order[t]]);
    }
    write_instants(w, &markers->instants[markers->n_threads]);
    af_deflater_number(w->out, markers->n_shown);
    af_deflater_number(w->out, markers->n_counters);
    for (uint32_t i = 0; i < markers->n_counters; i++) {
        write_counter(w, &markers->counters[i]);
    }
}

/* ---- what the scheduler did ---- */

static void write_states(const writing *w, const af_array *states)
{
    uint64_t before_ns = w->block->chart->from_ns;
    size_t i = 0;
    while (i < states->n && AF_ARRAY_AT(states, af_chart_state, i).start_ns < before_ns) {
        i++;
    }
    af_deflater_number(w->out, states->n - i);
    for (; i < states->n; i++) {
        const af_chart_state *state = af_array_at(states, i);
        const af_run_state kind = af_chart_state_kind(state);
        af_deflater_number(w->out, state->start_ns - before_ns);
        af_deflater_number(w->out, state->end_ns - state->start_ns);
        af_deflater_number(w->out, kind);
        for (unsigned k = 0; kind == AF_RUN_STATES && k < AF_RUN_STATES; k++) {
            af_deflater_number(w->out, state->length_ns[k]);
        }
        before_ns = state->end_ns;
    }
}

/* ---- frame timelines ---- */

static void write_frames(const writing *w, const af_chart_frames *frames)
{
    uint64_t before_ns = w->block->chart->from_ns;
    int64_t token = 0;
    af_deflater_number(w->out, frames->rows[AF_FRAMES_EXPECTED]);
    af_deflater_number(w->out, frames->rows[AF_FRAMES_ACTUAL]);
    af_deflater_number(w->out, frames->frames.n);
    for (size_t i = 0; i < frames->frames.n; i++) {
        const af_chart_frame *frame = af_array_at(&frames->frames, i);
        const int64_t step = (int64_t)((uint64_t)frame->token - (uint64_t)token);
        af_deflater_number(w->out, frame->begin_ns - before_ns);
        af_deflater_number(w->out, frame->end_ns - frame->begin_ns);
        af_deflater_number(w->out, frame->length_ns - (frame->end_ns - frame->begin_ns));
        af_deflater_number(w->out, frame->late_ns);
        af_deflater_number(w->out, step < 0 ? (0 - (uint64_t)step) * 2 - 1 : (uint64_t)step * 2);
        af_deflater_number(w->out, frame->fault * 8u + frame->row * 2u + frame->track);
        before_ns = frame->begin_ns;
        token = frame->token;
    }
}

/* ---- the whole ---- */

/* The largest unit in which all times are whole: microseconds in most files. */
static uint32_t find_unit(const af_chart *chart)
{
    uint64_t rest = chart->from_ns % 1000;
    for (uint32_t t = 0; t < chart->options.n_threads && rest == 0; t++) {
        const af_chart_thread *thread = &chart->threads[t];
        rest |= thread->first_ns % 1000 | thread->last_ns % 1000;
        for (uint32_t i = 0; i < af_chart_n(thread) && rest == 0; i++) {
            const af_chart_entry *entry = af_chart_at(thread, i);
            rest |= entry->start_ns % 1000 | entry->extent_ns % 1000;
            rest |= entry->length_ns[AF_WALL] % 1000 | entry->length_ns[AF_CPU] % 1000;
        }
        for (size_t i = 0; i < thread->highlights.n; i++) {
            const af_chart_entry *mark = af_array_at(&thread->highlights, i);
            rest |= mark->start_ns % 1000 | mark->extent_ns % 1000;
        }
    }
    return rest == 0 ? 1000 : 1;
}

static gboolean has_frames(const af_chart *chart)
{
    return chart->frames && chart->frames->frames.n > 0;
}

static gboolean names_wakers(const af_chart_block *block)
{
    return block->profile && block->profile->n_wakers > 0;
}

/* Likewise: names that only threads outside the block use are empty. */
static void write_wakers(const writing *w)
{
    const af_profile *profile = w->block->profile;
    g_autofree guint8 *used = g_malloc0((size_t)profile->n_wakers + 1);
    for (uint32_t t = 0; t < w->block->n_threads; t++) {
        const af_chart_thread *thread = &w->block->chart->threads[w->block->order[t]];
        for (uint32_t i = 0; i < af_chart_n(thread); i++) {
            used[MIN(af_chart_at(thread, i)->waker, profile->n_wakers)] = 1;
        }
    }
    af_deflater_number(w->out, profile->n_wakers);
    for (uint32_t i = 0; i < profile->n_wakers; i++) {
        af_block_append_text(w->out, used[i] ? profile->wakers[i] : NULL);
    }
}

static void write_head(const writing *w)
{
    const af_chart_block *block = w->block;
    const af_chart *chart = block->chart;
    const uint64_t numbers[] = {
        (uint64_t)chart->options.clock,
        w->unit_ns,
        chart->from_ns - MIN(chart->from_ns, block->zero_ns),
        chart->to_ns - chart->from_ns,
        MAX(chart->recorded_ns, chart->from_ns) - chart->from_ns,
        (block->overflow ? 1u : 0u) | (block->truncated ? 2u : 0u) |
            (chart->options.sampled ? 4u : 0u) | (chart->markers ? 8u : 0u) |
            (names_wakers(block) ? 16u : 0u) | (chart->n_states > 0 ? 32u : 0u) |
            (has_frames(chart) ? 64u : 0u),
        chart->shortest_ns,
        chart->calls,
        chart->interval_ns,
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        af_deflater_number(w->out, numbers[i]);
    }
    af_block_append_text(w->out, chart->highlighted);
    if (names_wakers(block)) {
        write_wakers(w);
    }
}

gboolean af_chart_block_write(const af_chart_block *block, af_deflater *out)
{
    writing w = {.block = block, .out = out, .unit_ns = find_unit(block->chart)};
    gboolean ok = TRUE;
    write_head(&w);
    for (uint32_t t = 0; t < block->n_threads && ok; t++) {
        w.thread = &block->chart->threads[block->order[t]];
        w.clocks = block->profile == NULL
                       ? 1u << AF_WALL | 1u << AF_CPU
                       : af_tree_clocks(block->profile->threads[block->order[t]].tree);
        w.has_runnable =
            block->profile && block->profile->threads[block->order[t]].tree->runnable != NULL;
        ok = write_thread(&w);
    }
    if (ok && block->chart->markers) {
        write_samples(&w);
    }
    for (uint32_t t = 0; ok && block->chart->n_states > 0 && t < block->n_threads; t++) {
        write_states(&w, &block->chart->threads[block->order[t]].states);
    }
    if (ok && has_frames(block->chart)) {
        write_frames(&w, block->chart->frames);
    }
    g_free(w.ends);
    return ok;
}

/* ---- fitting the budget ---- */

size_t af_chart_block_measure(const af_chart_block *block)
{
    af_deflater *out = af_deflater_new();
    const size_t size = out && af_chart_block_write(block, out) ? af_deflater_finish(out) : 0;
    af_deflater_free(out);
    return size;
}

/* Merges calls until there are at most `wanted` entries. */
static gboolean thin_to(af_chart *chart, uint64_t wanted)
{
    enum { FIRST_NS = 500 };
    while (chart->n > wanted && chart->shortest_ns < UINT64_MAX / 4) {
        const uint64_t step_ns = MAX(chart->shortest_ns / 4, FIRST_NS);
        if (!af_chart_thin(chart, chart->shortest_ns + step_ns)) {
            return FALSE;
        }
    }
    return TRUE;
}

size_t af_chart_block_fit(const af_chart_block *block, size_t size)
{
    af_chart *chart = block->chart;
    size_t now = af_chart_block_measure(block);
    while (now > size && chart->n > 0 && chart->shortest_ns < UINT64_MAX / 4) {
        /* assumes that the size of entries stays the same; the loop then measures again */
        const uint64_t wanted = (uint64_t)((af_u128)chart->n * size / now);
        if (!thin_to(chart, MIN(wanted, chart->n - 1))) {
            return 0;
        }
        now = af_chart_block_measure(block);
    }
    return now;
}
