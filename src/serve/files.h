/* The files of traces and comparisons: pictures, tables, conversions, made by workers, and the
 * saved profile. */
#pragma once

#include "serve/request.h"

/* Handlers for the table in routes.c. */
void af_answer_file(af_request *request);
void af_answer_convert(af_request *request);
void af_answer_diff_file(af_request *request);

/* The picture of a trace, in a format for which af_answer_is_picture() holds: svg, png or pdf. */
gboolean af_answer_is_picture(const char *format);
void af_answer_picture(af_request *request, const char *id, const char *format);
