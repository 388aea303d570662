/* Folded stacks: one line for each distinct stack, "THREAD;FRAME;...;FRAME N".
 *
 * `;` separates, so a `;` inside a name is written as `:`. Stacks that are printed alike are added
 * up in nanoseconds before the one division; that needs work only where two threads are titled
 * alike or a label holds a `;`. */
#include "export/exporter.h"

/* A stack that is being printed: the path down to the last node, and where each level of it
 * ends. Grown by doubling; a walk in tree order only ever cuts and adds at the end. */
typedef struct {
    char *bytes;
    size_t used, room;
    size_t *ends; /* by depth */
    size_t levels;
} path;

static gboolean grow_path(path *p, size_t more)
{
    if (more <= p->room - p->used) {
        return TRUE;
    }
    size_t room = (p->used + more) * 2;
    char *bytes = g_try_realloc(p->bytes, room);
    if (bytes == NULL) {
        return FALSE;
    }
    p->bytes = bytes;
    p->room = room;
    return TRUE;
}

static gboolean note_end(path *p, size_t depth)
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

/* Cuts the path to `depth` levels below the thread and adds one name. */
static gboolean put_name(path *p, size_t depth, const char *name, size_t length)
{
    p->used = depth == 0 ? 0 : p->ends[depth - 1];
    if (!grow_path(p, length + 1)) {
        return FALSE;
    }
    if (depth > 0) {
        p->bytes[p->used++] = ';';
    }
    char *to = p->bytes + p->used;
    memcpy(to, name, length);
    for (char *c = memchr(to, ';', length); c != NULL;
         c = memchr(c, ';', (size_t)(to + length - c))) {
        *c = ':';
    }
    p->used += length;
    return note_end(p, depth);
}

static gboolean print_tree(const af_profile *profile, const char *title, const af_tree *tree,
                           af_clock clock, path *p, af_out *out)
{
    const uint64_t *self = tree->self[clock];
    if (!put_name(p, 0, title, strlen(title))) {
        return FALSE;
    }
    for (uint32_t n = 1; n < tree->n && out->error == NULL; n++) {
        const af_label *label = &profile->labels[tree->label[n]];
        if (!put_name(p, tree->depth[n], label->text, label->length)) {
            return FALSE;
        }
        uint64_t us = self[n] / 1000;
        if (us > 0) {
            af_out_bytes(out, p->bytes, p->used);
            af_out_char(out, ' ');
            af_out_u64(out, us);
            af_out_char(out, '\n');
        }
    }
    return TRUE;
}

static char *separate(const char *text)
{
    return g_strdelimit(g_strdup(text), ";", ':');
}

/* For each label the first one that is printed alike; NULL if no label holds a `;`, which is the
 * rule. */
static uint32_t *map_labels(const af_profile *profile)
{
    uint32_t first = 0;
    while (first < profile->n_labels &&
           memchr(profile->labels[first].text, ';', profile->labels[first].length) == NULL) {
        first++;
    }
    if (first == profile->n_labels) {
        return NULL;
    }
    uint32_t *label_of = g_new(uint32_t, profile->n_labels);
    GHashTable *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        char *text = separate(profile->labels[i].text);
        gpointer known;
        if (g_hash_table_lookup_extended(seen, text, NULL, &known)) {
            label_of[i] = GPOINTER_TO_UINT(known);
            g_free(text);
        } else {
            label_of[i] = i;
            g_hash_table_insert(seen, text, GUINT_TO_POINTER(i));
        }
    }
    g_hash_table_unref(seen);
    return label_of;
}

/* Copies the nodes below the thread of `from` behind those of `to`. */
static void append_nodes(af_tree *to, const af_tree *from, af_clock clock)
{
    uint32_t shift = to->n - 1;
    for (uint32_t n = 1; n < from->n; n++) {
        uint32_t m = n + shift;
        to->parent[m] = from->parent[n] == 0 ? 0 : from->parent[n] + shift;
        to->label[m] = from->label[n];
        to->calls[m] = from->calls[n];
        to->self[clock][m] = from->self[clock][n];
    }
    to->n += from->n - 1;
}

/* The trees of threads that are titled alike as one, siblings that are printed alike merged. */
static af_tree *merge_trees(const af_profile *profile, const uint32_t *threads, uint32_t n,
                            af_clock clock, const uint32_t *label_of)
{
    uint64_t nodes = 1;
    for (uint32_t i = 0; i < n; i++) {
        nodes += profile->threads[threads[i]].tree->n - 1;
    }
    af_tree *all = nodes < UINT32_MAX ? af_tree_new((uint32_t)nodes, 1u << clock) : NULL;
    if (all == NULL) {
        return NULL;
    }
    all->parent[0] = AF_NO_NODE;
    all->label[0] = AF_NO_LABEL;
    all->n = 1;
    for (uint32_t i = 0; i < n; i++) {
        append_nodes(all, profile->threads[threads[i]].tree, clock);
    }
    af_tree_sum(all);
    uint32_t *same = NULL;
    if (label_of == NULL) {
        same = g_new(uint32_t, MAX(profile->n_labels, 1));
        for (uint32_t i = 0; i < profile->n_labels; i++) {
            same[i] = i;
        }
    }
    af_tree *merged = af_tree_relabel(all, label_of != NULL ? label_of : same);
    g_free(same);
    af_tree_free(all);
    return merged;
}

/* Threads under one printed title. */
typedef struct {
    char *title;
    GArray *threads; /* uint32_t */
} group;

static void free_group(gpointer user)
{
    group *g = user;
    g_free(g->title);
    g_array_unref(g->threads);
    g_free(g);
}

static GPtrArray *group_threads(const af_profile *profile, const af_selection *selection)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(free_group);
    GHashTable *by_title = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        char *title = separate(profile->threads[selection->threads[i]].title);
        group *g = g_hash_table_lookup(by_title, title);
        if (g != NULL) {
            g_free(title);
        } else {
            g = g_new(group, 1);
            g->title = title;
            g->threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            g_hash_table_insert(by_title, title, g);
            g_ptr_array_add(groups, g);
        }
        g_array_append_val(g->threads, selection->threads[i]);
    }
    g_hash_table_unref(by_title);
    return groups;
}

static gboolean print_group(const af_profile *profile, const group *g, af_clock clock,
                            const uint32_t *label_of, path *p, af_out *out)
{
    const uint32_t *threads = (const uint32_t *)(const void *)g->threads->data;
    if (g->threads->len == 1 && label_of == NULL) {
        return print_tree(profile, g->title, profile->threads[threads[0]].tree, clock, p, out);
    }
    af_tree *tree = merge_trees(profile, threads, g->threads->len, clock, label_of);
    gboolean ok = tree != NULL && print_tree(profile, g->title, tree, clock, p, out);
    af_tree_free(tree);
    return ok;
}

static gboolean write_folded(const af_profile *profile, const af_selection *selection, af_out *out,
                             GError **error)
{
    GPtrArray *groups = group_threads(profile, selection);
    uint32_t *label_of = map_labels(profile);
    path p = {NULL, 0, 0, NULL, 0};
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && out->error == NULL && i < groups->len; i++) {
        ok = print_group(profile, groups->pdata[i], selection->clock, label_of, &p, out);
    }
    g_free(p.bytes);
    g_free(p.ends);
    g_free(label_of);
    g_ptr_array_unref(groups);
    if (!ok) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory to fold stacks");
    }
    return ok;
}

const af_exporter af_exporter_folded = {
    "folded",
    "folded",
    "folded stacks, for flamegraph.pl, inferno and speedscope",
    write_folded,
};
