#include "model/pseudonym.h"

#include <string.h>

enum { LETTERS = 9, DIGEST = 32 };

/* Packages whose names everybody knows, with those inside them. Libraries are not among them: which
 * ones an app uses tells something about it. */
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

/* Five bits of the digest for each letter. */
void af_pseudonym_append(GString *to, const af_pseudonym_key *key, const char *prefix,
                         const char *text, size_t length)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
    guint8 digest[DIGEST];
    gsize n = sizeof digest;
    GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA256, key->key, key->length);
    g_hmac_update(hmac, (const guchar *)prefix, (gssize)strlen(prefix) + 1);
    g_hmac_update(hmac, (const guchar *)text, (gssize)length);
    g_hmac_get_digest(hmac, digest, &n);
    g_hmac_unref(hmac);
    uint64_t bits;
    memcpy(&bits, digest, sizeof bits);
    bits = GUINT64_FROM_BE(bits);
    g_string_append(to, prefix);
    for (unsigned i = 0; i < LETTERS; i++) {
        g_string_append_c(to, alphabet[bits >> 59]);
        bits <<= 5;
    }
}

/* ---- classes ---- */

static gboolean is_number(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789") >= length;
}

/* A class, perhaps inside others; `whole` is its name from its first package on. Numbers of
 * anonymous classes stay. */
static void append_nested(GString *to, const af_pseudonym_key *key, const char *whole,
                          const char *name)
{
    for (const char *at = name;; at++) {
        const size_t n = strcspn(at, "$");
        if (at != name && is_number(at, n)) {
            g_string_append_len(to, at, (gssize)n);
        } else if (n > 0) {
            af_pseudonym_append(to, key, "C", whole, (size_t)(at + n - whole));
        }
        at += n;
        if (*at == '\0') {
            return;
        }
        g_string_append_c(to, '$');
    }
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
        append_nested(to, key, class_name, at);
    }
}

void af_pseudonym_append_package(GString *to, const af_pseudonym_key *key, const char *package)
{
    char *inside = g_strconcat(package, ".C", NULL);
    const gsize begin = to->len;
    af_pseudonym_append_class(to, key, inside, '.');
    const char *last = strrchr(to->str + begin, '.');
    if (last != NULL) {
        g_string_truncate(to, (gsize)(last - to->str));
    }
    g_free(inside);
}

/* ---- methods ---- */

void af_pseudonym_append_method(GString *to, const af_pseudonym_key *key, const char *class_name,
                                const char *name)
{
    if (strcmp(name, "<init>") == 0 || strcmp(name, "<clinit>") == 0) {
        g_string_append(to, name);
        return;
    }
    char *whole = g_strconcat(class_name != NULL ? class_name : "", ".", name, NULL);
    af_pseudonym_append(to, key, "m", whole, strlen(whole));
    g_free(whole);
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
        char *class_name = g_strdelimit(g_strndup(at + 1, (gsize)(end - at - 1)), "/", '.');
        af_pseudonym_append_class(to, key, class_name, '/');
        g_free(class_name);
        g_string_append_c(to, ';');
        at = end;
    }
    return TRUE;
}
