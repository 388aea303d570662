#include "read/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* A name of some hundred letters may expand to gigabytes, because each part can double the previous
 * one. The printers have no way to stop early except longjmp(). */
#define LONGEST ((size_t)16 * 1024)

typedef struct {
    GString *text;
    gboolean is_full;
    jmp_buf enough;
} printing;

static gboolean is_ascii(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] >= 0x80) {
            return FALSE;
        }
    }
    return TRUE;
}

/* While it writes, a printer holds only the letters of a Rust identifier with non-ASCII characters,
 * and frees them after writing them. So the jump waits for the next ASCII text. */
static void write_some(const char *text, size_t n, void *user)
{
    printing *p = user;
    p->is_full = p->is_full || n > LONGEST - p->text->len;
    if (!p->is_full) {
        g_string_append_len(p->text, text, (gssize)n);
    } else if (is_ascii(text, n)) {
        longjmp(p->enough, 1);
    }
}

typedef int printer(const char *mangled, int options, demangle_callbackref write, void *user);

/* Returns NULL if it is not a mangled name. */
static char *print_name(printer *print, const char *mangled)
{
    printing *p = g_new(printing, 1);
    p->text = g_string_new(NULL);
    p->is_full = FALSE;
    const gboolean known =
        setjmp(p->enough) == 0 && print(mangled, DMGL_PARAMS | DMGL_ANSI, write_some, p) != 0;
    char *text = g_string_free(p->text, !known || p->is_full);
    g_free(p);
    return text;
}

char *af_demangle(const char *name, size_t length)
{
    /* in the dynamic linker, which renames its copies of functions */
    static const char linker[] = "__dl_";
    const gboolean is_linker =
        length > sizeof linker && memcmp(name, linker, sizeof linker - 1) == 0;
    const size_t skipped = is_linker ? sizeof linker - 1 : 0;
    g_autofree char *copy = g_strndup(name + skipped, length - skipped);
    const gboolean is_cxx = g_str_has_prefix(copy, "_Z"); /* or Rust's legacy mangling */
    g_autofree char *text =
        is_cxx || g_str_has_prefix(copy, "_R") ? print_name(rust_demangle_callback, copy) : NULL;
    if (text == NULL && is_cxx) {
        text = print_name(cplus_demangle_v3_callback, copy);
    }
    char *result = g_strconcat(is_linker ? "[linker]" : "", text != NULL ? text : copy, NULL);
    return result;
}
