#include "mapping/overloads.h"

#include <stdlib.h>
#include <string.h>

#include "mapping/descriptor.h"

/* Independent methods before inlined ones, then in file order. */
static int compare_position(const void *one, const void *other)
{
    const af_overload *a = one, *b = other;
    return a->inlined != b->inlined ? (a->inlined ? 1 : -1)
                                    : (a->method > b->method) - (a->method < b->method);
}

static int compare_residual(const void *one, const void *other)
{
    const af_overload *a = one, *b = other;
    const int order = strcmp(a->residual, b->residual);
    return order != 0 ? order : compare_position(a, b);
}

static int compare_original(const void *one, const void *other)
{
    const af_overload *a = one, *b = other;
    const int order = strcmp(a->original, b->original);
    return order != 0 ? order : compare_position(a, b);
}

static int compare_count(const void *one, const void *other)
{
    const af_overload *a = one, *b = other;
    const int order = (a->n_arguments > b->n_arguments) - (a->n_arguments < b->n_arguments);
    return order != 0 ? order : compare_position(a, b);
}

static void describe(const af_mapping *mapping, uint32_t number, af_arena *arena,
                     af_overload *overload)
{
    const af_mapped_method *method = af_mapping_method(mapping, number);
    const af_mapped_parts parts = af_mapped_text_split(method->text);
    g_autoptr(GString) text = g_string_new(NULL);
    overload->method = number;
    overload->inlined = (method->flags & AF_MAPPED_INLINED) != 0;
    af_descriptor_append(text, parts.arguments, parts.type, NULL);
    overload->original = af_arena_copy(arena, text->str, text->len);
    overload->n_arguments = af_descriptor_count(text->str);
    overload->residual = method->residual;
    if (method->residual == NULL) {
        g_string_truncate(text, 0);
        af_descriptor_append(text, parts.arguments, parts.type, mapping);
        overload->residual = af_arena_copy(arena, text->str, text->len);
    }
}

static af_overload *copy_sorted(const af_overload *overloads, uint32_t n,
                                int (*compare)(const void *, const void *))
{
    af_overload *copy = g_try_new(af_overload, n);
    if (copy != NULL) {
        memcpy(copy, overloads, n * sizeof *copy);
        qsort(copy, n, sizeof *copy, compare);
    }
    return copy;
}

gboolean af_overloads_make(af_overloads *overloads, const af_mapping *mapping,
                           const af_method_range *ranges, unsigned n_ranges, af_arena *arena)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < n_ranges; i++) {
        n += ranges[i].n;
    }
    af_overload *list = g_try_new(af_overload, n);
    *overloads = (af_overloads){.by_line = list, .n = n};
    for (unsigned i = 0, at = 0; list != NULL && i < n_ranges; i++) {
        for (uint32_t k = 0; k < ranges[i].n; k++) {
            describe(mapping, ranges[i].first + k, arena, &list[at++]);
        }
    }
    if (list == NULL || af_arena_failed(arena)) {
        return FALSE;
    }
    qsort(list, n, sizeof *list, compare_position);
    overloads->by_residual = copy_sorted(list, n, compare_residual);
    overloads->by_original = copy_sorted(list, n, compare_original);
    overloads->by_count = copy_sorted(list, n, compare_count);
    return overloads->by_residual != NULL && overloads->by_original != NULL &&
           overloads->by_count != NULL;
}

void af_overloads_clear(af_overloads *overloads)
{
    g_free(overloads->by_line);
    g_free(overloads->by_residual);
    g_free(overloads->by_original);
    g_free(overloads->by_count);
}

/* The methods equal to the key, whose `method` is 0 so that it sorts before them. */
static unsigned find_equal(const af_overload *list, uint32_t n, const af_overload *key,
                           int (*compare)(const void *, const void *),
                           const af_overload *found[AF_MOST_FITTING])
{
    uint32_t low = 0, high = n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(&list[middle], key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    unsigned n_found = 0;
    for (; low < n && n_found < AF_MOST_FITTING; low++) {
        af_overload here = list[low];
        here.method = 0;
        if (compare(&here, key) != 0) {
            break;
        }
        found[n_found++] = &list[low];
    }
    return n_found;
}

static unsigned find_fitting(const af_overloads *o, const char *descriptor, const char *real,
                             const af_overload *chosen[AF_MOST_FITTING])
{
    af_overload key = {.residual = descriptor, .original = real};
    unsigned n = find_equal(o->by_residual, o->n, &key, compare_residual, chosen);
    if (n == 0) {
        key.inlined = TRUE;
        n = find_equal(o->by_residual, o->n, &key, compare_residual, chosen);
    }
    key.inlined = FALSE;
    return n > 0 || real == NULL ? n
                                 : find_equal(o->by_original, o->n, &key, compare_original, chosen);
}

unsigned af_overloads_choose(const af_overloads *overloads, const char *descriptor,
                             const char *real, const af_overload *chosen[AF_MOST_FITTING],
                             af_fit *fit)
{
    *fit = AF_FIT_FULL;
    unsigned n = descriptor == NULL ? 0 : find_fitting(overloads, descriptor, real, chosen);
    if (n > 0) {
        return n;
    }
    const int count = descriptor == NULL ? -1 : af_descriptor_count(descriptor);
    const af_overload key = {.n_arguments = count};
    *fit = AF_FIT_ARGUMENTS;
    n = count < 0 ? 0 : find_equal(overloads->by_count, overloads->n, &key, compare_count, chosen);
    if (n > 0) {
        return n;
    }
    *fit = AF_FIT_NAME;
    while (n < overloads->n && n < AF_MOST_FITTING &&
           overloads->by_line[n].inlined == overloads->by_line[0].inlined) {
        chosen[n] = &overloads->by_line[n];
        n++;
    }
    return n;
}
