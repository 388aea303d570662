#include "serve/rebuild.h"

#include <sys/stat.h>
#include <unistd.h>
#include "serve/blobs.h"
#include "serve/pack.h"
#include "serve/upload_reader.h"

typedef struct {
    unsigned restored, aside;
} counts;

static int open_blob(af_server *server, const char *id, af_blob blob)
{
    return server->store->class->open(server->store, id, blob, NULL);
}

/* The upload; -1 = the store no longer has it, or an error. */
static int open_upload(af_server *server, const char *id, GError **error)
{
    g_autoptr(GError) why = NULL;
    const int fd = af_pack_open(server->store, id, &why);
    if (g_error_matches(why, AF_STORE_ERROR, AF_STORE_ABSENT)) {
        return open_blob(server, id, AF_BLOB_UPLOAD); /* it was not read yet */
    }
    if (why != NULL) {
        g_propagate_error(error, g_steal_pointer(&why));
    }
    return fd;
}

/* The values that follow from the bytes of the upload. */
static void take_content(af_trace *trace, int fd)
{
    g_autoptr(GChecksum) sha256 = g_checksum_new(G_CHECKSUM_SHA256),
                         md5 = g_checksum_new(G_CHECKSUM_MD5);
    trace->size = af_blobs_hash(fd, sha256, md5);
    af_trace_set(&trace->content, g_checksum_get_string(sha256));
    if (g_str_equal(trace->content, trace->id)) { /* otherwise the link is private */
        g_free(trace->old_id);
        trace->old_id = g_ascii_strup(g_checksum_get_string(md5), -1);
    }
}

/* The name of the file, the delete token and what the users wrote were in the index only. */
static af_trace *make_trace(const char *id)
{
    af_trace *trace = af_trace_new();
    g_free(trace->file_name);
    trace->file_name = g_strdup_printf("%.8s.trace", id);
    af_trace_set(&trace->id, id);
    af_trace_set(&trace->content, id);
    trace->state = AF_TRACE_WAITING;
    return trace;
}

static gboolean restore(af_server *server, const char *id, counts *n, GError **error)
{
    const int profile = open_blob(server, id, AF_BLOB_PROFILE);
    const int mapping = open_blob(server, id, AF_BLOB_MAPPING);
    g_autoptr(af_trace) trace = make_trace(id);
    g_autoptr(GError) damage = NULL;
    const int upload = open_upload(server, id, &damage);
    const int fd = profile >= 0 ? profile : upload;
    struct stat status;
    trace->created_us = fd >= 0 && fstat(fd, &status) == 0
                            ? status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000
                            : g_get_real_time();
    trace->has_mapping = mapping >= 0;
    trace->has_upload = upload >= 0;
    if (upload >= 0) {
        take_content(trace, upload);
    }
    gboolean ok = profile < 0 || af_upload_reader_restore(server, trace, profile, error);
    const gboolean usable =
        damage == NULL && (profile >= 0 || upload >= 0) && trace->state != AF_TRACE_REFUSED;
    if (ok && usable) {
        ok = server->store->class->restore(server->store, trace, error);
        n->restored += ok ? 1 : 0;
    } else if (ok) {
        server->options->host->print(id, damage != NULL ? damage->message : trace->problem);
        server->store->class->set_aside(server->store, id);
        n->aside++;
    }
    af_blobs_close(profile);
    af_blobs_close(mapping);
    af_blobs_close(upload);
    return ok;
}

gboolean af_rebuild_run(af_server *server)
{
    counts n = {0, 0};
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) ids = server->store->class->lost(server->store);
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < ids->len; i++) {
        ok = restore(server, ids->pdata[i], &n, &error);
    }
    g_autofree char *text =
        ok ? g_strdup_printf("uploads added to the index: %u; damaged and renamed to "
                             "*.damaged: %u",
                             n.restored, n.aside)
           : g_strdup(error->message);
    server->options->host->print(NULL, text);
    return ok;
}
