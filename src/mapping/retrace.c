#include "mapping/retrace.h"

#include <string.h>

#include "base/idmap.h"
#include "base/utf8.h"
#include "mapping/descriptor.h"
#include "mapping/overloads.h"

/* The limit for lists of one class in a concatenated mapping. */
#define MOST_LISTS 16

/* The limit for the names that an ambiguous method shows. */
#define MOST_NAMES 3

struct af_retracer {
    const af_mapping *mapping;
    gboolean keep_synthetic;
    gboolean renumbered; /* lines of the program differ from those of the source */
    af_idmap known;      /* index of a name's first method -> index in `overloads` */
    af_array overloads;  /* of af_overloads */
    af_arena *arena;     /* their strings */
    gboolean failed;
    af_mapped_facts facts;
    uint64_t fitting, misfitting, own_ids, other_ids;
};

/* The original name of a method. */
typedef struct {
    const af_mapped_class *class; /* its class in the program */
    GString *owner, *name;
    char *signature; /* NULL = that of the trace, with real classes */
    gboolean ambiguous, synthetic;
    gboolean forwards; /* it gets the name of the method that it forwards to */
    gboolean outline;
} answer;

af_retracer *af_retracer_new(const af_mapping *mapping, gboolean keep_synthetic)
{
    af_retracer *r = g_new0(af_retracer, 1);
    r->mapping = mapping;
    r->keep_synthetic = keep_synthetic;
    r->renumbered = mapping->compiler != NULL && g_str_has_prefix(mapping->compiler, "R8");
    af_idmap_init_hashed(&r->known, NULL);
    af_array_init(&r->overloads, sizeof(af_overloads));
    r->arena = af_arena_new();
    return r;
}

void af_retracer_free(af_retracer *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < r->overloads.n; i++) {
        af_overloads_clear(&AF_ARRAY_AT(&r->overloads, af_overloads, i));
    }
    af_array_clear(&r->overloads);
    af_idmap_clear(&r->known);
    af_arena_free(r->arena);
    g_free(r);
}

/* Finds the class's methods with that name in all its lists, provided they belong to one source
 * class. */
static unsigned find_ranges(const af_mapping *mapping, const af_mapped_class *first,
                            const char *name, af_method_range ranges[MOST_LISTS])
{
    const af_mapped_class *class = first;
    unsigned n = 0;
    for (unsigned i = 0; i < MOST_LISTS && class != NULL; i++) {
        if (strcmp(class->original, first->original) == 0) {
            ranges[n].n = af_mapping_find_methods(mapping, class, name, &ranges[n].first);
            n += ranges[n].n > 0;
        }
        class = class->next == AF_NO_CLASS ? NULL : af_mapping_class(mapping, class->next);
    }
    return n;
}

/* NULL if the class has no method with that name, or memory is refused. */
static const af_overloads *find_overloads(af_retracer *r, const af_mapped_class *class,
                                          const char *name)
{
    af_method_range ranges[MOST_LISTS];
    const unsigned n_ranges = find_ranges(r->mapping, class, name, ranges);
    if (n_ranges == 0 || r->failed) {
        return NULL;
    }
    const uint32_t number = af_idmap_number(&r->known, ranges[0].first);
    if (number == r->overloads.n) {
        af_overloads *made = af_array_add(&r->overloads, 1);
        r->failed =
            made == NULL || !af_overloads_make(made, r->mapping, ranges, n_ranges, r->arena);
    }
    r->failed = r->failed || r->known.failed;
    return r->failed ? NULL : &AF_ARRAY_AT(&r->overloads, af_overloads, number);
}

static const char *owner_of(const answer *a, const af_mapped_parts *parts)
{
    return parts->owner[0] != '\0' ? parts->owner : a->class->original;
}

static const char *cut_package(const char *class_name)
{
    const char *dot = strrchr(class_name, '.');
    return dot != NULL ? dot + 1 : class_name;
}

/* "name", or "Class.name" if it belongs to another class than the displayed one. */
static char *name_alternative(const answer *a, const af_mapped_parts *parts)
{
    const char *owner = owner_of(a, parts);
    return strcmp(owner, a->owner->str) == 0
               ? g_strdup(parts->name)
               : g_strdup_printf("%s.%s", cut_package(owner), parts->name);
}

static void add_alternative(const answer *a, const af_mapped_parts *parts, GPtrArray *names)
{
    char *name = name_alternative(a, parts);
    for (guint i = 0; i < names->len; i++) {
        if (strcmp(names->pdata[i], name) == 0) {
            g_free(name);
            return;
        }
    }
    g_ptr_array_add(names, name);
}

/* Methods that a generated class took over from others are not synthetic. */
static gboolean is_synthetic(const answer *a, const af_mapped_method *method)
{
    return (method->flags & AF_MAPPED_SYNTHETIC) != 0 ||
           (a->class->synthetic && af_mapped_text_split(method->text).owner[0] == '\0');
}

/* `keeps_signature`: the signature in the trace is more reliable. */
static void name_one(const af_retracer *r, const af_mapped_method *method, gboolean keeps_signature,
                     answer *a)
{
    a->synthetic = is_synthetic(a, method);
    a->forwards = a->synthetic && method->forwards != NULL && !r->keep_synthetic;
    const af_mapped_parts parts =
        af_mapped_text_split(a->forwards ? method->forwards : method->text);
    g_string_assign(a->owner, owner_of(a, &parts));
    g_string_assign(a->name, parts.name);
    a->outline = (method->flags & AF_MAPPED_OUTLINE) != 0;
    if (a->outline) {
        g_string_append(a->name, " [outline]");
    }
    if (a->forwards || !keeps_signature) {
        GString *signature = g_string_new(NULL);
        af_descriptor_append(signature, parts.arguments, parts.type, NULL);
        a->signature = g_string_free(signature, FALSE);
    }
}

static void answer_method(af_retracer *r, const af_overloads *overloads, const char *signature,
                          const char *real, answer *a)
{
    const af_overload *chosen[AF_MOST_FITTING];
    af_fit fit;
    const unsigned n = af_overloads_choose(overloads, signature, real, chosen, &fit);
    if (signature != NULL) {
        r->fitting += fit == AF_FIT_FULL;
        r->misfitting += fit != AF_FIT_FULL;
    }
    if (n == 1) {
        name_one(r, af_mapping_method(r->mapping, chosen[0]->method),
                 signature != NULL && fit != AF_FIT_FULL, a);
    } else {
        /* Lists all possible names, those of the class before those of others. */
        const char *owner = NULL;
        gboolean synthetic = TRUE;
        for (unsigned i = 0; i < n; i++) {
            const af_mapped_method *method = af_mapping_method(r->mapping, chosen[i]->method);
            const af_mapped_parts parts = af_mapped_text_split(method->text);
            synthetic = synthetic && is_synthetic(a, method);
            const char *here = owner_of(a, &parts);
            owner = owner == NULL || strcmp(here, a->class->original) == 0 ? here : owner;
        }
        g_string_assign(a->owner, owner);
        g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
        for (unsigned i = 0; i < n; i++) {
            const af_mapped_parts parts =
                af_mapped_text_split(af_mapping_method(r->mapping, chosen[i]->method)->text);
            add_alternative(a, &parts, names);
        }
        g_string_truncate(a->name, 0);
        for (guint i = 0; i < names->len && i < MOST_NAMES; i++) {
            g_string_append_printf(a->name, "%s%s", i > 0 ? "|" : "", (char *)names->pdata[i]);
        }
        g_string_append(a->name, names->len > MOST_NAMES ? "|..." : "");
        a->ambiguous = names->len > 1;
        a->synthetic = synthetic;
    }
}

static gboolean is_file_name(const char *source)
{
    return source != NULL && strchr(source, '.') != NULL;
}

/* The most likely source file: Foo.java, or Foo.kt for a Kotlin class FooKt. */
static char *guess_source(const char *class_name)
{
    const char *simple = cut_package(class_name);
    size_t length = strcspn(simple, "$");
    if (length == 0 || simple[0] == '[') {
        return NULL;
    }
    const gboolean kotlin = length > 2 && strncmp(simple + length - 2, "Kt", 2) == 0;
    length -= kotlin ? 2 : 0;
    return g_strdup_printf("%.*s%s", (int)MIN(length, 4096), simple, kotlin ? ".kt" : ".java");
}

static char *find_source(const af_mapping *mapping, const answer *a, const char *source)
{
    const af_mapped_class *owner = strcmp(a->owner->str, a->class->original) == 0
                                       ? a->class
                                       : af_mapping_lookup_original(mapping, a->owner->str);
    if (owner != NULL && owner->source != NULL) {
        return g_strdup(owner->source);
    }
    return is_file_name(source) ? g_strdup(source) : guess_source(a->owner->str);
}

/* The id that a shrinker wrote in place of the source file's name; NULL if none. */
static const char *find_build_id(const char *source)
{
    static const char prefix[] = "r8-map-id-";
    if (source == NULL) {
        return NULL;
    }
    if (g_str_has_prefix(source, prefix)) {
        return source + strlen(prefix);
    }
    const size_t length = strlen(source);
    return length >= 7 && length <= 64 && strspn(source, "0123456789abcdef") == length ? source
                                                                                       : NULL;
}

/* The short id is a prefix of the long one. */
static gboolean has_id(const af_mapping *mapping, const char *id)
{
    for (size_t i = 0; i < mapping->ids.n; i++) {
        const char *known = AF_ARRAY_AT(&mapping->ids, const char *, i);
        if (strcmp(id, known) == 0 ||
            (strlen(id) >= 7 && strlen(known) >= 7 &&
             (g_str_has_prefix(id, known) || g_str_has_prefix(known, id)))) {
            return TRUE;
        }
    }
    return FALSE;
}

static const char *keep(af_arena *arena, const char *text)
{
    g_autoptr(GString) clean = g_string_new(NULL);
    af_utf8_append_clean(clean, text, strlen(text));
    return af_arena_copy(arena, clean->str, clean->len);
}

static gboolean is_empty(const char *text)
{
    return text == NULL || text[0] == '\0';
}

/* Whether a shrinker seems to have given the name, so that the mapping should contain it. */
static gboolean is_shortened(const char *name)
{
    const size_t length = strlen(name);
    return length <= 2 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") == length;
}

static void find_answer(af_retracer *r, const af_method *method, const char *real, answer *a)
{
    const af_overloads *overloads = find_overloads(r, a->class, method->name);
    g_string_assign(a->owner, a->class->original);
    g_string_assign(a->name, method->name);
    if (overloads != NULL) {
        answer_method(r, overloads, method->signature, real, a);
        return;
    }
    a->synthetic = a->class->synthetic;
    r->misfitting +=
        is_shortened(method->name) && strcmp(a->class->obfuscated, a->class->original) != 0;
}

static void rename_member(af_retracer *r, af_arena *arena, const af_mapped_class *class,
                          const char *real, af_method *method)
{
    answer a = {.class = class, .owner = g_string_new(NULL), .name = g_string_new(NULL)};
    r->facts.known++;
    const char *id = find_build_id(method->source);
    if (id != NULL && r->mapping->ids.n > 0) {
        const gboolean own = has_id(r->mapping, id);
        r->own_ids += own;
        r->other_ids += !own;
    }
    find_answer(r, method, real, &a);
    static const char removed[] = "R8$$REMOVED$$CLASS$$";
    if (g_str_has_prefix(a.owner->str, removed)) {
        g_string_assign(a.owner, "[removed class]");
    }
    g_autofree char *source = find_source(r->mapping, &a, method->source);
    r->facts.named +=
        strcmp(a.owner->str, method->class_name) != 0 || strcmp(a.name->str, method->name) != 0;
    r->facts.ambiguous += a.ambiguous;
    r->facts.synthetic += a.synthetic;
    method->class_name = keep(arena, a.owner->str);
    method->name = keep(arena, a.name->str);
    method->source = source == NULL ? NULL : keep(arena, source);
    if (a.signature != NULL || real != NULL) {
        method->signature = keep(arena, a.signature != NULL ? a.signature : real);
    }
    method->ambiguous = a.ambiguous;
    method->synthetic = a.synthetic && !a.forwards && !a.outline;
    method->forwards = a.forwards;
    if (method->line > 0 && r->renumbered) {
        method->line = -1;
    }
    g_free(a.signature);
    g_string_free(a.owner, TRUE);
    g_string_free(a.name, TRUE);
}

/* For a file with a single text for each method: splits off the class at the last dot. */
static gboolean split_whole(const af_mapping *mapping, af_arena *arena, af_method *method)
{
    const char *dot = is_empty(method->name) ? strrchr(method->class_name, '.') : NULL;
    if (dot == NULL || dot[1] == '\0') {
        return FALSE;
    }
    const char *class_name =
        af_arena_copy(arena, method->class_name, (size_t)(dot - method->class_name));
    if (class_name == NULL || af_mapping_lookup_obfuscated(mapping, class_name) == NULL) {
        return FALSE;
    }
    method->class_name = class_name;
    method->name = dot + 1;
    return TRUE;
}

/* Frames of heap graphs are classes: "a.b", "a.b[]", "java.lang.Class<a.b>", "[native] a.b". Finds
 * the name of the class inside. */
static void find_class_inside(const GString *text, size_t *begin, size_t *end)
{
    static const char *const heads[] = {"[native] ", "java.lang.Class<"};
    *begin = 0;
    *end = text->len;
    for (unsigned i = 0; i < G_N_ELEMENTS(heads); i++) {
        if (g_str_has_prefix(text->str + *begin, heads[i])) {
            *begin += strlen(heads[i]);
        }
    }
    while (*end > *begin && strchr("[]>", text->str[*end - 1]) != NULL) {
        (*end)--;
    }
}

static gboolean has_member(const af_mapping *mapping, const af_method *method)
{
    uint32_t first;
    const af_mapped_class *class = af_mapping_lookup_obfuscated(mapping, method->class_name);
    return class != NULL && af_mapping_find_methods(mapping, class, method->name, &first) > 0;
}

/* Renames a text that names a class, and no method. */
static gboolean rename_class(af_retracer *r, af_arena *arena, af_method *method)
{
    const gboolean has_class = !is_empty(method->class_name), has_name = !is_empty(method->name);
    const gboolean has_both = has_class && has_name;
    if (method->signature != NULL || (has_both && has_member(r->mapping, method))) {
        return FALSE;
    }
    g_autoptr(GString) text = g_string_new(has_class ? method->class_name : "");
    g_string_append(text, has_both ? "." : "");
    g_string_append(text, has_name ? method->name : "");
    size_t begin, end;
    find_class_inside(text, &begin, &end);
    g_autofree char *inside = g_strndup(text->str + begin, end - begin);
    const af_mapped_class *class = af_mapping_lookup_obfuscated(r->mapping, inside);
    if (class != NULL) {
        const char *real = class->original;
        r->facts.known++;
        r->facts.named += strcmp(inside, real) != 0;
        g_string_erase(text, (gssize)begin, (gssize)(end - begin));
        g_string_insert(text, (gssize)begin, real);
        /* a class and its package, as the reader split them */
        char *dot = memrchr(text->str, '.', begin + strlen(real));
        const gboolean splits = has_both && dot != NULL && dot[1] != '\0';
        method->name = splits ? keep(arena, dot + 1) : NULL;
        *(splits ? dot : text->str + text->len) = '\0';
        method->class_name = keep(arena, text->str);
    }
    return class != NULL;
}

void af_retracer_rename(af_retracer *r, af_arena *arena, af_method *method)
{
    r->facts.methods++;
    if (rename_class(r, arena, method)) {
        return;
    }
    if (is_empty(method->class_name) ||
        (is_empty(method->name) && !split_whole(r->mapping, arena, method))) {
        return;
    }
    g_autoptr(GString) real = g_string_new(NULL);
    const gboolean has_real =
        method->signature != NULL && af_descriptor_append_real(real, method->signature, r->mapping);
    const af_mapped_class *class = af_mapping_lookup_obfuscated(r->mapping, method->class_name);
    if (class != NULL) {
        rename_member(r, arena, class, has_real ? real->str : NULL, method);
    } else if (has_real && strcmp(real->str, method->signature) != 0) {
        method->signature = keep(arena, real->str);
    }
}

/* A few methods without a good match are normal: generated ones that the mapping omits. */
static gboolean is_other_build(const af_retracer *r)
{
    if (r->own_ids > 0) {
        return FALSE;
    }
    return r->other_ids > 0 || (r->misfitting >= 3 && r->misfitting * 3 > r->fitting);
}

static const char *keep_known(af_arena *arena, const char *text)
{
    return text == NULL ? NULL : keep(arena, text);
}

gboolean af_retracer_result(const af_retracer *r, af_arena *arena, af_mapped_facts *facts)
{
    const af_mapping *mapping = r->mapping;
    *facts = r->facts;
    facts->path = keep(arena, mapping->path);
    facts->compiler = keep_known(arena, mapping->compiler);
    facts->version = keep_known(arena, mapping->version);
    facts->id =
        mapping->ids.n == 0 ? NULL : keep(arena, AF_ARRAY_AT(&mapping->ids, const char *, 0));
    facts->broken = mapping->broken + (mapping->cut ? 1 : 0);
    facts->other_build = is_other_build(r);
    return !r->failed && !af_arena_failed(arena);
}

gboolean af_retracers_report(const GPtrArray *retracers, af_profile *profile)
{
    const guint n = retracers->len;
    af_mapped_facts *facts = af_arena_alloc(profile->arena, n * sizeof *facts);
    gboolean ok = facts != NULL;
    for (guint i = 0; ok && i < n; i++) {
        ok = af_retracer_result(retracers->pdata[i], profile->arena, &facts[i]);
        if (ok) {
            if (facts[i].broken > 0) {
                af_warnings_add(&profile->warnings, AF_WARN_MAPPING_DAMAGED, facts[i].broken,
                                AF_NO_OFFSET);
            }
            if (facts[i].other_build) {
                af_warnings_add(&profile->warnings, AF_WARN_MAPPING_OTHER, 1, AF_NO_OFFSET);
            } else if (facts[i].known == 0 && facts[i].methods > 0) {
                af_warnings_add(&profile->warnings, AF_WARN_MAPPING_UNUSED, 1, AF_NO_OFFSET);
            }
            if (facts[i].ambiguous > 0) {
                af_warnings_add(&profile->warnings, AF_WARN_MAPPING_AMBIGUOUS, facts[i].ambiguous,
                                AF_NO_OFFSET);
            }
        }
    }
    profile->mapped = facts;
    profile->n_mapped = ok ? n : 0;
    profile->facts.has_bidi = TRUE; /* real names may hold some */
    return ok;
}
