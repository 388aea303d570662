/* Expands the words of a description: numbers, and expressions that start with %. */
#include "recording.h"

#include <string.h>

uint64_t read_number(const recording *r, const char *text)
{
    char *end = NULL;
    const gboolean negative = *text == '-';
    const guint64 value = g_ascii_strtoull(text + negative, &end, 0);
    if (end == text + negative || *end != '\0') {
        recording_fail(r, "expected a number: %s", text);
    }
    return negative ? 0 - value : value;
}

/* i, i*N, i+N or i*N+M up to the `)`. */
static const char *expand_sum(const recording *r, uint64_t i, const char *at, GString *text)
{
    char *end = (char *)at + 1;
    uint64_t value = i;
    if (*at != 'i') {
        recording_fail(r, "%%( wants i, i*N, i+N or i*N+M");
    }
    if (*end == '*') {
        value *= g_ascii_strtoull(end + 1, &end, 0);
    }
    if (*end == '+') {
        value += g_ascii_strtoull(end + 1, &end, 0);
    }
    if (*end != ')') {
        recording_fail(r, "%%( wants i, i*N, i+N or i*N+M");
    }
    g_string_append_printf(text, "%" G_GUINT64_FORMAT, value);
    return end + 1;
}

/* TEXT*N up to the `}`: the text N times. */
static const char *expand_times(const recording *r, const char *at, GString *text)
{
    const char *star = strchr(at, '*');
    char *end = NULL;
    const guint64 times = star != NULL ? g_ascii_strtoull(star + 1, &end, 10) : 0;
    if (star == NULL || *end != '}') {
        recording_fail(r, "%%{ wants TEXT*N}");
    }
    for (guint64 k = 0; k < times; k++) {
        g_string_append_len(text, at, star - at);
    }
    return end + 1;
}

GString *expand_word(const recording *r, uint64_t i, const script_word *word)
{
    GString *text = g_string_new(NULL);
    const char *at = word->text->str, *end = at + word->text->len;
    while (at < end) {
        if (*at != '%') {
            g_string_append_c(text, *at++);
        } else if (at[1] == '(') {
            at = expand_sum(r, i, at + 2, text);
        } else if (at[1] == '{') {
            at = expand_times(r, at + 2, text);
        } else if (at[1] == 'i' && !g_ascii_isalnum(at[2])) {
            g_string_append_printf(text, "%" G_GUINT64_FORMAT, i);
            at += 2;
        } else {
            g_string_append_c(text, *at++);
        }
    }
    return text;
}
