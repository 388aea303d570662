#include "read/gecko/gecko_samples.h"

#include <string.h>

#include "base/wide.h"
#include "read/count_unit.h"

/* Whether the text in "NAME (in TEXT)" is a file, and not the kind of a method. */
static gboolean is_library(af_span text)
{
    return memchr(text.bytes, '/', text.length) != NULL ||
           memchr(text.bytes, '.', text.length) != NULL || (text.length > 0 && *text.bytes == '[');
}

/* Splits "NAME (in LIBRARY)"; the library has no parentheses. aflame writes "at " before names that
 * look like addresses. */
static void split_location(af_span *name, af_span *library)
{
    static const char in[] = " (in ";
    const char *end = name->bytes + name->length;
    if (name->length > sizeof in && end[-1] == ')') {
        for (const char *at = end - sizeof in; at > name->bytes && *at != ')'; at--) {
            if (memcmp(at, in, sizeof in - 1) == 0) {
                const char *text = at + sizeof in - 1;
                *library = (af_span){text, (size_t)(end - 1 - text)};
                name->length = (size_t)(at - name->bytes);
                break;
            }
        }
    }
    if (name->length > 5 && memcmp(name->bytes, "at 0x", 5) == 0) {
        *name = (af_span){name->bytes + 3, name->length - 3};
    }
}

static uint32_t make_method(af_gecko_samples *r, const af_gecko_tables *t, int64_t frame)
{
    const af_array *strings = &t->tables[AF_GECKO_STRINGS]->items;
    const af_gecko_table *functions = t->tables[AF_GECKO_FUNCTIONS];
    const int64_t function = af_gecko_number_at(&t->tables[AF_GECKO_FRAMES]->items, frame);
    af_span name, library = {"", 0};
    if (r->processed) {
        const int64_t resource = af_gecko_number_at(&functions->others, function);
        name =
            af_gecko_text_at(strings, af_gecko_number_at(&functions->items, function), r->buffer);
        library = af_gecko_text_at(
            strings, af_gecko_number_at(&t->tables[AF_GECKO_RESOURCES]->items, resource),
            r->other_buffer);
    } else {
        name = af_gecko_text_at(strings, function, r->buffer);
        split_location(&name, &library);
    }
    if (name.length == 0) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, af_span_of("[unknown]"));
    }
    name = af_sink_truncate(r->sink, name);
    library = af_sink_truncate(r->sink, library);
    g_autofree char *path = is_library(library) ? g_strndup(library.bytes, library.length) : NULL;
    return af_frames_method(&r->frames, name.bytes, name.length, AF_FRAME_ANY, path);
}

static uint32_t method_of(af_gecko_samples *r, af_gecko_tables *t, int64_t frame)
{
    const size_t n = t->tables[AF_GECKO_FRAMES]->items.n;
    if (frame < 0 || (uint64_t)frame >= n || !af_array_reach(t->methods, n)) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, af_span_of("[unknown]"));
    }
    uint32_t *known = &AF_ARRAY_AT(t->methods, uint32_t, (size_t)frame);
    if (*known == 0) {
        *known = make_method(r, t, frame) + 1;
    }
    return *known - 1;
}

/* Lists the entries of a stack that the sink does not know yet; returns the stack that precedes
 * them. A prefix precedes its stack, so cycles end. */
static uint32_t list_path(af_gecko_samples *r, const af_gecko_tables *t, int64_t number)
{
    const af_array *stacks = &t->tables[AF_GECKO_STACKS]->items;
    r->path.n = 0;
    while (number >= 0 && (uint64_t)number < stacks->n) {
        const af_gecko_stack *s = af_array_at(stacks, (size_t)number);
        if (s->owner == r->owner) {
            return s->stack;
        }
        if (!af_array_append(&r->path, &(uint32_t){(uint32_t)number})) {
            return AF_SINK_NO_STACK;
        }
        if (s->prefix >= number) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            break;
        }
        number = s->prefix;
    }
    return AF_SINK_NO_STACK;
}

/* Returns the sink's number of a stack; AF_SINK_NO_STACK if the table lacks it, or memory is
 * refused. */
static uint32_t find_stack(af_gecko_samples *r, af_gecko_tables *t, uint32_t thread, int64_t number)
{
    uint32_t stack = list_path(r, t, number);
    while (r->path.n > 0 && !af_sink_is_stopped(r->sink)) {
        af_gecko_stack *s = af_array_at(&t->tables[AF_GECKO_STACKS]->items,
                                        AF_ARRAY_AT(&r->path, uint32_t, --r->path.n));
        const uint32_t method = method_of(r, t, s->frame);
        if (method == UINT32_MAX) {
            return AF_SINK_NO_STACK;
        }
        stack = af_sink_stack(r->sink, thread, stack, method);
        if (stack == AF_SINK_NO_STACK) {
            return AF_SINK_NO_STACK;
        }
        s->stack = stack;
        s->owner = r->owner;
    }
    return stack;
}

/* FALSE if the sample is dropped. */
static gboolean weigh(af_gecko_samples *r, const af_gecko_tables *t, int64_t i, uint64_t *weight)
{
    const int64_t millionths = t->weights.n == 0 ? 1000000 : af_gecko_number_at(&t->weights, i);
    if (millionths == AF_GECKO_NONE) {
        af_sink_warn(r->sink, AF_WARN_NO_WEIGHT, 1, AF_NO_OFFSET);
        return FALSE;
    }
    if (millionths < 0) {
        af_sink_warn(r->sink, AF_WARN_NEGATIVE_WEIGHT, 1, AF_NO_OFFSET);
        return FALSE;
    }
    const af_u128 scaled = ((af_u128)(uint64_t)millionths * r->scale + 500000) / 1000000;
    *weight = r->unit == AF_GECKO_UNIT_TIME ? (uint64_t)millionths /* of a ms */
                                            : (uint64_t)MIN(scaled, (af_u128)INT64_MAX);
    return TRUE;
}

void af_gecko_samples_give(af_gecko_samples *r, af_gecko_tables *t, uint32_t thread)
{
    r->owner++;
    for (size_t i = 0; i < t->sample_stacks.n && !af_sink_is_stopped(r->sink); i++) {
        const int64_t number = AF_ARRAY_AT(&t->sample_stacks, int64_t, i);
        const int64_t time = af_gecko_number_at(&t->times, (int64_t)i);
        if (number == AF_GECKO_NONE) {
            continue; /* nothing ran */
        }
        uint64_t weight;
        const gboolean has_weight = weigh(r, t, (int64_t)i, &weight);
        if (time < 0) {
            af_sink_warn(r->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
            continue;
        }
        if (!has_weight) {
            continue;
        }
        if (number < 0 || (uint64_t)number >= t->tables[AF_GECKO_STACKS]->items.n) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            continue;
        }
        const uint32_t stack = find_stack(r, t, thread, number);
        if (stack == AF_SINK_NO_STACK) {
            return; /* memory was refused, or is at its limit */
        }
        const af_sample sample = {.thread = thread,
                                  .stack = stack,
                                  .weight = {weight, 0},
                                  .time_ns = (uint64_t)time,
                                  .offset = AF_NO_OFFSET};
        af_sink_sample(r->sink, &sample);
    }
}

/* Whether some weight in the file has decimals: weights that are read twice, for charts and
 * exports, need the same scale both times. */
static gboolean has_fractions(af_span text)
{
    static const char word[] = "\"weight\"";
    const char *at = text.bytes, *const end = at + text.length;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
        af_pull json = {at + sizeof word - 1, end, FALSE};
        af_pull_skip_blanks(&json);
        json.at += json.at < end && *json.at == ':';
        af_pull_skip_blanks(&json);
        at = json.at;
        if (at < end && *at == '[') {
            for (; at < end && *at != ']'; at++) {
                if (*at == '.' || *at == 'e' || *at == 'E') {
                    return TRUE;
                }
            }
        }
    }
    return FALSE;
}

void af_gecko_samples_start(af_gecko_samples *r, af_gecko_unit unit)
{
    af_unit of = {.name = "ns"};
    r->unit = unit;
    if (unit == AF_GECKO_UNIT_SAMPLES) {
        of = af_count_unit(r->asked, &r->scale);
    } else if (unit == AF_GECKO_UNIT_BYTES) {
        of = (af_unit){.name = "bytes", .counted = TRUE, .digits = 3};
        r->scale = AF_COUNTS_SCALE;
    }
    if (of.counted && !has_fractions(r->text)) {
        of.digits = 0;
        r->scale = 1;
    }
    af_sink_start_samples(r->sink, &of, 1u << AF_WALL,
                          unit == AF_GECKO_UNIT_TIME ? AF_SAMPLES_LASTING : AF_SAMPLES_TIMED);
}
