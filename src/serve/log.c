#include "serve/log.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether standard error is a stream of the journal: "DEVICE:INODE". */
static gboolean is_journal(void)
{
    struct stat status;
    const char *stream = getenv("JOURNAL_STREAM");
    if (stream == NULL || fstat(STDERR_FILENO, &status) != 0) {
        return FALSE;
    }
    g_autofree char *own = g_strdup_printf("%llu:%llu", (unsigned long long)status.st_dev,
                                           (unsigned long long)status.st_ino);
    return strcmp(stream, own) == 0;
}

/* Names from clients must not begin lines of their own. */
static void clean(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7F) {
            *text = ' ';
        }
    }
}

static void write_line(af_log_priority priority, char *text)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *date = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
    clean(text);
    g_autofree char *line = is_journal() ? g_strdup_printf("<%d>%s\n", (int)priority, text)
                                         : g_strdup_printf("aflame: %s %s\n", date, text);
    (void)!write(STDERR_FILENO, line, strlen(line)); /* in one piece: threads do not mix lines */
}

void af_log(const af_server *server, af_log_priority priority, const char *format, ...)
{
    if (server->options->quiet && priority > AF_LOG_WARNING) {
        return;
    }
    va_list values;
    va_start(values, format);
    g_autofree char *text = g_strdup_vprintf(format, values);
    va_end(values);
    write_line(priority, text);
}

static const char *find_client(const af_request *request, char text[INET6_ADDRSTRLEN])
{
    const struct sockaddr *address =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
            ->client_addr;
    const void *bytes =
        address->sa_family == AF_INET6
            ? (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr
            : (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;
    const char *shown = inet_ntop(address->sa_family, bytes, text, INET6_ADDRSTRLEN);
    return shown != NULL ? shown : "unknown";
}

void af_log_refusal(const af_request *request, unsigned status, const char *text)
{
    char client[INET6_ADDRSTRLEN];
    const gboolean broken = status >= MHD_HTTP_INTERNAL_SERVER_ERROR;
    const gboolean forbidden = status == MHD_HTTP_UNAUTHORIZED || status == MHD_HTTP_FORBIDDEN ||
                               status == MHD_HTTP_MISDIRECTED_REQUEST;
    if (broken || forbidden || strcmp(request->method, "GET") != 0) {
        af_log(request->server, broken ? AF_LOG_ERROR : AF_LOG_NOTICE,
               "refused %s %s from %s with status %u: %s", request->method, request->path,
               find_client(request, client), status, text);
    }
}

void af_log_access(const af_request *request)
{
    char client[INET6_ADDRSTRLEN];
    const int64_t elapsed_us = g_get_monotonic_time() - request->begun_us;
    af_log(request->server, AF_LOG_INFO, "%s %s %s %u %" G_GSIZE_FORMAT " bytes %.1f ms",
           find_client(request, client), request->method, request->path, request->status,
           request->sent, (double)elapsed_us / 1000);
}
