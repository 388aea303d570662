#include "model/numbered.h"

#include <string.h>

static gboolean begins_number(const char *text, size_t at)
{
    if (!g_ascii_isdigit(text[at]) || at == 0) {
        return g_ascii_isdigit(text[at]);
    }
    const char before = text[at - 1];
    return !g_ascii_isalnum(before) && before != '.' && before != '$' &&
           (unsigned char)before < 0x80;
}

char *af_numbered_name(const char *text)
{
    GString *made = NULL;
    size_t done = 0;
    for (size_t i = 0; text[i] != '\0';) {
        if (!begins_number(text, i)) {
            i++;
            continue;
        }
        made = made != NULL ? made : g_string_new(NULL);
        g_string_append_len(made, text + done, (gssize)(i - done));
        g_string_append_c(made, '#');
        i += strspn(text + i, "0123456789");
        done = i;
    }
    return made != NULL ? g_string_free(g_string_append(made, text + done), FALSE) : NULL;
}
