/* The cache of what was made of uploads: pictures, tables, conversions and pages. The least recently
 * used go first. All functions may be called from any thread. */
#ifndef AF_SERVE_RENDITIONS_H
#define AF_SERVE_RENDITIONS_H

#include "serve/request.h"

typedef struct af_rendition {
    char *key;
    GBytes *body;   /* NULL = it could not be made: */
    GBytes *packed; /* in gzip; NULL = none */
    char *etag;
    unsigned status;
    char *message;
    gsize weight; /* bytes */
    gint references;
    gboolean done;      /* under the lock of the cache, like what follows */
    GPtrArray *waiters; /* of af_request */
    GList link;         /* in the list by last use */
} af_rendition;

/* `most` = bytes that the cache may hold. */
af_renditions *af_renditions_new(gsize most);
void af_renditions_free(af_renditions *cache);

/* Appends a part to a key; the ID of a trace is a part of its own. NULL = "". */
void af_renditions_add_key(GString *key, const char *text);

/* The rendition of a key, perhaps still to be made. If it is new, the caller makes it. Return it with
 * af_rendition_unref(). */
af_rendition *af_renditions_get(af_renditions *cache, const char *key, gboolean *is_new);

/* FALSE = it is made already. Otherwise the request waits for it. */
gboolean af_renditions_wait(af_renditions *cache, af_rendition *it, af_request *request);

/* What the maker of a rendition calls first: takes the body, or the reason that there is none. */
void af_rendition_set_body(af_rendition *it, GBytes *body, gboolean pack);
void af_rendition_fail(af_rendition *it, unsigned status, const char *message);

/* What it calls then: wakes the requests. A failure, or what is too large, is for them only. */
void af_renditions_finish(af_renditions *cache, af_rendition *it);

/* `it` may be NULL. */
void af_rendition_unref(af_rendition *it);

/* Forgets all renditions of a trace. */
void af_renditions_forget(af_renditions *cache, const char *id);

/* Renditions in the cache, and their bytes. */
void af_renditions_totals(af_renditions *cache, gsize *n, gsize *bytes);

#endif
