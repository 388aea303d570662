#include "read/gecko/gecko_samples.h"

#include <string.h>

#include "base/wide.h"
#include "read/count_unit.h"

/* ---- methods ---- */

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
    af_span name, library = {"", 0};
    if (r->processed) {
        const int64_t function = af_gecko_number_at(&t->functions, frame);
        const int64_t resource = af_gecko_number_at(&t->resources, function);
        name = af_gecko_text_at(&t->strings, af_gecko_number_at(&t->function_names, function),
                                r->buffer);
        library = af_gecko_text_at(&t->strings, af_gecko_number_at(&t->resource_names, resource),
                                   r->other_buffer);
    } else {
        name = af_gecko_text_at(&t->strings, af_gecko_number_at(&t->frame_names, frame), r->buffer);
        split_location(&name, &library);
    }
    if (name.length == 0) {
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, (af_span){"[unknown]", 9});
    }
    name = af_sink_truncate(r->sink, name);
    library = af_sink_truncate(r->sink, library);
    char *path = is_library(library) ? g_strndup(library.bytes, library.length) : NULL;
    const uint32_t method =
        af_frames_method(&r->frames, name.bytes, name.length, AF_FRAME_ANY, path);
    g_free(path);
    return method;
}

static uint32_t method_of(af_gecko_samples *r, af_gecko_tables *t, int64_t frame)
{
    const size_t n = r->processed ? t->functions.n : t->frame_names.n;
    if (frame < 0 || (uint64_t)frame >= n || !af_array_reach(&t->methods, n)) {
        af_sink_fail_if(r->sink, t->methods.failed);
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
        return af_frames_name(&r->frames, (af_span){"[unknown]", 9});
    }
    uint32_t *known = &AF_ARRAY_AT(&t->methods, uint32_t, (size_t)frame);
    if (*known == 0) {
        *known = make_method(r, t, frame) + 1;
    }
    return *known - 1;
}

/* ---- samples ---- */

/* Collects the methods of a stack. A prefix precedes its stack, so cycles end. */
static gboolean collect_stack(af_gecko_samples *r, af_gecko_tables *t, int64_t number)
{
    r->methods.n = 0;
    while (number >= 0 && (uint64_t)number < t->stacks.n) {
        const af_gecko_stack *s = af_array_at(&t->stacks, (size_t)number);
        const uint32_t method = method_of(r, t, s->frame);
        uint32_t *added = method == UINT32_MAX ? NULL : af_array_add(&r->methods, 1);
        if (added == NULL) {
            af_sink_fail(r->sink);
            return FALSE;
        }
        *added = method;
        if (s->prefix >= number) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            break;
        }
        if (r->methods.n > r->frames_left) {
            af_sink_warn(r->sink, AF_WARN_MANY_FRAMES, 1, AF_NO_OFFSET);
            return FALSE;
        }
        number = s->prefix;
    }
    r->frames_left -= r->methods.n;
    af_frames_turn(&r->methods);
    return TRUE;
}

/* Returns 0 if the sample is dropped. */
static uint64_t weigh(af_gecko_samples *r, const af_gecko_tables *t, int64_t i)
{
    const int64_t millionths = t->weights.n == 0 ? 1000000 : af_gecko_number_at(&t->weights, i);
    if (millionths == AF_GECKO_NONE) {
        af_sink_warn(r->sink, AF_WARN_NO_WEIGHT, 1, AF_NO_OFFSET);
        return 0;
    }
    if (millionths < 0) {
        af_sink_warn(r->sink, AF_WARN_NEGATIVE_WEIGHT, 1, AF_NO_OFFSET);
        return 0;
    }
    if (r->unit == AF_GECKO_UNIT_TIME) {
        return (uint64_t)millionths; /* of a ms */
    }
    return (uint64_t)MIN(((af_u128)(uint64_t)millionths * r->scale + 500000) / 1000000,
                         (af_u128)INT64_MAX);
}

void af_gecko_samples_give(af_gecko_samples *r, af_gecko_tables *t, uint32_t thread)
{
    for (size_t i = 0; i < t->sample_stacks.n && !af_sink_is_stopped(r->sink); i++) {
        const int64_t number = AF_ARRAY_AT(&t->sample_stacks, int64_t, i);
        const int64_t time = af_gecko_number_at(&t->times, (int64_t)i);
        if (number == AF_GECKO_NONE) {
            continue; /* nothing ran */
        }
        const uint64_t weight = weigh(r, t, (int64_t)i);
        if (time < 0) {
            af_sink_warn(r->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
            continue;
        }
        if (weight == 0) {
            continue;
        }
        if (!collect_stack(r, t, number)) {
            return;
        }
        if (r->methods.n == 0) {
            af_sink_warn(r->sink, AF_WARN_FRAME_CYCLE, 1, AF_NO_OFFSET);
            continue;
        }
        const af_sample sample = {.thread = thread,
                                  .methods = r->methods.items,
                                  .n = r->methods.n,
                                  .weight = {weight, 0},
                                  .time_ns = (uint64_t)time,
                                  .offset = AF_NO_OFFSET};
        af_sink_sample(r->sink, &sample);
    }
}

/* Whether some weight in the file has decimals: weights that are read twice, for charts and exports,
 * need the same scale both times. */
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
