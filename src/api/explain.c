#include <aflame/explain.h>

#include "api/field.h"
#include "base/options.h"
#include "finding/explain.h"
#include "finding/rule.h"
#include "report/findings/findings.h"

#define DEFAULT_WIDTH 72

AF_FIELD_OF(const char *, af_explain_rule, af_rule_at, id)
AF_FIELD_OF(const char *, af_explain_rule_title, af_rule_at, title)
AF_FIELD_OF(const char *, af_explain_rule_about, af_rule_at, about)
AF_FIELD_OF(const char *, af_explain_format_name, af_findings_format_at, name)
AF_FIELD_OF(const char *, af_explain_format_extension, af_findings_format_at, extension)

af_explanation *af_explanation_new(const af_profile *profile, const af_explain_options *options,
                                   GError **error)
{
    af_explain_options known = AF_EXPLAIN_OPTIONS_INIT;
    if (!af_options_take(&known, sizeof known, options, error)) {
        return NULL;
    }
    return af_explain(profile, &known, NULL, error);
}

unsigned af_explanation_n(const af_explanation *explanation)
{
    return explanation->n;
}

const char *af_explanation_text(const af_explanation *explanation, unsigned index)
{
    return index < explanation->n ? explanation->findings[index].text : NULL;
}

bool af_explanation_write(const af_explanation *const *explanations, unsigned n, const char *format,
                          unsigned width, af_write_func write, void *user, GError **error)
{
    const af_findings_format *wanted = af_findings_format_lookup(format);
    if (wanted == NULL || n == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    n == 0 ? "give at least one explanation" : "unknown format \"%s\"", format);
        return FALSE;
    }
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    wanted->write(explanations, n, width > 0 ? width : DEFAULT_WIDTH, out);
    return af_out_close(out, error);
}
