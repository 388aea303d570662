#include "report/report.h"

/* As the label writes it, so that --names short merges classes that it writes alike. */
static void append_class(GString *to, const af_profile *profile, const af_label *label)
{
    if (label->class_length > 0) {
        g_string_append_len(to, label->text, label->class_length);
    } else {
        g_string_append(to, "(no class)");
    }
}

static af_table *make_classes(const af_report_request *request)
{
    static const af_grouping grouping = {"classes", "classes", "class", append_class,
                                         NULL,      0,         NULL,    FALSE};
    return af_table_of_groups(request, &grouping);
}

const af_table_kind af_table_kind_classes = {.name = "classes", .make = make_classes};
