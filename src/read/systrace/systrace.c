/* Systraces: the text of ftrace, as it is, in the output of atrace (also compressed), and in both
 * kinds of HTML pages that systrace wrote. */
#include "read/systrace/systrace.h"

#include <string.h>
#include <zlib.h>

#include "base/pull.h"
#include "read/lines.h"
#include "read/reader.h"

/* Where the words that tell the kind of the file stand. */
#define HEAD ((size_t)4096)

/* How far a page is searched for its data: the viewer comes first. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

/* Longer lines of compressed text are truncated. */
#define LONGEST ((size_t)1024 * 1024)

#define STEP ((size_t)64 * 1024)

static const char new_page[] = "<script class=\"trace-data\" type=\"application/text\">";
static const char old_page[] = "  var linuxPerfData = \"\\";
static const char end_of_block[] = "</script>";

static gboolean begins(af_span text, const char *with)
{
    const size_t n = strlen(with);
    return text.length >= n && g_ascii_strncasecmp(text.bytes, with, n) == 0;
}

static gboolean is_page(af_span head)
{
    const af_span text = af_span_trim(head);
    return begins(text, "<!DOCTYPE html") || begins(text, "<html");
}

/* Removes and returns the first line of a text, which has one. *whole = it ends with a line feed. */
static af_span take_line_of(af_span *text, gboolean *whole)
{
    const af_span line = af_span_before(*text, "\n");
    *whole = line.length < text->length;
    *text = af_span_after(*text, line.length + (*whole ? 1 : 0));
    return line;
}

/* A line "TRACE:" near the start. Returns the offset of what follows, 0 if there is none. */
static size_t find_trace(const uint8_t *bytes, size_t length)
{
    af_span rest = {(const char *)bytes, MIN(length, HEAD)};
    while (rest.length > 0) {
        gboolean whole;
        const af_span line = take_line_of(&rest, &whole);
        if (whole && (af_span_is(line, "TRACE:") || af_span_is(line, "TRACE:\r"))) {
            return (size_t)(rest.bytes - (const char *)bytes);
        }
    }
    return 0;
}

/* "cpus=8" */
static gboolean is_cpus(af_span line)
{
    uint64_t n;
    return af_span_skip(&line, "cpus=") && af_span_take_number(&line, SIZE_MAX, &n) &&
           line.length == 0;
}

/* Whether one of the first complete lines is an event. */
static gboolean has_event(const uint8_t *bytes, size_t length, gboolean more)
{
    af_span rest = {(const char *)bytes, MIN(length, HEAD)};
    for (unsigned i = 0; i < 8 && rest.length > 0; i++) {
        gboolean whole;
        const af_span line = take_line_of(&rest, &whole);
        if (!whole && (more || length > HEAD)) {
            return FALSE;
        }
        if (af_systrace_is_line(line.bytes, line.length)) {
            return TRUE;
        }
    }
    return FALSE;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    if (length == 0) {
        return 0;
    }
    const af_span whole = {(const char *)head, length};
    if (is_page(whole)) {
        if (af_span_find(whole, new_page) != NULL || af_span_find(whole, old_page) != NULL) {
            return 95;
        }
        return more && length < MOST_LOOK ? AF_UNSURE : 0;
    }
    const size_t n = MIN(length, HEAD);
    if (find_trace(head, length) > 0 || has_event(head, length, more)) {
        return 95;
    }
    const af_span text = af_span_trim((af_span){whole.bytes, n});
    if (af_span_find(text, "# tracer:") != NULL && (begins(text, "#") || begins(text, "cpus="))) {
        return 95;
    }
    const af_span first = af_span_before((af_span){whole.bytes, n}, "\n");
    if (first.length < n && is_cpus(first)) {
        return 80;
    }
    return more && n < HEAD &&
                   g_utf8_validate((const char *)head, (gssize)(n > 8 ? n - 8 : 0), NULL)
               ? AF_UNSURE
               : 0;
}

typedef enum {
    OUTSIDE,
    UNDECIDED, /* the block's first line decides */
    EVENTS,
    OLD_EVENTS, /* a string of JavaScript */
    PROCESSES,
    SKIPPED,
} block_kind;

typedef struct {
    af_systrace *systrace;
    block_kind kind;
    gboolean has_events; /* only the first such block counts */
    gboolean has_threads_head;
    gboolean is_page;
    gboolean is_cut; /* the page ends within a block, the text within a line */
    GString *text;   /* for unescaped lines */
    uint64_t passed; /* the offset of the last line, + 1; 0 = none yet */
} page;

/* Unescapes a line of a JavaScript string, which ends in "\n\". */
static void take_old_line(page *p, af_span line)
{
    /* The bytes before the quote that ends a JavaScript string; all of them if it goes on. */
    size_t i = 0;
    while (i < line.length && line.bytes[i] != '"') {
        i += line.bytes[i] == '\\' ? 2 : 1;
    }
    const size_t n = MIN(i, line.length);
    if (n < line.length) {
        p->kind = SKIPPED;
    }
    const af_pull_value string = {.text = {line.bytes, n}, .escaped = TRUE};
    af_span text = af_pull_text(&string, p->text);
    gboolean whole;
    do {
        const af_span part = take_line_of(&text, &whole);
        af_systrace_take_line(p->systrace, part.bytes, part.length);
    } while (whole);
}

static af_span skip_blanks(af_span text)
{
    while (af_span_skip(&text, " ")) {
    }
    return text;
}

static gboolean take_number(af_span *text, uint32_t *number)
{
    uint64_t value;
    *text = skip_blanks(*text);
    const gboolean ok = af_span_take_number(text, 10, &value);
    *number = (uint32_t)value;
    return ok && value <= INT32_MAX;
}

/* The rest of the line after `n` words. */
static af_span skip_words(af_span line, unsigned n)
{
    line = skip_blanks(line);
    for (unsigned i = 0; i < n; i++) {
        line = skip_blanks(af_span_after(line, af_span_before(line, " ").length));
    }
    return line;
}

/* The id of the user in a row of ps: apps have names such as u0_a123 or app_123, others are of the
 * system. */
static int64_t user_of(af_span line)
{
    enum { SYSTEM = 1000, FIRST_APP = 10000 };
    uint32_t user, app;
    const gboolean is_app =
        af_span_skip(&line, "app_") ||
        (af_span_skip(&line, "u") && take_number(&line, &user) && af_span_skip(&line, "_a"));
    return is_app && take_number(&line, &app) ? FIRST_APP + (int64_t)app : SYSTEM;
}

/* A row of ps: USER PID PPID ... NAME, or USER PID TID CMD. */
static void take_process(page *p, af_span line)
{
    while (line.length > 0 && g_ascii_isspace(line.bytes[line.length - 1])) {
        line.length--;
    }
    if (begins(line, "USER ")) {
        p->has_threads_head = af_span_find(line, " TID ") != NULL;
        return;
    }
    af_span rest = skip_words(line, 1);
    uint32_t pid, other;
    if (!take_number(&rest, &pid) || !take_number(&rest, &other)) {
        return;
    }
    af_span name = skip_words(line, p->has_threads_head ? 3 : 8);
    name = p->has_threads_head ? name : af_span_before(name, " ");
    if (name.length == 0) {
        return;
    }
    const uint32_t text = af_texts_add(p->systrace->texts, name);
    af_timeline_event event = {.kind = AF_EVENT_PROCESS,
                               .ns = INT64_MIN / 8, /* before everything */
                               .b = pid,
                               .value = user_of(line) + 1,
                               .name = text,
                               .extra = AF_PROCESS_BY_SYSTEM};
    if (p->has_threads_head) {
        event.kind = AF_EVENT_THREAD;
        event.a = other;
        event.extra = AF_NAMED_BY_EVENT;
    }
    af_timeline_add(p->systrace->timeline, &event);
}

static void decide(page *p, af_span line)
{
    const af_span text = af_span_trim(line);
    if (text.length == 0) {
        return;
    }
    if (begins(text, "PROCESS DUMP")) {
        p->kind = PROCESSES;
    } else if (begins(text, "CGROUP DUMP") || *text.bytes == '{' || p->has_events) {
        p->kind = SKIPPED;
    } else {
        p->kind = EVENTS;
        p->has_events = TRUE;
        af_systrace_take_line(p->systrace, line.bytes, line.length);
    }
}

static void take_block_line(page *p, af_span line)
{
    switch (p->kind) {
    case UNDECIDED:
        decide(p, line);
        break;
    case EVENTS:
        af_systrace_take_line(p->systrace, line.bytes, line.length);
        break;
    case OLD_EVENTS:
        take_old_line(p, line);
        break;
    case PROCESSES:
        take_process(p, line);
        break;
    default:
        break;
    }
}

/* A line of the page. */
static void take_page_line(page *p, af_span line)
{
    if (p->kind == OUTSIDE) {
        if (af_span_find_after(line, new_page, &line)) {
            p->kind = UNDECIDED;
        } else if (af_span_begins(line, old_page) && !p->has_events) {
            p->kind = OLD_EVENTS;
            p->has_events = TRUE;
            return;
        } else {
            return;
        }
    }
    const af_span block = af_span_before(line, end_of_block);
    take_block_line(p, block);
    p->kind = block.length < line.length ? OUTSIDE : p->kind;
}

static void report_cut(const af_systrace *s, uint64_t offset)
{
    af_sink_facts(s->sink)->recording.truncated = TRUE;
    af_sink_warn(s->sink, AF_WARN_TRUNCATED, 1, offset);
}

/* Takes the complete lines of `text`, and all of it at the end. */
static void take_complete(af_systrace *s, GString *text, gboolean ends)
{
    af_span rest = af_span_of_string(text), before = rest;
    while (rest.length > 0) {
        gboolean whole;
        const af_span line = take_line_of(&rest, &whole);
        if (!whole && !ends && line.length < LONGEST) {
            break;
        }
        af_systrace_take_line(s, line.bytes, line.length);
        before = rest;
    }
    g_string_erase(text, 0, before.bytes - text->str);
}

static gboolean take_compressed(af_systrace *s, af_source *source, GError **error)
{
    z_stream z = {0};
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree uint8_t *unpacked = g_malloc(STEP);
    gboolean ok = TRUE;
    int state = inflateInit(&z);
    while (ok && state == Z_OK && !af_sink_is_stopped(s->sink)) {
        if (source->length == 0 &&
            (!source->more ||
             !(ok = af_source_reach(source, af_source_default_window(source), error)) ||
             source->length == 0)) {
            break;
        }
        const size_t n = MIN(source->length, STEP);
        z.next_in = (Bytef *)source->bytes;
        z.avail_in = (uInt)n;
        do {
            z.next_out = unpacked;
            z.avail_out = (uInt)STEP;
            state = inflate(&z, Z_NO_FLUSH);
            g_string_append_len(text, (const char *)unpacked, (gssize)(STEP - z.avail_out));
            take_complete(s, text, FALSE);
        } while (state == Z_OK && z.avail_out == 0);
        state = state == Z_BUF_ERROR ? Z_OK : state;
        af_source_skip(source, n);
        af_sink_advance(s->sink, n);
    }
    inflateEnd(&z);
    take_complete(s, text, TRUE);
    if (ok && state != Z_STREAM_END && !af_sink_is_stopped(s->sink)) {
        report_cut(s, source->offset);
    }
    return ok;
}

static gboolean take_line(void *user, af_span line, uint64_t offset, GError **error)
{
    page *p = user;
    const gboolean first = p->passed == 0;
    if (p->is_page) {
        take_page_line(p, line);
    } else if (!first || !is_cpus(line)) {
        af_systrace_take_line(p->systrace, line.bytes, line.length);
    }
    const uint64_t before = first ? offset : p->passed - 1;
    p->passed = offset + 1;
    return af_sink_advance(p->systrace->sink, (size_t)(offset - before));
}

static gboolean take_file(af_systrace *s, af_source *source, GError **error)
{
    if (!af_source_reach(source, HEAD, error)) {
        return FALSE;
    }
    page p = {.systrace = s,
              .is_page = is_page((af_span){(const char *)source->bytes, source->length})};
    const size_t after = p.is_page ? 0 : find_trace(source->bytes, source->length);
    af_source_skip(source, after);
    if (after > 0 && (source->length >= 2 && source->bytes[0] == 0x78 &&
                      (source->bytes[1] == 0x01 || source->bytes[1] == 0x5E ||
                       source->bytes[1] == 0x9C || source->bytes[1] == 0xDA))) {
        return take_compressed(s, source, error);
    }
    p.text = g_string_new(NULL);
    af_lines lines;
    const gboolean ok = af_lines_each(&lines, source, s->sink, take_line, &p, error);
    p.is_cut = p.is_page ? p.kind != OUTSIDE : lines.unended;
    g_string_free(p.text, TRUE);
    if (source->cut || (p.is_cut && !af_sink_is_stopped(s->sink))) {
        report_cut(s, source->offset + source->length);
    }
    return ok;
}

static gboolean refuse_empty(const af_systrace *s, GError **error)
{
    const af_timeline_counts counts = af_timeline_get_counts(s->timeline);
    if (s->n_events == 0 && af_sink_facts(s->sink)->recording.truncated) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_DAMAGED,
            "this systrace is truncated or damaged before its first event; pull it again");
    } else if (s->n_events == 0 && s->tracer[0] != '\0' && strcmp(s->tracer, "nop") != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this ftrace text of the tracer \"%s\" contains no events that aflame reads",
                    s->tracer);
    } else if (s->n_events == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED, "this systrace contains no events");
    } else {
        const uint64_t known = counts.switches + counts.counters;
        const uint64_t others = s->n_events - MIN(known, s->n_events);
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this systrace contains no slices; it holds %" G_GUINT64_FORMAT
                    " scheduler switch%s, %" G_GUINT64_FORMAT
                    " counter value%s and %" G_GUINT64_FORMAT
                    " other event%s; open it in ui.perfetto.dev",
                    counts.switches, counts.switches == 1 ? "" : "es", counts.counters,
                    counts.counters == 1 ? "" : "s", others, others == 1 ? "" : "s");
    }
    return FALSE;
}

static gboolean finish(af_systrace *s, GError **error)
{
    const af_timeline_counts counts = af_timeline_get_counts(s->timeline);
    if (counts.slices == 0 && !af_sink_is_stopped(s->sink)) {
        return refuse_empty(s, error);
    }
    af_timeline_report_losses(s->timeline);
    return af_timeline_finish_slices(s->timeline, error);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    af_systrace s = {.sink = sink};
    af_sink_set_format(sink, "systrace", "systrace (ftrace text)", NULL);
    af_sink_set_total(sink, af_source_total(source));
    s.timeline = af_timeline_new(sink, options);
    s.texts = af_timeline_texts(s.timeline);
    af_idtable_init(&s.tasks, sizeof(af_systrace_task), af_sink_meter(sink));
    const gboolean ok = take_file(&s, source, error) && finish(&s, error);
    af_idtable_clear(&s.tasks);
    af_timeline_free(s.timeline);
    return ok;
}

const af_reader af_reader_systrace = {
    .name = "systrace",
    .title = "systrace: ftrace text, atrace output, HTML pages",
    .extensions = "systrace ctrace html txt",
    .detect = detect,
    .read = read_input,
};
