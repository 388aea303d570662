/* perf.data of simpleperf (Android) and of perf (Linux): a header, a part with records, sections
 * that describe them. The sections are at the end and name what the records refer to, so the reader
 * needs the whole file: mapped, or decompressed into memory. */
#include "read/perf/perfdata.h"
#include <stdlib.h>
#include <string.h>

#include "read/process_choice.h"

typedef struct {
    af_perf_file file;
    af_sink *sink;
    const af_open_options *options;
    af_symbols symbols;
    af_perf_tasks tasks;
    af_chain chain;
    uint32_t event;       /* the event whose samples are shown */
    gboolean offcpu;      /* time on and off the CPU, of both events */
    gboolean each;        /* every sample weighs 1 */
    unsigned clock;       /* index of the weight column */
    GHashTable *old_dsos; /* uint64_t id -> af_dso */
    af_array n_samples;   /* uint64_t: samples by event */
    af_idtable processes; /* af_choosable, by pid in the order of the file, if some are chosen */
    uint8_t *chosen;      /* by process; NULL = all are drawn */
    gboolean raw_stacks;
    gboolean sampled;         /* there is a sample of the event */
    gboolean processor_trace; /* there is a trace of the processor: ETM, Intel PT */
} perf;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return length >= 8 && memcmp(head, "PERFILE2", 8) == 0 ? AF_SURE : 0;
}

/* ---- before the samples: events, sections, symbols in records ---- */

/* Reads the records that replace sections in a file from a pipe, and the event ids of any file. */
static gboolean take_head(void *user, const af_perf_record *record)
{
    perf *p = user;
    if (record->type == AF_PERF_ATTR && p->file.pipe && record->length > 16) {
        const uint32_t size = af_load_u32(record->bytes + 12); /* of the attributes */
        const uint64_t attr = MIN(MAX(size, 64u), record->length - 8);
        af_perf_add_event(&p->file, record->bytes + 8, attr);
        for (uint64_t at = 8 + attr; p->file.events.n > 0 && record->length - at >= 8; at += 8) {
            af_perf_add_id(&p->file, af_load_u64(record->bytes + at),
                           (uint32_t)(p->file.events.n - 1));
        }
    } else if (record->type == AF_PERF_FEATURE && p->file.pipe && record->length >= 16) {
        const uint64_t feature = af_load_u64(record->bytes + 8);
        const uint64_t length = record->length - 16;
        const char *copied =
            af_arena_copy(p->symbols.arena, (const char *)record->bytes + 16, length);
        if (feature < AF_PERF_FEATURES && copied != NULL) {
            af_perf_take_feature(&p->file, (unsigned)feature, (const uint8_t *)copied, length);
        }
    } else if (record->type == AF_PERF_SAMPLE && p->file.events.n > 0) {
        const uint32_t event = af_perf_event_of(&p->file, record);
        if (af_array_reach(&p->n_samples, (size_t)event + 1)) {
            AF_ARRAY_AT(&p->n_samples, uint64_t, event)++;
        }
    } else if (record->type == AF_PERF_EVENT_ID && record->length >= 16) {
        const uint64_t n = MIN(af_load_u64(record->bytes + 8), (record->length - 16) / 16);
        for (uint64_t i = 0; i < n; i++) {
            const uint8_t *pair = record->bytes + 16 + i * 16;
            af_perf_add_id(&p->file, af_load_u64(pair + 8), (uint32_t)af_load_u64(pair));
        }
    }
    return TRUE;
}

/* Old files: u64 type, u64 id, u64 lowest address, name; then u64 address, u64 length, u64 id,
 * name. */
static gboolean take_old_symbols(void *user, const af_perf_record *record)
{
    perf *p = user;
    const uint8_t *bytes = record->bytes;
    const char *name = (const char *)bytes + 32;
    const size_t length = record->length > 32 ? strnlen(name, record->length - 32) : 0;
    if (record->type == AF_PERF_KERNEL_SYMBOL && record->length >= 12) {
        const size_t n = MIN(af_load_u32(bytes + 8), record->length - 12);
        const char *copied = af_arena_copy(p->symbols.arena, (const char *)bytes + 12, n);
        af_symbols_take_kallsyms(&p->symbols, copied, copied == NULL ? 0 : n);
    } else if (record->type == AF_PERF_DSO && length > 0) {
        af_dso *dso = af_symbols_dso(&p->symbols, name, length);
        if (dso != NULL) {
            /* the types in old files: kernel, module, file */
            dso->type = (af_dso_type)MIN(af_load_u64(bytes + 8), AF_DSO_ELF);
            dso->min_vaddr = af_load_u64(bytes + 24);
            dso->described = TRUE;
            g_hash_table_insert(p->old_dsos, g_memdup2(bytes + 16, 8), dso);
        }
    } else if (record->type == AF_PERF_SYMBOL && length > 0) {
        af_dso *dso = g_hash_table_lookup(p->old_dsos, bytes + 24);
        const char *copied = dso == NULL ? NULL : af_arena_copy(p->symbols.arena, name, length);
        if (copied != NULL) {
            af_library_add(&dso->library, af_load_u64(bytes + 8), af_load_u64(bytes + 16), copied,
                           length);
        }
    }
    return TRUE;
}

/* ---- the event and its unit ---- */

/* Returns the first event with samples: counters that nobody requested may come first. */
static uint32_t find_sampled_event(const perf *p)
{
    for (uint32_t i = 0; i < p->n_samples.n; i++) {
        if (AF_ARRAY_AT(&p->n_samples, uint64_t, i) > 0) {
            return i;
        }
    }
    return 0;
}

static gboolean choose_event(perf *p, GError **error)
{
    const char *wanted = p->options->event;
    if (p->file.events.n == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "this perf.data file is damaged: it contains no events");
        return FALSE;
    }
    af_array names;
    af_array_init(&names, sizeof(const char *));
    for (uint32_t i = 0; i < p->file.events.n; i++) {
        af_array_append(&names, &af_perf_event_at(&p->file, i)->name);
    }
    const gboolean ok = af_perf_find_event(&names, wanted, &p->event, error);
    af_array_clear(&names);
    p->offcpu = wanted == NULL && p->file.offcpu && p->file.events.n > 1 &&
                af_perf_is_cpu_time(af_perf_event_at(&p->file, 0)->name);
    p->event = wanted == NULL && !p->offcpu ? find_sampled_event(p) : p->event;
    return ok;
}

static void start_samples(perf *p)
{
    const af_perf_event *event = af_perf_event_at(&p->file, p->event);
    const gboolean counted_by = (event->flags & AF_PERF_FREQ) == 0 && event->period > 0;
    p->each = g_strcmp0(p->options->unit, "samples") == 0 ||
              ((event->sample_type & AF_PERF_HAS_PERIOD) == 0 && !counted_by);
    p->offcpu = p->offcpu && !p->each;
    if (p->offcpu) {
        af_perf_report_event(p->sink, "time on and off the CPU", 0, 1);
    } else {
        af_perf_report_event(p->sink, event->name, p->event, (unsigned)p->file.events.n);
    }
    p->clock = af_perf_start_samples(
        p->sink, event->type == 2 ? "" : event->name, p->each, p->offcpu,
        (event->sample_type & AF_PERF_HAS_TIME) != 0 ? AF_SAMPLES_TIMED : AF_SAMPLES_UNTIMED);
}

/* A process that a first look finds. Returns a dummy if memory is refused, which the sink records. */
static af_choosable *find_process(perf *p, uint32_t pid)
{
    static af_choosable nothing;
    const af_choosable fresh = {.pid = pid, .uid = -1, .name = {"", 0}};
    const uint32_t number = af_idtable_number(&p->processes, pid, &fresh);
    nothing = fresh;
    return number == UINT32_MAX ? &nothing
                                : &AF_ARRAY_AT(&p->processes.items, af_choosable, number);
}

static gboolean look_for_process(void *user, const af_perf_record *record)
{
    perf *p = user;
    const uint8_t *bytes = record->bytes;
    af_perf_mapping mapped;
    if (record->type == AF_PERF_COMM && record->length > 16 &&
        af_load_u32(bytes + 8) == af_load_u32(bytes + 12)) {
        const char *comm = (const char *)bytes + 16;
        const af_span name = {comm, strnlen(comm, record->length - 16)};
        af_choosable *process = find_process(p, af_load_u32(bytes + 8));
        if (!af_span_equal(process->name, name)) {
            const char *copy = af_arena_copy(p->symbols.arena, comm, name.length);
            process->name = (af_span){copy != NULL ? copy : "", copy != NULL ? name.length : 0};
        }
    } else if (record->type == AF_PERF_FORK && record->length >= 24 &&
               af_load_u32(bytes + 8) != af_load_u32(bytes + 12)) {
        const af_span name = find_process(p, af_load_u32(bytes + 12))->name;
        af_choosable *child = find_process(p, af_load_u32(bytes + 8));
        child->name = child->name.length == 0 ? name : child->name;
    } else if (record->type == AF_PERF_SAMPLE && af_perf_read_sample(&p->file, record, &mapped) &&
               (p->offcpu || mapped.event == p->event)) {
        find_process(p, mapped.pid)->weight++;
    }
    return TRUE;
}

/* Names may follow the samples, so the processes are known after a first look only. */
static gboolean choose_processes(perf *p, GError **error)
{
    if (p->options->process == NULL || strcmp(p->options->process, "all") == 0) {
        return TRUE;
    }
    if (p->file.features[AF_PERF_INIT_MAP].bytes != NULL) {
        af_perf_records(&p->file, p->file.features[AF_PERF_INIT_MAP], AF_PERF_LOOK,
                        look_for_process, p);
    }
    af_perf_records(&p->file, p->file.data, AF_PERF_LOOK, look_for_process, p);
    const uint32_t n = (uint32_t)p->processes.items.n;
    p->chosen = g_new0(uint8_t, (size_t)n + 1);
    return af_process_choose(p->options->process, p->processes.items.items, n, p->chosen, p->sink,
                             error);
}

static gboolean is_wanted(const perf *p, uint32_t pid)
{
    const uint32_t number = p->chosen == NULL ? 0 : af_idmap_find(&p->processes.ids, pid);
    return p->chosen == NULL || (number < p->processes.items.n && p->chosen[number]);
}

static af_perf_task *find_task(perf *p, uint32_t pid, uint32_t tid)
{
    af_perf_task *task = af_perf_tasks_get(&p->tasks, pid, tid);
    if (task->number == UINT32_MAX) {
        task->number = af_sink_thread(p->sink, tid);
    }
    return task;
}

static gboolean take_sample(perf *p, const af_perf_record *record)
{
    af_perf_mapping mapped;
    if (!af_perf_read_sample(&p->file, record, &mapped)) {
        af_sink_warn(p->sink, AF_WARN_SHORT_SAMPLE, 1, record->offset);
        return TRUE;
    }
    if (!p->offcpu && mapped.event != p->event) {
        return TRUE;
    }
    p->sampled = TRUE;
    if (!is_wanted(p, mapped.pid)) {
        return TRUE;
    }
    p->raw_stacks |= mapped.raw_stack && p->file.linux_perf;
    af_perf_task *task = find_task(p, mapped.pid, mapped.tid);
    if (!af_chain_build(&p->chain, &p->tasks, task, record, &mapped)) {
        af_sink_fail(p->sink);
        return FALSE;
    }
    if (p->offcpu && !af_perf_return(p->sink, &task->away, task->number, mapped.time_ns)) {
        return FALSE;
    }
    af_sample sample = {.thread = task->number,
                        .methods = p->chain.methods.items,
                        .n = p->chain.methods.n,
                        .time_ns = mapped.time_ns,
                        .offset = record->offset};
    if (p->offcpu && mapped.event > 0) {
        return af_perf_leave(p->sink, &task->away, &sample);
    }
    const af_perf_event *event = af_perf_event_at(&p->file, p->event);
    const uint64_t period = p->each ? 1 : mapped.has_period ? mapped.period : event->period;
    sample.weight[p->clock] = period;
    if (p->offcpu) {
        sample.weight[AF_CPU] = period;
    }
    return sample.n == 0 || af_sink_sample(p->sink, &sample);
}

/* A thread is back on the CPU. */
static gboolean take_switch(perf *p, const af_perf_record *record)
{
    const af_perf_event *event = af_perf_event_at(&p->file, af_perf_event_of(&p->file, record));
    const uint64_t ids = 8 * (uint64_t)__builtin_popcountll(
                                 event->sample_type & (AF_PERF_HAS_ID | AF_PERF_HAS_STREAM |
                                                       AF_PERF_HAS_CPU | AF_PERF_HAS_IDENTIFIER));
    uint64_t time_ns;
    if (!p->offcpu || (record->misc & AF_PERF_OUT) != 0 ||
        (event->sample_type & AF_PERF_HAS_TID) == 0 ||
        !af_perf_record_time(&p->file, record, &time_ns) || record->length < 8 + 16 + ids) {
        return TRUE;
    }
    const uint8_t *who = record->bytes + record->length - ids - 16;
    if (!is_wanted(p, af_load_u32(who))) {
        return TRUE;
    }
    af_perf_task *task = find_task(p, af_load_u32(who), af_load_u32(who + 4));
    return af_perf_return(p->sink, &task->away, task->number, time_ns);
}

static gboolean take_record(void *user, const af_perf_record *record)
{
    perf *p = user;
    switch (record->type) {
    case AF_PERF_SAMPLE:
        return take_sample(p, record);
    case AF_PERF_SWITCH:
        return take_switch(p, record);
    case AF_PERF_LOST:
        if (record->length >= 24) {
            af_sink_warn(p->sink, AF_WARN_LOST_SAMPLES, af_load_u64(record->bytes + 16),
                         record->offset);
        }
        return TRUE;
    case AF_PERF_LOST_SAMPLES:
        if (record->length >= 16) {
            af_sink_warn(p->sink, AF_WARN_LOST_SAMPLES, af_load_u64(record->bytes + 8),
                         record->offset);
        }
        return TRUE;
    default:
        p->processor_trace |=
            record->type == AF_PERF_AUXTRACE_INFO || record->type == AF_PERF_AUXTRACE;
        af_perf_tasks_take(&p->tasks, record);
        return af_sink_fits(p->sink, 0);
    }
}

/* Orders threads by process, then by thread id. */
static int compare_tasks(const void *a, const void *b)
{
    const af_perf_task *x = a, *y = b;
    if (x->pid != y->pid) {
        return x->pid < y->pid ? -1 : 1;
    }
    return (x->tid > y->tid) - (x->tid < y->tid);
}

static uint32_t add_process(const perf *p, uint32_t pid)
{
    char id[16];
    const af_perf_task *leader = g_hash_table_lookup(p->tasks.tasks, GUINT_TO_POINTER(pid));
    const char *name = leader != NULL && leader->comm != NULL ? leader->comm : "";
    g_snprintf(id, sizeof id, "%u", pid);
    return af_sink_add_process(p->sink, af_span_of(id), af_span_of(name));
}

/* Describes the threads that have samples. The pid of the profile is set if all have the same process. */
static void describe_threads(perf *p)
{
    g_autoptr(GList) all = g_list_sort(g_hash_table_get_values(p->tasks.tasks), compare_tasks);
    const af_perf_task *before = NULL;
    gboolean several = FALSE;
    for (const GList *at = all; at != NULL; at = at->next) {
        const af_perf_task *task = at->data;
        several |= before != NULL && task->number != UINT32_MAX && before->pid != task->pid;
        before = task->number != UINT32_MAX ? task : before;
    }
    if (before != NULL && !several) {
        af_sink_facts(p->sink)->has_pid = TRUE;
        af_sink_facts(p->sink)->pid = before->pid;
    }
    before = NULL;
    af_thread_owner owner = {.process = AF_NO_PROCESS};
    for (const GList *at = all; at != NULL; at = at->next) {
        const af_perf_task *task = at->data;
        if (task->number == UINT32_MAX) {
            continue;
        }
        const char *comm = task->comm != NULL ? task->comm : "";
        af_sink_describe_thread(p->sink, task->number, comm, strlen(comm), TRUE, task->exited);
        if (several) {
            const gboolean first = before == NULL || before->pid != task->pid;
            owner.id = task->tid;
            owner.process = first ? add_process(p, task->pid) : owner.process;
            af_sink_set_thread_owner(p->sink, task->number, &owner);
            owner.rank++;
        }
        before = task;
    }
}

static gboolean read_symbols(perf *p, GError **error)
{
    af_symbols *symbols = &p->symbols;
    const af_perf_bytes *features = p->file.features;
    symbols->symfs = p->options->symfs;
    if (p->options->kallsyms != NULL &&
        !af_symbols_read_kallsyms(symbols, p->options->kallsyms, error)) {
        return FALSE;
    }
    af_symbols_take_files(symbols, &p->file);
    af_symbols_take_build_ids(symbols, &p->file);
    if (features[AF_PERF_FILE].bytes == NULL && features[AF_PERF_FILE2].bytes == NULL) {
        p->old_dsos = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
        af_perf_records(&p->file, p->file.data, AF_PERF_LOOK, take_old_symbols, p);
        g_hash_table_unref(p->old_dsos);
    }
    return TRUE;
}

static void set_facts(perf *p)
{
    const gboolean linux_perf = p->file.linux_perf;
    af_sink_set_format(p->sink, "perf-data", linux_perf ? "perf recording" : "simpleperf recording",
                       "sample");
    af_sink_facts(p->sink)->format.producer = linux_perf ? "perf" : "simpleperf";
}

static gboolean read_opened(perf *p, GError **error)
{
    af_array_init(&p->n_samples, sizeof(uint64_t));
    if (p->file.pipe || p->file.events.n > 1) {
        af_perf_records(&p->file, p->file.data, AF_PERF_LOOK, take_head, p);
        if (p->file.pipe) {
            af_perf_name_events(&p->file);
        }
    }
    if (!choose_event(p, error) || !read_symbols(p, error)) {
        return FALSE;
    }
    set_facts(p);
    if (!choose_processes(p, error)) {
        return FALSE;
    }
    start_samples(p);
    af_chain_init(&p->chain, &p->symbols, p->options->show_art, p->file.linux_perf);
    if (p->file.features[AF_PERF_INIT_MAP].bytes != NULL) {
        af_perf_records(&p->file, p->file.features[AF_PERF_INIT_MAP], AF_PERF_TAKE, take_record, p);
    }
    af_perf_records(&p->file, p->file.data, p->file.linux_perf ? AF_PERF_TAKE_SORTED : AF_PERF_TAKE,
                    take_record, p);
    describe_threads(p);
    af_chain_clear(&p->chain);
    if (p->processor_trace && !p->sampled && !af_sink_is_stopped(p->sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                            "this recording holds a trace of the processor (ETM or Intel PT), not "
                            "stack samples; record with simpleperf record -g");
        return FALSE;
    }
    return TRUE;
}

/* Suggests remedies for missing symbols and stacks. */
static void warn_of_gaps(perf *p)
{
    af_sink *sink = p->sink;
    af_sink_facts(sink)->recording.truncated = p->file.clipped;
    if (p->file.clipped) {
        af_sink_warn(sink, AF_WARN_TRUNCATED_PERF, 1, AF_NO_OFFSET);
    }
    if (p->raw_stacks) {
        af_sink_warn(sink, AF_WARN_RAW_STACKS, 1, AF_NO_OFFSET);
    }
    if (p->symbols.build_ids_differ > 0) {
        af_sink_warn(sink, AF_WARN_SYMFS_OTHER, p->symbols.build_ids_differ, AF_NO_OFFSET);
    }
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    perf p = {.sink = sink, .options = options, .clock = AF_WALL};
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    if (!af_perf_file_open(&p.file, sink, source->bytes, source->length, error)) {
        af_perf_file_close(&p.file);
        return FALSE;
    }
    af_idtable_init(&p.processes, sizeof(af_choosable), af_sink_meter(sink));
    af_symbols_init(&p.symbols, sink);
    af_perf_tasks_init(&p.tasks, sink, &p.symbols);
    const gboolean ok = !af_sink_has_failed(sink) && read_opened(&p, error);
    warn_of_gaps(&p);
    af_sink_fail_if(sink, p.n_samples.failed || p.file.events.failed ||
                              af_arena_failed(p.tasks.arena) || af_arena_failed(p.symbols.arena));
    af_array_clear(&p.n_samples);
    g_free(p.chosen);
    af_idtable_clear(&p.processes);
    af_perf_tasks_clear(&p.tasks);
    af_symbols_clear(&p.symbols);
    af_perf_file_close(&p.file);
    if (af_sink_has_failed(sink)) {
        g_clear_error(error); /* refused memory can look like damage; af_sink_finish() reports it */
        return TRUE;
    }
    return ok;
}

const af_reader af_reader_perfdata = {
    .name = "perf-data",
    .title = "perf.data of simpleperf and Linux perf",
    .extensions = "data",
    .detect = detect,
    .read = read_input,
};
