#include "cli/message.h"

#include <stdio.h>
#include <string.h>
#include "api/command.h"

char *af_message_escape(const char *text)
{
    GString *escaped = g_string_new(NULL);
    while (*text != '\0') {
        gunichar c = g_utf8_get_char_validated(text, -1);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_printf(escaped, "\\x%02x", (unsigned char)*text++);
            continue;
        }
        if (af_shell_is_visible(c)) {
            g_string_append_unichar(escaped, c);
        } else if (c < 0x80) {
            g_string_append_printf(escaped, "\\x%02x", c);
        } else {
            g_string_append_printf(escaped, "\\u%04x", c);
        }
        text = g_utf8_next_char(text);
    }
    return g_string_free(escaped, FALSE);
}

const af_exit_text *af_exit_text_at(unsigned number)
{
    static const af_exit_text texts[] = {
        {AF_EXIT_DONE, "done"},
        {AF_EXIT_NEGATIVE, "nothing matches, nothing is left, or a budget is not met"},
        {AF_EXIT_USAGE, "wrong usage"},
        {AF_EXIT_INPUT, "an input is missing, or is not a trace"},
        {AF_EXIT_DAMAGED, "an input is damaged, a warning under --strict, or too little memory"},
        {AF_EXIT_OUTPUT, "an output cannot be written"},
    };
    return number < G_N_ELEMENTS(texts) ? &texts[number] : NULL;
}

/* A name in a file may have megabytes: a longer line omits its middle. */
#define LINE_MOST 8000
#define LINE_TAIL 1000

static void print_line(const char *line)
{
    const size_t n = strlen(line);
    if (n <= LINE_MOST) {
        fprintf(stderr, "%s\n", line);
        return;
    }
    const char *head = g_utf8_find_prev_char(line, line + LINE_MOST - LINE_TAIL);
    const char *tail = g_utf8_find_next_char(line + n - LINE_TAIL, NULL);
    fprintf(stderr, "%.*s…%s\n", (int)(head - line), line, tail);
}

void af_message_print(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *all = name == NULL      ? g_strdup_printf("aflame: %s", text)
                           : name[0] == '\0' ? g_strdup_printf("aflame: \"\": %s", text)
                                             : g_strdup_printf("aflame: %s: %s", name, text);
    g_autofree char *line = af_message_escape(all);
    print_line(line);
}

af_exit af_message_fail(const char *name, GError *error)
{
    const af_error_code code = (af_error_code)error->code;
    af_message_print(name, "%s", error->message);
    g_error_free(error);
    switch (code) {
    case AF_ERROR_USAGE:
        return AF_EXIT_USAGE;
    case AF_ERROR_MISSING:
    case AF_ERROR_UNRECOGNISED:
        return AF_EXIT_INPUT;
    case AF_ERROR_OUTPUT:
        return AF_EXIT_OUTPUT;
    case AF_ERROR_NOTHING:
        return AF_EXIT_NEGATIVE;
    case AF_ERROR_DAMAGED:
    case AF_ERROR_MEMORY:
    case AF_ERROR_CANCELLED:
        break;
    }
    return AF_EXIT_DAMAGED;
}

/* Whether a warning is a fault of the input. */
static gboolean is_fault(const af_profile *profile, unsigned index)
{
    af_warning_view warning = AF_WARNING_VIEW_INIT;
    return af_profile_warning(profile, index, &warning) && !warning.information;
}

void af_message_warnings(const char *name, const af_profile *profile, gboolean messages)
{
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        if (messages || is_fault(profile, i)) {
            g_autofree char *line = af_info_warning(profile, i);
            af_message_print(name, "%s", line);
        }
    }
}

void af_message_print_all(const char *name, char *const *messages)
{
    for (guint i = 0; messages != NULL && messages[i] != NULL; i++) {
        af_message_print(name, "%s", messages[i]);
    }
}

unsigned af_message_count_warnings(const af_profile *profile)
{
    unsigned n = 0;
    for (unsigned i = 0; i < af_profile_n_warnings(profile); i++) {
        n += is_fault(profile, i);
    }
    return n;
}
