#include "read/marks.h"

#include <string.h>

typedef enum {
    MARK_OK,
    MARK_NAMELESS, /* a counter without a name */
    MARK_STRANGE,
} mark_state;

/* Takes the next field of a mark; bars separate them. `rest` has no bytes after the last one. */
static gboolean take_field(af_span *rest, af_span *field)
{
    if (rest->bytes == NULL) {
        return FALSE;
    }
    const char *bar = memchr(rest->bytes, '|', rest->length);
    *field = (af_span){rest->bytes, bar == NULL ? rest->length : (size_t)(bar - rest->bytes)};
    *rest =
        field->length < rest->length ? af_span_after(*rest, field->length + 1) : (af_span){NULL, 0};
    return TRUE;
}

static gboolean parse_number(af_span text, int64_t *number)
{
    uint64_t value;
    const gboolean negative = af_span_skip(&text, "-");
    if (!af_span_take_number(&text, 20, &value) || text.length > 0) {
        return FALSE;
    }
    *number = (int64_t)(negative ? 0 - value : value);
    return TRUE;
}

static gboolean take_number(af_span *rest, int64_t *number)
{
    af_span text;
    return take_field(rest, &text) && parse_number(text, number);
}

static gboolean take_pid(af_span *rest, af_timeline_event *event)
{
    int64_t pid;
    if (!take_number(rest, &pid) || pid < 0 || pid > INT32_MAX) {
        return FALSE;
    }
    event->b = (uint32_t)pid;
    return TRUE;
}

static int64_t thousandths_of(int64_t value)
{
    int64_t result;
    return __builtin_mul_overflow(value, (int64_t)1000, &result)
               ? (value < 0 ? INT64_MIN : INT64_MAX)
               : result;
}

static gboolean is_global(af_span name)
{
    static const char battery[] = "battery_stats.";
    return af_span_is(name, "ScreenState") ||
           (name.length > strlen(battery) && af_span_begins(name, battery));
}

static void set_kind(af_timeline_event *event, af_event_kind kind)
{
    event->kind = (uint8_t)kind;
}

static void name_begin(af_texts *texts, af_span name, af_timeline_event *event)
{
    static const af_span empty = {"[empty slice name]", 18};
    set_kind(event, AF_EVENT_MARK_BEGIN);
    event->name = af_texts_add(texts, name.length == 0 ? empty : name);
}

/* B and I: the name is the rest. */
static mark_state parse_named(af_texts *texts, char kind, af_span *rest, af_timeline_event *event)
{
    if (!take_pid(rest, event) || (rest->bytes == NULL && kind != 'B')) {
        return MARK_STRANGE;
    }
    if (kind == 'B') {
        name_begin(texts, *rest, event);
    } else {
        set_kind(event, AF_EVENT_MARK_INSTANT);
        event->name = af_texts_add(texts, *rest);
    }
    return MARK_OK;
}

static mark_state parse_end(af_span *rest, af_timeline_event *event)
{
    af_span pid;
    int64_t number;
    set_kind(event, AF_EVENT_MARK_END);
    if (take_field(rest, &pid) && parse_number(pid, &number) && number > 0 && number <= INT32_MAX) {
        event->b = (uint32_t)number;
    }
    return MARK_OK;
}

/* S and F: a track of that name. G and H: a track with slices of any names. */
static mark_state parse_async(af_texts *texts, char kind, af_span *rest, af_timeline_event *event)
{
    af_span nest, name, cookie;
    if (!take_pid(rest, event) || !take_field(rest, &nest) || !take_field(rest, &name)) {
        return MARK_STRANGE;
    }
    const gboolean has_both = kind == 'G' || kind == 'H';
    if (!has_both) {
        cookie = name;
        name = nest;
    } else if (!take_field(rest, &cookie)) {
        if (kind == 'G') {
            return MARK_STRANGE;
        }
        cookie = name;
    }
    if (!parse_number(cookie, &event->value)) {
        return MARK_STRANGE;
    }
    set_kind(event,
             kind == 'S' || kind == 'G' ? AF_EVENT_MARK_ASYNC_BEGIN : AF_EVENT_MARK_ASYNC_END);
    event->name = af_texts_add(texts, name);
    event->extra = af_texts_add(texts, nest);
    return MARK_OK;
}

static mark_state parse_nest_instant(af_texts *texts, af_span *rest, af_timeline_event *event)
{
    af_span nest;
    if (!take_pid(rest, event) || !take_field(rest, &nest) || rest->bytes == NULL) {
        return MARK_STRANGE;
    }
    set_kind(event, AF_EVENT_MARK_ASYNC_INSTANT);
    event->name = af_texts_add(texts, *rest);
    event->extra = af_texts_add(texts, nest);
    return MARK_OK;
}

static void name_counter(af_texts *texts, af_span name, int64_t value, af_timeline_event *event)
{
    set_kind(event, AF_EVENT_MARK_COUNTER);
    event->name = af_texts_add(texts, name);
    event->value = thousandths_of(value);
    event->b = is_global(name) ? AF_NO_PID : event->b;
}

static mark_state parse_counter(af_texts *texts, af_span *rest, af_timeline_event *event)
{
    af_span name;
    int64_t value;
    if (!take_pid(rest, event) || !take_field(rest, &name) || !take_number(rest, &value)) {
        return MARK_STRANGE;
    }
    if (name.length == 0) {
        return MARK_NAMELESS;
    }
    name_counter(texts, name, value, event);
    return MARK_OK;
}

static mark_state parse_valid(af_texts *texts, af_span text, af_timeline_event *event)
{
    const char kind = text.bytes[0];
    af_span rest = text.length < 2 ? (af_span){NULL, 0} : af_span_after(text, 2);
    switch (kind) {
    case 'B':
    case 'I':
        return parse_named(texts, kind, &rest, event);
    case 'E':
        return parse_end(&rest, event);
    case 'S':
    case 'F':
    case 'G':
    case 'H':
        return parse_async(texts, kind, &rest, event);
    case 'N':
        return parse_nest_instant(texts, &rest, event);
    case 'C':
        return parse_counter(texts, &rest, event);
    default:
        return MARK_STRANGE;
    }
}

/* The kernel and programs cut long names anywhere, also inside a character. */
static mark_state parse_invalid(af_texts *texts, af_span text, af_timeline_event *event)
{
    g_autoptr(GString) valid = g_string_sized_new(text.length);
    const char *at = text.bytes, *const end = at + text.length, *bad;
    while (!g_utf8_validate(at, end - at, &bad)) {
        g_string_append_len(valid, at, bad - at);
        at = bad + 1;
    }
    g_string_append_len(valid, at, end - at);
    return parse_valid(texts, af_span_of_string(valid), event);
}

gboolean af_mark_parse(af_texts *texts, af_span text, uint64_t offset, af_timeline_event *event)
{
    while (text.length > 0 &&
           (text.bytes[text.length - 1] == '\n' || text.bytes[text.length - 1] == '\0')) {
        text.length--;
    }
    event->b = AF_NO_PID;
    event->name = event->extra = AF_NO_TEXT;
    if (af_span_begins(text, "trace_event_clock_sync:")) {
        return FALSE;
    }
    const mark_state state = text.length == 0 || (text.length > 1 && text.bytes[1] != '|')
                                 ? MARK_STRANGE
                             : g_utf8_validate(text.bytes, (gssize)text.length, NULL)
                                 ? parse_valid(texts, text, event)
                                 : parse_invalid(texts, text, event);
    if (state != MARK_OK) {
        af_sink_warn(texts->sink,
                     state == MARK_NAMELESS ? AF_WARN_NAMELESS_COUNTER : AF_WARN_BAD_MARKS, 1,
                     offset);
    }
    return state == MARK_OK;
}

gboolean af_mark_make(af_texts *texts, char kind, uint32_t pid, af_span name, int64_t value,
                      af_timeline_event *event)
{
    event->b = pid == 0 && kind != 'C' ? AF_NO_PID : pid;
    event->name = event->extra = AF_NO_TEXT;
    switch (kind) {
    case 'B':
        name_begin(texts, name, event);
        return TRUE;
    case 'E':
        set_kind(event, AF_EVENT_MARK_END);
        return TRUE;
    case 'I':
        set_kind(event, AF_EVENT_MARK_INSTANT);
        event->name = af_texts_add(texts, name);
        return TRUE;
    case 'C':
        name_counter(texts, name, value, event);
        return TRUE;
    default:
        return FALSE;
    }
}
