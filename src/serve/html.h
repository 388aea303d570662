/* Pages of the server. Everything that comes from a user goes through af_html_put(). */
#pragma once

#include <glib.h>
#include "base/out.h"

typedef struct {
    af_out out;
    GByteArray *bytes;
} af_html;

/* Begins the head of a page, whose links are relative to `base`: "/", or the path of --base-url;
 * NULL = it has no links. End it with af_html_end(). */
af_html *af_html_begin(const char *base, const char *title);

/* Begins its body; `site` is the heading of the server (may be NULL). */
void af_html_body(af_html *html, const char *site);

/* The whole page. Frees `html`. */
GBytes *af_html_end(af_html *html);

/* Markup. */
void af_html_raw(af_html *html, const char *markup);

/* Writes the markup; each "%" in it stands for the next text, also as a value in double quotes.
 * Characters that are invisible or reorder text become U+FFFD. NULL ends the texts. */
void af_html_put(af_html *html, const char *markup, ...) G_GNUC_NULL_TERMINATED;

/* A part of a URL. */
void af_html_url_part(af_html *html, const char *text);

/* A page with a heading and lines of text. */
GBytes *af_html_message(const char *base, const char *site, const char *heading, const char *text);

/* The same in place of a picture or table, which may be in a frame of a page: without links. */
GBytes *af_html_frame_message(const char *heading, const char *text);

typedef enum {
    AF_KIND_PAGE,    /* HTML of the server itself */
    AF_KIND_FRAME,   /* a message of the server in place of a picture or report */
    AF_KIND_PICTURE, /* an SVG: sandboxed */
    AF_KIND_REPORT,  /* HTML that a worker made: sandboxed */
    AF_KIND_OTHER,
    AF_KINDS,
} af_response_kind;

/* The content security policies by kind. Free each with g_free(). */
void af_html_set_policies(char *policies[AF_KINDS]);
