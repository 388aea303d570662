#include "model/proxy.h"

#include <string.h>

#define LEVELS 6u

typedef struct {
    const af_proxy_method *methods;
    GArray *undefined, *unused;  /* of uint32_t, ascending id: U and D of the format text */
    GHashTable **seen;           /* for each of `undefined`: names of methods called inside */
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

/* Notes for each undefined method the names entered within LEVELS levels below it. */
static void look_below(search *s, const af_tree *tree, uint64_t adopted, const uint32_t *slot_of)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const af_proxy_method *m = &s->methods[tree->label[n]];
        if (m->name == NULL) {
            continue;
        }
        uint32_t above = tree->parent[n];
        for (unsigned level = 0; level < LEVELS && above != 0; level++) {
            const uint32_t slot = slot_of[tree->label[above]];
            const gboolean entered = above > adopted || tree->calls[above] > 1;
            if (slot != AF_NO_LABEL && entered) {
                g_hash_table_add(s->seen[slot], (gpointer)m);
            }
            above = tree->parent[above];
        }
    }
}

/* The only one of `unused` whose name was seen below undefined method `slot`; its index + 1, 0 if
 * there is none or more than one. */
static guint find_only(const search *s, guint slot)
{
    guint found = 0;
    for (guint d = 0; d < s->unused->len; d++) {
        const uint32_t m = g_array_index(s->unused, uint32_t, d);
        if (g_hash_table_contains(s->seen[slot], &s->methods[m])) {
            if (found != 0) {
                return 0;
            }
            found = d + 1;
        }
    }
    return found;
}

static void pair(search *s, GArray *slots, guint at, guint d, uint32_t *named)
{
    const uint32_t slot = g_array_index(slots, uint32_t, at);
    named[g_array_index(s->undefined, uint32_t, slot)] = g_array_index(s->unused, uint32_t, d);
    g_array_remove_index(slots, at);
    g_array_remove_index(s->unused, d);
}

static void match_all(search *s, uint32_t *named)
{
    GArray *slots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < s->undefined->len; i++) {
        g_array_append_val(slots, i);
    }
    gboolean found = !(slots->len == 1 && s->unused->len == 1);
    while (found && slots->len > 0 && s->unused->len > 0) {
        found = FALSE;
        for (guint at = 0; at < slots->len;) {
            const guint d = find_only(s, g_array_index(slots, uint32_t, at));
            if (d != 0) {
                pair(s, slots, at, d - 1, named);
                found = TRUE;
            } else {
                at++;
            }
        }
    }
    if (slots->len == 1 && s->unused->len == 1) {
        pair(s, slots, 0, 0, named);
    }
    g_array_unref(slots);
}

gboolean af_proxy_recover(const af_proxy_method *methods, uint32_t n, af_tree *const *trees,
                          const uint64_t *adopted, uint32_t n_trees, uint32_t *named)
{
    search s = {.methods = methods,
                .undefined = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .unused = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    memset(named, 0xFF, n * sizeof *named);
    find_candidates(&s, n);
    uint32_t *slot_of = g_try_malloc_n((size_t)n + 1, sizeof *slot_of);
    if (slot_of != NULL && s.undefined->len > 0 && s.unused->len > 0) {
        memset(slot_of, 0xFF, n * sizeof *slot_of);
        s.seen = g_new(GHashTable *, s.undefined->len);
        for (uint32_t i = 0; i < s.undefined->len; i++) {
            slot_of[g_array_index(s.undefined, uint32_t, i)] = i;
            s.seen[i] = g_hash_table_new(hash_name, equal_names);
        }
        for (uint32_t t = 0; t < n_trees; t++) {
            look_below(&s, trees[t], adopted[t], slot_of);
        }
        match_all(&s, named);
        for (guint i = 0; i < s.undefined->len; i++) {
            g_hash_table_unref(s.seen[i]);
        }
        g_free(s.seen);
    }
    const gboolean ok = slot_of != NULL;
    g_free(slot_of);
    g_array_unref(s.undefined);
    g_array_unref(s.unused);
    return ok;
}
