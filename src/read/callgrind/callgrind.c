/* Callgrind's format: the costs of functions, and of calls between pairs of functions.
 *
 * The file has no stacks, so their costs are divided (callgrind_paths.c). A warning says so if it
 * happens; otherwise the tree is exact. A call back to a function on the same path adds to the self
 * cost of its caller. Paths that would take less than 1/100,000 of the total end in "[left out]",
 * unless all of the function's cost is on that path. Files of aflame have their stacks in comments
 * (callgrind_stacks.c).
 *
 * aflame's exports have a function "[thread NAME]" for each thread. Other files have no threads.
 * Several parts of a file are added up. Jumps and object files are ignored.
 *
 * Verified with: aflame's own exports. */
#include "read/reader.h"

#include <string.h>
#include <aflame/error.h>

#include "read/callgrind/callgrind.h"
#include "read/lines.h"

#define MOST_EVENTS 64u

/* The most digits of a function's number. */
#define MOST_DIGITS 10u

/* How much of the input is searched to detect the format. */
#define SEARCHED ((size_t)64 * 1024)

/* Whether the line is "events: ...", "key: value", a comment or empty: the header of a file. */
static gboolean is_header_line(const char *line, size_t length)
{
    size_t key = 0;
    while (key < length && g_ascii_islower(line[key])) {
        key++;
    }
    return length == 0 || *line == '#' || *line == '\r' ||
           (key > 0 && key < length && line[key] == ':');
}

/* Whether the text is a header with events, then other lines, one of them with a function. */
static gboolean has_events_and_functions(const GString *text)
{
    gboolean events = FALSE, header = TRUE;
    for (const char *at = text->str; at < text->str + text->len;) {
        const size_t n = strcspn(at, "\n");
        header = header && is_header_line(at, n);
        events |= header && strncmp(at, "events:", 7) == 0;
        if (!header && (!events || strncmp(at, "fn=", 3) == 0)) {
            return events;
        }
        at += n + 1;
    }
    return FALSE;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    g_autoptr(GString) text = af_lines_head(head, length, SEARCHED);
    const gboolean marked = g_str_has_prefix(text->str, "# callgrind format");
    const gboolean plain = has_events_and_functions(text);
    return marked ? AF_SURE : plain ? 50 : 0;
}

static uint32_t find_function(af_callgrind *r, af_span name)
{
    name = af_sink_truncate(r->sink, name);
    const uint32_t number =
        af_textmap_keep(&r->names, af_sink_arena(r->sink), name.bytes, name.length);
    af_callgrind_function *function = af_array_slot(&r->functions, number);
    if (function == NULL) {
        return AF_CALLGRIND_NO_FUNCTION;
    }
    function->name = (af_span){r->names.entries[number].bytes, name.length};
    return number;
}

/* aflame quotes names that start with a blank. */
static af_span unquote(af_span name)
{
    if (name.length > 2 && af_span_begins(name, "\"") && af_span_ends(name, "\"")) {
        return (af_span){name.bytes + 1, name.length - 2};
    }
    return name;
}

/* "(3) name" defines number 3, "(3)" refers to it; without a number, the text is the name. */
static uint32_t take_name(af_callgrind *r, af_span text)
{
    af_span name = text;
    uint64_t number;
    if (!af_span_skip(&name, "(") || !af_span_take_number(&name, MOST_DIGITS, &number) ||
        !af_span_skip(&name, ")")) {
        return find_function(r, text);
    }
    uint32_t *known = af_idtable_item(&r->by_number, number);
    if (known == NULL) {
        return AF_CALLGRIND_NO_FUNCTION;
    }
    while (name.length > 0 && g_ascii_isspace(*name.bytes)) {
        name = af_span_after(name, 1);
    }
    if (name.length > 0) {
        *known = find_function(r, unquote(name)) + 1;
    } else if (*known == 0) {
        char unknown[40];
        g_snprintf(unknown, sizeof unknown, "(%" G_GUINT64_FORMAT ") [unknown]", number);
        *known = find_function(r, af_span_of(unknown)) + 1;
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
    }
    return *known - 1;
}

static void add_cost(uint64_t *sum, uint64_t cost)
{
    *sum = MIN(*sum + cost, AF_CALLGRIND_MOST_COST);
}

static void add_call(af_callgrind *r, uint32_t caller, uint32_t callee,
                     const uint64_t cost[AF_CLOCKS])
{
    const size_t known = r->calls.items.n;
    const uint32_t number = af_idtable_number(&r->calls, (uint64_t)caller << 32 | callee,
                                              &(af_callgrind_call){.callee = callee});
    if (number == UINT32_MAX) {
        return;
    }
    af_callgrind_call *c = af_callgrind_call_at(r, number);
    if (number >= known) {
        af_callgrind_function *f = af_callgrind_function_at(r, caller);
        uint32_t *link =
            f->last_call == 0 ? &f->first_call : &af_callgrind_call_at(r, f->last_call - 1)->next;
        *link = f->last_call = number + 1;
    }
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        add_cost(&c->cost[k], cost[k]);
        add_cost(&af_callgrind_function_at(r, caller)->out[k], cost[k]);
    }
    af_callgrind_function_at(r, callee)->called = TRUE;
}

static gboolean take_events(af_callgrind *r, af_span text, GError **error)
{
    af_measured columns[MOST_EVENTS];
    static const af_span ns = {"ns", 2}, thousandths = {"thousandths", 11}, count = {"", 0};
    uint32_t n = 0;
    for (size_t at = 0; at < text.length && n < MOST_EVENTS;) {
        size_t end = at;
        while (end < text.length && !g_ascii_isspace(text.bytes[end])) {
            end++;
        }
        af_span name = {text.bytes + at, end - at}, rest = name;
        if (name.length > 3 && af_span_ends(name, "_ns")) {
            columns[n++] = (af_measured){{name.bytes, name.length - 3}, ns};
        } else if (af_span_skip(&rest, "thousandths_of_") && rest.length > 0) {
            columns[n++] = (af_measured){rest, thousandths};
        } else if (name.length > 0) {
            columns[n++] = (af_measured){name, count};
        }
        at = end + 1;
    }
    r->n_parts++;
    if (n == 0 || r->started) {
        return TRUE; /* another part of the file */
    }
    r->started = TRUE;
    return af_measures_choose(&r->measures, r->sink, columns, n, 0, r->wanted, error);
}

/* Positions may be "+3", "-3" or "*". */
gboolean af_callgrind_costs(const af_callgrind *r, af_span text, unsigned n_fields,
                            uint64_t cost[AF_CLOCKS])
{
    size_t at = 0;
    memset(cost, 0, AF_CLOCKS * sizeof *cost);
    for (unsigned field = 0; at < text.length; field++) {
        const size_t begin = at;
        uint64_t number = 0;
        for (; at < text.length && !g_ascii_isspace(text.bytes[at]); at++) {
            const char c = text.bytes[at];
            if (field >= n_fields && !g_ascii_isdigit(c)) {
                return FALSE;
            }
            number = MIN(number * 10 + (unsigned)(c - '0'), AF_CALLGRIND_MOST_COST);
        }
        for (unsigned k = 0; k < AF_CLOCKS && field >= n_fields && at > begin; k++) {
            if (r->measures.column[k] == field - n_fields) {
                cost[k] = MIN(af_measures_weigh(&r->measures, k, number), AF_CALLGRIND_MOST_COST);
            }
        }
        while (at < text.length && g_ascii_isspace(text.bytes[at])) {
            at++;
        }
    }
    return text.length > 0;
}

static void take_cost_line(af_callgrind *r, af_span line, uint64_t offset)
{
    uint64_t cost[AF_CLOCKS];
    if (!r->started || r->caller == AF_CALLGRIND_NO_FUNCTION ||
        !af_callgrind_costs(r, line, r->n_positions, cost)) {
        af_sink_warn(r->sink, AF_WARN_ODD_LINE, 1, offset);
    } else if (!r->calling) {
        for (unsigned k = 0; k < AF_CLOCKS; k++) {
            add_cost(&af_callgrind_function_at(r, r->caller)->self[k], cost[k]);
        }
    } else if (r->callee != AF_CALLGRIND_NO_FUNCTION && r->callee != r->caller) {
        add_call(r, r->caller, r->callee, cost);
    }
    r->calling = FALSE;
}

static gboolean begins(af_span line, const char *with, af_span *rest)
{
    *rest = line;
    const gboolean found = af_span_skip(rest, with);
    while (found && rest->length > 0 && *rest->bytes == ' ') {
        *rest = af_span_after(*rest, 1);
    }
    return found;
}

/* Returns FALSE when it is time to stop, perhaps with an error. */
static gboolean take_line(void *user, af_span line, uint64_t offset, GError **error)
{
    af_callgrind *r = user;
    af_span rest;
    if (!af_sink_advance(r->sink, (size_t)(offset - r->passed))) {
        return FALSE;
    }
    r->passed = offset;
    if (line.length == 0 || *line.bytes == '#') {
        if (begins(line, "#=", &rest)) {
            af_callgrind_stacks_take(r, rest);
        }
        return !af_sink_is_stopped(r->sink);
    }
    if (begins(line, "events:", &rest)) {
        return take_events(r, rest, error);
    }
    if (begins(line, "positions:", &rest)) {
        r->n_positions = 1;
        for (size_t i = 1; i < rest.length; i++) {
            r->n_positions += g_ascii_isspace(rest.bytes[i - 1]) && !g_ascii_isspace(rest.bytes[i]);
        }
    } else if (begins(line, "cmd:", &rest)) {
        af_sink_add_fact(r->sink, af_span_of("cmd"), rest);
    } else if (begins(line, "fn=", &rest)) {
        r->caller = take_name(r, rest);
        r->calling = FALSE;
    } else if (begins(line, "cfn=", &rest)) {
        r->callee = take_name(r, rest);
    } else if (begins(line, "calls=", &rest)) {
        r->calling = TRUE;
    } else if (g_ascii_isdigit(*line.bytes) || strchr("+-*", *line.bytes) != NULL) {
        take_cost_line(r, line, offset);
    } else if (memchr(line.bytes, '=', line.length) == NULL &&
               memchr(line.bytes, ':', line.length) == NULL) {
        af_sink_warn(r->sink, AF_WARN_ODD_LINE, 1, offset);
    }
    return !af_sink_is_stopped(r->sink);
}

static void init(af_callgrind *r, af_sink *sink, const af_open_options *options)
{
    af_meter *const meter = af_sink_meter(sink);
    *r = (af_callgrind){.sink = sink,
                        .wanted = options->event,
                        .n_positions = 1,
                        .caller = AF_CALLGRIND_NO_FUNCTION,
                        .callee = AF_CALLGRIND_NO_FUNCTION};
    af_frames_init(&r->frames, sink);
    af_array_init_metered(&r->functions, sizeof(af_callgrind_function), meter);
    af_idtable_init(&r->calls, sizeof(af_callgrind_call), meter);
    af_idtable_init(&r->by_number, sizeof(uint32_t), meter);
    af_array_init_metered(&r->nodes, sizeof(af_callgrind_node), meter);
    af_textmap_init_metered(&r->names, meter);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    af_callgrind r;
    af_facts *facts = af_sink_facts(sink);
    af_sink_set_format(sink, "callgrind", "callgrind profile", "line");
    af_sink_set_total(sink, af_source_total(source));
    init(&r, sink, options);
    af_lines lines;
    gboolean ok = af_lines_each(&lines, source, sink, take_line, &r, error);
    facts->recording.truncated |= source->cut;
    if (ok && !r.started && !af_sink_is_stopped(sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "truncated or damaged: this callgrind file declares no events");
        ok = FALSE;
    }
    if (ok) {
        af_measures_start(&r.measures, sink, AF_SAMPLES_UNTIMED);
        if (!af_callgrind_stacks_give(&r) && !af_sink_is_stopped(sink)) {
            af_callgrind_divide(&r);
        }
        facts->threadless = !r.threads;
    }
    af_frames_clear(&r.frames);
    AF_ARRAYS_CLEAR(&r.functions, &r.nodes);
    af_idtable_clear(&r.calls);
    af_textmap_clear(&r.names);
    af_idtable_clear(&r.by_number);
    return ok;
}

const af_reader af_reader_callgrind = {
    .name = "callgrind",
    .title = "callgrind files of Valgrind, Xdebug, KCachegrind's converters and aflame",
    .extensions = "callgrind callgrind.out cachegrind",
    .detect = detect,
    .read = read_input,
};
