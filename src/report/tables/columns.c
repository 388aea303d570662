#include "report/tables/columns.h"

#include <string.h>

#include "base/shell.h"

char *af_columns_clean(const char *text)
{
    GString *clean = g_string_new(NULL);
    while (*text != '\0') {
        gunichar c = g_utf8_get_char_validated(text, -1);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append(clean, "\357\277\275");
            text++;
        } else {
            g_string_append_unichar(clean, af_shell_is_visible(c) ? c : 0xFFFD);
            text = g_utf8_next_char(text);
        }
    }
    return g_string_free(clean, FALSE);
}

static unsigned measure_character(gunichar c)
{
    return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

unsigned af_columns_width(const char *text)
{
    unsigned width = 0;
    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        width += measure_character(g_utf8_get_char(text));
    }
    return width;
}

/* The end of the first `most` columns of `text`. */
static const char *find_column(const char *text, unsigned most)
{
    for (unsigned width = 0; *text != '\0'; text = g_utf8_next_char(text)) {
        width += measure_character(g_utf8_get_char(text));
        if (width > most) {
            break;
        }
    }
    return text;
}

char *af_columns_truncate(const char *text, unsigned most)
{
    unsigned width = af_columns_width(text);
    if (width <= most || most == 0) {
        return g_strdup(most == 0 ? "" : text);
    }
    unsigned tail = (most - 1) / 2;
    const char *head_end = find_column(text, most - 1 - tail);
    const char *rest = find_column(text, width - tail);
    while (af_columns_width(rest) > tail) { /* the cut split a wide character */
        rest = g_utf8_next_char(rest);
    }
    return g_strdup_printf("%.*s…%s", (int)(head_end - text), text, rest);
}

/* A dotted or slashed name: a.b.C.method, or the path of a source file. */
typedef struct {
    const char *text, *end; /* up to the arguments */
    char separator;
    unsigned essential; /* how many of the last parts identify it */
} parted;

static parted part_name(const char *name)
{
    parted p = {name, name + strcspn(name, "("), '.', 2};
    if (memchr(name, '/', (gsize)(p.end - name)) != NULL) {
        p.separator = '/';
        p.essential = 1;
    }
    return p;
}

/* "CompositorTileWorker1/11772": the part after the slash matters least. */
static gboolean ends_in_number(const parted *p)
{
    const char *c = p->end;
    while (c > p->text && g_ascii_isdigit(c[-1])) {
        c--;
    }
    return c < p->end && c > p->text && c[-1] == '/';
}

/* The last `n` parts and everything after them, or NULL if there are no more than these. */
static const char *find_last_parts(const parted *p, unsigned n)
{
    for (const char *c = p->end; c > p->text; c--) {
        if (c[-1] == p->separator && --n == 0) {
            return c;
        }
    }
    return NULL;
}

/* As many leading parts as fit, an ellipsis, and `rest`, the end of the name. */
static char *cut_front(const parted *p, const char *rest, unsigned most)
{
    const unsigned width = most - af_columns_width(rest) - 1;
    const char *head_end = p->text, *next = p->text;
    while (next < rest && (next = strchr(next, p->separator)) != NULL && next < rest) {
        g_autofree char *head = g_strndup(p->text, (gsize)(next - p->text));
        const gboolean fits = af_columns_width(head) <= width;
        if (!fits) {
            break;
        }
        head_end = next++;
    }
    return g_strdup_printf("%.*s…%s", (int)(head_end - p->text), p->text, rest);
}

/* Class and method are too long: shorten the end of the class. */
static char *cut_class(const parted *p, unsigned most)
{
    const char *class_name = find_last_parts(p, p->essential), *method = find_last_parts(p, 1);
    class_name = class_name != NULL ? class_name : p->text;
    if (method == NULL || method == class_name || af_columns_width(method) + 1 > most) {
        return af_columns_truncate(method != NULL ? method : p->text, most);
    }
    const unsigned width = most - af_columns_width(method) - 1;
    if (width < 4) {
        return g_strdup_printf("…%s", method);
    }
    const char *cut = find_column(class_name, width - 1);
    return g_strdup_printf("%.*s….%s", (int)(cut - class_name), class_name, method);
}

char *af_columns_shorten(const char *name, unsigned most)
{
    const parted p = part_name(name);
    if (af_columns_width(name) <= most || most < 8 || ends_in_number(&p) ||
        memchr(name, ' ', (gsize)(p.end - name)) != NULL) {
        return af_columns_truncate(name, most);
    }
    const char *rest = find_last_parts(&p, p.essential);
    if (rest != NULL && af_columns_width(rest) + 1 <= most) {
        return cut_front(&p, rest, most);
    }
    if (*p.end == '(' && strcmp(p.end, "()") != 0 && strcmp(p.end, "(…)") != 0) {
        g_autofree char *bare = g_strdup_printf("%.*s(…)", (int)(p.end - name), name);
        return af_columns_shorten(bare, most);
    }
    return cut_class(&p, most);
}

static void put_blanks(GString *page, unsigned n)
{
    g_string_append_printf(page, "%*s", (int)n, "");
}

void af_columns_put(GString *page, const char *text, unsigned width, af_columns_side side)
{
    unsigned own = af_columns_width(text);
    unsigned blanks = own < width ? width - own : 0;
    if (side == AF_COLUMNS_RIGHT) {
        put_blanks(page, blanks);
    }
    g_string_append(page, text);
    if (side == AF_COLUMNS_LEFT) {
        put_blanks(page, blanks);
    }
}

void af_columns_wrap(GString *page, const char *text, unsigned indent, unsigned width)
{
    /* backwards: a page can be long */
    const char *newline = memrchr(page->str, '\n', page->len);
    unsigned at = af_columns_width(newline != NULL ? newline + 1 : page->str);
    gboolean fresh = TRUE;
    width = width > 0 ? width : AF_COLUMNS_PAGE;
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        unsigned wide = af_columns_width(*word);
        if (!fresh && at + 1 + wide > width) {
            g_string_append_c(page, '\n');
            put_blanks(page, indent);
            at = indent;
            fresh = TRUE;
        }
        if (!fresh) {
            g_string_append_c(page, ' ');
            at++;
        }
        g_string_append(page, *word);
        at += wide;
        fresh = FALSE;
    }
    g_string_append_c(page, '\n');
}
