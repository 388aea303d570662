#include "serve/blobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

struct af_blobs {
    int folder; /* -1 = in memory */
    char *path;
    GMutex lock;        /* of `memory` */
    GHashTable *memory; /* file name -> descriptor + 1 */
};

static const char *const suffixes[AF_BLOBS] = {".upload", ".zst", ".aflp", ".mapping"};

enum { NAME_SIZE = 96, COPIED = 1024 * 1024 };

static void set_name(char name[NAME_SIZE], const char *id, af_blob blob)
{
    snprintf(name, NAME_SIZE, "%s%s", id, suffixes[blob]);
}

gboolean af_blobs_fail(GError **error, const char *what)
{
    const gboolean full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    g_set_error(error, AF_STORE_ERROR, full ? AF_STORE_FULL : AF_STORE_BROKEN, "%s: %s", what,
                g_strerror(errno));
    return FALSE;
}

gboolean af_blobs_write(int fd, const char *bytes, size_t length, const char *what, GError **error)
{
    while (length > 0) {
        const ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR) {
            return af_blobs_fail(error, what);
        }
        bytes += MAX(n, 0);
        length -= (size_t)MAX(n, 0);
    }
    return TRUE;
}

uint64_t af_blobs_hash(int fd, GChecksum *sha256, GChecksum *md5)
{
    g_autofree guchar *bytes = g_malloc(COPIED);
    uint64_t size = 0;
    ssize_t n;
    while ((n = pread(fd, bytes, COPIED, (off_t)size)) > 0) {
        g_checksum_update(sha256, bytes, n);
        if (md5 != NULL) {
            g_checksum_update(md5, bytes, n);
        }
        size += (uint64_t)n;
    }
    return size;
}

static void close_blob(gpointer fd)
{
    close(GPOINTER_TO_INT(fd) - 1);
}

af_blobs *af_blobs_open(const char *folder, GError **error)
{
    const int fd = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder != NULL && fd < 0) {
        af_blobs_fail(error, folder);
        return NULL;
    }
    af_blobs *blobs = g_new0(af_blobs, 1);
    blobs->folder = fd;
    blobs->path = g_strdup(folder);
    g_mutex_init(&blobs->lock);
    blobs->memory = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, close_blob);
    return blobs;
}

void af_blobs_free(af_blobs *blobs)
{
    if (blobs == NULL) {
        return;
    }
    af_blobs_close(blobs->folder);
    g_hash_table_unref(blobs->memory);
    g_mutex_clear(&blobs->lock);
    g_free(blobs->path);
    g_free(blobs);
}

/* A file with this name is incomplete; the next start removes it. */
#define NEW_PREFIX ".new-"

static int create_new(const af_blobs *blobs, char **name)
{
    g_autofree char *random = af_trace_random();
    *name = random == NULL ? NULL : g_strconcat(NEW_PREFIX, random, NULL);
    return *name == NULL
               ? -1
               : openat(blobs->folder, *name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
}

/* If the file system cannot create unnamed files, the name is removed immediately, because many
 * files are never stored. */
static int open_unnamed(const af_blobs *blobs)
{
    g_autofree char *name = NULL;
    const int fd = create_new(blobs, &name);
    if (fd >= 0) {
        unlinkat(blobs->folder, name, 0);
    }
    return fd;
}

int af_blobs_begin(af_blobs *blobs, GError **error)
{
    int fd = blobs->folder < 0 ? memfd_create("aflame-blob", MFD_CLOEXEC)
                               : open(blobs->path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && blobs->folder >= 0 && errno != ENOSPC && errno != EDQUOT) {
        fd = open_unnamed(blobs);
    }
    if (fd < 0) {
        af_blobs_fail(error, "cannot create a file in the store");
    }
    return fd;
}

static gboolean name_memory(af_blobs *blobs, const char *name, int fd)
{
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy >= 0) {
        g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&blobs->lock);
        g_hash_table_insert(blobs->memory, g_strdup(name), GINT_TO_POINTER(copy + 1));
    }
    return copy >= 0;
}

static gboolean copy_bytes(int from, int to)
{
    off_t at = 0;
    ssize_t n;
    do {
        n = sendfile(to, from, &at, COPIED);
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n == 0 && fsync(to) == 0;
}

/* For a file that lost its name: it cannot be linked. */
static gboolean name_copy(const af_blobs *blobs, const char *name, int fd)
{
    g_autofree char *incomplete = NULL;
    const int copy = create_new(blobs, &incomplete);
    const gboolean ok = copy >= 0 && copy_bytes(fd, copy) &&
                        renameat(blobs->folder, incomplete, blobs->folder, name) == 0;
    const int reason = errno;
    af_blobs_close(copy);
    if (copy >= 0 && !ok) {
        unlinkat(blobs->folder, incomplete, 0);
    }
    errno = reason;
    return ok;
}

/* A file with this name is left over from an interrupted run. */
static gboolean name_file(af_blobs *blobs, const char *name, int fd)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    unlinkat(blobs->folder, name, 0);
    return fsync(fd) == 0 && (linkat(AT_FDCWD, link, blobs->folder, name, AT_SYMLINK_FOLLOW) == 0 ||
                              name_copy(blobs, name, fd));
}

gboolean af_blobs_name(af_blobs *blobs, const char *id, af_blob blob, int fd, GError **error)
{
    char name[NAME_SIZE];
    set_name(name, id, blob);
    const gboolean ok =
        blobs->folder < 0 ? name_memory(blobs, name, fd) : name_file(blobs, name, fd);
    return ok || af_blobs_fail(error, "cannot store a file");
}

gboolean af_blobs_sync(af_blobs *blobs, GError **error)
{
    return blobs->folder < 0 || fsync(blobs->folder) == 0 ||
           af_blobs_fail(error, "cannot write the folder of the store");
}

/* A descriptor of its own: the position of a duplicate would be shared. */
static int get_memory(af_blobs *blobs, const char *name)
{
    char path[64];
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&blobs->lock);
    const int fd = GPOINTER_TO_INT(g_hash_table_lookup(blobs->memory, name)) - 1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    errno = ENOENT;
    return fd < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

int af_blobs_get(af_blobs *blobs, const char *id, af_blob blob, GError **error)
{
    char name[NAME_SIZE];
    set_name(name, id, blob);
    const int fd = blobs->folder < 0 ? get_memory(blobs, name)
                                     : openat(blobs->folder, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_ABSENT,
                            "the store no longer has this file");
    } else if (fd < 0) {
        af_blobs_fail(error, "cannot open a file of the store");
    }
    return fd;
}

void af_blobs_remove(af_blobs *blobs, const char *id, af_blob blob)
{
    char name[NAME_SIZE];
    set_name(name, id, blob);
    if (blobs->folder >= 0) {
        unlinkat(blobs->folder, name, 0);
        return;
    }
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&blobs->lock);
    g_hash_table_remove(blobs->memory, name);
}

uint64_t af_blobs_size(af_blobs *blobs, const char *id)
{
    uint64_t size = 0;
    for (int blob = 0; blob < AF_BLOBS; blob++) {
        struct stat status;
        const int fd = af_blobs_get(blobs, id, (af_blob)blob, NULL);
        if (fd >= 0) {
            size += fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
            close(fd);
        }
    }
    return size;
}

/* The blob that a name ends with, and the ID before it; -1 = none. Free *id with g_free(). */
static int split_name(const char *name, char **id)
{
    *id = NULL;
    for (int blob = 0; blob < AF_BLOBS; blob++) {
        if (g_str_has_suffix(name, suffixes[blob])) {
            *id = g_strndup(name, strlen(name) - strlen(suffixes[blob]));
            return blob;
        }
    }
    return -1;
}

/* FALSE with an error: unknown, so the file stays. */
static gboolean repair_file(af_blobs *blobs, const char *name, af_blobs_owns owns, void *user,
                            gboolean remove, GError **error)
{
    g_autofree char *id = NULL;
    gboolean owned = !g_str_has_prefix(name, NEW_PREFIX);
    const int blob = split_name(name, &id);
    const gboolean known = blob < 0 || owns(user, id, (af_blob)blob, &owned, error);
    if (known && !owned && remove) {
        unlinkat(blobs->folder, name, 0);
    }
    return known;
}

gboolean af_blobs_repair(af_blobs *blobs, af_blobs_owns owns, void *user, gboolean remove,
                         GError **error)
{
    g_autoptr(GDir) folder = blobs->folder < 0 ? NULL : g_dir_open(blobs->path, 0, NULL);
    const char *name;
    gboolean ok = TRUE;
    while (ok && folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        ok = repair_file(blobs, name, owns, user, remove, error);
    }
    return ok;
}

GPtrArray *af_blobs_list(af_blobs *blobs)
{
    GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) distinct = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GDir) folder = blobs->folder < 0 ? NULL : g_dir_open(blobs->path, 0, NULL);
    const char *name;
    char *id;
    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        const int blob = split_name(name, &id);
        /* asked first: adding an equal key would replace the one that the list owns */
        if (blob >= 0 && blob != AF_BLOB_MAPPING && af_trace_is_id(id) &&
            !g_hash_table_contains(distinct, id)) {
            g_hash_table_add(distinct, id);
            g_ptr_array_add(ids, id);
        } else {
            g_free(id);
        }
    }
    return ids;
}

void af_blobs_set_aside(af_blobs *blobs, const char *id)
{
    for (int blob = 0; blob < AF_BLOBS; blob++) {
        char name[NAME_SIZE], aside[NAME_SIZE + 8];
        set_name(name, id, (af_blob)blob);
        snprintf(aside, sizeof aside, "%s.damaged", name);
        (void)renameat(blobs->folder, name, blobs->folder, aside);
    }
}
