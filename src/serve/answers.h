/* The handlers of the URLs, for the table in routes.c. Each answers the request or makes it wait. */
#pragma once

#include "serve/request.h"

#define AF_HTML_TYPE "text/html; charset=utf-8"
#define AF_TEXT_TYPE "text/plain; charset=utf-8"

/* Sends a body, which may be NULL, and frees it. */
void af_answer_send(af_request *request, unsigned status, const char *type, af_response_kind kind,
                    GBytes *body);

/* The trace of the link, if it was read. NULL if the request was answered (it does not exist, it
 * cannot be read) or, with `wait`, waits until it has been read. Free with af_trace_free(). */
af_trace *af_answer_find(af_request *request, const char *id, gboolean wait);

/* Returns why an upload was not read, and sets the status of the response; NULL = it was read, or
 * will be. `trace` may be NULL. Free with g_free(). */
char *af_answer_find_problem(const af_request *request, const af_trace *trace, unsigned *status);

/* Whether the request may change the trace: by its delete token, or a token with the right to
 * delete. If not, answers. */
gboolean af_answer_may_change(af_request *request, const af_trace *trace);

/* Takes name, note and tags from the fields of the request. */
void af_answer_take_texts(const af_request *request, af_trace *trace);

/* The same, and stores them. If that fails, answers and returns FALSE. */
gboolean af_answer_edit(af_request *request, af_trace *trace);
gboolean af_answer_delete(af_request *request, const af_trace *trace);

/* Whether a verb takes all queries as options. If not, answers. */
gboolean af_answer_check_queries(af_request *request, const char *verb);

/* The traces (af_trace) of both sides of a comparison, as af_answer_find() does. Free them with
 * af_answer_free_sides(), also after FALSE. */
gboolean af_answer_find_sides(af_request *request, GPtrArray *sides[2], gboolean wait);
void af_answer_free_sides(GPtrArray *sides[2]);

/* Whether the client may list uploads. If not, answers. */
gboolean af_answer_may_list(af_request *request);

void af_answer_home(af_request *request);
void af_answer_icon(af_request *request);
void af_answer_list(af_request *request);
void af_answer_login_form(af_request *request);
void af_answer_login(af_request *request);
void af_answer_upload(af_request *request);
void af_answer_trace(af_request *request);
void af_answer_change(af_request *request);
void af_answer_diff_form(af_request *request);
void af_answer_diff(af_request *request);
void af_answer_health(af_request *request);
void af_answer_metrics(af_request *request);
void af_answer_api_list(af_request *request);
void af_answer_api_trace(af_request *request);
void af_answer_api_edit(af_request *request);
void af_answer_api_delete(af_request *request);
void af_answer_api_schema(af_request *request);

/* The JSON of the answer to an upload, and of a refusal, in api.c. */
void af_answer_api_uploaded(af_request *request, const GPtrArray *uploaded);
GBytes *af_answer_api_error(unsigned status, const char *text);
