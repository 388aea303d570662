#include "export/aflp_payload.h"

#include <stddef.h>
#include <string.h>

#include "base/aflp.h"
#include "model/facts_fields.h"
#include "model/run_sums.h"

static void write_profile(af_section *s, const af_profile *profile, const char *input,
                          gboolean by_method)
{
    af_section_text(s, AFLAME_VERSION);
    af_section_text(s, input);
    af_section_number(s, profile->clocks);
    af_section_number(s, by_method ? AF_AFLP_BY_METHOD : (uint64_t)profile->names);
    af_section_number(s, (profile->callers_above ? AF_AFLP_CALLERS_ABOVE : 0u) |
                             (profile->compensated ? AF_AFLP_COMPENSATED : 0u));
    af_section_text(s, profile->app);
    af_section_number(s, profile->markers.instants);
    af_section_number(s, profile->markers.values);
}

static void write_field(af_section *s, unsigned tag, uint64_t value)
{
    if (value != 0) {
        af_section_number(s, (uint64_t)tag * 2);
        af_section_number(s, value);
    }
}

static void write_text_field(af_section *s, unsigned tag, const char *text)
{
    if (text != NULL) {
        af_section_number(s, (uint64_t)tag * 2 + 1);
        af_section_text(s, text);
    }
}

/* A 32-bit field may hold -1. */
#define FIELD_VALUE(field) (sizeof(field) == 4 ? (uint64_t)(uint32_t)(field) : (uint64_t)(field))

static void write_facts(af_section *s, const af_facts *facts)
{
#define NUMBER(tag, field)          write_field(s, tag, FIELD_VALUE(facts->field));
#define TEXT(tag, field)            write_text_field(s, tag, facts->field);
#define AT_LEAST(tag, field, value) write_field(s, tag, facts->field >= (value));
    AF_FACTS_FIELDS(NUMBER, TEXT, AT_LEAST)
#undef NUMBER
#undef TEXT
#undef AT_LEAST
}

static void write_keys(af_section *s, const af_facts *facts)
{
    af_section_number(s, facts->n_keys);
    af_section_begin_texts(s);
    for (unsigned i = 0; i < facts->n_keys; i++) {
        af_section_next_text(s, facts->keys[i].key);
    }
    af_section_begin_texts(s);
    for (unsigned i = 0; i < facts->n_keys; i++) {
        af_section_next_text(s, facts->keys[i].value);
    }
}

static void write_processes(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_processes);
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        af_section_next_text(s, profile->processes[i].id);
    }
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        af_section_next_text(s, profile->processes[i].name);
    }
}

/* The name of time that was left out. */
static const af_method left_out_method = {.line = -1, .proxy = "[left out]"};

static uint32_t count_methods(const af_aflp_saving *w)
{
    return w->rest.methods == NULL ? w->profile->n_methods
                                   : w->rest.n_methods + (w->rest.left_out > 0);
}

static const af_method *method_at(const af_aflp_saving *w, uint32_t i)
{
    if (w->rest.methods == NULL) {
        return &w->profile->methods[i];
    }
    return i < w->rest.n_methods ? &w->profile->methods[w->rest.methods[i]] : &left_out_method;
}

static void write_method_texts(af_section *s, const af_aflp_saving *w, size_t offset)
{
    af_section_begin_texts(s);
    for (uint32_t m = 0; m < count_methods(w); m++) {
        const char *text;
        memcpy(&text, (const char *)method_at(w, m) + offset, sizeof text);
        af_section_next_text(s, text);
    }
}

static void write_methods(af_section *s, const af_aflp_saving *w)
{
    static const size_t texts[] = {
        offsetof(af_method, class_name), offsetof(af_method, name),
        offsetof(af_method, signature),  offsetof(af_method, source),
        offsetof(af_method, library),    offsetof(af_method, nowhere),
        offsetof(af_method, proxy),
    };
    const uint32_t n = count_methods(w);
    af_section_number(s, n);
    for (uint32_t m = 0; m < n; m++) {
        af_section_number(s, method_at(w, m)->id);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        write_method_texts(s, w, texts[i]);
    }
    for (uint32_t m = 0; m < n; m++) {
        af_section_signed(s, method_at(w, m)->line);
    }
    for (uint32_t m = 0; m < n; m++) {
        const af_method *method = method_at(w, m);
        af_section_number(s, (method->defined ? AF_AFLP_DEFINED : 0u) |
                                 (method->slashed ? AF_AFLP_SLASHED : 0u) |
                                 (method->ambiguous ? AF_AFLP_AMBIGUOUS : 0u) |
                                 (method->synthetic ? AF_AFLP_SYNTHETIC : 0u) |
                                 (unsigned)method->annotation * AF_AFLP_ANNOTATION);
    }
    for (uint32_t m = 0; m < n; m++) {
        if (method_at(w, m)->group != NULL) {
            write_method_texts(s, w, offsetof(af_method, group));
            break;
        }
    }
}

/* With the number of its method among those that are saved. */
static af_label label_at(const af_aflp_saving *w, uint32_t i)
{
    if (w->rest.labels == NULL) {
        return w->profile->labels[i];
    }
    if (i == w->rest.n_labels) {
        return (af_label){.text = left_out_method.proxy,
                          .method = w->rest.n_methods,
                          .methods = 1,
                          .category = AF_CATEGORY_UNKNOWN};
    }
    af_label label = w->profile->labels[w->rest.labels[i]];
    label.method = w->rest.index_of[label.method];
    return label;
}

/* The groups of labels: columns at the end of their section. */
static void write_groups(af_section *s, const af_aflp_saving *w, uint32_t n)
{
    const af_profile *profile = w->profile;
    af_section_number(s, profile->n_groups);
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < profile->n_groups; i++) {
        af_section_next_text(s, profile->groups[i].title);
    }
    for (uint32_t i = 0; i < profile->n_groups; i++) {
        af_section_number(s, profile->groups[i].hue);
    }
    for (uint32_t l = 0; l < n; l++) {
        af_section_number(s, label_at(w, l).group);
    }
}

static void write_labels(af_section *s, const af_aflp_saving *w)
{
    const uint32_t n =
        w->rest.labels == NULL ? w->profile->n_labels : w->rest.n_labels + (w->rest.left_out > 0);
    af_section_number(s, n);
    af_section_begin_texts(s);
    for (uint32_t l = 0; l < n; l++) {
        af_section_next_text(s, label_at(w, l).text);
    }
    for (uint32_t l = 0; l < n; l++) {
        const af_label label = label_at(w, l);
        af_section_number(s, label.method);
        af_section_number(s, label.methods);
        af_section_number(s, label.class_length);
        af_section_number(s, label.method_at);
        af_section_number(s, (uint64_t)label.category);
        af_section_number(s, label.shade);
        af_section_number(s, label.synthetic ? 1 : 0);
    }
    if (w->profile->n_groups > 0) {
        write_groups(s, w, n);
    }
}

static void write_warnings(af_section *s, const af_aflp_saving *w)
{
    af_warnings all = w->profile->warnings;
    const af_warnings *const warnings = &all;
    all.count[AF_WARN_OTHER_SIDE] = 0; /* of the file it was read from */
    if (w->rest.left_out > 0) {
        af_warnings_add(&all, AF_WARN_LEFT_OUT, w->rest.left_out, AF_NO_OFFSET);
    }
    if (w->options->warns_of_others && w->options->n_threads < w->profile->n_threads) {
        af_warnings_add(&all, AF_WARN_THREADS_LEFT_OUT,
                        w->profile->n_threads - w->options->n_threads, AF_NO_OFFSET);
    }
    unsigned n = 0;
    while (af_warnings_kind_at(warnings, n) >= 0) {
        n++;
    }
    af_section_number(s, n);
    for (unsigned i = 0; i < n; i++) {
        const int kind = af_warnings_kind_at(warnings, i);
        af_section_text(s, af_warning_id((af_warning_kind)kind));
        af_section_number(s, warnings->count[kind]);
        af_section_number(s, warnings->offset[kind] + 1); /* AF_NO_OFFSET becomes 0 */
    }
}

static void write_mappings(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_mapped);
    for (uint32_t i = 0; i < profile->n_mapped; i++) {
        const af_mapped_facts *mapped = &profile->mapped[i];
        const char *const texts[] = {mapped->path, mapped->compiler, mapped->version, mapped->id};
        const uint64_t counts[] = {mapped->methods,   mapped->known,     mapped->named,
                                   mapped->ambiguous, mapped->synthetic, mapped->broken};
        for (unsigned t = 0; t < G_N_ELEMENTS(texts); t++) {
            af_section_text(s, texts[t]);
        }
        for (unsigned c = 0; c < G_N_ELEMENTS(counts); c++) {
            af_section_number(s, counts[c]);
        }
        af_section_number(s, mapped->other_build ? 1 : 0);
    }
}

static void write_markers(af_section *s, const af_markers *markers)
{
    af_section_number(s, markers->n_series);
    af_section_begin_texts(s);
    for (uint32_t i = 0; i < markers->n_series; i++) {
        af_section_next_text(s, markers->series[i].name);
    }
    for (uint32_t i = 0; i < markers->n_series; i++) {
        const af_marker_series *series = &markers->series[i];
        const gboolean owned = series->process != AF_NO_PROCESS;
        af_section_number(s, (uint64_t)series->kind);
        af_section_number(s, owned ? (uint64_t)series->process + 1 : 0);
        af_section_number(s, series->count);
    }
}

static void write_clocks(af_section *s, const uint64_t times[AF_CLOCKS])
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        af_section_number(s, times[c]);
    }
}

static void write_steps(af_section *s, const af_profile *profile)
{
    af_section_number(s, profile->n_steps);
    for (unsigned i = 0; i < profile->n_steps; i++) {
        const af_step_record *step = &profile->steps[i];
        af_section_text(s, step->option);
        af_section_text(s, step->message);
        af_section_number(s, step->sorts ? 1 : 0);
        af_section_number(s, step->matched);
        write_clocks(s, step->left_out_ns);
        write_clocks(s, step->moved_ns);
    }
}

static void write_thread(af_section *s, const af_thread *thread)
{
    af_section_number(s, thread->id);
    af_section_number(s, thread->number);
    af_section_text(s, thread->name);
    af_section_number(s, thread->process == AF_NO_PROCESS ? 0 : (uint64_t)thread->process + 1);
    af_section_number(s, thread->records);
    af_section_number(s, thread->calls);
    write_clocks(s, thread->first_ns);
    write_clocks(s, thread->last_ns);
    af_section_number(s, thread->open_at_end);
    af_section_number(s, thread->exits_on_empty);
    af_section_number(s, thread->missing_exits);
    af_section_number(s, thread->unmatched_exits);
    af_section_number(s, thread->unwinds);
    af_section_number(s, thread->cut_at_begin);
    af_section_number(s, thread->max_depth);
    af_section_number(s, thread->merged);
    af_section_number(
        s, (thread->exited ? AF_AFLP_EXITED : 0u) | (thread->listed ? AF_AFLP_LISTED : 0u) |
               (thread->sampled ? AF_AFLP_SAMPLED : 0u) | (thread->is_track ? AF_AFLP_TRACK : 0u));
}

static void write_threads(af_section *s, const af_aflp_saving *w)
{
    af_section_number(s, w->options->n_threads);
    for (uint32_t i = 0; i < w->options->n_threads; i++) {
        write_thread(s, &w->profile->threads[w->options->threads[i]]);
    }
}

static void write_tree(af_section *s, const af_aflp_saving *w, uint32_t i)
{
    af_section_nodes nodes = w->threads[i];
    if (w->rest.trees != NULL) {
        nodes = (af_section_nodes){w->rest.trees[i], w->rest.trees[i]->label, NULL};
    }
    af_section_tree(s, &nodes);
    if (!w->by_method) {
        af_section_bytes(s, nodes.tree->reason + 1, nodes.tree->n - 1);
    }
}

static void write_run(af_section *s, const af_run *run)
{
    af_section_bytes(s, run->hash, sizeof run->hash);
    af_section_number(s, run->n_rows);
    for (uint32_t i = 0; i < run->n_rows; i++) {
        const af_run_row *row = &run->rows[i];
        af_section_number(s, row->thread);
        af_section_number(s, (uint64_t)row->name * 2 + (row->masked ? 1 : 0));
        af_section_number(s, row->calls);
        for (unsigned c = 0; c < AF_RUN_MEASURES; c++) {
            af_section_number(s, row->self[c]);
            af_section_number(s, row->inclusive[c]);
        }
    }
}

/* Sums of runs cannot follow steps or a choice of threads. */
static void write_runs(af_section *s, const af_aflp_saving *w)
{
    const af_profile *profile = w->profile;
    const af_run_sums *sums = profile->run_sums;
    const gboolean whole = profile->base == NULL && w->rest.trees == NULL &&
                           w->options->n_threads == profile->n_threads;
    af_section_number(s, sums->n_runs);
    af_section_number(s, whole ? sums->n_names : 0);
    af_section_begin_texts(s);
    for (uint32_t i = 0; whole && i < sums->n_names; i++) {
        af_section_next_text(s, sums->names[i]);
    }
    af_section_number(s, whole ? sums->n_summed : 0);
    for (uint32_t r = 0; whole && r < sums->n_summed; r++) {
        write_run(s, &sums->runs[r]);
    }
}

gboolean af_aflp_payload_write(af_section *s, const af_aflp_saving *w)
{
    const af_profile *profile = w->profile;
    af_section_begin(s, AF_AFLP_PROFILE);
    write_profile(s, profile, w->options->input, w->by_method);
    af_section_begin(s, AF_AFLP_FACTS);
    write_facts(s, &profile->facts);
    af_section_begin(s, AF_AFLP_KEYS);
    write_keys(s, &profile->facts);
    af_section_begin(s, AF_AFLP_PROCESSES);
    write_processes(s, profile);
    af_section_begin(s, AF_AFLP_METHODS);
    write_methods(s, w);
    if (!w->by_method) {
        af_section_begin(s, AF_AFLP_LABELS);
        write_labels(s, w);
    }
    af_section_begin(s, AF_AFLP_WARNINGS);
    write_warnings(s, w);
    af_section_begin(s, AF_AFLP_MAPPINGS);
    write_mappings(s, profile);
    af_section_begin(s, AF_AFLP_MARKERS);
    write_markers(s, &profile->markers);
    af_section_begin(s, AF_AFLP_STEPS);
    write_steps(s, profile);
    af_section_begin(s, AF_AFLP_THREADS);
    write_threads(s, w);
    for (uint32_t i = 0; i < w->options->n_threads; i++) {
        af_section_begin(s, AF_AFLP_TREE);
        write_tree(s, w, i);
    }
    if (profile->run_sums != NULL) {
        af_section_begin(s, AF_AFLP_RUNS);
        write_runs(s, w);
    }
    return af_section_finish(s);
}
