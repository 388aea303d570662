/* Parts that the pages share. Their links are relative to the <base> that af_html_begin() writes. */
#pragma once

#include "base/number.h"
#include "serve/html.h"
#include "serve/pages.h"

/* "2026-11-27 16:13 UTC". Free with g_free(). */
char *af_page_date(int64_t created_us);

/* A link to the page of a trace. */
void af_page_link(af_html *html, const char *id, const char *text);

/* A command line, to be copied. */
void af_page_command(af_html *html, const char *command);
