#include "serve/upload.h"

#include <microhttpd.h>
#include <string.h>
#include <unistd.h>
#include "serve/answers.h"
#include "serve/blobs.h"
#include "serve/care.h"
#include "serve/log.h"
#include "serve/reading.h"
#include "serve/renditions.h"
#include "serve/request.h"

/* Files of one form. */
#define MOST_FILES 64u
#define PIECE      ((size_t)1 << 20)

typedef struct {
    char *name;
    int fd;
    uint64_t size;
    GChecksum *sha256, *md5;
} file;

struct af_upload {
    af_server *server;
    GPtrArray *files; /* of file: traces */
    file *mapping;    /* NULL = none */
    file *current;
    uint64_t bytes, unproven; /* received */
    GPtrArray *uploaded;      /* of af_uploaded */
    GMutex lock;
    gboolean begun, done; /* storing the files; under the lock */
    GError *error;        /* why they were refused; NULL = stored */
};

static void free_file(gpointer user)
{
    g_autofree file *it = user;
    if (it == NULL) {
        return;
    }
    af_blobs_close(it->fd);
    g_checksum_free(it->sha256);
    g_checksum_free(it->md5);
    g_free(it->name);
}

static void free_uploaded(gpointer user)
{
    g_autofree af_uploaded *it = user;
    g_free(it->file_name);
    g_free(it->id);
    g_free(it->delete_token);
}

af_upload *af_upload_new(af_server *server)
{
    af_upload *upload = g_new0(af_upload, 1);
    upload->server = server;
    upload->files = g_ptr_array_new_with_free_func(free_file);
    upload->uploaded = g_ptr_array_new_with_free_func(free_uploaded);
    g_mutex_init(&upload->lock);
    return upload;
}

void af_upload_free(af_upload *upload)
{
    if (upload != NULL) {
        af_count(&upload->server->incoming.all, -(gsize)upload->bytes);
        af_count(&upload->server->incoming.unproven, -(gsize)upload->unproven);
        g_ptr_array_unref(upload->files);
        g_ptr_array_unref(upload->uploaded);
        free_file(upload->mapping);
        g_mutex_clear(&upload->lock);
        g_clear_error(&upload->error);
        g_free(upload);
    }
}

const GPtrArray *af_upload_list(const af_upload *upload)
{
    return upload->uploaded;
}

char *af_upload_size(uint64_t size)
{
    static const char units[] = "KMGT";
    int unit = -1;
    while (size > 0 && size % 1024 == 0 && unit < 3) {
        size /= 1024;
        unit++;
    }
    return g_strdup_printf("%llu%c", (unsigned long long)size, unit < 0 ? 'B' : units[unit]);
}

const char *af_upload_limit(const af_server *server)
{
    g_autofree char *size = af_upload_size(server->options->max_upload);
    g_autofree char *text = g_strconcat("the upload is larger than the limit of this server, ",
                                        size, " (--max-upload)", NULL);
    return g_intern_string(text);
}

/* The last part of a path, whichever separator the client uses. */
static char *clean_name(const char *name)
{
    const char *slash = strrchr(name, '/'), *backslash = strrchr(name, '\\');
    const char *begin = slash > backslash ? slash : backslash;
    g_autofree char *valid = g_utf8_make_valid(begin != NULL ? begin + 1 : name, -1);
    char *cut = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), 120));
    if (cut[0] == '\0') {
        g_free(cut);
        cut = g_strdup("trace");
    }
    return cut;
}

static gboolean begin_file(af_upload *upload, const char *field, const char *name, GError **error)
{
    const gboolean is_mapping = strcmp(field, "mapping") == 0;
    if (upload->files->len >= MOST_FILES || (is_mapping && upload->mapping != NULL)) {
        return af_request_reject(error, MHD_HTTP_BAD_REQUEST, "the form has too many files");
    }
    if (!is_mapping && strcmp(field, "trace_file") != 0) {
        return af_request_reject(error, MHD_HTTP_BAD_REQUEST,
                                 "the fields for files are trace_file and mapping");
    }
    file *it = g_new0(file, 1);
    it->name = clean_name(name);
    it->sha256 = g_checksum_new(G_CHECKSUM_SHA256);
    it->md5 = g_checksum_new(G_CHECKSUM_MD5);
    it->fd = upload->server->store->class->begin(upload->server->store, error);
    if (it->fd < 0) {
        free_file(it);
        return FALSE;
    }
    if (is_mapping) {
        upload->mapping = it;
    } else {
        g_ptr_array_add(upload->files, it);
    }
    upload->current = it;
    return TRUE;
}

/* Before the first bytes of a file, the HTTP library may report that there are none yet. */
static gboolean has_begun(const af_upload *upload, const char *field, const char *name)
{
    const file *it = upload->current;
    const gboolean is_mapping = strcmp(field, "mapping") == 0;
    if (it == NULL || it->size > 0 || (it == upload->mapping) != is_mapping) {
        return FALSE;
    }
    g_autofree char *clean = clean_name(name);
    return strcmp(it->name, clean) == 0;
}

static gboolean append(file *it, const char *bytes, size_t length, GError **error)
{
    g_checksum_update(it->sha256, (const guchar *)bytes, (gssize)length);
    g_checksum_update(it->md5, (const guchar *)bytes, (gssize)length);
    it->size += length;
    return af_blobs_write(it->fd, bytes, length, "cannot store the upload", error);
}

/* Many clients that send at the same time must not fill the disk before any of them can be
 * rejected. */
static gboolean count_bytes(af_upload *upload, gboolean proven, size_t length, GError **error)
{
    const af_serve_options *o = upload->server->options;
    af_incoming *incoming = &upload->server->incoming;
    af_count(&incoming->all, length);
    upload->bytes += length;
    if (!proven) {
        af_count(&incoming->unproven, length);
        upload->unproven += length;
    }
    if (upload->bytes > o->max_upload) {
        return af_request_reject(error, MHD_HTTP_CONTENT_TOO_LARGE,
                                 af_upload_limit(upload->server));
    }
    if (!proven && incoming->unproven > o->max_upload) {
        return af_request_reject(
            error, MHD_HTTP_UNAUTHORIZED,
            "the server is receiving too many uploads without a token: put the field "
            "token before the files");
    }
    if (o->max_store > 0 && incoming->all > o->max_store) {
        return af_request_reject(error, MHD_HTTP_INSUFFICIENT_STORAGE,
                                 af_care_limit(upload->server));
    }
    return TRUE;
}

gboolean af_upload_take(af_upload *upload, gboolean proven, const char *field,
                        const char *file_name, const char *bytes, uint64_t offset, size_t length,
                        GError **error)
{
    if (offset == 0 && file_name[0] == '\0' && length == 0) {
        return TRUE; /* a field of a page without a file */
    }
    return (offset > 0 || has_begun(upload, field, file_name) ||
            begin_file(upload, field, file_name, error)) &&
           count_bytes(upload, proven, length, error) &&
           append(upload->current, bytes, length, error);
}

static gboolean has_suffix(const file *it, const char *suffix)
{
    g_autofree char *lower = g_ascii_strdown(it->name, -1);
    return g_str_has_suffix(lower, suffix);
}

static gboolean are_pair(const file *key, const file *data)
{
    const size_t stem = strlen(key->name) - MIN(strlen(key->name), strlen("key"));
    return has_suffix(key, ".key") && has_suffix(data, ".data") &&
           strlen(data->name) == stem + strlen("data") && strncmp(key->name, data->name, stem) == 0;
}

static gboolean append_file(file *to, const file *from, GError **error)
{
    g_autofree char *bytes = g_malloc(PIECE);
    gboolean ok = TRUE;
    ssize_t n = 0;
    for (uint64_t at = 0; ok && at < from->size; at += (uint64_t)n) {
        n = pread(from->fd, bytes, PIECE, (off_t)at);
        ok = n > 0 && append(to, bytes, (size_t)n, error);
        if (n <= 0) {
            g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                                "cannot read the upload again");
        }
    }
    return ok;
}

/* The two files of an old trace become one: the text, then the records. */
static gboolean join_pairs(af_upload *upload, GError **error)
{
    for (guint k = 0; k < upload->files->len; k++) {
        for (guint d = 0; d < upload->files->len; d++) {
            file *key = upload->files->pdata[k];
            if (are_pair(key, upload->files->pdata[d])) {
                if (!append_file(key, upload->files->pdata[d], error)) {
                    return FALSE;
                }
                key->name[strlen(key->name) - strlen(".key")] = '\0';
                g_ptr_array_remove_index(upload->files, d);
                k -= d < k ? 1 : 0;
                break;
            }
        }
    }
    return TRUE;
}

/* *token = the delete token. NULL with an error. */
static af_trace *make_trace(const af_upload *upload, const af_request *request, const file *it,
                            char **token, GError **error)
{
    const gboolean private = upload->server->options->private_links;
    const char *content = g_checksum_get_string(it->sha256);
    g_autofree char *id = private ? af_trace_random() : g_strdup(content);
    *token = id == NULL ? NULL : af_trace_random();
    if (*token == NULL) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN,
                            "the system provides no random bytes");
        return NULL;
    }
    af_trace *trace = af_trace_new();
    af_trace_set(&trace->content, content);
    af_trace_set(&trace->id, id);
    if (!private) {
        g_free(trace->old_id);
        trace->old_id = g_ascii_strup(g_checksum_get_string(it->md5), -1);
    }
    af_trace_set(&trace->file_name, it->name);
    af_answer_take_texts(request, trace);
    g_free(trace->delete_hash);
    trace->delete_hash = af_trace_hash(*token);
    trace->size = it->size;
    trace->created_us = g_get_real_time();
    trace->has_upload = TRUE;
    trace->has_mapping = upload->mapping != NULL && upload->mapping->size > 0;
    return trace;
}

/* Known content needs no space. */
static gboolean has_space(af_server *server, const af_trace *trace, GError **error)
{
    return af_store_knows(server->store, trace->content) ||
           af_care_make_space(server, trace->size, error);
}

/* Whether a trace has this mapping. */
static gboolean has_mapping(af_store *store, const char *id, GChecksum *mapping)
{
    const int fd = store->class->open(store, id, AF_BLOB_MAPPING, NULL);
    if (fd < 0) {
        return FALSE;
    }
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    af_blobs_hash(fd, sum, NULL);
    close(fd);
    return strcmp(g_checksum_get_string(sum), g_checksum_get_string(mapping)) == 0;
}

/* The mapping of the form applies to a trace that was uploaded without one. Anyone may upload, so
 * it does not replace another one. */
static gboolean apply_mapping(const af_upload *upload, const char *id, GError **error)
{
    af_server *server = upload->server;
    gboolean added;
    if (!af_store_add_mapping(server->store, id, upload->mapping->fd, &added, error)) {
        return FALSE;
    }
    if (added) {
        af_renditions_forget(server->renditions, id);
        return TRUE;
    }
    const gboolean same = has_mapping(server->store, id, upload->mapping->sha256);
    if (!same) {
        g_set_error(error, AF_STORE_ERROR, AF_STORE_CONFLICT,
                    "the server has this trace with another mapping: delete the upload "
                    "/trace/%s to replace it",
                    id);
    }
    return same;
}

/* The answer waits for known content too, if it was not read yet. */
static void follow(af_server *server, const char *id)
{
    g_autoptr(af_trace) trace = af_store_lookup(server->store, id, NULL);
    if (trace != NULL && trace->state == AF_TRACE_WAITING) {
        af_readings_follow(server, id);
    }
}

static gboolean store_file(af_upload *upload, const af_request *request, const file *it,
                           GError **error)
{
    af_server *server = upload->server;
    g_autofree char *token = NULL, *known = NULL;
    g_autoptr(af_trace) trace = make_trace(upload, request, it, &token, error);
    if (trace == NULL) {
        return FALSE;
    }
    const int mapping = trace->has_mapping ? upload->mapping->fd : -1;
    const gboolean ok = has_space(server, trace, error) &&
                        af_store_add(server->store, trace, it->fd, mapping, &known, error) &&
                        (known == NULL || mapping < 0 || apply_mapping(upload, known, error));
    if (ok && known == NULL) {
        af_readings_queue(server, trace->id);
    } else if (ok) {
        follow(server, known);
    }
    if (ok) {
        af_uploaded *added = g_new0(af_uploaded, 1);
        added->file_name = g_strdup(it->name);
        added->id = g_strdup(known != NULL ? known : trace->id);
        added->delete_token = known != NULL ? NULL : g_steal_pointer(&token);
        g_ptr_array_add(upload->uploaded, added);
        af_count(&server->counters.uploads, 1);
        af_count(&server->counters.upload_bytes, it->size);
        af_log(server, AF_LOG_INFO, "uploaded %s, %" G_GUINT64_FORMAT " bytes: trace %s%s",
               it->name, it->size, added->id, known != NULL ? ", known already" : "");
    }
    return ok;
}

/* Stores all files durably and queues them for reading. Blocks. */
static gboolean store_files(af_upload *upload, const af_request *request, GError **error)
{
    if (!join_pairs(upload, error)) {
        return FALSE;
    }
    if (upload->files->len == 0) {
        return af_request_reject(error, MHD_HTTP_BAD_REQUEST,
                                 "the form has no file in the field trace_file");
    }
    for (guint i = 0; i < upload->files->len; i++) {
        const file *it = upload->files->pdata[i];
        if (it->size == 0) {
            g_set_error(error, AF_REQUEST_ERROR, MHD_HTTP_BAD_REQUEST, "%s is empty", it->name);
            return FALSE;
        }
    }
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < upload->files->len; i++) {
        ok = store_file(upload, request, upload->files->pdata[i], error);
    }
    return ok;
}

static void run(gpointer user)
{
    af_request *request = user;
    af_upload *upload = request->upload;
    (void)store_files(upload, request, &upload->error);
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&upload->lock);
    upload->done = TRUE;
    af_wait_set_resume(&request->server->waits, upload);
}

gboolean af_upload_store(af_request *request)
{
    af_upload *upload = request->upload;
    g_mutex_lock(&upload->lock);
    const gboolean done = upload->done, first = !upload->begun;
    upload->begun = TRUE;
    request->storing = !done;
    if (!done) {
        af_request_wait(request, upload);
    }
    g_mutex_unlock(&upload->lock);
    if (first && request->waits) {
        af_pool_push(request->server->disk, run, request);
    }
    if (done && upload->error != NULL) {
        af_request_fail(request, g_steal_pointer(&upload->error));
        return FALSE;
    }
    return done;
}
