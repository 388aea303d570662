#include "report/formats/rest_html.h"

#include "base/gzip.h"
#include "report/formats/markup.h"

/* Record separator: names are cleaned of control characters before they get here. */
#define SEPARATOR '\x1E'

struct af_rest {
    af_out plain;
    af_gzip *gzip;
    GByteArray *packed;
    uint32_t n;
};

af_rest *af_rest_new(af_out **to)
{
    af_rest *rest = g_try_new0(af_rest, 1);
    if (rest == NULL) {
        return NULL;
    }
    rest->packed = g_byte_array_new();
    rest->gzip = af_gzip_new(af_out_to_array, rest->packed, AF_GZIP_SMALL);
    if (rest->gzip == NULL) {
        g_byte_array_unref(rest->packed);
        g_free(rest);
        return NULL;
    }
    af_out_open(&rest->plain, af_gzip_write, rest->gzip);
    *to = &rest->plain;
    return rest;
}

void af_rest_end_piece(af_rest *rest)
{
    af_out_char(&rest->plain, SEPARATOR);
    rest->n++;
}

void af_rest_put(af_rest *rest, af_out *out, const char *prefix, const char *id, gboolean is_rows)
{
    const gboolean ok = af_out_close(&rest->plain, NULL) && af_gzip_finish(rest->gzip, NULL);
    if (!ok) {
        af_out_refuse(out);
    } else if (rest->n > 0) {
        g_autofree char *text = g_base64_encode(rest->packed->data, rest->packed->len);
        if (is_rows) {
            af_out_number(out, "<noscript><p>", rest->n, "");
            af_out_text(out, " more rows need the script of this page; --format csv writes "
                             "all</p></noscript>");
        }
        af_out_text(out, "<script type=\"application/gzip\" data-rest=\"");
        af_markup_text(out, prefix);
        af_markup_text(out, id);
        af_out_number(out, "\" data-count=\"", rest->n, "");
        af_out_texts(out, "\">", text, "</script>\n");
    }
    af_gzip_free(rest->gzip);
    g_byte_array_unref(rest->packed);
    g_free(rest);
}
