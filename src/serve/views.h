/* Views: pictures, tables and conversions of a trace, made by workers on demand and cached. */
#pragma once

#include "serve/renditions.h"

/* What to make. */
typedef struct {
    const char *verb;     /* "render" */
    const char *format;   /* "svg" */
    const char *operand;  /* after the input, e.g. the pattern of calls; NULL = none */
    const char *thread;   /* the ID of one thread; NULL = none */
    gboolean needs_calls; /* the upload, not only the saved profile */
    const af_trace *trace;
    const GPtrArray *const *sides; /* to compare: the traces of both; NULL = only `trace` */
} af_order;

/* Returns the view for the order and the queries of the request. The request owns it. NULL if the
 * request was answered (the queries are invalid) or is waiting: then call it again later with the
 * same order. */
const af_rendition *af_views_get(af_request *request, const af_order *order);

/* Whether the queries of a request ask for single calls. */
gboolean af_views_need_calls(const af_request *request);

/* The name of the first query that the verb does not allow; NULL = all are allowed. */
const char *af_views_find_wrong(const af_request *request, const char *verb);

/* The queries that have an effect, as NAME=VALUE; ends with NULL. Free with g_strfreev(). */
char **af_views_list_queries(const af_request *request, const char *verb);
