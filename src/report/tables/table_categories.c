#include "model/groups.h"
#include "report/report.h"

static void append_category(GString *to, const af_profile *profile, const af_label *label)
{
    g_string_append(to, af_label_origin(profile, label));
}

static af_table *make_categories(const af_report_request *request)
{
    static const af_grouping grouping = {.id = "categories",
                                         .title = "categories",
                                         .name_title = "category",
                                         .append_name = append_category,
                                         .by_category = TRUE};
    return af_table_of_groups(request, &grouping);
}

const af_table_kind af_table_kind_categories = {.name = "categories", .make = make_categories};
