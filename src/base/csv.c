#include "base/csv.h"

#include <string.h>

#include "base/utf8.h"

/* Also the wide forms of = + - @, which spreadsheets of East Asian languages accept. */
static gboolean is_formula(const char *text)
{
    static const char *const wide[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    for (unsigned i = 0; i < G_N_ELEMENTS(wide); i++) {
        if (g_str_has_prefix(text, wide[i])) {
            return TRUE;
        }
    }
    return *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
}

static void put_field(af_out *out, const char *text, const char *before)
{
    const char *quotes = strpbrk(text, ",\"\r\n") != NULL ? "\"" : "";
    const char *rest = text; /* not written yet */
    af_out_texts(out, quotes, before);
    for (; *text != '\0'; text++) {
        const size_t control = af_utf8_bidi_control(text);
        if (control > 0 || *text == '"') {
            af_out_bytes(out, rest, (size_t)(text - rest));
            af_out_text(out, control > 0 ? "\uFFFD" : "\"");
            rest = text + control;
            text += control > 0 ? control - 1 : 0;
        }
    }
    af_out_texts(out, rest, quotes);
}

void af_csv_text(af_out *out, const char *text)
{
    put_field(out, text, is_formula(text) ? "'" : "");
}

void af_csv_raw_text(af_out *out, const char *text)
{
    put_field(out, text, "");
}
