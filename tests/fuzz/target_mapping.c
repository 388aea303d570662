/* Any mapping file, read twice: the same mapping, or the same error. It then names only methods that
 * its lines mention, and always with clean text. */
#include <string.h>

#include "api/autoptr.h"
#include "base/utf8.h"
#include "checks.h"
#include "fuzz.h"
#include "mapping/collect.h"
#include "mapping/retrace.h"

enum { MOST_CLASSES = 12, MOST_METHODS = 8 };

static af_mapping *collect(const char *bytes, size_t size)
{
    af_collector *collector = af_collector_new("mapping.txt");
    GError *error = NULL;
    const char *const end = bytes + size;
    for (const char *stop; bytes < end; bytes = MIN(stop + 1, end)) {
        stop = memchr(bytes, '\n', (size_t)(end - bytes));
        stop = stop == NULL ? end : stop;
        if (!af_collector_take(collector, (af_span){bytes, (size_t)(stop - bytes)})) {
            break;
        }
    }
    af_mapping *mapping = af_collector_finish(collector, FALSE, &error);
    FUZZ_CHECK((mapping == NULL) == (error != NULL));
    if (error != NULL) {
        fuzz_check_error(error);
    }
    af_collector_free(collector);
    return mapping;
}

static void check_same(const af_mapping *a, const af_mapping *b)
{
    FUZZ_CHECK(a->classes.n == b->classes.n && a->methods.n == b->methods.n);
    FUZZ_CHECK(a->lines == b->lines && a->broken == b->broken && a->ids.n == b->ids.n);
    for (uint32_t i = 0; i < a->methods.n; i++) {
        const af_mapped_method *one = af_mapping_method(a, i), *other = af_mapping_method(b, i);
        const af_mapped_parts x = af_mapped_text_split(one->text);
        const af_mapped_parts y = af_mapped_text_split(other->text);
        FUZZ_CHECK(strcmp(one->obfuscated, other->obfuscated) == 0);
        FUZZ_CHECK(strcmp(x.name, y.name) == 0 && strcmp(x.arguments, y.arguments) == 0);
        FUZZ_CHECK(one->flags == other->flags);
    }
}

/* Its methods are a contiguous range, sorted by name. */
static void check_class(const af_mapping *mapping, const af_mapped_class *in)
{
    FUZZ_CHECK(in->first <= mapping->methods.n && in->n <= mapping->methods.n - in->first);
    FUZZ_CHECK(af_mapping_lookup_obfuscated(mapping, in->obfuscated) != NULL);
    FUZZ_CHECK(af_mapping_lookup_original(mapping, in->original) != NULL);
    for (uint32_t i = 1; i < in->n; i++) {
        FUZZ_CHECK(strcmp(af_mapping_method(mapping, in->first + i - 1)->obfuscated,
                          af_mapping_method(mapping, in->first + i)->obfuscated) <= 0);
    }
}

static void check_text(const char *text)
{
    FUZZ_CHECK(text == NULL || af_utf8_is_clean(text, strlen(text)));
}

static void ask(af_retracer *retracer, af_arena *arena, const char *class_name, const char *name,
                const char *signature)
{
    af_method method = {.class_name = class_name,
                        .name = name,
                        .signature = signature,
                        .source = "r8-map-id-0123abc",
                        .line = -1,
                        .defined = TRUE};
    af_retracer_rename(retracer, arena, &method);
    FUZZ_CHECK(method.class_name != NULL);
    /* a text without a signature may be a class, which may have no package */
    FUZZ_CHECK(method.name != NULL ? method.name[0] != '\0' : signature == NULL);
    if (method.class_name != class_name) {
        check_text(method.class_name);
        check_text(method.name);
        check_text(method.source);
    }
    if (method.signature != signature) {
        check_text(method.signature);
    }
}

static void ask_class(af_retracer *retracer, af_arena *arena, const af_mapping *mapping,
                      const af_mapped_class *in)
{
    ask(retracer, arena, in->obfuscated, "nowhere", "()V");
    for (uint32_t i = 0; i < in->n && i < MOST_METHODS; i++) {
        const af_mapped_method *method = af_mapping_method(mapping, in->first + i);
        const char *const signatures[] = {method->residual, "()V", "(La/b;[I)La;", NULL, "(", ""};
        for (size_t k = 0; k < G_N_ELEMENTS(signatures); k++) {
            ask(retracer, arena, in->obfuscated, method->obfuscated, signatures[k]);
        }
    }
}

static void rename_all(const af_mapping *mapping, gboolean keep_synthetic)
{
    g_autoptr(af_arena) arena = af_arena_new();
    af_retracer *retracer = af_retracer_new(mapping, keep_synthetic);
    for (uint32_t i = 0; i < mapping->classes.n; i++) {
        check_class(mapping, af_mapping_class(mapping, i));
        if (i < MOST_CLASSES) {
            ask_class(retracer, arena, mapping, af_mapping_class(mapping, i));
        }
    }
    af_mapped_facts facts;
    FUZZ_CHECK(af_retracer_result(retracer, arena, &facts));
    FUZZ_CHECK(facts.named <= facts.known && facts.known <= facts.methods);
    FUZZ_CHECK(facts.ambiguous <= facts.known && facts.synthetic <= facts.known);
    af_retracer_free(retracer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1) {
        return 0;
    }
    const uint8_t how = *bytes++;
    size--;
    g_autoptr(af_mapping) mapping = collect((const char *)bytes, size);
    g_autoptr(af_mapping) again = collect((const char *)bytes, size);
    FUZZ_CHECK((mapping == NULL) == (again == NULL));
    if (mapping != NULL) {
        check_same(mapping, again);
        rename_all(mapping, (how & 0x80) != 0);
    }
    return 0;
}
