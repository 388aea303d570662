/* The log of the server: lines on standard error. Under systemd, each begins with its priority, as
 * sd-daemon(3) describes; otherwise with the time. */
#pragma once

#include "serve/request.h"

/* The priorities of syslog. */
typedef enum {
    AF_LOG_ERROR = 3,
    AF_LOG_WARNING = 4,
    AF_LOG_NOTICE = 5,
    AF_LOG_INFO = 6
} af_log_priority;

/* With --quiet, only errors and warnings. */
void af_log(const af_server *server, af_log_priority priority, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* A request refused with `text`. GET requests are logged only if access was denied or the server
 * failed. */
void af_log_refusal(const af_request *request, unsigned status, const char *text);

/* A request that was answered, for --access-log. */
void af_log_access(const af_request *request);
