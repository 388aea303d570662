
#include "model/groups.h"
#include "report/report.h"

static void append_label(GString *to, const af_profile *profile, const af_label *label)
{
    g_string_append_len(to, label->text, label->length);
}

enum { CATEGORY, SOURCE, EXTRAS };

static const af_column extras[EXTRAS] = {
    [CATEGORY] = {"category", NULL, NULL, "origin of the code", AF_CELL_TEXT, .rank = 23},
    [SOURCE] = {"source", NULL, "source file",
                "file name from the trace, in the folder of its package", AF_CELL_TEXT, .rank = 24},
};

static void fill_extras(af_cell *cells, const af_report_request *request, const af_label *label)
{
    const af_profile *profile = request->scope.profile;
    const af_method *method = af_report_method_of(profile, label);
    const char *origin = af_label_origin(profile, label);
    cells[CATEGORY].text = af_arena_text(request->arena, origin);
    if (method != NULL && method->source != NULL && method->source[0] != '\0') {
        g_autoptr(GString) source = g_string_new(NULL);
        af_report_append_source(source, profile, label);
        cells[SOURCE].text = af_arena_copy(request->arena, source->str, source->len);
    }
}

static af_table *make_methods(const af_report_request *request)
{
    static const af_grouping grouping = {"methods", "methods", "method",    append_label,
                                         extras,    EXTRAS,    fill_extras, FALSE};
    return af_table_of_groups(request, &grouping);
}

const af_table_kind af_table_kind_methods = {.name = "methods", .make = make_methods};
