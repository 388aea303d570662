/* The files of traces and comparisons: pictures, tables, conversions, made by workers, and the
 * saved profile. */
#pragma once

#include "serve/request.h"

/* Handlers for the table in routes.c. */
void af_answer_file(af_request *request);
void af_answer_convert(af_request *request);
void af_answer_diff_file(af_request *request);

/* The picture of a trace: svg, png or pdf. */
void af_answer_picture(af_request *request, const char *id, const char *format);
