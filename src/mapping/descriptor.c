#include "mapping/descriptor.h"

#include <string.h>

static char find_primitive(const char *type, size_t length)
{
    static const struct {
        const char *name;
        char letter;
    } primitives[] = {{"boolean", 'Z'}, {"byte", 'B'},  {"char", 'C'},
                      {"double", 'D'},  {"float", 'F'}, {"int", 'I'},
                      {"long", 'J'},    {"short", 'S'}, {"void", 'V'}};
    for (size_t i = 0; i < G_N_ELEMENTS(primitives); i++) {
        if (strlen(primitives[i].name) == length && memcmp(primitives[i].name, type, length) == 0) {
            return primitives[i].letter;
        }
    }
    return '\0';
}

/* Appends "L" name ";" with slashes for dots; with a mapping, the name as in the program. */
static void append_class(GString *to, const char *type, size_t length, const af_mapping *mapping)
{
    g_autofree char *name = g_strndup(type, length);
    const af_mapped_class *known =
        mapping == NULL ? NULL : af_mapping_lookup_original(mapping, name);
    g_string_append_c(to, 'L');
    const gsize begin = to->len;
    g_string_append(to, known != NULL ? known->obfuscated : name);
    g_strdelimit(to->str + begin, ".", '/');
    g_string_append_c(to, ';');
}

static void append_type(GString *to, const char *type, size_t length, const af_mapping *mapping)
{
    while (length > 2 && memcmp(type + length - 2, "[]", 2) == 0) {
        g_string_append_c(to, '[');
        length -= 2;
    }
    const char primitive = find_primitive(type, length);
    if (primitive != '\0') {
        g_string_append_c(to, primitive);
    } else {
        append_class(to, type, length, mapping);
    }
}

void af_descriptor_append(GString *to, const char *arguments, const char *type,
                          const af_mapping *mapping)
{
    g_string_append_c(to, '(');
    for (const char *p = arguments; *p != '\0';) {
        const size_t length = strcspn(p, ",");
        append_type(to, p, length, mapping);
        p += length + (p[length] == ',');
    }
    g_string_append_c(to, ')');
    append_type(to, type, strlen(type), mapping);
}

/* Returns the end of the type at `p`; NULL if it is malformed. *class and *length are its class, if
 * any. */
static const char *pass_type(const char *p, const char **class, size_t *length)
{
    p += strspn(p, "[");
    *class = NULL;
    if (*p != 'L') {
        return *p != '\0' && strchr("BCDFIJSVZ", *p) != NULL ? p + 1 : NULL;
    }
    *class = p + 1;
    *length = strcspn(p + 1, ";");
    return (*class)[*length] == ';' && *length > 0 ? *class + *length + 1 : NULL;
}

static void append_real_class(GString *to, const char *class, size_t length,
                              const af_mapping *mapping)
{
    g_autofree char *name = g_strdelimit(g_strndup(class, length), "/", '.');
    const af_mapped_class *known = af_mapping_lookup_obfuscated(mapping, name);
    if (known == NULL) {
        g_string_append_len(to, class, (gssize)length);
    } else {
        const gsize begin = to->len;
        g_string_append(to, known->original);
        g_strdelimit(to->str + begin, ".", '/');
    }
}

/* Walks over the whole descriptor and appends it with real names if `to` is given. Returns the
 * number of arguments, -1 if it is malformed. */
static int walk(GString *to, const char *descriptor, const af_mapping *mapping)
{
    const char *p = descriptor, *at = p;
    int n = 0;
    gboolean returns = FALSE;
    if (*p++ != '(') {
        return -1;
    }
    while (!returns) {
        returns = *p == ')';
        p += returns;
        const char *class;
        size_t length;
        const char *next = pass_type(p, &class, &length);
        if (next == NULL || n == G_MAXINT) {
            return -1;
        }
        if (to != NULL && class != NULL) {
            g_string_append_len(to, at, class - at);
            append_real_class(to, class, length, mapping);
            at = class + length;
        }
        n += !returns;
        p = next;
    }
    if (to != NULL) {
        g_string_append(to, at);
    }
    return *p == '\0' ? n : -1;
}

gboolean af_descriptor_append_real(GString *to, const char *descriptor, const af_mapping *mapping)
{
    const gsize begin = to->len;
    if (walk(to, descriptor, mapping) < 0) {
        g_string_truncate(to, begin);
        return FALSE;
    }
    return TRUE;
}

int af_descriptor_count(const char *descriptor)
{
    return walk(NULL, descriptor, NULL);
}
