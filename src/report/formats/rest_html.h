/* The part of a page that its script shows when the reader scrolls to it: pieces of HTML, in gzip
 * and base64, in a script element that the browser does not execute. */
#pragma once

#include "base/out.h"

typedef struct af_rest af_rest;

/* Write the pieces to *to, and end each with af_rest_end_piece(). NULL if out of memory. */
af_rest *af_rest_new(af_out **to);
void af_rest_end_piece(af_rest *rest);

/* Writes the element, with data-rest = `prefix` and `id`, and frees the rest. An empty rest writes
 * nothing. `is_rows`: readers without a script see how many rows are missing. */
void af_rest_put(af_rest *rest, af_out *out, const char *prefix, const char *id, gboolean is_rows);
