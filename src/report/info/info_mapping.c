#include "report/info/info.h"

#include "base/number.h"
#include "model/labels.h"
#include "report/tables/columns.h"

/* More ambiguous names add nothing new. */
#define MOST_NAMES 20

char *af_report_mapping(const af_mapped_facts *facts)
{
    char named[AF_NUMBER_SIZE], methods[AF_NUMBER_SIZE];
    GString *text = g_string_new(facts->path);
    /* " (R8 8.2.33, map version 2.2, id 0123abc)", with the parts that the file has. */
    const char *const parts[][2] = {
        {"", facts->compiler}, {"map version ", facts->version}, {"id ", facts->id}};
    const char *between = " (";
    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i][1] != NULL) {
            g_string_append_printf(text, "%s%s%s", between, parts[i][0], parts[i][1]);
            between = ", ";
        }
    }
    g_string_append(text, between[0] == ',' ? ")" : "");
    g_string_append_printf(text, ": %s of %s methods have their real names",
                           af_number_count(named, facts->named),
                           af_number_count(methods, facts->methods));
    af_info_add_count(text, facts->ambiguous, "ambiguous");
    af_info_add_count(text, facts->synthetic, "compiler-generated");
    g_string_append(text, facts->other_build ? "; PROBABLY FROM ANOTHER BUILD" : "");
    return g_string_free(text, FALSE);
}

GPtrArray *af_report_ambiguous(const af_profile *profile)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t m = 0; m < profile->n_methods; m++) {
        if (profile->methods[m].ambiguous) {
            GString *name = g_string_new(NULL);
            af_method_append_full(name, &profile->methods[m]);
            g_ptr_array_add(names, g_string_free(name, FALSE));
        }
    }
    return names;
}

void af_report_mappings(af_info_page *page, const af_profile *profile)
{
    g_autoptr(GPtrArray) names = af_report_ambiguous(profile);
    if (names->len > 0) {
        g_string_append(page->text,
                        "\nambiguous in the mapping: each method may have any of these names\n");
    }
    for (guint i = 0; i < names->len && i < MOST_NAMES; i++) {
        g_autofree char *name = af_columns_clean(names->pdata[i]);
        g_string_append(page->text, "  ");
        af_columns_wrap(page->text, name, 4, page->width);
    }
    if (names->len > MOST_NAMES) {
        g_string_append_printf(page->text, "  and %u more\n", names->len - MOST_NAMES);
    }
}
