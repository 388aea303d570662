#include "compare/pairing.h"

#include <string.h>

#include "compare/class_pairs.h"
#include "compare/name_rules.h"

static void free_pair(gpointer user)
{
    g_autofree af_thread_pair *pair = user;
    g_array_unref(pair->threads[AF_BEFORE]);
    g_array_unref(pair->threads[AF_AFTER]);
}

static af_thread_pair *new_pair(GPtrArray *pairs, const char *title)
{
    af_thread_pair *pair = g_new(af_thread_pair, 1);
    pair->title = title;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        pair->threads[s] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    g_ptr_array_add(pairs, pair);
    return pair;
}

static const af_runs_thread *thread_at(const af_runs *runs, uint32_t t)
{
    return runs->threads->pdata[t];
}

static gboolean has_thread(const af_runs *runs, const char *name)
{
    return af_textmap_find(&runs->thread_names, name, strlen(name)) != AF_TEXTMAP_NONE;
}

/* Whether threads of this key have partners on the other side. */
typedef struct {
    GHashTable *pairs; /* key, af_thread_pair */
    af_arena *arena;
    gboolean mask;
} keying;

/* The key of a thread without a partner of its name; free with g_free(). */
static char *mask_name(const char *name)
{
    GString *text = g_string_new(name);
    af_name_mask_digits(text);
    return g_string_free(text, FALSE);
}

static gboolean add_thread(keying *k, GPtrArray *pairs, const char *key, const char *title,
                           unsigned side, uint32_t thread)
{
    af_thread_pair *pair = g_hash_table_lookup(k->pairs, key);
    if (pair == NULL) {
        const char *copy = af_arena_text(k->arena, title);
        if (copy == NULL) {
            return FALSE;
        }
        pair = new_pair(pairs, copy);
        g_hash_table_insert(k->pairs, g_strdup(key), pair);
    }
    g_array_append_val(pair->threads[side], thread);
    return TRUE;
}

/* Keys of masked names begin with a byte that no name has. */
static gboolean add_side(keying *k, GPtrArray *pairs, const af_runs *runs, const af_runs *other,
                         GHashTable *masks_of_other, unsigned side)
{
    gboolean ok = TRUE;
    for (guint t = 0; ok && t < runs->threads->len; t++) {
        const char *name = thread_at(runs, t)->name;
        g_autofree char *masked = mask_name(name);
        g_autofree char *key = g_strconcat("\1", masked, NULL);
        const gboolean by_mask =
            k->mask && !has_thread(other, name) && g_hash_table_contains(masks_of_other, masked);
        ok = by_mask ? add_thread(k, pairs, key, masked, side, t)
                     : add_thread(k, pairs, name, name, side, t);
    }
    return ok;
}

GPtrArray *af_pairing_threads(const af_runs *const sides[AF_SIDES], gboolean exact, af_arena *arena)
{
    GPtrArray *pairs = g_ptr_array_new_with_free_func(free_pair);
    keying k = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), arena, !exact};
    gboolean ok = TRUE;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        const af_runs *runs = sides[s], *other = sides[1 - s];
        g_autoptr(GHashTable) masks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (guint t = 0; t < other->threads->len; t++) {
            const char *name = thread_at(other, t)->name;
            if (!has_thread(runs, name)) {
                g_hash_table_add(masks, mask_name(name));
            }
        }
        ok = add_side(&k, pairs, runs, other, masks, s);
    }
    g_hash_table_unref(k.pairs);
    if (!ok) {
        g_clear_pointer(&pairs, g_ptr_array_unref);
    }
    return pairs;
}

typedef struct {
    af_pairing_labels *to;
    const af_runs *const *sides;
    af_textmap keys;     /* numbers are those of the labels */
    GHashTable *classes; /* of af_class_pairs_find(); NULL if exact */
    af_arena *arena;
} labelling;

/* The label of a key, made from that of the name if there is none. */
static uint32_t find_label(labelling *l, const af_textmap_entry *key, const af_diff_label *like)
{
    const uint32_t number = af_textmap_add_hashed(&l->keys, *key);
    if (number != AF_TEXTMAP_NONE && number == l->to->labels.n) {
        af_diff_label *label = af_array_add(&l->to->labels, 1);
        if (label == NULL) {
            return AF_TEXTMAP_NONE;
        }
        *label = *like;
        label->names[AF_BEFORE] = label->names[AF_AFTER] = 0;
    }
    return number;
}

/* The key of a name: its mask, with the class that it is paired with in place of its own. A class of
 * after that is apart from its namesake begins with a byte that no name has. FALSE if memory is
 * refused. */
static gboolean find_key(const labelling *l, unsigned side, uint32_t name, af_textmap_entry *key)
{
    const af_runs *runs = l->sides[side];
    const af_diff_label *label = &af_runs_name_at(runs, name)->label;
    *key = *af_runs_mask_of(runs, name);
    if (side == AF_BEFORE || g_hash_table_size(l->classes) == 0 || label->class_length == 0) {
        return TRUE;
    }
    g_autofree char *class_name = g_strndup(label->text, label->class_length);
    const char *paired = g_hash_table_lookup(l->classes, class_name);
    if (paired != NULL && g_str_has_prefix(key->bytes, class_name)) {
        g_autofree char *text = *paired == '\0'
                                    ? g_strconcat("\1", key->bytes, NULL)
                                    : g_strconcat(paired, key->bytes + label->class_length, NULL);
        const size_t length = strlen(text);
        const char *copy = af_arena_copy(l->arena, text, length);
        *key = copy != NULL ? af_textmap_hash(&l->keys, copy, length)
                            : (af_textmap_entry){.bytes = NULL};
    }
    return key->bytes != NULL;
}

static gboolean label_side(labelling *l, unsigned side, gboolean exact)
{
    const af_runs *runs = l->sides[side];
    uint32_t *label_of = g_try_new(uint32_t, (size_t)runs->names.n + 1);
    l->to->label_of[side] = label_of;
    for (uint32_t name = 0; label_of != NULL && name < runs->names.n; name++) {
        af_textmap_entry key = runs->names.entries[name];
        label_of[name] = exact || find_key(l, side, name, &key)
                             ? find_label(l, &key, &af_runs_name_at(runs, name)->label)
                             : AF_TEXTMAP_NONE;
        if (label_of[name] == AF_TEXTMAP_NONE) {
            return FALSE;
        }
        AF_ARRAY_AT(&l->to->labels, af_diff_label, label_of[name]).names[side]++;
    }
    return label_of != NULL;
}

/* The labels that only one side has, by their text with masked numbers of anonymous classes. */
typedef struct {
    uint32_t label[AF_SIDES];
    uint32_t n[AF_SIDES];
} lonely;

static void collect_lonely(const labelling *l, GHashTable *by_mask)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t i = 0; i < l->to->labels.n; i++) {
        const af_diff_label *label = &AF_ARRAY_AT(&l->to->labels, af_diff_label, i);
        if ((label->names[AF_BEFORE] > 0) == (label->names[AF_AFTER] > 0)) {
            continue;
        }
        g_string_truncate(text, 0);
        g_string_append_len(text, l->keys.entries[i].bytes, (gssize)l->keys.entries[i].length);
        if (af_name_mask_anonymous(text)) {
            lonely *found = g_hash_table_lookup(by_mask, text->str);
            const unsigned side = label->names[AF_BEFORE] > 0 ? AF_BEFORE : AF_AFTER;
            if (found == NULL) {
                found = g_new0(lonely, 1);
                g_hash_table_insert(by_mask, g_strdup(text->str), found);
            }
            found->label[side] = i;
            found->n[side]++;
        }
    }
}

/* Merges the label of before into that of after. */
static void join_labels(labelling *l, uint32_t *joined)
{
    g_autoptr(GHashTable) by_mask = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    GHashTableIter iter;
    gpointer value;
    collect_lonely(l, by_mask);
    g_hash_table_iter_init(&iter, by_mask); /* pairs do not touch one another: any order will do */
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const lonely *found = value;
        if (found->n[AF_BEFORE] == 1 && found->n[AF_AFTER] == 1) {
            joined[found->label[AF_AFTER]] = found->label[AF_BEFORE];
            af_diff_label *to =
                &AF_ARRAY_AT(&l->to->labels, af_diff_label, found->label[AF_BEFORE]);
            const af_diff_label *from =
                &AF_ARRAY_AT(&l->to->labels, af_diff_label, found->label[AF_AFTER]);
            to->names[AF_AFTER] = from->names[AF_AFTER];
        }
    }
}

static gboolean join_anonymous(labelling *l)
{
    const uint32_t n = (uint32_t)l->to->labels.n;
    g_autofree uint32_t *joined = g_try_new(uint32_t, (size_t)n + 1);
    if (joined == NULL) {
        return FALSE;
    }
    for (uint32_t i = 0; i < n; i++) {
        joined[i] = i;
    }
    join_labels(l, joined);
    uint32_t *label_of = l->to->label_of[AF_AFTER];
    for (uint32_t name = 0; name < l->sides[AF_AFTER]->names.n; name++) {
        label_of[name] = joined[label_of[name]];
    }
    return TRUE;
}

/* The differences between the names of a label. */
enum { SAME, NUMBERED, ANONYMOUS };

static uint8_t compare_name(const labelling *l, unsigned side, uint32_t name, const char *first)
{
    const af_runs *runs = l->sides[side];
    const af_textmap_entry *key = &l->keys.entries[l->to->label_of[side][name]];
    if (strcmp(af_runs_name_at(runs, name)->label.text, first) == 0) {
        return SAME;
    }
    /* a name that was joined with the label of another one has another mask */
    const af_textmap_entry *mask = af_runs_mask_of(runs, name);
    return mask->length == key->length && memcmp(mask->bytes, key->bytes, key->length) == 0
               ? NUMBERED
               : ANONYMOUS;
}

/* What write_texts() knows of each label. */
typedef struct {
    const char **first, **other; /* a name, and one that differs in anonymous classes; or NULL */
    uint8_t *several;
    GHashTable *masked; /* how many labels have each text with masked anonymous classes */
} naming;

/* "a.Main$#.run"; free with g_free(). */
static char *mask_name_of(const char *name, gboolean anonymous)
{
    GString *text = g_string_new(name);
    af_name_mask(text);
    if (anonymous) {
        af_name_mask_anonymous(text);
    }
    return g_string_free(text, FALSE);
}

static void mark_several(const labelling *l, naming *t)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        for (uint32_t name = 0; name < l->sides[s]->names.n; name++) {
            const uint32_t label = l->to->label_of[s][name];
            const char *text = af_runs_name_at(l->sides[s], name)->label.text;
            if (t->first[label] == NULL) {
                t->first[label] = text;
            }
            const uint8_t differs = compare_name(l, s, name, t->first[label]);
            if (differs == ANONYMOUS) {
                t->other[label] = text;
            }
            t->several[label] = MAX(t->several[label], differs);
        }
    }
    for (uint32_t i = 0; i < l->to->labels.n; i++) {
        if (t->several[i] == ANONYMOUS) {
            char *masked = mask_name_of(t->first[i], TRUE);
            const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(t->masked, masked));
            g_hash_table_insert(t->masked, masked, GUINT_TO_POINTER(n + 1));
        }
    }
}

/* The offset in the masked text that corresponds to offset `end` of `from`. */
static uint32_t mask_end(const char *from, uint32_t end, gboolean anonymous)
{
    g_autofree char *part = g_strdup_printf("%.*s.", (int)end, from); /* a number ends at a dot */
    g_autofree char *masked = mask_name_of(part, anonymous);
    return (uint32_t)strlen(masked) - 1;
}

/* "a.Main$1→2.run", where several classes of a family are paired. The first `end` bytes of `before`
 * end at *end of the result. Free with g_free(). */
static char *join_numbers(const char *before, const char *after, uint32_t *end)
{
    GString *text = g_string_new(NULL);
    const char *a = before, *b = after, *last = before + *end;
    while (*a != '\0') {
        const size_t n = strspn(a, "0123456789"), m = strspn(b, "0123456789");
        *end = a == last ? (uint32_t)text->len : *end;
        g_string_append_len(text, a, (gssize)MAX(n, 1));
        if (n > 0 && (n != m || strncmp(a, b, n) != 0)) {
            g_string_append_printf(text, "→%.*s", (int)m, b);
        }
        a += MAX(n, 1);
        b += m > 0 ? m : *b != '\0' ? 1 : 0;
    }
    return g_string_free(text, FALSE);
}

static gboolean name_label(const naming *t, uint32_t number, af_diff_label *label, af_arena *arena)
{
    const char *first = t->first[number];
    const gboolean anonymous = t->several[number] == ANONYMOUS;
    uint32_t class_length = label->class_length;
    char *text = mask_name_of(first, anonymous);
    if (anonymous && GPOINTER_TO_UINT(g_hash_table_lookup(t->masked, text)) > 1) {
        g_free(text);
        text = join_numbers(first, t->other[number], &class_length);
    } else {
        class_length = mask_end(first, label->class_length, anonymous);
    }
    label->length = (uint32_t)strlen(text);
    label->text = af_arena_copy(arena, text, label->length);
    label->method_at = label->method_at > 0 ? class_length + 1 : 0;
    label->class_length = label->class_length > 0 ? class_length : 0;
    g_free(text);
    return label->text != NULL;
}

/* Labels that stand for several names show their numbers as #; others the name. */
static gboolean write_texts(labelling *l, af_arena *arena)
{
    const uint32_t n = (uint32_t)l->to->labels.n;
    naming t = {.first = g_try_new0(const char *, (size_t)n + 1),
                .other = g_try_new0(const char *, (size_t)n + 1),
                .several = g_try_malloc0((size_t)n + 1),
                .masked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    gboolean ok = t.first != NULL && t.other != NULL && t.several != NULL;
    if (ok) {
        mark_several(l, &t);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = t.several[i] == SAME ||
             name_label(&t, i, &AF_ARRAY_AT(&l->to->labels, af_diff_label, i), arena);
    }
    g_hash_table_unref(t.masked);
    g_free(t.several);
    g_free(t.other);
    g_free(t.first);
    return ok;
}

/* Strings of the sides may be gone when the result is used. */
static gboolean keep_texts(labelling *l, af_arena *arena)
{
    for (uint32_t i = 0; i < l->to->labels.n; i++) {
        af_diff_label *label = &AF_ARRAY_AT(&l->to->labels, af_diff_label, i);
        const char **const texts[] = {&label->text, &label->class_name, &label->source};
        for (unsigned t = 0; t < G_N_ELEMENTS(texts); t++) {
            if (*texts[t] != NULL) {
                *texts[t] = af_arena_copy(arena, *texts[t], strlen(*texts[t]));
                if (*texts[t] == NULL) {
                    return FALSE;
                }
            }
        }
    }
    return TRUE;
}

static gboolean label_masks(labelling *l, unsigned side)
{
    const af_runs *runs = l->sides[side];
    uint32_t *label_of = g_try_new(uint32_t, (size_t)runs->masks.n + 1);
    l->to->label_of_mask[side] = label_of;
    for (uint32_t m = 0; label_of != NULL && m < runs->masks.n; m++) {
        label_of[m] = UINT32_MAX;
    }
    for (uint32_t name = 0; label_of != NULL && name < runs->names.n; name++) {
        label_of[af_runs_name_at(runs, name)->mask] = l->to->label_of[side][name];
    }
    return label_of != NULL;
}

gboolean af_pairing_labels_init(af_pairing_labels *pairing, const af_runs *const sides[AF_SIDES],
                                gboolean exact, af_arena *arena)
{
    labelling l = {.to = pairing,
                   .sides = sides,
                   .classes = exact ? NULL : af_class_pairs_find(sides),
                   .arena = arena};
    *pairing = (af_pairing_labels){.label_of = {NULL}};
    af_array_init(&pairing->labels, sizeof(af_diff_label));
    af_textmap_init(&l.keys);
    const gboolean ok = (exact || l.classes != NULL) && label_side(&l, AF_BEFORE, exact) &&
                        label_side(&l, AF_AFTER, exact) &&
                        (exact || (join_anonymous(&l) && label_masks(&l, AF_BEFORE) &&
                                   label_masks(&l, AF_AFTER) && write_texts(&l, arena))) &&
                        keep_texts(&l, arena);
    af_textmap_clear(&l.keys);
    g_clear_pointer(&l.classes, g_hash_table_unref);
    return ok;
}

void af_pairing_labels_clear(af_pairing_labels *pairing)
{
    af_array_clear(&pairing->labels);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_free(pairing->label_of[s]);
        g_free(pairing->label_of_mask[s]);
    }
}
