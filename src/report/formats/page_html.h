/* The frame of every HTML page: head, style sheet, and the script that sorts, searches and shows
 * the rest of long tables (report.js). Between begin and end come header, nav and main. */
#pragma once

#include "base/out.h"

/* `picture`: an SVG that the page will contain, NULL = none; the security policy allows its script. */
void af_page_begin(af_out *out, const char *title, GBytes *picture);
/* `prefix` precedes the id of its section. */
void af_page_put_picture(af_out *out, GBytes *picture, const char *prefix);
/* The saved profile that the page carries. */
void af_page_put_profile(af_out *out, GBytes *profile);

void af_page_end(af_out *out);
