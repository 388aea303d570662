/* A Gecko profile, version 24, as Android's gecko_profile_generator writes it: the same tables,
 * keys in alphabetical order, the same categories, frames as "NAME (in WHERE)".
 *
 * The format holds only samples of equal weight. Samples recorded with their times are written
 * unchanged (gecko_samples.c). Recorded calls are sampled at regular intervals, so their times are
 * exact to one interval; the format `firefox` has them to the ns. If there are only trees, the
 * intervals step through the weights of the nodes in sequence. The interval is long enough that no
 * thread has more than 50,000 samples.
 *
 * The Firefox Profiler reads "NAME (in WHERE)" as a native function and a library; it may read
 * other names as JavaScript, or as addresses if they begin with 0x.
 *
 * Tested with the Firefox Profiler's code, as for firefox.c. The output for simpleperf's
 * perf_with_jit_symbol.data equals that of gecko_profile_generator.py key by key, except for the
 * category of code in a .jar, which newer generators know. speedscope 1.25.0 does not support the
 * format. */
#include "export/exporter.h"

#include "base/memory_error.h"
#include "export/calls.h"
#include "export/gecko.h"
#include "export/gecko_form.h"
#include "export/slices.h"
#include "export/label_numbers.h"

#define MOST_SAMPLES 50000

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    uint64_t step;         /* ns, or of the profile's unit */
    uint64_t n;            /* samples of the thread so far */
    uint32_t n_threads;    /* threads begun so far */
    af_label_numbers used; /* of the thread */
} writer;

static af_gecko_category choose_category(const af_label *label)
{
    switch (label->category) {
    case AF_CATEGORY_IDLE:
    case AF_CATEGORY_BLOCKED:
        return AF_GECKO_OFF_CPU;
    case AF_CATEGORY_UNKNOWN:
    case AF_CATEGORY_INLINED:
        return AF_GECKO_NATIVE;
    case AF_CATEGORY_KERNEL:
    case AF_CATEGORY_WAKER:
        return AF_GECKO_KERNEL;
    case AF_CATEGORY_JIT:
        return AF_GECKO_JIT;
    case AF_CATEGORY_ANDROID:
    case AF_CATEGORY_TRACER:
    case AF_CATEGORY_JAVA:
        return AF_GECKO_OAT; /* compiled into the image that every app starts from */
    default:
        return AF_GECKO_DEX;
    }
}

static void put_frames(const writer *w)
{
    for (uint32_t i = 0; i < w->used.n; i++) {
        af_gecko_put_frame(w->out, i, choose_category(&w->profile->labels[w->used.labels[i]]));
    }
}

static void put_stacks(const writer *w, const af_tree *tree)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        af_gecko_put_stack(w->out, n - 1, parent == 0 ? AF_GECKO_NO_PREFIX : parent - 1,
                           w->used.number_of[tree->label[n]]);
    }
}

static void put_strings(const writer *w)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < w->used.n; i++) {
        const af_label *label = &w->profile->labels[w->used.labels[i]];
        g_string_assign(text, g_str_has_prefix(label->text, "0x") ? "at " : "");
        g_string_append_len(text, label->text, label->length);
        g_string_append_printf(text, " (in %s)", af_category_title(label->category));
        af_gecko_put_string(w->out, i, text->str, text->len);
    }
}

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    if (!af_label_numbers_init(&w->used, w->profile, &thread, 1)) {
        return af_memory_error_set(error);
    }
    af_gecko_begin_frames(w->out, w->n_threads++);
    put_frames(w);
    af_gecko_begin_samples(w->out, w->profile->threads[thread].name,
                           w->selection->ids->pids[thread]);
    w->n = 0;
    return TRUE;
}

/* Writes a sample for each interval whose middle lies in the slice. */
static gboolean put_samples(void *user, const af_export_slice *slice, GError **error)
{
    writer *w = user;
    const gboolean counted = w->profile->facts.weights.unit.counted;
    const uint64_t half = w->step / 2;
    uint64_t i = slice->begin_ns <= half ? 0 : (slice->begin_ns - half - 1) / w->step + 1;
    for (; i * w->step + half < slice->end_ns; i++) {
        af_gecko_put_sample(w->out, w->n++, slice->node - 1, counted ? i : i * w->step + half,
                            counted ? 0 : 6);
    }
    return w->out->error == NULL || af_export_stop(error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    writer *w = user;
    af_gecko_begin_stacks(w->out);
    put_stacks(w, w->profile->threads[thread].tree);
    af_gecko_begin_strings(w->out);
    put_strings(w);
    af_gecko_end_thread(w->out, w->selection->ids->tids[thread]);
    af_label_numbers_clear(&w->used);
    return TRUE;
}

static uint64_t find_longest(const af_profile *profile, const af_selection *selection)
{
    uint64_t longest = 0;
    if (selection->calls != NULL && selection->clock == AF_WALL) {
        return profile->facts.recording.end_ns -
               MIN(af_profile_start_ns(profile), profile->facts.recording.end_ns);
    }
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        longest = MAX(longest, af_thread_time_ns(profile, selection->threads[i], selection->clock));
    }
    return longest;
}

/* 1, 2 or 5 times a power of ten; at least 1 µs, or one of the counted unit. */
static uint64_t choose_step(const af_profile *profile, uint64_t longest)
{
    const af_unit *unit = &profile->facts.weights.unit;
    uint64_t one = unit->counted && unit->digits == 0 ? 1 : 1000;
    for (;; one *= 10) {
        static const unsigned factors[] = {1, 2, 5};
        for (unsigned i = 0; i < G_N_ELEMENTS(factors); i++) {
            if (one * factors[i] >= longest / MOST_SAMPLES) {
                return one * factors[i];
            }
        }
    }
}

static gboolean write_gecko(const af_profile *profile, const af_selection *selection, af_out *out,
                            GError **error)
{
    if (selection->samples != NULL) {
        return af_gecko_write_samples(profile, selection, out, error);
    }
    writer w = {.profile = profile, .selection = selection, .out = out};
    w.step = choose_step(profile, find_longest(profile, selection));
    const af_export_slice_observer observer = {1, begin_thread, put_samples, end_thread, &w};
    af_gecko_begin(out, profile, profile->facts.weights.unit.counted ? 1000000 : w.step,
                   selection->left_out);
    const gboolean ok = af_export_slices_walk(profile, selection, &observer, error);
    af_gecko_end(out);
    af_label_numbers_clear(&w.used);
    return ok;
}

const af_exporter af_exporter_gecko = {
    .name = "gecko",
    .extensions = "gecko.json",
    .title = "Gecko profile, as gecko_profile_generator writes it",
    .calls = AF_CALLS_IF_ANY,
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_gecko,
};
