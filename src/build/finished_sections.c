/* The sections of a saved profile, see base/aflp.h. */
#include <stddef.h>
#include <string.h>

#include "base/aflp.h"
#include "base/bytes.h"
#include "base/workers.h"
#include "build/finished_state.h"
#include "build/sink_state.h"
#include "model/facts_fields.h"
#include "model/labels.h"
#include "model/run_sums.h"

uint64_t af_finished_number(af_finished_cursor *c)
{
    uint64_t value = 0;
    if (c->damaged || !af_uleb128(&c->at, c->end, &value)) {
        c->damaged = TRUE;
        return 0;
    }
    return value;
}

uint32_t af_finished_u32(af_finished_cursor *c)
{
    const uint64_t value = af_finished_number(c);
    c->damaged |= value > UINT32_MAX;
    return c->damaged ? 0 : (uint32_t)value;
}

static int64_t take_signed(af_finished_cursor *c)
{
    const uint64_t value = af_finished_number(c);
    return (value & 1) != 0 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

/* Reads the count of items that take at least `least` bytes each. */
static uint32_t take_count(af_finished_cursor *c, unsigned least)
{
    const uint64_t n = af_finished_number(c);
    c->damaged |= n > (uint64_t)(c->end - c->at) / least || n >= UINT32_MAX;
    return c->damaged ? 0 : (uint32_t)n;
}

uint32_t af_finished_count(af_finished_cursor *c)
{
    return take_count(c, 1);
}

/* Returns a view of the payload; bytes == NULL if the text is absent. */
static af_span take_text(af_finished_cursor *c)
{
    const uint64_t n = af_finished_number(c);
    if (c->damaged || n == 0 || n - 1 > (uint64_t)(c->end - c->at)) {
        c->damaged |= n > 0;
        return (af_span){NULL, 0};
    }
    const af_span text = {(const char *)c->at, (size_t)n - 1};
    c->at += n - 1;
    return text;
}

/* The texts are in the arena. Returns NULL if the column is damaged, or memory is refused or at its
 * limit. */
static af_span *read_texts(af_finished_cursor *c, af_arena *arena, af_sink *sink, uint32_t n)
{
    const size_t bytes = ((size_t)n + 1) * sizeof(af_span);
    if (!af_sink_fits(sink, bytes)) {
        return NULL;
    }
    af_sink_meter(sink)->bytes += bytes;
    af_span *texts = af_arena_alloc(arena, bytes);
    af_span before = {"", 0};
    for (uint32_t i = 0; i < n && texts != NULL && !c->damaged; i++) {
        const uint64_t shared = af_finished_number(c);
        const af_span rest = take_text(c);
        c->damaged |= shared > before.length || (shared > 0 && rest.bytes == NULL);
        if (c->damaged || rest.bytes == NULL || shared == 0) {
            texts[i] = c->damaged ? (af_span){NULL, 0} : rest;
        } else {
            char *whole = af_arena_alloc(arena, (size_t)shared + rest.length + 1);
            if (whole == NULL) {
                return NULL;
            }
            memcpy(whole, before.bytes, (size_t)shared);
            memcpy(whole + shared, rest.bytes, rest.length);
            texts[i] = (af_span){whole, (size_t)shared + rest.length};
        }
        before = texts[i].bytes != NULL ? texts[i] : (af_span){"", 0};
    }
    return c->damaged ? NULL : texts;
}

/* The state that the sections share. */
typedef struct {
    af_sink *sink;
    af_finished *finished;
    af_arena *arena;                    /* of texts until the sink has copied them */
    af_finished_cursor methods, labels; /* their sections; .at == NULL without one */
} reading;

/* Adds `n` items, all zero. Returns FALSE if memory is refused or at its limit. */
static gboolean add_items(af_sink *sink, af_array *array, size_t n)
{
    return (array->n + n <= array->capacity ||
            af_sink_fits(sink, MAX(array->n, n) * array->size)) &&
           af_array_reach(array, array->n + n);
}

static void *add_item(af_sink *sink, af_array *array)
{
    return add_items(sink, array, 1) ? af_array_at(array, array->n - 1) : NULL;
}

static const char *take_clean(reading *r, af_finished_cursor *c)
{
    return af_sink_clean(r->sink, take_text(c));
}

/* 0 is none. */
static uint32_t take_process(af_finished_cursor *c)
{
    return af_finished_u32(c) - 1; /* 0 becomes AF_NO_PROCESS */
}

static gboolean has_process(const reading *r, uint32_t process)
{
    return process == AF_NO_PROCESS || process < r->sink->processes.n;
}

static gboolean read_profile(reading *r, af_finished_cursor *c)
{
    af_finished *f = r->finished;
    af_facts *facts = &r->sink->facts;
    facts->saved.version = take_clean(r, c);
    facts->saved.input = take_clean(r, c);
    f->clocks = r->sink->clocks = af_finished_u32(c);
    const uint32_t names = af_finished_u32(c);
    const uint64_t flags = af_finished_number(c);
    f->app = take_clean(r, c);
    f->instants = af_finished_number(c);
    f->values = af_finished_number(c);
    f->by_method = names == AF_AFLP_BY_METHOD;
    f->names = f->by_method ? AF_NAMES_FULL : (af_names)names;
    f->callers_above = (flags & AF_AFLP_CALLERS_ABOVE) != 0;
    f->compensated = (flags & AF_AFLP_COMPENSATED) != 0;
    return f->clocks <= 3 && (unsigned)f->names <= AF_NAMES_FULL && facts->saved.version != NULL;
}

typedef struct {
    unsigned tag;
    gboolean text;
    size_t offset, size;
    uint32_t least; /* a flag: the field has at least this value. 0 = it has the value stored */
} field;

static const field fields[] = {
#define NUMBER(tag, name) {tag, FALSE, offsetof(af_facts, name), sizeof(((af_facts *)0)->name), 0},
#define TEXT(tag, name)   {tag, TRUE, offsetof(af_facts, name), sizeof(char *), 0},
#define AT_LEAST(tag, name, value)                                                                 \
    {tag, FALSE, offsetof(af_facts, name), sizeof(((af_facts *)0)->name), value},
    AF_FACTS_FIELDS(NUMBER, TEXT, AT_LEAST)
#undef NUMBER
#undef TEXT
#undef AT_LEAST
};

static const field *find_field(uint64_t tag, gboolean text)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        if (fields[i].tag == tag && fields[i].text == text) {
            return &fields[i];
        }
    }
    return NULL;
}

static void read_field(reading *r, af_finished_cursor *c)
{
    char *facts = (char *)af_sink_facts(r->sink);
    const uint64_t tag = af_finished_number(c);
    const field *f = find_field(tag / 2, tag % 2 == 1);
    if (tag % 2 == 1) {
        const char *text = af_sink_clean(r->sink, take_text(c));
        if (f != NULL) {
            memcpy(facts + f->offset, &text, sizeof text);
        }
        return;
    }
    const uint64_t value = af_finished_number(c);
    const uint32_t small = (uint32_t)value;
    if (f != NULL && f->least > 0) {
        uint32_t now;
        memcpy(&now, facts + f->offset, sizeof now);
        now = value != 0 ? MAX(now, f->least) : now;
        memcpy(facts + f->offset, &now, sizeof now);
    } else if (f != NULL && f->size == sizeof small) {
        memcpy(facts + f->offset, &small, sizeof small);
    } else if (f != NULL) {
        memcpy(facts + f->offset, &value, sizeof value);
    }
}

static gboolean read_facts(reading *r, af_finished_cursor *c)
{
    af_facts *facts = af_sink_facts(r->sink);
    facts->recording.overflow = 0;
    while (c->at < c->end && !c->damaged) {
        read_field(r, c);
    }
    return (unsigned)facts->container <= AF_CONTAINER_OTHER && facts->recording.overflow >= -1 &&
           facts->recording.overflow <= 1 && facts->weights.unit.digits <= 3 &&
           (facts->weights.unit.name == NULL ||
            strlen(facts->weights.unit.name) <= AF_UNIT_NAME_MAX) &&
           facts->part.has_range <= 1 &&
           (facts->container != AF_CONTAINER_OTHER || facts->format.title != NULL);
}

static gboolean read_keys(reading *r, af_finished_cursor *c)
{
    const uint32_t n = af_finished_count(c);
    const af_span *keys = read_texts(c, r->arena, r->sink, n);
    const af_span *values = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; keys != NULL && values != NULL && i < n; i++) {
        af_sink_add_fact(r->sink, keys[i], values[i]);
    }
    return keys != NULL && values != NULL;
}

static gboolean read_processes(reading *r, af_finished_cursor *c)
{
    const uint32_t n = af_finished_count(c);
    const af_span *ids = read_texts(c, r->arena, r->sink, n);
    const af_span *names = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; ids != NULL && names != NULL && i < n; i++) {
        af_sink_add_process(r->sink, ids[i], names[i]);
    }
    return ids != NULL && names != NULL;
}

static gboolean skip_methods(reading *r, af_finished_cursor *c)
{
    r->methods = *c;
    return TRUE;
}

/* Reads a text of each of `n` methods. Returns FALSE as read_texts(). */
static gboolean read_method_texts(reading *r, af_finished_cursor *c, af_method *methods, uint32_t n,
                                  unsigned which)
{
    const af_span *texts = read_texts(c, r->arena, r->sink, n);
    for (uint32_t m = 0; texts != NULL && m < n; m++) {
        methods[m].texts[which] = af_sink_clean(r->sink, texts[m]);
    }
    return texts != NULL;
}

static gboolean read_methods(reading *r, af_finished_cursor *c)
{
    enum { LEAST = 2 * AF_METHOD_TEXTS + 1, GROUP = AF_METHOD_TEXTS - 1 };
    const uint32_t n = take_count(c, LEAST);
    gboolean ok = add_items(r->sink, &r->finished->methods, n);
    af_method *const methods = r->finished->methods.items;
    for (uint32_t m = 0; ok && m < n; m++) {
        methods[m].id = af_finished_number(c);
    }
    for (unsigned which = 0; ok && which < GROUP; which++) {
        ok = read_method_texts(r, c, methods, n, which);
    }
    for (uint32_t m = 0; ok && m < n; m++) {
        const int64_t line = take_signed(c);
        methods[m].line = (int32_t)CLAMP(line, INT32_MIN, INT32_MAX);
    }
    for (uint32_t m = 0; ok && m < n; m++) {
        const uint32_t flags = af_finished_u32(c);
        methods[m].annotation = (af_annotation)(flags / AF_AFLP_ANNOTATION);
        methods[m].defined = (flags & AF_AFLP_DEFINED) != 0;
        methods[m].slashed = (flags & AF_AFLP_SLASHED) != 0;
        methods[m].ambiguous = (flags & AF_AFLP_AMBIGUOUS) != 0;
        methods[m].synthetic = (flags & AF_AFLP_SYNTHETIC) != 0;
        ok = flags / AF_AFLP_ANNOTATION <= AF_ANNOTATION_WAKER &&
             (methods[m].defined || methods[m].proxy != NULL);
    }
    return ok && !c->damaged && (c->at == c->end || read_method_texts(r, c, methods, n, GROUP));
}

static gboolean read_groups(reading *r, af_finished_cursor *c)
{
    const uint32_t n = af_finished_count(c);
    const af_span *titles = read_texts(c, r->arena, r->sink, n);
    gboolean ok = titles != NULL && add_items(r->sink, &r->finished->groups, n);
    af_group *const groups = r->finished->groups.items;
    for (uint32_t i = 0; ok && i < n; i++) {
        const uint32_t hue = af_finished_u32(c);
        groups[i] = (af_group){.title = af_sink_clean(r->sink, titles[i]), .hue = (uint8_t)hue};
        ok = groups[i].title != NULL && hue < AF_CATEGORY_COUNT;
    }
    return ok && !c->damaged;
}

static gboolean skip_labels(reading *r, af_finished_cursor *c)
{
    r->labels = *c;
    return TRUE;
}

/* Reads the numbers of a label. Returns FALSE if they are invalid. */
static gboolean read_label(const reading *r, af_finished_cursor *c, const char *text,
                           af_label *label)
{
    *label = (af_label){.text = text, .length = text == NULL ? 0 : (uint32_t)strlen(text)};
    label->method = af_finished_u32(c);
    label->methods = af_finished_u32(c);
    label->class_length = af_finished_u32(c);
    label->method_at = af_finished_u32(c);
    const uint32_t category = af_finished_u32(c), shade = af_finished_u32(c);
    label->category = (af_category)category;
    label->shade = (uint8_t)shade;
    label->synthetic = af_finished_number(c) != 0;
    return text != NULL && label->method < r->finished->methods.n && category < AF_CATEGORY_COUNT &&
           shade <= AF_CATEGORY_DIM && label->class_length <= label->length &&
           label->method_at <= label->length;
}

static gboolean read_labels(reading *r, af_finished_cursor *c)
{
    enum { LEAST = 9 };
    af_finished *f = r->finished;
    const uint32_t n = take_count(c, LEAST);
    const af_span *texts = read_texts(c, r->arena, r->sink, n);
    gboolean ok = texts != NULL && add_items(r->sink, &f->labels, n);
    af_label *const labels = f->labels.items;
    for (uint32_t l = 0; ok && l < n; l++) {
        ok = read_label(r, c, af_sink_clean(r->sink, texts[l]), &labels[l]);
    }
    if (!ok || c->damaged || c->at == c->end) {
        return ok && !c->damaged;
    }
    ok = read_groups(r, c);
    for (uint32_t l = 0; ok && l < n; l++) {
        const uint32_t group = af_finished_u32(c);
        labels[l].group = (uint16_t)group;
        ok = group <= f->groups.n && group <= UINT16_MAX;
    }
    return ok && !c->damaged;
}

static gboolean read_warnings(reading *r, af_finished_cursor *c)
{
    for (uint32_t n = af_finished_count(c); n > 0; n--) {
        const af_span id = take_text(c);
        const uint64_t count = af_finished_number(c), offset = af_finished_number(c);
        const int kind = id.bytes == NULL ? -1 : af_warning_find(id.bytes, id.length);
        if (kind >= 0) {
            af_sink_warn(r->sink, (af_warning_kind)kind, count, offset - 1);
        }
    }
    return !c->damaged;
}

static gboolean read_mappings(reading *r, af_finished_cursor *c)
{
    for (uint32_t n = af_finished_count(c); n > 0 && !c->damaged; n--) {
        af_mapped_facts *mapping = add_item(r->sink, &r->finished->mappings);
        if (mapping == NULL) {
            return FALSE;
        }
        mapping->path = take_clean(r, c);
        mapping->compiler = take_clean(r, c);
        mapping->version = take_clean(r, c);
        mapping->id = take_clean(r, c);
        mapping->methods = af_finished_number(c);
        mapping->known = af_finished_number(c);
        mapping->named = af_finished_number(c);
        mapping->ambiguous = af_finished_number(c);
        mapping->synthetic = af_finished_number(c);
        mapping->broken = af_finished_number(c);
        mapping->other_build = af_finished_number(c) != 0;
        if (mapping->path == NULL) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_markers(reading *r, af_finished_cursor *c)
{
    const uint32_t n = af_finished_count(c);
    const af_span *names = read_texts(c, r->arena, r->sink, n);
    gboolean ok = names != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        af_marker_series *series = add_item(r->sink, &r->finished->series);
        if (series == NULL) {
            return FALSE;
        }
        const uint32_t kind = af_finished_u32(c);
        series->name = af_sink_clean(r->sink, names[i]);
        series->kind = (af_marker_kind)kind;
        series->process = take_process(c);
        series->count = af_finished_number(c);
        ok = !c->damaged && series->name != NULL && kind <= AF_MARKER_COUNTER &&
             has_process(r, series->process);
    }
    return ok;
}

static void read_clocks(af_finished_cursor *c, uint64_t times[AF_CLOCKS])
{
    for (unsigned i = 0; i < AF_CLOCKS; i++) {
        times[i] = af_finished_number(c);
    }
}

static gboolean read_steps(reading *r, af_finished_cursor *c)
{
    for (uint32_t n = af_finished_count(c); n > 0 && !c->damaged; n--) {
        af_step_record *step = add_item(r->sink, &r->finished->steps);
        if (step == NULL) {
            return FALSE;
        }
        step->option = take_clean(r, c);
        step->message = take_clean(r, c);
        step->sorts = af_finished_number(c) != 0;
        step->matched = af_finished_number(c);
        read_clocks(c, step->left_out_ns);
        read_clocks(c, step->moved_ns);
        if (step->option == NULL) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_thread(reading *r, af_finished_cursor *c)
{
    af_thread *thread = add_item(r->sink, &r->finished->threads);
    if (thread == NULL) {
        return FALSE;
    }
    thread->id = af_finished_number(c);
    thread->number = af_finished_u32(c);
    thread->name = take_clean(r, c);
    thread->process = take_process(c);
    thread->records = af_finished_number(c);
    thread->calls = af_finished_number(c);
    read_clocks(c, thread->first_ns);
    read_clocks(c, thread->last_ns);
    thread->open_at_end = af_finished_number(c);
    thread->exits_on_empty = af_finished_number(c);
    thread->missing_exits = af_finished_number(c);
    thread->unmatched_exits = af_finished_number(c);
    thread->unwinds = af_finished_number(c);
    thread->cut_at_begin = af_finished_number(c);
    thread->max_depth = af_finished_u32(c);
    thread->merged = af_finished_u32(c);
    const uint64_t flags = af_finished_number(c);
    thread->exited = (flags & AF_AFLP_EXITED) != 0;
    thread->listed = (flags & AF_AFLP_LISTED) != 0;
    thread->sampled = (flags & AF_AFLP_SAMPLED) != 0;
    thread->is_track = (flags & AF_AFLP_TRACK) != 0;
    return !c->damaged && thread->name != NULL && has_process(r, thread->process);
}

static gboolean read_threads(reading *r, af_finished_cursor *c)
{
    gboolean ok = TRUE;
    for (uint32_t n = af_finished_count(c); ok && n > 0; n--) {
        ok = read_thread(r, c);
    }
    return ok && !c->damaged;
}

/* The columns are read later, because several threads can share that. */
static gboolean read_tree(reading *r, af_finished_cursor *c)
{
    af_finished *f = r->finished;
    af_finished_tree *tree = f->trees.n < f->threads.n ? add_item(r->sink, &f->trees) : NULL;
    return tree != NULL && af_finished_begin_tree(c, tree, r->sink);
}

static void read_columns(void *user, unsigned tree)
{
    af_finished_read_tree(user, tree);
}

/* The number of methods or labels that the trees name. */
static uint32_t count_names(const reading *r)
{
    af_finished_cursor names = r->finished->by_method ? r->methods : r->labels;
    return names.at != NULL ? af_finished_count(&names) : 0;
}

/* Reads the methods and labels while other threads read the columns. */
static gboolean read_names_and_columns(reading *r, unsigned jobs)
{
    af_finished *f = r->finished;
    af_work columns;
    af_work_begin(&columns, (unsigned)f->trees.n, jobs, read_columns, f);
    gboolean damaged = (r->methods.at != NULL && !read_methods(r, &r->methods)) ||
                       (r->labels.at != NULL && !read_labels(r, &r->labels));
    af_work_end(&columns);
    for (size_t t = 0; t < f->trees.n; t++) {
        const af_finished_tree *tree = &AF_ARRAY_AT(&f->trees, af_finished_tree, t);
        af_sink_fail_if(r->sink, tree->refused);
        damaged |= tree->refused || tree->at.damaged;
    }
    return !damaged;
}

/* ---- the runs of a merged profile ---- */

static gboolean read_run(reading *r, af_finished_cursor *c, af_run_sums *sums)
{
    if ((size_t)(c->end - c->at) < AF_RUN_HASH ||
        sums->n_summed >= MIN(sums->n_runs, AF_RUNS_MAX)) {
        return FALSE;
    }
    af_run *run = (af_run *)&sums->runs[sums->n_summed++];
    *run = (af_run){0};
    memcpy(run->hash, c->at, AF_RUN_HASH);
    c->at += AF_RUN_HASH;
    const uint32_t n = af_finished_count(c);
    if (c->damaged || !af_sink_fits(r->sink, sizeof(af_run_row) * (uint64_t)n)) {
        return FALSE;
    }
    run->rows = af_arena_alloc(r->sink->arena, sizeof(af_run_row) * ((size_t)n + 1));
    gboolean ok = run->rows != NULL;
    for (; ok && run->n_rows < n; run->n_rows++) {
        af_run_row *row = &run->rows[run->n_rows];
        row->thread = af_finished_u32(c);
        const uint64_t name = af_finished_number(c);
        row->name = (uint32_t)MIN(name / 2, UINT32_MAX);
        row->masked = (name & 1) != 0;
        row->calls = af_finished_number(c);
        for (unsigned k = 0; k < AF_RUN_MEASURES; k++) {
            row->self[k] = af_finished_number(c);
            row->inclusive[k] = af_finished_number(c);
        }
        ok = !c->damaged && row->thread < r->finished->threads.n && row->name < sums->n_names;
    }
    return ok;
}

static gboolean read_runs(reading *r, af_finished_cursor *c)
{
    af_arena *arena = r->sink->arena;
    const uint32_t n_runs = af_finished_u32(c), n_names = af_finished_count(c);
    const af_span *names = read_texts(c, r->arena, r->sink, n_names);
    const char **texts = af_arena_alloc(arena, sizeof *texts * ((size_t)n_names + 1));
    af_run *runs = af_arena_alloc(arena, sizeof *runs * AF_RUNS_MAX);
    af_run_sums *sums = af_arena_alloc(arena, sizeof *sums);
    gboolean ok = names != NULL && r->finished->trees.n == r->finished->threads.n &&
                  texts != NULL && runs != NULL && sums != NULL && n_runs > 0;
    for (uint32_t i = 0; ok && i < n_names; i++) {
        texts[i] = af_sink_clean(r->sink, names[i]);
        ok = texts[i] != NULL;
    }
    if (!ok) {
        return FALSE;
    }
    *sums = (af_run_sums){.n_runs = n_runs, .names = texts, .n_names = n_names, .runs = runs};
    r->finished->run_sums = sums;
    for (uint32_t n = af_finished_count(c); ok && n > 0; n--) {
        ok = read_run(r, c, sums);
    }
    return ok && !c->damaged;
}

static gboolean (*const sections[])(reading *r, af_finished_cursor *c) = {
    [AF_AFLP_PROFILE] = read_profile,   [AF_AFLP_FACTS] = read_facts,
    [AF_AFLP_KEYS] = read_keys,         [AF_AFLP_PROCESSES] = read_processes,
    [AF_AFLP_METHODS] = skip_methods,   [AF_AFLP_LABELS] = skip_labels,
    [AF_AFLP_WARNINGS] = read_warnings, [AF_AFLP_MAPPINGS] = read_mappings,
    [AF_AFLP_MARKERS] = read_markers,   [AF_AFLP_STEPS] = read_steps,
    [AF_AFLP_THREADS] = read_threads,   [AF_AFLP_TREE] = read_tree,
    [AF_AFLP_RUNS] = read_runs,
};

static gboolean read_section(reading *r, af_finished_cursor *all, uint64_t *last)
{
    const uint64_t number = af_finished_number(all), length = af_finished_number(all);
    if (all->damaged || length > (uint64_t)(all->end - all->at) || number < *last ||
        (number == *last && number != AF_AFLP_TREE) || (*last == 0 && number != AF_AFLP_PROFILE)) {
        return FALSE;
    }
    af_finished_cursor content = {.at = all->at, .end = all->at + length};
    all->at += length;
    *last = number;
    return number >= G_N_ELEMENTS(sections) || sections[number] == NULL ||
           (sections[number](r, &content) && !content.damaged);
}

gboolean af_finished_read(af_sink *sink, const uint8_t *payload, size_t length,
                          const af_open_options *options)
{
    af_meter *const meter = af_sink_meter(sink);
    af_finished *f = sink->finished = g_new0(af_finished, 1);
    reading r = {.sink = sink, .finished = f, .arena = af_arena_new()};
    f->only_sums = options->only_sums;
    af_array_init_metered(&f->methods, sizeof(af_method), meter);
    af_array_init_metered(&f->labels, sizeof(af_label), meter);
    af_array_init_metered(&f->groups, sizeof(af_group), meter);
    af_array_init_metered(&f->mappings, sizeof(af_mapped_facts), meter);
    af_array_init_metered(&f->series, sizeof(af_marker_series), meter);
    af_array_init_metered(&f->steps, sizeof(af_step_record), meter);
    af_array_init_metered(&f->threads, sizeof(af_thread), meter);
    af_array_init_metered(&f->trees, sizeof(af_finished_tree), meter);
    af_finished_cursor all = {.at = payload, .end = payload + length};
    uint64_t last = 0;
    gboolean ok = length > 0;
    while (ok && all.at < all.end && !af_sink_is_stopped(sink)) {
        ok = read_section(&r, &all, &last);
    }
    f->n_names = count_names(&r);
    ok = ok && last >= AF_AFLP_THREADS && f->trees.n == f->threads.n &&
         read_names_and_columns(&r, options->jobs);
    af_sink_fail_if(sink, af_arena_failed(r.arena));
    af_arena_free(r.arena);
    return ok;
}
