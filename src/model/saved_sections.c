#include "model/saved_sections.h"

#include <stddef.h>
#include <string.h>

#include "base/aflp.h"
#include "model/run_sums.h"

/* Stores a value that was read. A profile that is written stays as it is: others may use it. */
#define STORE(codec, to, value)                                                                    \
    do {                                                                                           \
        if ((codec)->bytes == NULL) {                                                              \
            (to) = (value);                                                                        \
        }                                                                                          \
    } while (0)

static void code_profile(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    s->facts->saved.version = af_codec_name(c, s->facts->saved.version);
    s->facts->saved.input = af_codec_text(c, s->facts->saved.input);
    p->clocks = af_codec_u32(c, p->clocks);
    const uint32_t names = af_codec_u32(c, s->by_method ? AF_AFLP_BY_METHOD : (uint32_t)p->names);
    af_codec_flags(c, (gboolean *[]){&p->callers_above, &p->compensated}, 2, 0);
    p->app = af_codec_text(c, p->app);
    p->markers.instants = af_codec_u64(c, p->markers.instants);
    p->markers.values = af_codec_u64(c, p->markers.values);
    s->by_method = names == AF_AFLP_BY_METHOD;
    p->names = s->by_method ? AF_NAMES_FULL : (af_names)names;
    af_codec_check(c, p->clocks <= 3 && names <= AF_AFLP_BY_METHOD);
}

/* A fact: NUMBER and TEXT fields, and AT_LEAST fields, which store whether a field has that value or
 * a higher one. Tags are part of the file format and are never reused for another field. The unit's
 * name is absent if times are those of clocks. */
typedef struct {
    unsigned tag;
    size_t offset, size; /* 0: a text */
    uint32_t least;      /* 0 = the field has the value stored */
} fact_field;

/* clang-format off */
#define NUMBER(tag, name)          {tag, offsetof(af_facts, name), sizeof(((af_facts *)0)->name), 0}
#define TEXT(tag, name)            {tag, offsetof(af_facts, name), 0, 0}
#define AT_LEAST(tag, name, value) {tag, offsetof(af_facts, name), sizeof(((af_facts *)0)->name), value}
static const fact_field fact_fields[] = {
    NUMBER(1, container),
    NUMBER(2, format.version),
    NUMBER(3, android.text_version),
    TEXT(4, format.layout),
    TEXT(5, android.clock),
    TEXT(6, android.vm),
    NUMBER(7, has_pid),
    NUMBER(8, pid),
    NUMBER(9, recording.overflow),
    NUMBER(10, recording.has_elapsed),
    NUMBER(11, recording.elapsed_ns),
    NUMBER(12, recording.has_start),
    NUMBER(13, recording.start),
    NUMBER(14, recording.start_tick_ns),
    NUMBER(15, android.has_call_overhead),
    NUMBER(16, android.call_overhead_ns),
    NUMBER(17, recording.truncated),
    TEXT(18, android.repaired),
    NUMBER(19, counts.dropped_partial),
    NUMBER(20, android.dropped_zero_thread),
    NUMBER(21, android.dropped_fill),
    NUMBER(22, counts.methods),
    NUMBER(23, android.threads_listed),
    NUMBER(24, android.threads_announced),
    NUMBER(25, counts.records),
    NUMBER(26, counts.calls),
    NUMBER(27, counts.unknown_method_ids),
    NUMBER(28, counts.odd_actions),
    NUMBER(29, counts.backward_steps),
    NUMBER(30, counts.wraps),
    NUMBER(31, counts.lifted_threads),
    AT_LEAST(32, content, AF_CONTENT_SAMPLED_CALLS),
    TEXT(33, format.name),
    TEXT(34, format.title),
    TEXT(35, format.producer),
    TEXT(36, format.record),
    TEXT(37, weights.event),
    TEXT(38, app),
    NUMBER(39, threadless),
    AT_LEAST(40, content, AF_CONTENT_STACKS),
    AT_LEAST(41, content, AF_CONTENT_SAMPLES),
    AT_LEAST(42, content, AF_CONTENT_STACK_SLICES),
    NUMBER(43, weights.first_sample_ns),
    TEXT(44, weights.unit.name),
    NUMBER(45, weights.unit.counted),
    NUMBER(46, weights.unit.digits),
    NUMBER(47, recording.interval_ns),
    NUMBER(49, recording.end_ns),
    TEXT(50, part.title),
    TEXT(51, part.brief),
    NUMBER(52, part.has_range),
    NUMBER(53, part.range.from_ns),
    NUMBER(54, part.range.to_ns),
    NUMBER(55, recording.unrecorded_ns),
    TEXT(56, format.thread),
};
/* clang-format on */

/* NULL = none. */
static const fact_field *find_field(uint64_t tag, gboolean text)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(fact_fields); i++) {
        if (fact_fields[i].tag == tag && (fact_fields[i].size == 0) == text) {
            return &fact_fields[i];
        }
    }
    return NULL;
}

static void write_field(af_codec *c, const fact_field *f, const char *at)
{
    const char *text = NULL;
    uint32_t small = 0;
    uint64_t value = 0;
    if (f->size == 0) {
        memcpy(&text, at, sizeof text);
    } else if (f->size == sizeof value) {
        memcpy(&value, at, sizeof value);
    } else {
        memcpy(&small, at, sizeof small); /* may hold -1 */
        value = f->least > 0 ? small >= f->least : small;
    }
    if (text != NULL) {
        af_codec_u64(c, (uint64_t)f->tag * 2 + 1);
        af_codec_text(c, text);
    } else if (value != 0) {
        af_codec_u64(c, (uint64_t)f->tag * 2);
        af_codec_u64(c, value);
    }
}

static void read_field(af_codec *c, char *facts)
{
    const uint64_t tag = af_codec_u64(c, 0);
    const fact_field *f = find_field(tag / 2, tag % 2 == 1);
    const char *text = tag % 2 == 1 ? af_codec_text(c, NULL) : NULL;
    const uint64_t value = tag % 2 == 1 ? 0 : af_codec_u64(c, 0);
    uint32_t small = (uint32_t)value;
    if (f == NULL) {
        return;
    }
    char *at = facts + f->offset;
    if (f->size == 0) {
        memcpy(at, &text, sizeof text);
    } else if (f->size == sizeof value) {
        memcpy(at, &value, sizeof value);
    } else if (f->least == 0) {
        memcpy(at, &small, sizeof small);
    } else if (value != 0) {
        memcpy(&small, at, sizeof small);
        small = MAX(small, f->least);
        memcpy(at, &small, sizeof small);
    }
}

static void code_facts(af_codec *c, af_saved *s)
{
    af_facts *facts = s->facts;
    for (unsigned i = 0; c->bytes != NULL && i < G_N_ELEMENTS(fact_fields); i++) {
        write_field(c, &fact_fields[i], (const char *)facts + fact_fields[i].offset);
    }
    if (c->bytes != NULL) {
        return;
    }
    facts->recording.overflow = 0;
    while (c->at < c->end && !c->damaged) {
        read_field(c, (char *)facts);
    }
    const af_unit *unit = &facts->weights.unit;
    af_codec_check(
        c, (unsigned)facts->container <= AF_CONTAINER_OTHER && facts->recording.overflow >= -1 &&
               facts->recording.overflow <= 1 && unit->digits <= 3 &&
               (unit->name != NULL ? strlen(unit->name) <= AF_UNIT_NAME_MAX : !unit->counted) &&
               facts->part.has_range <= 1 &&
               (facts->container != AF_CONTAINER_OTHER || facts->format.title != NULL));
}

static void code_keys(af_codec *c, af_saved *s)
{
    af_facts *f = s->facts;
    af_fact *keys = af_codec_items(c, f->keys, &f->n_keys, sizeof *keys, 4);
    f->keys = keys;
    af_codec_texts(c, keys, f->n_keys, sizeof *keys, offsetof(af_fact, key));
    af_codec_texts(c, keys, f->n_keys, sizeof *keys, offsetof(af_fact, value));
    for (unsigned i = 0; i < f->n_keys; i++) {
        af_codec_check(c, keys[i].key != NULL && keys[i].value != NULL);
    }
}

static void code_processes(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    af_profile_process *all = af_codec_items(c, p->processes, &p->n_processes, sizeof *all, 4);
    p->processes = all;
    af_codec_texts(c, all, p->n_processes, sizeof *all, offsetof(af_profile_process, id));
    af_codec_texts(c, all, p->n_processes, sizeof *all, offsetof(af_profile_process, name));
    for (uint32_t i = 0; i < p->n_processes; i++) {
        af_codec_check(c, all[i].id != NULL);
    }
}

static void code_methods(af_codec *c, af_saved *s)
{
    enum { LEAST = 2 * AF_METHOD_TEXTS + 1, GROUP = AF_METHOD_TEXTS - 1 };
    af_profile *p = s->profile;
    af_method *all = af_codec_items(c, p->methods, &p->n_methods, sizeof *all, LEAST);
    gboolean grouped = FALSE;
    p->methods = all;
    for (uint32_t m = 0; m < p->n_methods; m++) {
        const uint64_t id = af_codec_u64(c, all[m].id);
        STORE(c, all[m].id, id);
        grouped = grouped || all[m].group != NULL;
    }
    for (unsigned t = 0; t < GROUP; t++) {
        af_codec_texts(c, all, p->n_methods, sizeof *all,
                       offsetof(af_method, texts) + t * sizeof(char *));
    }
    for (uint32_t m = 0; m < p->n_methods; m++) {
        const int64_t line = af_codec_signed(c, all[m].line);
        STORE(c, all[m].line, (int32_t)CLAMP(line, INT32_MIN, INT32_MAX));
    }
    for (uint32_t m = 0; m < p->n_methods; m++) {
        af_method it = all[m];
        it.annotation = af_codec_flags(
            c, (gboolean *[]){&it.defined, &it.slashed, &it.ambiguous, &it.synthetic}, 4,
            it.annotation);
        af_codec_check(c, it.annotation <= AF_ANNOTATION_WAKER && (it.defined || it.proxy != NULL));
        STORE(c, all[m], it);
    }
    if (grouped || c->at < c->end) {
        af_codec_texts(c, all, p->n_methods, sizeof *all, offsetof(af_method, group));
    }
}

/* The groups of labels: columns at the end of their section. */
static void code_groups(af_codec *c, af_profile *p)
{
    af_group *groups = af_codec_items(c, p->groups, &p->n_groups, sizeof *groups, 3);
    p->groups = groups;
    af_codec_texts(c, groups, p->n_groups, sizeof *groups, offsetof(af_group, title));
    for (uint32_t i = 0; i < p->n_groups; i++) {
        const uint32_t hue = af_codec_u32(c, groups[i].hue);
        STORE(c, groups[i].hue, (uint8_t)hue);
        af_codec_check(c, groups[i].title != NULL && hue < AF_CATEGORY_COUNT);
    }
    for (uint32_t l = 0; l < p->n_labels; l++) {
        const uint32_t group = af_codec_u32(c, p->labels[l].group);
        STORE(c, p->labels[l].group, (uint16_t)group);
        af_codec_check(c, group <= p->n_groups && group <= UINT16_MAX);
    }
}

static void code_labels(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    p->labels = af_codec_items(c, p->labels, &p->n_labels, sizeof *p->labels, 9);
    af_codec_texts(c, p->labels, p->n_labels, sizeof *p->labels, offsetof(af_label, text));
    for (uint32_t l = 0; l < p->n_labels; l++) {
        af_label label = p->labels[l];
        label.length = label.text == NULL ? 0 : (uint32_t)strlen(label.text);
        label.method = af_codec_u32(c, label.method);
        label.methods = af_codec_u32(c, label.methods);
        label.class_length = af_codec_u32(c, label.class_length);
        label.method_at = af_codec_u32(c, label.method_at);
        const uint32_t category = af_codec_u32(c, label.category);
        const uint32_t shade = af_codec_u32(c, label.shade);
        label.category = (af_category)category;
        label.shade = (uint8_t)shade;
        label.synthetic = af_codec_u64(c, label.synthetic) != 0;
        af_codec_check(c, label.text != NULL && label.method < p->n_methods &&
                              category < AF_CATEGORY_COUNT && shade <= AF_CATEGORY_DIM &&
                              label.class_length <= label.length &&
                              label.method_at <= label.length);
        STORE(c, p->labels[l], label);
    }
    if (c->bytes != NULL ? p->n_groups > 0 : c->at < c->end) {
        code_groups(c, p);
    }
}

static void code_warnings(af_codec *c, af_saved *s)
{
    unsigned n = 0;
    while (c->bytes != NULL && af_warnings_kind_at(s->warnings, n) >= 0) {
        n++;
    }
    n = c->bytes != NULL ? af_codec_u32(c, n) : af_codec_count(c, 3);
    for (unsigned i = 0; i < n; i++) {
        int kind = c->bytes != NULL ? af_warnings_kind_at(s->warnings, i) : 0;
        const char *id = af_codec_text(c, af_warning_id((af_warning_kind)kind));
        const uint64_t count = af_codec_u64(c, s->warnings->count[kind]);
        const uint64_t offset = af_codec_u64(c, s->warnings->offset[kind] + 1) - 1;
        kind = c->bytes == NULL && id != NULL ? af_warning_find(id, strlen(id)) : -1;
        if (kind >= 0) {
            af_warnings_add(s->warnings, (af_warning_kind)kind, count, offset);
        }
    }
}

static void code_mappings(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    af_mapped_facts *all = af_codec_items(c, p->mapped, &p->n_mapped, sizeof *all, 11);
    p->mapped = all;
    for (uint32_t i = 0; i < p->n_mapped; i++) {
        af_mapped_facts it = all[i];
        it.path = af_codec_name(c, it.path);
        it.compiler = af_codec_text(c, it.compiler);
        it.version = af_codec_text(c, it.version);
        it.id = af_codec_text(c, it.id);
        it.methods = af_codec_u64(c, it.methods);
        it.known = af_codec_u64(c, it.known);
        it.named = af_codec_u64(c, it.named);
        it.ambiguous = af_codec_u64(c, it.ambiguous);
        it.synthetic = af_codec_u64(c, it.synthetic);
        it.broken = af_codec_u64(c, it.broken);
        it.other_build = af_codec_u64(c, it.other_build) != 0;
        STORE(c, all[i], it);
    }
}

/* A process + 1; 0 = AF_NO_PROCESS. */
static uint32_t code_process(af_codec *c, const af_profile *p, uint32_t process)
{
    process = af_codec_u32(c, process + 1) - 1;
    af_codec_check(c, process == AF_NO_PROCESS || process < p->n_processes);
    return process;
}

static void code_markers(af_codec *c, af_saved *s)
{
    af_markers *markers = &s->profile->markers;
    af_marker_series *all = af_codec_items(c, markers->series, &markers->n_series, sizeof *all, 5);
    markers->series = all;
    af_codec_texts(c, all, markers->n_series, sizeof *all, offsetof(af_marker_series, name));
    for (uint32_t i = 0; i < markers->n_series; i++) {
        af_marker_series it = all[i];
        const uint32_t kind = af_codec_u32(c, it.kind);
        it.kind = (af_marker_kind)kind;
        it.process = code_process(c, s->profile, it.process);
        it.count = af_codec_u64(c, it.count);
        af_codec_check(c, it.name != NULL && kind <= AF_MARKER_COUNTER);
        STORE(c, all[i], it);
    }
}

static void code_clocks(af_codec *c, uint64_t times[AF_CLOCKS])
{
    for (unsigned i = 0; i < AF_CLOCKS; i++) {
        times[i] = af_codec_u64(c, times[i]);
    }
}

static void code_steps(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    af_step_record *all = af_codec_items(c, p->steps, &p->n_steps, sizeof *all, 8);
    p->steps = all;
    for (unsigned i = 0; i < p->n_steps; i++) {
        af_step_record it = all[i];
        it.option = af_codec_name(c, it.option);
        it.message = af_codec_text(c, it.message);
        it.sorts = af_codec_u64(c, it.sorts) != 0;
        it.matched = af_codec_u64(c, it.matched);
        code_clocks(c, it.left_out_ns);
        code_clocks(c, it.moved_ns);
        STORE(c, all[i], it);
    }
}

static void code_thread(af_codec *c, const af_profile *p, af_thread *t)
{
    t->id = af_codec_u64(c, t->id);
    t->number = af_codec_u32(c, t->number);
    t->name = af_codec_name(c, t->name);
    t->process = code_process(c, p, t->process);
    t->records = af_codec_u64(c, t->records);
    t->calls = af_codec_u64(c, t->calls);
    code_clocks(c, t->first_ns);
    code_clocks(c, t->last_ns);
    t->open_at_end = af_codec_u64(c, t->open_at_end);
    t->exits_on_empty = af_codec_u64(c, t->exits_on_empty);
    t->missing_exits = af_codec_u64(c, t->missing_exits);
    t->unmatched_exits = af_codec_u64(c, t->unmatched_exits);
    t->unwinds = af_codec_u64(c, t->unwinds);
    t->cut_at_begin = af_codec_u64(c, t->cut_at_begin);
    t->max_depth = af_codec_u32(c, t->max_depth);
    t->merged = af_codec_u32(c, t->merged);
    af_codec_flags(c, (gboolean *[]){&t->exited, &t->listed, &t->sampled, &t->is_track}, 4, 0);
}

static void code_threads(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    p->threads = af_codec_items(c, p->threads, &p->n_threads, sizeof *p->threads, 19);
    for (uint32_t t = 0; t < p->n_threads; t++) {
        code_thread(c, p, &p->threads[t]);
    }
}

static void code_rows(af_codec *c, const af_profile *p, const af_run_sums *sums, af_run *run)
{
    run->rows = af_codec_items(c, run->rows, &run->n_rows, sizeof *run->rows, 9);
    for (uint32_t i = 0; i < run->n_rows; i++) {
        af_run_row row = run->rows[i];
        row.thread = af_codec_u32(c, row.thread);
        const uint64_t name = af_codec_u64(c, (uint64_t)row.name * 2 + (row.masked ? 1 : 0));
        row.name = (uint32_t)MIN(name / 2, UINT32_MAX);
        row.masked = (name & 1) != 0;
        row.calls = af_codec_u64(c, row.calls);
        for (unsigned k = 0; k < AF_RUN_MEASURES; k++) {
            row.self[k] = af_codec_u64(c, row.self[k]);
            row.inclusive[k] = af_codec_u64(c, row.inclusive[k]);
        }
        af_codec_check(c, row.thread < p->n_threads && row.name < sums->n_names);
        STORE(c, run->rows[i], row);
    }
}

static void code_runs(af_codec *c, af_saved *s)
{
    af_profile *p = s->profile;
    af_run_sums *stored = c->bytes == NULL ? af_arena_alloc(c->arena, sizeof *stored) : NULL;
    af_run_sums sums = c->bytes != NULL ? *p->run_sums : (af_run_sums){0};
    sums.n_runs = af_codec_u32(c, sums.n_runs);
    const char **names = af_codec_items(c, sums.names, &sums.n_names, sizeof *names, 2);
    sums.names = names;
    af_codec_texts(c, names, sums.n_names, sizeof *names, 0);
    for (uint32_t i = 0; i < sums.n_names; i++) {
        af_codec_check(c, names[i] != NULL);
    }
    af_run *runs = af_codec_items(c, sums.runs, &sums.n_summed, sizeof *runs, AF_RUN_HASH + 1);
    sums.runs = runs;
    af_codec_check(c, sums.n_runs > 0 && sums.n_summed <= MIN(sums.n_runs, AF_RUNS_MAX));
    for (uint32_t i = 0; i < sums.n_summed; i++) {
        af_run run = runs[i];
        af_codec_bytes(c, run.hash, sizeof run.hash);
        code_rows(c, p, &sums, &run);
        STORE(c, runs[i], run);
    }
    af_codec_check(c, c->bytes != NULL || stored != NULL);
    if (stored != NULL) {
        *stored = sums;
        p->run_sums = stored;
    }
}

void af_saved_section(af_codec *c, unsigned section, af_saved *saved)
{
    static void (*const sections[])(af_codec *, af_saved *) = {
        [AF_AFLP_PROFILE] = code_profile,   [AF_AFLP_FACTS] = code_facts,
        [AF_AFLP_KEYS] = code_keys,         [AF_AFLP_PROCESSES] = code_processes,
        [AF_AFLP_METHODS] = code_methods,   [AF_AFLP_LABELS] = code_labels,
        [AF_AFLP_WARNINGS] = code_warnings, [AF_AFLP_MAPPINGS] = code_mappings,
        [AF_AFLP_MARKERS] = code_markers,   [AF_AFLP_STEPS] = code_steps,
        [AF_AFLP_THREADS] = code_threads,   [AF_AFLP_RUNS] = code_runs,
    };
    if (section < G_N_ELEMENTS(sections) && sections[section] != NULL) {
        sections[section](c, saved);
    }
}
