#include "render/svg/shorten_tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GArray *tokens;

static GStringChunk *texts;

const char *keep_text(const char *text)
{
    if (texts == NULL) {
        texts = g_string_chunk_new(4096);
    }
    return g_string_chunk_insert_const(texts, text);
}

void free_texts(void)
{
    g_clear_pointer(&texts, g_string_chunk_free);
}

token *at(unsigned i)
{
    return &g_array_index(tokens, token, i);
}

gboolean is(unsigned i, const char *text)
{
    return i < tokens->len && strcmp(at(i)->text, text) == 0;
}

gboolean is_one_of(const char *text, const char *const *list)
{
    return g_strv_contains(list, text);
}

void fail(const char *what, const char *where)
{
    fprintf(stderr, "shorten: %s: %.40s\n", what, where);
    exit(1);
}

/* ---- tokens ---- */

static const char *const keywords[] = {
    "async",   "await",    "break",     "case",   "catch",  "class",      "const",     "continue",
    "default", "delete",   "do",        "else",   "export", "extends",    "false",     "finally",
    "for",     "function", "if",        "import", "in",     "instanceof", "let",       "new",
    "null",    "of",       "return",    "static", "super",  "this",       "throw",     "true",
    "try",     "typeof",   "undefined", "void",   "while",  "yield",      "arguments", NULL,
};

gboolean is_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

gboolean is_keyword(const char *text)
{
    return is_one_of(text, keywords);
}

/* A slash after a value divides; anywhere else it begins a regular expression. */
static gboolean is_value(const token *last)
{
    static const char *const values[] = {"this", "super", "null", "true", "false", NULL};
    if (last->kind == WORD) {
        return is_one_of(last->text, values) || !is_one_of(last->text, keywords);
    }
    return last->kind != SIGN || strcmp(last->text, ")") == 0 || strcmp(last->text, "]") == 0;
}

static void add(token_kind kind, const char *from, const char *end)
{
    char *text = g_strndup(from, (gsize)(end - from));
    const token added = {.kind = kind, .partner = NONE, .text = keep_text(text)};
    g_array_append_val(tokens, added);
    g_free(text);
}

static const char *skip_quoted(const char *from)
{
    const char *end = from + 1;
    for (; *end != *from; end++) {
        if (*end == '\0' || *end == '\n') {
            fail("a string has no end", from);
        }
        end += *end == '\\' ? 1 : 0;
    }
    return end + 1;
}

static const char *skip_regex(const char *from)
{
    gboolean in_class = FALSE;
    const char *end = from + 1;
    for (; in_class || *end != '/'; end++) {
        if (*end == '\0' || *end == '\n') {
            fail("a regular expression has no end", from);
        }
        in_class = *end == '[' || (in_class && *end != ']');
        end += *end == '\\' ? 1 : 0;
    }
    for (end++; g_ascii_isalpha(*end);) {
        end++;
    }
    return end;
}

/* From a back quote or the end of a hole to the next hole or the end. */
static const char *skip_template(const char *from)
{
    const char *end = from + 1;
    for (; *end != '`' && strncmp(end, "${", 2) != 0; end++) {
        if (*end == '\0') {
            fail("a template has no end", from);
        }
        end += *end == '\\' ? 1 : 0;
    }
    return end + (*end == '`' ? 1 : 2);
}

static const char *skip_sign(const char *from)
{
    static const char *const signs[] = {
        ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>",  "&&=", "||=", "\?\?=",
        "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "\?\?", "?.",  "++",  "--",
        "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",   "<<",  ">>",  "**",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(signs); i++) {
        const gboolean is_choice = strcmp(signs[i], "?.") == 0 && g_ascii_isdigit(from[2]);
        if (!is_choice && g_str_has_prefix(from, signs[i])) {
            return from + strlen(signs[i]);
        }
    }
    if (strchr("{}()[];,<>+-*/%&|^!~?:=.", *from) == NULL) {
        fail("an unknown character", from);
    }
    return from + 1;
}

static const char *skip_number(const char *from)
{
    while (is_letter(*from) || *from == '.') {
        from++;
    }
    return from;
}

static void split(const char *text)
{
    GByteArray *braces = g_byte_array_new(); /* 1: a hole of a template */
    for (const char *from = text; *from != '\0';) {
        const char *end = from + 1;
        const token *last = tokens->len > 0 ? at(tokens->len - 1) : NULL;
        const gboolean ends_hole =
            *from == '}' && braces->len > 0 && braces->data[braces->len - 1] == 1;
        token_kind kind = SIGN;
        if (g_ascii_isspace(*from)) {
            from = end;
            continue;
        }
        if (strncmp(from, "//", 2) == 0) {
            from += strcspn(from, "\n");
            continue;
        }
        if (*from == '`' || ends_hole) {
            kind = TEXT;
            end = skip_template(from);
        } else if (*from == '\'' || *from == '"') {
            kind = LITERAL;
            end = skip_quoted(from);
        } else if (g_ascii_isdigit(*from) || (*from == '.' && g_ascii_isdigit(from[1]))) {
            kind = LITERAL;
            end = skip_number(from);
        } else if (is_letter(*from)) {
            kind = WORD;
            while (is_letter(*end)) {
                end++;
            }
        } else if (*from == '/' && (last == NULL || !is_value(last))) {
            kind = LITERAL;
            end = skip_regex(from);
        } else {
            end = skip_sign(from);
        }
        if (*from == '}') {
            g_byte_array_set_size(braces, braces->len - 1);
        }
        if (end[-1] == '{' && (kind == SIGN || kind == TEXT)) {
            g_byte_array_append(braces, kind == TEXT ? (const guint8 *)"\1" : (const guint8 *)"",
                                1);
        }
        add(kind, from, end);
        from = end;
    }
    g_byte_array_unref(braces);
}

/* ---- roles ---- */

static bracket_kind classify_brace(unsigned i, gboolean is_class)
{
    static const char *const before_blocks[] = {";",   "{",       "}",  ")",     "=>", "else",
                                                "try", "finally", "do", "catch", NULL};
    return is_class ? CLASS : i == 0 || is_one_of(at(i - 1)->text, before_blocks) ? BLOCK : OBJECT;
}

/* Finds the partners and parents of all tokens. */
static void match_brackets(void)
{
    GArray *open = g_array_new(FALSE, FALSE, sizeof(unsigned));
    gboolean is_class = FALSE;
    for (unsigned i = 0; i < tokens->len; i++) {
        token *t = at(i);
        const char first = t->text[0], last = t->text[strlen(t->text) - 1];
        const gboolean counts = t->kind == SIGN || t->kind == TEXT;
        is_class |= is(i, "class") && !is(i + 1, ":");
        if (counts && (first == '}' || first == ')' || first == ']')) {
            if (open->len == 0) {
                fail("a bracket closes nothing", t->text);
            }
            t->partner = g_array_index(open, unsigned, open->len - 1);
            at(t->partner)->partner = i;
            t->bracket = at(t->partner)->bracket;
            g_array_set_size(open, open->len - 1);
        }
        t->parent = open->len > 0 ? g_array_index(open, unsigned, open->len - 1) : NONE;
        if (counts && (last == '{' || last == '(' || last == '[')) {
            t->bracket = t->kind == TEXT ? HOLE
                         : last == '('   ? ROUND
                         : last == '['   ? SQUARE
                                         : classify_brace(i, is_class);
            is_class &= last != '{';
            g_array_append_val(open, i);
        }
    }
    if (open->len > 0) {
        fail("a bracket stays open", at(g_array_index(open, unsigned, 0))->text);
    }
    g_array_unref(open);
}

/* Whether a property's name may follow the token before `i`. */
static gboolean may_be_key(unsigned i)
{
    static const char *const kinds[] = {"get", "set", "static", "async", NULL};
    const unsigned parent = at(i)->parent;
    if (parent == NONE || (at(parent)->bracket != OBJECT && at(parent)->bracket != CLASS)) {
        return FALSE;
    }
    const unsigned last = i - 1;
    if (last == parent) {
        return TRUE;
    }
    if (at(parent)->bracket == OBJECT ? is(last, ",") : is(last, ";") || is(last, "}")) {
        return TRUE;
    }
    return is_one_of(at(last)->text, kinds) && may_be_key(last);
}

static void find_roles(void)
{
    for (unsigned i = 0; i < tokens->len; i++) {
        token *t = at(i);
        if (t->kind != WORD) {
            continue;
        }
        if (i > 0 && (is(i - 1, ".") || is(i - 1, "?."))) {
            t->role = KEY;
        } else if (may_be_key(i)) {
            const gboolean is_object = at(t->parent)->bracket == OBJECT;
            const gboolean is_short = is(i + 1, ",") || is(i + 1, "}") || is(i + 1, "=");
            t->role = at(i + 1)->kind == WORD ? OTHER : is_object && is_short ? BOTH : KEY;
        } else if (!is_one_of(t->text, keywords)) {
            t->role = VARIABLE;
        }
    }
}

void read_tokens(const char *text)
{
    tokens = g_array_new(FALSE, FALSE, sizeof(token));
    split(text);
    match_brackets();
    find_roles();
}
