#include "read/inputfile.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <aflame/error.h>

#include "base/changed_error.h"

/* The most that Linux reads in one call is 2 GB less a page. */
#define MOST_AT_ONCE ((size_t)1 << 30)

gboolean af_inputfile_open(af_inputfile *file, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
        lseek(fd, 0, SEEK_CUR) != 0) {
        return FALSE;
    }
    *file = (af_inputfile){.fd = fd,
                           .length = (uint64_t)status.st_size,
                           .written_s = status.st_mtim.tv_sec,
                           .written_ns = status.st_mtim.tv_nsec};
    return TRUE;
}

gboolean af_inputfile_read(const af_inputfile *file, uint8_t *to, size_t n, uint64_t offset,
                           GError **error)
{
    while (n > 0) {
        const ssize_t taken = pread(file->fd, to, MIN(n, MOST_AT_ONCE), (off_t)offset);
        if (taken < 0 && errno == EINTR) {
            continue;
        }
        if (taken < 0) {
            g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "cannot read: %s", g_strerror(errno));
            return FALSE;
        }
        if (taken == 0) {
            return af_changed_error_set(error);
        }
        to += taken;
        n -= (size_t)taken;
        offset += (uint64_t)taken;
    }
    return TRUE;
}

gboolean af_inputfile_check(const af_inputfile *file, GError **error)
{
    struct stat now;
    if (fstat(file->fd, &now) == 0 && (uint64_t)now.st_size == file->length &&
        now.st_mtim.tv_sec == file->written_s && now.st_mtim.tv_nsec == file->written_ns) {
        return TRUE;
    }
    return af_changed_error_set(error);
}
