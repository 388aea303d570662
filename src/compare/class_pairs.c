#include "compare/class_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/order.h"
#include "compare/name_rules.h"

/* The least share of the content that two classes have in common. */
#define LEAST 0.5

/* What classes of one name are given in advance, since content varies from run to run. */
#define NAMESAKE 0.1

/* A larger family is paired by names. */
#define MOST_CLASSES 64

typedef struct {
    GPtrArray *classes[AF_SIDES]; /* of class; at most MOST_CLASSES + 1 */
    gboolean misleads;            /* its names: one is on both sides, and a side has several */
} family;

typedef struct {
    const family *family;
    char *name;
    af_array content; /* hashes, of uint64_t; ascending once complete */
    gboolean taken;
} class;

/* A side whose content is collected. */
typedef struct {
    const af_runs *runs;
    class **class_of; /* by name; NULL = no anonymous class */
    uint64_t *masked; /* by name: the hash of the name without numbers of anonymous classes */
    uint64_t *method; /* by name: the hash of the name of the method alone */
} collecting;

static void free_class(gpointer user)
{
    g_autofree class *c = user;
    af_array_clear(&c->content);
    g_free(c->name);
}

static void free_family(gpointer user)
{
    g_autofree family *f = user;
    g_ptr_array_unref(f->classes[AF_BEFORE]);
    g_ptr_array_unref(f->classes[AF_AFTER]);
}

static class *find_class(family *f, unsigned side, const char *name, size_t length)
{
    GPtrArray *classes = f->classes[side];
    for (guint i = 0; i < classes->len; i++) {
        class *c = classes->pdata[i];
        if (strlen(c->name) == length && memcmp(c->name, name, length) == 0) {
            return c;
        }
    }
    if (classes->len > MOST_CLASSES) {
        return NULL;
    }
    class *c = g_new0(class, 1);
    c->family = f;
    c->name = g_strndup(name, length);
    af_array_init(&c->content, sizeof(uint64_t));
    g_ptr_array_add(classes, c);
    return c;
}

static void list_classes(const collecting *c, unsigned side, GHashTable *families)
{
    for (uint32_t name = 0; name < c->runs->names.n; name++) {
        const af_diff_label *label = &af_runs_name_at(c->runs, name)->label;
        /* "a.Main$1" as "a.Main$#."; NULL = not anonymous. */
        GString *text = g_string_new_len(label->text, label->class_length);
        g_string_append_c(text, '.'); /* a number ends at a dot */
        const gboolean anonymous = label->class_length > 0 && af_name_mask_anonymous(text);
        g_autofree char *key = g_string_free(text, !anonymous);
        family *f = key != NULL ? g_hash_table_lookup(families, key) : NULL;
        if (key != NULL && f == NULL) {
            f = g_new0(family, 1);
            f->classes[AF_BEFORE] = g_ptr_array_new_with_free_func(free_class);
            f->classes[AF_AFTER] = g_ptr_array_new_with_free_func(free_class);
            g_hash_table_insert(families, g_strdup(key), f);
        }
        c->class_of[name] =
            f != NULL ? find_class(f, side, label->text, label->class_length) : NULL;
    }
}

static gboolean misleads(const family *f)
{
    const GPtrArray *before = f->classes[AF_BEFORE], *after = f->classes[AF_AFTER];
    gboolean namesakes = FALSE;
    for (guint i = 0; i < before->len; i++) {
        for (guint k = 0; k < after->len; k++) {
            namesakes = namesakes || strcmp(((const class *)before->pdata[i])->name,
                                            ((const class *)after->pdata[k])->name) == 0;
        }
    }
    return namesakes && before->len + after->len > 2 &&
           MAX(before->len, after->len) <= MOST_CLASSES;
}

/* Whether any family misleads. */
static gboolean find_misleading(GHashTable *families)
{
    GHashTableIter iter;
    gpointer value;
    gboolean any = FALSE;
    g_hash_table_iter_init(&iter, families);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        family *f = value;
        f->misleads = misleads(f);
        any = any || f->misleads;
    }
    return any;
}

/* FALSE if memory is refused. */
static gboolean hash_names(collecting *c)
{
    const uint32_t n = c->runs->names.n;
    const af_hash_secret *secret = af_hash_get_secret();
    g_autoptr(GString) text = g_string_new(NULL);
    c->masked = g_try_new(uint64_t, (gsize)n + 1);
    c->method = g_try_new(uint64_t, (gsize)n + 1);
    for (uint32_t name = 0; c->masked != NULL && c->method != NULL && name < n; name++) {
        const af_diff_label *label = &af_runs_name_at(c->runs, name)->label;
        const af_textmap_entry *mask = af_runs_mask_of(c->runs, name);
        g_string_truncate(text, 0);
        g_string_append_len(text, mask->bytes, (gssize)mask->length);
        af_name_mask_anonymous(text);
        c->masked[name] = af_hash_text(secret, text->str, text->len);
        c->method[name] =
            af_hash_text(secret, label->text + label->method_at, label->length - label->method_at);
    }
    return c->masked != NULL && c->method != NULL;
}

static void add_content(class *to, uint64_t method, uint64_t relative, uint64_t way)
{
    uint64_t *added = to != NULL && to->family->misleads ? af_array_add(&to->content, 1) : NULL;
    if (added != NULL) {
        *added = (method * 31 + relative) * 31 + way;
    }
}

static void collect_thread(const collecting *c, const af_runs_thread *thread)
{
    const uint32_t *names = af_paths_names(&thread->paths);
    for (uint32_t n = 1; n < thread->paths.n; n++) {
        const uint32_t name = names[n], parent = af_paths_parents(&thread->paths)[n];
        add_content(c->class_of[name], c->method[name], 0, 0);
        if (parent != 0) {
            const uint32_t caller = names[parent];
            add_content(c->class_of[name], c->method[name], c->masked[caller], 1);
            add_content(c->class_of[caller], c->method[caller], c->masked[name], 2);
        }
    }
}

/* Each part once. FALSE if memory was refused. */
static gboolean sort_content(const GPtrArray *classes)
{
    gboolean ok = TRUE;
    for (guint i = 0; i < classes->len; i++) {
        af_array *content = &((class *)classes->pdata[i])->content;
        uint64_t *hashes = content->items;
        size_t left = 0;
        ok = ok && !content->failed;
        if (content->n > 0) {
            qsort(hashes, content->n, sizeof *hashes, af_order_u64);
        }
        for (size_t k = 0; k < content->n; k++) {
            if (left == 0 || hashes[left - 1] != hashes[k]) {
                hashes[left++] = hashes[k];
            }
        }
        content->n = left;
    }
    return ok;
}

/* The share of the content of both that both have. */
static double compare_content(const class *one, const class *other)
{
    const uint64_t *a = one->content.items, *b = other->content.items;
    const size_t n = one->content.n, m = other->content.n;
    size_t i = 0, k = 0, common = 0;
    while (i < n && k < m) {
        const int order = af_order_u64(&a[i], &b[k]);
        common += order == 0 ? 1 : 0;
        i += order <= 0 ? 1 : 0;
        k += order >= 0 ? 1 : 0;
    }
    return n + m > common ? (double)common / (double)(n + m - common) : 0;
}

typedef struct {
    double score;
    class *of[AF_SIDES];
} candidate;

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
    const candidate *one = a, *other = b;
    if (one->score != other->score) {
        return one->score > other->score ? -1 : 1;
    }
    const int before = strcmp(one->of[AF_BEFORE]->name, other->of[AF_BEFORE]->name);
    return before != 0 ? before : strcmp(one->of[AF_AFTER]->name, other->of[AF_AFTER]->name);
}

static GArray *list_candidates(const family *f)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(candidate));
    for (guint i = 0; i < f->classes[AF_BEFORE]->len; i++) {
        for (guint k = 0; k < f->classes[AF_AFTER]->len; k++) {
            candidate c = {.of = {f->classes[AF_BEFORE]->pdata[i], f->classes[AF_AFTER]->pdata[k]}};
            c.score = compare_content(c.of[AF_BEFORE], c.of[AF_AFTER]);
            if (c.score >= LEAST) {
                c.score += strcmp(c.of[AF_BEFORE]->name, c.of[AF_AFTER]->name) == 0 ? NAMESAKE : 0;
                g_array_append_val(all, c);
            }
        }
    }
    g_array_sort(all, compare_candidates);
    return all;
}

static void pair_family(const family *f, GHashTable *pairs)
{
    g_autoptr(GArray) all = list_candidates(f);
    for (guint i = 0; i < all->len; i++) {
        const candidate *c = &g_array_index(all, candidate, i);
        if (!c->of[AF_BEFORE]->taken && !c->of[AF_AFTER]->taken) {
            c->of[AF_BEFORE]->taken = c->of[AF_AFTER]->taken = TRUE;
            if (strcmp(c->of[AF_BEFORE]->name, c->of[AF_AFTER]->name) != 0) {
                g_hash_table_insert(pairs, g_strdup(c->of[AF_AFTER]->name),
                                    g_strdup(c->of[AF_BEFORE]->name));
            }
        }
    }
    /* a name that is left stays with its namesake, unless that has another partner */
    for (guint k = 0; k < f->classes[AF_AFTER]->len; k++) {
        const class *after = f->classes[AF_AFTER]->pdata[k];
        for (guint i = 0; !after->taken && i < f->classes[AF_BEFORE]->len; i++) {
            const class *before = f->classes[AF_BEFORE]->pdata[i];
            if (before->taken && strcmp(before->name, after->name) == 0) {
                g_hash_table_insert(pairs, g_strdup(after->name), g_strdup(""));
            }
        }
    }
}

static gboolean collect_side(collecting *c)
{
    if (!hash_names(c)) {
        return FALSE;
    }
    for (guint t = 0; t < c->runs->threads->len; t++) {
        collect_thread(c, c->runs->threads->pdata[t]);
    }
    return TRUE;
}

static gboolean pair_families(GHashTable *families, GHashTable *pairs)
{
    GHashTableIter iter;
    gpointer value;
    gboolean ok = TRUE;
    g_hash_table_iter_init(&iter, families); /* they do not touch one another: any order will do */
    while (ok && g_hash_table_iter_next(&iter, NULL, &value)) {
        const family *f = value;
        if (f->misleads) {
            ok = sort_content(f->classes[AF_BEFORE]) && sort_content(f->classes[AF_AFTER]);
            pair_family(f, pairs);
        }
    }
    return ok;
}

GHashTable *af_class_pairs_find(const af_runs *const sides[AF_SIDES])
{
    GHashTable *pairs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    GHashTable *families = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_family);
    collecting of[AF_SIDES];
    gboolean ok = TRUE;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        of[s] = (collecting){.runs = sides[s],
                             .class_of = g_try_new0(class *, (gsize)sides[s]->names.n + 1)};
        ok = ok && of[s].class_of != NULL;
        if (ok) {
            list_classes(&of[s], s, families);
        }
    }
    if (ok && find_misleading(families)) {
        ok = collect_side(&of[AF_BEFORE]) && collect_side(&of[AF_AFTER]) &&
             pair_families(families, pairs);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_free(of[s].class_of);
        g_free(of[s].masked);
        g_free(of[s].method);
    }
    g_hash_table_unref(families);
    if (!ok) {
        g_clear_pointer(&pairs, g_hash_table_unref);
    }
    return pairs;
}
