/* Folded stacks: one line per stack, `frame;frame;...;frame COUNT`, root first. flamegraph.pl and
 * inferno draw this format; stackcollapse-*, async-profiler, py-spy, Austin and others write it.
 *
 * The count is the last word. Lines with two counts are the difference of two recordings, before
 * and after; aflame shows the second one. A frame may end in a number, so two numbers count as two
 * columns only if most of the first lines have them. Counts may have decimals; all are stored in
 * thousandths until the end, when it is known whether any had. Lines that start with `# ` are
 * remarks (Austin); lines without a count are ignored and counted. The format declares no unit: it
 * is samples unless the caller knows better. */
#include "read/reader.h"

#include <string.h>

#include "base/number.h"
#include "base/wide.h"
#include "read/count_unit.h"
#include "read/frames.h"
#include "read/lines.h"
#include "read/logs.h"

/* How much of the input is read to find the number of columns, and to detect the format. */
#define HEAD    ((size_t)8 * 1024)
#define TELLING ((size_t)1024 * 1024)

typedef struct {
    const char *stack; /* without surrounding whitespace */
    size_t length;
    af_span count;
} folded_line;

static gboolean is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* "12", "12.5", "12." */
static gboolean is_count(const char *text, size_t length)
{
    size_t digits = 0;
    while (digits < length && g_ascii_isdigit(text[digits])) {
        digits++;
    }
    if (digits == 0 || (digits < length && text[digits] != '.')) {
        return FALSE;
    }
    for (size_t i = digits + 1; i < length; i++) {
        if (!g_ascii_isdigit(text[i])) {
            return FALSE;
        }
    }
    return TRUE;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_blank((*text)[*length - 1])) {
        --*length;
    }
    while (*length > 0 && is_blank(**text)) {
        ++*text;
        --*length;
    }
}

/* Removes the last word, which may be the only one. Returns FALSE if it is not a count. */
static gboolean take_count(const char *text, size_t *length, af_span *count)
{
    size_t at = *length;
    while (at > 0 && !is_blank(text[at - 1])) {
        at--;
    }
    if (!is_count(text + at, *length - at)) {
        return FALSE;
    }
    *count = (af_span){text + at, *length - at};
    while (at > 0 && is_blank(text[at - 1])) {
        at--;
    }
    *length = at;
    return TRUE;
}

typedef enum { LINE_EMPTY, LINE_REMARK, LINE_STACK, LINE_OTHER_COUNT, LINE_ODD } line_kind;

/* "-5", "1e3", "12,0,-5" (Austin: time, idle or not, memory), ".5": a line of stacks with a count
 * that aflame does not support. */
static gboolean ends_in_number(const char *text, size_t length)
{
    size_t at = length;
    while (at > 0 && strchr("0123456789+-.,eE", text[at - 1]) != NULL) {
        at--;
    }
    return at > 0 && at < length && is_blank(text[at - 1]) && g_ascii_isdigit(text[length - 1]);
}

static line_kind parse_line(const char *text, size_t length, folded_line *line)
{
    trim(&text, &length);
    if (length == 0) {
        return LINE_EMPTY;
    }
    if (length >= 2 && text[0] == '#' && is_blank(text[1])) {
        return LINE_REMARK;
    }
    line->stack = text;
    line->length = length;
    if (take_count(text, &line->length, &line->count)) {
        return LINE_STACK;
    }
    return text[0] == '#'                 ? LINE_REMARK
           : ends_in_number(text, length) ? LINE_OTHER_COUNT
                                          : LINE_ODD;
}

typedef struct {
    /* lines: stacks, stacks of several frames, with names on both sides of a semicolon, lines with
     * two counts, with only a count, others; among the stacks those of logs and those with a count
     * such as "0300", among the others "[section]" */
    unsigned stacks, deep, joined, twice, bare, odd, logged, padded, sections;
    gboolean headed, columns; /* the first line is not a stack; all lines have as many semicolons */
    size_t semicolons;
} tally;

static gboolean is_section(const char *line, size_t length)
{
    trim(&line, &length);
    return length > 2 && line[0] == '[' && line[length - 1] == ']';
}

/* Whether a semicolon joins two names, unlike one that ends a statement or a column. */
static gboolean joins_names(const char *stack, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        if (stack[i] == ';' && stack[i - 1] != ';' && !is_blank(stack[i - 1]) &&
            stack[i + 1] != ';' && !is_blank(stack[i + 1])) {
            return TRUE;
        }
    }
    return FALSE;
}

static tally count_lines(const GString *text, gboolean more)
{
    tally t = {0};
    for (size_t at = 0; at < text->len;) {
        const char *line = text->str + at;
        const char *end = memchr(line, '\n', text->len - at);
        if (end == NULL && more) {
            break;
        }
        const size_t length = end == NULL ? text->len - at : (size_t)(end - line);
        folded_line parsed;
        af_span before;
        const line_kind kind = parse_line(line, length, &parsed);
        if (kind != LINE_EMPTY && kind != LINE_REMARK) {
            /* The title line of a table, and whether all lines have as many columns. */
            size_t semicolons = 0;
            for (size_t i = 0; i < length; i++) {
                semicolons += line[i] == ';';
            }
            const gboolean first = t.stacks + t.bare + t.odd == 0;
            t.headed = first ? kind == LINE_ODD : t.headed;
            t.columns = first || (t.columns && semicolons == t.semicolons);
            t.semicolons = semicolons;
        }
        switch (kind) {
        case LINE_STACK:
            t.logged += af_log_is_dated(line, length);
            t.stacks += parsed.length > 0;
            t.padded += parsed.count.length > 1 && parsed.count.bytes[0] == '0' &&
                        parsed.count.bytes[1] != '.';
            t.bare += parsed.length == 0;
            t.deep += memchr(parsed.stack, ';', parsed.length) != NULL;
            t.joined += joins_names(parsed.stack, parsed.length);
            t.twice += parsed.length > 0 && take_count(parsed.stack, &parsed.length, &before) &&
                       parsed.length > 0;
            break;
        case LINE_OTHER_COUNT:
            t.odd += memchr(line, ';', length) == NULL;
            break;
        case LINE_ODD:
            t.odd++;
            t.sections += is_section(line, length);
            break;
        case LINE_EMPTY:
        case LINE_REMARK:
            break;
        }
        at += length + 1;
    }
    return t;
}

/* "[" of "[unknown];main 3" does not start an array, "{" of "{closure#0};run 3" no object. */
static gboolean is_json(const GString *text)
{
    return text->len > 0 && (text->str[0] == '[' || text->str[0] == '{') &&
           (text->len == 1 || strchr(" \t\r\n\"[]}", text->str[1]) != NULL ||
            (text->str[0] == '[' && (text->str[1] == '{' || g_ascii_isdigit(text->str[1]))));
}

/* Names may contain a few control characters; binary files have many. */
static gboolean is_text(const GString *text)
{
    size_t controls = 0;
    for (size_t i = 0; i < text->len; i++) {
        const unsigned char c = (unsigned char)text->str[i];
        controls += c == 0x7F || (c < 0x20 && !g_ascii_isspace(c));
    }
    return text->len > 0 && controls <= 1 + text->len / 64 && !is_json(text) && text->str[0] != '*';
}

/* Lines that end in a number occur in other texts too: logs, tables, settings, meshes. So 60 % of the
 * lines must be stacks, half of these must have several frames, and most must not have the form of a
 * log; codes with leading zeros, a table with a title line and settings with sections are not stacks. If the name of the file
 * suggests stacks, one stack in three lines is enough. */
static gboolean are_stacks(const tally *t, gboolean named)
{
    if (named) {
        return t->stacks > t->odd * 2 || t->deep > 0 || (t->bare > 0 && t->odd == 0);
    }
    if (t->logged * 2 > t->stacks || t->padded > 0 || t->sections > 0 ||
        (t->headed && t->columns)) {
        return FALSE;
    }
    return t->joined > 0 && t->joined * 2 >= t->stacks &&
           (uint64_t)t->stacks * 5 >= ((uint64_t)t->stacks + t->bare + t->odd) * 3;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    int sure = 0;
    gboolean undecided = TRUE;
    /* one line may have 200,000 frames */
    for (size_t most = HEAD; undecided; most *= 16) {
        g_autoptr(GString) text = af_lines_head(head, length, most);
        const tally t = count_lines(text, more || length > most);
        const gboolean is_stacks = is_text(text);
        if (is_stacks && are_stacks(&t, named)) {
            sure = named ? 20 : 10;
        }
        /* only remarks, or an incomplete line */
        undecided = is_stacks && t.stacks + t.bare + t.odd == 0 && length > most;
        if (is_stacks && t.stacks + t.bare + t.odd == 0 && !undecided && more &&
            length < AF_LONGEST_LINE) {
            sure = AF_UNSURE;
        }
    }
    return sure;
}

typedef struct {
    af_sink *sink;
    af_frames frames;
    af_array methods;   /* of uint32_t: the stack of a line */
    gboolean two;       /* the current input has two columns */
    gboolean any_two;   /* one of the inputs has two columns */
    uint64_t per_unit;  /* the weight of a count of 1 */
    gboolean fractions; /* of a unit that is not a time: some count had decimals */
    uint64_t before;    /* the sum of the first column */
    uint32_t thread;
} folding;

/* Rounds to the nearest, clamped to the largest number. */
static uint64_t weigh(folding *f, af_span count)
{
    af_u128 whole = 0, rest = 0, scale = 1;
    size_t i = 0;
    for (; i < count.length && count.bytes[i] != '.'; i++) {
        whole = MIN(whole * 10 + (unsigned)(count.bytes[i] - '0'), (af_u128)UINT64_MAX);
    }
    for (i++; i < count.length && scale < UINT64_C(1000000000000); i++) {
        rest = rest * 10 + (unsigned)(count.bytes[i] - '0');
        scale *= 10;
    }
    const af_u128 weight = whole * f->per_unit + (rest * f->per_unit * 2 + scale) / (scale * 2);
    f->fractions |= rest > 0;
    return (uint64_t)MIN(weight, (af_u128)UINT64_MAX);
}

/* An empty last frame comes from a stray semicolon. A line with only a count is the root's self
 * time; in a tree only frames have self time, so the root becomes a frame. */
static gboolean split_stack(folding *f, const char *stack, size_t length)
{
    static const char root[] = "[root]";
    if (length == 0) {
        stack = root;
        length = sizeof root - 1;
    }
    while (length > 1 && stack[length - 1] == ';') {
        length--;
    }
    f->methods.n = 0;
    for (size_t at = 0; at <= length;) {
        const char *frame = stack + at;
        const char *end = memchr(frame, ';', length - at);
        const size_t n = end == NULL ? length - at : (size_t)(end - frame);
        uint32_t *method = af_array_add(&f->methods, 1);
        if (method == NULL) {
            return FALSE;
        }
        *method = af_frames_method(&f->frames, frame, n, AF_FRAME_FOLDED, NULL);
        if (*method == UINT32_MAX) {
            return FALSE;
        }
        at += n + 1;
    }
    return TRUE;
}

/* Returns FALSE when it is time to stop. */
static gboolean take_line(void *user, af_span text, uint64_t offset, GError **error)
{
    folding *f = user;
    folded_line line;
    af_span before;
    switch (parse_line(text.bytes, text.length, &line)) {
    case LINE_OTHER_COUNT:
    case LINE_ODD:
        af_sink_warn(f->sink, AF_WARN_NO_COUNT, 1, offset);
        return TRUE;
    case LINE_EMPTY:
    case LINE_REMARK:
        return TRUE;
    case LINE_STACK:
        break;
    }
    const size_t n = line.length;
    if (f->two && take_count(line.stack, &line.length, &before) && line.length == 0) {
        line.length = n; /* a frame that ends in a number */
    } else if (line.length < n) {
        const uint64_t weight = weigh(f, before);
        f->before = weight > UINT64_MAX - f->before ? UINT64_MAX : f->before + weight;
    }
    if (!split_stack(f, line.stack, line.length)) {
        af_sink_fail(f->sink);
        return FALSE;
    }
    const af_sample sample = {.thread = f->thread,
                              .methods = f->methods.items,
                              .n = f->methods.n,
                              .weight = {weigh(f, line.count), 0},
                              .offset = offset};
    return af_sink_sample(f->sink, &sample);
}

static void finish(folding *f)
{
    af_sink *sink = f->sink;
    if (af_sink_facts(sink)->weights.unit.counted && !f->fractions) {
        af_sink_divide_weights(sink, AF_COUNTS_SCALE);
        af_sink_facts(sink)->weights.unit.digits = 0;
        f->before /= AF_COUNTS_SCALE;
    }
    if (f->any_two) {
        char text[AF_NUMBER_SIZE];
        af_number_amount(text, f->before, &af_sink_facts(f->sink)->weights.unit);
        af_sink_add_fact(f->sink, af_span_of("before"), af_span_of(text));
        af_sink_warn(f->sink, AF_WARN_TWO_COUNTS, 1, AF_NO_OFFSET);
    }
    af_sink_describe_thread(sink, f->thread, "all", 3, FALSE, FALSE);
}

/* Reads one of several inputs, whose samples are summed. */
static gboolean read_lines(folding *f, af_source *source, GError **error)
{
    if (!af_source_reach(source, TELLING, error)) {
        return FALSE;
    }
    g_autoptr(GString) head = af_lines_head(source->bytes, source->length, TELLING);
    const tally t = count_lines(head, source->more || source->length > TELLING);
    f->two = t.twice > t.stacks / 2;
    f->any_two |= f->two;
    af_lines lines;
    const gboolean ok = af_lines_each(&lines, source, f->sink, take_line, f, error);
    af_sink_facts(f->sink)->recording.truncated |= source->cut;
    return ok;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    folding f = {.sink = sink};
    const af_unit unit = af_count_unit(options->unit, &f.per_unit);
    af_sink_set_format(sink, "folded", "folded stacks", "line");
    af_sink_facts(sink)->threadless = TRUE;
    af_sink_start_samples(sink, &unit, 1u << AF_WALL, AF_SAMPLES_UNTIMED);
    f.thread = af_sink_thread(sink, 0);
    af_frames_init(&f.frames, sink);
    af_array_init_metered(&f.methods, sizeof(uint32_t), af_sink_meter(sink));
    gboolean ok = read_lines(&f, source, error);
    for (; ok && other != NULL; other = other->next) {
        ok = read_lines(&f, other, error);
    }
    finish(&f);
    af_frames_clear(&f.frames);
    af_array_clear(&f.methods);
    return ok;
}

const af_reader af_reader_folded = {
    .name = "folded",
    .title = "folded stacks of flamegraph.pl, inferno, async-profiler and others",
    /* simpleperf appends the event: app.foldedstack_cpu_clock */
    .extensions = "folded collapsed stacks foldedstack*",
    .adds_up = TRUE,
    .detect = detect,
    .read = read_input,
};
