/* The text of `perf script`: a line for each sample, then its stack, leaf first, then an empty
 * line.
 *
 *     app 1234/1240 [002] 5001.234567:     250000 cycles:u:
 *             7f0012345678 std::sort+0x18 (/usr/lib/libfoo.so)
 *             55d0c0ffee00 main+0x20 (/home/me/app)
 *
 * The name may contain spaces; thread, CPU, time, count and event may be missing (perf script -F),
 * and so may the indentation of frames. If no stacks were recorded, the names are right-aligned, a
 * single frame follows the event, and no empty line the sample. The event ends with a colon. Lines
 * that start with # are comments. */
#include "read/reader.h"

#include <string.h>

#include "read/frames.h"
#include "read/lines.h"
#include "read/perf/perfunit.h"

#define HEAD ((size_t)16 * 1024)

/* The most digits of a number, which fit 64 bits. */
#define MOST_DIGITS 19u

typedef struct {
    af_span comm, event;
    uint64_t pid, tid, time_ns, period;
    gboolean has_pid, has_time, has_period;
    gboolean bare; /* only a thread: a sample if a frame follows */
    af_span rest;  /* after the event: a frame, if no stacks were recorded */
} script_head;

/* Removes and returns the first word. */
static af_span take_word(af_span *text)
{
    *text = af_span_trim(*text);
    size_t n = 0;
    while (n < text->length && !g_ascii_isspace(text->bytes[n])) {
        n++;
    }
    const af_span word = {text->bytes, n};
    *text = n == 0 ? *text : af_span_trim(af_span_after(*text, n));
    return word;
}

/* Removes and returns the last word. */
static af_span take_last(af_span *text)
{
    *text = af_span_trim(*text);
    size_t at = text->length;
    while (at > 0 && !g_ascii_isspace(text->bytes[at - 1])) {
        at--;
    }
    const af_span word = at == text->length ? *text : af_span_after(*text, at);
    *text = af_span_trim((af_span){text->bytes, at});
    return word;
}

static gboolean read_number(af_span word, uint64_t *value)
{
    return af_span_take_number(&word, MOST_DIGITS, value) && word.length == 0;
}

static gboolean read_hex(af_span word, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (!g_ascii_isxdigit(word.bytes[i]) || i >= 16) {
            return FALSE;
        }
        *value = *value << 4 | (unsigned)g_ascii_xdigit_value(word.bytes[i]);
    }
    return word.length > 0;
}

/* "5001.234567:" */
static gboolean read_time(af_span word, uint64_t *time_ns)
{
    uint64_t seconds, fraction;
    if (!af_span_take_number(&word, 11, &seconds) || !af_span_skip(&word, ".")) {
        return FALSE;
    }
    const size_t left = word.length;
    if (!af_span_take_number(&word, 9, &fraction) || !af_span_is(word, ":") ||
        seconds > UINT64_C(10000000000)) {
        return FALSE;
    }
    for (size_t digits = left - 1; digits < 9; digits++) {
        fraction *= 10;
    }
    *time_ns = seconds * UINT64_C(1000000000) + fraction;
    return TRUE;
}

/* ---- the lines of a stack ---- */

typedef struct {
    af_span symbol, library; /* library without its parentheses */
} script_frame;

/* "7f0012345678 symbol+0x18 (library)"; inlined frames have "(inlined)". */
static gboolean parse_frame(af_span rest, script_frame *frame)
{
    const af_span address = take_word(&rest);
    uint64_t ip;
    if (!read_hex(address, &ip) || rest.length == 0) {
        return FALSE;
    }
    frame->library = (af_span){"", 0};
    if (rest.bytes[rest.length - 1] == ')') {
        /* the last pair: names of libraries may contain spaces and parentheses too */
        size_t at = rest.length - 1, depth = 1;
        while (at > 0 && depth > 0) {
            at--;
            depth += rest.bytes[at] == ')';
            depth -= rest.bytes[at] == '(';
        }
        if (depth == 0 && (at == 0 || rest.bytes[at - 1] == ' ')) {
            frame->library = (af_span){rest.bytes + at + 1, rest.length - at - 2};
            rest = af_span_trim((af_span){rest.bytes, at});
        }
    }
    const char *plus = rest.length == 0 ? NULL : memrchr(rest.bytes, '+', rest.length);
    if (plus != NULL && plus > rest.bytes && (size_t)(plus - rest.bytes) + 3 < rest.length + 1 &&
        memcmp(plus, "+0x", 3) == 0) {
        rest.length = (size_t)(plus - rest.bytes);
    }
    frame->symbol = rest;
    return TRUE;
}

/* A frame without indentation. It must end with its library, so that no other text matches. */
static gboolean is_bare_frame(af_span line, script_frame *frame)
{
    return af_span_ends(af_span_trim(line), ")") && parse_frame(line, frame);
}

/* ---- the line of a sample ---- */

/* Finds the first word that is a time, and its position. Returns FALSE if there is none. */
static gboolean find_time(af_span line, size_t *begin, size_t *end, uint64_t *time_ns)
{
    for (size_t at = 0; at < line.length;) {
        while (at < line.length && g_ascii_isspace(line.bytes[at])) {
            at++;
        }
        size_t to = at;
        while (to < line.length && !g_ascii_isspace(line.bytes[to])) {
            to++;
        }
        if (at > 0 && read_time((af_span){line.bytes + at, to - at}, time_ns)) {
            *begin = at;
            *end = to;
            return TRUE;
        }
        at = to;
    }
    return FALSE;
}

/* "comm 1234", "comm 1234/1240", each optionally followed by "[002]". */
static gboolean read_thread(af_span before, script_head *head)
{
    af_span word = take_last(&before);
    if (word.length > 2 && word.bytes[0] == '[' && word.bytes[word.length - 1] == ']') {
        word = take_last(&before);
    }
    const char *slash = word.length == 0 ? NULL : memchr(word.bytes, '/', word.length);
    if (slash != NULL) {
        const size_t n = (size_t)(slash - word.bytes);
        head->has_pid = read_number((af_span){word.bytes, n}, &head->pid);
        word = (af_span){slash + 1, word.length - n - 1};
    }
    if (word.length > 1 && word.bytes[0] == '-') {
        word = (af_span){word.bytes + 1, word.length - 1}; /* -1: no thread */
    }
    head->comm = before;
    return before.length > 0 && read_number(word, &head->tid);
}

/* "cycles:u:" */
static gboolean read_event(af_span word, af_span *event)
{
    if (word.length < 2 || word.bytes[word.length - 1] != ':') {
        return FALSE;
    }
    *event = (af_span){word.bytes, word.length - 1};
    return TRUE;
}

static const af_span no_event = {"samples", 7};

/* "comm 1234 250000 cycles:", a head without a time. The count may be missing, and only a second
 * number is a count. Or just "comm 1234". */
static gboolean parse_timeless(af_span line, script_head *head)
{
    af_span rest = line, before = {line.bytes, 0};
    while (rest.length > 0) {
        const af_span word = take_word(&rest);
        if (before.length > 0 && read_event(word, &head->event)) {
            break;
        }
        before.length = (size_t)(word.bytes + word.length - line.bytes);
    }
    if (head->event.length == 0) {
        head->event = no_event;
        head->bare = TRUE;
        return read_thread(line, head);
    }
    head->rest = rest;
    af_span thread = before;
    const af_span count = take_last(&thread);
    if (read_number(count, &head->period) && read_thread(thread, head)) {
        head->has_period = TRUE;
        return TRUE;
    }
    *head = (script_head){.event = head->event, .rest = rest};
    return read_thread(before, head);
}

static gboolean parse_head(af_span line, script_head *head)
{
    const gboolean is_remark = af_span_begins(line, "#");
    script_frame frame;
    size_t begin, end;
    *head = (script_head){0};
    line = af_span_trim(line);
    if (line.length == 0 || is_remark) {
        return FALSE;
    }
    if (!find_time(line, &begin, &end, &head->time_ns)) {
        return parse_timeless(line, head);
    }
    head->has_time = TRUE;
    if (!read_thread((af_span){line.bytes, begin}, head)) {
        return FALSE;
    }
    af_span rest = {line.bytes + end, line.length - end};
    head->rest = rest;
    af_span word = take_word(&rest);
    if (word.length > 0 && rest.length > 0 && read_number(word, &head->period)) {
        head->has_period = TRUE;
        head->rest = rest;
        word = take_word(&rest);
    }
    if (read_event(word, &head->event)) {
        head->rest = rest;
        return TRUE;
    }
    head->event = no_event;
    return head->rest.length == 0 || parse_frame(head->rest, &frame);
}

/* The head of a sample whose name perf padded on the left, so that it is indented like a frame. A
 * frame lacks a time, and what follows its address is no other frame. */
static gboolean parse_aligned_head(af_span line, script_head *head)
{
    script_frame frame;
    return parse_head(line, head) && !head->bare &&
           (head->has_time || head->rest.length == 0 || parse_frame(head->rest, &frame));
}

/* The kinds of lines at the start of the input. */
typedef struct {
    unsigned samples; /* heads with a time, or with a frame after them */
    unsigned frames, odd;
    gboolean waiting; /* the last line is a head if a frame follows */
    gboolean bare;    /* it is only a thread */
} script_tally;

/* Whether the text is a frame that nothing else resembles: with its library, its offset, or a whole
 * address. */
static gboolean is_sure_frame(af_span line)
{
    script_frame frame;
    line = af_span_trim(line);
    const size_t digits = af_span_before(line, " ").length;
    return parse_frame(line, &frame) &&
           (digits >= 6 || frame.library.length > 0 ||
            frame.symbol.bytes + frame.symbol.length < line.bytes + line.length);
}

static void take_head(script_tally *t, const script_head *head)
{
    const gboolean whole = head->rest.length == 0
                               ? head->has_time || (head->has_period && !head->bare)
                               : is_sure_frame(head->rest);
    t->samples += whole;
    t->waiting = !whole;
    t->bare = head->bare;
}

static void tally_line(script_tally *t, af_span line)
{
    script_head head;
    script_frame frame;
    const gboolean indented = g_ascii_isspace(*line.bytes);
    if (t->waiting) {
        const gboolean sampled = (indented && !t->bare && is_sure_frame(line)) ||
                                 ((indented || !t->bare) && is_bare_frame(line, &frame));
        t->samples += sampled;
        t->odd += !sampled;
        t->waiting = FALSE;
    }
    if (indented ? parse_aligned_head(line, &head) : parse_head(line, &head)) {
        take_head(t, &head);
    } else if (indented ? parse_frame(line, &frame)
                        : t->samples > 0 && is_bare_frame(line, &frame)) {
        t->frames++;
    } else {
        t->odd += !indented;
    }
}

static int detect(const uint8_t *bytes, size_t length, gboolean more, gboolean named)
{
    g_autoptr(GString) text = af_lines_head(bytes, length, HEAD);
    script_tally t = {0};
    for (size_t at = 0; at < text->len && t.samples + t.frames + t.odd < 40;) {
        const af_span left = {text->str + at, text->len - at}, line = af_span_before(left, "\n");
        const gboolean whole = line.length < left.length || (!more && length <= HEAD);
        at += line.length + 1;
        if (af_span_trim(line).length > 0 && *line.bytes != '#' && whole) {
            tally_line(&t, line);
        }
    }
    /* perf script --header writes a long list of remarks first */
    const gboolean remarks =
        t.samples + t.frames + t.odd == 0 && text->len > 0 && text->str[0] == '#';
    const gboolean unsure = remarks && !t.waiting && more && length < ((size_t)1 << 20);
    const gboolean empty =
        remarks && !more && g_str_has_prefix(text->str, "# ========\n# captured on");
    return empty || (t.samples > 0 && t.samples + t.frames > 2 * t.odd) ? 40
           : unsure                                                     ? AF_UNSURE
                                                                        : 0;
}

typedef struct {
    af_sink *sink;
    const af_open_options *options;
    af_frames frames;
    af_array methods;  /* uint32_t: of the current sample, leaf first */
    af_textmap events; /* names, in order of first appearance */
    af_textmap comms;
    af_arena *arena;
    script_head head; /* of the current sample; comm and event are in the arena */
    uint32_t event;   /* of the current sample */
    uint32_t shown;   /* the event that is shown; AF_TEXTMAP_NONE = not known yet */
    gboolean open, started, each;
    gboolean alone; /* the current sample has at most the frame after its event */
    gboolean named; /* samples have events or times */
    unsigned clock;
    uint64_t offset, pid;
    gboolean has_pid, several_pids;
} reading;

/* Returns the number of a text; copies the text if it is new. */
static uint32_t keep(reading *r, af_textmap *map, af_span *text)
{
    const uint32_t number = af_textmap_keep(map, r->arena, text->bytes, text->length);
    if (number != AF_TEXTMAP_NONE) {
        text->bytes = map->entries[number].bytes;
    }
    return number;
}

static void start(reading *r)
{
    const char *event = r->shown == AF_TEXTMAP_NONE ? "" : r->events.entries[r->shown].bytes;
    r->each = g_strcmp0(r->options->unit, "samples") == 0 || !r->head.has_period;
    r->started = TRUE;
    r->clock = af_perf_start_samples(r->sink, event, r->each, FALSE,
                                     r->head.has_time ? AF_SAMPLES_TIMED : AF_SAMPLES_UNTIMED);
}

/* Adds the current sample, which is complete. Returns FALSE when it is time to stop. */
static gboolean give(reading *r)
{
    if (!r->open || af_sink_has_failed(r->sink)) {
        return !af_sink_has_failed(r->sink);
    }
    r->open = FALSE;
    if (r->head.bare && r->methods.n == 0) {
        af_sink_warn(r->sink, AF_WARN_ODD_LINE, 1, r->offset);
        return TRUE;
    }
    const char *name = r->events.entries[r->event].bytes;
    if (r->shown == AF_TEXTMAP_NONE &&
        (r->options->event == NULL || af_perf_is_event(name, r->options->event))) {
        r->shown = r->event;
    }
    if (r->event != r->shown) {
        return TRUE;
    }
    if (!r->started) {
        start(r);
    }
    if (r->methods.n == 0) {
        if (!af_array_append(&r->methods, &(uint32_t){af_frames_method(&r->frames, "[unknown]", 9,
                                                                       AF_FRAME_ANY, NULL)})) {
            return FALSE;
        }
    }
    af_frames_turn(&r->methods);
    af_sample sample = {.thread = af_sink_thread(r->sink, r->head.tid),
                        .methods = r->methods.items,
                        .n = r->methods.n,
                        .time_ns = r->head.time_ns,
                        .offset = r->offset};
    sample.weight[r->clock] = r->each ? 1 : r->head.period;
    af_sink_describe_thread(r->sink, sample.thread, r->head.comm.bytes, r->head.comm.length, TRUE,
                            FALSE);
    return af_sink_sample(r->sink, &sample);
}

/* A frame without a symbol gets the name of its library. */
static void take_frame(reading *r, const script_frame *frame)
{
    const af_span path = frame->library;
    const char *slash = path.length == 0 ? NULL : memrchr(path.bytes, '/', path.length);
    const size_t skipped = slash == NULL ? 0 : (size_t)(slash + 1 - path.bytes);
    const size_t length = path.length - skipped;
    g_autofree char *library = g_strndup(path.bytes + skipped, length);
    const gboolean unknown = frame->symbol.length == 0 || af_span_is(frame->symbol, "[unknown]");
    g_autofree char *name = !unknown ? NULL
                            : length > 0 && library[0] != '['
                                ? g_strdup_printf("[%s]", library)
                                : g_strdup(length > 0 ? library : "[unknown]");
    const gboolean java = g_str_has_suffix(library, ".oat") || g_str_has_suffix(library, ".odex") ||
                          g_str_has_suffix(library, ".dex");
    /* Whether it is a library or the kernel; JIT code is in no such file. */
    const gboolean native = strstr(library, ".so") != NULL || strstr(library, ".ko") != NULL ||
                            g_str_has_prefix(library, "[kernel");
    const uint32_t method = af_frames_method(&r->frames, unknown ? name : frame->symbol.bytes,
                                             unknown ? strlen(name) : frame->symbol.length,
                                             java     ? AF_FRAME_JAVA
                                             : native ? AF_FRAME_NATIVE
                                                      : AF_FRAME_ANY,
                                             length > 0 ? library : NULL);
    af_array_append(&r->methods, &method);
}

static void open_sample(reading *r, const script_head *head, uint64_t offset)
{
    script_frame frame;
    r->head = *head;
    r->event = keep(r, &r->events, &r->head.event);
    keep(r, &r->comms, &r->head.comm);
    r->methods.n = 0;
    r->open = r->alone = TRUE;
    r->named = r->named || !head->bare;
    r->offset = offset;
    if (head->has_pid) {
        r->several_pids |= r->has_pid && r->pid != head->pid;
        r->has_pid = TRUE;
        r->pid = head->pid;
    }
    if (parse_frame(head->rest, &frame)) {
        take_frame(r, &frame);
    }
}

static gboolean take_line(void *user, af_span line, uint64_t offset, GError **error)
{
    reading *r = user;
    script_head head;
    script_frame frame;
    if (af_span_trim(line).length == 0) {
        return give(r);
    }
    if (*line.bytes == '#') {
        return TRUE;
    }
    const gboolean indented = g_ascii_isspace(*line.bytes);
    gboolean is_head = !indented              ? parse_head(line, &head)
                       : r->alone || !r->open ? parse_aligned_head(line, &head)
                                              : FALSE;
    if (indented && !is_head) {
        if (r->open && parse_frame(line, &frame)) {
            take_frame(r, &frame);
            r->alone = FALSE;
        }
        return !af_sink_has_failed(r->sink);
    }
    if (head.bare && r->named) {
        is_head = FALSE;
    }
    if (!is_head && r->open && is_bare_frame(line, &frame)) {
        take_frame(r, &frame);
        return !af_sink_has_failed(r->sink);
    }
    if (!give(r)) {
        return FALSE;
    }
    if (is_head) {
        open_sample(r, &head, offset);
    } else {
        af_sink_warn(r->sink, AF_WARN_ODD_LINE, 1, offset);
    }
    return TRUE;
}

static gboolean finish(reading *r, GError **error)
{
    give(r);
    if (r->options->event != NULL && r->shown == AF_TEXTMAP_NONE) {
        af_array names;
        af_array_init(&names, sizeof(const char *));
        for (uint32_t i = 0; i < r->events.n; i++) {
            af_array_append(&names, &r->events.entries[i].bytes);
        }
        /* it is found if all of its samples were dropped */
        const gboolean found = af_perf_find_event(&names, r->options->event, &r->shown, error);
        af_array_clear(&names);
        if (!found) {
            return FALSE;
        }
    }
    if (!r->started) {
        start(r);
    }
    if (r->shown != AF_TEXTMAP_NONE) {
        af_perf_report_event(r->sink, r->events.entries[r->shown].bytes, r->shown, r->events.n);
    }
    af_sink_facts(r->sink)->has_pid = r->has_pid && !r->several_pids;
    af_sink_facts(r->sink)->pid = r->pid;
    return TRUE;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    reading r = {
        .sink = sink, .options = options, .arena = af_arena_new(), .shown = AF_TEXTMAP_NONE};
    af_sink_set_format(sink, "perf-script", "perf recording", "sample");
    af_sink_facts(sink)->format.producer = "perf script";
    af_frames_init(&r.frames, sink);
    af_textmap_init_metered(&r.events, af_sink_meter(sink));
    af_textmap_init_metered(&r.comms, af_sink_meter(sink));
    af_array_init_metered(&r.methods, sizeof(uint32_t), af_sink_meter(sink));
    af_lines lines;
    gboolean ok = af_lines_each(&lines, source, sink, take_line, &r, error);
    if (lines.unended || source->cut) { /* perf ends each sample with an empty line */
        af_sink_facts(sink)->recording.truncated = TRUE;
        af_sink_warn(sink, AF_WARN_TRUNCATED, 1, lines.offset);
    }
    ok = ok && finish(&r, error);
    af_frames_clear(&r.frames);
    af_textmap_clear(&r.events);
    af_textmap_clear(&r.comms);
    af_array_clear(&r.methods);
    af_arena_free(r.arena);
    return ok;
}

const af_reader af_reader_perfscript = {
    .name = "perf-script",
    .title = "output of perf script",
    .extensions = "txt perf",
    .detect = detect,
    .read = read_input,
};
