/* Which handler answers which URL. */
#pragma once

#include "serve/request.h"

/* Answers the request, or makes it wait. */
void af_routes_run(af_request *request);

/* Whether the body of the request is a form; prepares for its files. */
gboolean af_routes_take_form(af_request *request);
