#include "read_pack.h"
#include "suite.h"

#include <string.h>
#include <zlib.h>

typedef struct {
    const uint8_t *at, *end;
} cursor;

static uint64_t take_number(cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        ck_assert(c->at < c->end && shift < 64);
        value |= (uint64_t)(*c->at & 0x7F) << shift;
        if (*c->at++ < 0x80) {
            return value;
        }
    }
}

static char *take_string(cursor *c)
{
    const uint64_t length = take_number(c);
    ck_assert_uint_le(length, (uint64_t)(c->end - c->at));
    ck_assert(g_utf8_validate((const char *)c->at, (gssize)length, NULL));
    c->at += length;
    return g_strndup((const char *)c->at - length, length);
}

static void take_label(cursor *c, read_label *label, const char *before)
{
    const uint64_t shared = take_number(c);
    ck_assert_uint_le(shared, strlen(before));
    g_autofree char *rest = take_string(c);
    label->text = g_strdup_printf("%.*s%s", (int)shared, before, rest);
    label->category = *c->at++;
    label->shade = *c->at++ & 7u;
    const uint64_t kind = take_number(c);
    ck_assert_uint_le(kind, 2);
    g_autofree char *full = kind > 0 ? take_string(c) : g_strdup("");
    label->full = kind == 2 ? g_strdup(full) : g_strconcat(label->text, full, NULL);
    label->source = take_string(c);
}

static gboolean has_extremes(const read_block *block, const read_node *node)
{
    return node->calls > 1 && node->label != block->n_labels;
}

static void take_times(cursor *c, const read_block *block, read_thread *thread, unsigned clock)
{
    for (uint64_t i = 1; i <= thread->n; i++) {
        if (has_extremes(block, &thread->nodes[i])) {
            thread->nodes[i].min[clock] = take_number(c) * block->unit_ns;
        }
    }
    for (uint64_t i = 1; i <= thread->n; i++) {
        if (has_extremes(block, &thread->nodes[i])) {
            read_node *node = &thread->nodes[i];
            node->max[clock] = node->min[clock] + take_number(c) * block->unit_ns;
        }
    }
}

static void sum_times(read_thread *thread, unsigned clock)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(uint64_t)); /* by depth */
    const uint64_t none = 0;
    g_array_append_val(path, none);
    for (uint64_t i = 1; i <= thread->n; i++) {
        const read_node *node = &thread->nodes[i];
        ck_assert_uint_ge(node->depth, 1);
        ck_assert_uint_le(node->depth, path->len);
        g_array_set_size(path, (guint)node->depth);
        g_array_append_val(path, i);
        for (guint k = 0; k < path->len; k++) {
            thread->nodes[g_array_index(path, uint64_t, k)].inclusive[clock] += node->self[clock];
        }
    }
    g_array_unref(path);
}

static void take_columns(cursor *c, const read_block *block, read_thread *thread)
{
    const uint64_t n = thread->n, clocks = block->clocks & ~(thread->flags >> 3 & 3);
    read_node *nodes = thread->nodes = g_new0(read_node, n + 1);
    for (uint64_t i = 1; i <= n; i++) {
        nodes[i].depth = nodes[i - 1].depth + 1 - take_number(c);
    }
    for (uint64_t i = 1; i <= n; i++) {
        nodes[i].label = take_number(c);
        ck_assert_uint_le(nodes[i].label, block->n_labels);
    }
    for (uint64_t i = 1; i <= n; i++) {
        nodes[i].calls = take_number(c) + 1;
    }
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        for (uint64_t i = 1; i <= n && clocks >> clock & 1; i++) {
            nodes[i].self[clock] = take_number(c) * block->unit_ns;
        }
    }
    for (unsigned clock = 0; clock < AF_CLOCKS; clock++) {
        if (clocks >> clock & 1) {
            take_times(c, block, thread, clock);
            sum_times(thread, clock);
        }
    }
    uint64_t at = 0;
    for (uint64_t left = take_number(c); left > 0; left--) {
        at += take_number(c);
        ck_assert_uint_le(at, n);
        nodes[at].unwinds = take_number(c);
    }
    at = 0;
    for (uint64_t left = (thread->flags & 32) != 0 ? take_number(c) : 0; left > 0; left--) {
        at += take_number(c);
        ck_assert_uint_le(at, n);
        nodes[at].runnable = take_number(c) * block->unit_ns;
    }
}

/* What a comparison adds to a thread. */
static void take_sides(cursor *c, read_thread *thread)
{
    static const gsize columns[] = {offsetof(read_node, grown), offsetof(read_node, shrunk),
                                    offsetof(read_node, before), offsetof(read_node, after),
                                    offsetof(read_node, verdict)};
    const uint64_t status = take_number(c);
    for (unsigned k = 0; k < G_N_ELEMENTS(columns); k++) {
        for (uint64_t i = 1; i <= thread->n; i++) {
            G_STRUCT_MEMBER(uint64_t, &thread->nodes[i], columns[k]) = take_number(c);
        }
    }
    for (uint64_t i = 0; i < thread->n && (status & 32) != 0; i++) {
        ck_assert_uint_le(take_number(c), 1002);
    }
    for (uint64_t numbers = 2 * take_number(c); numbers > 0; numbers--) {
        const uint64_t moved = take_number(c);
        ck_assert(moved >= 1 && moved <= thread->n);
    }
}

read_block *read_pack_new(const af_pack *pack)
{
    gsize length;
    const uint8_t *bytes = g_bytes_get_data(pack->bytes, &length);
    read_block *block = g_new0(read_block, 1);
    size_t plain_length = 0;
    block->plain = g_malloc(pack->plain_length);
    for (gsize at = 0; at < length;) {
        ck_assert_uint_ge(length - at, 4);
        const gsize piece = bytes[at] | (gsize)bytes[at + 1] << 8 | (gsize)bytes[at + 2] << 16 |
                            (gsize)bytes[at + 3] << 24;
        uLongf capacity = pack->plain_length - plain_length;
        at += 4;
        ck_assert_uint_le(piece, length - at);
        ck_assert_int_eq(uncompress(block->plain + plain_length, &capacity, bytes + at, piece),
                         Z_OK);
        plain_length += capacity;
        at += piece;
    }
    ck_assert_uint_eq(plain_length, pack->plain_length);
    cursor c = {block->plain + 4, block->plain + plain_length};
    ck_assert_mem_eq(block->plain, "AFB1", 4);
    block->clocks = take_number(&c);
    block->unit_ns = take_number(&c);
    block->clock = take_number(&c);
    block->input = take_string(&c);
    block->flags = take_number(&c);
    block->lacking = (block->flags & 32) != 0 ? take_number(&c) : 0;
    block->n_labels = take_number(&c);
    block->labels = g_new0(read_label, block->n_labels + 1);
    for (uint64_t i = 0; i < block->n_labels; i++) {
        take_label(&c, &block->labels[i], i ? block->labels[i - 1].text : "");
    }
    block->n_threads = take_number(&c);
    block->threads = g_new0(read_thread, block->n_threads + 1);
    for (uint64_t i = 0; i < block->n_threads; i++) {
        read_thread *thread = &block->threads[i];
        thread->id = take_number(&c);
        thread->name = take_string(&c);
        thread->title = take_string(&c);
        thread->flags = take_number(&c);
        thread->records = take_number(&c);
        thread->n = take_number(&c);
        thread->left_out = take_number(&c);
        take_columns(&c, block, thread);
    }
    if ((block->flags & 16) != 0) {
        ck_assert_uint_lt(take_number(&c), AF_CLOCKS);
    }
    for (uint64_t i = 0; i < block->n_threads && (block->flags & 16) != 0; i++) {
        take_sides(&c, &block->threads[i]);
    }
    ck_assert_ptr_eq(c.at, c.end);
    return block;
}

void read_pack_free(read_block *block)
{
    for (uint64_t i = 0; i < block->n_labels; i++) {
        g_free(block->labels[i].text);
        g_free(block->labels[i].full);
        g_free(block->labels[i].source);
    }
    for (uint64_t i = 0; i < block->n_threads; i++) {
        g_free(block->threads[i].name);
        g_free(block->threads[i].title);
        g_free(block->threads[i].nodes);
    }
    g_free(block->labels);
    g_free(block->threads);
    g_free(block->input);
    g_free(block->plain);
    g_free(block);
}
