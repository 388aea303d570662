/* Folded stacks: one line for each distinct stack, "THREAD;FRAME;...;FRAME N".
 *
 * `;` separates frames, so a `;` inside a name becomes `:`. A name gets a `_` after it if it
 * ends in a number of its own, which readers take for a count, or in a blank, which they cut off. A
 * line that would begin with `#`, a comment for most readers, gets a `_` before it. Stacks that are
 * printed alike are added up in nanoseconds before the only division; this costs extra work only if
 * two threads have the same title or a label contains a `;`.
 *
 * Tested with speedscope 1.25.0 and aflame itself. For a recording of simpleperf the stacks are
 * those of Android's stackcollapse.py, which drops the innermost frame of each. */
#include "export/exporter.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "base/stack_name.h"
#include "base/wide.h"
#include "export/folded_groups.h"
#include "export/paths.h"

#define ANNOTATION_SIZE ((size_t)4) /* "_[k]" */

/* Readers, such as aflame's own, reject or truncate longer lines. */
#define LONGEST_LINE ((size_t)64 * 1024 * 1024 - NUMBER_SIZE - ANNOTATION_SIZE)

/* A blank, a number and the end of the line. */
#define NUMBER_SIZE 22u

/* The stack to print: the path to the last node and the end of each of its levels. It grows by
 * doubling; a walk in tree order only cuts and appends at the end. */
typedef struct {
    char *bytes;
    size_t used, capacity;
    size_t *ends; /* by depth */
    size_t levels;
    size_t truncated_at; /* the first incomplete level; SIZE_MAX = all are complete */
} path;

static gboolean grow_path(path *p, size_t more)
{
    if (more <= p->capacity - p->used) {
        return TRUE;
    }
    size_t capacity = (p->used + more) * 2;
    char *bytes = g_try_realloc(p->bytes, capacity);
    if (bytes == NULL) {
        return FALSE;
    }
    p->bytes = bytes;
    p->capacity = capacity;
    return TRUE;
}

static gboolean store_end(path *p, size_t depth)
{
    if (depth >= p->levels) {
        size_t levels = (depth + 1) * 2;
        size_t *ends = g_try_realloc_n(p->ends, levels, sizeof *ends);
        if (ends == NULL) {
            return FALSE;
        }
        p->ends = ends;
        p->levels = levels;
    }
    p->ends[depth] = p->used;
    return TRUE;
}

/* The number of bytes of the name that fit into the line. */
static size_t fit_name(path *p, size_t depth, const char *name, size_t length)
{
    if (depth <= p->truncated_at) {
        p->truncated_at = SIZE_MAX;
    }
    const size_t rest = LONGEST_LINE - MIN(p->used + 2, LONGEST_LINE);
    if (p->truncated_at == SIZE_MAX && length <= rest) {
        return length;
    }
    if (p->truncated_at != SIZE_MAX) {
        return 0;
    }
    p->truncated_at = depth;
    return rest == 0 ? 0 : (size_t)(g_utf8_find_prev_char(name, name + rest) - name);
}

/* Cuts the path to `depth` levels below the thread and adds one name. `last`: a line ends with it.
 */
static gboolean put_name(path *p, size_t depth, const char *name, size_t length, gboolean last)
{
    p->used = depth == 0 ? 0 : p->ends[depth - 1];
    length = fit_name(p, depth, name, length);
    if (depth > p->truncated_at) {
        return store_end(p, depth);
    }
    if (!grow_path(p, length + 3)) {
        return FALSE;
    }
    if (depth > 0 || *name == '#') {
        p->bytes[p->used++] = depth > 0 ? ';' : '_';
    }
    char *to = p->bytes + p->used;
    memcpy(to, name, length);
    for (char *c = memchr(to, ';', length); c != NULL;
         c = memchr(c, ';', (size_t)(to + length - c))) {
        *c = ':';
    }
    p->used += length;
    if (last && af_stack_name_runs_into_count(name, length)) {
        p->bytes[p->used++] = '_';
    }
    return store_end(p, depth);
}

/* Losses in the output. */
typedef struct {
    uint64_t total_ns, lost_ns;
    uint64_t truncated; /* lines */
} losses;

typedef struct {
    const af_profile *profile;
    af_clock clock;
    uint64_t unit_ns; /* unit of the printed times */
    losses lost;
    path path;
    af_out *out;
} printer;

/* The count as text; times in units of the lines. "0" is not printed. */
static const char *print_amount(printer *p, char text[AF_NUMBER_SIZE], uint64_t amount)
{
    static const af_unit whole;
    const af_unit *unit = &p->profile->facts.weights.unit;
    if (unit->counted) {
        return af_number_amount_typed(text, amount, unit);
    }
    p->lost.total_ns += amount;
    p->lost.lost_ns += amount % p->unit_ns;
    return af_number_amount_typed(text, amount / p->unit_ns, &whole);
}

/* The letter of a frame's annotation, which a label has only if it distinguishes two frames; 0 =
 * none. */
static char find_annotation(const af_profile *profile, const af_label *label)
{
    static const char letters[] = {[AF_ANNOTATION_NONE] = 0,
                                   [AF_ANNOTATION_KERNEL] = 'k',
                                   [AF_ANNOTATION_JIT] = 'j',
                                   [AF_ANNOTATION_INLINED] = 'i',
                                   [AF_ANNOTATION_WAKER] = 'w'};
    if (label->method >= profile->n_methods) {
        return '\0';
    }
    const af_method *method = &profile->methods[label->method];
    const char letter = letters[method->annotation];
    if (letter == '\0' || method->name == NULL || !g_str_has_suffix(label->text, method->name)) {
        return '\0';
    }
    return letter;
}

static gboolean append_annotation(path *p, size_t depth, char letter)
{
    if (!grow_path(p, ANNOTATION_SIZE)) {
        return FALSE;
    }
    memcpy(p->bytes + p->used, (const char[]){'_', '[', letter, ']'}, ANNOTATION_SIZE);
    p->used += ANNOTATION_SIZE;
    return store_end(p, depth);
}

static void print_line(printer *p, const char *number)
{
    af_out_bytes(p->out, p->path.bytes, p->path.used);
    af_out_texts(p->out, " ", number, "\n");
    p->lost.truncated += p->path.truncated_at != SIZE_MAX;
}

/* An input without threads has one tree, whose root is not a frame. */
static gboolean print_tree(printer *p, const char *title, const af_tree *tree)
{
    const uint32_t above = p->profile->facts.threadless ? 1 : 0;
    const uint64_t *self = af_tree_self_widths(tree, p->clock);
    char number[AF_NUMBER_SIZE];
    if (above == 0 && !put_name(&p->path, 0, title, strlen(title), FALSE)) {
        return FALSE;
    }
    for (uint32_t n = 1; n < tree->n && p->out->error == NULL; n++) {
        const af_label *label = &p->profile->labels[tree->label[n]];
        print_amount(p, number, self[n]);
        const gboolean any = number[0] != '0' || number[1] != '\0';
        const char annotation = find_annotation(p->profile, label);
        const size_t depth = tree->depth[n] - above;
        if (!put_name(&p->path, depth, label->text, label->length, any && annotation == 0) ||
            (annotation != 0 && p->path.truncated_at == SIZE_MAX &&
             !append_annotation(&p->path, depth, annotation))) {
            return FALSE;
        }
        if (any) {
            print_line(p, number);
        }
    }
    return TRUE;
}

static gboolean print_group(const af_folded_groups *f, uint32_t group, printer *p)
{
    const char *title = f->titles.entries[group].bytes;
    if (f->begin[group + 1] - f->begin[group] == 1 && !f->merges) {
        p->clock = f->selection->clock;
        return print_tree(p, title, f->profile->threads[f->threads[f->begin[group]]].tree);
    }
    g_autoptr(af_tree) tree = af_folded_groups_merge(f, group);
    p->clock = AF_FOLDED_CLOCK;
    return tree != NULL && print_tree(p, title, tree);
}

typedef struct {
    uint64_t bytes;    /* upper bound */
    uint32_t deepest;  /* depth of all trees */
    uint64_t *lengths; /* of the path, by depth; NULL = estimate from the longest possible path */
} measure;

static void measure_tree(measure *m, const af_profile *profile, const af_selection *selection,
                         const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    const uint64_t *self = af_tree_self_widths(tree, selection->clock);
    const uint64_t least = profile->facts.weights.unit.counted || selection->folded_ns ? 1 : 1000;
    uint64_t bytes = 0;
    m->lengths[0] = strlen(thread->title) + 2;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t depth = tree->depth[n];
        const uint64_t length =
            m->lengths[depth - 1] + 2 + ANNOTATION_SIZE + profile->labels[tree->label[n]].length;
        m->lengths[depth] = MIN(length, AF_PATHS_MOST_COUNTED);
        bytes += self[n] >= least ? m->lengths[depth] + NUMBER_SIZE : 0;
        bytes = MIN(bytes, AF_PATHS_MOST_COUNTED);
    }
    m->bytes = MIN(m->bytes + bytes, AF_PATHS_MOST_COUNTED);
}

static void measure_trees(measure *m, const af_profile *profile, const af_selection *selection)
{
    uint64_t longest_label = 0;
    m->bytes = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        longest_label = MAX(longest_label, profile->labels[i].length);
    }
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        const af_thread *thread = &profile->threads[selection->threads[i]];
        if (m->lengths != NULL) {
            measure_tree(m, profile, selection, thread);
        } else {
            const uint32_t deepest = af_profile_deepest(profile, &selection->threads[i], 1);
            const af_u128 longest = strlen(thread->title) + 2 +
                                    (af_u128)deepest * (longest_label + 2 + ANNOTATION_SIZE);
            const af_u128 bytes = m->bytes + (longest + NUMBER_SIZE) * thread->tree->n;
            m->bytes = (uint64_t)MIN(bytes, AF_PATHS_MOST_COUNTED);
            m->deepest = MAX(m->deepest, deepest);
        }
    }
}

/* FALSE with an error if the text would be longer than the selection allows. */
static gboolean check_size(const af_profile *profile, const af_selection *selection, GError **error)
{
    const uint64_t most = selection->most_bytes;
    measure m = {0};
    if (most > 0) {
        measure_trees(&m, profile, selection);
    }
    if (m.bytes <= most) {
        return TRUE;
    }
    m.lengths = g_try_new(uint64_t, (size_t)m.deepest + 1);
    if (m.lengths == NULL) {
        return af_memory_error_set(error);
    }
    measure_trees(&m, profile, selection);
    g_free(m.lengths);
    if (m.bytes > most) {
        af_paths_refuse(profile, selection, "folded stacks", m.bytes, error);
    }
    return m.bytes <= most;
}

static void report_losses(const losses *lost, GPtrArray *messages)
{
    char share[AF_NUMBER_SIZE], time[AF_NUMBER_SIZE], lines[AF_NUMBER_SIZE];
    if (messages == NULL) {
        return;
    }
    if ((af_u128)lost->lost_ns * 1000 > lost->total_ns) {
        g_ptr_array_add(messages,
                        g_strdup_printf("rounding down to whole microseconds loses %s of the time "
                                        "(%s); --folded-unit ns avoids this",
                                        af_number_share(share, lost->lost_ns, lost->total_ns),
                                        af_number_time(time, lost->lost_ns)));
    }
    if (lost->truncated > 0) {
        g_ptr_array_add(messages, g_strdup_printf("%s line%s longer than 64 MB: truncated",
                                                  af_number_count(lines, lost->truncated),
                                                  lost->truncated == 1 ? " is" : "s are"));
    }
}

static gboolean write_groups(const af_folded_groups *f, af_out *out)
{
    printer p = {.profile = f->profile,
                 .unit_ns = f->selection->folded_ns ? 1 : 1000,
                 .path = {.truncated_at = SIZE_MAX},
                 .out = out};
    gboolean ok = TRUE;
    for (uint32_t g = 0; ok && out->error == NULL && g < f->titles.n; g++) {
        ok = print_group(f, g, &p);
    }
    g_free(p.path.bytes);
    g_free(p.path.ends);
    if (ok) {
        report_losses(&p.lost, f->selection->messages);
    }
    return ok;
}

static gboolean write_folded(const af_profile *profile, const af_selection *selection, af_out *out,
                             GError **error)
{
    if (!check_size(profile, selection, error)) {
        return FALSE;
    }
    af_folded_groups groups;
    const gboolean ok =
        af_folded_groups_init(&groups, profile, selection) && write_groups(&groups, out);
    af_folded_groups_clear(&groups);
    if (!ok) {
        af_memory_error_set(error);
    }
    return ok;
}

const af_exporter af_exporter_folded = {
    .name = "folded",
    .extensions = "folded",
    .title = "folded stacks, for flamegraph.pl, inferno and speedscope",
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_folded,
};
