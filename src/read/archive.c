#include "read/archive.h"

#include <minizip/unzip.h>
#include <string.h>
#include <aflame/error.h>

/* Longer paths are truncated. */
#define LONGEST_PATH 1024u

#define IS_ENCRYPTED 1u

struct af_archive {
    const af_inputfile *file; /* NULL: `bytes` */
    GBytes *bytes;
    const uint8_t *data; /* of the bytes */
    uint64_t length, at;
    unzFile zip;
    GArray *entries; /* of af_archive_entry */
    unsigned *chosen;
    unsigned n_chosen, next; /* next: the one after the open one */
    gboolean is_open, cut;
    GError *error; /* of the file */
};

static voidpf open_stream(voidpf user, const void *name, int mode)
{
    return user;
}

static uLong read_stream(voidpf user, voidpf stream, void *to, uLong size)
{
    af_archive *a = user;
    const size_t n = (size_t)MIN((uint64_t)size, a->length - a->at);
    if (a->file != NULL && a->error == NULL &&
        !af_inputfile_read(a->file, to, n, a->at, &a->error)) {
        return 0;
    }
    if (a->file == NULL) {
        memcpy(to, a->data + a->at, n);
    }
    a->at += n;
    return n;
}

static ZPOS64_T tell_stream(voidpf user, voidpf stream)
{
    return ((const af_archive *)user)->at;
}

static long seek_stream(voidpf user, voidpf stream, ZPOS64_T offset, int origin)
{
    af_archive *a = user;
    const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? a->at
                          : origin == ZLIB_FILEFUNC_SEEK_END ? a->length
                                                             : 0;
    const uint64_t to = base + offset; /* wraps around like a signed one */
    if (to > a->length) {
        return -1;
    }
    a->at = to;
    return 0;
}

static int close_stream(voidpf user, voidpf stream)
{
    return 0;
}

static int test_stream(voidpf user, voidpf stream)
{
    return ((const af_archive *)user)->error != NULL;
}

static void clear_entry(gpointer entry)
{
    g_free(((af_archive_entry *)entry)->path);
}

static void list_entries(af_archive *a)
{
    int state = unzGoToFirstFile(a->zip);
    while (state == UNZ_OK && a->entries->len < AF_ARCHIVE_MOST) {
        unz_file_info64 info;
        unz64_file_pos at;
        char path[LONGEST_PATH + 1] = {0};
        if (unzGetCurrentFileInfo64(a->zip, &info, path, LONGEST_PATH, NULL, 0, NULL, 0) ==
                UNZ_OK &&
            unzGetFilePos64(a->zip, &at) == UNZ_OK && (info.flag & IS_ENCRYPTED) == 0 &&
            info.uncompressed_size > 0 && path[0] != '\0') {
            const af_archive_entry entry = {g_utf8_make_valid(path, -1),
                                            info.uncompressed_size,
                                            info.dosDate,
                                            {at.pos_in_zip_directory, at.num_of_file}};
            g_array_append_val(a->entries, entry);
        }
        state = unzGoToNextFile(a->zip);
    }
}

static af_archive *open_archive(af_archive *a, GError **error)
{
    zlib_filefunc64_def functions = {.zopen64_file = open_stream,
                                     .zread_file = read_stream,
                                     .ztell64_file = tell_stream,
                                     .zseek64_file = seek_stream,
                                     .zclose_file = close_stream,
                                     .zerror_file = test_stream,
                                     .opaque = a};
    a->entries = g_array_new(FALSE, FALSE, sizeof(af_archive_entry));
    g_array_set_clear_func(a->entries, clear_entry);
    a->zip = unzOpen2_64("", &functions);
    if (a->zip == NULL) {
        if (a->error != NULL) {
            g_propagate_error(error, g_steal_pointer(&a->error));
        } else {
            g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                                "truncated zip archive: the list of its entries is missing");
        }
        af_archive_free(a);
        return NULL;
    }
    list_entries(a);
    return a;
}

af_archive *af_archive_open_file(const af_inputfile *file, GError **error)
{
    af_archive *a = g_new0(af_archive, 1);
    a->file = file;
    a->length = file->length;
    return open_archive(a, error);
}

af_archive *af_archive_open_bytes(GBytes *bytes, GError **error)
{
    af_archive *a = g_new0(af_archive, 1);
    gsize length;
    a->bytes = g_bytes_ref(bytes);
    a->data = g_bytes_get_data(bytes, &length);
    a->length = length;
    return open_archive(a, error);
}

static void close_entry(af_archive *a)
{
    if (a->is_open) {
        unzCloseCurrentFile(a->zip);
    }
    a->is_open = FALSE;
}

void af_archive_free(af_archive *a)
{
    if (a == NULL) {
        return;
    }
    close_entry(a);
    if (a->zip != NULL) {
        unzClose(a->zip);
    }
    g_array_unref(a->entries);
    g_clear_pointer(&a->bytes, g_bytes_unref);
    g_clear_error(&a->error);
    g_free(a->chosen);
    g_free(a);
}

unsigned af_archive_n(const af_archive *a)
{
    return a->entries->len;
}

const af_archive_entry *af_archive_entry_at(const af_archive *a, unsigned number)
{
    return &g_array_index(a->entries, af_archive_entry, number);
}

void af_archive_choose(af_archive *a, const unsigned *entries, unsigned n)
{
    unsigned *copy = g_memdup2(entries, n * sizeof *entries);
    g_free(a->chosen);
    a->chosen = copy;
    a->n_chosen = n;
    af_archive_restart(a);
}

void af_archive_restart(af_archive *a)
{
    close_entry(a);
    a->next = 0;
    a->cut = FALSE;
}

uint64_t af_archive_chosen_size(const af_archive *a)
{
    uint64_t size = 0;
    for (unsigned i = 0; i < a->n_chosen; i++) {
        size += MIN(af_archive_entry_at(a, a->chosen[i])->size, (uint64_t)1 << 50);
    }
    return size;
}

gboolean af_archive_is_truncated(const af_archive *a)
{
    return a->cut;
}

static gboolean open_next(af_archive *a)
{
    const af_archive_entry *entry = af_archive_entry_at(a, a->chosen[a->next++]);
    const unz64_file_pos at = {entry->at[0], entry->at[1]};
    a->is_open = unzGoToFilePos64(a->zip, &at) == UNZ_OK && unzOpenCurrentFile(a->zip) == UNZ_OK;
    a->cut |= !a->is_open;
    return a->is_open;
}

gssize af_archive_take(af_archive *a, uint8_t *to, size_t capacity, GError **error)
{
    const unsigned most = (unsigned)MIN(capacity, (size_t)1 << 30);
    for (;;) {
        if (!a->is_open && a->next == a->n_chosen) {
            return 0;
        }
        if (!a->is_open && !open_next(a)) {
            continue;
        }
        const int n = unzReadCurrentFile(a->zip, to, most);
        if (a->error != NULL) {
            g_propagate_error(error, g_steal_pointer(&a->error));
            return -1;
        }
        if (n > 0) {
            return n;
        }
        const gboolean whole = n == 0 && unzeof(a->zip) == 1;
        a->is_open = FALSE;
        a->cut |= unzCloseCurrentFile(a->zip) != UNZ_OK || !whole;
    }
}
