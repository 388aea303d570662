#include "report/tables/group_names.h"

#include <string.h>

void af_named_append_class(GString *to, const af_named *method)
{
    if (method->class_length > 0) {
        g_string_append_len(to, method->text, method->class_length);
    } else {
        g_string_append(to, "(no class)");
    }
}

void af_named_append_package(GString *to, const af_named *method)
{
    const char *dot = method->class_name != NULL ? strrchr(method->class_name, '.') : NULL;
    if (method->class_name == NULL) {
        g_string_append(to, "(no class)");
    } else if (dot == NULL) {
        g_string_append(to, "(default package)");
    } else {
        g_string_append_len(to, method->class_name, dot - method->class_name);
    }
}

void af_named_append_source(GString *to, const af_named *method)
{
    if (method->source == NULL || method->source[0] == '\0') {
        g_string_append(to, "(unknown)");
        return;
    }
    const char *dot = method->class_name != NULL ? strrchr(method->class_name, '.') : NULL;
    if (dot != NULL && strchr(method->source, '/') == NULL) {
        const gsize begin = to->len;
        g_string_append_len(to, method->class_name, dot + 1 - method->class_name);
        g_strdelimit(to->str + begin, ".", '/');
    }
    g_string_append(to, method->source);
}
