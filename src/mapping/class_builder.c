#include "mapping/class_builder.h"

#include <stdlib.h>

/* Offsets in the text; 0 = none. */
typedef struct {
    size_t obfuscated, text, residual, forwards;
    size_t text_length, forwards_length;
    unsigned flags;
    gboolean many; /* the inlined methods differ from line to line */
} draft_entry;

/* The same with pointers, once the text no longer moves. */
typedef struct {
    const char *obfuscated, *text, *residual, *forwards;
    size_t text_length, forwards_length, order;
    unsigned flags;
    gboolean many;
} item;

/* The ranges of a method alternate with those of methods inlined into it; a duplicate is searched
 * this many entries back. */
#define LOOK_BACK 4

void af_class_builder_init(af_class_builder *draft)
{
    af_array_init(&draft->text, 1);
    af_array_init(&draft->entries, sizeof(draft_entry));
}

void af_class_builder_clear(af_class_builder *draft)
{
    af_array_clear(&draft->text);
    af_array_clear(&draft->entries);
}

static const char *text_at(const af_class_builder *draft, size_t offset)
{
    return offset == 0 ? NULL : &AF_ARRAY_AT(&draft->text, char, offset);
}

/* Appends the text and a zero byte. */
static size_t put(af_class_builder *draft, af_span text)
{
    if (text.bytes == NULL) {
        return 0;
    }
    const size_t offset = MAX(draft->text.n, 1);
    if (!af_array_reach(&draft->text, offset + text.length + 1)) {
        return 0;
    }
    memcpy(&AF_ARRAY_AT(&draft->text, char, offset), text.bytes, text.length);
    return offset;
}

static gboolean is_at(const af_class_builder *draft, size_t offset, size_t length, af_span text)
{
    return offset == 0 ? text.bytes == NULL
                       : text.bytes != NULL &&
                             af_span_equal((af_span){text_at(draft, offset), length}, text);
}

static gboolean is_same(const af_class_builder *draft, const draft_entry *entry,
                        const af_class_builder_method *method)
{
    const char *residual = text_at(draft, entry->residual);
    return entry->flags == method->flags &&
           strncmp(text_at(draft, entry->obfuscated), method->obfuscated.bytes,
                   method->obfuscated.length) == 0 &&
           text_at(draft, entry->obfuscated)[method->obfuscated.length] == '\0' &&
           is_at(draft, entry->text, entry->text_length, method->text) &&
           (method->residual.bytes == NULL ||
            (residual != NULL && af_span_is(method->residual, residual)));
}

void af_class_builder_add(af_class_builder *draft, const af_class_builder_method *method)
{
    if (draft->text.failed || draft->entries.failed) {
        return;
    }
    for (size_t i = draft->entries.n, end = i > LOOK_BACK ? i - LOOK_BACK : 0; i-- > end;) {
        draft_entry *known = &AF_ARRAY_AT(&draft->entries, draft_entry, i);
        if (is_same(draft, known, method)) {
            known->many |= !is_at(draft, known->forwards, known->forwards_length, method->forwards);
            return;
        }
    }
    const draft_entry entry = {.obfuscated = put(draft, method->obfuscated),
                               .text = put(draft, method->text),
                               .residual = put(draft, method->residual),
                               .forwards = put(draft, method->forwards),
                               .text_length = method->text.length,
                               .forwards_length = method->forwards.length,
                               .flags = method->flags};
    draft_entry *added = draft->text.failed ? NULL : af_array_add(&draft->entries, 1);
    if (added != NULL) {
        *added = entry;
    }
}

/* ---- the end of the class ---- */

static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const int order = memcmp(a, b, MIN(a_length, b_length));
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_order(const item *a, const item *b)
{
    return (a->order > b->order) - (a->order < b->order);
}

static int compare_texts(const void *one, const void *other)
{
    const item *a = one, *b = other;
    int order = strcmp(a->obfuscated, b->obfuscated);
    order = order != 0 ? order : compare_bytes(a->text, a->text_length, b->text, b->text_length);
    return order != 0 ? order : compare_order(a, b);
}

static int compare_names(const void *one, const void *other)
{
    const item *a = one, *b = other;
    const int order = strcmp(a->obfuscated, b->obfuscated);
    return order != 0 ? order : compare_order(a, b);
}

static item *list_items(const af_class_builder *draft)
{
    item *items = g_try_new(item, draft->entries.n);
    for (size_t i = 0; items != NULL && i < draft->entries.n; i++) {
        const draft_entry *entry = &AF_ARRAY_AT(&draft->entries, draft_entry, i);
        items[i] = (item){text_at(draft, entry->obfuscated),
                          text_at(draft, entry->text),
                          text_at(draft, entry->residual),
                          text_at(draft, entry->forwards),
                          entry->text_length,
                          entry->forwards_length,
                          i,
                          entry->flags,
                          entry->many};
    }
    return items;
}

/* Merges two equal items into `a`. If a method is inlined in one place and independent in another,
 * only the latter counts. */
static gboolean merge(item *a, const item *b)
{
    if (strcmp(a->obfuscated, b->obfuscated) != 0 || a->text_length != b->text_length ||
        memcmp(a->text, b->text, a->text_length) != 0 ||
        (a->residual != NULL && b->residual != NULL && strcmp(a->residual, b->residual) != 0)) {
        return FALSE;
    }
    if (((a->flags ^ b->flags) & AF_MAPPED_INLINED) != 0) {
        const size_t order = a->order;
        *a = (a->flags & AF_MAPPED_INLINED) != 0 ? *b : *a;
        a->order = order;
        return TRUE;
    }
    a->many = a->many || b->many || (a->forwards == NULL) != (b->forwards == NULL) ||
              (a->forwards != NULL && (a->forwards_length != b->forwards_length ||
                                       memcmp(a->forwards, b->forwards, a->forwards_length) != 0));
    a->residual = a->residual != NULL ? a->residual : b->residual;
    a->flags |= b->flags;
    return TRUE;
}

/* Returns the number of remaining items, sorted by obfuscated name and in file order. */
static size_t merge_items(item *items, size_t n)
{
    size_t left = 0;
    qsort(items, n, sizeof *items, compare_texts);
    for (size_t i = 0; i < n; i++) {
        if (left == 0 || !merge(&items[left - 1], &items[i])) {
            items[left++] = items[i];
        }
    }
    qsort(items, left, sizeof *items, compare_names);
    return left;
}

/* The target of calls is stored only where a lookup can need it. */
static gboolean keeps_forwards(const item *it, gboolean synthetic)
{
    return it->forwards != NULL && !it->many &&
           (synthetic || (it->flags & AF_MAPPED_SYNTHETIC) != 0);
}

static gboolean has_name_before(const item *items, size_t i)
{
    return i > 0 && strcmp(items[i - 1].obfuscated, items[i].obfuscated) == 0;
}

static size_t count_bytes(const item *items, size_t n, gboolean synthetic)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        bytes += items[i].text_length;
        bytes += has_name_before(items, i) ? 0 : strlen(items[i].obfuscated) + 1;
        bytes += items[i].residual != NULL ? strlen(items[i].residual) + 1 : 0;
        bytes += keeps_forwards(&items[i], synthetic) ? items[i].forwards_length : 0;
    }
    return bytes;
}

static const char *copy(char **to, const char *bytes, size_t length)
{
    char *begin = *to;
    memcpy(begin, bytes, length);
    *to = begin + length;
    return begin;
}

static void copy_items(const item *items, size_t n, gboolean synthetic, char *to,
                       af_mapped_method *methods)
{
    for (size_t i = 0; i < n; i++) {
        const item *it = &items[i];
        methods[i].obfuscated = has_name_before(items, i)
                                    ? methods[i - 1].obfuscated
                                    : copy(&to, it->obfuscated, strlen(it->obfuscated) + 1);
        methods[i].text = copy(&to, it->text, it->text_length);
        methods[i].flags = it->flags;
        if (it->residual != NULL) {
            methods[i].residual = copy(&to, it->residual, strlen(it->residual) + 1);
        }
        if (keeps_forwards(it, synthetic)) {
            methods[i].forwards = copy(&to, it->forwards, it->forwards_length);
        }
    }
}

static gboolean take_items(item *items, size_t n, af_mapping *mapping, af_mapped_class *in)
{
    const size_t left = merge_items(items, n);
    in->first = (uint32_t)mapping->methods.n;
    char *text = af_arena_alloc(mapping->arena, count_bytes(items, left, in->synthetic));
    af_mapped_method *methods = text == NULL || left >= UINT32_MAX - mapping->methods.n
                                    ? NULL
                                    : af_array_add(&mapping->methods, left);
    if (methods != NULL) {
        in->n = (uint32_t)left;
        copy_items(items, left, in->synthetic, text, methods);
    }
    return methods != NULL;
}

gboolean af_class_builder_take(af_class_builder *draft, af_mapping *mapping, af_mapped_class *in)
{
    const size_t n = draft->entries.n;
    gboolean ok = !draft->entries.failed && !draft->text.failed;
    if (ok && n > 0) {
        g_autofree item *items = list_items(draft);
        ok = items != NULL && take_items(items, n, mapping, in);
    }
    draft->entries.n = 0;
    draft->text.n = 0;
    return ok;
}
