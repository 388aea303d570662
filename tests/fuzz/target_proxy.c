/* Names for undefined methods: the same as by the simplest reading of the rule. */
#include <string.h>

#include "feed.h"
#include "build/proxy.h"

enum { MOST_METHODS = 32, MOST_NODES = 200, MOST_TREES = 3, LEVELS = 6 };

typedef struct {
    af_proxy_method methods[MOST_METHODS];
    uint32_t n;
    af_tree *trees[MOST_TREES];
    uint64_t adopted[MOST_TREES];
    uint32_t n_trees;
} input;

static void tell_methods(fuzz_feed *feed, input *t)
{
    static const char *const names[] = {"a", "b", "c", "", "dd", "e", "f"};
    t->n = 1 + feed_byte(feed) % MOST_METHODS;
    for (uint32_t m = 0; m < t->n; m++) {
        const uint8_t what = feed_byte(feed);
        const char *name = (what & 7) == 7 ? NULL : names[what & 7];
        t->methods[m] = (af_proxy_method){.id = 4 * m,
                                          .name = name,
                                          .name_length = name == NULL ? 0 : strlen(name),
                                          .used = (what & 8) != 0};
    }
    /* ids are not in the order of the numbers */
    for (uint32_t m = 0; m < t->n; m++) {
        const uint32_t other = feed_byte(feed) % t->n;
        const uint64_t id = t->methods[m].id;
        t->methods[m].id = t->methods[other].id;
        t->methods[other].id = id;
    }
}

static af_tree *tell_tree(fuzz_feed *feed, input *t, uint64_t *adopted)
{
    const uint32_t n = 1 + feed_byte(feed) % MOST_NODES;
    af_tree *tree = af_tree_new(n, 1u << AF_WALL);
    *adopted = feed_byte(feed) % 4;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t parent = i - 1;
        for (unsigned up = feed_byte(feed) % 8; up > 4 && parent != 0; up--) {
            parent = tree->parent[parent];
        }
        const uint8_t what = feed_byte(feed);
        tree->parent[i] = i <= *adopted ? i - 1 : parent;
        tree->label[i] = what % t->n;
        tree->calls[i] = 1 + (what & 128) / 128;
        t->methods[tree->label[i]].used = TRUE;
    }
    af_tree_sum(tree);
    return tree;
}

/* ---- the rule ---- */

static gboolean is_undefined(const input *t, uint32_t m)
{
    return t->methods[m].used && t->methods[m].name == NULL;
}

static gboolean same_name(const af_proxy_method *a, const af_proxy_method *b)
{
    return a->name != NULL && b->name != NULL && a->name_length == b->name_length &&
           memcmp(a->name, b->name, a->name_length) == 0;
}

/* Whether a method with the name of `d` is called up to six levels inside `u`. */
static gboolean occurs(const input *t, uint32_t u, uint32_t d)
{
    for (uint32_t i = 0; i < t->n_trees; i++) {
        const af_tree *tree = t->trees[i];
        for (uint32_t n = 1; n < tree->n; n++) {
            if (!same_name(&t->methods[tree->label[n]], &t->methods[d])) {
                continue;
            }
            uint32_t above = tree->parent[n];
            for (unsigned level = 0; level < LEVELS && above != 0; level++) {
                if (tree->label[above] == u && (above > t->adopted[i] || tree->calls[above] > 1)) {
                    return TRUE;
                }
                above = tree->parent[above];
            }
        }
    }
    return FALSE;
}

typedef struct {
    uint32_t list[MOST_METHODS];
    unsigned n;
} numbers;

/* In ascending order of their ids. */
static void add_by_id(const input *t, numbers *to, uint32_t m)
{
    unsigned at = to->n++;
    for (; at > 0 && t->methods[to->list[at - 1]].id > t->methods[m].id; at--) {
        to->list[at] = to->list[at - 1];
    }
    to->list[at] = m;
}

static void drop(numbers *from, unsigned at)
{
    memmove(from->list + at, from->list + at + 1, (from->n - at - 1) * sizeof *from->list);
    from->n--;
}

/* The index in `unused` of the only one whose name occurs inside `u`; -1 if there is none or more
 * than one. */
static int find_only(const input *t, uint32_t u, const numbers *unused)
{
    int found = -1;
    for (unsigned i = 0; i < unused->n; i++) {
        if (occurs(t, u, unused->list[i])) {
            if (found >= 0) {
                return -1;
            }
            found = (int)i;
        }
    }
    return found;
}

/* Records those that now have a single candidate. */
static void queue_singles(const input *t, const numbers *undefined, const numbers *unused,
                          numbers *queue, gboolean queued[MOST_METHODS])
{
    for (unsigned i = 0; i < undefined->n; i++) {
        const uint32_t u = undefined->list[i];
        if (!queued[u] && find_only(t, u, unused) >= 0) {
            queued[u] = TRUE;
            queue->list[queue->n++] = u;
        }
    }
}

static void recover_plainly(const input *t, uint32_t named[MOST_METHODS])
{
    numbers undefined = {.n = 0}, unused = {.n = 0}, queue = {.n = 0};
    gboolean queued[MOST_METHODS] = {FALSE};
    uint64_t highest = 0;
    for (uint32_t m = 0; m < t->n; m++) {
        named[m] = AF_NO_LABEL;
        highest = t->methods[m].used ? MAX(highest, t->methods[m].id) : highest;
    }
    for (uint32_t m = 0; m < t->n; m++) {
        if (is_undefined(t, m)) {
            add_by_id(t, &undefined, m);
        } else if (!t->methods[m].used && t->methods[m].name != NULL &&
                   t->methods[m].id > highest) {
            add_by_id(t, &unused, m);
        }
    }
    queue_singles(t, &undefined, &unused, &queue, queued);
    for (unsigned i = 0; i < queue.n; i++) {
        const uint32_t u = queue.list[i];
        const int at = find_only(t, u, &unused);
        if (at >= 0) {
            named[u] = unused.list[at];
            drop(&unused, (unsigned)at);
            unsigned slot = 0;
            while (undefined.list[slot] != u) {
                slot++;
            }
            drop(&undefined, slot);
            queue_singles(t, &undefined, &unused, &queue, queued);
        }
    }
    if (undefined.n == 1 && unused.n == 1) {
        named[undefined.list[0]] = unused.list[0];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    input t = {.n = 0};
    uint32_t named[MOST_METHODS], plainly[MOST_METHODS];
    tell_methods(&feed, &t);
    t.n_trees = 1 + feed_byte(&feed) % MOST_TREES;
    for (uint32_t i = 0; i < t.n_trees; i++) {
        t.trees[i] = tell_tree(&feed, &t, &t.adopted[i]);
    }
    FUZZ_CHECK(af_proxy_recover(t.methods, t.n, t.trees, t.adopted, t.n_trees, named));
    recover_plainly(&t, plainly);
    FUZZ_CHECK(memcmp(named, plainly, t.n * sizeof *named) == 0);
    for (uint32_t i = 0; i < t.n_trees; i++) {
        af_tree_free(t.trees[i]);
    }
    return 0;
}
