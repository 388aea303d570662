/* Callgrind's format: the costs of functions, and of calls between pairs of functions.
 *
 * The file has no stacks, so the reader divides: the cost of a function with several callers is
 * shared among them in proportion to the calls' inclusive costs, as gprof does. A warning says so if
 * it happens; otherwise the tree is exact. A call back to a function on the same path adds to the
 * self cost of its caller. Paths that would take less than 1/100,000 of the total end in
 * "[left out]", unless all of the function's cost is on that path.
 *
 * aflame's exports have a function "[thread NAME]" for each thread. Other files have no threads.
 * Several parts of a file are added up. Jumps and object files are ignored.
 *
 * Verified with: aflame's own exports. */
#include "read/reader.h"

#include <string.h>
#include <aflame/error.h>

#include "base/textmap.h"
#include "base/wide.h"
#include "read/frames.h"
#include "read/lines.h"
#include "read/measures.h"

#define MOST_EVENTS 64u

/* How much of the input is searched to detect the format. */
#define SEARCHED ((size_t)64 * 1024)

/* Larger costs are invalid, so that sums fit. */
#define MOST_COST (UINT64_C(1) << 56)

#define NO_FUNCTION UINT32_MAX

/* Lighter paths end, as a fraction of the total. */
#define LIGHTEST 100000u

/* After this many calls on paths, all others end. */
#define MOST_STEPS (UINT64_C(1) << 28)

typedef struct {
    af_span name; /* in the arena of the sink */
    uint64_t self[AF_CLOCKS];
    uint64_t out[AF_CLOCKS];     /* inclusive costs of its calls to others */
    uint32_t first_call;         /* + 1; 0 = none */
    uint32_t method;             /* of the sink, + 1 */
    gboolean called, open, done; /* by another function; on the path; reached from a root */
} function;

typedef struct {
    uint32_t callee, next; /* next: call of the same caller, + 1 */
    uint64_t cost[AF_CLOCKS];
} call;

/* A function on the current path: its next call, and the inclusive cost that belongs to the path. */
typedef struct {
    uint32_t function, next_call;
    uint64_t cost[AF_CLOCKS], left[AF_CLOCKS];
} step;

typedef struct {
    af_sink *sink;
    af_frames frames;
    af_array functions, calls;
    af_textmap names;   /* of functions */
    af_array by_number; /* of uint32_t: function + 1, by the number in a compressed name */
    af_idmap numbers;   /* of those numbers */
    af_idmap pairs;     /* caller << 32 | callee */
    af_measures measures;
    const char *wanted;
    unsigned n_positions, n_columns;
    uint32_t caller, callee;
    gboolean calling; /* the next costs are those of a call */
    uint64_t total, lightest;
    af_array path; /* of step */
    af_array methods;
    uint64_t n_shared, n_left_out, steps;
    gboolean started, threads;
} reading;

/* ---- detection ---- */

static gboolean has_line(const GString *text, const char *prefix)
{
    const size_t n = strlen(prefix);
    for (const char *at = text->str; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, prefix, n) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    (void)more;
    (void)named;
    GString *text = af_lines_head(head, length, SEARCHED);
    const gboolean marked = g_str_has_prefix(text->str, "# callgrind format");
    const gboolean plain = has_line(text, "events:") && has_line(text, "fn=");
    g_string_free(text, TRUE);
    return marked ? AF_SURE : plain ? 50 : 0;
}

/* ---- functions and calls ---- */

static function *function_at(const reading *r, uint32_t number)
{
    return &AF_ARRAY_AT(&r->functions, function, number);
}

static call *call_at(const reading *r, uint32_t number)
{
    return &AF_ARRAY_AT(&r->calls, call, number);
}

static uint32_t find_function(reading *r, af_span name)
{
    name = af_sink_truncate(r->sink, name);
    uint32_t number = af_textmap_find(&r->names, name.bytes, name.length);
    if (number == AF_TEXTMAP_NONE) {
        const char *copy = af_sink_copy(r->sink, name.bytes, name.length);
        function *added = copy == NULL ? NULL : af_array_add(&r->functions, 1);
        number = added == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&r->names, copy, name.length);
        if (number == AF_TEXTMAP_NONE) {
            af_sink_fail(r->sink);
            return NO_FUNCTION;
        }
        added->name = (af_span){copy, name.length};
    }
    return number;
}

/* aflame quotes names that start with a blank. */
static af_span unquote(af_span name)
{
    if (name.length > 2 && name.bytes[0] == '"' && name.bytes[name.length - 1] == '"') {
        return (af_span){name.bytes + 1, name.length - 2};
    }
    return name;
}

/* "(3) name" defines number 3, "(3)" refers to it; without a number, the text is the name. */
static uint32_t take_name(reading *r, af_span text)
{
    uint64_t number = 0;
    size_t i = 1;
    for (; text.length > 1 && text.bytes[0] == '(' && i < text.length &&
           g_ascii_isdigit(text.bytes[i]) && number < UINT32_MAX;
         i++) {
        number = number * 10 + (unsigned)(text.bytes[i] - '0');
    }
    if (i == 1 || i >= text.length || text.bytes[i] != ')') {
        return find_function(r, text);
    }
    const uint32_t slot = af_idmap_number(&r->numbers, number);
    if (slot == AF_IDMAP_NONE || !af_array_reach(&r->by_number, (size_t)slot + 1)) {
        af_sink_fail(r->sink);
        return NO_FUNCTION;
    }
    af_span name = {text.bytes + i + 1, text.length - i - 1};
    while (name.length > 0 && g_ascii_isspace(*name.bytes)) {
        name = (af_span){name.bytes + 1, name.length - 1};
    }
    uint32_t *known = &AF_ARRAY_AT(&r->by_number, uint32_t, slot);
    if (name.length > 0) {
        *known = find_function(r, unquote(name)) + 1;
    } else if (*known == 0) {
        char unknown[40];
        g_snprintf(unknown, sizeof unknown, "(%" G_GUINT64_FORMAT ") [unknown]", number);
        *known = find_function(r, (af_span){unknown, strlen(unknown)}) + 1;
        af_sink_warn(r->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
    }
    return *known - 1;
}

static void add_cost(uint64_t *sum, uint64_t cost)
{
    *sum = MIN(*sum + cost, MOST_COST);
}

static void add_call(reading *r, uint32_t caller, uint32_t callee, const uint64_t cost[AF_CLOCKS])
{
    const uint32_t number = af_idmap_number(&r->pairs, (uint64_t)caller << 32 | callee);
    const size_t known = r->calls.n;
    if (number == AF_IDMAP_NONE || !af_array_reach(&r->calls, (size_t)number + 1)) {
        af_sink_fail(r->sink);
        return;
    }
    call *c = call_at(r, number);
    if (number >= known) {
        *c = (call){.callee = callee, .next = function_at(r, caller)->first_call};
        function_at(r, caller)->first_call = number + 1;
    }
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        add_cost(&c->cost[k], cost[k]);
        add_cost(&function_at(r, caller)->out[k], cost[k]);
    }
    function_at(r, callee)->called = TRUE;
}

/* ---- lines ---- */

static gboolean take_events(reading *r, af_span text, GError **error)
{
    af_measured columns[MOST_EVENTS];
    static const af_span ns = {"ns", 2}, thousandths = {"thousandths", 11}, count = {"", 0};
    static const char scaled[] = "thousandths_of_";
    uint32_t n = 0;
    for (size_t at = 0; at < text.length && n < MOST_EVENTS;) {
        size_t end = at;
        while (end < text.length && !g_ascii_isspace(text.bytes[end])) {
            end++;
        }
        af_span name = {text.bytes + at, end - at};
        if (name.length > 3 && memcmp(name.bytes + name.length - 3, "_ns", 3) == 0) {
            columns[n++] = (af_measured){{name.bytes, name.length - 3}, ns};
        } else if (name.length > sizeof scaled - 1 &&
                   memcmp(name.bytes, scaled, sizeof scaled - 1) == 0) {
            name = (af_span){name.bytes + sizeof scaled - 1, name.length - (sizeof scaled - 1)};
            columns[n++] = (af_measured){name, thousandths};
        } else if (name.length > 0) {
            columns[n++] = (af_measured){name, count};
        }
        at = end + 1;
    }
    r->n_columns = n;
    if (n == 0 || r->started) {
        return TRUE; /* another part of the file */
    }
    r->started = TRUE;
    return af_measures_choose(&r->measures, r->sink, columns, n, 0, r->wanted, error);
}

/* Reads "LINE COST COST ...", where positions may be "+3", "-3" or "*". FALSE if it is not that. */
static gboolean take_costs(const reading *r, af_span text, uint64_t cost[AF_CLOCKS])
{
    size_t at = 0;
    memset(cost, 0, AF_CLOCKS * sizeof *cost);
    for (unsigned field = 0; at < text.length; field++) {
        const size_t begin = at;
        uint64_t number = 0;
        for (; at < text.length && !g_ascii_isspace(text.bytes[at]); at++) {
            const char c = text.bytes[at];
            if (field >= r->n_positions && !g_ascii_isdigit(c)) {
                return FALSE;
            }
            number = MIN(number * 10 + (unsigned)(c - '0'), MOST_COST);
        }
        for (unsigned k = 0; k < AF_CLOCKS && field >= r->n_positions && at > begin; k++) {
            if (r->measures.column[k] == field - r->n_positions) {
                cost[k] = MIN(af_measures_weigh(&r->measures, k, number), MOST_COST);
            }
        }
        while (at < text.length && g_ascii_isspace(text.bytes[at])) {
            at++;
        }
    }
    return text.length > 0;
}

static void take_cost_line(reading *r, af_span line, uint64_t offset)
{
    uint64_t cost[AF_CLOCKS];
    if (!r->started || r->caller == NO_FUNCTION || !take_costs(r, line, cost)) {
        af_sink_warn(r->sink, AF_WARN_ODD_LINE, 1, offset);
    } else if (!r->calling) {
        for (unsigned k = 0; k < AF_CLOCKS; k++) {
            add_cost(&function_at(r, r->caller)->self[k], cost[k]);
        }
    } else if (r->callee != NO_FUNCTION && r->callee != r->caller) {
        add_call(r, r->caller, r->callee, cost);
    }
    r->calling = FALSE;
}

static gboolean begins(af_span line, const char *with, af_span *rest)
{
    const size_t n = strlen(with);
    if (line.length < n || memcmp(line.bytes, with, n) != 0) {
        return FALSE;
    }
    *rest = (af_span){line.bytes + n, line.length - n};
    while (rest->length > 0 && *rest->bytes == ' ') {
        *rest = (af_span){rest->bytes + 1, rest->length - 1};
    }
    return TRUE;
}

static void take_positions(reading *r, af_span names)
{
    r->n_positions = 1;
    for (size_t i = 1; i < names.length; i++) {
        r->n_positions += g_ascii_isspace(names.bytes[i - 1]) && !g_ascii_isspace(names.bytes[i]);
    }
}

/* Returns FALSE when it is time to stop, perhaps with an error. */
static gboolean take_line(reading *r, af_span line, uint64_t offset, GError **error)
{
    af_span rest;
    if (line.length == 0 || *line.bytes == '#') {
        return TRUE;
    }
    if (begins(line, "events:", &rest)) {
        return take_events(r, rest, error);
    }
    if (begins(line, "positions:", &rest)) {
        take_positions(r, rest);
    } else if (begins(line, "cmd:", &rest)) {
        af_sink_add_fact(r->sink, (af_span){"cmd", 3}, rest);
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

static gboolean read_lines(reading *r, af_source *source, GError **error)
{
    af_lines lines;
    const char *text;
    size_t length;
    GError *failure = NULL;
    uint64_t passed = 0;
    af_lines_init(&lines, source);
    while (af_lines_next(&lines, &text, &length, &failure) &&
           take_line(r, (af_span){text, length}, lines.offset, &failure) &&
           af_sink_advance(r->sink, (size_t)(lines.offset - passed))) {
        passed = lines.offset;
    }
    af_sink_facts(r->sink)->recording.truncated |= source->cut;
    if (lines.cut) {
        af_sink_warn(r->sink, AF_WARN_LONG_LINE, 1, AF_NO_OFFSET);
    }
    af_lines_clear(&lines);
    if (failure != NULL) {
        g_propagate_error(error, failure);
        return FALSE;
    }
    return TRUE;
}

/* ---- paths ---- */

/* The share of `cost` that belongs to `part` of `whole`. */
static uint64_t share(uint64_t cost, uint64_t part, uint64_t whole)
{
    return whole == 0 || part >= whole ? cost : (uint64_t)((af_u128)cost * part / whole);
}

static uint32_t method_of(reading *r, uint32_t number)
{
    function *f = function_at(r, number);
    if (f->method == 0) {
        const af_span name = f->name;
        f->method = af_frames_name(&r->frames, name) + 1;
    }
    return f->method - 1;
}

static gboolean push_step(reading *r, uint32_t number, const uint64_t cost[AF_CLOCKS])
{
    const uint32_t method = method_of(r, number);
    step *added = af_array_add(&r->path, 1);
    uint32_t *shown = added == NULL ? NULL : af_array_add(&r->methods, 1);
    if (shown == NULL) {
        af_sink_fail(r->sink);
        return FALSE;
    }
    *shown = method;
    *added = (step){.function = number, .next_call = function_at(r, number)->first_call};
    memcpy(added->cost, cost, sizeof added->cost);
    memcpy(added->left, cost, sizeof added->left);
    function_at(r, number)->open = TRUE;
    return TRUE;
}

static void give(reading *r, uint32_t thread, const uint64_t weight[AF_CLOCKS], size_t skipped)
{
    if ((weight[AF_WALL] == 0 && weight[AF_CPU] == 0) || r->methods.n <= skipped) {
        return;
    }
    const af_sample sample = {.thread = thread,
                              .methods = (const uint32_t *)r->methods.items + skipped,
                              .n = r->methods.n - skipped,
                              .weight = {weight[AF_WALL], weight[AF_CPU]},
                              .offset = AF_NO_OFFSET};
    af_sink_sample(r->sink, &sample);
}

/* Gives the cost below the innermost step that is too light for a path of its own. */
static void leave_out(reading *r, uint32_t thread, const uint64_t cost[AF_CLOCKS], size_t skipped)
{
    static const af_span name = {"[left out]", 10};
    const uint32_t method = af_frames_name(&r->frames, name);
    uint32_t *shown = af_array_add(&r->methods, 1);
    if (shown == NULL) {
        af_sink_fail(r->sink);
        return;
    }
    *shown = method;
    give(r, thread, cost, skipped);
    r->methods.n--;
    r->n_left_out++;
}

/* Continues with the next call of the innermost function. */
static void descend(reading *r, uint32_t thread, size_t skipped)
{
    step *top = &AF_ARRAY_AT(&r->path, step, r->path.n - 1);
    const function *f = function_at(r, top->function);
    const call *c = call_at(r, top->next_call - 1);
    const uint32_t callee = c->callee;
    uint64_t cost[AF_CLOCKS], all = 0;
    gboolean whole = TRUE;
    top->next_call = c->next;
    r->steps++;
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        const function *to = function_at(r, callee);
        const uint64_t inclusive = f->self[k] + f->out[k];
        cost[k] = MIN(share(c->cost[k], top->cost[k], inclusive), top->left[k]);
        all = MAX(all, cost[k]);
        whole &= cost[k] >= to->self[k] + to->out[k];
    }
    if (all == 0 || function_at(r, callee)->open) {
        return; /* recursion: the cost stays with the caller */
    }
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        top->left[k] -= cost[k];
    }
    r->n_shared += !whole;
    if (r->steps < MOST_STEPS && (whole || all >= r->lightest)) {
        push_step(r, callee, cost);
    } else {
        leave_out(r, thread, cost, skipped);
    }
}

/* Gives all paths of a root; the first `skipped` functions are not shown. */
static void walk(reading *r, uint32_t root, uint32_t thread, size_t skipped)
{
    uint64_t cost[AF_CLOCKS];
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        cost[k] = function_at(r, root)->self[k] + function_at(r, root)->out[k];
    }
    if (!push_step(r, root, cost)) {
        return;
    }
    while (r->path.n > 0 && !af_sink_is_stopped(r->sink)) {
        step *top = &AF_ARRAY_AT(&r->path, step, r->path.n - 1);
        if (top->next_call != 0) {
            descend(r, thread, skipped);
            continue;
        }
        give(r, thread, top->left, skipped);
        function_at(r, top->function)->open = FALSE;
        r->path.n--;
        r->methods.n--;
    }
}

/* Marks everything that a root can call, also on paths that are left out. */
static void mark_reached(reading *r, uint32_t root)
{
    af_array waiting; /* of uint32_t */
    uint32_t *first;
    af_array_init_metered(&waiting, sizeof(uint32_t), af_sink_meter(r->sink));
    if ((first = af_array_add(&waiting, 1)) != NULL) {
        *first = root;
        function_at(r, root)->done = TRUE;
    }
    while (waiting.n > 0) {
        const uint32_t number = AF_ARRAY_AT(&waiting, uint32_t, --waiting.n);
        for (uint32_t c = function_at(r, number)->first_call; c != 0; c = call_at(r, c - 1)->next) {
            function *callee = function_at(r, call_at(r, c - 1)->callee);
            uint32_t *added = callee->done ? NULL : af_array_add(&waiting, 1);
            if (added != NULL) {
                *added = call_at(r, c - 1)->callee;
                callee->done = TRUE;
            }
        }
    }
    af_sink_fail_if(r->sink, waiting.failed);
    af_array_clear(&waiting);
}

/* "[thread NAME]": an export of aflame. */
static gboolean is_thread(af_span name, af_span *of)
{
    static const char before[] = "[thread ";
    const size_t n = sizeof before - 1;
    if (name.length <= n || memcmp(name.bytes, before, n) != 0 ||
        name.bytes[name.length - 1] != ']') {
        return FALSE;
    }
    *of = (af_span){name.bytes + n, name.length - n - 1};
    return TRUE;
}

static void walk_root(reading *r, uint32_t root)
{
    af_span name;
    const gboolean own = is_thread(function_at(r, root)->name, &name);
    const uint32_t thread = af_sink_thread(r->sink, own ? root + UINT64_C(1) : 0);
    if (thread == UINT32_MAX) {
        af_sink_fail(r->sink);
        return;
    }
    af_sink_describe_thread(r->sink, thread, own ? name.bytes : "all", own ? name.length : 3, TRUE,
                            FALSE);
    r->threads |= own && !af_span_is(name, "all");
    mark_reached(r, root);
    walk(r, root, thread, own ? 1 : 0);
}

static void give_paths(reading *r)
{
    for (uint32_t i = 0; i < r->functions.n; i++) {
        for (unsigned k = 0; k < AF_CLOCKS; k++) {
            r->total = MAX(r->total, function_at(r, i)->self[k] + function_at(r, i)->out[k]);
        }
    }
    r->lightest = r->total / LIGHTEST;
    /* first functions that no other one calls, then what only cycles reach */
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < r->functions.n && !af_sink_is_stopped(r->sink); i++) {
            const function *f = function_at(r, i);
            if (!f->done && (round > 0 || !f->called)) {
                walk_root(r, i);
            }
        }
    }
    if (r->n_shared > 0) {
        af_sink_warn(r->sink, AF_WARN_SHARED_COSTS, r->n_shared, AF_NO_OFFSET);
    }
    if (r->n_left_out > 0) {
        af_sink_warn(r->sink, AF_WARN_LIGHT_PATHS, r->n_left_out, AF_NO_OFFSET);
    }
}

/* ---- the file ---- */

static void init(reading *r, af_sink *sink, const af_open_options *options)
{
    uint64_t *const meter = af_sink_meter(sink);
    *r = (reading){.sink = sink,
                   .wanted = options->event,
                   .n_positions = 1,
                   .caller = NO_FUNCTION,
                   .callee = NO_FUNCTION};
    af_frames_init(&r->frames, sink);
    af_array_init_metered(&r->functions, sizeof(function), meter);
    af_array_init_metered(&r->calls, sizeof(call), meter);
    af_array_init_metered(&r->by_number, sizeof(uint32_t), meter);
    af_array_init_metered(&r->path, sizeof(step), meter);
    af_array_init_metered(&r->methods, sizeof(uint32_t), meter);
    af_textmap_init_metered(&r->names, meter);
    af_idmap_init_hashed(&r->numbers);
    af_idmap_init_hashed(&r->pairs);
    r->numbers.meter = r->pairs.meter = meter;
}

static void clear(reading *r)
{
    af_frames_clear(&r->frames);
    af_array_clear(&r->functions);
    af_array_clear(&r->calls);
    af_array_clear(&r->by_number);
    af_array_clear(&r->path);
    af_array_clear(&r->methods);
    af_textmap_clear(&r->names);
    af_idmap_clear(&r->numbers);
    af_idmap_clear(&r->pairs);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    (void)other;
    reading r;
    af_facts *facts = af_sink_facts(sink);
    facts->container = AF_CONTAINER_OTHER;
    facts->format.name = "callgrind";
    facts->format.title = "a callgrind file";
    facts->format.record = "line";
    af_sink_set_total(sink, af_source_total(source));
    init(&r, sink, options);
    gboolean ok = read_lines(&r, source, error);
    if (ok && !r.started && !af_sink_is_stopped(sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "truncated or damaged: this callgrind file names no event");
        ok = FALSE;
    }
    if (ok) {
        af_measures_start(&r.measures, sink, AF_SAMPLES_UNTIMED);
        give_paths(&r);
        facts->threadless = !r.threads;
    }
    clear(&r);
    return ok;
}

const af_reader af_reader_callgrind = {
    .name = "callgrind",
    .title = "callgrind, also of KCachegrind's converters, xdebug and aflame",
    .extensions = "callgrind callgrind.out cachegrind",
    .detect = detect,
    .read = read_input,
};
