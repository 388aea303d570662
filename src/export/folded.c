/* Folded stacks: one line for each distinct stack, "THREAD;FRAME;...;FRAME N".
 *
 * `;` separates frames, so a `;` inside a name becomes `:`. A name gets a `_` after it if it
 * ends in a number of its own, which readers take for a count, or in a blank, which they cut off. A
 * line that would begin with `#`, a comment for most readers, gets a `_` before it. Names that differ
 * only in `;` and `:` give several lines with one stack, which readers add up.
 *
 * Tested with speedscope 1.25.0 and aflame itself. For a recording of simpleperf the stacks are
 * those of Android's stackcollapse.py, which drops the innermost frame of each. */
#include "export/exporter.h"

#include "base/array.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "base/stack_name.h"
#include "export/paths.h"

#define ANNOTATION_SIZE ((size_t)4) /* "_[k]" */

/* Readers, such as aflame's own, reject or truncate longer lines. */
#define LONGEST_LINE ((size_t)64 * 1024 * 1024 - NUMBER_SIZE - ANNOTATION_SIZE)

/* A blank, a number and the end of the line. */
#define NUMBER_SIZE 22u

/* The stack to print: the path to the last node and the end of each of its levels. A walk in tree
 * order only cuts and appends at the end. */
typedef struct {
    af_array bytes;
    af_array ends;       /* of size_t, by depth */
    size_t truncated_at; /* the first incomplete level; SIZE_MAX = all are complete */
} path;

static gboolean store_end(path *p, size_t depth)
{
    if (p->bytes.failed || !af_array_reach(&p->ends, depth + 1)) {
        return FALSE;
    }
    AF_ARRAY_AT(&p->ends, size_t, depth) = p->bytes.n;
    return TRUE;
}

/* The number of bytes of the name that fit into the line. */
static size_t fit_name(path *p, size_t depth, const char *name, size_t length)
{
    if (depth <= p->truncated_at) {
        p->truncated_at = SIZE_MAX;
    }
    const size_t rest = LONGEST_LINE - MIN(p->bytes.n + 2, LONGEST_LINE);
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
    p->bytes.n = depth == 0 ? 0 : AF_ARRAY_AT(&p->ends, size_t, depth - 1);
    length = fit_name(p, depth, name, length);
    if (depth > p->truncated_at) {
        return store_end(p, depth);
    }
    if (depth > 0 || *name == '#') {
        af_array_append(&p->bytes, depth > 0 ? ";" : "_");
    }
    char *to = af_array_add(&p->bytes, length + 1);
    if (to == NULL) {
        return FALSE;
    }
    memcpy(to, name, length);
    for (char *c = memchr(to, ';', length); c != NULL;
         c = memchr(c, ';', (size_t)(to + length - c))) {
        *c = ':';
    }
    if (last && af_stack_name_runs_into_count(name, length)) {
        to[length] = '_';
    } else {
        p->bytes.n--;
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
    char *to = af_array_add(&p->bytes, ANNOTATION_SIZE);
    if (to != NULL) {
        memcpy(to, (const char[]){'_', '[', letter, ']'}, ANNOTATION_SIZE);
    }
    return store_end(p, depth);
}

static void print_line(printer *p, const char *number)
{
    af_out_bytes(p->out, p->path.bytes.items, p->path.bytes.n);
    af_out_texts(p->out, " ", number, "\n");
    p->lost.truncated += p->path.truncated_at != SIZE_MAX;
}

/* An input without threads has one tree, whose root is not a frame. */
static gboolean print_thread(printer *p, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    const char *title = thread->title;
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

/* An upper bound for the lines of a thread; `lengths`, by depth, receives those of the paths. */
static uint64_t measure_tree(uint64_t *lengths, const af_profile *profile,
                             const af_selection *selection, const af_thread *thread)
{
    const af_tree *tree = thread->tree;
    const uint64_t *self = af_tree_self_widths(tree, selection->clock);
    const uint64_t least = profile->facts.weights.unit.counted || selection->folded_ns ? 1 : 1000;
    uint64_t bytes = 0;
    lengths[0] = strlen(thread->title) + 2;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t depth = tree->depth[n];
        const uint64_t length =
            lengths[depth - 1] + 2 + ANNOTATION_SIZE + profile->labels[tree->label[n]].length;
        lengths[depth] = MIN(length, AF_PATHS_MOST_COUNTED);
        bytes += self[n] >= least ? lengths[depth] + NUMBER_SIZE : 0;
        bytes = MIN(bytes, AF_PATHS_MOST_COUNTED);
    }
    return bytes;
}

/* FALSE with an error if the text would be longer than the selection allows. */
static gboolean check_size(const af_profile *profile, const af_selection *selection, GError **error)
{
    const uint32_t n = selection->n_threads, *threads = selection->threads;
    g_autofree uint64_t *lengths =
        g_try_new(uint64_t, (size_t)af_profile_deepest(profile, threads, n) + 1);
    uint64_t bytes = 0;
    if (lengths == NULL) {
        return af_memory_error_set(error);
    }
    for (uint32_t i = 0; i < n; i++) {
        bytes += measure_tree(lengths, profile, selection, &profile->threads[threads[i]]);
        bytes = MIN(bytes, AF_PATHS_MOST_COUNTED);
    }
    const gboolean fits = selection->most_bytes == 0 || bytes <= selection->most_bytes;
    if (!fits) {
        af_paths_refuse(profile, selection, "folded stacks", bytes, error);
    }
    return fits;
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

static gboolean write_folded(const af_profile *profile, const af_selection *selection, af_out *out,
                             GError **error)
{
    if (!check_size(profile, selection, error)) {
        return FALSE;
    }
    printer p = {.profile = profile,
                 .clock = selection->clock,
                 .unit_ns = selection->folded_ns ? 1 : 1000,
                 .path = {.truncated_at = SIZE_MAX},
                 .out = out};
    gboolean ok = TRUE;
    af_array_init(&p.path.bytes, 1);
    af_array_init(&p.path.ends, sizeof(size_t));
    for (uint32_t i = 0; ok && out->error == NULL && i < selection->n_threads; i++) {
        ok = print_thread(&p, &profile->threads[selection->threads[i]]);
    }
    AF_ARRAYS_CLEAR(&p.path.bytes, &p.path.ends);
    if (ok) {
        report_losses(&p.lost, selection->messages);
    }
    return ok || af_memory_error_set(error);
}

const af_exporter af_exporter_folded = {
    .name = "folded",
    .extensions = "folded",
    .title = "folded stacks, for flamegraph.pl, inferno and speedscope",
    .loses = AF_LOSES_TIMELINE | AF_LOSES_OVERFLOW,
    .write = write_folded,
};
