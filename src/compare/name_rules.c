#include "compare/name_rules.h"

#include <string.h>

/* What stands after the text that a rule looks for, and is replaced up to its end. */
typedef enum {
    DIGITS,      /* a decimal number */
    LAMBDA,      /* "12/0x7f3a", "/0x7f3a", "12" */
    WORD_DIGITS, /* letters, which stay, then a decimal number */
    NAME_DIGITS, /* a name up to the next $, which stays, then a decimal number */
    HASHED,      /* a name up to the next $, which stays, then anything up to a dot */
    HEX,         /* a hexadecimal number */
} form;

typedef struct {
    const char *marker;
    form form;
    af_name_rule rule;
} row;

static const row rows[] = {
    {"$$Lambda$",
     LAMBDA,
     {"Main$$Lambda$12/0x7f3a.run", "Main$$Lambda$#.run", "lambdas, by the runtime"}},
    {"$$Lambda/",
     HEX,
     {"Main$$Lambda/0x7f3a.run", "Main$$Lambda/#.run", "lambdas, by the runtime"}},
    {"-$$Lambda$",
     HASHED,
     {"-$$Lambda$Main$Yz3k.run", "-$$Lambda$Main$#.run", "lambdas, by the dexer"}},
    {"$$ExternalSynthetic",
     WORD_DIGITS,
     {"Main$$ExternalSyntheticLambda3.run", "Main$$ExternalSyntheticLambda#.run",
      "classes made by the dexer"}},
    {"$$InternalSynthetic",
     HASHED,
     {"Main$$InternalSyntheticLambda$1$9c2e$0.run", "Main$$InternalSyntheticLambda$#.run",
      "classes made by the dexer"}},
    {"-$$Nest$", DIGITS, {"Main.-$$Nest$3", "Main.-$$Nest$#", "accessors, by the dexer"}},
    {"access$", DIGITS, {"Main.access$012", "Main.access$#", "accessors, by javac"}},
    {"lambda$",
     NAME_DIGITS,
     {"Main.lambda$onCreate$4", "Main.lambda$onCreate$#", "bodies of lambdas"}},
    {"$Proxy", DIGITS, {"$Proxy7.invoke", "$Proxy#.invoke", "dynamic proxies, by the run"}},
    {"GeneratedMethodAccessor",
     DIGITS,
     {"GeneratedMethodAccessor7.invoke", "GeneratedMethodAccessor#.invoke",
      "reflection, by the run"}},
    {"jit-cache]+0x", HEX, {"[jit-cache]+0x7f3a", "[jit-cache]+0x#", "compiled code, by the run"}},
    {"[+", HEX, {"libhwui.so[+1f2a0]", "libhwui.so[+#]", "addresses without a symbol"}},
    {"+0x", HEX, {"libhwui.so+0x1f2a0", "libhwui.so+0x#", "addresses without a symbol"}},
};

/* Ids of methods that the file does not define. */
static const af_name_rule unknown = {"0x7f3a [unknown]", "0x# [unknown]",
                                     "methods that the file does not define, by the run"};
static const af_name_rule anonymous = {
    "Main$1.run", "Main$#.run",
    "anonymous classes; only where that pairs one method of each side that would be new and gone"};
static const af_name_rule threads = {"pool-2-thread-7", "pool-#-thread-#",
                                     "names of threads that the other side does not have"};

const af_name_rule *af_name_rule_at(unsigned number)
{
    static const af_name_rule *const others[] = {&unknown, &anonymous, &threads};
    const unsigned n = G_N_ELEMENTS(rows);
    return number < n                          ? &rows[number].rule
           : number - n < G_N_ELEMENTS(others) ? others[number - n]
                                               : NULL;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static size_t count_hex(const char *text)
{
    return strspn(text, "0123456789abcdefABCDEF");
}

static size_t count_address(const char *text)
{
    const size_t prefix = g_str_has_prefix(text, "0x") ? 2 : 0;
    const size_t n = count_hex(text + prefix);
    return n > 0 ? prefix + n : 0;
}

/* The part of `rest` to replace, as its offset and length; length 0 = the rule does not apply. */
static size_t find_number(form kind, const char *rest, size_t *offset)
{
    size_t n = 0;
    *offset = 0;
    switch (kind) {
    case DIGITS:
        return count_digits(rest);
    case HEX:
        return count_address(rest);
    case LAMBDA:
        n = count_digits(rest);
        return rest[n] == '/' && count_address(rest + n + 1) > 0
                   ? n + 1 + count_address(rest + n + 1)
                   : n;
    case WORD_DIGITS:
        while (g_ascii_isalpha(rest[*offset])) {
            (*offset)++;
        }
        return *offset > 0 ? count_digits(rest + *offset) : 0;
    case NAME_DIGITS:
    case HASHED:
        while (g_ascii_isalnum(rest[*offset]) || rest[*offset] == '_' ||
               (rest[*offset] & 0x80) != 0) {
            (*offset)++;
        }
        if (*offset == 0 || rest[*offset] != '$') {
            return 0;
        }
        (*offset)++;
        return kind == NAME_DIGITS ? count_digits(rest + *offset) : strcspn(rest + *offset, ".;");
    }
    return 0;
}

static gboolean mask_rows(GString *text)
{
    gboolean any = FALSE;
    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        const size_t length = strlen(rows[r].marker);
        const char *at = text->str;
        while ((at = strstr(at, rows[r].marker)) != NULL) {
            const size_t begin = (size_t)(at - text->str) + length;
            size_t offset;
            const size_t n = find_number(rows[r].form, text->str + begin, &offset);
            if (n > 0) {
                g_string_erase(text, (gssize)(begin + offset), (gssize)n);
                g_string_insert_c(text, (gssize)(begin + offset), '#');
                any = TRUE;
            }
            at = text->str + begin;
        }
    }
    return any;
}

gboolean af_name_mask(GString *text)
{
    if (text->len > 2 && text->str[0] == '0' && text->str[1] == 'x') {
        const size_t n = count_hex(text->str + 2);
        const char *rest = text->str + 2 + n;
        if (n > 0 && (strcmp(rest, " [unknown]") == 0 || strcmp(rest, " [proxy]") == 0)) {
            g_string_erase(text, 2, (gssize)n);
            g_string_insert_c(text, 2, '#');
            return TRUE;
        }
    }
    /* every marker has one of these; most names have none */
    return strpbrk(text->str, "$+[") != NULL || strstr(text->str, "Generated") != NULL
               ? mask_rows(text)
               : FALSE;
}

gboolean af_name_mask_anonymous(GString *text)
{
    gboolean any = FALSE;
    for (size_t at = 0; at < text->len; at++) {
        const size_t n = text->str[at] == '$' ? count_digits(text->str + at + 1) : 0;
        const char next = text->str[at + 1 + n];
        if (n > 0 && (next == '.' || next == '$')) {
            g_string_erase(text, (gssize)at + 1, (gssize)n);
            g_string_insert_c(text, (gssize)at + 1, '#');
            any = TRUE;
        }
    }
    return any;
}

gboolean af_name_mask_digits(GString *text)
{
    GString *masked = g_string_sized_new(text->len);
    gboolean any = FALSE;
    for (size_t at = 0; at < text->len;) {
        const size_t n = count_digits(text->str + at);
        g_string_append_c(masked, n > 0 ? '#' : text->str[at]);
        any = any || n > 0;
        at += MAX(n, 1);
    }
    g_string_assign(text, masked->str);
    g_string_free(masked, TRUE);
    return any;
}
