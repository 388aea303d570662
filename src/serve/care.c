#include "serve/care.h"

#include "serve/renditions.h"
#include "serve/upload.h"

/* The page of an upload that cannot be read stays this long. */
#define REFUSED_S 3600

void af_care_remember_use(af_server *server)
{
    g_mutex_lock(&server->used_lock);
    g_autoptr(GHashTable) used = server->used;
    server->used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_mutex_unlock(&server->used_lock);
    if (g_hash_table_size(used) > 0) {
        af_store_touch(server->store, used, af_now_s(), NULL);
    }
}

void af_care_remove_overdue(af_server *server, uint64_t bytes)
{
    const af_serve_options *o = server->options;
    const int64_t now_s = af_now_s();
    const uint64_t most = o->max_store > bytes ? o->max_store - bytes : MIN(o->max_store, 1);
    g_autoptr(GPtrArray) ids =
        af_store_overdue(server->store, o->expire_s == 0 ? 0 : now_s - (int64_t)o->expire_s,
                         now_s - REFUSED_S, most, NULL);
    for (guint i = 0; ids != NULL && i < ids->len; i++) {
        af_store_remove(server->store, ids->pdata[i], NULL);
        af_renditions_forget(server->renditions, ids->pdata[i]);
    }
}

const char *af_care_limit(const af_server *server)
{
    g_autofree char *size = af_upload_size(server->options->max_store);
    g_autofree char *text =
        g_strconcat("the uploads do not fit into the store, which is limited to ", size,
                    " (--max-store)", NULL);
    return g_intern_string(text);
}

gboolean af_care_make_space(af_server *server, uint64_t bytes, GError **error)
{
    af_store_totals totals = {0};
    const uint64_t most = server->options->max_store;
    if (most == 0) {
        return TRUE;
    }
    if (!af_store_sum(server->store, &totals, error)) {
        return FALSE;
    }
    if (totals.bytes + bytes > most && bytes <= most) {
        af_care_remember_use(server);
        af_care_remove_overdue(server, bytes);
        if (!af_store_sum(server->store, &totals, error)) {
            return FALSE;
        }
    }
    if (totals.bytes + bytes > most) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_FULL, af_care_limit(server));
        return FALSE;
    }
    return TRUE;
}
