#include "model/assigned_number.h"

#include <string.h>

static const af_assigned_word words[] = {
    {"$$Lambda$", AF_ASSIGNED_LAMBDA, AF_ASSIGNED_CLASS, "Main$$Lambda$12/0x7f3a.run",
     "Main$$Lambda$#.run", "lambdas, by the runtime"},
    {"$$Lambda/", AF_ASSIGNED_HEX, AF_ASSIGNED_CLASS, "Main$$Lambda/0x7f3a.run",
     "Main$$Lambda/#.run", "lambdas, by the runtime"},
    {"-$$Lambda$", AF_ASSIGNED_HASH, AF_ASSIGNED_CLASS, "-$$Lambda$Main$Yz3k.run",
     "-$$Lambda$Main$#.run", "lambdas, by the dexer"},
    {"$$ExternalSynthetic", AF_ASSIGNED_PURPOSE, AF_ASSIGNED_CLASS,
     "Main$$ExternalSyntheticLambda3.run", "Main$$ExternalSyntheticLambda#.run",
     "classes made by the dexer"},
    {"$$InternalSynthetic", AF_ASSIGNED_HASH, AF_ASSIGNED_CLASS,
     "Main$$InternalSyntheticLambda$1$9c2e$0.run", "Main$$InternalSyntheticLambda$#.run",
     "classes made by the dexer"},
    {"-$$Nest$", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_METHOD, "Main.-$$Nest$3", "Main.-$$Nest$#",
     "accessors, by the dexer"},
    {"access$", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_METHOD, "Main.access$012", "Main.access$#",
     "accessors, by javac"},
    {"lambda$", AF_ASSIGNED_NAME, AF_ASSIGNED_METHOD, "Main.lambda$onCreate$4",
     "Main.lambda$onCreate$#", "bodies of lambdas"},
    {"$Proxy", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_CLASS, "$Proxy7.invoke", "$Proxy#.invoke",
     "dynamic proxies, by the run"},
    {"GeneratedMethodAccessor", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_CLASS,
     "GeneratedMethodAccessor7.invoke", "GeneratedMethodAccessor#.invoke",
     "reflection, by the run"},
    {"jit-cache]+0x", AF_ASSIGNED_HEX, AF_ASSIGNED_ADDRESS, "[jit-cache]+0x7f3a", "[jit-cache]+0x#",
     "compiled code, by the run"},
    {"[+", AF_ASSIGNED_HEX, AF_ASSIGNED_ADDRESS, "libhwui.so[+1f2a0]", "libhwui.so[+#]",
     "addresses without a symbol"},
    {"+0x", AF_ASSIGNED_HEX, AF_ASSIGNED_ADDRESS, "libhwui.so+0x1f2a0", "libhwui.so+0x#",
     "addresses without a symbol"},
    {"Choreographer#doFrame ", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_ADDRESS,
     "Choreographer#doFrame 12345", "Choreographer#doFrame #", "tokens of frames, by Android"},
    {"DrawFrames ", AF_ASSIGNED_DECIMAL, AF_ASSIGNED_ADDRESS, "DrawFrames 12345", "DrawFrames #",
     "tokens of frames, by Android"},
};

/* What the dexer makes classes for. Other letters after its word may belong to an app. */
static const char *const purposes[] = {
    "Lambda",           "ApiModelOutline", "Backport",    "BackportWithForwarding",
    "Outline",          "Record",          "ServiceLoad", "ThrowCCEIfNotNull",
    "ThrowIAE",         "ThrowICCE",       "ThrowNSME",   "ThrowRTE",
    "TwrCloseResource",
};

const af_assigned_word *af_assigned_word_at(unsigned index)
{
    return index < G_N_ELEMENTS(words) ? &words[index] : NULL;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

size_t af_assigned_count_hex(const char *text)
{
    return strspn(text, "0123456789abcdefABCDEF");
}

static size_t count_address(const char *text)
{
    const size_t prefix = g_str_has_prefix(text, "0x") ? 2 : 0;
    const size_t n = af_assigned_count_hex(text + prefix);
    return n > 0 ? prefix + n : 0;
}

static size_t count_lambda(const char *text)
{
    const size_t n = count_digits(text);
    const size_t address = text[n] == '/' ? count_address(text + n + 1) : 0;
    return address > 0 ? n + 1 + address : n;
}

/* The length of a name and the $ after it; 0 = there is none. */
static size_t count_name(const char *text)
{
    size_t n = 0;
    while (g_ascii_isalnum(text[n]) || text[n] == '_' || (text[n] & 0x80) != 0) {
        n++;
    }
    return n > 0 && text[n] == '$' ? n + 1 : 0;
}

size_t af_assigned_number_find(af_assigned_form form, const char *rest, size_t *offset)
{
    *offset = 0;
    switch (form) {
    case AF_ASSIGNED_DECIMAL:
        return count_digits(rest);
    case AF_ASSIGNED_HEX:
        return count_address(rest);
    case AF_ASSIGNED_LAMBDA:
        return count_lambda(rest);
    case AF_ASSIGNED_PURPOSE:
        while (g_ascii_isalpha(rest[*offset])) {
            (*offset)++;
        }
        return *offset > 0 ? count_digits(rest + *offset) : 0;
    case AF_ASSIGNED_NAME:
        *offset = count_name(rest);
        return *offset > 0 ? count_digits(rest + *offset) : 0;
    case AF_ASSIGNED_HASH:
        *offset = count_name(rest);
        return *offset > 0 ? strcspn(rest + *offset, ".;") : 0;
    }
    return 0;
}

/* Whether text[0 .. length) is a number, or nothing. */
static gboolean is_number(const char *text, size_t length)
{
    return length == 0 || count_lambda(text) == length;
}

static gboolean begins(const char *text, size_t length, const char *with, size_t n)
{
    return length >= n && memcmp(text, with, n) == 0;
}

/* The length of a purpose that only a number follows; 0 = there is none. */
static size_t measure_purpose(const char *text, size_t length)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(purposes); i++) {
        const size_t n = strlen(purposes[i]);
        if (begins(text, length, purposes[i], n) && is_number(text + n, length - n)) {
            return n;
        }
    }
    return 0;
}

size_t af_assigned_class_word(const char *part, size_t length)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *bare = words[i].word + strspn(words[i].word, "-$");
        const size_t n = strcspn(bare, "$/");
        if (words[i].part != AF_ASSIGNED_CLASS || !begins(part, length, bare, n)) {
            continue;
        }
        const size_t purpose = measure_purpose(part + n, length - n);
        if (purpose > 0 || is_number(part + n, length - n)) {
            return n + purpose;
        }
    }
    return 0;
}

const af_assigned_word *af_assigned_method_word(const char *name, size_t *number)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        const size_t n = strlen(words[i].word);
        if (words[i].part == AF_ASSIGNED_METHOD && g_str_has_prefix(name, words[i].word)) {
            const char *last = strrchr(name, '$') + 1;
            const size_t begin = (size_t)(last - name), digits = count_digits(last);
            const gboolean fits = words[i].form == AF_ASSIGNED_NAME ? begin > n + 1 : begin == n;
            *number = begin;
            return fits && digits > 0 && last[digits] == '\0' ? &words[i] : NULL;
        }
    }
    return NULL;
}

size_t af_assigned_address(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *word = words[i].word;
        const char *at = g_strrstr(name, word);
        if (words[i].part != AF_ASSIGNED_ADDRESS || strchr("[+", word[0]) == NULL || at == NULL) {
            continue;
        }
        const char *number = at + strlen(word);
        const size_t n = count_address(number);
        if (n > 0 && strcmp(number + n, word[0] == '[' ? "]" : "") == 0) {
            return (size_t)(at - name);
        }
    }
    return strlen(name);
}
