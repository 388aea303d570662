/* A line of ftrace:
 *
 *     TASK-PID (TGID) [CPU] FLAGS SECONDS.FRACTION: EVENT: ARGUMENTS
 *
 * TASK may hold any characters; (TGID) and FLAGS may be missing, and so may the blank before the
 * time. */
#include "read/systrace/systrace.h"

#include <string.h>

#include "read/marks.h"

typedef struct {
    af_span task, event, arguments;
    int64_t pid, tgid, cpu, ns; /* tgid -1 = not stated */
} ftrace_line;

static void skip_blanks(af_span *c)
{
    while (af_span_skip(c, " ") || af_span_skip(c, "\t")) {
    }
}

/* At most ten digits. */
static gboolean take_digits(af_span *c, int64_t *number)
{
    uint64_t value;
    const gboolean ok = af_span_take_number(c, 10, &value);
    *number = (int64_t)value;
    return ok && (c->length == 0 || !g_ascii_isdigit(*c->bytes));
}

/* SECONDS.FRACTION, with any number of decimals; those after the ninth are ignored. */
static gboolean take_time(af_span *c, int64_t *ns)
{
    int64_t seconds, fraction = 0, unit = 100000000;
    if (!take_digits(c, &seconds) || !af_span_skip(c, ".")) {
        return FALSE;
    }
    const size_t before = c->length;
    for (; c->length > 0 && g_ascii_isdigit(*c->bytes); *c = af_span_after(*c, 1)) {
        fraction += (*c->bytes - '0') * unit;
        unit /= 10;
    }
    *ns = seconds * 1000000000 + fraction;
    return c->length < before && af_span_skip(c, ":") && seconds < 2000000000;
}

static af_span span_to(const char *begin, const char *end)
{
    return (af_span){begin, (size_t)(end - begin)};
}

/* `n` flags: three letters or points, then hex digits or points. */
static gboolean skip_flags(af_span *c, unsigned n)
{
    if (c->length < n) {
        return FALSE;
    }
    for (unsigned i = 0; i < n; i++) {
        const char flag = c->bytes[i];
        if (flag != '.' && (i < 3 ? !g_ascii_isalpha(flag) : !g_ascii_isxdigit(flag))) {
            return FALSE;
        }
    }
    *c = af_span_after(*c, n);
    return TRUE;
}

/* Flags, if there are any, and the time. Without a blank between them the longer flags
 * count, as in Perfetto. */
static gboolean take_flags_and_time(af_span *c, int64_t *ns)
{
    static const unsigned lengths[] = {0, 5, 4};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths); i++) {
        af_span tried = *c;
        if (skip_flags(&tried, lengths[i])) {
            skip_blanks(&tried);
            if (take_time(&tried, ns)) {
                *c = tried;
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* "( 1234)" or "(-----)"; nothing is fine. */
static gboolean take_tgid(af_span *c, int64_t *tgid)
{
    *tgid = -1;
    skip_blanks(c);
    if (!af_span_skip(c, "(")) {
        return TRUE;
    }
    skip_blanks(c);
    if (af_span_skip(c, "-")) {
        while (af_span_skip(c, "-")) {
        }
    } else if (!take_digits(c, tgid)) {
        return FALSE;
    }
    skip_blanks(c);
    return af_span_skip(c, ")");
}

/* The line from the process id on. */
static gboolean parse_from(af_span c, ftrace_line *line)
{
    if (!take_digits(&c, &line->pid) || !take_tgid(&c, &line->tgid)) {
        return FALSE;
    }
    skip_blanks(&c);
    if (!af_span_skip(&c, "[") || !take_digits(&c, &line->cpu) || !af_span_skip(&c, "]")) {
        return FALSE;
    }
    skip_blanks(&c);
    if (!take_flags_and_time(&c, &line->ns)) {
        return FALSE;
    }
    skip_blanks(&c);
    line->event = af_span_before(c, ":");
    if (line->event.length == c.length) {
        return FALSE;
    }
    line->arguments = af_span_trim(af_span_after(c, line->event.length + 1));
    return line->event.length > 0 && line->pid <= INT32_MAX && line->tgid <= INT32_MAX;
}

static gboolean parse_line(const char *text, size_t length, ftrace_line *line)
{
    const char *const end = text + length;
    for (const char *dash = memchr(text, '-', length); dash != NULL;
         dash = memchr(dash + 1, '-', (size_t)(end - dash - 1))) {
        if (dash + 1 < end && g_ascii_isdigit(dash[1]) &&
            parse_from(span_to(dash + 1, end), line)) {
            line->task = af_span_trim(span_to(text, dash));
            return TRUE;
        }
    }
    return FALSE;
}

gboolean af_systrace_is_line(const char *text, size_t length)
{
    ftrace_line line;
    return parse_line(text, length, &line);
}

/* Finds the text between `begin` and `end`, or up to the next blank if `end` is NULL. */
static gboolean find_between(af_span text, const char *begin, const char *end, af_span *found)
{
    af_span rest;
    if (!af_span_find_after(text, begin, &rest) ||
        (end != NULL && af_span_find(rest, end) == NULL)) {
        return FALSE;
    }
    *found = af_span_before(rest, end == NULL ? " " : end);
    return TRUE;
}

static gboolean parse_pid(af_span text, uint32_t *pid)
{
    int64_t number;
    if (!take_digits(&text, &number) || number > INT32_MAX) {
        return FALSE;
    }
    *pid = (uint32_t)number;
    return TRUE;
}

static gboolean find_pid(af_span text, const char *begin, uint32_t *pid)
{
    af_span number;
    return find_between(text, begin, NULL, &number) && parse_pid(number, pid);
}

static gboolean is_one_of(af_span text, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (af_span_is(text, *names)) {
            return TRUE;
        }
    }
    return FALSE;
}

static uint32_t add_text(af_systrace *s, af_span text)
{
    return text.length == 0 ? AF_NO_TEXT : af_texts_add(s->texts, text);
}

/* "A:12 [120] S ==> B:13 [120]", as trace-cmd prints it: the name and the id before a bracket. */
static gboolean split_short(af_span part, af_span *comm, uint32_t *pid)
{
    const char *bracket = memrchr(part.bytes, '[', part.length);
    const af_span head = bracket == NULL ? part : af_span_trim(span_to(part.bytes, bracket));
    const char *colon = head.length == 0 ? NULL : memrchr(head.bytes, ':', head.length);
    if (colon == NULL) {
        return FALSE;
    }
    *comm = span_to(head.bytes, colon);
    return parse_pid(span_to(colon + 1, head.bytes + head.length), pid);
}

static gboolean parse_short_switch(af_systrace *s, af_span text, af_timeline_event *event)
{
    af_span after, out, in;
    if (!af_span_find_after(text, " ==> ", &after) ||
        !split_short(af_span_before(text, " ==> "), &out, &event->a) ||
        !split_short(after, &in, &event->b)) {
        return FALSE;
    }
    event->name = add_text(s, out);
    event->extra = add_text(s, in);
    return TRUE;
}

/* The state in which the outgoing thread is left: "S", "R+", "D|K". */
static af_off_state find_state(af_span text)
{
    af_span state;
    if (!find_between(text, " prev_state=", NULL, &state) || state.length == 0) {
        return AF_OFF_UNKNOWN;
    }
    return *state.bytes == 'R'   ? AF_OFF_RUNNABLE
           : *state.bytes == 'S' ? AF_OFF_SLEEPING
           : *state.bytes == 'D' ? AF_OFF_BLOCKED
                                 : AF_OFF_OTHER;
}

static gboolean parse_switch(af_systrace *s, const ftrace_line *line, af_timeline_event *event)
{
    af_span out, in;
    event->kind = AF_EVENT_SWITCH;
    event->value = line->cpu;
    if (!find_between(line->arguments, "prev_comm=", " prev_pid=", &out) ||
        !find_between(line->arguments, "next_comm=", " next_pid=", &in) ||
        !find_pid(line->arguments, " prev_pid=", &event->a) ||
        !find_pid(line->arguments, " next_pid=", &event->b)) {
        return parse_short_switch(s, line->arguments, event);
    }
    event->name = add_text(s, out);
    event->extra = add_text(s, in);
    event->value |= (int64_t)find_state(line->arguments) << 32;
    return TRUE;
}

/* Events that name one thread: woken, renamed, or ended. */
static gboolean parse_task(af_systrace *s, const ftrace_line *line, af_timeline_event *event)
{
    af_span comm;
    event->a = 0;
    event->b = AF_NO_PID;
    if (af_span_is(line->event, "task_newtask")) {
        af_span flags;
        event->kind = AF_EVENT_NEW_TASK;
        event->a = (uint32_t)line->pid;
        if (!find_pid(line->arguments, "pid=", &event->b) ||
            !find_between(line->arguments, "comm=", " clone_flags=", &comm) ||
            !find_between(line->arguments, "clone_flags=", NULL, &flags)) {
            return FALSE;
        }
        char digits[20] = {0};
        memcpy(digits, flags.bytes, MIN(flags.length, sizeof digits - 1));
        event->value = (int64_t)g_ascii_strtoull(digits, NULL, 16);
    } else if (af_span_is(line->event, "task_rename")) {
        event->kind = AF_EVENT_RENAME;
        if (!find_pid(line->arguments, "pid=", &event->a) ||
            !find_between(line->arguments, "newcomm=", " oom_score_adj=", &comm)) {
            return FALSE;
        }
    } else {
        event->kind = af_span_is(line->event, "sched_process_free")   ? AF_EVENT_END_TASK
                      : af_span_is(line->event, "sched_process_exit") ? AF_EVENT_MENTION
                                                                      : AF_EVENT_WAKE;
        event->b = event->kind == AF_EVENT_WAKE ? (uint32_t)line->pid : AF_NO_PID;
        if (!find_pid(line->arguments, " pid=", &event->a) ||
            !find_between(line->arguments, "comm=", " pid=", &comm)) {
            return FALSE;
        }
    }
    event->name = add_text(s, comm);
    return TRUE;
}

static gboolean parse_mark(af_systrace *s, const ftrace_line *line, af_timeline_event *event)
{
    static const char sync[] = "trace_event_clock_sync:";
    af_span text = line->arguments;
    if (text.length > 2 && text.bytes[0] == '0' && text.bytes[1] == 'x') { /* an address */
        const char *colon = memchr(text.bytes, ':', text.length);
        text = colon == NULL ? text : af_span_trim(span_to(colon + 1, text.bytes + text.length));
    }
    if (af_span_begins(text, sync)) {
        /* Marks that relate the clock to the date. */
        af_span digits;
        af_recording_facts *recording = &af_sink_facts(s->sink)->recording;
        if (find_between(text, "realtime_ts=", NULL, &digits) && digits.length < 19) {
            char number[20] = {0};
            memcpy(number, digits.bytes, digits.length);
            recording->has_start = TRUE;
            recording->start = g_ascii_strtoull(number, NULL, 10) * 1000;
            recording->start_tick_ns = 1000;
        }
        return FALSE;
    }
    event->a = (uint32_t)line->pid;
    return af_mark_parse(s->texts, text, AF_NO_OFFSET, event);
}

static gboolean parse_event(af_systrace *s, const ftrace_line *line, af_timeline_event *event)
{
    static const char *const marks[] = {"tracing_mark_write", "print", "0", NULL};
    static const char *const tasks[] = {"sched_waking",
                                        "sched_wakeup",
                                        "task_newtask",
                                        "task_rename",
                                        "sched_process_free",
                                        "sched_process_exit",
                                        NULL};
    *event = (af_timeline_event){
        .ns = line->ns, .b = AF_NO_PID, .name = AF_NO_TEXT, .extra = AF_NO_TEXT};
    if (is_one_of(line->event, marks)) {
        return parse_mark(s, line, event);
    }
    if (af_span_is(line->event, "sched_switch")) {
        return parse_switch(s, line, event);
    }
    return is_one_of(line->event, tasks) && parse_task(s, line, event);
}

/* The columns before the event name the thread, and its process if it is known. */
static void take_task(af_systrace *s, const ftrace_line *line)
{
    if (line->pid == 0) {
        return;
    }
    const size_t known = s->tasks.items.n;
    af_systrace_task *task = af_idtable_item(&s->tasks, (uint64_t)line->pid);
    if (task == NULL) {
        return;
    }
    const gboolean is_named = !af_span_is(line->task, "<...>") && line->task.length > 0;
    const uint32_t comm = is_named ? af_texts_add(s->texts, line->task) : AF_NO_TEXT;
    if (s->tasks.items.n == known && task->comm == comm && task->tgid == line->tgid) {
        return;
    }
    *task = (af_systrace_task){comm, line->tgid};
    const af_timeline_event event = {.kind = AF_EVENT_THREAD,
                                     .ns = line->ns,
                                     .a = (uint32_t)line->pid,
                                     .b = line->tgid <= 0 ? AF_NO_PID : (uint32_t)line->tgid,
                                     .name = comm,
                                     .extra = AF_NAMED_BY_EVENT};
    af_timeline_add(s->timeline, &event);
}

void af_systrace_take_line(af_systrace *s, const char *text, size_t length)
{
    ftrace_line line;
    af_timeline_event event;
    const af_span whole = af_span_trim((af_span){text, length});
    if (whole.length == 0 || *whole.bytes == '#') {
        af_span name = whole;
        if (af_span_skip(&name, "# tracer:")) {
            name = af_span_trim(name);
            memcpy(s->tracer, name.bytes, MIN(name.length, sizeof s->tracer - 1));
        }
        return;
    }
    if (!parse_line(text, length, &line)) {
        uint32_t n;
        af_span digits;
        if (find_between(whole, "[LOST ", " EVENTS]", &digits) && parse_pid(digits, &n)) {
            uint32_t cpu;
            const gboolean known =
                find_between(whole, "CPU:", " [LOST", &digits) && parse_pid(digits, &cpu);
            af_timeline_lose(s->timeline, known ? cpu : 0, n, AF_NO_OFFSET);
        } else {
            af_sink_warn(s->sink, AF_WARN_ODD_LINE, 1, AF_NO_OFFSET);
        }
        return;
    }
    s->n_events++;
    take_task(s, &line);
    if (parse_event(s, &line, &event)) {
        af_timeline_add(s->timeline, &event);
    }
}
