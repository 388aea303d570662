#include "report/report.h"

#include <string.h>

/* From the method, because labels may omit packages. */
static void append_package(GString *to, const af_profile *profile, const af_label *label)
{
    const char *class_name = af_report_class_of(profile, label);
    const char *dot = class_name != NULL ? strrchr(class_name, '.') : NULL;
    if (class_name == NULL) {
        g_string_append(to, "(no class)");
    } else if (dot == NULL) {
        g_string_append(to, "(default package)");
    } else {
        g_string_append_len(to, class_name, dot - class_name);
    }
}

static af_table *make_packages(const af_report_request *request)
{
    static const af_grouping grouping = {"packages", "packages", "package", append_package,
                                         NULL,       0,          NULL,      FALSE};
    return af_table_of_groups(request, &grouping);
}

const af_table_kind af_table_kind_packages = {.name = "packages", .make = make_packages};
