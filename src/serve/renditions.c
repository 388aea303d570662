#include "serve/renditions.h"

#include <string.h>
#include "serve/pack.h"

/* The memory of a rendition besides its bytes. */
#define OVERHEAD 1024

struct af_renditions {
    GMutex lock;
    GHashTable *by_key; /* of af_rendition; holds a reference */
    GQueue by_use;      /* finished ones, the last used first */
    gsize bytes, most;
    af_server *server;
};

af_renditions *af_renditions_new(af_server *server, gsize most)
{
    af_renditions *cache = g_new0(af_renditions, 1);
    g_mutex_init(&cache->lock);
    g_queue_init(&cache->by_use);
    cache->by_key = g_hash_table_new(g_str_hash, g_str_equal);
    cache->most = most;
    cache->server = server;
    return cache;
}

void af_rendition_unref(af_rendition *it)
{
    if (it == NULL || !g_atomic_int_dec_and_test(&it->references)) {
        return;
    }
    g_clear_pointer(&it->body, g_bytes_unref);
    g_clear_pointer(&it->packed, g_bytes_unref);
    g_free(it->message);
    g_free(it->etag);
    g_free(it->key);
    g_free(it);
}

/* Under the lock. */
static void drop(af_renditions *cache, af_rendition *it)
{
    if (it->done) {
        g_queue_unlink(&cache->by_use, &it->link);
        cache->bytes -= it->weight;
    }
    g_hash_table_remove(cache->by_key, it->key);
    af_rendition_unref(it);
}

void af_renditions_free(af_renditions *cache)
{
    while (cache->by_use.head != NULL) {
        drop(cache, cache->by_use.head->data);
    }
    g_hash_table_unref(cache->by_key);
    g_mutex_clear(&cache->lock);
    g_free(cache);
}

void af_renditions_add_key(GString *key, const char *text)
{
    const char *known = text == NULL ? "" : text;
    g_string_append_printf(key, "%zu:%s", strlen(known), known);
}

af_rendition *af_renditions_get(af_renditions *cache, const char *key, gboolean *is_new)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&cache->lock);
    af_rendition *it = g_hash_table_lookup(cache->by_key, key);
    *is_new = it == NULL;
    if (it == NULL) {
        it = g_new0(af_rendition, 1);
        it->references = 1;
        it->key = g_strdup(key);
        it->link.data = it;
        g_hash_table_insert(cache->by_key, it->key, it);
    } else if (it->done) {
        g_queue_unlink(&cache->by_use, &it->link);
        g_queue_push_head_link(&cache->by_use, &it->link);
    }
    g_atomic_int_inc(&it->references);
    return it;
}

gboolean af_renditions_wait(af_renditions *cache, af_rendition *it, af_request *request)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&cache->lock);
    const gboolean waits = !it->done;
    if (waits) {
        af_request_wait(request, it);
    }
    return waits;
}

void af_rendition_set_body(af_rendition *it, GBytes *body, gboolean pack)
{
    gsize size;
    const void *bytes = g_bytes_get_data(body, &size);
    it->body = body;
    it->status = MHD_HTTP_OK;
    it->packed = pack ? af_pack_body(body) : NULL;
    it->etag = g_compute_checksum_for_data(G_CHECKSUM_SHA256,
                                           bytes != NULL ? bytes : (const guchar *)"", size);
    it->etag[32] = '\0';
    it->weight = OVERHEAD + size + (it->packed != NULL ? g_bytes_get_size(it->packed) : 0);
}

void af_rendition_fail(af_rendition *it, unsigned status, const char *message)
{
    it->status = status;
    it->message = g_strdup(message[0] != '\0' ? message : "unknown reason");
    it->weight = OVERHEAD;
}

void af_renditions_finish(af_renditions *cache, af_rendition *it)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&cache->lock);
    const gboolean listed = g_hash_table_lookup(cache->by_key, it->key) == it;
    it->done = TRUE;
    if (listed) {
        g_queue_push_head_link(&cache->by_use, &it->link);
        cache->bytes += it->weight;
    }
    af_wait_set_resume(&cache->server->waits, it);
    if (listed && (it->body == NULL || it->weight > cache->most)) {
        drop(cache, it);
    }
    while (cache->bytes > cache->most && cache->by_use.tail != NULL) {
        drop(cache, cache->by_use.tail->data);
    }
}

void af_renditions_forget(af_renditions *cache, const char *id)
{
    GHashTableIter iter;
    gpointer value;
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&cache->lock);
    g_hash_table_iter_init(&iter, cache->by_key);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        if (strstr(((const af_rendition *)value)->key, id) != NULL) {
            g_ptr_array_add(found, value);
        }
    }
    for (guint i = 0; i < found->len; i++) {
        drop(cache, found->pdata[i]);
    }
}

void af_renditions_totals(af_renditions *cache, gsize *n, gsize *bytes)
{
    g_autoptr(GMutexLocker) G_GNUC_UNUSED locker = g_mutex_locker_new(&cache->lock);
    *n = g_hash_table_size(cache->by_key);
    *bytes = cache->bytes;
}
