#include "model/named.h"

#include <string.h>

static gboolean fits(const char *pattern, const char *text)
{
    const size_t length = strlen(pattern);
    if (pattern[0] == '*') {
        return g_str_has_suffix(text, pattern + 1);
    }
    return length > 0 && pattern[length - 1] == '*' ? strncmp(pattern, text, length - 1) == 0
                                                    : strcmp(pattern, text) == 0;
}

gboolean af_label_is_named(const af_profile *profile, const af_label *label, const af_name *names)
{
    const af_method *method =
        label->method < profile->n_methods ? &profile->methods[label->method] : NULL;
    const char *class_name = method != NULL && method->class_name != NULL ? method->class_name : "";
    const char *name = method != NULL && class_name[0] != '\0' && method->name != NULL
                           ? method->name
                           : label->text;
    for (const af_name *n = names; n->method != NULL; n++) {
        if (fits(n->method, name) && fits(n->class_name, class_name)) {
            return TRUE;
        }
    }
    return FALSE;
}
