/* Source files. Traces name them without a folder, and many packages have files of the same name,
 * so the package is written in front as folders, as compilers require. */
#include "report/report.h"

#include <string.h>

void af_report_append_source(GString *to, const af_profile *profile, const af_label *label)
{
    const af_method *method = af_report_method_of(profile, label);
    const char *class_name = af_report_class_of(profile, label);
    if (method == NULL || method->source == NULL || method->source[0] == '\0') {
        g_string_append(to, "(unknown)");
        return;
    }
    const char *dot = class_name != NULL ? strrchr(class_name, '.') : NULL;
    if (dot != NULL && strchr(method->source, '/') == NULL) {
        const gsize begin = to->len;
        g_string_append_len(to, class_name, dot + 1 - class_name);
        g_strdelimit(to->str + begin, ".", '/');
    }
    g_string_append(to, method->source);
}

static af_table *make_sources(const af_report_request *request)
{
    static const af_grouping grouping = {
        "sources", "source files", "source file", af_report_append_source, NULL, 0, NULL, FALSE};
    return af_table_of_groups(request, &grouping);
}

const af_table_kind af_table_kind_sources = {.name = "sources", .make = make_sources};
