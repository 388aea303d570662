#include "render/cairo/pdf_attach.h"

#include <stdarg.h>

/* An offset in a table of cross references has ten digits. */
#define MOST_BYTES UINT64_C(9999900000)

/* cairo ends a document with the table, its trailer and the offset of the table, and nothing
 * else. */
#define TAIL 64

typedef struct {
    const char *bytes;
    size_t length;
} document;

/* The number after `word` in text[0 .. length); -1 = there is none. */
static int64_t find_number(const char *text, size_t length, const char *word)
{
    const char *at = memmem(text, length, word, strlen(word));
    const char *const end = text + length;
    if (at == NULL) {
        return -1;
    }
    at += strlen(word);
    while (at < end && g_ascii_isspace(*at)) {
        at++;
    }
    int64_t number = 0;
    const char *const digits = at;
    for (; at < end && g_ascii_isdigit(*at) && number < INT32_MAX; at++) {
        number = number * 10 + (*at - '0');
    }
    return at > digits ? number : -1;
}

/* The content of object `number` between "obj" and "endobj"; FALSE if it is not where the table
 * says. */
static gboolean find_object(const document *pdf, size_t table, int64_t number, document *object)
{
    enum { ENTRY = 20 };
    static const char head[] = "xref\n0 ";
    const char *at =
        memchr(pdf->bytes + table + sizeof head - 1, '\n', pdf->length - table - (sizeof head - 1));
    if (at == NULL || number < 0 ||
        (uint64_t)(pdf->bytes + pdf->length - at) < (uint64_t)(number + 1) * ENTRY) {
        return FALSE;
    }
    const uint64_t offset = g_ascii_strtoull(at + 1 + number * ENTRY, NULL, 10);
    if (offset >= table) {
        return FALSE;
    }
    const char *begin = memmem(pdf->bytes + offset, table - offset, " obj", 4);
    const char *end = memmem(pdf->bytes + offset, table - offset, "endobj", 6);
    if (begin == NULL || end == NULL || begin + 6 > end) {
        return FALSE;
    }
    *object = (document){begin + 4, (size_t)(end - begin - 4)};
    return TRUE;
}

/* The output so far, and the numbers of its objects. */
typedef struct {
    af_out *out;
    uint64_t end; /* of the document */
    int64_t size, root, info, table;
    int64_t changed;     /* the object that lists attached files */
    uint64_t offsets[3]; /* of that, of the file and of its description */
} update;

static void put_bytes(update *u, const void *bytes, size_t length)
{
    af_out_bytes(u->out, bytes, length);
    u->end += length;
}

static G_GNUC_PRINTF(2, 3) void put(update *u, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    put_bytes(u, text, strlen(text));
}

#define NUMBER "%" G_GINT64_FORMAT

static void put_file(update *u, const af_pdf_file *file)
{
    u->offsets[1] = u->end;
    put(u, NUMBER " 0 obj\n<< /Type /EmbeddedFile /Length %" G_GSIZE_FORMAT, u->size, file->length);
    put(u, " /Params << /Size %" G_GSIZE_FORMAT " >> >>\nstream\n", file->length);
    put_bytes(u, file->bytes, file->length);
    put(u, "\nendstream\nendobj\n");
    u->offsets[2] = u->end;
    put(u, NUMBER " 0 obj\n<< /Type /Filespec /F (%s) /UF (%s) /Desc (%s)", u->size + 1, file->name,
        file->name, file->description);
    put(u, " /EF << /F " NUMBER " 0 R >> >>\nendobj\n", u->size);
}

/* The dictionary that listed no files, with an entry for this one. */
static void put_list(update *u, const document *dictionary, gboolean in_names,
                     const af_pdf_file *file)
{
    size_t n = dictionary->length;
    while (n > 0 && g_ascii_isspace(dictionary->bytes[n - 1])) {
        n--;
    }
    u->offsets[0] = u->end;
    put(u, NUMBER " 0 obj", u->changed);
    put_bytes(u, dictionary->bytes, n - 2); /* without ">>" */
    put(u, "%s/EmbeddedFiles << /Names [(%s) " NUMBER " 0 R] >>%s >>\nendobj\n",
        in_names ? "" : "/Names << ", file->name, u->size + 1, in_names ? "" : " >>");
}

static void put_entry(update *u, unsigned i)
{
    put(u, "%010" G_GUINT64_FORMAT " 00000 n \n", u->offsets[i]);
}

static void put_table(update *u)
{
    const uint64_t begin = u->end;
    put(u, "xref\n" NUMBER " 1\n", u->changed);
    put_entry(u, 0);
    put(u, NUMBER " 2\n", u->size);
    put_entry(u, 1);
    put_entry(u, 2);
    put(u, "trailer\n<< /Size " NUMBER " /Root " NUMBER " 0 R", u->size + 2, u->root);
    put(u, " /Info " NUMBER " 0 R /Prev " NUMBER " >>\n", u->info, u->table);
    put(u, "startxref\n%" G_GUINT64_FORMAT "\n%%%%EOF\n", begin);
}

/* Reads the end of the document. FALSE if it is not as cairo writes it. */
static gboolean read_trailer(update *u, const document *pdf)
{
    const size_t tail = MIN(pdf->length, TAIL);
    u->table = find_number(pdf->bytes + pdf->length - tail, tail, "startxref");
    if (u->table < 0 || (uint64_t)u->table + TAIL > pdf->length ||
        memcmp(pdf->bytes + u->table, "xref\n0 ", 7) != 0) {
        return FALSE;
    }
    const char *from = pdf->bytes + u->table;
    const char *trailer = memmem(from, pdf->length - (size_t)u->table, "trailer", 7);
    if (trailer == NULL) {
        return FALSE;
    }
    const size_t length = (size_t)(pdf->bytes + pdf->length - trailer);
    u->size = find_number(trailer, length, "/Size");
    u->root = find_number(trailer, length, "/Root");
    u->info = find_number(trailer, length, "/Info");
    return u->size > 0 && u->root > 0 && u->info > 0;
}

gboolean af_pdf_attach(af_out *out, const uint8_t *pdf, size_t length, const af_pdf_file *file)
{
    const document all = {(const char *)pdf, length};
    update u = {.out = out, .end = length};
    document catalog, names;
    if (!read_trailer(&u, &all) || !find_object(&all, (size_t)u.table, u.root, &catalog)) {
        return FALSE;
    }
    const int64_t list = find_number(catalog.bytes, catalog.length, "/Names");
    const gboolean in_names = list > 0 && find_object(&all, (size_t)u.table, list, &names);
    u.changed = in_names ? list : u.root;
    if ((uint64_t)length + file->length > MOST_BYTES) {
        return FALSE;
    }
    put_file(&u, file);
    put_list(&u, in_names ? &names : &catalog, in_names, file);
    put_table(&u);
    return TRUE;
}
