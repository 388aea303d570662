#include "compare/name_rules.h"

#include <string.h>

#include "model/assigned_number.h"

/* Ids of methods that the file does not define. */
static const af_name_rule unknown = {"0x7f3a [unknown]", "0x# [unknown]",
                                     "methods that the file does not define, by the run"};
static const af_name_rule anonymous = {
    "Main$1.run", "Main$#.run",
    "anonymous classes; only where that pairs one method of each side that would be new and gone"};
static const af_name_rule threads = {"pool-2-thread-7", "pool-#-thread-#",
                                     "names of threads that the other side does not have"};

gboolean af_name_rule_at(unsigned number, af_name_rule *rule)
{
    static const af_name_rule *const others[] = {&unknown, &anonymous, &threads};
    unsigned n = 0;
    for (const af_assigned_word *word; (word = af_assigned_word_at(n)) != NULL; n++) {
        if (n == number) {
            *rule = (af_name_rule){word->example, word->becomes, word->about};
            return TRUE;
        }
    }
    if (number - n >= G_N_ELEMENTS(others)) {
        return FALSE;
    }
    *rule = *others[number - n];
    return TRUE;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

static gboolean mask_words(GString *text)
{
    const af_assigned_word *word;
    gboolean any = FALSE;
    for (unsigned i = 0; (word = af_assigned_word_at(i)) != NULL; i++) {
        const char *at = text->str;
        while ((at = strstr(at, word->word)) != NULL) {
            const size_t begin = (size_t)(at - text->str) + strlen(word->word);
            size_t offset;
            const size_t n = af_assigned_number_find(word->form, text->str + begin, &offset);
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
        const size_t n = af_assigned_count_hex(text->str + 2);
        const char *rest = text->str + 2 + n;
        if (n > 0 && (strcmp(rest, " [unknown]") == 0 || strcmp(rest, " [proxy]") == 0)) {
            g_string_erase(text, 2, (gssize)n);
            g_string_insert_c(text, 2, '#');
            return TRUE;
        }
    }
    /* every word has one of these; most names have none */
    return strpbrk(text->str, "$+[#") != NULL || strstr(text->str, "Generated") != NULL ||
                   strstr(text->str, "DrawFrames ") != NULL
               ? mask_words(text)
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

void af_name_mask_digits(GString *text)
{
    size_t length = 0;
    for (size_t at = 0; at < text->len; length++) {
        const size_t n = count_digits(text->str + at);
        text->str[length] = (char)(n > 0 ? '#' : text->str[at]);
        at += MAX(n, 1);
    }
    g_string_truncate(text, length);
}
