#include "read/frames.h"

#include <string.h>

#include "base/own_trace.h"

void af_frames_init(af_frames *frames, af_sink *sink)
{
    frames->sink = sink;
    frames->ids = af_sink_borrow_ids(sink);
    frames->arena = af_arena_new();
    frames->key = g_string_new(NULL);
    frames->n_nowhere = 0;
    af_textmap_init_metered(&frames->texts, af_sink_meter(sink));
}

void af_frames_clear(af_frames *frames)
{
    af_textmap_clear(&frames->texts);
    af_arena_free(frames->arena);
    g_string_free(frames->key, TRUE);
}

/* A letter, a digit, or another character of names in Java and Kotlin, in any script. */
static gboolean is_name_byte(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || c == '-' || (c & 0x80) != 0;
}

/* "pkg.Class.method", "pkg/Class.method", "pkg/Class:.method" (perf-map-agent, its semicolon turned
 * into a colon): names separated by dots or slashes, with a class that starts with a capital or is
 * in a package. Returns the offset of the method's name, or 0 if the text has another form. */
static size_t find_method(const char *text, size_t length, gboolean certain)
{
    const char *last = length == 0 ? NULL : memrchr(text, '.', length);
    if (last == NULL || last == text || last + 1 == text + length) {
        return 0;
    }
    const size_t at = (size_t)(last + 1 - text);
    gboolean begins = TRUE, capital = FALSE;
    unsigned parts = 0;
    const char separator = memchr(text, '/', at) != NULL ? '/' : '.';
    for (size_t i = 0; i + 1 < at; i++) {
        if (text[i] == separator) {
            if (begins) {
                return 0;
            }
            begins = TRUE;
            continue;
        }
        if (text[i] == ':' && !begins && i + 2 == at) {
            break;
        }
        if (!is_name_byte(text[i]) || (begins && g_ascii_isdigit(text[i]) && !certain)) {
            return 0;
        }
        if (begins) {
            parts++;
            capital = g_ascii_isupper(text[i]);
        }
        begins = FALSE;
    }
    const gboolean special = text[at] == '<';
    for (size_t i = at; i < length; i++) {
        if (!is_name_byte(text[i]) && !(special && (text[i] == '<' || text[i] == '>'))) {
            return 0;
        }
    }
    const gboolean method = special || !g_ascii_isdigit(text[at]);
    return certain || (method && (capital || (parts >= 2 && separator == '.'))) ? at : 0;
}

/* "pkg.Class.method [DEDUPED]": ART marks code that several methods share. Returns the length of
 * the mark. */
static size_t mark_length(const char *text, size_t length)
{
    const char *bracket = length > 0 && text[length - 1] == ']' ? memrchr(text, '[', length) : NULL;
    return bracket != NULL && bracket - text > 1 && bracket[-1] == ' '
               ? length + 1 - (size_t)(bracket - text)
               : 0;
}

/* Removes the type from "type pkg.Class.method(types)"; `arguments` is the offset of the
 * parenthesis. */
static void strip_signature(const char **text, size_t *length, size_t *arguments)
{
    const char *open = memchr(*text, '(', *length);
    *arguments = open == NULL ? *length : (size_t)(open - *text);
    const size_t end = *arguments - (open == NULL ? mark_length(*text, *length) : 0);
    const char *blank = end == 0 ? NULL : memrchr(*text, ' ', end);
    if (blank != NULL) {
        const size_t skipped = (size_t)(blank + 1 - *text);
        *text += skipped;
        *length -= skipped;
        *arguments -= skipped;
    }
}

/* "foo_[k]": the annotation by stackcollapse tools is not part of the name. */
static size_t annotation_length(const char *text, size_t length)
{
    return length > 4 && text[length - 4] == '_' && text[length - 3] == '[' &&
                   text[length - 1] == ']' && strchr("kwij01", text[length - 2]) != NULL
               ? 4
               : 0;
}

/* Readers leave `_[0]` and `_[1]`, of async-profiler, in the names. */
static af_annotation annotation_of(char letter)
{
    return letter == 'k'   ? AF_ANNOTATION_KERNEL
           : letter == 'j' ? AF_ANNOTATION_JIT
           : letter == 'i' ? AF_ANNOTATION_INLINED
           : letter == 'w' ? AF_ANNOTATION_WAKER
                           : AF_ANNOTATION_NONE;
}

af_method_text af_frame_parse(const char *text, size_t length, af_frame_kind kind)
{
    size_t arguments = length;
    af_method_text method = {.line = -1};
    if (kind == AF_FRAME_JAVA) {
        strip_signature(&text, &length, &arguments);
        if (arguments < length) {
            method.signature = (af_span){text + arguments, length - arguments};
        }
    }
    size_t annotated = arguments == length ? annotation_length(text, length) : 0;
    const gboolean kernel = annotated > 0 && text[length - 2] == 'k';
    if (annotated == 0 && kind == AF_FRAME_JAVA && arguments == length) {
        annotated = mark_length(text, length);
    }
    if (annotated > 0 && kind == AF_FRAME_FOLDED) {
        method.annotation = annotation_of(text[length - 2]);
        if (method.annotation != AF_ANNOTATION_NONE) {
            arguments -= annotated;
            annotated = 0;
        }
    }
    const size_t at = kernel || kind == AF_FRAME_NATIVE
                          ? 0
                          : find_method(text, arguments - annotated, kind == AF_FRAME_JAVA);
    if (at > 0) {
        method.class_name = (af_span){text, at - 1};
        method.slashed = memchr(text, '/', at - 1) != NULL;
        method.name = (af_span){text + at, arguments - at};
    } else if (arguments > 0) {
        method.name = (af_span){text, arguments};
    } else {
        static const char nameless[] = "(anonymous)";
        method.name = (af_span){nameless, sizeof nameless - 1};
    }
    return method;
}

/* The key of a method in frames->texts: the text and, after a zero byte, the library. */
static af_span make_key(const af_frames *frames, af_span text, const char *library)
{
    if (library == NULL) {
        return text;
    }
    g_string_truncate(frames->key, 0);
    af_span_append(frames->key, text);
    g_string_append_c(frames->key, '\0');
    g_string_append(frames->key, library);
    return af_span_of_string(frames->key);
}

/* The method with this text and library; the first `shown` bytes of the text are its name. */
static uint32_t get_method(af_frames *frames, af_span text, size_t shown, af_frame_kind kind,
                           const char *library, af_span group)
{
    const uint32_t known = frames->texts.n;
    const af_span key = make_key(frames, text, library);
    const uint32_t number = af_textmap_keep(&frames->texts, frames->arena, key.bytes, key.length);
    if (number == AF_TEXTMAP_NONE) {
        af_sink_fail(frames->sink);
        return UINT32_MAX;
    }
    if (number >= known) {
        const char *stored = frames->texts.entries[number].bytes;
        af_method_text method = af_frame_parse(stored, shown, kind);
        if (library != NULL) {
            method.library = af_span_of(stored + text.length + 1);
            method.source = af_span_of(af_path_base(method.library.bytes));
        }
        method.nowhere = (af_span){stored + shown, text.length - shown};
        method.group = group;
        af_sink_define_method(frames->sink, (uint64_t)number << AF_ACTION_BITS, &method, FALSE);
    }
    return af_sink_ids_method(&frames->ids, (uint64_t)number << AF_ACTION_BITS);
}

uint32_t af_frames_method(af_frames *frames, const char *text, size_t length, af_frame_kind kind,
                          const char *library)
{
    return get_method(frames, (af_span){text, length}, length, kind, library, (af_span){NULL, 0});
}

uint32_t af_frames_nowhere(af_frames *frames, uint64_t address)
{
    enum { SHOWN = 9 };
    static const char library[] = "unknown";
    char bytes[SHOWN + 17];
    const int length = g_snprintf(bytes, sizeof bytes, "[unknown]%" G_GINT64_MODIFIER "x", address);
    af_span text = {bytes, (size_t)length};
    const af_span key = make_key(frames, text, library);
    if (af_textmap_find(&frames->texts, key.bytes, key.length) == AF_TEXTMAP_NONE) {
        text.length = frames->n_nowhere < AF_FRAMES_NOWHERE ? text.length : SHOWN;
        frames->n_nowhere += text.length > SHOWN;
    }
    return get_method(frames, text, SHOWN, AF_FRAME_NATIVE, library, (af_span){NULL, 0});
}

/* The categories that the file names: empty for those that aflame added. */
static af_span get_stated(af_span categories)
{
    static const char own[] = "," AF_TRACE_CATEGORY;
    const size_t length = sizeof own - 1;
    const gboolean is_own = categories.length > length &&
                            memcmp(categories.bytes + categories.length - length, own, length) == 0;
    return is_own ? (af_span){NULL, 0} : categories;
}

uint32_t af_frames_name_in(af_frames *frames, af_span name, af_span categories)
{
    static const af_span no_name = {"[no name]", 9};
    const af_span text = name.length == 0 ? no_name : af_sink_truncate(frames->sink, name);
    const af_span group = get_stated(categories);
    const uint32_t number = get_method(frames, text, text.length, AF_FRAME_ANY, NULL, group);
    if (group.length > 0 && number != UINT32_MAX &&
        !af_span_equal(group, af_sink_method_text(frames->sink, number)->group)) {
        af_sink_warn(frames->sink, AF_WARN_MIXED_CATEGORIES, 1, AF_NO_OFFSET);
    }
    return number == UINT32_MAX ? 0 : number;
}

uint32_t af_frames_name(af_frames *frames, af_span name)
{
    return af_frames_name_in(frames, name, (af_span){NULL, 0});
}

af_span af_frames_text(const af_frames *frames, uint32_t method)
{
    const af_span none = {NULL, 0};
    if (method >= frames->texts.n) {
        return none;
    }
    const af_textmap_entry *entry = &frames->texts.entries[method];
    return (af_span){entry->bytes, entry->length};
}

void af_frames_turn(af_array *methods)
{
    uint32_t *items = methods->items;
    for (size_t a = 0, b = methods->n; a + 1 < b; a++) {
        const uint32_t swapped = items[a];
        items[a] = items[--b];
        items[b] = swapped;
    }
}
