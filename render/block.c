#include "render/block.h"

#include <string.h>

#include "model/labels.h"
#include "render/deflater.h"

/* The longest number. */
#define NUMBER_MAX 10

typedef struct {
    const af_block *block;
    uint32_t *numbers; /* by label of the profile: its number in the block + 1, 0 = none */
    uint32_t *labels;  /* the other way round */
    uint32_t n_labels;
} naming;

/* A run of threads: what one thread of this program writes. */
typedef struct {
    const naming *names;
    uint32_t first, end; /* by their place in the order */
    uint8_t *column;     /* room for any column of theirs */
    af_deflater *out;
} part;

/* ---- numbers and strings ---- */

static inline uint8_t *put_number(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    return at;
}

static void append_number(GByteArray *to, uint64_t value)
{
    uint8_t bytes[NUMBER_MAX];
    g_byte_array_append(to, bytes, (guint)(put_number(bytes, value) - bytes));
}

static void append_string(GByteArray *to, const char *text, size_t length)
{
    append_number(to, length);
    g_byte_array_append(to, (const guint8 *)text, (guint)length);
}

static void append_text(GByteArray *to, const char *text)
{
    append_string(to, text ? text : "", text ? strlen(text) : 0);
}

/* ---- labels ---- */

static void number_labels(naming *names)
{
    const af_profile *profile = names->block->profile;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = names->block->trees[t];
        for (uint32_t i = 1; i < tree->n; i++) {
            const uint32_t label = tree->label[i];
            if (label != AF_NO_LABEL && names->numbers[label] == 0) {
                names->labels[names->n_labels++] = label;
                names->numbers[label] = names->n_labels;
            }
        }
    }
}

static void append_full_name(GByteArray *to, GString *full, const af_profile *profile,
                             const af_label *label)
{
    g_string_truncate(full, 0);
    if (label->methods == 1) {
        af_method_append_full(full, &profile->methods[label->method]);
    }
    if (full->len == 0 || strcmp(full->str, label->text) == 0) {
        append_number(to, 0);
    } else if (g_str_has_prefix(full->str, label->text)) {
        append_number(to, 1);
        append_string(to, full->str + label->length, full->len - label->length);
    } else {
        append_number(to, 2);
        append_string(to, full->str, full->len);
    }
}

static void append_source(GByteArray *to, GString *source, const af_profile *profile,
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
    append_string(to, source->str, source->len);
}

/* Whole characters that two texts begin with. */
static size_t count_shared(const char *one, const char *other)
{
    size_t n = 0;
    while (one[n] != '\0' && one[n] == other[n]) {
        n++;
    }
    while (n > 0 && ((unsigned char)other[n] & 0xC0) == 0x80) {
        n--;
    }
    return n;
}

static void write_labels(const naming *names, af_deflater *out)
{
    const af_profile *profile = names->block->profile;
    GByteArray *bytes = g_byte_array_new();
    GString *scratch = g_string_new(NULL);
    const char *before = "";
    append_number(bytes, names->n_labels);
    for (uint32_t i = 0; i < names->n_labels; i++) {
        const af_label *label = &profile->labels[names->labels[i]];
        const size_t shared = count_shared(before, label->text);
        const uint8_t colour[2] = {(uint8_t)label->category, label->shade};
        append_number(bytes, shared);
        append_string(bytes, label->text + shared, label->length - shared);
        g_byte_array_append(bytes, colour, sizeof colour);
        append_full_name(bytes, scratch, profile, label);
        append_source(bytes, scratch, profile, label);
        before = label->text;
    }
    af_deflater_append(out, bytes->data, bytes->len, AF_REPEATS);
    g_string_free(scratch, TRUE);
    g_byte_array_unref(bytes);
}

/* ---- columns ---- */

static void write_column(part *p, const uint8_t *end, af_repetition repetition)
{
    af_deflater_append(p->out, p->column, (size_t)(end - p->column), repetition);
}

static void write_shape(part *p, const af_tree *tree)
{
    uint8_t *at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        at = put_number(at, (uint64_t)tree->depth[i - 1] + 1 - tree->depth[i]);
    }
    write_column(p, at, AF_HARDLY_REPEATS);
    at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t label = tree->label[i];
        at = put_number(at,
                        label == AF_NO_LABEL ? p->names->n_labels : p->names->numbers[label] - 1);
    }
    write_column(p, at, AF_REPEATS);
    at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        at = put_number(at, tree->calls[i] - 1);
    }
    write_column(p, at, AF_HARDLY_REPEATS);
}

/* A constant divisor is a multiplication. */
static inline uint64_t to_units(uint64_t time_ns, gboolean in_us)
{
    return in_us ? time_ns / 1000 : time_ns;
}

static void write_selves(part *p, const uint64_t *self, uint32_t n)
{
    const gboolean in_us = p->names->block->unit_ns == 1000;
    uint8_t *at = p->column;
    for (uint32_t i = 1; i < n; i++) {
        at = put_number(at, to_units(self[i], in_us));
    }
    write_column(p, at, AF_HARDLY_REPEATS);
}

static inline gboolean has_extremes(const af_tree *tree, uint32_t node)
{
    return tree->calls[node] > 1 && tree->label[node] != AF_NO_LABEL;
}

static void write_extremes(part *p, const af_tree *tree, unsigned clock)
{
    const gboolean in_us = p->names->block->unit_ns == 1000;
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    uint8_t *at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        if (has_extremes(tree, i)) {
            at = put_number(at, to_units(min[i], in_us));
        }
    }
    write_column(p, at, AF_HARDLY_REPEATS);
    at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        if (has_extremes(tree, i)) {
            at = put_number(at, to_units(max[i] - min[i], in_us));
        }
    }
    write_column(p, at, AF_HARDLY_REPEATS);
}

static void write_unwinds(part *p, const af_tree *tree)
{
    uint8_t count[NUMBER_MAX], *at = p->column;
    uint32_t n = 0, before = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        if (tree->unwinds[i] > 0) {
            at = put_number(at, i - before);
            at = put_number(at, tree->unwinds[i]);
            before = i;
            n++;
        }
    }
    af_deflater_append(p->out, count, (size_t)(put_number(count, n) - count), AF_REPEATS);
    write_column(p, at, AF_REPEATS);
}

static void write_thread(part *p, uint32_t place)
{
    const af_block *block = p->names->block;
    const uint32_t number = block->order[place];
    const af_thread *thread = &block->profile->threads[number];
    const af_tree *tree = block->trees[place];
    uint64_t left_out = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        left_out += tree->label[i] == AF_NO_LABEL ? tree->calls[i] : 0;
    }
    GByteArray *head = g_byte_array_new();
    append_number(head, thread->id);
    append_text(head, thread->name);
    append_text(head, thread->title);
    append_number(head, (block->drawn[number] ? 1u : 0u) | (thread->exited ? 2u : 0u));
    append_number(head, thread->records);
    append_number(head, tree->n - 1);
    append_number(head, left_out);
    af_deflater_append(p->out, head->data, head->len, AF_REPEATS);
    g_byte_array_unref(head);
    write_shape(p, tree);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c]) {
            write_selves(p, tree->self[c], tree->n);
        }
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c]) {
            write_extremes(p, tree, c);
        }
    }
    write_unwinds(p, tree);
}

/* ---- the block ---- */

static void write_head(const naming *names, af_deflater *out)
{
    const af_block *block = names->block;
    GByteArray *head = g_byte_array_new();
    g_byte_array_append(head, (const guint8 *)"AFB1", 4);
    append_number(head, block->profile->clocks);
    append_number(head, block->unit_ns);
    append_number(head, (uint64_t)block->clock);
    append_text(head, block->input);
    append_number(head, block->profile->facts.sampled ? 1 : 0);
    af_deflater_append(out, head->data, head->len, AF_REPEATS);
    g_byte_array_unref(head);
    write_labels(names, out);
    uint8_t count[NUMBER_MAX];
    const uint8_t *end = put_number(count, block->profile->n_threads);
    af_deflater_append(out, count, (size_t)(end - count), AF_REPEATS);
}

static gpointer write_part(gpointer user)
{
    part *p = user;
    if (p->first == 0) {
        write_head(p->names, p->out);
    }
    for (uint32_t t = p->first; t < p->end; t++) {
        write_thread(p, t);
    }
    return NULL;
}

/* Where the second part begins: with the thread in which half of the nodes lie behind. What is not
 * worth dividing is in the first part. Decided by the trees alone, so that the bytes are the same
 * on every machine. */
static uint32_t divide_threads(const af_block *block, uint64_t n)
{
    enum { WORTH_DIVIDING = 20000 };
    const uint32_t n_threads = block->profile->n_threads;
    uint64_t before = 0;
    uint32_t t = 0;
    while (t < n_threads && (n < WORTH_DIVIDING || before + block->trees[t]->n / 2 < n / 2)) {
        before += block->trees[t++]->n;
    }
    return t;
}

static gboolean write_parts(part parts[2], unsigned n)
{
    gboolean done = TRUE;
    for (unsigned i = 0; i < n; i++) {
        uint32_t largest = 1;
        for (uint32_t t = parts[i].first; t < parts[i].end; t++) {
            largest = MAX(largest, parts[i].names->block->trees[t]->n);
        }
        /* unwinds are two numbers */
        parts[i].column = g_try_malloc_n(largest, 2 * NUMBER_MAX);
        parts[i].out = af_deflater_new();
        done = done && parts[i].column && parts[i].out;
    }
    if (done) {
        GThread *other = n > 1 && parts[0].names->block->jobs != 1
                             ? g_thread_try_new("aflame-block", write_part, &parts[1], NULL)
                             : NULL;
        write_part(&parts[0]);
        if (other) {
            g_thread_join(other);
        } else if (n > 1) {
            write_part(&parts[1]);
        }
    }
    return done;
}

static GBytes *write_named(const naming *names, size_t *plain_length)
{
    const af_block *block = names->block;
    uint64_t n = 0;
    for (uint32_t t = 0; t < block->profile->n_threads; t++) {
        n += block->trees[t]->n;
    }
    const uint32_t middle = divide_threads(block, n);
    const uint32_t end = block->profile->n_threads;
    part parts[2] = {{.names = names, .first = 0, .end = middle},
                     {.names = names, .first = middle, .end = end}};
    const unsigned n_parts = middle < end ? 2 : 1;
    GBytes *bytes = NULL;
    if (write_parts(parts, n_parts)) {
        bytes = af_deflater_join((af_deflater *const[]){parts[0].out, parts[1].out}, n_parts,
                                 plain_length);
    }
    for (unsigned i = 0; i < n_parts; i++) {
        g_free(parts[i].column);
        af_deflater_free(parts[i].out);
    }
    return bytes;
}

GBytes *af_block_write(const af_block *block, size_t *plain_length)
{
    const gsize n = (gsize)block->profile->n_labels + 1;
    naming names = {
        .block = block,
        .numbers = g_try_new0(uint32_t, n),
        .labels = g_try_new(uint32_t, n),
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
