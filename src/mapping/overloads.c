#include "mapping/overloads.h"

#include <string.h>

#include "mapping/descriptor.h"

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

gboolean af_overloads_make(af_overloads *overloads, const af_mapping *mapping,
                           const af_method_range *ranges, unsigned n_ranges, af_arena *arena)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < n_ranges; i++) {
        most += MIN(ranges[i].n, AF_MOST_OVERLOADS - most);
    }
    *overloads = (af_overloads){.list = g_try_new(af_overload, most)};
    for (unsigned inlined = 0; inlined < 2 && overloads->list != NULL; inlined++) {
        for (unsigned i = 0; i < n_ranges; i++) {
            for (uint32_t k = 0; k < ranges[i].n && overloads->n < most; k++) {
                const uint32_t number = ranges[i].first + k;
                const unsigned flags = af_mapping_method(mapping, number)->flags;
                if (((flags & AF_MAPPED_INLINED) != 0) == (inlined != 0)) {
                    describe(mapping, number, arena, &overloads->list[overloads->n++]);
                }
            }
        }
    }
    return overloads->list != NULL && !af_arena_failed(arena);
}

void af_overloads_clear(af_overloads *overloads)
{
    g_free(overloads->list);
}

/* How a method fits, from worst to best. */
enum { OTHER, BY_NAME, BY_COUNT, BY_ORIGINAL, BY_RESIDUAL_INLINED, BY_RESIDUAL };

static unsigned rank(const af_overload *overload, const char *descriptor, const char *real,
                     int n_arguments, gboolean all_inlined)
{
    const gboolean inlined = overload->inlined;
    return descriptor != NULL && strcmp(overload->residual, descriptor) == 0
               ? (inlined ? BY_RESIDUAL_INLINED : BY_RESIDUAL)
           : !inlined && real != NULL && strcmp(overload->original, real) == 0    ? BY_ORIGINAL
           : !inlined && n_arguments >= 0 && overload->n_arguments == n_arguments ? BY_COUNT
           : inlined == all_inlined                                               ? BY_NAME
                                                                                  : OTHER;
}

unsigned af_overloads_choose(const af_overloads *overloads, const char *descriptor,
                             const char *real, const af_overload *chosen[AF_MOST_FITTING],
                             af_fit *fit)
{
    const int n_arguments = descriptor == NULL ? -1 : af_descriptor_count(descriptor);
    unsigned best = OTHER, n = 0;
    for (uint32_t i = 0; i < overloads->n; i++) {
        const af_overload *overload = &overloads->list[i];
        const unsigned here =
            rank(overload, descriptor, real, n_arguments, overloads->list[0].inlined);
        n = here > best ? 0 : n;
        best = MAX(here, best);
        if (here == best && here != OTHER && n < AF_MOST_FITTING) {
            chosen[n++] = overload;
        }
    }
    *fit = best > BY_COUNT ? AF_FIT_FULL : best == BY_COUNT ? AF_FIT_ARGUMENTS : AF_FIT_NAME;
    return n;
}
