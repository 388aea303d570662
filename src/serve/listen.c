#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEFAULT_ADDRESS "127.0.0.1:8192"
#define BACKLOG         1024
#define FIRST_PASSED    3 /* of the sockets that systemd passes */

static int complain(const af_serve_options *o, const char *address, const char *text)
{
    g_autofree char *line = g_strdup_printf("cannot listen: %s", text);
    o->host->print(address, line);
    return -1;
}

/* "127.0.0.1:8192", "[::1]:8192", "8192". */
static gboolean split_address(const char *text, char **host, char **port)
{
    const char *colon = strrchr(text, ':');
    *host = colon == NULL ? g_strdup("127.0.0.1") : g_strndup(text, (gsize)(colon - text));
    *port = g_strdup(colon == NULL ? text : colon + 1);
    const size_t length = strlen(*host);
    if (length > 2 && (*host)[0] == '[' && (*host)[length - 1] == ']') {
        memmove(*host, *host + 1, length - 2);
        (*host)[length - 2] = '\0';
    }
    return g_ascii_string_to_unsigned(*port, 10, 0, UINT16_MAX, NULL, NULL);
}

static int bind_address(const struct addrinfo *it)
{
    const int yes = 1;
    const int fd = socket(it->ai_family, it->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, it->ai_addr, it->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
        const int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    return fd;
}

static int open_address(const af_serve_options *o, const char *text)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    g_autofree char *host = NULL, *port = NULL;
    int fd = -1;
    if (!split_address(text, &host, &port)) {
        complain(o, text, "an address is ADDRESS:PORT, such as 127.0.0.1:8192");
    } else {
        const int code = getaddrinfo(host[0] == '\0' ? NULL : host, port, &hints, &found);
        if (code != 0) {
            complain(o, text, gai_strerror(code));
        } else if ((fd = bind_address(found)) < 0) {
            complain(o, text, g_strerror(errno));
        }
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    return fd;
}

/* The socket of systemd; -1 = none. */
static int take_passed(void)
{
    const char *pid = g_getenv("LISTEN_PID"), *n = g_getenv("LISTEN_FDS");
    if (pid == NULL || n == NULL || g_ascii_strtoll(pid, NULL, 10) != getpid() ||
        strcmp(n, "1") != 0) {
        return -1;
    }
    fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC);
    fcntl(FIRST_PASSED, F_SETFL, fcntl(FIRST_PASSED, F_GETFL) | O_NONBLOCK);
    return FIRST_PASSED;
}

static gboolean is_loopback(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)address;
        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)(const void *)address;
    return address->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
}

static char *make_url(const struct sockaddr_storage *address, socklen_t length)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getnameinfo((const struct sockaddr *)(const void *)address, length, host, sizeof host, port,
                    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return g_strdup("http://localhost");
    }
    return strchr(host, ':') != NULL ? g_strdup_printf("http://[%s]:%s", host, port)
                                     : g_strdup_printf("http://%s:%s", host, port);
}

int af_listen_open(const af_serve_options *options, char **url, gboolean *loopback)
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    int fd = take_passed();
    if (fd < 0) {
        fd = open_address(options, options->listen != NULL ? options->listen : DEFAULT_ADDRESS);
    }
    if (fd >= 0) {
        getsockname(fd, (struct sockaddr *)(void *)&address, &length);
        *url = make_url(&address, length);
        *loopback = is_loopback(&address);
    }
    return fd;
}
