#include "model/labels.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/textmap.h"

/* Writes the type of a descriptor at `p` as in source code, with the class's simple name: "[I" ->
 * "int[]", "Ljava/lang/String;" -> "String". Returns the end of the type, NULL if it is
 * malformed. */
static const char *append_type(GString *to, const char *p)
{
    static const char *const primitives[26] = {
        ['B' - 'A'] = "byte",  ['C' - 'A'] = "char",    ['D' - 'A'] = "double",
        ['F' - 'A'] = "float", ['I' - 'A'] = "int",     ['J' - 'A'] = "long",
        ['S' - 'A'] = "short", ['Z' - 'A'] = "boolean", ['V' - 'A'] = "void"};
    const char *dimensions = p;
    p += strspn(p, "[");
    size_t n = (size_t)(p - dimensions);
    if (*p == 'L') {
        const char *end = strchr(p, ';');
        if (end == NULL) {
            return NULL;
        }
        const char *simple = p + 1;
        for (const char *q = simple; q < end; q++) {
            simple = *q == '/' || *q == '.' ? q + 1 : simple;
        }
        g_string_append_len(to, simple, end - simple);
        p = end + 1;
    } else if (*p >= 'A' && *p <= 'Z' && primitives[*p - 'A'] != NULL) {
        g_string_append(to, primitives[*p - 'A']);
        p++;
    } else {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        g_string_append(to, "[]");
    }
    return p;
}

/* "(ILjava/lang/String;)V" -> "(int, String)"; a malformed descriptor stays unchanged. */
static void append_arguments(GString *to, const char *signature)
{
    const gsize begin = to->len;
    const char *p = signature;
    if (*p++ == '(') {
        g_string_append_c(to, '(');
        while (p != NULL && *p != ')' && *p != '\0') {
            if (to->str[to->len - 1] != '(') {
                g_string_append(to, ", ");
            }
            p = append_type(to, p);
        }
        if (p != NULL && *p == ')') {
            g_string_append_c(to, ')');
            return;
        }
    }
    g_string_truncate(to, begin);
    g_string_append(to, signature);
}

/* Class and method separated by a dot, or whichever exists. */
static void append_name(GString *to, const char *class_name, const char *name)
{
    const gboolean has_class = class_name != NULL && *class_name != '\0';
    const gboolean has_name = name != NULL && *name != '\0';
    if (has_class) {
        g_string_append(to, class_name);
    }
    if (has_class && has_name) {
        g_string_append_c(to, '.');
    }
    if (has_name) {
        g_string_append(to, name);
    }
}

void af_method_append_full(GString *to, const af_method *method)
{
    if (!method->defined) {
        g_string_append(to, method->proxy);
        return;
    }
    append_name(to, method->class_name, method->name);
    if (method->signature != NULL) {
        append_arguments(to, method->signature);
    }
}

static const char *cut_package(const char *class_name)
{
    const char *dot = class_name == NULL ? NULL : strrchr(class_name, '.');
    return dot != NULL && dot[1] != '\0' ? dot + 1 : class_name;
}

static void write_label(GString *to, const af_method *method, af_names names, af_label *label)
{
    g_string_truncate(to, 0);
    if (!method->defined) {
        g_string_append(to, method->proxy);
        label->class_length = label->method_at = 0;
        return;
    }
    const char *class_name =
        names == AF_NAMES_SHORT ? cut_package(method->class_name) : method->class_name;
    append_name(to, class_name, method->name);
    const gsize class_length = class_name == NULL ? 0 : strlen(class_name);
    for (gsize i = 0; method->slashed && i < class_length; i++) {
        if (to->str[i] == '.') {
            to->str[i] = '/';
        }
    }
    label->class_length = (uint32_t)class_length;
    label->method_at = class_length > 0 && to->len > class_length ? (uint32_t)class_length + 1 : 0;
    if (names == AF_NAMES_FULL && method->signature != NULL) {
        append_arguments(to, method->signature);
    }
}

/* The annotations of each text, to find names that several kinds of frames share. */
typedef struct {
    af_arena *arena;
    af_textmap texts;
    af_array annotations; /* of uint8_t, by index of the text: a bit for each annotation */
} annotation_map;

static gboolean has_annotations(const af_profile *profile)
{
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        if (profile->methods[m].annotation != AF_ANNOTATION_NONE) {
            return TRUE;
        }
    }
    return FALSE;
}

static void find_annotations(annotation_map *map, const af_profile *profile, GString *text)
{
    const uint32_t n = has_annotations(profile) ? profile->n_methods : 0;
    af_label label;
    for (uint32_t m = 0; m < n; m++) {
        write_label(text, &profile->methods[m], profile->names, &label);
        const char *copy = af_arena_copy(map->arena, text->str, text->len);
        const uint32_t number =
            copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&map->texts, copy, text->len);
        if (number == AF_TEXTMAP_NONE || !af_array_reach(&map->annotations, (size_t)number + 1)) {
            map->texts.failed = TRUE;
            break;
        }
        AF_ARRAY_AT(&map->annotations, uint8_t, number) |=
            (uint8_t)(1u << profile->methods[m].annotation);
    }
}

/* Frames of the same name and different kinds stay separate: their labels show the annotation. */
static void append_annotation(GString *text, const annotation_map *map, af_annotation annotation)
{
    static const char letters[] = {[AF_ANNOTATION_NONE] = ' ',
                                   [AF_ANNOTATION_KERNEL] = 'k',
                                   [AF_ANNOTATION_JIT] = 'j',
                                   [AF_ANNOTATION_INLINED] = 'i',
                                   [AF_ANNOTATION_WAKER] = 'w'};
    const uint32_t number = annotation == AF_ANNOTATION_NONE
                                ? AF_TEXTMAP_NONE
                                : af_textmap_find(&map->texts, text->str, text->len);
    if (number != AF_TEXTMAP_NONE && number < map->annotations.n &&
        AF_ARRAY_AT(&map->annotations, uint8_t, number) != 1u << annotation) {
        g_string_append_printf(text, "_[%c]", letters[annotation]);
    }
}

gboolean af_labels_make(af_profile *profile, uint32_t *label_of)
{
    af_textmap known; /* indexes equal those of the labels */
    af_textmap_init(&known);
    g_autoptr(GString) text = g_string_new(NULL);
    annotation_map map = {.arena = af_arena_new()};
    af_textmap_init(&map.texts);
    af_array_init(&map.annotations, sizeof(uint8_t));
    find_annotations(&map, profile, text);
    profile->labels =
        af_arena_alloc(profile->arena, sizeof(af_label) * ((size_t)profile->n_methods + 1));
    for (uint32_t m = 0; m < profile->n_methods && profile->labels != NULL; m++) {
        af_label label = {.method = m, .methods = 1, .synthetic = profile->methods[m].synthetic};
        write_label(text, &profile->methods[m], profile->names, &label);
        append_annotation(text, &map, profile->methods[m].annotation);
        const uint32_t found = af_textmap_find(&known, text->str, text->len);
        if (found != AF_TEXTMAP_NONE) {
            label_of[m] = found;
            profile->labels[found].methods++;
            profile->labels[found].synthetic &= label.synthetic;
            continue;
        }
        label.text = af_arena_copy(profile->arena, text->str, text->len);
        label.length = (uint32_t)text->len;
        if (label.text == NULL ||
            af_textmap_add(&known, label.text, label.length) == AF_TEXTMAP_NONE) {
            break;
        }
        label_of[m] = profile->n_labels;
        profile->labels[profile->n_labels++] = label;
    }
    const gboolean failed = known.failed || map.texts.failed;
    af_textmap_clear(&map.texts);
    af_arena_free(map.arena);
    af_array_clear(&map.annotations);
    af_textmap_clear(&known);
    return !failed && !af_arena_failed(profile->arena);
}
