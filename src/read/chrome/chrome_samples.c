#include <string.h>

#include "read/chrome/chrome.h"
#include "read/held.h"

/* Deeper frames of a sampled stack are dropped: a few bytes can declare any depth, and a few more
 * can repeat it endlessly. */
#define MOST_DEPTH 4096u

typedef struct {
    uint32_t caller; /* AF_NO_FRAME = none */
    uint32_t method;
    gboolean defined;
    uint32_t otherwise; /* the frame to use if this one is undefined, or AF_NO_FRAME */
    uint32_t depth;     /* 1 = without a caller; 0 = unknown */
    uint32_t shown;     /* this frame, or its deepest caller within MOST_DEPTH */
} frame;

typedef struct {
    uint32_t of;
    uint32_t frame;
    int64_t ns;
    uint64_t number;
} sample;

/* A sampled thread. */
typedef struct {
    gboolean has_process;
    af_owner_id process, thread; /* texts in the sink's arena */
    uint32_t track;              /* AF_NO_THREAD until there is a sample */
} sampled;

struct af_chrome_samples {
    af_chrome *chrome;
    af_array frames;      /* of frame */
    af_textmap ids;       /* of frames in the file */
    af_array frame_of;    /* of uint32_t, by index of the id */
    af_idmap paths;       /* caller << 32 | method */
    af_array path_frames; /* of uint32_t, by index of the path */
    af_textmap keys;      /* of sampled threads */
    af_array sampled;     /* of sampled, by index of the key */
    af_sorter *samples;
    uint64_t n;
    GString *key;
    af_array path; /* of uint32_t: frames to be entered, from the innermost */
    GError *error;
};

static af_sorter_key key_of_sample(const void *record)
{
    const sample *one = record;
    return (af_sorter_key){one->of, one->ns};
}

static int compare_samples(const void *a, const void *b)
{
    const sample *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static const af_sorter_order by_thread_and_time = {key_of_sample, compare_samples};

af_chrome_samples *af_chrome_samples_new(af_chrome *chrome)
{
    uint64_t *const meter = af_sink_meter(chrome->sink);
    af_chrome_samples *s = g_new0(af_chrome_samples, 1);
    s->chrome = chrome;
    af_array_init_metered(&s->frames, sizeof(frame), meter);
    af_textmap_init_metered(&s->ids, meter);
    af_array_init_metered(&s->frame_of, sizeof(uint32_t), meter);
    af_idmap_init_hashed(&s->paths);
    s->paths.meter = meter;
    af_array_init_metered(&s->path_frames, sizeof(uint32_t), meter);
    af_textmap_init_metered(&s->keys, meter);
    af_array_init_metered(&s->sampled, sizeof(sampled), meter);
    af_array_init_metered(&s->path, sizeof(uint32_t), meter);
    s->key = g_string_new(NULL);
    return s;
}

void af_chrome_samples_free(af_chrome_samples *s)
{
    af_array_clear(&s->frames);
    af_textmap_clear(&s->ids);
    af_array_clear(&s->frame_of);
    af_idmap_clear(&s->paths);
    af_array_clear(&s->path_frames);
    af_textmap_clear(&s->keys);
    af_array_clear(&s->sampled);
    af_array_clear(&s->path);
    af_sorter_free(s->samples);
    g_string_free(s->key, TRUE);
    g_clear_error(&s->error);
    g_free(s);
}

static frame *frame_at(const af_chrome_samples *s, uint32_t number)
{
    return &AF_ARRAY_AT(&s->frames, frame, number);
}

/* ---- frames ---- */

static uint32_t new_frame(af_chrome_samples *s, uint32_t caller, uint32_t method, gboolean defined)
{
    frame *added = s->frames.n < AF_NO_FRAME ? af_array_add(&s->frames, 1) : NULL;
    if (added == NULL) {
        af_sink_fail(s->chrome->sink);
        return AF_NO_FRAME;
    }
    *added =
        (frame){.caller = caller, .method = method, .defined = defined, .otherwise = AF_NO_FRAME};
    return (uint32_t)s->frames.n - 1;
}

/* Returns the number of `key`, and copies it if it is new. */
static uint32_t number_key(af_chrome_samples *s, af_textmap *map)
{
    uint32_t number = af_textmap_find(map, s->key->str, s->key->len);
    if (number == AF_TEXTMAP_NONE) {
        const char *copy = af_sink_copy(s->chrome->sink, s->key->str, s->key->len);
        number = copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(map, copy, s->key->len);
        af_sink_fail_if(s->chrome->sink, number == AF_TEXTMAP_NONE);
    }
    return number;
}

/* Writes an id as text: 3 and "3" are the same. */
static void write_id(af_chrome_samples *s, const af_pull_value *id, const af_owner_id *process)
{
    g_string_truncate(s->key, 0);
    if (process != NULL) {
        g_string_append_printf(s->key, "%" G_GINT64_FORMAT " %.*s:", process->number,
                               (int)MIN(process->text.length, 1000), process->text.bytes);
    }
    g_string_append_len(s->key, id->text.bytes, (gssize)id->text.length);
}

/* Returns the frame of an id, which may be defined later. */
static uint32_t frame_of(af_chrome_samples *s, const af_pull_value *id, const af_owner_id *process)
{
    write_id(s, id, process);
    const uint32_t number = number_key(s, &s->ids);
    if (number == AF_TEXTMAP_NONE) {
        return AF_NO_FRAME;
    }
    if (number >= s->frame_of.n) {
        uint32_t *added = af_array_add(&s->frame_of, 1);
        if (added == NULL) {
            af_sink_fail(s->chrome->sink);
            return AF_NO_FRAME;
        }
        *added = new_frame(s, AF_NO_FRAME, 0, FALSE);
    }
    return AF_ARRAY_AT(&s->frame_of, uint32_t, number);
}

/* Returns the frame of an id that is local to the process or, without such a definition, global. */
static uint32_t frame_of_either(af_chrome_samples *s, const af_pull_value *id,
                                const af_owner_id *process)
{
    const uint32_t own = frame_of(s, id, process);
    const uint32_t of_all = own == AF_NO_FRAME ? AF_NO_FRAME : frame_of(s, id, NULL);
    if (of_all != AF_NO_FRAME) {
        frame_at(s, own)->otherwise = of_all;
    }
    return own;
}

void af_chrome_samples_take_frames(af_chrome_samples *s, af_span object, const af_owner_id *process)
{
    af_pull json = af_pull_over(object);
    af_pull_value id, description, name, caller;
    const af_span none = {NULL, 0};
    af_pull_enter(&json);
    while (af_pull_next_key(&json, &id) == AF_PULL_OK &&
           af_pull_take(&json, &description) == AF_PULL_OK) {
        const gboolean named = af_chrome_member(description.text, "name", &name);
        const uint32_t method = af_frames_name(
            &s->chrome->names, named ? af_pull_text(&name, s->chrome->other_buffer) : none);
        const uint32_t parent = af_chrome_member(description.text, "parent", &caller)
                                    ? frame_of(s, &caller, process)
                                    : AF_NO_FRAME;
        const uint32_t number = frame_of(s, &id, process);
        if (number != AF_NO_FRAME) {
            frame *defined = frame_at(s, number);
            defined->defined = TRUE;
            defined->method = method;
            defined->caller = parent;
        }
    }
}

uint32_t af_chrome_samples_add_frame(af_chrome_samples *s, uint32_t caller, uint32_t method)
{
    const uint32_t path = af_idmap_number(&s->paths, (uint64_t)caller << 32 | method);
    const size_t known = s->path_frames.n;
    if (path == AF_IDMAP_NONE || !af_array_reach(&s->path_frames, (size_t)path + 1)) {
        af_sink_fail(s->chrome->sink);
        return AF_NO_FRAME;
    }
    uint32_t *number = &AF_ARRAY_AT(&s->path_frames, uint32_t, path);
    if (path >= known) {
        *number = new_frame(s, caller, method, TRUE);
    }
    return *number;
}

/* ---- samples ---- */

static af_span keep(af_chrome_samples *s, af_span text)
{
    text.length = MIN(text.length, AF_LONGEST_NAME);
    text.bytes = text.length == 0 ? NULL : af_sink_copy(s->chrome->sink, text.bytes, text.length);
    return text.bytes == NULL ? (af_span){NULL, 0} : text;
}

static void append_id(GString *key, const af_owner_id *id)
{
    g_string_append_len(key, (const char *)&id->number, sizeof id->number);
    g_string_append_len(key, id->text.bytes, (gssize)MIN(id->text.length, AF_LONGEST_NAME));
    g_string_append_c(key, '\0');
}

uint32_t af_chrome_samples_of(af_chrome_samples *s, const af_owner_id *process,
                              const af_owner_id *thread)
{
    g_string_assign(s->key, process != NULL ? "p" : "t");
    if (process != NULL) {
        append_id(s->key, process);
    }
    append_id(s->key, thread);
    const uint32_t number = number_key(s, &s->keys);
    if (number != AF_TEXTMAP_NONE && number >= s->sampled.n) {
        sampled *added = af_array_add(&s->sampled, 1);
        if (added == NULL) {
            af_sink_fail(s->chrome->sink);
            return 0;
        }
        *added = (sampled){.has_process = process != NULL,
                           .thread = {thread->number, keep(s, thread->text)},
                           .track = AF_NO_THREAD};
        if (process != NULL) {
            added->process = (af_owner_id){process->number, keep(s, process->text)};
        }
    }
    return number;
}

void af_chrome_samples_add(af_chrome_samples *s, uint32_t of, int64_t ns, uint32_t leaf)
{
    const sample added = {of, leaf, ns, s->n++};
    if (s->samples == NULL) {
        s->samples =
            af_sorter_new(sizeof added, &by_thread_and_time, af_held_by_sorter(s->chrome->sink));
    }
    if (s->error == NULL) {
        af_sorter_add(s->samples, &added, &s->error);
    }
}

uint64_t af_chrome_samples_count(const af_chrome_samples *s)
{
    return s->n;
}

/* "stack": names from the outermost in. */
static uint32_t take_stack(af_chrome_samples *s, const af_pull_value *stack)
{
    af_pull json = af_pull_over(stack->text);
    uint32_t leaf = AF_NO_FRAME;
    unsigned depth = 0;
    af_pull_enter(&json);
    while (af_pull_next_item(&json) == AF_PULL_OK) {
        af_pull_value name;
        if (af_pull_take(&json, &name) != AF_PULL_OK) {
            break;
        }
        const af_span text = af_pull_text(&name, s->chrome->other_buffer);
        if (depth++ < MOST_DEPTH) {
            leaf = af_chrome_samples_add_frame(s, leaf, af_frames_name(&s->chrome->names, text));
        }
    }
    return leaf;
}

static void take_sampled(af_chrome_samples *s, const af_chrome_event *event, gboolean of_thread)
{
    af_chrome *c = s->chrome;
    const af_pull_value *process_value = af_chrome_get(event, AF_FIELD_PROCESS);
    const af_pull_value *leaf = af_chrome_get(event, AF_FIELD_FRAME);
    const af_pull_value *stack = af_chrome_get(event, AF_FIELD_STACK);
    const af_owner_id process = af_chrome_id(process_value, c->buffer);
    const af_owner_id thread = af_chrome_id(af_chrome_get(event, AF_FIELD_THREAD), c->other_buffer);
    int64_t ns;
    if (!af_chrome_ns(c, af_chrome_get(event, AF_FIELD_TIME), &ns)) {
        af_sink_warn(c->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        return;
    }
    const uint32_t of =
        af_chrome_samples_of(s, of_thread || process_value != NULL ? &process : NULL, &thread);
    if (leaf != NULL) {
        af_chrome_samples_add(s, of, ns,
                              process_value == NULL ? frame_of(s, leaf, NULL)
                                                    : frame_of_either(s, leaf, &process));
    } else if (stack != NULL && stack->kind == AF_PULL_ARRAY) {
        af_chrome_samples_add(s, of, ns, take_stack(s, stack));
    }
}

void af_chrome_samples_take_event(af_chrome_samples *s, const af_chrome_event *event)
{
    take_sampled(s, event, TRUE);
}

void af_chrome_samples_take_sample(af_chrome_samples *s, af_span object)
{
    af_pull json = af_pull_over(object);
    af_chrome_event event;
    if (af_chrome_parse(&json, &event, s->chrome->buffer) == AF_PULL_OK) {
        take_sampled(s, &event, FALSE);
    }
}

/* ---- stacks in time order ---- */

/* Computes the depths of a frame and its callers, where unknown. An undefined caller, or one in a
 * cycle, counts as none. */
static void find_depth(af_chrome_samples *s, uint32_t number)
{
    const uint32_t visiting = UINT32_MAX; /* a temporary depth for frames on the way up */
    s->path.n = 0;
    while (number != AF_NO_FRAME && frame_at(s, number)->depth == 0) {
        frame *f = frame_at(s, number);
        uint32_t *added = af_array_add(&s->path, 1);
        if (added == NULL) {
            af_sink_fail(s->chrome->sink);
            return;
        }
        *added = number;
        f->depth = visiting;
        const frame *caller = f->caller == AF_NO_FRAME ? NULL : frame_at(s, f->caller);
        if (caller != NULL && (!caller->defined || caller->depth == visiting)) {
            af_sink_warn(s->chrome->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            f->caller = AF_NO_FRAME;
        }
        number = f->caller;
    }
    while (s->path.n > 0) {
        const uint32_t next = AF_ARRAY_AT(&s->path, uint32_t, --s->path.n);
        frame *f = frame_at(s, next);
        const frame *caller = f->caller == AF_NO_FRAME ? NULL : frame_at(s, f->caller);
        f->depth = caller == NULL ? 1 : MIN(caller->depth + 1, MOST_DEPTH + 1);
        f->shown = f->depth <= MOST_DEPTH ? next : caller->shown;
    }
}

static uint32_t track_of(af_chrome_samples *s, uint32_t number)
{
    sampled *who = &AF_ARRAY_AT(&s->sampled, sampled, number);
    if (who->track == AF_NO_THREAD) {
        af_owners *owners = s->chrome->owners;
        uint32_t thread = who->has_process ? af_owners_thread(owners, &who->process, &who->thread)
                                           : af_owners_find_thread(owners, &who->thread);
        if (thread == AF_NO_THREAD) {
            thread = af_owners_thread(owners, &who->thread, &who->thread);
        }
        who->track = af_owners_add_extra_track(owners, thread, 0);
    }
    return who->track;
}

/* Changes from one stack to the next. */
static void change_stack(af_chrome_samples *s, uint32_t track, int64_t ns, uint32_t from,
                         uint32_t to)
{
    af_slices *slices = s->chrome->slices;
    s->path.n = 0;
    while (from != to && !af_sink_has_failed(s->chrome->sink)) {
        const uint32_t from_depth = from == AF_NO_FRAME ? 0 : frame_at(s, from)->depth;
        const uint32_t to_depth = to == AF_NO_FRAME ? 0 : frame_at(s, to)->depth;
        if (from_depth >= to_depth) {
            af_slices_end(slices, track, AF_NO_METHOD, ns, AF_NO_CPU);
            from = frame_at(s, from)->caller;
        }
        if (to_depth >= from_depth) {
            uint32_t *added = af_array_add(&s->path, 1);
            if (added == NULL) {
                af_sink_fail(s->chrome->sink);
                return;
            }
            *added = frame_at(s, to)->method;
            to = frame_at(s, to)->caller;
        }
    }
    while (s->path.n > 0) {
        af_slices_begin(slices, track, AF_ARRAY_AT(&s->path, uint32_t, --s->path.n), ns, AF_NO_CPU);
    }
}

/* Returns the frame to draw for a sample's frame. */
static uint32_t shown_frame(af_chrome_samples *s, uint32_t number)
{
    if (number != AF_NO_FRAME && !frame_at(s, number)->defined) {
        number = frame_at(s, number)->otherwise;
    }
    if (number == AF_NO_FRAME || !frame_at(s, number)->defined) {
        return AF_NO_FRAME;
    }
    find_depth(s, number);
    return af_sink_has_failed(s->chrome->sink) ? AF_NO_FRAME : frame_at(s, number)->shown;
}

/* The samples of one thread so far. */
typedef struct {
    uint64_t n;
    int64_t first_ns, last_ns;
} played;

/* A sample lasts until the next one. The last one of a thread lasts as long as the others do on
 * average. */
static int64_t find_end(const played *p)
{
    return p->n < 2 ? p->last_ns : p->last_ns + (p->last_ns - p->first_ns) / (int64_t)(p->n - 1);
}

static void play_samples(af_chrome_samples *s)
{
    const void *next = NULL;
    uint32_t of = UINT32_MAX, track = AF_NO_THREAD, last = AF_NO_FRAME;
    played p = {0};
    while (af_sorter_next(s->samples, &next, &s->error) && next != NULL &&
           !af_sink_is_stopped(s->chrome->sink)) {
        const sample next_sample = *(const sample *)next;
        if (next_sample.of != of) {
            change_stack(s, track, find_end(&p), last, AF_NO_FRAME);
            p = (played){.first_ns = next_sample.ns};
            of = next_sample.of;
            track = track_of(s, of);
            last = AF_NO_FRAME;
        }
        const uint32_t leaf = shown_frame(s, next_sample.frame);
        if (af_sink_has_failed(s->chrome->sink)) {
            return; /* depths are unknown */
        }
        p.last_ns = next_sample.ns;
        p.n++;
        change_stack(s, track, next_sample.ns, last, leaf);
        last = leaf;
    }
    change_stack(s, track, find_end(&p), last, AF_NO_FRAME);
}

gboolean af_chrome_samples_finish(af_chrome_samples *s, GError **error)
{
    if (s->samples == NULL) {
        return TRUE;
    }
    if (s->error == NULL && !af_sink_has_failed(s->chrome->sink) &&
        af_sorter_begin(s->samples, &s->error)) {
        play_samples(s);
    }
    if (s->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&s->error));
        return FALSE;
    }
    return TRUE;
}
