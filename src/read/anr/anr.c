/* ANR reports: the stacks of all threads of a process at one moment, as Android's runtime prints
 * them into /data/anr, traces.txt and bug reports.
 *
 * Each thread of each dump is one sample. The process is the panel, the thread its outermost frame,
 * without the numbers of a pool's threads; the state, or the lock that the thread waits for, is the
 * innermost one. */
#include "read/anr/anr.h"

#include <string.h>
#include <aflame/error.h>

#include "base/array.h"
#include "base/idtable.h"
#include "read/demangle.h"
#include "read/frames.h"
#include "read/lines.h"
#include "read/reader.h"

/* How much of the input is searched to detect the format. */
#define SEARCHED ((size_t)64 * 1024)

/* A report of up to this size may still turn out to hold long-running methods, which are read
 * instead. */
#define MOST_REPORT ((size_t)256 * 1024 * 1024)

/* The most waiting threads that are listed; longer chains of holders are not cycles. */
#define MOST_LISTED 64u

#define NO_METHOD UINT32_MAX

typedef enum { RUNS, WAITS, SLEEPS, WAITS_TO_LOCK } waiting;

typedef struct {
    uint64_t tid; /* of ART; 0 = not attached */
    uint64_t holder;
    af_span name, state, lock;  /* in the arena; lock: the type of what it waits for */
    uint32_t process;           /* index */
    size_t dump;                /* the index of its first thread */
    size_t first_frame, frames; /* innermost first */
    waiting kind;
} anr_thread;

typedef struct {
    uint64_t pid;
    const char *name;
    uint64_t n_dumps;
} anr_process;

typedef struct {
    af_sink *sink;
    af_frames frames;
    af_array threads;     /* of anr_thread, of all dumps */
    af_idtable processes; /* of anr_process, by pid */
    af_idtable by_tid;    /* of uint32_t: the index of the first such thread of a dump, + 1 */
    af_array methods;     /* of uint32_t: the frames of all threads */
    af_arena *arena;
    size_t dump;      /* the index of the first thread of the current one */
    uint32_t process; /* the current one; UINT32_MAX = none */
    gboolean in_thread;
    uint64_t n_dumps, n_listed;
    uint64_t passed; /* the offset of the last line */
} anr_report;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    if (length > 0 && memchr(head, '\0', MIN(length, (size_t)1024)) != NULL) {
        return 0;
    }
    g_autoptr(GString) text = af_lines_head(head, length, SEARCHED);
    const char *pid =
        g_str_has_prefix(text->str, "----- pid ") ? text->str : strstr(text->str, "\n----- pid ");
    const gboolean is_report =
        g_str_has_prefix(text->str, "====") && strstr(text->str, "== dumpstate: ") != NULL;
    const gboolean is_dump = (pid != NULL && strstr(pid, " at ") != NULL) ||
                             strstr(text->str, "\nDALVIK THREADS") != NULL;
    if (!is_dump && !is_report) {
        return 0;
    }
    return more && length < MOST_REPORT ? AF_UNSURE : is_dump ? 70 : 60;
}

static anr_thread *thread_at(const anr_report *r, size_t i)
{
    return &AF_ARRAY_AT(&r->threads, anr_thread, i);
}

static anr_process *process_at(const anr_report *r, uint32_t i)
{
    return &AF_ARRAY_AT(&r->processes.items, anr_process, i);
}

static af_span keep_text(anr_report *r, af_span text)
{
    const size_t length = MIN(text.length, 4096);
    const char *copy = length == 0 ? "" : af_arena_copy(r->arena, text.bytes, length);
    af_sink_fail_if(r->sink, copy == NULL);
    af_sink_meter(r->sink)->bytes += length;
    return (af_span){copy == NULL ? "" : copy, copy == NULL ? 0 : length};
}

/* The process of a dump; one pid is one process. */
static void begin_dump(anr_report *r, const af_anr_line *line)
{
    const uint32_t number =
        af_idtable_number(&r->processes, line->number, &(anr_process){.pid = line->number});
    r->in_thread = FALSE;
    if (number == UINT32_MAX) {
        return;
    }
    process_at(r, number)->n_dumps++;
    r->process = number;
    r->dump = r->threads.n;
    r->n_dumps++;
    af_recording_facts *recording = &af_sink_facts(r->sink)->recording;
    if (line->has_date && !recording->has_start) {
        recording->has_start = TRUE;
        recording->start = (uint64_t)line->date_us;
        recording->start_tick_ns = 1000;
    }
}

/* The key of a thread in `by_tid`; ART counts threads with fewer than 32 bits. */
static uint64_t key_of_tid(size_t dump, uint64_t tid)
{
    return (uint64_t)dump << 32 | (tid & UINT32_MAX);
}

static void add_thread(anr_report *r, const af_anr_line *line)
{
    const af_anr_line none = {.number = 0};
    if (r->process == UINT32_MAX) { /* the head of the dump is missing */
        begin_dump(r, &none);
    }
    anr_thread thread = {
        .tid = line->number, .process = r->process, .dump = r->dump, .first_frame = r->methods.n};
    thread.name = keep_text(r, line->text);
    thread.state = keep_text(r, line->extra);
    r->in_thread = af_array_append(&r->threads, &thread);
    uint32_t *first = af_idtable_item(&r->by_tid, key_of_tid(r->dump, thread.tid));
    if (first != NULL && *first == 0) {
        *first = (uint32_t)r->threads.n;
    }
}

static gboolean is_hex(af_span text)
{
    size_t i = 0;
    while (i < text.length && memchr("0123456789abcdef", text.bytes[i], 16) != NULL) {
        i++;
    }
    return i == text.length;
}

static uint32_t name_frame(anr_report *r, const af_anr_line *line)
{
    if (!line->is_native) {
        return af_frames_method(&r->frames, line->text.bytes,
                                MIN(line->text.length, AF_LONGEST_NAME), AF_FRAME_JAVA, NULL);
    }
    g_autofree char *library =
        line->extra.length == 0 ? NULL : g_strndup(line->extra.bytes, line->extra.length);
    const gboolean is_address = line->text.length > 7 && is_hex(line->text);
    g_autofree char *shown = NULL;
    if (is_address && library != NULL) {
        g_autofree char *base = g_path_get_basename(library);
        const char *digits = line->text.bytes;
        size_t n = line->text.length;
        for (; n > 1 && *digits == '0'; n--) {
            digits++;
        }
        shown = g_strdup_printf("%s+0x%.*s", base, (int)n, digits);
    } else {
        shown = af_demangle(line->text.bytes, line->text.length);
    }
    return af_frames_method(&r->frames, shown, MIN(strlen(shown), AF_LONGEST_NAME), AF_FRAME_NATIVE,
                            library);
}

static void add_frame(anr_report *r, uint32_t method)
{
    if (method == NO_METHOD || !af_array_append(&r->methods, &method)) {
        return;
    }
    thread_at(r, r->threads.n - 1)->frames++;
}

static void take_line(anr_report *r, const char *bytes, size_t length)
{
    af_anr_line line;
    af_anr_parse(bytes, length, &line);
    switch (line.kind) {
    case AF_ANR_BEGIN:
        begin_dump(r, &line);
        break;
    case AF_ANR_END:
        r->process = UINT32_MAX;
        r->in_thread = FALSE;
        break;
    case AF_ANR_COMMAND:
        if (r->process != UINT32_MAX && process_at(r, r->process)->name == NULL) {
            process_at(r, r->process)->name = af_sink_clean(r->sink, line.text);
        }
        break;
    case AF_ANR_THREAD:
        add_thread(r, &line);
        break;
    case AF_ANR_FRAME:
        if (r->in_thread) {
            add_frame(r, name_frame(r, &line));
        }
        break;
    case AF_ANR_WAIT:
        if (r->in_thread) {
            anr_thread *thread = thread_at(r, r->threads.n - 1);
            if (thread->kind == RUNS) {
                const gboolean sleeps = line.extra.bytes[0] == 's', locks = line.extra.length > 11;
                thread->kind = sleeps ? SLEEPS : locks ? WAITS_TO_LOCK : WAITS;
                thread->lock = keep_text(r, line.text);
                thread->holder = line.number;
            }
        }
        break;
    case AF_ANR_BUILD:
        if (r->n_dumps == 1) {
            af_sink_add_fact(r->sink, af_span_of("build"), line.text);
        }
        break;
    default:
        r->in_thread = r->in_thread && length > 0;
        break;
    }
}

/* The thread of the same dump that holds the lock; NULL = not known. */
static const anr_thread *holder_of(const anr_report *r, const anr_thread *thread)
{
    const uint32_t *first = af_idtable_find(&r->by_tid, key_of_tid(thread->dump, thread->holder));
    const anr_thread *holder =
        thread->holder == 0 || first == NULL ? NULL : thread_at(r, *first - 1);
    return holder != NULL && holder->tid == thread->holder ? holder : NULL;
}

/* "waiting to lock java.lang.Object, held by "Binder:9214_3"", or the state. */
static void describe_wait(const anr_report *r, const anr_thread *thread, GString *to)
{
    const anr_thread *holder = holder_of(r, thread);
    if (thread->kind == RUNS) {
        af_span_append(to, thread->state);
        return;
    }
    g_string_append(to, thread->kind == WAITS_TO_LOCK ? "waiting to lock "
                        : thread->kind == SLEEPS      ? "sleeping on "
                                                      : "waiting on ");
    af_span_append(to, thread->lock);
    if (holder != NULL) {
        g_string_append(to, ", held by \"");
        af_span_append(to, holder->name);
        g_string_append_c(to, '"');
    }
}

static void add_fact(const anr_report *r, const char *key, const GString *value)
{
    af_sink_add_fact(r->sink, af_span_of(key), af_span_of_string(value));
}

/* Whether the chain of lock holders returns to this thread. Each cycle is reported once, by the
 * thread that comes first in the file. */
static gboolean is_cycle(const anr_report *r, const anr_thread *thread, GString *list)
{
    const anr_thread *at = thread;
    g_string_truncate(list, 0);
    for (unsigned steps = 0; at != NULL && steps < MOST_LISTED; steps++) {
        g_string_append(list, steps == 0 ? "\"" : " waits for \"");
        af_span_append(list, at->name);
        g_string_append_c(list, '"');
        if (at == thread && steps > 0) {
            return TRUE;
        }
        if (at < thread) {
            return FALSE;
        }
        at = holder_of(r, at);
    }
    return FALSE;
}

/* The name of a thread without the numbers of a pool: "Binder:9214_3" -> "Binder:#". */
static uint32_t name_thread(anr_report *r, const anr_thread *thread)
{
    const af_span name = thread->name;
    g_autoptr(GString) shown = g_string_new(NULL);
    for (size_t i = 0; i < name.length; i++) {
        const gboolean digit = g_ascii_isdigit(name.bytes[i]);
        if (!digit) {
            g_string_append_c(shown, name.bytes[i]);
        } else if (i == 0 || !g_ascii_isdigit(name.bytes[i - 1])) {
            g_string_append_c(shown, '#');
        }
    }
    return af_frames_method(&r->frames, shown->str, shown->len, AF_FRAME_NATIVE, NULL);
}

static uint32_t name_wait(anr_report *r, const anr_thread *thread)
{
    g_autoptr(GString) text = g_string_new("[");
    describe_wait(r, thread, text);
    g_string_append_c(text, ']');
    return text->len == 2
               ? NO_METHOD
               : af_frames_method(&r->frames, text->str, text->len, AF_FRAME_NATIVE, NULL);
}

static void put_method(af_array *stack, uint32_t method)
{
    if (method != NO_METHOD) {
        af_array_append(stack, &method);
    }
}

static void give_thread(anr_report *r, const anr_thread *thread, af_array *stack)
{
    stack->n = 0;
    put_method(stack, name_thread(r, thread));
    for (size_t i = thread->frames; i-- > 0;) {
        put_method(stack, AF_ARRAY_AT(&r->methods, uint32_t, thread->first_frame + i));
    }
    put_method(stack, name_wait(r, thread));
    af_sample sample = {.thread = af_sink_thread(r->sink, thread->process),
                        .methods = stack->items,
                        .n = stack->n,
                        .offset = AF_NO_OFFSET};
    sample.weight[AF_WALL] = 1;
    if (stack->n > 0 && sample.thread != UINT32_MAX) {
        af_sink_sample(r->sink, &sample);
    }
}

static void name_processes(anr_report *r)
{
    for (uint32_t i = 0; i < r->processes.items.n; i++) {
        const anr_process *process = process_at(r, i);
        const af_span name = {process->name, process->name == NULL ? 0 : strlen(process->name)};
        char id[24];
        g_snprintf(id, sizeof id, "%" G_GUINT64_FORMAT, process->pid);
        const af_thread_owner owner = {.id = process->pid,
                                       .process =
                                           af_sink_add_process(r->sink, af_span_of(id), name),
                                       .rank = i};
        const uint32_t thread = af_sink_thread(r->sink, i);
        if (thread != UINT32_MAX) {
            static const char all[] = "threads";
            af_sink_set_thread_owner(r->sink, thread, &owner);
            af_sink_describe_thread(r->sink, thread, all, sizeof all - 1, TRUE, FALSE);
        }
    }
    if (r->processes.items.n == 1) {
        af_sink_facts(r->sink)->has_pid = process_at(r, 0)->pid != 0;
        af_sink_facts(r->sink)->pid = process_at(r, 0)->pid;
    }
}

static void give_all(anr_report *r)
{
    gboolean several = FALSE;
    for (uint32_t i = 0; i < r->processes.items.n; i++) {
        several |= process_at(r, i)->n_dumps > 1;
    }
    const af_unit unit = {.name = several ? "dumps" : "threads", .counted = TRUE};
    af_array stack;
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < r->threads.n && r->n_listed < MOST_LISTED; i++) {
        const anr_thread *thread = thread_at(r, i);
        if (thread->holder == 0 || thread->kind != WAITS_TO_LOCK) {
            continue;
        }
        g_string_assign(text, "\"");
        af_span_append(text, thread->name);
        g_string_append(text, "\" ");
        describe_wait(r, thread, text);
        add_fact(r, "blocked", text);
        r->n_listed++;
        if (is_cycle(r, thread, text)) {
            add_fact(r, "deadlock", text);
        }
    }
    af_sink_start_samples(r->sink, &unit, 1u << AF_WALL, AF_SAMPLES_UNTIMED);
    af_array_init_metered(&stack, sizeof(uint32_t), af_sink_meter(r->sink));
    for (size_t i = 0; i < r->threads.n && !af_sink_is_stopped(r->sink); i++) {
        give_thread(r, thread_at(r, i), &stack);
    }
    af_array_clear(&stack);
    name_processes(r);
}

static gboolean take_next(void *user, af_span line, uint64_t offset, GError **error)
{
    anr_report *r = user;
    take_line(r, line.bytes, line.length);
    const gboolean goes_on = af_sink_advance(r->sink, (size_t)(offset - r->passed));
    r->passed = offset;
    return goes_on && !af_sink_is_stopped(r->sink);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    af_meter *const meter = af_sink_meter(sink);
    anr_report r = {.sink = sink, .process = UINT32_MAX, .arena = af_arena_new()};
    af_sink_set_format(sink, "anr", "ANR report", "thread");
    af_sink_set_total(sink, af_source_total(source));
    af_frames_init(&r.frames, sink);
    af_array_init_metered(&r.threads, sizeof(anr_thread), meter);
    af_idtable_init(&r.processes, sizeof(anr_process), meter);
    af_array_init_metered(&r.methods, sizeof(uint32_t), meter);
    af_idtable_init(&r.by_tid, sizeof(uint32_t), meter);
    af_lines lines;
    gboolean ok = af_lines_each(&lines, source, sink, take_next, &r, error);
    if (ok && r.threads.n == 0 && !af_sink_is_stopped(sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this Android report contains no stacks of threads");
        ok = FALSE;
    } else if (ok) {
        give_all(&r);
    }
    af_frames_clear(&r.frames);
    AF_ARRAYS_CLEAR(&r.threads, &r.methods);
    af_idtable_clear(&r.processes);
    af_idtable_clear(&r.by_tid);
    af_arena_free(r.arena);
    return ok;
}

const af_reader af_reader_anr = {
    .name = "anr",
    .title = "ANR reports and bug reports: stacks of all threads",
    .extensions = "txt",
    .detect = detect,
    .read = read_input,
};
