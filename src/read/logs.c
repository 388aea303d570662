#include "read/logs.h"

#include <string.h>

/* The bytes of a line in which a date is searched for. */
#define NEAR ((size_t)200)

/* Whether the text starts with the shape, in which 0 stands for any digit and A for any letter. */
static gboolean has_shape(const char *text, size_t n, const char *shape)
{
    for (size_t i = 0; shape[i] != '\0'; i++) {
        if (i >= n || (shape[i] == '0'   ? !g_ascii_isdigit(text[i])
                       : shape[i] == 'A' ? !g_ascii_isalpha(text[i])
                                         : text[i] != shape[i])) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The date in brackets, as web servers write it; NULL = none. */
static const char *find_bracket(const char *line, size_t n)
{
    const char *found = memchr(line, '[', MIN(n, NEAR));
    return found != NULL && has_shape(found, n - (size_t)(found - line), "[00/AAA/0000") ? found
                                                                                         : NULL;
}

gboolean af_log_is_logcat(const char *line, size_t n)
{
    return has_shape(line, n, "00-00 00:00:00.000") || has_shape(line, n, "--------- ") ||
           (n > 2 && line[1] == '/' && strchr("VDIWEFA", *line) != NULL);
}

gboolean af_log_is_access(const char *line, size_t n)
{
    const char *date = find_bracket(line, n);
    const char *request = date == NULL ? NULL : memmem(date, n - (size_t)(date - line), "] \"", 3);
    if (request == NULL) {
        return FALSE;
    }
    request += 3;
    const char *after = memmem(request, n - (size_t)(request - line), "\" ", 2);
    return after != NULL && has_shape(after, n - (size_t)(after - line), "\" 000");
}

gboolean af_log_is_dated(const char *line, size_t n)
{
    return has_shape(line, n, "0000-00-00") || has_shape(line, n, "0000/00/00") ||
           has_shape(line, n, "00:00:00") || has_shape(line, n, "00-00 00:00:00") ||
           has_shape(line, n, "[0000-00-00") || has_shape(line, n, "AAA 00 00:00:00") ||
           has_shape(line, n, "AAA  0 00:00:00") || find_bracket(line, n) != NULL;
}
