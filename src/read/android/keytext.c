#include "read/android/keytext.h"

#include <string.h>

/* Returns the next line without its line end and one carriage return. FALSE at the end. */
static gboolean next_line(af_span *rest, af_span *line)
{
    if (!af_span_take_line(rest, line)) {
        return FALSE;
    }
    line->length -= af_span_ends(*line, "\r");
    return TRUE;
}

/* Whether a header, a method or nothing follows a *methods line. */
static gboolean begins_methods(af_span rest)
{
    af_span line;
    do {
        if (!next_line(&rest, &line)) {
            return TRUE;
        }
    } while (line.length == 0);
    if (af_span_is(line, "*version") || af_span_is(line, "*threads") ||
        af_span_is(line, "*methods") || af_span_is(line, "*end")) {
        return TRUE;
    }
    size_t at = line.length > 2 && line.bytes[0] == '0' && line.bytes[1] == 'x' ? 2 : 0;
    const size_t digits = at;
    while (at < line.length && g_ascii_isxdigit(line.bytes[at])) {
        at++;
    }
    return at > digits && at < line.length && line.bytes[at] == '\t';
}

gboolean af_keytext_find_end(af_keytext *text, const uint8_t *bytes, size_t length, gboolean more)
{
    const char *chars = bytes == NULL ? "" : (const char *)bytes;
    af_span rest = {chars + text->looked, length - text->looked}, line;
    while (rest.length > 0) {
        text->looked = length - rest.length;
        if (more && memchr(rest.bytes, '\n', rest.length) == NULL) {
            return FALSE;
        }
        if (!next_line(&rest, &line) || !af_span_is(line, "*end")) {
            continue;
        }
        if (more && rest.length < 4) {
            return FALSE;
        }
        text->end_line = text->looked;
        text->end = length - rest.length;
        if (rest.length == 0 || af_span_begins(rest, "SLOW")) {
            text->has_end = TRUE;
            return TRUE;
        }
    }
    text->looked = length;
    return !more;
}

/* A section extends from its header to the next valid header. */
typedef struct {
    const char *version, *threads, *methods; /* the start of the lines after the header, or NULL */
    const char *threads_line, *methods_line; /* the headers */
} sections;

static sections find_sections(const char *bytes, size_t length)
{
    sections s = {0};
    gboolean good_methods = FALSE;
    af_span rest = {bytes, length}, line;
    for (const char *at = bytes; next_line(&rest, &line); at = rest.bytes) {
        if (line.length == 0 || line.bytes[0] != '*') {
            continue;
        }
        if (at == bytes && af_span_is(line, "*version")) {
            s.version = rest.bytes;
        } else if (s.threads == NULL && af_span_is(line, "*threads")) {
            s.threads = rest.bytes;
            s.threads_line = at;
        } else if (af_span_is(line, "*methods")) {
            const gboolean good = begins_methods(rest);
            if (good || !good_methods) {
                s.methods = rest.bytes;
                s.methods_line = at;
                good_methods = good;
            }
        }
    }
    return s;
}

static af_span make_section(const char *begin, const char *end, const char *a, const char *b)
{
    if (begin == NULL) {
        return (af_span){NULL, 0};
    }
    if (a != NULL && a >= begin && a < end) {
        end = a;
    }
    if (b != NULL && b >= begin && b < end) {
        end = b;
    }
    return (af_span){begin, (size_t)(end - begin)};
}

/* Returns the number of digits of a thread line's id; 0 if the line does not start with an id and a
 * tab. */
static size_t id_length(af_span line, gboolean tab)
{
    const size_t sign = line.length > 0 && line.bytes[0] == '-';
    size_t at = sign;
    while (at < line.length && g_ascii_isdigit(line.bytes[at])) {
        at++;
    }
    const gboolean ends = tab ? at < line.length && line.bytes[at] == '\t' : at == line.length;
    return at > sign && ends ? at : 0;
}

static uint64_t parse_id(const char *digits, size_t length)
{
    const gboolean negative = digits[0] == '-';
    uint64_t id = 0;
    for (size_t i = negative; i < length; i++) {
        id = id * 10 + (uint64_t)(digits[i] - '0');
    }
    return negative ? 0 - id : id;
}

void af_keytext_append(GString *name, const char *between, af_span part)
{
    if (name->len <= AF_LONGEST_NAME) {
        g_string_append(name, between);
        g_string_append_len(name, part.bytes, (gssize)MIN(part.length, AF_LONGEST_NAME + 1));
    }
}

static void add_name(af_keytext *text, GString **name)
{
    if (*name == NULL) {
        return;
    }
    while ((*name)->len > 0 && (*name)->str[(*name)->len - 1] == '\n') {
        g_string_truncate(*name, (*name)->len - 1);
    }
    af_thread_line *thread = &AF_ARRAY_AT(&text->threads, af_thread_line, text->threads.n - 1);
    thread->name.bytes = af_arena_copy(text->names, (*name)->str, (*name)->len);
    thread->name.length = thread->name.bytes == NULL ? 0 : (*name)->len;
    g_string_free(*name, TRUE);
    *name = NULL;
}

static void scan_threads(af_keytext *text, af_span section)
{
    GString *name = NULL; /* the name of the last thread if it spans several lines */
    af_span line;
    while (next_line(&section, &line)) {
        const size_t id = id_length(line, TRUE);
        const size_t only_id = text->threads.n == 0 ? id_length(line, FALSE) : 0;
        if (id > 0 || only_id > 0) {
            add_name(text, &name);
            const size_t digits = id > 0 ? id : only_id;
            const size_t skip = id > 0 ? id + 1 : only_id;
            const af_span own = af_span_after(line, skip);
            const char *copy = af_arena_copy(text->names, own.bytes, own.length);
            if (!af_array_append(&text->threads,
                                 &(af_thread_line){parse_id(line.bytes, digits),
                                                   {copy, copy == NULL ? 0 : own.length}})) {
                return;
            }
        } else if (text->threads.n > 0) {
            if (name == NULL) {
                name = g_string_new(NULL);
                af_keytext_append(
                    name, "",
                    AF_ARRAY_AT(&text->threads, af_thread_line, text->threads.n - 1).name);
            }
            af_keytext_append(name, "\n", line);
        }
    }
    add_name(text, &name);
}

void af_keytext_begin(af_keytext *text)
{
    *text = (af_keytext){.names = af_arena_new(), .end_line = SIZE_MAX};
    af_array_init(&text->threads, sizeof(af_thread_line));
}

void af_keytext_scan(af_keytext *text, const uint8_t *bytes, size_t length)
{
    af_keytext_begin(text);
    af_keytext_find_end(text, bytes, length, FALSE);
    af_keytext_find_sections(text, bytes, length);
}

void af_keytext_find_sections(af_keytext *text, const uint8_t *bytes, size_t length)
{
    const char *chars = bytes == NULL ? "" : (const char *)bytes;
    const size_t lines_end = MIN(text->end_line, length);
    const char *end = chars + lines_end;
    const sections s = find_sections(chars, lines_end);
    text->facts = make_section(s.version, end, s.threads_line, s.methods_line);
    text->methods = make_section(s.methods, end, s.threads_line, NULL);
    const af_span threads = make_section(s.threads, end, s.methods_line, NULL);
    if (threads.bytes != NULL) {
        scan_threads(text, threads);
    }
    if (text->facts.bytes != NULL) {
        af_span rest = text->facts, line = {"", 0};
        next_line(&rest, &line);
        char number[24] = {0};
        memcpy(number, line.bytes, MIN(line.length, sizeof number - 1));
        text->version = (unsigned)g_ascii_strtoull(number, NULL, 0);
    }
}

void af_keytext_clear(af_keytext *text)
{
    af_array_clear(&text->threads);
    g_clear_pointer(&text->names, af_arena_free);
}

gboolean af_keytext_parse_number(af_span text, uint64_t *value)
{
    uint64_t v = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.bytes[i];
        if (!g_ascii_isdigit(c) || v > (UINT64_MAX - (uint64_t)(c - '0')) / 10) {
            return FALSE;
        }
        v = v * 10 + (uint64_t)(c - '0');
    }
    *value = v;
    return text.length > 0;
}

/* Reads a number of microseconds or nanoseconds, clamped to what fits in nanoseconds. */
static gboolean parse_time(af_span value, uint64_t unit_ns, uint64_t *ns)
{
    uint64_t v;
    if (!af_keytext_parse_number(value, &v)) {
        return FALSE;
    }
    *ns = MIN(v, UINT64_MAX / 1000 / unit_ns) * unit_ns;
    return TRUE;
}

static void take_fact(af_sink *sink, af_span key, af_span value, gboolean ns)
{
    af_facts *facts = af_sink_facts(sink);
    if (af_span_is(key, "data-file-overflow")) {
        facts->recording.overflow = af_span_is(value, "true")    ? 1
                                    : af_span_is(value, "false") ? 0
                                                                 : -1;
    } else if (af_span_is(key, "clock")) {
        facts->android.clock = af_sink_clean(sink, value);
    } else if (af_span_is(key, "vm")) {
        facts->android.vm = af_sink_clean(sink, value);
    } else if (af_span_is(key, "pid")) {
        facts->has_pid = af_keytext_parse_number(value, &facts->pid);
    } else if (af_span_is(key, "elapsed-time-usec") && !ns) {
        facts->recording.has_elapsed = parse_time(value, 1000, &facts->recording.elapsed_ns);
    } else if (af_span_is(key, "elapsed-time-nsec") && ns) {
        facts->recording.has_elapsed = parse_time(value, 1, &facts->recording.elapsed_ns);
    } else if (af_span_is(key, "clock-call-overhead-nsec")) {
        facts->android.has_call_overhead = parse_time(value, 1, &facts->android.call_overhead_ns);
    }
}

static gboolean has_key(const af_keytext *text, const char *key)
{
    af_span rest = text->facts, line;
    const size_t length = strlen(key);
    while (next_line(&rest, &line)) {
        if (line.length > length && line.bytes[length] == '=' &&
            memcmp(line.bytes, key, length) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

void af_keytext_take_facts(const af_keytext *text, gboolean ns, af_sink *sink)
{
    if (text->facts.bytes == NULL) {
        return;
    }
    af_sink_facts(sink)->android.text_version = text->version;
    ns = ns && has_key(text, "elapsed-time-nsec");
    af_span rest = text->facts, line;
    next_line(&rest, &line); /* the version */
    while (next_line(&rest, &line)) {
        const char *equals = line.length == 0 ? NULL : memchr(line.bytes, '=', line.length);
        if (equals == NULL) {
            continue;
        }
        const af_span key = {line.bytes, (size_t)(equals - line.bytes)};
        const af_span value = {equals + 1, line.length - key.length - 1};
        take_fact(sink, key, value, ns);
        af_sink_add_fact(sink, key, value);
    }
}

#define MOST_COLUMNS 5

/* `0x` means hexadecimal, digits alone decimal, hexadecimal digits with a letter hexadecimal. */
static gboolean parse_method_id(af_span text, uint64_t *id)
{
    const gboolean prefix = text.length > 2 && text.bytes[0] == '0' && text.bytes[1] == 'x';
    gboolean hex = prefix;
    for (size_t i = prefix ? 2 : 0; i < text.length; i++) {
        if (!g_ascii_isxdigit(text.bytes[i])) {
            return FALSE;
        }
        hex = hex || !g_ascii_isdigit(text.bytes[i]);
    }
    uint64_t v = 0;
    for (size_t i = prefix ? 2 : 0; i < text.length; i++) {
        v = v * (hex ? 16 : 10) + (uint64_t)g_ascii_xdigit_value(text.bytes[i]);
    }
    *id = v;
    return text.length > 0;
}

static unsigned split_columns(const char *line, size_t length, af_span columns[MOST_COLUMNS])
{
    const char *at = line, *end = line + length;
    unsigned n = 0;
    for (;;) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const char *stop = tab == NULL ? end : tab;
        if (n < MOST_COLUMNS) {
            columns[n] = (af_span){at, (size_t)(stop - at)};
        }
        n++;
        if (tab == NULL) {
            return n;
        }
        at = tab + 1;
    }
}

static int32_t parse_line_number(af_span text)
{
    char number[16] = {0};
    memcpy(number, text.bytes, MIN(text.length, sizeof number - 1));
    return (int32_t)CLAMP(g_ascii_strtoll(number, NULL, 10), -2, INT32_MAX);
}

void af_keytext_parse_columns(const char *line, size_t length, af_method_text *text)
{
    af_span c[MOST_COLUMNS] = {{NULL, 0}};
    const unsigned n = split_columns(line, length, c);
    *text = (af_method_text){
        .class_name = c[0], .columns = {line, length}, .line = -1, .whole = n == 1};
    if (n == 3 && !(c[2].length > 0 && c[2].bytes[0] == '(')) {
        text->source = c[1];
        text->line = parse_line_number(c[2]);
    } else {
        text->name = c[1];
        text->signature = c[2];
        text->source = c[3];
        if (n >= 5) {
            text->line = parse_line_number(c[4]);
        }
    }
}

gboolean af_keytext_parse_method(const char *line, size_t length, uint64_t *id,
                                 af_method_text *text)
{
    const char *tab = length == 0 ? NULL : memchr(line, '\t', length);
    const size_t digits = tab == NULL ? length : (size_t)(tab - line);
    *text = (af_method_text){.line = -1};
    if (!parse_method_id((af_span){line, digits}, id)) {
        return FALSE;
    }
    if (tab != NULL) {
        af_keytext_parse_columns(tab + 1, length - digits - 1, text);
    }
    return TRUE;
}

/* The memory that names take is checked after this many lines. */
#define WEIGHED_LINES 1024u

void af_keytext_take_methods(const af_keytext *text, af_sink *sink, uint64_t mask,
                             gboolean override)
{
    if (text->methods.bytes == NULL) {
        return;
    }
    af_array defined; /* by method: whether the text has defined it */
    af_array_init(&defined, 1);
    af_span rest = text->methods, line;
    for (size_t n = 1; next_line(&rest, &line); n++) {
        uint64_t id;
        if (n % WEIGHED_LINES == 0 && !af_sink_fits(sink, 0)) {
            break;
        }
        af_method_text method;
        if (line.length == 0 || !af_keytext_parse_method(line.bytes, line.length, &id, &method)) {
            continue;
        }
        id &= mask & ~UINT64_C(3);
        if (method.class_name.length + method.name.length == 0) {
            af_sink_raw_method(sink, id, &method, FALSE);
            continue;
        }
        gboolean replace = FALSE;
        const uint32_t number = override ? af_sink_method(sink, id) : AF_IDMAP_NONE;
        if (number != AF_IDMAP_NONE && af_array_reach(&defined, (size_t)number + 1)) {
            replace = !AF_ARRAY_AT(&defined, uint8_t, number);
            AF_ARRAY_AT(&defined, uint8_t, number) = 1;
        }
        if (!af_sink_define_method(sink, id, &method, replace) && !replace) {
            af_sink_warn(sink, AF_WARN_DUPLICATE_METHOD, 1, AF_NO_OFFSET);
        }
    }
    af_sink_fail_if(sink, defined.failed);
    af_array_clear(&defined);
}
