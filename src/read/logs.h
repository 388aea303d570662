/* Lines of logs, which look like folded stacks if they hold a semicolon and end in a number. */
#pragma once

#include <glib.h>

/* A line of logcat: "11-27 10:11:12.123  1234  5678 W Tag: text", "--------- beginning of main". */
gboolean af_log_is_logcat(const char *line, size_t n);

/* A line of a web server's access log: '1.2.3.4 - - [27/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200
 * 512'. */
gboolean af_log_is_access(const char *line, size_t n);

/* A line that starts with a date or time, or has one in brackets. Access logs are among these. */
gboolean af_log_is_dated(const char *line, size_t n);
