#include "report/findings/findings.h"

#include <string.h>

#include "base/markdown.h"
#include "base/number.h"
#include "report/tables/columns.h"

char *af_findings_summary(const af_explanation *e)
{
    if (e->n == 0) {
        return g_strdup("nothing stands out");
    }
    if (e->explained == 0) {
        return NULL;
    }
    const af_thread *thread = &e->profile->threads[e->thread];
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    const gboolean threadless = e->profile->facts.threadless;
    return g_strdup_printf(
        "%s %s of the %s%s%s.", e->n == 1 ? "This finding explains" : "These findings explain",
        af_number_share(share, e->explained, e->total),
        af_number_amount(time, e->total, &e->profile->facts.weights.unit), threadless ? "" : " of ",
        threadless ? "" : af_thread_shown(e->profile, thread));
}

static void append_text_of(GString *text, const af_explanation *e, unsigned width)
{
    if (e->input != NULL) {
        g_autofree char *name = af_columns_clean(e->input);
        g_string_append_printf(text, "%s\n\n", name);
    }
    for (unsigned i = 0; i < e->n; i++) {
        g_string_append_printf(text, "%u. ", i + 1);
        g_autofree char *clean = af_columns_clean(e->findings[i].text);
        af_columns_wrap(text, clean, 3, width);
        for (unsigned k = 0; k < AF_FINDING_EVIDENCE && e->findings[i].evidence[k] != NULL; k++) {
            g_string_append_printf(text, "     %s\n", e->findings[i].evidence[k]);
        }
        g_string_append_c(text, '\n');
    }
    g_autofree char *summary = af_findings_summary(e);
    if (summary != NULL) {
        g_string_append_printf(text, "%s\n", summary);
    }
}

static void append_markdown_of(GString *text, const af_explanation *e)
{
    if (e->input != NULL) {
        g_string_append(text, "**");
        af_markdown_append_text(text, e->input);
        g_string_append(text, "**\n\n");
    }
    for (unsigned i = 0; i < e->n; i++) {
        g_string_append_printf(text, "%u. ", i + 1);
        af_markdown_append_text(text, e->findings[i].text);
        g_string_append_c(text, '\n');
        if (e->findings[i].evidence[0] != NULL) {
            g_string_append(text, "   ");
            af_markdown_append_command(text, e->findings[i].evidence[0]);
            g_string_append_c(text, '\n');
        }
    }
    g_autofree char *summary = af_findings_summary(e);
    if (summary != NULL) {
        g_string_append(text, e->n > 0 ? "\n" : "");
        af_markdown_append_text(text, summary);
        g_string_append_c(text, '\n');
    }
}

static void write_all(const af_explanation *const *all, unsigned n, gboolean markdown,
                      unsigned width, af_out *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < n; i++) {
        g_string_append(text, i > 0 ? "\n" : "");
        if (markdown) {
            append_markdown_of(text, all[i]);
        } else {
            append_text_of(text, all[i], width);
        }
    }
    af_out_bytes(out, text->str, text->len);
}

static void write_text(const af_explanation *const *all, unsigned n, unsigned width, af_out *out)
{
    write_all(all, n, FALSE, width, out);
}

static void write_markdown(const af_explanation *const *all, unsigned n, unsigned width,
                           af_out *out)
{
    write_all(all, n, TRUE, width, out);
}

static const af_findings_format formats[] = {
    {"text", "txt", write_text},
    {"json", "json", af_findings_write_json},
    {"markdown", "md", write_markdown},
};

const af_findings_format *af_findings_format_at(unsigned number)
{
    return number < G_N_ELEMENTS(formats) ? &formats[number] : NULL;
}

const af_findings_format *af_findings_format_lookup(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}
