#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/workers.h"
#include "model/facts_fields.h"
#include "read/aflp/aflp.h"

uint64_t af_aflp_number(af_aflp_cursor *c)
{
    uint64_t value = 0;
    if (c->damaged || !af_uleb128(&c->at, c->end, &value)) {
        c->damaged = TRUE;
        return 0;
    }
    return value;
}

uint32_t af_aflp_u32(af_aflp_cursor *c)
{
    const uint64_t value = af_aflp_number(c);
    c->damaged |= value > UINT32_MAX;
    return c->damaged ? 0 : (uint32_t)value;
}

static int64_t take_signed(af_aflp_cursor *c)
{
    const uint64_t value = af_aflp_number(c);
    return (value & 1) != 0 ? -(int64_t)(value >> 1) - 1 : (int64_t)(value >> 1);
}

uint32_t af_aflp_count(af_aflp_cursor *c)
{
    const uint64_t n = af_aflp_number(c);
    c->damaged |= n > (uint64_t)(c->end - c->at) || n >= UINT32_MAX;
    return c->damaged ? 0 : (uint32_t)n;
}

/* Returns a view of the payload; bytes == NULL if the text is absent. */
static af_span take_text(af_aflp_cursor *c)
{
    const uint64_t n = af_aflp_number(c);
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
static af_span *read_texts(af_aflp_cursor *c, af_arena *arena, af_sink *sink, uint32_t n)
{
    const size_t bytes = ((size_t)n + 1) * sizeof(af_span);
    if (!af_sink_fits(sink, bytes)) {
        return NULL;
    }
    af_sink_meter(sink)->bytes += bytes;
    af_span *texts = af_arena_alloc(arena, bytes);
    af_span before = {"", 0};
    for (uint32_t i = 0; i < n && texts != NULL && !c->damaged; i++) {
        const uint64_t shared = af_aflp_number(c);
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
    af_arena *arena; /* of texts until the sink has copied them */
    af_finished_head head;
    af_aflp_cursor methods, labels; /* their sections; .at == NULL without one */
    uint32_t n_threads;
    gboolean only_sums; /* as in af_open_options */
    af_array trees;     /* of af_aflp_tree */
} reading;

static gboolean read_profile(reading *r, af_aflp_cursor *c)
{
    r->head.saved_by = take_text(c);
    r->head.input = take_text(c);
    r->head.clocks = af_aflp_u32(c);
    const uint32_t names = af_aflp_u32(c);
    const uint64_t flags = af_aflp_number(c);
    r->head.app = take_text(c);
    r->head.instants = af_aflp_number(c);
    r->head.values = af_aflp_number(c);
    r->head.by_method = names == AF_AFLP_BY_METHOD;
    r->head.names = r->head.by_method ? AF_NAMES_FULL : (af_names)names;
    r->head.callers_above = (flags & AF_AFLP_CALLERS_ABOVE) != 0;
    r->head.compensated = (flags & AF_AFLP_COMPENSATED) != 0;
    return af_finished_begin(r->sink, &r->head);
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

static void read_field(reading *r, af_aflp_cursor *c)
{
    char *facts = (char *)af_sink_facts(r->sink);
    const uint64_t tag = af_aflp_number(c);
    const field *f = find_field(tag / 2, tag % 2 == 1);
    if (tag % 2 == 1) {
        const char *text = af_sink_clean(r->sink, take_text(c));
        if (f != NULL) {
            memcpy(facts + f->offset, &text, sizeof text);
        }
        return;
    }
    const uint64_t value = af_aflp_number(c);
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

static gboolean read_facts(reading *r, af_aflp_cursor *c)
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

static gboolean read_keys(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    const af_span *keys = read_texts(c, r->arena, r->sink, n);
    const af_span *values = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; keys != NULL && values != NULL && i < n; i++) {
        af_sink_add_fact(r->sink, keys[i], values[i]);
    }
    return keys != NULL && values != NULL;
}

static gboolean read_processes(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    const af_span *ids = read_texts(c, r->arena, r->sink, n);
    const af_span *names = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; ids != NULL && names != NULL && i < n; i++) {
        af_sink_add_process(r->sink, ids[i], names[i]);
    }
    return ids != NULL && names != NULL;
}

static gboolean add_methods(reading *r, af_aflp_cursor *c, uint32_t n, const uint64_t *ids,
                            const af_span *const texts[7], const int32_t *lines)
{
    uint32_t *all_flags = af_arena_alloc(r->arena, ((size_t)n + 1) * sizeof *all_flags);
    for (uint32_t m = 0; all_flags != NULL && m < n; m++) {
        all_flags[m] = af_aflp_u32(c);
    }
    const gboolean grouped = all_flags != NULL && !c->damaged && c->at < c->end;
    const af_span *groups = grouped ? read_texts(c, r->arena, r->sink, n) : NULL;
    if (all_flags == NULL || (grouped && groups == NULL)) {
        return FALSE;
    }
    for (uint32_t m = 0; m < n; m++) {
        const uint32_t flags = all_flags[m];
        const af_finished_method method = {
            .id = ids[m],
            .class_name = texts[0][m],
            .name = texts[1][m],
            .signature = texts[2][m],
            .source = texts[3][m],
            .library = texts[4][m],
            .nowhere = texts[5][m],
            .proxy = texts[6][m],
            .group = groups != NULL ? groups[m] : (af_span){NULL, 0},
            .line = lines[m],
            .annotation = (af_annotation)(flags / AF_AFLP_ANNOTATION),
            .defined = (flags & AF_AFLP_DEFINED) != 0,
            .slashed = (flags & AF_AFLP_SLASHED) != 0,
            .ambiguous = (flags & AF_AFLP_AMBIGUOUS) != 0,
            .synthetic = (flags & AF_AFLP_SYNTHETIC) != 0,
        };
        if (c->damaged || !af_finished_add_method(r->sink, &method)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean skip_methods(reading *r, af_aflp_cursor *c)
{
    r->methods = *c;
    return TRUE;
}

static gboolean read_methods(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    uint64_t *ids = af_arena_alloc(r->arena, ((size_t)n + 1) * sizeof *ids);
    int32_t *lines = af_arena_alloc(r->arena, ((size_t)n + 1) * sizeof *lines);
    const af_span *texts[7];
    if (ids == NULL || lines == NULL) {
        return FALSE;
    }
    for (uint32_t m = 0; m < n; m++) {
        ids[m] = af_aflp_number(c);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        texts[i] = read_texts(c, r->arena, r->sink, n);
        if (texts[i] == NULL) {
            return FALSE;
        }
    }
    for (uint32_t m = 0; m < n; m++) {
        const int64_t line = take_signed(c);
        lines[m] = (int32_t)CLAMP(line, INT32_MIN, INT32_MAX);
    }
    return add_methods(r, c, n, ids, texts, lines);
}

static gboolean read_groups(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    const af_span *titles = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; titles != NULL && i < n; i++) {
        const af_finished_group group = {.title = titles[i], .hue = af_aflp_u32(c)};
        if (c->damaged || !af_finished_add_group(r->sink, &group)) {
            return FALSE;
        }
    }
    return titles != NULL;
}

static gboolean add_labels(reading *r, af_aflp_cursor *c, af_finished_label *labels, uint32_t n)
{
    const gboolean grouped = !c->damaged && c->at < c->end;
    if (grouped && !read_groups(r, c)) {
        return FALSE;
    }
    for (uint32_t l = 0; l < n; l++) {
        labels[l].group = grouped ? af_aflp_u32(c) : 0;
        if (c->damaged || !af_finished_add_label(r->sink, &labels[l])) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean skip_labels(reading *r, af_aflp_cursor *c)
{
    r->labels = *c;
    return TRUE;
}

static gboolean read_labels(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    const af_span *texts = read_texts(c, r->arena, r->sink, n);
    af_finished_label *labels = af_arena_alloc(r->arena, ((size_t)n + 1) * sizeof *labels);
    for (uint32_t l = 0; texts != NULL && labels != NULL && l < n; l++) {
        af_finished_label label = {.text = texts[l]};
        label.method = af_aflp_u32(c);
        label.methods = af_aflp_u32(c);
        label.class_length = af_aflp_u32(c);
        label.method_at = af_aflp_u32(c);
        label.category = af_aflp_u32(c);
        label.shade = af_aflp_u32(c);
        label.synthetic = af_aflp_number(c) != 0;
        labels[l] = label;
    }
    return texts != NULL && labels != NULL && add_labels(r, c, labels, n);
}

static gboolean read_warnings(reading *r, af_aflp_cursor *c)
{
    for (uint32_t n = af_aflp_count(c); n > 0; n--) {
        const af_span id = take_text(c);
        const uint64_t count = af_aflp_number(c), offset = af_aflp_number(c);
        const int kind = id.bytes == NULL ? -1 : af_warning_find(id.bytes, id.length);
        if (kind >= 0) {
            af_sink_warn(r->sink, (af_warning_kind)kind, count, offset - 1);
        }
    }
    return !c->damaged;
}

static gboolean read_mappings(reading *r, af_aflp_cursor *c)
{
    for (uint32_t n = af_aflp_count(c); n > 0 && !c->damaged; n--) {
        af_finished_mapping mapping = {0};
        mapping.path = take_text(c);
        mapping.compiler = take_text(c);
        mapping.version = take_text(c);
        mapping.id = take_text(c);
        mapping.methods = af_aflp_number(c);
        mapping.known = af_aflp_number(c);
        mapping.named = af_aflp_number(c);
        mapping.ambiguous = af_aflp_number(c);
        mapping.synthetic = af_aflp_number(c);
        mapping.broken = af_aflp_number(c);
        mapping.other_build = af_aflp_number(c) != 0;
        if (mapping.path.bytes == NULL || !af_finished_add_mapping(r->sink, &mapping)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_markers(reading *r, af_aflp_cursor *c)
{
    const uint32_t n = af_aflp_count(c);
    const af_span *names = read_texts(c, r->arena, r->sink, n);
    for (uint32_t i = 0; names != NULL && i < n; i++) {
        af_finished_series series = {.name = names[i]};
        series.kind = af_aflp_u32(c);
        series.process = af_aflp_u32(c) - 1; /* 0 becomes AF_NO_PROCESS */
        series.count = af_aflp_number(c);
        if (c->damaged || !af_finished_add_series(r->sink, &series)) {
            return FALSE;
        }
    }
    return names != NULL;
}

static void read_clocks(af_aflp_cursor *c, uint64_t times[AF_CLOCKS])
{
    for (unsigned i = 0; i < AF_CLOCKS; i++) {
        times[i] = af_aflp_number(c);
    }
}

static gboolean read_steps(reading *r, af_aflp_cursor *c)
{
    for (uint32_t n = af_aflp_count(c); n > 0 && !c->damaged; n--) {
        af_finished_step step = {0};
        step.option = take_text(c);
        step.message = take_text(c);
        step.sorts = af_aflp_number(c) != 0;
        step.matched = af_aflp_number(c);
        read_clocks(c, step.left_out_ns);
        read_clocks(c, step.moved_ns);
        if (!af_finished_add_step(r->sink, &step)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_thread(reading *r, af_aflp_cursor *c)
{
    af_finished_thread thread = {0};
    thread.id = af_aflp_number(c);
    thread.number = af_aflp_u32(c);
    thread.name = take_text(c);
    thread.process = af_aflp_u32(c) - 1; /* 0 becomes AF_NO_PROCESS */
    thread.records = af_aflp_number(c);
    thread.calls = af_aflp_number(c);
    read_clocks(c, thread.first_ns);
    read_clocks(c, thread.last_ns);
    thread.open_at_end = af_aflp_number(c);
    thread.exits_on_empty = af_aflp_number(c);
    thread.missing_exits = af_aflp_number(c);
    thread.unmatched_exits = af_aflp_number(c);
    thread.unwinds = af_aflp_number(c);
    thread.cut_at_begin = af_aflp_number(c);
    thread.max_depth = af_aflp_u32(c);
    thread.merged = af_aflp_u32(c);
    const uint64_t flags = af_aflp_number(c);
    thread.exited = (flags & AF_AFLP_EXITED) != 0;
    thread.listed = (flags & AF_AFLP_LISTED) != 0;
    thread.sampled = (flags & AF_AFLP_SAMPLED) != 0;
    thread.is_track = (flags & AF_AFLP_TRACK) != 0;
    return !c->damaged && af_finished_add_thread(r->sink, &thread);
}

static gboolean read_threads(reading *r, af_aflp_cursor *c)
{
    r->n_threads = af_aflp_count(c);
    for (uint32_t n = r->n_threads; n > 0; n--) {
        if (!read_thread(r, c)) {
            return FALSE;
        }
    }
    return !c->damaged;
}

/* The columns are read later, because several threads can share that. */
static gboolean add_tree(reading *r, af_aflp_cursor *c)
{
    if (r->trees.n == r->n_threads) {
        return FALSE;
    }
    af_aflp_tree *tree = af_array_add(&r->trees, 1);
    af_sink_fail_if(r->sink, tree == NULL);
    if (tree == NULL) {
        return FALSE;
    }
    tree->only_sums = r->only_sums;
    return af_aflp_add_tree(c, tree, r->sink);
}

static void read_columns(void *user, unsigned tree)
{
    reading *r = user;
    af_aflp_read_columns(&AF_ARRAY_AT(&r->trees, af_aflp_tree, tree), tree, r->sink);
}

/* The number of methods or labels that the trees name. */
static uint32_t count_names(const reading *r)
{
    af_aflp_cursor names = r->head.by_method ? r->methods : r->labels;
    return names.at != NULL ? af_aflp_count(&names) : 0;
}

/* Reads the methods and labels while other threads read the columns. */
static gboolean read_names_and_columns(reading *r, unsigned jobs)
{
    af_work columns;
    af_work_begin(&columns, r->n_threads, jobs, read_columns, r);
    gboolean damaged = (r->methods.at != NULL && !read_methods(r, &r->methods)) ||
                       (r->labels.at != NULL && !read_labels(r, &r->labels));
    af_work_end(&columns);
    damaged |= r->methods.damaged || r->labels.damaged;
    for (uint32_t t = 0; t < r->n_threads; t++) {
        const af_aflp_tree *tree = &AF_ARRAY_AT(&r->trees, af_aflp_tree, t);
        af_sink_fail_if(r->sink, tree->refused);
        damaged |= tree->refused || tree->at.damaged;
    }
    return !damaged;
}

static gboolean read_run(reading *r, af_aflp_cursor *c)
{
    if ((size_t)(c->end - c->at) < AF_FINISHED_HASH) {
        return FALSE;
    }
    const uint8_t *hash = c->at;
    c->at += AF_FINISHED_HASH;
    const uint32_t n = af_aflp_count(c);
    gboolean ok = !c->damaged && af_finished_begin_run(r->sink, hash, n);
    for (uint32_t i = 0; ok && i < n; i++) {
        af_finished_row row = {0};
        row.thread = af_aflp_u32(c);
        const uint64_t name = af_aflp_number(c);
        row.name = (uint32_t)MIN(name / 2, UINT32_MAX);
        row.masked = (name & 1) != 0;
        row.calls = af_aflp_number(c);
        for (unsigned k = 0; k < G_N_ELEMENTS(row.self); k++) {
            row.self[k] = af_aflp_number(c);
            row.inclusive[k] = af_aflp_number(c);
        }
        ok = !c->damaged && af_finished_add_row(r->sink, &row);
    }
    return ok;
}

static gboolean read_runs(reading *r, af_aflp_cursor *c)
{
    const uint32_t n_runs = af_aflp_u32(c), n_names = af_aflp_count(c);
    const af_span *names = read_texts(c, r->arena, r->sink, n_names);
    gboolean ok = names != NULL && r->trees.n == r->n_threads &&
                  af_finished_begin_runs(r->sink, n_runs, names, n_names);
    for (uint32_t n = ok ? af_aflp_count(c) : 0; ok && n > 0; n--) {
        ok = read_run(r, c);
    }
    return ok && !c->damaged;
}

static gboolean (*const sections[])(reading *r, af_aflp_cursor *c) = {
    [AF_AFLP_PROFILE] = read_profile,   [AF_AFLP_FACTS] = read_facts,
    [AF_AFLP_KEYS] = read_keys,         [AF_AFLP_PROCESSES] = read_processes,
    [AF_AFLP_METHODS] = skip_methods,   [AF_AFLP_LABELS] = skip_labels,
    [AF_AFLP_WARNINGS] = read_warnings, [AF_AFLP_MAPPINGS] = read_mappings,
    [AF_AFLP_MARKERS] = read_markers,   [AF_AFLP_STEPS] = read_steps,
    [AF_AFLP_THREADS] = read_threads,   [AF_AFLP_TREE] = add_tree,
    [AF_AFLP_RUNS] = read_runs,
};

static gboolean read_section(reading *r, af_aflp_cursor *all, uint64_t *last)
{
    const uint64_t number = af_aflp_number(all), length = af_aflp_number(all);
    if (all->damaged || length > (uint64_t)(all->end - all->at) || number < *last ||
        (number == *last && number != AF_AFLP_TREE) || (*last == 0 && number != AF_AFLP_PROFILE)) {
        return FALSE;
    }
    af_aflp_cursor content = {.at = all->at, .end = all->at + length};
    all->at += length;
    *last = number;
    return number >= G_N_ELEMENTS(sections) || sections[number] == NULL ||
           (sections[number](r, &content) && !content.damaged);
}

gboolean af_aflp_read_sections(const uint8_t *payload, size_t length,
                               const af_open_options *options, af_sink *sink)
{
    reading r = {.sink = sink, .arena = af_arena_new(), .only_sums = options->only_sums};
    af_array_init_metered(&r.trees, sizeof(af_aflp_tree), af_sink_meter(sink));
    af_aflp_cursor all = {.at = payload, .end = payload + length};
    uint64_t last = 0;
    gboolean ok = length > 0;
    while (ok && all.at < all.end && !af_sink_is_stopped(sink)) {
        ok = read_section(&r, &all, &last);
    }
    ok = ok && last >= AF_AFLP_THREADS && af_finished_reserve_trees(sink, count_names(&r)) &&
         read_names_and_columns(&r, options->jobs);
    af_sink_fail_if(sink, af_arena_failed(r.arena));
    af_array_clear(&r.trees);
    af_arena_free(r.arena);
    return ok;
}
