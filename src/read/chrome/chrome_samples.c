#include <string.h>

#include "read/chrome/chrome_samples_state.h"
#include "read/count_unit.h"
#include "read/held.h"

static af_sorter_key key_of_sample(const void *record)
{
    const af_chrome_sample *one = record;
    return (af_sorter_key){one->of, one->ns};
}

static const af_sorter_order by_thread_and_time = {key_of_sample, NULL};

af_chrome_samples *af_chrome_samples_new(af_chrome *chrome)
{
    af_meter *const meter = af_sink_meter(chrome->sink);
    af_chrome_samples *s = g_new0(af_chrome_samples, 1);
    s->chrome = chrome;
    s->least_weight = UINT64_MAX;
    s->least_ns = INT64_MAX;
    af_array_init_metered(&s->frames, sizeof(af_chrome_frame), meter);
    af_textmap_init_metered(&s->ids, meter);
    af_array_init_metered(&s->frame_of, sizeof(uint32_t), meter);
    af_idtable_init(&s->paths, sizeof(uint32_t), meter);
    af_textmap_init_metered(&s->keys, meter);
    af_array_init_metered(&s->sampled, sizeof(af_chrome_sampled_thread), meter);
    af_array_init_metered(&s->path, sizeof(uint32_t), meter);
    s->key = g_string_new(NULL);
    return s;
}

void af_chrome_samples_free(af_chrome_samples *s)
{
    af_array_clear(&s->frames);
    af_textmap_clear(&s->ids);
    af_array_clear(&s->frame_of);
    af_idtable_clear(&s->paths);
    af_textmap_clear(&s->keys);
    af_array_clear(&s->sampled);
    af_array_clear(&s->path);
    af_quantile_clear(&s->intervals);
    af_sorter_free(s->samples);
    g_string_free(s->key, TRUE);
    g_clear_error(&s->error);
    g_free(s);
}

static uint32_t new_frame(af_chrome_samples *s, uint32_t caller, uint32_t method, gboolean defined)
{
    af_chrome_frame *added = s->frames.n < AF_NO_FRAME ? af_array_add(&s->frames, 1) : NULL;
    if (added == NULL) {
        return AF_NO_FRAME;
    }
    *added = (af_chrome_frame){
        .caller = caller, .method = method, .defined = defined, .otherwise = AF_NO_FRAME};
    return (uint32_t)s->frames.n - 1;
}

/* Returns the number of `key`, and copies it if it is new. */
static uint32_t number_key(af_chrome_samples *s, af_textmap *map)
{
    return af_textmap_keep(map, af_sink_arena(s->chrome->sink), s->key->str, s->key->len);
}

/* Writes an id as text: 3 and "3" are the same. */
static void write_id(af_chrome_samples *s, const af_pull_value *id, const af_owner_id *process)
{
    g_string_truncate(s->key, 0);
    if (process != NULL) {
        g_string_append_printf(s->key, "%" G_GINT64_FORMAT " %.*s:", process->number,
                               (int)MIN(process->text.length, 1000), process->text.bytes);
    }
    af_span_append(s->key, id->text);
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
        if (!af_array_append(&s->frame_of, &(uint32_t){new_frame(s, AF_NO_FRAME, 0, FALSE)})) {
            return AF_NO_FRAME;
        }
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
        af_chrome_samples_frame_at(s, own)->otherwise = of_all;
    }
    return own;
}

void af_chrome_samples_take_frames(af_chrome_samples *s, af_span object, const af_owner_id *process)
{
    af_pull json = af_pull_into(object);
    af_pull_value id, description, name, category, caller;
    while (af_pull_member(&json, &id, &description)) {
        const gboolean named = af_json_find_member(description.text, "name", &name);
        const gboolean grouped = af_json_find_member(description.text, "category", &category);
        const uint32_t method =
            af_chrome_method(s->chrome, named ? &name : NULL, grouped ? &category : NULL);
        const uint32_t parent = af_json_find_member(description.text, "parent", &caller)
                                    ? frame_of(s, &caller, process)
                                    : AF_NO_FRAME;
        const uint32_t number = frame_of(s, &id, process);
        if (number != AF_NO_FRAME) {
            af_chrome_frame *defined = af_chrome_samples_frame_at(s, number);
            defined->defined = TRUE;
            defined->method = method;
            defined->caller = parent;
        }
    }
}

uint32_t af_chrome_samples_add_frame(af_chrome_samples *s, uint32_t caller, uint32_t method)
{
    uint32_t *number = af_idtable_item(&s->paths, (uint64_t)caller << 32 | method);
    if (number == NULL) {
        return AF_NO_FRAME;
    }
    if (*number == 0) {
        *number = new_frame(s, caller, method, TRUE) + 1;
    }
    return *number - 1; /* 0 becomes AF_NO_FRAME */
}

static af_span keep(af_chrome_samples *s, af_span text)
{
    text = af_sink_truncate(s->chrome->sink, text);
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
        af_chrome_sampled_thread added = {.has_process = process != NULL,
                                          .thread = {thread->number, keep(s, thread->text)},
                                          .track = AF_NO_THREAD};
        if (process != NULL) {
            added.process = (af_owner_id){process->number, keep(s, process->text)};
        }
        return af_array_append(&s->sampled, &added) ? number : 0;
    }
    return number;
}

static void add_sample(af_chrome_samples *s, const af_chrome_sample *sample)
{
    s->n++;
    s->least_ns = MIN(s->least_ns, sample->ns);
    s->least_weight = MIN(s->least_weight, sample->weight);
    s->most_weight = MAX(s->most_weight, sample->weight);
    s->fractions |= sample->weight % AF_COUNTS_SCALE != 0;
    if (s->samples == NULL) {
        s->samples =
            af_sorter_new(sizeof *sample, &by_thread_and_time, af_held_by_sorter(s->chrome->sink));
    }
    if (s->error == NULL) {
        af_sorter_add(s->samples, sample, &s->error);
    }
}

void af_chrome_samples_add(af_chrome_samples *s, uint32_t of, int64_t ns, uint32_t leaf)
{
    const af_chrome_sample added = {.of = of, .frame = leaf, .ns = ns, .weight = AF_COUNTS_SCALE};
    if (ns > AF_SLICES_MOST_NS || ns < -AF_SLICES_MOST_NS) {
        af_sink_warn(s->chrome->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        return;
    }
    s->n_lasting++;
    add_sample(s, &added);
}

uint64_t af_chrome_samples_count(const af_chrome_samples *s)
{
    return s->n;
}

/* "stack": names from the outermost in. */
static uint32_t take_stack(af_chrome_samples *s, const af_pull_value *stack)
{
    af_pull json = af_pull_into(stack->text);
    uint32_t leaf = AF_NO_FRAME;
    for (af_pull_value name; af_pull_item(&json, &name);) {
        const af_span text = af_pull_text(&name, s->chrome->other_buffer);
        leaf = af_chrome_samples_add_frame(s, leaf, af_frames_name(&s->chrome->names, text));
    }
    return leaf;
}

void af_chrome_samples_take_unit(af_chrome_samples *s, const af_pull_value *unit)
{
    const af_span text = unit->kind == AF_PULL_STRING ? af_pull_text(unit, s->chrome->other_buffer)
                                                      : (af_span){NULL, 0};
    s->unit = text.length > 0 ? keep(s, text).bytes : s->unit;
}

/* Takes a weight, which is 1 if it is missing. Returns FALSE if it is not a weight. */
static gboolean take_weight(const af_pull_value *value, uint64_t *weight)
{
    int64_t thousandths = AF_COUNTS_SCALE;
    if (value != NULL && (!af_pull_thousandths(value->text, &thousandths) || thousandths < 0)) {
        return FALSE;
    }
    *weight = (uint64_t)thousandths;
    return TRUE;
}

static void take_sampled(af_chrome_samples *s, const af_chrome_event *event, gboolean of_thread)
{
    af_chrome *c = s->chrome;
    const af_pull_value *process_value = af_chrome_get(event, AF_FIELD_PROCESS);
    const af_pull_value *leaf = af_chrome_get(event, AF_FIELD_FRAME);
    const af_pull_value *stack = af_chrome_get(event, AF_FIELD_STACK);
    const af_owner_id process = af_chrome_process_id(c, event);
    const af_owner_id thread = af_chrome_thread_id(c, event);
    af_chrome_sample sample;
    if (!af_chrome_time(c, event, &sample.ns)) {
        return;
    }
    if (!take_weight(af_chrome_get(event, AF_FIELD_WEIGHT), &sample.weight)) {
        af_sink_warn(c->sink, AF_WARN_NO_WEIGHT, 1, AF_NO_OFFSET);
        return;
    }
    sample.of =
        af_chrome_samples_of(s, of_thread || process_value != NULL ? &process : NULL, &thread);
    if (leaf != NULL) {
        sample.frame =
            process_value == NULL ? frame_of(s, leaf, NULL) : frame_of_either(s, leaf, &process);
    } else if (stack != NULL && stack->kind == AF_PULL_ARRAY) {
        sample.frame = take_stack(s, stack);
    } else {
        af_sink_warn(c->sink, AF_WARN_UNKNOWN_RECORD, 1, AF_NO_OFFSET);
        return;
    }
    add_sample(s, &sample);
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
