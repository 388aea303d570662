#include "export/aflp_section.h"

#include <string.h>

#include "base/aflp.h"
#include "base/append.h"

void af_section_init(af_section *s)
{
    *s = (af_section){.text = ""};
    af_array_init(&s->bytes, 1);
}

void af_section_clear(af_section *s)
{
    af_array_clear(&s->bytes);
}

/* Inserts the length of the open section before its content. */
static void close_section(af_section *s)
{
    uint8_t head[2 * AF_ULEB128_MAX];
    const size_t length = s->bytes.n - s->begin;
    const size_t n = (size_t)(af_uleb128_put(af_uleb128_put(head, s->number), length) - head);
    if (s->number == 0 || af_array_add(&s->bytes, n) == NULL) {
        return;
    }
    uint8_t *content = (uint8_t *)s->bytes.items + s->begin;
    memmove(content + n, content, length);
    memcpy(content, head, n);
}

void af_section_begin(af_section *s, unsigned number)
{
    close_section(s);
    s->number = number;
    s->begin = s->bytes.n;
}

gboolean af_section_finish(af_section *s)
{
    close_section(s);
    s->number = 0;
    return !s->bytes.failed;
}

void af_section_number(af_section *s, uint64_t value)
{
    af_append_uleb128(&s->bytes, value);
}

void af_section_signed(af_section *s, int64_t value)
{
    af_section_number(s, value < 0 ? (uint64_t) - (value + 1) * 2 + 1 : (uint64_t)value * 2);
}

void af_section_bytes(af_section *s, const void *bytes, size_t n)
{
    af_append_bytes(&s->bytes, bytes, n);
}

void af_section_text(af_section *s, const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    af_section_number(s, text != NULL ? length + 1 : 0);
    af_append_bytes(&s->bytes, text, length);
}

void af_section_begin_texts(af_section *s)
{
    s->text = "";
}

void af_section_next_text(af_section *s, const char *text)
{
    size_t shared = 0;
    if (text == NULL) {
        af_section_number(s, 0);
    } else {
        while (text[shared] != '\0' && text[shared] == s->text[shared]) {
            shared++;
        }
        af_section_number(s, shared);
        text += shared;
    }
    af_section_text(s, text);
    s->text = text != NULL ? text - shared : "";
}

/* Whether the shortest and longest call follow from the other columns. */
static gboolean follows_from_times(const af_tree *tree, unsigned clock)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint64_t expected = tree->calls[i] == 0 ? 0 : tree->inclusive[clock][i];
        if (tree->calls[i] < 2 &&
            (tree->min[clock][i] != expected || tree->max[clock][i] != expected)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Reserves space for a column with one number per node. */
static uint8_t *reserve_column(af_section *s, uint32_t n)
{
    const size_t before = s->bytes.n;
    uint8_t *at = af_array_add(&s->bytes, (size_t)n * AF_ULEB128_MAX);
    s->bytes.n = before;
    return at;
}

/* `end` is NULL if memory was refused. */
static void commit_column(af_section *s, const uint8_t *end)
{
    if (end != NULL) {
        s->bytes.n = (size_t)(end - (const uint8_t *)s->bytes.items);
    }
}

/* Writes the shortest calls, or how much longer the longest ones are; of all nodes, or only of those
 * with several calls. */
static void write_extremes(af_section *s, const af_tree *tree, unsigned clock, gboolean longest,
                           gboolean all, unsigned unit)
{
    const uint64_t *min = tree->min[clock], *max = tree->max[clock];
    uint8_t *at = reserve_column(s, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        if (all || tree->calls[i] > 1) {
            at = af_uleb128_put(at, (longest ? max[i] - min[i] : min[i]) / unit);
        }
    }
    commit_column(s, at);
}

static void write_shape(af_section *s, const af_section_nodes *nodes)
{
    const af_tree *tree = nodes->tree;
    uint8_t *at = reserve_column(s, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        at = af_uleb128_put(at, (uint64_t)tree->depth[i - 1] + 1 - tree->depth[i]);
    }
    commit_column(s, at);
    at = reserve_column(s, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        at = af_uleb128_put(at, af_section_name(nodes, i));
    }
    commit_column(s, at);
    at = reserve_column(s, tree->n);
    for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
        at = af_uleb128_put(at, tree->calls[i]);
    }
    commit_column(s, at);
}

/* Writes a column in which most numbers are 0. */
static void write_sparse(af_section *s, const uint64_t *numbers, uint32_t n_nodes)
{
    uint32_t n = 0, before = 0;
    for (uint32_t i = 1; i < n_nodes; i++) {
        n += numbers[i] > 0;
    }
    af_section_number(s, n);
    for (uint32_t i = 1; n > 0 && i < n_nodes; i++) {
        if (numbers[i] > 0) {
            af_section_number(s, i - before);
            af_section_number(s, numbers[i]);
            before = i;
        }
    }
}

G_STATIC_ASSERT((unsigned)AF_AFLP_RUNNABLE == AF_TREE_RUNNABLE);

void af_section_tree(af_section *s, const af_section_nodes *nodes)
{
    const af_tree *tree = nodes->tree;
    /* The largest unit that loses nothing: microseconds if all times are whole microseconds. */
    uint64_t remainder = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            for (uint32_t i = 0; remainder == 0 && i < tree->n; i++) {
                remainder =
                    (tree->self[c][i] % 1000) | (tree->min[c][i] % 1000) | (tree->max[c][i] % 1000);
            }
        }
    }
    const unsigned unit = remainder == 0 ? 1000 : 1;
    unsigned flags = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        flags |= tree->self[c] != NULL && follows_from_times(tree, c) ? 1u << c : 0;
    }
    af_section_number(s, af_tree_columns(tree));
    af_section_number(s, unit);
    af_section_number(s, flags);
    af_section_number(s, tree->n - 1);
    write_shape(s, nodes);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            const gboolean all = (flags >> c & 1) == 0;
            uint8_t *at = reserve_column(s, tree->n);
            for (uint32_t i = 1; at != NULL && i < tree->n; i++) {
                at = af_uleb128_put(at, tree->self[c][i] / unit);
            }
            commit_column(s, at);
            write_extremes(s, tree, c, FALSE, all, unit);
            write_extremes(s, tree, c, TRUE, all, unit);
        }
    }
    write_sparse(s, tree->unwinds, tree->n);
    if (tree->runnable != NULL) {
        write_sparse(s, tree->runnable, tree->n);
    }
}
