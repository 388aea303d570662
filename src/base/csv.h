/* A text as a field of CSV (RFC 4180). */
#pragma once

#include "base/out.h"

/* Writes any UTF-8, in quotes if it needs them. Bidi controls, which make a line look different from
 * its bytes, become U+FFFD. After an apostrophe, a text that a spreadsheet would read as a formula
 * is a text. */
void af_csv_text(af_out *out, const char *text);

/* The same without the apostrophe. */
void af_csv_raw_text(af_out *out, const char *text);
