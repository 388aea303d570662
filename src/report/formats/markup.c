#include "report/formats/markup.h"

#include <string.h>
#include "base/markup.h"
#include "report/tables/columns.h"

static const char *entity_of(char c, gboolean is_name)
{
    if (is_name && (c == '.' || c == '/')) {
        return c == '.' ? ".<wbr/>" : "/<wbr/>";
    }
    return af_markup_entity((guchar)c);
}

/* U+FFFE and U+FFFF, in UTF-8 EF BF BE and EF BF BF. */
static gboolean is_forbidden(const char *c)
{
    return (guchar)c[0] == 0xEF && (guchar)c[1] == 0xBF && (guchar)c[2] >= 0xBE;
}

/* Longer names are shortened in the middle: a browser takes seconds to lay out a name of 100 kB. */
#define MOST_COLUMNS 1000

/* Truncate first: cleaning megabytes of text for each row takes as long. */
static char *shorten(const char *text)
{
    const size_t length = strlen(text);
    if (length <= MOST_COLUMNS) {
        return af_columns_clean(text);
    }
    const char *end = text + length;
    g_autofree char *head = g_strndup(text, (gsize)4 * MOST_COLUMNS);
    g_autofree char *both = length <= (size_t)8 * MOST_COLUMNS
                                ? g_strdup(text)
                                : g_strconcat(head, end - (size_t)4 * MOST_COLUMNS, NULL);
    char *clean = af_columns_clean(both), *cut = af_columns_truncate(clean, MOST_COLUMNS);
    g_free(clean);
    return cut;
}

static void put_text(af_out *out, const char *text, gboolean is_name)
{
    g_autofree char *clean = shorten(text);
    const char *rest = clean;
    for (const char *c = clean; *c != '\0'; c++) {
        const char *entity = is_forbidden(c) ? "\xEF\xBF\xBD" : entity_of(*c, is_name);
        if (entity != NULL) {
            af_out_bytes(out, rest, (size_t)(c - rest));
            af_out_text(out, entity);
            c += is_forbidden(c) ? 2 : 0;
            rest = c + 1;
        }
    }
    af_out_text(out, rest);
}

void af_markup_text(af_out *out, const char *text)
{
    put_text(out, text, FALSE);
}

void af_markup_name(af_out *out, const char *name)
{
    put_text(out, name, TRUE);
}

/* An id has no blanks and no characters that the page escapes. The id of a long name ends in its
 * hash, so it is the same in every report. */
static char *make_anchor(const char *prefix, const char *label)
{
    g_autofree char *clean = shorten(label), *full = af_columns_clean(label);
    char *anchor = strcmp(clean, full) == 0
                       ? g_strconcat(prefix, "method-", clean, NULL)
                       : g_strdup_printf("%smethod-%s~%08x", prefix, clean, g_str_hash(full));
    for (char *c = anchor; *c != '\0'; c++) {
        if (*c == ' ') {
            *c = '_';
        } else if (is_forbidden(c)) {
            memcpy(c, "\xEF\xBF\xBD", 3);
        }
    }
    return anchor;
}

static gboolean add_anchor(af_anchors *a, const char *prefix, const char *label)
{
    const uint32_t number = af_textmap_add(&a->methods, label, strlen(label));
    if (number != a->anchors->len) {
        return number != AF_TEXTMAP_NONE; /* known, or out of memory */
    }
    char *anchor = make_anchor(prefix, label);
    if (af_textmap_find(&a->taken, anchor, strlen(anchor)) != AF_TEXTMAP_NONE) {
        char *other = g_strdup_printf("%s~%u", anchor, number);
        g_free(anchor);
        anchor = other;
    }
    g_ptr_array_add(a->anchors, anchor);
    return af_textmap_add(&a->taken, anchor, strlen(anchor)) != AF_TEXTMAP_NONE;
}

gboolean af_anchors_begin(af_anchors *a, const af_report *report, const char *prefix)
{
    af_textmap_init(&a->methods);
    af_textmap_init(&a->taken);
    a->anchors = g_ptr_array_new_with_free_func(g_free);
    gboolean ok = TRUE;
    for (unsigned t = 0; ok && t < report->tables->len; t++) {
        const af_table *table = report->tables->pdata[t];
        ok = table->subject == NULL || add_anchor(a, prefix, table->subject);
    }
    return ok;
}

void af_anchors_end(af_anchors *a)
{
    af_textmap_clear(&a->methods);
    af_textmap_clear(&a->taken);
    g_ptr_array_unref(a->anchors);
}

const char *af_anchors_lookup(const af_anchors *a, const char *label)
{
    const uint32_t number = af_textmap_find(&a->methods, label, strlen(label));
    return number < a->anchors->len ? a->anchors->pdata[number] : NULL;
}

void af_markup_href(af_out *out, const char *anchor)
{
    af_out_text(out, " href=\"#");
    for (const char *c = anchor; *c != '\0'; c++) {
        const guchar byte = (guchar)*c;
        if (g_ascii_isalnum(*c) || strchr("-._$~", *c) != NULL) {
            af_out_char(out, *c);
        } else {
            static const char digits[] = "0123456789ABCDEF";
            const char escaped[] = {'%', digits[byte >> 4], digits[byte & 15]};
            af_out_bytes(out, escaped, sizeof escaped);
        }
    }
    af_out_char(out, '"');
}
