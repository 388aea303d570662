#include "recording.h"

#include <string.h>

void key_text_init(key_text *text)
{
    text->keys = g_ptr_array_new();
    text->threads = g_ptr_array_new();
    text->methods = g_ptr_array_new();
    text->verbatim = g_string_new(NULL);
    text->short_form = FALSE;
}

void key_text_clear(key_text *text)
{
    g_ptr_array_set_size(text->keys, 0);
    g_ptr_array_set_size(text->threads, 0);
    g_ptr_array_set_size(text->methods, 0);
    g_string_truncate(text->verbatim, 0);
}

static void write_lines(const GPtrArray *lines, GByteArray *out)
{
    for (guint i = 0; i < lines->len; i++) {
        bytes_string(out, lines->pdata[i]);
        g_byte_array_append(out, (const guint8 *)"\n", 1);
    }
}

static void write_text(GByteArray *out, const char *text)
{
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text));
}

/* `num-method-calls=%records` becomes the number of records. */
static void write_keys(const key_text *text, const recording *r, GByteArray *out)
{
    for (guint i = 0; i < text->keys->len; i++) {
        const GString *key = text->keys->pdata[i];
        const char *mark = strstr(key->str, "=%records");
        if (mark != NULL) {
            g_autofree char *line = g_strdup_printf("%.*s=%" G_GUINT64_FORMAT,
                                                    (int)(mark - key->str), key->str, r->n_records);
            write_text(out, line);
        } else {
            bytes_string(out, key);
        }
        write_text(out, "\n");
    }
}

void key_text_write(const key_text *text, const recording *r, GByteArray *out)
{
    if (text->verbatim->len > 0) {
        bytes_string(out, text->verbatim);
        return;
    }
    g_autofree char *version = g_strdup_printf("*version\n%u\n", r->version & 15);
    write_text(out, version);
    write_keys(text, r, out);
    if (!text->short_form) {
        write_text(out, "*threads\n");
        write_lines(text->threads, out);
        write_text(out, "*methods\n");
        write_lines(text->methods, out);
    }
    write_text(out, "*end\n");
}

void key_text_thread(recording *r, uint64_t id, const GString *name)
{
    GString *line = g_string_new(NULL);
    g_string_printf(line, "%" G_GINT64_FORMAT "\t", (gint64)id);
    g_string_append_len(line, name->str, (gssize)name->len);
    g_ptr_array_add(r->text.threads, line);
}

/* As printf's %#x prints it since Android 7: the id 0 is a bare "0". */
GString *key_text_method_line(uint64_t id, const GString *columns)
{
    GString *line = g_string_new(NULL);
    if (id == 0) {
        g_string_append_c(line, '0');
    } else {
        g_string_printf(line, "0x%" G_GINT64_MODIFIER "x", id);
    }
    if (columns->len > 0) {
        g_string_append_c(line, '\t');
        g_string_append_len(line, columns->str, (gssize)columns->len);
    }
    return line;
}

void key_text_method(recording *r, uint64_t id, const GString *columns)
{
    g_ptr_array_add(r->text.methods, key_text_method_line(id, columns));
}
