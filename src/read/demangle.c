#include "read/demangle.h"

#include <setjmp.h>
#include <string.h>

/* Of the C++ runtime, in its part that needs nothing else; never frees, never throws. */
extern int __gcclibcxx_demangle_callback(const char *mangled,
                                         void (*write)(const char *text, size_t n, void *user),
                                         void *user);

/* A name of some hundred letters may stand for gigabytes: each of its parts doubles the one before.
 * The printer cannot be told to stop, but it holds nothing that must be given back. */
#define LONGEST ((size_t)16 * 1024)

typedef struct {
    GString *text;
    jmp_buf enough;
} printing;

static void write_some(const char *text, size_t n, void *user)
{
    printing *p = user;
    if (n > LONGEST - MIN(p->text->len, LONGEST)) {
        longjmp(p->enough, 1);
    }
    g_string_append_len(p->text, text, (gssize)n);
}

/* NULL if it is no such name. */
static char *demangle_cxx(const char *mangled)
{
    printing *p = g_new(printing, 1);
    p->text = g_string_new(NULL);
    const gboolean known =
        setjmp(p->enough) == 0 && __gcclibcxx_demangle_callback(mangled, write_some, p) == 0;
    char *text = g_string_free(p->text, !known);
    g_free(p);
    return text;
}

/* "::h0123456789abcdef": what tells builds of a function of Rust apart. */
static gboolean is_rust_hash(const char *text)
{
    for (unsigned i = 0; i < 16; i++) {
        if (!g_ascii_isxdigit(text[i])) {
            return FALSE;
        }
    }
    return text[16] == '\0';
}

static char *tidy_rust(char *text)
{
    char *hash = g_strrstr(text, "::h");
    if (hash != NULL && is_rust_hash(hash + 3)) {
        *hash = '\0';
        static const struct {
            const char *from, *to;
        } words[] = {{"::_$", "::$"}, {"$LT$", "<"},  {"$GT$", ">"},  {"$RF$", "&"},
                     {"$BP$", "*"},   {"$LP$", "("},  {"$RP$", ")"},  {"$C$", ","},
                     {"$u20$", " "},  {"$u27$", "'"}, {"$u5b$", "["}, {"$u5d$", "]"},
                     {"$u7b$", "{"},  {"$u7d$", "}"}, {"$u7e$", "~"}, {"..", "::"}};
        GString *plain = g_string_new(g_str_has_prefix(text, "_$") ? text + 1 : text);
        for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
            g_string_replace(plain, words[i].from, words[i].to, 0);
        }
        g_free(text);
        return g_string_free(plain, FALSE);
    }
    return text;
}

char *af_demangle(const char *name, size_t length)
{
    /* of the dynamic linker, which has copies of much under names of its own */
    static const char linker[] = "__dl_";
    const gboolean is_linker =
        length > sizeof linker && memcmp(name, linker, sizeof linker - 1) == 0;
    const size_t skipped = is_linker ? sizeof linker - 1 : 0;
    char *copy = g_strndup(name + skipped, length - skipped);
    char *text = strncmp(copy, "_Z", 2) == 0 ? demangle_cxx(copy) : NULL;
    if (text != NULL) {
        text = tidy_rust(text);
    }
    char *result = g_strconcat(is_linker ? "[linker]" : "", text != NULL ? text : copy, NULL);
    g_free(text);
    g_free(copy);
    return result;
}
