#include "render/packed/block.h"

#include <string.h>

#include "base/bytes.h"
#include "base/workers.h"
#include "model/groups.h"
#include "model/labels.h"
#include "model/waits.h"
#include "render/packed/block_text.h"
#include "render/packed/pack.h"

typedef struct {
    const af_block *block;
    uint32_t *numbers; /* by label of the profile: its number in the block + 1, 0 = none; then
                          likewise for its idle calls */
    uint32_t *labels;  /* by number in the block: index into `numbers` */
    uint32_t n_labels;
} naming;

/* The sequence of a block: its head, then for each thread these sections, in this order. */
typedef enum {
    SECTION_HEAD, /* the head of the block (thread 0 only) and of the thread */
    SECTION_DEPTHS,
    SECTION_LABELS,
    SECTION_CALLS,
    SECTION_SELVES,                                /* one for each clock */
    SECTION_EXTREMES = SECTION_SELVES + AF_CLOCKS, /* one for each clock */
    SECTION_UNWINDS = SECTION_EXTREMES + AF_CLOCKS,
    SECTION_RUNNABLE,
    SECTIONS,
} section;

/* A part of the sequence, written by one thread. */
typedef struct {
    const naming *names;
    uint64_t first, end; /* index in the order * SECTIONS + section */
    gboolean calls;      /* the part is the calls after the sequence instead */
    gboolean failed;
    af_deflater *out;
} part;

/* The entries of one thread: nodes of its tree, and stand-ins for omitted ones. */
typedef struct {
    const af_tree *tree;
    const af_tree_extract *pruned; /* NULL = every node is an entry */
    uint32_t n;
} entries;

static entries list_entries(const af_block *block, uint32_t index)
{
    const af_tree *tree = block->trees[index];
    const af_tree_extract *pruned = block->pruned ? block->pruned[index] : NULL;
    return (entries){tree, pruned, pruned ? pruned->n : tree->n - 1};
}

/* The node of entry `i`. Sets *stand_in for a stand-in, otherwise to NULL. */
static inline uint32_t entry_at(const entries *list, uint32_t i, const af_stand_in **stand_in)
{
    const uint32_t entry = list->pruned ? list->pruned->entries[i] : i + 1;
    *stand_in = list->pruned && entry >= list->pruned->first
                    ? &list->pruned->stand_ins[entry - list->pruned->first]
                    : NULL;
    return entry;
}

/* Whether idle calls have a label of their own: the script decides by callers, which steps take
 * away. */
static gboolean splits_idle(const af_profile *profile, uint32_t label)
{
    const af_category category = profile->labels[label].category;
    return profile->n_steps > 0 &&
           (category == AF_CATEGORY_BLOCKED || category == AF_CATEGORY_KERNEL);
}

/* The number of the idle calls follows, so that the script finds one text twice. */
static void number_label(naming *names, uint32_t label)
{
    const af_profile *profile = names->block->profile;
    if (label != AF_NO_LABEL && names->numbers[label] == 0) {
        names->labels[names->n_labels++] = label;
        names->numbers[label] = names->n_labels;
        if (splits_idle(profile, label)) {
            names->labels[names->n_labels++] = profile->n_labels + label;
            names->numbers[profile->n_labels + label] = names->n_labels;
        }
    }
}

static uint32_t number_of(const naming *names, const af_tree *tree, uint32_t node)
{
    const af_profile *profile = names->block->profile;
    const uint32_t label = tree->label[node];
    const gboolean idle = splits_idle(profile, label) && af_waits_is_idle(profile, tree, node);
    return names->numbers[label + (idle ? profile->n_labels : 0)] - 1;
}

static void number_labels(naming *names)
{
    const af_block *block = names->block;
    for (uint32_t t = 0; t < block->n_threads; t++) {
        const entries list = list_entries(names->block, t);
        for (uint32_t i = 0; i < list.n; i++) {
            const af_stand_in *stand_in;
            const uint32_t node = entry_at(&list, i, &stand_in);
            number_label(names, stand_in ? AF_NO_LABEL : list.tree->label[node]);
        }
    }
    const af_chart *chart = block->calls ? block->calls->chart : NULL;
    for (uint32_t t = 0; chart && t < block->n_threads; t++) {
        const af_chart_thread *thread = &chart->threads[block->order[t]];
        for (uint32_t i = 0; i < af_chart_n(thread); i++) {
            number_label(names, af_chart_at(thread, i)->label);
        }
    }
}

static void append_full_name(af_deflater *to, GString *full, const af_profile *profile,
                             const af_label *label)
{
    g_string_truncate(full, 0);
    if (label->methods == 1) {
        af_method_append_full(full, &profile->methods[label->method]);
    }
    if (full->len == 0 || strcmp(full->str, label->text) == 0) {
        af_deflater_number(to, 0);
    } else if (g_str_has_prefix(full->str, label->text)) {
        af_deflater_number(to, 1);
        af_deflater_string(to, full->str + label->length, full->len - label->length);
    } else {
        af_deflater_number(to, 2);
        af_deflater_string(to, full->str, full->len);
    }
}

static void append_source(af_deflater *to, GString *source, const af_profile *profile,
                          const af_label *label)
{
    const af_method *method = label->methods == 1 ? &profile->methods[label->method] : NULL;
    g_string_truncate(source, 0);
    if (method && method->source) {
        g_string_append(source, method->source);
        if (method->line > 0) {
            g_string_append_printf(source, ":%d", method->line);
        }
    }
    af_deflater_string(to, source->str, source->len);
}

static void write_labels(const naming *names, af_deflater *out)
{
    const af_profile *profile = names->block->profile;
    g_autofree uint8_t *reasons = af_waits_of_labels(profile);
    g_autoptr(GString) scratch = g_string_new(NULL);
    const char *before = "";
    af_deflater_number(out, names->n_labels);
    for (uint32_t i = 0; i < names->n_labels; i++) {
        const gboolean idle = names->labels[i] >= profile->n_labels;
        const uint32_t number = names->labels[i] - (idle ? profile->n_labels : 0);
        const af_label *label = &profile->labels[number];
        const unsigned hue = idle ? AF_CATEGORY_IDLE : af_label_hue(profile, label);
        const uint8_t reason = idle      ? AF_WAITS_IDLE | AF_WAITS_WHOLE
                               : reasons ? reasons[number]
                                         : AF_WAITS_OTHER;
        const uint8_t colour[2] = {
            (uint8_t)(hue | (af_label_is_slim(label) ? AF_PACK_SLIM : 0u)),
            (uint8_t)(label->shade | (reason & AF_WAITS_KIND) << 3 | (reason & AF_WAITS_WHOLE))};
        af_block_append_shared(out, before, label->text, label->length);
        af_deflater_append(out, colour, sizeof colour);
        append_full_name(out, scratch, profile, label);
        append_source(out, scratch, profile, label);
        before = label->text;
    }
}

/* Each function writes at `at` and returns the end. */

static uint8_t *write_depths(const entries *list, uint8_t *at)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const af_stand_in *stand_in;
        const uint32_t node = entry_at(list, i, &stand_in);
        const uint32_t depth = stand_in ? stand_in->depth : list->tree->depth[node];
        at = af_uleb128_put(at, (uint64_t)before + 1 - depth);
        before = depth;
    }
    return at;
}

static uint8_t *write_label_column(const naming *names, const entries *list, uint8_t *at)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const af_stand_in *stand_in;
        const uint32_t node = entry_at(list, i, &stand_in);
        at = af_uleb128_put(at, stand_in ? names->n_labels : number_of(names, list->tree, node));
    }
    return at;
}

static uint8_t *write_calls(const entries *list, uint8_t *at)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const af_stand_in *stand_in;
        const uint32_t node = entry_at(list, i, &stand_in);
        const uint64_t calls = stand_in ? stand_in->nodes : list->tree->calls[node];
        at = af_uleb128_put(at, calls > 0 ? calls - 1 : 0);
    }
    return at;
}

/* With a constant divisor the compiler emits a multiplication. */
static inline uint64_t to_units(uint64_t time_ns, gboolean in_us)
{
    return in_us ? time_ns / 1000 : time_ns;
}

static uint8_t *write_selves(const naming *names, const entries *list, unsigned clock, uint8_t *at)
{
    const gboolean in_us = names->block->unit_ns == 1000;
    const uint64_t *self = list->tree->self[clock];
    for (uint32_t i = 0; i < list->n; i++) {
        const af_stand_in *stand_in;
        const uint32_t node = entry_at(list, i, &stand_in);
        at = af_uleb128_put(at, to_units(stand_in ? stand_in->self[clock] : self[node], in_us));
    }
    return at;
}

/* Writes the shortest calls, or how much longer the longest ones are. Entries with one call need
 * neither. */
static uint8_t *write_extremes(const naming *names, const entries *list, unsigned clock,
                               gboolean longest, uint8_t *at)
{
    const gboolean in_us = names->block->unit_ns == 1000;
    const af_tree *tree = list->tree;
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    for (uint32_t i = 0; i < list->n; i++) {
        const af_stand_in *stand_in;
        const uint32_t node = entry_at(list, i, &stand_in);
        if (!stand_in && tree->calls[node] > 1) {
            at = af_uleb128_put(at, to_units(longest ? max[node] - min[node] : min[node], in_us));
        }
    }
    return at;
}

static uint64_t unwinds_at(const entries *list, uint32_t i)
{
    const af_stand_in *stand_in;
    const uint32_t node = entry_at(list, i, &stand_in);
    return stand_in ? 0 : list->tree->unwinds[node];
}

static uint64_t runnable_at(const entries *list, uint32_t i)
{
    const af_stand_in *stand_in;
    const uint32_t node = entry_at(list, i, &stand_in);
    return stand_in ? stand_in->runnable : list->tree->runnable[node];
}

/* Writes a column in which most numbers are 0. */
static uint8_t *write_sparse(const entries *list, uint64_t (*number_at)(const entries *, uint32_t),
                             gboolean in_us, uint8_t *at)
{
    uint32_t n = 0, before = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        n += to_units(number_at(list, i), in_us) > 0;
    }
    at = af_uleb128_put(at, n);
    for (uint32_t i = 0; i < list->n && n > 0; i++) {
        const uint64_t number = to_units(number_at(list, i), in_us);
        if (number > 0) {
            at = af_uleb128_put(at, i + 1 - before);
            at = af_uleb128_put(at, number);
            before = i + 1;
        }
    }
    return at;
}

static void write_thread_head(part *p, uint32_t index, const entries *list)
{
    const af_block *block = p->names->block;
    const uint32_t number = block->order[index];
    const af_thread *thread = &block->profile->threads[number];
    const unsigned lacks = block->profile->clocks & ~af_tree_clocks(thread->tree);
    uint64_t left_out = 0;
    for (uint32_t i = 0; list->pruned && i < list->pruned->n_stand_ins; i++) {
        left_out += list->pruned->stand_ins[i].nodes;
    }
    af_deflater_number(p->out, thread->id);
    af_block_append_name(p->out, af_thread_shown(block->profile, thread));
    af_block_append_name(p->out, thread->title);
    af_deflater_number(p->out, (block->drawn[number] ? 1u : 0u) | (thread->exited ? 2u : 0u) |
                                   (thread->sampled ? 4u : 0u) | lacks << 3 |
                                   (thread->tree->runnable ? 32u : 0u) |
                                   (af_waits_is_daemon(block->profile, number) ? 64u : 0u));
    af_deflater_number(p->out, thread->records);
    af_deflater_number(p->out, list->n);
    af_deflater_number(p->out, left_out);
}

static void write_head(const naming *names, af_deflater *out)
{
    const af_block *block = names->block;
    const af_facts *facts = &block->profile->facts;
    const uint32_t lacking = block->profile->n_threads - block->n_threads;
    af_deflater_append(out, "AFB1", 4);
    af_deflater_number(out, block->profile->clocks);
    af_deflater_number(out, block->unit_ns);
    af_deflater_number(out, (uint64_t)block->clock);
    af_block_append_text(out, block->input);
    af_deflater_number(out, (af_profile_counts_calls(block->profile) ? 0u : 1u) |
                                (af_content_has_weights(facts->content) ? 2u : 0u) |
                                (facts->weights.unit.name ? 4u : 0u) | (block->calls ? 8u : 0u) |
                                (lacking > 0 ? 32u : 0u));
    if (facts->weights.unit.name) {
        af_block_append_unit(out, &facts->weights.unit);
    }
    if (lacking > 0) {
        af_deflater_number(out, lacking);
    }
    write_labels(names, out);
    af_deflater_number(out, block->n_threads);
}

static uint8_t *write_columns(const naming *names, const entries *list, unsigned which, uint8_t *at)
{
    switch (which) {
    case SECTION_DEPTHS:
        return write_depths(list, at);
    case SECTION_LABELS:
        return write_label_column(names, list, at);
    case SECTION_CALLS:
        return write_calls(list, at);
    case SECTION_UNWINDS:
        return write_sparse(list, unwinds_at, FALSE, at);
    case SECTION_RUNNABLE:
        return list->tree->runnable
                   ? write_sparse(list, runnable_at, names->block->unit_ns == 1000, at)
                   : at;
    }
    const gboolean extremes = which >= SECTION_EXTREMES;
    const unsigned clock = which - (extremes ? SECTION_EXTREMES : SECTION_SELVES);
    if (!list->tree->self[clock]) {
        return at;
    }
    if (!extremes) {
        return write_selves(names, list, clock, at);
    }
    at = write_extremes(names, list, clock, FALSE, at);
    return write_extremes(names, list, clock, TRUE, at);
}

static void write_section(part *p, uint32_t index, unsigned which)
{
    const entries list = list_entries(p->names->block, index);
    if (which == SECTION_HEAD) {
        write_thread_head(p, index, &list);
        return;
    }
    /* at most two numbers for each entry, and the number of entries */
    uint8_t *at = af_deflater_reserve(p->out, (2 * (size_t)list.n + 1) * AF_ULEB128_MAX);
    if (at) {
        af_deflater_commit(p->out, write_columns(p->names, &list, which, at));
    }
}

static void write_calls_behind(part *p)
{
    af_chart_block block = *p->names->block->calls;
    block.order = p->names->block->order;
    block.numbers = p->names->numbers;
    block.joined = p->names->n_labels;
    p->failed = !af_chart_block_write(&block, p->out);
}

static void write_part(void *user, unsigned piece)
{
    part *p = (part *)user + piece;
    if (p->calls) {
        write_calls_behind(p);
    } else if (p->first == 0) {
        write_head(p->names, p->out);
    }
    for (uint64_t at = p->first; at < p->end; at++) {
        write_section(p, (uint32_t)(at / SECTIONS), (unsigned)(at % SECTIONS));
    }
    af_deflater_finish(p->out);
}

/* More parts would not be faster, and every part costs a little compression. */
#define PARTS_MAX 8u

/* Minimum number of entries in a part. */
#define LEAST_PART 10000u

/* The approximate cost of a section for each entry: finding repeated labels takes time; only some
 * entries have extremes. */
static uint64_t weigh_section(const af_block *block, uint64_t at)
{
    static const unsigned weights[SECTIONS] = {
        [SECTION_DEPTHS] = 1,       [SECTION_LABELS] = 6,     [SECTION_CALLS] = 1,
        [SECTION_SELVES] = 2,       [SECTION_SELVES + 1] = 2, [SECTION_EXTREMES] = 1,
        [SECTION_EXTREMES + 1] = 1,
    };
    return (uint64_t)list_entries(block, (uint32_t)(at / SECTIONS)).n * weights[at % SECTIONS];
}

/* Divides the sequence into parts of about equal weight; returns their number. Depends on the trees
 * alone, so that the bytes are the same on every machine. */
static unsigned divide(const naming *names, part parts[PARTS_MAX + 1])
{
    const af_block *block = names->block;
    const uint64_t end = (uint64_t)block->n_threads * SECTIONS;
    uint64_t n_entries = 0, weight = 0, before = 0;
    for (uint64_t at = 0; at < end; at++) {
        n_entries += at % SECTIONS == 0 ? list_entries(block, (uint32_t)(at / SECTIONS)).n : 0;
        weight += weigh_section(block, at);
    }
    const unsigned n = (unsigned)CLAMP(n_entries / LEAST_PART, 1, PARTS_MAX);
    uint64_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        parts[i] = (part){.names = names, .first = at};
        while (at < end && (i + 1 == n || before < weight / n * (i + 1))) {
            before += weigh_section(block, at);
            at++;
        }
        parts[i].end = at;
    }
    if (block->calls) {
        parts[n] = (part){.names = names, .first = at, .end = at, .calls = TRUE};
    }
    return n + (block->calls ? 1 : 0);
}

static gboolean write_parts(part *parts, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        parts[i].out = af_deflater_new();
        if (!parts[i].out) {
            return FALSE;
        }
    }
    af_workers_run(n, parts[0].names->block->jobs, write_part, parts);
    return !parts[n - 1].failed;
}

static GBytes *write_named(const naming *names, size_t *plain_length)
{
    part parts[PARTS_MAX + 1];
    const unsigned n = divide(names, parts);
    GBytes *bytes = NULL;
    if (write_parts(parts, n)) {
        af_deflater *outs[PARTS_MAX + 1];
        for (unsigned i = 0; i < n; i++) {
            outs[i] = parts[i].out;
        }
        bytes = af_deflater_join(outs, n, plain_length);
    }
    for (unsigned i = 0; i < n; i++) {
        af_deflater_free(parts[i].out);
    }
    return bytes;
}

GBytes *af_block_write(const af_block *block, size_t *plain_length)
{
    const gsize n = (gsize)block->profile->n_labels + 1;
    naming names = {
        .block = block,
        .numbers = g_try_new0(uint32_t, 2 * n),
        .labels = g_try_new(uint32_t, 2 * n),
    };
    GBytes *bytes = NULL;
    if (names.numbers && names.labels) {
        number_labels(&names);
        bytes = write_named(&names, plain_length);
    }
    g_free(names.numbers);
    g_free(names.labels);
    return bytes;
}
