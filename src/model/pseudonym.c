#include "model/pseudonym.h"

#include <string.h>

#include "model/assigned_number.h"

enum { LETTERS = 9, DIGEST = 32 };

/* Well-known packages, including their subpackages. Libraries are not listed, because the choice of
 * libraries reveals something about an app. */
static const char *const platform_packages[] = {
    "android", "androidx", "com.android", "dalvik",  "java", "javax",
    "jdk",     "kotlin",   "kotlinx",     "libcore", "sun",
};

gboolean af_pseudonym_is_platform(const char *class_name)
{
    for (unsigned i = 0; class_name != NULL && i < G_N_ELEMENTS(platform_packages); i++) {
        const size_t n = strlen(platform_packages[i]);
        if (strncmp(class_name, platform_packages[i], n) == 0 && class_name[n] == '.') {
            return TRUE;
        }
    }
    return FALSE;
}

uint64_t af_pseudonym_number(const af_pseudonym_key *key, const char *prefix, const char *text,
                             size_t length)
{
    guint8 digest[DIGEST];
    gsize n = sizeof digest;
    GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA256, key->key, key->length);
    g_hmac_update(hmac, (const guchar *)prefix, (gssize)strlen(prefix) + 1);
    g_hmac_update(hmac, (const guchar *)text, (gssize)length);
    g_hmac_get_digest(hmac, digest, &n);
    g_hmac_unref(hmac);
    uint64_t bits;
    memcpy(&bits, digest, sizeof bits);
    return GUINT64_FROM_BE(bits);
}

/* Five bits of the digest for each letter. */
void af_pseudonym_append(GString *to, const af_pseudonym_key *key, const char *prefix,
                         const char *text, size_t length)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint64_t bits = af_pseudonym_number(key, prefix, text, length);
    g_string_append(to, prefix);
    for (unsigned i = 0; i < LETTERS; i++) {
        g_string_append_c(to, alphabet[bits >> 59]);
        bits <<= 5;
    }
}

/* ---- numbers that a compiler or a run assigns ----
 *
 * They stay, and so do the compiler's words around them. Pseudonyms of the other parts of such a
 * name do not depend on the number, so redacted names pair like the original ones. */

typedef struct {
    GString *to;     /* the pseudonyms; NULL = not needed */
    GString *masked; /* the class so far, with # in place of numbers */
    const af_pseudonym_key *key;
} class_walk;

static void keep_part(class_walk *w, const char *part, size_t length, size_t word)
{
    if (w->to != NULL) {
        g_string_append_len(w->to, part, (gssize)length);
    }
    g_string_append_len(w->masked, part, (gssize)word);
    if (length > word) {
        g_string_append_c(w->masked, '#');
    }
}

/* A class, perhaps inside others. `masked` holds its packages. */
static void walk_nested(class_walk *w, const char *name)
{
    const gboolean desugared = name[0] == '-' && name[1] == '$';
    unsigned number = 0, words_at = 0; /* of the part, from 1; of the last word of a compiler */
    gboolean blank = FALSE;
    for (const char *at = name;; at++) {
        const size_t n = strcspn(at, "$");
        size_t offset;
        const size_t word = n > 0 && blank ? af_assigned_class_word(at, n) : 0;
        /* the dexer's hash after -$$Lambda$NAME$, and its numbers after $$InternalSynthetic...$ */
        const gboolean hashed = words_at > 0 && number >= words_at + (desugared ? 2u : 1u) && n > 0;
        if (word > 0) {
            keep_part(w, at, n, word);
            words_at = number;
        } else if (n > 0 && number > 0 &&
                   af_assigned_number_find(AF_ASSIGNED_LAMBDA, at, &offset) == n) {
            keep_part(w, at, n, 0);
        } else if (desugared && number == 0) {
            keep_part(w, at, n, n);
        } else if (n > 0) {
            if (hashed) {
                g_string_append_c(w->masked, '#');
            } else {
                g_string_append_len(w->masked, at, (gssize)n);
            }
            if (w->to != NULL && hashed) {
                af_pseudonym_append(w->to, w->key, "C", at, n);
            } else if (w->to != NULL) {
                af_pseudonym_append(w->to, w->key, "C", w->masked->str, w->masked->len);
            }
        }
        at += n;
        if (*at == '\0') {
            return;
        }
        blank = n == 0;
        number++;
        g_string_append_c(w->masked, '$');
        if (w->to != NULL) {
            g_string_append_c(w->to, '$');
        }
    }
}

/* The class with # in place of numbers. Free with g_string_free(). */
static GString *mask_class(const char *class_name)
{
    const char *dot = strrchr(class_name, '.');
    const char *name = dot != NULL ? dot + 1 : class_name;
    class_walk w = {.masked = g_string_new_len(class_name, name - class_name)};
    walk_nested(&w, name);
    return w.masked;
}

void af_pseudonym_append_class(GString *to, const af_pseudonym_key *key, const char *class_name,
                               char separator)
{
    const gboolean platform = af_pseudonym_is_platform(class_name);
    const char *at = class_name;
    for (const char *dot; (dot = strchr(at, '.')) != NULL; at = dot + 1) {
        if (platform) {
            g_string_append_len(to, at, dot - at);
        } else {
            af_pseudonym_append(to, key, "p", class_name, (size_t)(dot - class_name));
        }
        g_string_append_c(to, separator);
    }
    if (platform) {
        g_string_append(to, at);
    } else {
        class_walk w = {to, g_string_new_len(class_name, at - class_name), key};
        walk_nested(&w, at);
        g_string_free(w.masked, TRUE);
    }
}

void af_pseudonym_append_package(GString *to, const af_pseudonym_key *key, const char *package)
{
    g_autofree char *inside = g_strconcat(package, ".C", NULL);
    const gsize begin = to->len;
    af_pseudonym_append_class(to, key, inside, '.');
    const char *last = strrchr(to->str + begin, '.');
    if (last != NULL) {
        g_string_truncate(to, (gsize)(last - to->str));
    }
}

void af_pseudonym_append_method(GString *to, const af_pseudonym_key *key, const char *class_name,
                                const char *name)
{
    if (strcmp(name, "<init>") == 0 || strcmp(name, "<clinit>") == 0) {
        g_string_append(to, name);
        return;
    }
    g_autoptr(GString) whole = mask_class(class_name != NULL ? class_name : "");
    size_t number;
    const af_assigned_word *word = af_assigned_method_word(name, &number);
    if (word == NULL) {
        number = strlen(name);
    }
    g_string_append_c(whole, '.');
    g_string_append_len(whole, name, (gssize)number);
    g_string_append(to, word != NULL ? word->word : "");
    if (word == NULL || word->form == AF_ASSIGNED_NAME) {
        af_pseudonym_append(to, key, "m", whole->str, whole->len);
        g_string_append(to, word != NULL ? "$" : "");
    }
    g_string_append(to, name + number);
}

gboolean af_pseudonym_append_signature(GString *to, const af_pseudonym_key *key,
                                       const char *signature)
{
    const gsize begin = to->len;
    for (const char *at = signature; *at != '\0'; at++) {
        g_string_append_c(to, *at);
        if (*at != 'L') {
            if (strchr("()[BCDFIJSZV", *at) == NULL) {
                g_string_truncate(to, begin);
                return FALSE;
            }
            continue;
        }
        const char *end = strchr(at, ';');
        if (end == NULL) {
            g_string_truncate(to, begin);
            return FALSE;
        }
        g_autofree char *class_name =
            g_strdelimit(g_strndup(at + 1, (gsize)(end - at - 1)), "/", '.');
        af_pseudonym_append_class(to, key, class_name, '/');
        g_string_append_c(to, ';');
        at = end;
    }
    return TRUE;
}
