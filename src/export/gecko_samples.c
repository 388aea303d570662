/* Recorded samples, written as gecko_profile_generator writes a recording of simpleperf.
 *
 * Every sample is written with its time, in time order, whatever its weight. Frames are called and
 * identified by "SYMBOL (in LIBRARY)", or "unknown[+ADDRESS] (in unknown)" where nothing was
 * mapped; table rows are in order of first use.
 *
 * Unwinding sometimes stops early, and the rest of the stack then begins somewhere in the middle.
 * Short runs of such samples (--remove-gaps) are dropped; longer ones remain, because they may be
 * all there is. A thread without samples is dropped. */
#include "export/gecko.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/memory_error.h"
#include "base/textmap.h"
#include "export/calls.h"
#include "export/gecko_form.h"

typedef struct {
    uint32_t prefix, frame;
    gboolean whole; /* reaches down to a thread's start function */
} stack;

typedef struct {
    uint64_t time_ns;
    uint32_t stack;
    uint32_t number; /* in the file */
} sample;

typedef struct {
    gboolean begun;
    af_idmap frames;    /* of frames of all threads: number in this one */
    af_idmap stacks_of; /* prefix + 1 and frame */
    af_array stacks;    /* of stack */
    af_array samples;   /* of sample */
} track;

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    af_arena *arena;
    af_textmap names;    /* of frames of all threads */
    af_array categories; /* of uint8_t, by name */
    uint32_t *frame_of;  /* by method: number of its name + 1; 0 = not looked up yet */
    guint8 *begins;      /* by label: whether threads start there */
    track *tracks;       /* by thread of the profile; empty for threads that are not selected */
    guint8 *wanted;
    af_array path; /* of uint32_t: the stacks of the sample before, outermost first */
} writer;

/* Chooses by library, as the generator does. */
static af_gecko_category choose_category(const char *symbol, const char *library)
{
    if (strcmp(library, "[kernel.kallsyms]") == 0 || g_str_has_suffix(library, ".ko")) {
        return strcmp(symbol, "__schedule") == 0 ? AF_GECKO_OFF_CPU : AF_GECKO_KERNEL;
    }
    static const struct {
        const char *ending;
        af_gecko_category category;
    } kinds[] = {
        {".so", AF_GECKO_NATIVE}, {".vdex", AF_GECKO_DEX}, {".apk", AF_GECKO_DEX},
        {".jar", AF_GECKO_DEX},   {".oat", AF_GECKO_OAT},  {".odex", AF_GECKO_OAT},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_has_suffix(library, kinds[i].ending)) {
            return kinds[i].category;
        }
    }
    return strcmp(library, "[JIT app cache]") == 0 ? AF_GECKO_JIT : AF_GECKO_USER;
}

/* Where nothing was mapped, the address names the frame. */
static char *write_name(const af_method *method, const char *symbol, const char *library)
{
    if (method->nowhere != NULL) {
        return g_strdup_printf("unknown[+%s] (in unknown)", method->nowhere);
    }
    g_autofree char *where = g_strdelimit(g_strdup(library), ")", '_');
    return g_strdup_printf("%s%s (in %s)", g_str_has_prefix(symbol, "0x") ? "at " : "", symbol,
                           where);
}

/* The number of a method's name; AF_TEXTMAP_NONE if out of memory. */
static uint32_t name_frame(writer *w, uint32_t method, uint32_t label)
{
    if (w->frame_of[method] != 0) {
        return w->frame_of[method] - 1;
    }
    const char *symbol = w->profile->labels[label].text;
    const char *said = w->profile->methods[method].library;
    const char *library = said != NULL && said[0] != '\0' ? said : "unknown";
    g_autofree char *name = write_name(&w->profile->methods[method], symbol, library);
    const uint32_t known = w->names.n;
    uint32_t number = af_textmap_find(&w->names, name, strlen(name));
    if (number == AF_TEXTMAP_NONE) {
        const char *copy = af_arena_text(w->arena, name);
        number = copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&w->names, copy, strlen(copy));
    }
    if (number == AF_TEXTMAP_NONE || !af_array_reach(&w->categories, (size_t)number + 1)) {
        return AF_TEXTMAP_NONE;
    }
    if (number == known) {
        AF_ARRAY_AT(&w->categories, uint8_t, number) = (uint8_t)choose_category(symbol, library);
    }
    w->frame_of[method] = number + 1;
    return number;
}

static void begin_track(track *t)
{
    t->begun = TRUE;
    af_idmap_init_hashed(&t->frames, NULL);
    af_idmap_init_hashed(&t->stacks_of, NULL);
    af_array_init(&t->stacks, sizeof(stack));
    af_array_init(&t->samples, sizeof(sample));
}

static uint32_t find_stack(track *t, uint32_t prefix, uint32_t frame, gboolean begins)
{
    const uint64_t key =
        ((uint64_t)prefix + 1) << 32 | frame; /* the first has the prefix 2^32 - 1 */
    const uint32_t number = af_idmap_number(&t->stacks_of, key);
    if (number == AF_IDMAP_NONE || !af_array_reach(&t->stacks, (size_t)number + 1)) {
        return AF_IDMAP_NONE;
    }
    stack *s = &AF_ARRAY_AT(&t->stacks, stack, number);
    s->prefix = prefix;
    s->frame = frame;
    s->whole =
        begins || (prefix != AF_GECKO_NO_PREFIX && AF_ARRAY_AT(&t->stacks, stack, prefix).whole);
    return number;
}

static gboolean add_sample(void *user, const af_recorded_sample *recorded, GError **error)
{
    writer *w = user;
    track *t = &w->tracks[recorded->thread];
    if (!w->wanted[recorded->thread]) {
        return TRUE;
    }
    if (!t->begun) {
        begin_track(t);
    }
    if (!af_array_reach(&w->path, recorded->n)) {
        return af_memory_error_set(error);
    }
    uint32_t *path = w->path.items;
    uint32_t at = recorded->common > 0 ? path[recorded->common - 1] : AF_GECKO_NO_PREFIX;
    for (size_t i = recorded->common; i < recorded->n; i++) {
        const uint32_t name = name_frame(w, recorded->methods[i], recorded->labels[i]);
        const uint32_t frame =
            name == AF_TEXTMAP_NONE ? AF_IDMAP_NONE : af_idmap_number(&t->frames, name);
        at = frame == AF_IDMAP_NONE ? AF_IDMAP_NONE
                                    : find_stack(t, at, frame, w->begins[recorded->labels[i]]);
        if (at == AF_IDMAP_NONE) {
            return af_memory_error_set(error);
        }
        path[i] = at;
    }
    sample *s = af_array_add(&t->samples, 1);
    if (s == NULL) {
        return af_memory_error_set(error);
    }
    *s = (sample){recorded->time_ns, at, (uint32_t)t->samples.n};
    return TRUE;
}

static int compare_samples(const void *a, const void *b)
{
    const sample *one = a, *other = b;
    return one->time_ns != other->time_ns
               ? (one->time_ns > other->time_ns ? 1 : -1)
               : (one->number > other->number) - (one->number < other->number);
}

static gboolean is_whole(const track *t, size_t i)
{
    return AF_ARRAY_AT(&t->stacks, stack, AF_ARRAY_AT(&t->samples, sample, i).stack).whole;
}

/* Whether stacks that do not reach the start of their thread were cut while unwinding. Those of
 * simpleperf were; other recorders may name the start in another way, or not at all. */
static gboolean has_gaps(const writer *w, const track *t)
{
    gboolean any_whole = g_strcmp0(w->profile->facts.format.producer, "simpleperf") == 0;
    for (size_t i = 0; !any_whole && i < t->samples.n; i++) {
        any_whole = is_whole(t, i);
    }
    return any_whole;
}

/* Drops short runs of broken stacks. */
static void remove_gaps(const writer *w, track *t)
{
    sample *samples = t->samples.items;
    if (!has_gaps(w, t)) {
        return;
    }
    size_t n = 0, run = 0; /* length of the current run of broken stacks */
    for (size_t i = 0; i < t->samples.n; i++) {
        const gboolean whole = is_whole(t, i);
        if (whole && run <= w->selection->remove_gaps) {
            n -= run;
        }
        run = whole ? 0 : run + 1;
        samples[n++] = samples[i];
    }
    t->samples.n = run <= w->selection->remove_gaps ? n - run : n;
}

static void put_thread(const writer *w, uint32_t thread, uint32_t number)
{
    const track *t = &w->tracks[thread];
    af_out *out = w->out;
    af_gecko_begin_frames(out, number);
    for (uint32_t i = 0; i < t->frames.n; i++) {
        af_gecko_put_frame(out, i, AF_ARRAY_AT(&w->categories, uint8_t, t->frames.ids[i]));
    }
    af_gecko_begin_samples(out, w->profile->threads[thread].name, w->selection->ids->pids[thread]);
    for (size_t i = 0; i < t->samples.n; i++) {
        const sample *s = &AF_ARRAY_AT(&t->samples, sample, i);
        af_gecko_put_sample(out, i, s->stack, s->time_ns, 6);
    }
    af_gecko_begin_stacks(out);
    for (uint32_t i = 0; i < t->stacks.n; i++) {
        const stack *s = &AF_ARRAY_AT(&t->stacks, stack, i);
        af_gecko_put_stack(out, i, s->prefix, s->frame);
    }
    af_gecko_begin_strings(out);
    for (uint32_t i = 0; i < t->frames.n; i++) {
        const af_textmap_entry *name = &w->names.entries[t->frames.ids[i]];
        af_gecko_put_string(out, i, name->bytes, name->length);
    }
    af_gecko_end_thread(out, w->selection->ids->tids[thread]);
}

static gboolean put_all(writer *w, GError **error)
{
    const af_sample_source *samples = w->selection->samples;
    uint32_t number = 0;
    if (!samples->read(samples->user, add_sample, w, error)) {
        return FALSE;
    }
    af_gecko_begin(w->out, w->profile, 1000000, w->selection->left_out);
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        track *t = &w->tracks[w->selection->threads[i]];
        if (t->begun && t->samples.n > 0) {
            qsort(t->samples.items, t->samples.n, sizeof(sample), compare_samples);
            remove_gaps(w, t);
        }
        if (t->begun && t->samples.n > 0) {
            put_thread(w, w->selection->threads[i], number++);
        }
    }
    af_gecko_end(w->out);
    return TRUE;
}

static gboolean prepare(writer *w)
{
    const af_profile *profile = w->profile;
    w->frame_of = g_try_new0(uint32_t, (size_t)profile->n_methods + 1);
    w->begins = g_try_new0(guint8, (size_t)profile->n_labels + 1);
    w->tracks = g_try_new0(track, (size_t)profile->n_threads + 1);
    w->wanted = g_try_new0(guint8, (size_t)profile->n_threads + 1);
    if (w->frame_of == NULL || w->begins == NULL || w->tracks == NULL || w->wanted == NULL) {
        return FALSE;
    }
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        const char *text = profile->labels[l].text;
        w->begins[l] = strcmp(text, "__libc_init") == 0 || strcmp(text, "__start_thread") == 0;
    }
    for (uint32_t i = 0; i < w->selection->n_threads; i++) {
        w->wanted[w->selection->threads[i]] = 1;
    }
    return TRUE;
}

gboolean af_gecko_write_samples(const af_profile *profile, const af_selection *selection,
                                af_out *out, GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    w.arena = af_arena_new();
    af_textmap_init(&w.names);
    af_array_init(&w.categories, sizeof(uint8_t));
    af_array_init(&w.path, sizeof(uint32_t));
    const gboolean ok = prepare(&w) ? put_all(&w, error) : af_memory_error_set(error);
    for (uint32_t t = 0; w.tracks != NULL && t < profile->n_threads; t++) {
        if (w.tracks[t].begun) {
            af_idmap_clear(&w.tracks[t].frames);
            af_idmap_clear(&w.tracks[t].stacks_of);
            af_array_clear(&w.tracks[t].stacks);
            af_array_clear(&w.tracks[t].samples);
        }
    }
    g_free(w.frame_of);
    g_free(w.begins);
    g_free(w.tracks);
    g_free(w.wanted);
    af_array_clear(&w.categories);
    af_array_clear(&w.path);
    af_textmap_clear(&w.names);
    af_arena_free(w.arena);
    return ok;
}
