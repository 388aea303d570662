#include "model/named.h"

gboolean af_label_is_named(const af_profile *profile, const af_label *label, const af_name *names)
{
    const af_method *method =
        label->method < profile->n_methods ? &profile->methods[label->method] : NULL;
    const char *class_name = method != NULL && method->class_name != NULL ? method->class_name : "";
    const char *name = method != NULL && class_name[0] != '\0' && method->name != NULL
                           ? method->name
                           : label->text;
    for (const af_name *n = names; n->method != NULL; n++) {
        /* nearly all differ in the first character */
        const char first = n->class_name[0];
        if ((first == class_name[0] || first == '*') && af_name_fits(n->class_name, class_name) &&
            af_name_fits(n->method, name)) {
            return TRUE;
        }
    }
    return FALSE;
}
