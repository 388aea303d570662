#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    const char *at;
    int line;
} cursor;

void script_fail(const char *path, int line, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "%s:%d: ", path, line);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

static unsigned read_hex(cursor *c, int digits)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        const int digit = g_ascii_xdigit_value(*c->at);
        if (digit < 0) {
            script_fail(c->path, c->line, "%d hex digits expected", digits);
        }
        value = value * 16 + (unsigned)digit;
        c->at++;
    }
    return value;
}

static void read_escape(cursor *c, GString *text)
{
    const char kind = *c->at++;
    switch (kind) {
    case 'n':
        g_string_append_c(text, '\n');
        break;
    case 't':
        g_string_append_c(text, '\t');
        break;
    case 'r':
        g_string_append_c(text, '\r');
        break;
    case '0':
        g_string_append_c(text, '\0');
        break;
    case '"':
    case '\\':
        g_string_append_c(text, kind);
        break;
    case 'x':
        g_string_append_c(text, (char)read_hex(c, 2));
        break;
    case 'u':
        g_string_append_unichar(text, read_hex(c, 4));
        break;
    default:
        script_fail(c->path, c->line, "unknown escape \\%c", kind);
    }
}

/* Bytes between single quotes are literal, which suits JSON. */
static script_word read_plain(cursor *c)
{
    const char *end = strpbrk(c->at + 1, "'\n");
    if (end == NULL || *end == '\n') {
        script_fail(c->path, c->line, "the quote is not closed");
    }
    const script_word word = {g_string_new_len(c->at + 1, end - c->at - 1), TRUE};
    c->at = end + 1;
    return word;
}

static script_word read_word(cursor *c)
{
    if (*c->at == '\'') {
        return read_plain(c);
    }
    script_word word = {g_string_new(NULL), *c->at == '"'};
    if (!word.quoted) {
        while (*c->at != '\0' && !g_ascii_isspace(*c->at)) {
            g_string_append_c(word.text, *c->at++);
        }
        return word;
    }
    c->at++;
    while (*c->at != '"') {
        if (*c->at == '\0' || *c->at == '\n') {
            script_fail(c->path, c->line, "the quote is not closed");
        }
        if (*c->at == '\\') {
            c->at++;
            read_escape(c, word.text);
        } else {
            g_string_append_c(word.text, *c->at++);
        }
    }
    c->at++;
    return word;
}

static gboolean is_sign(const script_word *word, const char *sign)
{
    return !word->quoted && strcmp(word->text->str, sign) == 0;
}

/* Statements up to the `}` of the block, or to the end if `depth` is 0. */
static GPtrArray *read_block(cursor *c, int depth)
{
    GPtrArray *block = g_ptr_array_new();
    script_statement *now = NULL;
    for (;;) {
        while (*c->at == ' ' || *c->at == '\t' || *c->at == '\r') {
            c->at++;
        }
        if (*c->at == '#') {
            c->at += strcspn(c->at, "\n");
        }
        if (*c->at == '\n') {
            c->at++;
            c->line++;
            now = NULL;
            continue;
        }
        if (*c->at == '\0') {
            if (depth > 0) {
                script_fail(c->path, c->line, "a block is not closed");
            }
            return block;
        }
        const script_word word = read_word(c);
        if (is_sign(&word, "}")) {
            if (depth == 0) {
                script_fail(c->path, c->line, "no block is open here");
            }
            return block;
        }
        if (is_sign(&word, "{")) {
            if (now == NULL) {
                script_fail(c->path, c->line, "a block belongs at the end of a statement");
            }
            now->block = read_block(c, depth + 1);
            now = NULL;
            continue;
        }
        if (now == NULL) {
            now = g_new0(script_statement, 1);
            now->line = c->line;
            now->words = g_array_new(FALSE, FALSE, sizeof(script_word));
            g_ptr_array_add(block, now);
        }
        g_array_append_val(now->words, word);
    }
}

GPtrArray *script_parse(const char *path, const char *text)
{
    cursor c = {path, text, 1};
    return read_block(&c, 0);
}
