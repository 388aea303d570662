/* The pages of the server. All of them work without a script. */
#pragma once

#include "base/number.h"
#include "serve/html.h"
#include "serve/request.h"

/* The front page. `recent` may be NULL: this client may not list the uploads. */
GBytes *af_page_home(af_request *request, const GPtrArray *recent, gboolean may_upload);

/* A list of uploads; `n` match `words`. */
GBytes *af_page_list(af_request *request, const GPtrArray *traces, uint64_t n, const char *words,
                     unsigned offset);

/* The page of a trace that was read. */
GBytes *af_page_trace(af_request *request, const af_trace *trace);

/* The page of a trace that is being read. */
GBytes *af_page_waiting(af_request *request, const af_trace *trace, int percent);

/* The links of several traces that were uploaded at once. */
GBytes *af_page_uploaded(af_request *request, const GPtrArray *uploaded);

/* A comparison of the traces of two sides. */
GBytes *af_page_diff(af_request *request, GPtrArray *const sides[2]);

/* The title of a trace: its name, or that of its file. */
const char *af_page_title(const af_trace *trace);

/* The number of rows in a list. */
#define AF_PAGE_ROWS 50u

/* The form for a token; `reason` = NULL: nobody was refused. */
GBytes *af_page_login(const af_request *request, const char *reason);

/* ---- parts that pages share; links are relative to the <base> of af_html_begin() ---- */

/* "2026-11-27 16:13 UTC". Free with g_free(). */
char *af_page_date(int64_t created_us);

/* A link to the page of a trace. */
void af_page_link(af_html *html, const char *id, const char *text);

/* A command line, to be copied. */
void af_page_command(af_html *html, const char *command);
