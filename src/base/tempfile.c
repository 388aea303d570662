#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "base/system.h"

int af_tempfile_open(void)
{
    const int fd = af_system_open_nameless(g_get_tmp_dir(), 0600);
    if (fd >= 0) {
        return fd;
    }
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "aflame-XXXXXX", NULL);
    const int named = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    const int reason = errno;
    if (named >= 0) {
        unlink(path);
    }
    errno = reason;
    return named;
}

gboolean af_tempfile_write(int fd, const uint8_t *bytes, size_t n, size_t at)
{
    while (n > 0) {
        const ssize_t written = pwrite(fd, bytes, n, (off_t)at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return FALSE;
        }
        bytes += written;
        n -= (size_t)written;
        at += (size_t)written;
    }
    return TRUE;
}

gboolean af_tempfile_read(int fd, uint8_t *bytes, size_t n, size_t at)
{
    while (n > 0) {
        const ssize_t taken = pread(fd, bytes, n, (off_t)at);
        if (taken < 0 && errno == EINTR) {
            continue;
        }
        if (taken <= 0) {
            errno = taken == 0 ? EIO : errno;
            return FALSE;
        }
        bytes += taken;
        n -= (size_t)taken;
        at += (size_t)taken;
    }
    return TRUE;
}
