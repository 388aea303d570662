/* Caches the pictures, tables, conversions and pages that are made from uploads. The least recently
 * used ones are removed first. All functions may be called from any thread. */
#pragma once

#include "serve/request.h"

typedef struct af_rendition {
    char *key;
    GBytes *body;   /* NULL = it could not be made, see `status` and `message` */
    GBytes *packed; /* in gzip; NULL = none */
    char *etag;
    unsigned status;
    char *message;
    gsize weight; /* bytes */
    gint references;
    gboolean done; /* under the lock of the cache, like what follows */
    GList link;    /* in the list by last use */
} af_rendition;

/* `most` = bytes that the cache may hold. */
af_renditions *af_renditions_new(af_server *server, gsize most);
void af_renditions_free(af_renditions *cache);

/* Appends a part to a key; the ID of a trace is a part of its own. NULL = "". */
void af_renditions_add_key(GString *key, const char *text);

/* Returns the rendition of a key. If it is new, the caller makes it; otherwise another caller may
 * still be making it. Release it with af_rendition_unref(). */
af_rendition *af_renditions_get(af_renditions *cache, const char *key, gboolean *is_new);

/* Lets the request wait for a rendition. FALSE = it is already made. */
gboolean af_renditions_wait(af_renditions *cache, af_rendition *it, af_request *request);

/* The maker of a rendition sets its body (which is taken over) or the reason why it has none... */
void af_rendition_set_body(af_rendition *it, GBytes *body, gboolean pack);
void af_rendition_fail(af_rendition *it, unsigned status, const char *message);

/* ... and then finishes it, which wakes the waiting requests. A rendition that failed or is too
 * large for the cache is kept for these requests only. */
void af_renditions_finish(af_renditions *cache, af_rendition *it);

/* `it` may be NULL. */
void af_rendition_unref(af_rendition *it);

/* Forgets all renditions of a trace. */
void af_renditions_forget(af_renditions *cache, const char *id);

/* Renditions in the cache, and their bytes. */
void af_renditions_totals(af_renditions *cache, gsize *n, gsize *bytes);
