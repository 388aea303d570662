#include "render/pack.h"

#include <string.h>

#include "model/labels.h"
#include "render/deflater.h"
#include "render/prune.h"

/* The longest number. */
#define NUMBER_MAX 10

typedef struct {
    const af_profile *profile;
    const af_pack_options *options;
    uint32_t *order;       /* threads as they stand in the block */
    gboolean *drawn;       /* by thread */
    const af_tree **trees; /* by place in the order; as they are */
    af_tree **pruned;      /* the same; NULL = as they are */
    af_ranking *ranking;   /* NULL until something has to go */
    uint8_t **kept;        /* by place and node: whether it stays; NULL the same */
    uint32_t unit_ns;
    uint32_t *numbers; /* by label of the profile: its number in the block + 1, 0 = none */
    uint32_t *labels;  /* the other way round */
    uint32_t n_labels;
    uint8_t *column; /* room for a number for each entry of the largest tree */
    af_deflater *out;
} packing;

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

/* ---- threads in their order ---- */

typedef struct {
    uint32_t thread;
    uint64_t time_ns;
} ranked;

static int compare_ranks(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns > y->time_ns ? -1 : 1;
    }
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void order_threads(packing *p)
{
    const af_profile *profile = p->profile;
    /* as in the footer: CPU time says most about a thread that nobody looks at */
    const af_clock clock = af_profile_has(profile, AF_CPU) ? AF_CPU : AF_WALL;
    ranked *rest = g_new(ranked, (gsize)profile->n_threads + 1);
    gboolean *placed = g_new0(gboolean, (gsize)profile->n_threads + 1);
    uint32_t n = 0, n_rest = 0;
    if (profile->n_threads > 0) {
        p->order[n++] = af_profile_main_thread(profile);
        placed[p->order[0]] = TRUE;
    }
    for (uint32_t i = 0; i < p->options->n_threads; i++) {
        const uint32_t thread = p->options->threads[i];
        p->drawn[thread] = TRUE;
        if (!placed[thread]) {
            placed[thread] = TRUE;
            p->order[n++] = thread;
        }
    }
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        if (!placed[i]) {
            rest[n_rest++] = (ranked){i, af_thread_time_ns(profile, i, clock)};
        }
    }
    qsort(rest, n_rest, sizeof *rest, compare_ranks);
    for (uint32_t i = 0; i < n_rest; i++) {
        p->order[n++] = rest[i].thread;
    }
    g_free(rest);
    g_free(placed);
}

/* ---- labels ---- */

static const af_tree *lookup_tree(const packing *p, uint32_t place)
{
    return p->pruned[place] ? p->pruned[place] : p->trees[place];
}

static void number_labels(packing *p)
{
    p->n_labels = 0;
    memset(p->numbers, 0, p->profile->n_labels * sizeof *p->numbers);
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        const af_tree *tree = lookup_tree(p, t);
        for (uint32_t i = 1; i < tree->n; i++) {
            const uint32_t label = tree->label[i];
            if (label != AF_NO_LABEL && p->numbers[label] == 0) {
                p->labels[p->n_labels++] = label;
                p->numbers[label] = p->n_labels;
            }
        }
    }
}

static void append_full_name(GByteArray *to, GString *full, const packing *p, const af_label *label)
{
    g_string_truncate(full, 0);
    if (label->methods == 1) {
        af_method_append_full(full, &p->profile->methods[label->method]);
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

static void append_source(GByteArray *to, GString *source, const packing *p, const af_label *label)
{
    const af_method *method = label->methods == 1 ? &p->profile->methods[label->method] : NULL;
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

static void write_labels(packing *p)
{
    GByteArray *bytes = g_byte_array_new();
    GString *scratch = g_string_new(NULL);
    const char *before = "";
    append_number(bytes, p->n_labels);
    for (uint32_t i = 0; i < p->n_labels; i++) {
        const af_label *label = &p->profile->labels[p->labels[i]];
        const size_t shared = count_shared(before, label->text);
        const uint8_t colour[2] = {(uint8_t)label->category, label->shade};
        append_number(bytes, shared);
        append_string(bytes, label->text + shared, label->length - shared);
        g_byte_array_append(bytes, colour, sizeof colour);
        append_full_name(bytes, scratch, p, label);
        append_source(bytes, scratch, p, label);
        before = label->text;
    }
    af_deflater_append(p->out, bytes->data, bytes->len, AF_REPEATS);
    g_string_free(scratch, TRUE);
    g_byte_array_unref(bytes);
}

/* ---- columns ---- */

static void write_column(packing *p, const uint8_t *end, af_repetition repetition)
{
    af_deflater_append(p->out, p->column, (size_t)(end - p->column), repetition);
}

static void write_shape(packing *p, const af_tree *tree)
{
    uint8_t *at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        at = put_number(at, (uint64_t)tree->depth[i - 1] + 1 - tree->depth[i]);
    }
    write_column(p, at, AF_HARDLY_REPEATS);
    at = p->column;
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t label = tree->label[i];
        at = put_number(at, label == AF_NO_LABEL ? p->n_labels : p->numbers[label] - 1);
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

static void write_selves(packing *p, const uint64_t *self, uint32_t n)
{
    const gboolean in_us = p->unit_ns == 1000;
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

static void write_extremes(packing *p, const af_tree *tree, unsigned clock)
{
    const gboolean in_us = p->unit_ns == 1000;
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

static void write_unwinds(packing *p, const af_tree *tree)
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

static void write_thread(packing *p, uint32_t place)
{
    const uint32_t number = p->order[place];
    const af_thread *thread = &p->profile->threads[number];
    const af_tree *tree = lookup_tree(p, place);
    uint64_t left_out = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        left_out += tree->label[i] == AF_NO_LABEL ? tree->calls[i] : 0;
    }
    GByteArray *head = g_byte_array_new();
    append_number(head, thread->id);
    append_text(head, thread->name);
    append_text(head, thread->title);
    append_number(head, (p->drawn[number] ? 1u : 0u) | (thread->exited ? 2u : 0u));
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

static void write_head(packing *p)
{
    const af_profile *profile = p->profile;
    GByteArray *head = g_byte_array_new();
    g_byte_array_append(head, (const guint8 *)"AFB1", 4);
    append_number(head, profile->clocks);
    append_number(head, p->unit_ns);
    append_number(head, (uint64_t)p->options->clock);
    append_text(head, p->options->input);
    append_number(head, profile->facts.sampled ? 1 : 0);
    af_deflater_append(p->out, head->data, head->len, AF_REPEATS);
    g_byte_array_unref(head);
}

static GBytes *write_block(packing *p, size_t *plain_length)
{
    GBytes *bytes = NULL;
    p->out = af_deflater_new();
    if (p->out) {
        uint8_t count[NUMBER_MAX];
        number_labels(p);
        write_head(p);
        write_labels(p);
        af_deflater_append(p->out, count,
                           (size_t)(put_number(count, p->profile->n_threads) - count), AF_REPEATS);
        for (uint32_t t = 0; t < p->profile->n_threads; t++) {
            write_thread(p, t);
        }
        *plain_length = af_deflater_plain_length(p->out);
        bytes = af_deflater_finish(p->out);
    }
    af_deflater_free(p->out);
    return bytes;
}

/* ---- the budget ---- */

static size_t measure_base64(const GBytes *bytes)
{
    return (g_bytes_get_size((GBytes *)bytes) + 2) / 3 * 4;
}

static void clear_pruned(packing *p)
{
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        af_tree_free(p->pruned[t]);
        p->pruned[t] = NULL;
    }
}

/* Room for a mark for each node. */
static gboolean make_marks(packing *p)
{
    p->kept = g_new0(uint8_t *, (gsize)p->profile->n_threads + 1);
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        p->kept[t] = g_try_malloc0(p->trees[t]->n);
        if (!p->kept[t]) {
            return FALSE;
        }
    }
    p->ranking = af_ranking_new(p->trees, p->profile->n_threads, p->options->clock);
    return p->ranking != NULL;
}

static gboolean prune_trees(packing *p, uint64_t n_entries)
{
    if (!p->ranking && !make_marks(p)) {
        return FALSE;
    }
    af_ranking_choose(p->ranking, n_entries, p->kept);
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        p->pruned[t] = af_prune_tree(p->trees[t], p->kept[t]);
        if (!p->pruned[t]) {
            return FALSE;
        }
    }
    return TRUE;
}

static void note_left_out(const packing *p, af_pack *pack)
{
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        const af_tree *tree = lookup_tree(p, t);
        for (uint32_t i = 1; p->pruned[t] && i < tree->n; i++) {
            if (tree->label[i] == AF_NO_LABEL) {
                pack->left_out += tree->calls[i];
                pack->left_out_ns += tree->self[p->options->clock][i];
            }
        }
    }
}

/* Writes the block with at most `n_entries`, where `n` would be all. */
static af_pack *try_pack(packing *p, uint64_t n_entries, uint64_t n)
{
    if (n_entries < n && !prune_trees(p, n_entries)) {
        clear_pruned(p);
        return NULL;
    }
    af_pack *pack = g_new0(af_pack, 1);
    pack->bytes = write_block(p, &pack->plain_length);
    note_left_out(p, pack);
    clear_pruned(p);
    if (!pack->bytes) {
        af_pack_free(pack);
        return NULL;
    }
    return pack;
}

/* As many entries as there is room for, in a few tries: each tells how large an entry is. */
static af_pack *pack_within(packing *p, uint64_t n)
{
    enum { TRIES = 6, ENTRY_GUESS = 8 };
    const uint64_t budget = p->options->budget > 0 ? p->options->budget : UINT64_MAX;
    /* trees far beyond the budget are not written whole only to find that out */
    uint64_t n_entries = n / 3 > budget / ENTRY_GUESS ? budget / ENTRY_GUESS : n, n_best = 0;
    af_pack *best = NULL;
    for (unsigned i = 0; i < TRIES || !best; i++) {
        n_entries = i < TRIES ? n_entries : 0;
        af_pack *pack = try_pack(p, n_entries, n);
        if (!pack) {
            break;
        }
        const uint64_t size = measure_base64(pack->bytes);
        if (size <= budget || n_entries == 0) {
            af_pack_free(best);
            best = pack;
            n_best = n_entries;
        } else {
            af_pack_free(pack);
        }
        if (best && (n_best == n || n_best == 0 || (size <= budget && size >= budget / 20 * 19))) {
            break;
        }
        /* a little less than what would just fit */
        n_entries = MIN(n, n_entries * budget / size / 64 * 63);
        if (best && n_entries <= n_best) {
            break;
        }
    }
    return best;
}

static uint64_t prepare_trees(packing *p, uint32_t *largest)
{
    uint64_t n = 0, rest = 0;
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        const af_tree *tree = p->profile->threads[p->order[t]].tree;
        p->trees[t] = tree;
        n += tree->n - 1;
        *largest = MAX(*largest, tree->n);
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            for (uint32_t i = 0; tree->self[c] && rest == 0 && i < tree->n; i++) {
                rest |= tree->self[c][i] % 1000 | tree->min[c][i] % 1000 | tree->max[c][i] % 1000;
            }
        }
    }
    p->unit_ns = rest == 0 ? 1000 : 1;
    return n;
}

af_pack *af_pack_new(const af_profile *profile, const af_pack_options *options)
{
    const gsize n_threads = (gsize)profile->n_threads + 1, n_labels = (gsize)profile->n_labels + 1;
    packing p = {
        .profile = profile,
        .options = options,
        .order = g_try_new0(uint32_t, n_threads),
        .drawn = g_try_new0(gboolean, n_threads),
        .trees = g_try_new0(const af_tree *, n_threads),
        .pruned = g_try_new0(af_tree *, n_threads),
        .numbers = g_try_new0(uint32_t, n_labels),
        .labels = g_try_new0(uint32_t, n_labels),
    };
    af_pack *pack = NULL;
    if (p.order && p.drawn && p.trees && p.pruned && p.numbers && p.labels) {
        uint32_t largest = 1;
        order_threads(&p);
        const uint64_t n = prepare_trees(&p, &largest);
        /* unwinds are two numbers */
        p.column = g_try_malloc_n(largest, 2 * NUMBER_MAX);
        pack = p.column ? pack_within(&p, n) : NULL;
    }
    g_free(p.order);
    g_free(p.drawn);
    g_free(p.trees);
    g_free(p.pruned);
    g_free(p.numbers);
    g_free(p.labels);
    g_free(p.column);
    for (uint32_t t = 0; p.kept && t < profile->n_threads; t++) {
        g_free(p.kept[t]);
    }
    g_free(p.kept);
    af_ranking_free(p.ranking);
    return pack;
}

void af_pack_free(af_pack *pack)
{
    if (pack) {
        if (pack->bytes) {
            g_bytes_unref(pack->bytes);
        }
        g_free(pack);
    }
}
