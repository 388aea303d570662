#include "model/proxy.h"

#include <string.h>

#define LEVELS      6u
#define FIRST_MERGE ((size_t)1 << 20)

/* Who may be who. Numbers of names are those of the distinct names of `unused`. */
typedef struct {
    const af_proxy_method *methods;
    GArray *undefined, *unused; /* of uint32_t, ascending id: U and D of the format text */
    GHashTable *names;          /* af_proxy_method -> number of its name + 1 */
    uint32_t *slot_of;          /* by method: its place in `undefined`, AF_NO_LABEL = none */
    GArray *seen;               /* of uint64_t: slot << 32 | name called inside it */
    size_t next_merge;          /* when `seen` is that long, what is in it twice is thrown out */
} search;

static gint compare_ids(gconstpointer a, gconstpointer b, gpointer user)
{
    const af_proxy_method *methods = user;
    const uint64_t x = methods[*(const uint32_t *)a].id, y = methods[*(const uint32_t *)b].id;
    return x < y ? -1 : x > y;
}

static void find_candidates(search *s, uint32_t n)
{
    uint64_t highest = 0;
    for (uint32_t m = 0; m < n; m++) {
        if (s->methods[m].used) {
            highest = MAX(highest, s->methods[m].id);
            if (s->methods[m].name == NULL) {
                g_array_append_val(s->undefined, m);
            }
        }
    }
    for (uint32_t m = 0; m < n; m++) {
        if (!s->methods[m].used && s->methods[m].name != NULL && s->methods[m].id > highest) {
            g_array_append_val(s->unused, m);
        }
    }
    g_array_sort_with_data(s->undefined, compare_ids, (gpointer)s->methods);
    g_array_sort_with_data(s->unused, compare_ids, (gpointer)s->methods);
}

static guint hash_name(gconstpointer key)
{
    const af_proxy_method *m = key;
    guint h = 5381;
    for (size_t i = 0; i < m->name_length; i++) {
        h = h * 33 + (guint8)m->name[i];
    }
    return h;
}

static gboolean equal_names(gconstpointer a, gconstpointer b)
{
    const af_proxy_method *x = a, *y = b;
    return x->name_length == y->name_length && memcmp(x->name, y->name, x->name_length) == 0;
}

static int compare_seen(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void merge_seen(search *s)
{
    g_array_sort(s->seen, compare_seen);
    uint64_t *seen = (uint64_t *)(void *)s->seen->data;
    guint kept = 0;
    for (guint i = 0; i < s->seen->len; i++) {
        if (i == 0 || seen[i] != seen[i - 1]) {
            seen[kept++] = seen[i];
        }
    }
    g_array_set_size(s->seen, kept);
    s->next_merge = MAX((size_t)kept * 2, FIRST_MERGE);
}

/* Notes for each undefined method the names entered within LEVELS levels below it. */
static void look_below(search *s, const af_tree *tree, uint64_t adopted)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const af_proxy_method *m = &s->methods[tree->label[n]];
        const uint32_t name =
            m->name == NULL ? 0 : GPOINTER_TO_UINT(g_hash_table_lookup(s->names, m));
        if (name == 0) {
            continue;
        }
        uint32_t above = tree->parent[n];
        for (unsigned level = 0; level < LEVELS && above != 0; level++) {
            const uint32_t slot = s->slot_of[tree->label[above]];
            const gboolean entered = above > adopted || tree->calls[above] > 1;
            if (slot != AF_NO_LABEL && entered) {
                const uint64_t pair = (uint64_t)slot << 32 | (name - 1);
                g_array_append_val(s->seen, pair);
            }
            above = tree->parent[above];
        }
        if (s->seen->len >= s->next_merge) {
            merge_seen(s);
        }
    }
}

/* Gives every name of `unused` a number. */
static void number_names(search *s)
{
    for (guint d = 0; d < s->unused->len; d++) {
        const af_proxy_method *m = &s->methods[g_array_index(s->unused, uint32_t, d)];
        if (!g_hash_table_contains(s->names, m)) {
            const guint number = g_hash_table_size(s->names) + 1;
            g_hash_table_insert(s->names, (gpointer)m, GUINT_TO_POINTER(number));
        }
    }
}

/* The pairing: every step takes a slot with a single candidate, which takes the candidate from the
 * other slots that saw its name. So a name is taken at most once, and all steps together touch
 * every pair of slot and name twice. */
typedef struct {
    uint32_t *left;       /* by name: methods of that name that name nothing yet */
    uint32_t *method;     /* by name: one of them; the only one where it matters */
    uint32_t *candidates; /* by slot: sum of `left` over the names seen in it */
    guint *first_seen;    /* by slot: where its pairs begin; one more at the end */
    guint *first_slot;    /* by name: where its slots begin in `slots`; one more at the end */
    uint32_t *slots;      /* ascending for each name */
    uint32_t *queue;      /* slots that came to have a single candidate, in that order */
    guint n_queue;
} pairing;

static const uint64_t *seen_at(const search *s, guint i)
{
    return &g_array_index(s->seen, uint64_t, i);
}

static void count_candidates(const search *s, pairing *p)
{
    const guint n_names = g_hash_table_size(s->names);
    for (guint d = 0; d < s->unused->len; d++) {
        const uint32_t m = g_array_index(s->unused, uint32_t, d);
        const uint32_t name = GPOINTER_TO_UINT(g_hash_table_lookup(s->names, &s->methods[m])) - 1;
        p->left[name]++;
        p->method[name] = m;
    }
    for (guint i = 0; i < s->seen->len; i++) {
        const uint32_t slot = (uint32_t)(*seen_at(s, i) >> 32), name = (uint32_t)*seen_at(s, i);
        p->candidates[slot] += p->left[name];
        p->first_seen[slot + 1]++;
        p->first_slot[name + 1]++;
    }
    for (guint i = 0; i < s->undefined->len; i++) {
        p->first_seen[i + 1] += p->first_seen[i];
    }
    for (guint i = 0; i < n_names; i++) {
        p->first_slot[i + 1] += p->first_slot[i];
    }
    guint *next = g_memdup2(p->first_slot, ((gsize)n_names + 1) * sizeof *next);
    for (guint i = 0; i < s->seen->len; i++) {
        p->slots[next[(uint32_t)*seen_at(s, i)]++] = (uint32_t)(*seen_at(s, i) >> 32);
    }
    g_free(next);
}

static void pair(const search *s, pairing *p, uint32_t slot, uint32_t *named)
{
    guint at = p->first_seen[slot];
    while (p->left[(uint32_t)*seen_at(s, at)] == 0) {
        at++;
    }
    const uint32_t name = (uint32_t)*seen_at(s, at);
    named[g_array_index(s->undefined, uint32_t, slot)] = p->method[name];
    p->left[name] = 0;
    for (guint i = p->first_slot[name]; i < p->first_slot[name + 1]; i++) {
        if (--p->candidates[p->slots[i]] == 1) {
            p->queue[p->n_queue++] = p->slots[i];
        }
    }
}

/* What is left on both sides belongs together if it is one and one. */
static void pair_leftover(const search *s, const pairing *p, guint n_paired, uint32_t *named)
{
    if (s->undefined->len - n_paired != 1 || s->unused->len - n_paired != 1) {
        return;
    }
    uint32_t slot = 0, name = 0;
    while (named[g_array_index(s->undefined, uint32_t, slot)] != AF_NO_LABEL) {
        slot++;
    }
    while (p->left[name] == 0) {
        name++;
    }
    named[g_array_index(s->undefined, uint32_t, slot)] = p->method[name];
}

static void match_all(search *s, uint32_t *named)
{
    const gsize n_slots = s->undefined->len, n_names = g_hash_table_size(s->names);
    merge_seen(s);
    pairing p = {.left = g_new0(uint32_t, n_names),
                 .method = g_new0(uint32_t, n_names),
                 .candidates = g_new0(uint32_t, n_slots),
                 .first_seen = g_new0(guint, n_slots + 1),
                 .first_slot = g_new0(guint, n_names + 1),
                 .slots = g_new0(uint32_t, (gsize)s->seen->len + 1),
                 .queue = g_new0(uint32_t, n_slots)};
    count_candidates(s, &p);
    for (uint32_t slot = 0; slot < n_slots; slot++) {
        if (p.candidates[slot] == 1) {
            p.queue[p.n_queue++] = slot;
        }
    }
    guint n_paired = 0;
    for (guint i = 0; i < p.n_queue; i++) {
        if (p.candidates[p.queue[i]] == 1) {
            pair(s, &p, p.queue[i], named);
            n_paired++;
        }
    }
    pair_leftover(s, &p, n_paired, named);
    g_free(p.left);
    g_free(p.method);
    g_free(p.candidates);
    g_free(p.first_seen);
    g_free(p.first_slot);
    g_free(p.slots);
    g_free(p.queue);
}

gboolean af_proxy_recover(const af_proxy_method *methods, uint32_t n, af_tree *const *trees,
                          const uint64_t *adopted, uint32_t n_trees, uint32_t *named)
{
    search s = {.methods = methods,
                .undefined = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .unused = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .names = g_hash_table_new(hash_name, equal_names),
                .slot_of = g_try_malloc_n((size_t)n + 1, sizeof(uint32_t)),
                .seen = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                .next_merge = FIRST_MERGE};
    memset(named, 0xFF, n * sizeof *named);
    find_candidates(&s, n);
    const gboolean ok = s.slot_of != NULL;
    if (ok && s.undefined->len > 0 && s.unused->len > 0) {
        memset(s.slot_of, 0xFF, n * sizeof *s.slot_of);
        for (uint32_t i = 0; i < s.undefined->len; i++) {
            s.slot_of[g_array_index(s.undefined, uint32_t, i)] = i;
        }
        number_names(&s);
        for (uint32_t t = 0; t < n_trees; t++) {
            look_below(&s, trees[t], adopted[t]);
        }
        match_all(&s, named);
    }
    g_free(s.slot_of);
    g_array_unref(s.seen);
    g_hash_table_unref(s.names);
    g_array_unref(s.undefined);
    g_array_unref(s.unused);
    return ok;
}
