#include "build/proxy.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/order.h"
#include "base/textmap.h"

#define LEVELS      6u
#define FIRST_MERGE ((size_t)1 << 20)

typedef struct {
    uint64_t id; /* first, as sort_array() needs it */
    uint32_t method;
} candidate;

/* The candidates. Names are numbered by the distinct names of `unused`. */
typedef struct {
    const af_proxy_method *methods;
    af_array undefined, unused; /* of candidate, ascending id: U and D of the format text */
    af_textmap names;
    uint32_t *slot_of; /* by method: its index in `undefined`, AF_NO_LABEL = none */
    af_array pairs;    /* of uint64_t: slot << 32 | name called inside it */
    size_t next_merge; /* length of `pairs` at which duplicates are removed */
} search;

static void add_candidate(const search *s, af_array *to, uint32_t method)
{
    af_array_append(to, &(candidate){s->methods[method].id, method});
}

static uint32_t candidate_at(const af_array *candidates, size_t i)
{
    return AF_ARRAY_AT(candidates, candidate, i).method;
}

/* By the first number of each item. */
static void sort_array(const af_array *array)
{
    if (array->n > 0) {
        qsort(array->items, array->n, array->size, af_order_u64);
    }
}

static void find_candidates(search *s, uint32_t n)
{
    uint64_t highest = 0;
    for (uint32_t m = 0; m < n; m++) {
        if (s->methods[m].used) {
            highest = MAX(highest, s->methods[m].id);
            if (s->methods[m].name == NULL) {
                add_candidate(s, &s->undefined, m);
            }
        }
    }
    for (uint32_t m = 0; m < n; m++) {
        if (!s->methods[m].used && s->methods[m].name != NULL && s->methods[m].id > highest) {
            add_candidate(s, &s->unused, m);
        }
    }
    sort_array(&s->undefined);
    sort_array(&s->unused);
}

static void merge_pairs(search *s)
{
    uint64_t *pairs = s->pairs.items;
    size_t n_left = 0;
    sort_array(&s->pairs);
    for (size_t i = 0; i < s->pairs.n; i++) {
        if (i == 0 || pairs[i] != pairs[i - 1]) {
            pairs[n_left++] = pairs[i];
        }
    }
    s->pairs.n = n_left;
    s->next_merge = MAX(n_left * 2, FIRST_MERGE);
}

/* Records, for each undefined method, the names entered within LEVELS levels below it. */
static void look_below(search *s, const af_tree *tree, uint64_t adopted)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const af_proxy_method *m = &s->methods[tree->label[n]];
        const uint32_t name =
            m->name == NULL ? AF_TEXTMAP_NONE : af_textmap_find(&s->names, m->name, m->name_length);
        if (name == AF_TEXTMAP_NONE) {
            continue;
        }
        uint32_t above = tree->parent[n];
        for (unsigned level = 0; level < LEVELS && above != 0; level++) {
            const uint32_t slot = s->slot_of[tree->label[above]];
            const gboolean entered = above > adopted || tree->calls[above] > 1;
            if (slot != AF_NO_LABEL && entered) {
                if (!af_array_append(&s->pairs, &(uint64_t){(uint64_t)slot << 32 | name})) {
                    return;
                }
            }
            above = tree->parent[above];
        }
        if (s->pairs.n >= s->next_merge) {
            merge_pairs(s);
        }
    }
}

/* The pairing: each step takes a slot with a single candidate and removes this candidate from the
 * other slots that met its name. So each name is used at most once, and all steps together touch
 * every pair of slot and name twice. */
typedef struct {
    uint32_t *left;       /* by name: methods of that name that are still unpaired */
    uint32_t *method;     /* by name: one of these methods; used only if it is the only one */
    uint32_t *candidates; /* by slot: sum of `left` over the names that occur in it */
    size_t *first_pair;   /* by slot: start of its pairs; one more at the end */
    size_t *first_slot;   /* by name: start of its slots in `slots`; one more at the end */
    size_t *next_slot;    /* by name: index of its next slot while `slots` is filled */
    uint32_t *slots;      /* ascending for each name */
    uint32_t *queue;      /* slots whose candidates were reduced to one, in that order */
    size_t n_queue;
} pairing;

static uint64_t pair_at(const search *s, size_t i)
{
    return AF_ARRAY_AT(&s->pairs, uint64_t, i);
}

static void count_candidates(const search *s, pairing *p)
{
    for (size_t d = 0; d < s->unused.n; d++) {
        const uint32_t m = candidate_at(&s->unused, d);
        const uint32_t name =
            af_textmap_find(&s->names, s->methods[m].name, s->methods[m].name_length);
        p->left[name]++;
        p->method[name] = m;
    }
    for (size_t i = 0; i < s->pairs.n; i++) {
        const uint32_t slot = (uint32_t)(pair_at(s, i) >> 32), name = (uint32_t)pair_at(s, i);
        p->candidates[slot] += p->left[name];
        p->first_pair[slot + 1]++;
        p->first_slot[name + 1]++;
    }
    for (size_t i = 0; i < s->undefined.n; i++) {
        p->first_pair[i + 1] += p->first_pair[i];
    }
    for (size_t i = 0; i < s->names.n; i++) {
        p->first_slot[i + 1] += p->first_slot[i];
        p->next_slot[i] = p->first_slot[i];
    }
    for (size_t i = 0; i < s->pairs.n; i++) {
        p->slots[p->next_slot[(uint32_t)pair_at(s, i)]++] = (uint32_t)(pair_at(s, i) >> 32);
    }
}

static void pair(const search *s, pairing *p, uint32_t slot, uint32_t *named)
{
    size_t at = p->first_pair[slot];
    while (p->left[(uint32_t)pair_at(s, at)] == 0) {
        at++;
    }
    const uint32_t name = (uint32_t)pair_at(s, at);
    named[candidate_at(&s->undefined, slot)] = p->method[name];
    p->left[name] = 0;
    for (size_t i = p->first_slot[name]; i < p->first_slot[name + 1]; i++) {
        if (--p->candidates[p->slots[i]] == 1) {
            p->queue[p->n_queue++] = p->slots[i];
        }
    }
}

/* Pairs the remaining method with the remaining slot if there is one of each. */
static void pair_leftover(const search *s, const pairing *p, size_t n_paired, uint32_t *named)
{
    if (s->undefined.n - n_paired != 1 || s->unused.n - n_paired != 1) {
        return;
    }
    uint32_t slot = 0, name = 0;
    while (named[candidate_at(&s->undefined, slot)] != AF_NO_LABEL) {
        slot++;
    }
    while (p->left[name] == 0) {
        name++;
    }
    named[candidate_at(&s->undefined, slot)] = p->method[name];
}

static void pair_all(const search *s, pairing *p, uint32_t *named)
{
    count_candidates(s, p);
    for (uint32_t slot = 0; slot < s->undefined.n; slot++) {
        if (p->candidates[slot] == 1) {
            p->queue[p->n_queue++] = slot;
        }
    }
    size_t n_paired = 0;
    for (size_t i = 0; i < p->n_queue; i++) {
        if (p->candidates[p->queue[i]] == 1) {
            pair(s, p, p->queue[i], named);
            n_paired++;
        }
    }
    pair_leftover(s, p, n_paired, named);
}

/* Returns FALSE if memory is refused. */
static gboolean match_all(search *s, uint32_t *named)
{
    const size_t n_slots = s->undefined.n, n_names = s->names.n;
    merge_pairs(s);
    pairing p = {.left = g_try_new0(uint32_t, n_names),
                 .method = g_try_new0(uint32_t, n_names),
                 .candidates = g_try_new0(uint32_t, n_slots),
                 .first_pair = g_try_new0(size_t, n_slots + 1),
                 .first_slot = g_try_new0(size_t, n_names + 1),
                 .next_slot = g_try_new0(size_t, n_names),
                 .slots = g_try_new0(uint32_t, s->pairs.n + 1),
                 .queue = g_try_new0(uint32_t, n_slots)};
    const gboolean ok = p.left != NULL && p.method != NULL && p.candidates != NULL &&
                        p.first_pair != NULL && p.first_slot != NULL && p.next_slot != NULL &&
                        p.slots != NULL && p.queue != NULL;
    if (ok) {
        pair_all(s, &p, named);
    }
    g_free(p.left);
    g_free(p.method);
    g_free(p.candidates);
    g_free(p.first_pair);
    g_free(p.first_slot);
    g_free(p.next_slot);
    g_free(p.slots);
    g_free(p.queue);
    return ok;
}

/* Requires members on both sides. Returns FALSE if memory is refused. */
static gboolean match_names(search *s, uint32_t n, af_tree *const *trees, const uint64_t *adopted,
                            uint32_t n_trees, uint32_t *named)
{
    memset(s->slot_of, 0xFF, n * sizeof *s->slot_of);
    for (uint32_t i = 0; i < s->undefined.n; i++) {
        s->slot_of[candidate_at(&s->undefined, i)] = i;
    }
    /* Gives every name of `unused` a number. */
    for (size_t d = 0; d < s->unused.n; d++) {
        const af_proxy_method *m = &s->methods[candidate_at(&s->unused, d)];
        af_textmap_add(&s->names, m->name, m->name_length);
    }
    for (uint32_t t = 0; t < n_trees && !s->names.failed; t++) {
        look_below(s, trees[t], adopted[t]);
    }
    return !s->names.failed && !s->pairs.failed && match_all(s, named);
}

gboolean af_proxy_recover(const af_proxy_method *methods, uint32_t n, af_tree *const *trees,
                          const uint64_t *adopted, uint32_t n_trees, uint32_t *named)
{
    search s = {.methods = methods,
                .slot_of = g_try_malloc_n((size_t)n + 1, sizeof(uint32_t)),
                .next_merge = FIRST_MERGE};
    af_array_init(&s.undefined, sizeof(candidate));
    af_array_init(&s.unused, sizeof(candidate));
    af_array_init(&s.pairs, sizeof(uint64_t));
    af_textmap_init(&s.names);
    memset(named, 0xFF, n * sizeof *named);
    find_candidates(&s, n);
    gboolean ok = s.slot_of != NULL && !s.undefined.failed && !s.unused.failed;
    if (ok && s.undefined.n > 0 && s.unused.n > 0) {
        ok = match_names(&s, n, trees, adopted, n_trees, named);
    }
    g_free(s.slot_of);
    AF_ARRAYS_CLEAR(&s.undefined, &s.unused, &s.pairs);
    af_textmap_clear(&s.names);
    return ok;
}
