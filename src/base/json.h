/* Text as JSON writes it. */
#ifndef AF_BASE_JSON_H
#define AF_BASE_JSON_H

#include "base/out.h"

/* The text in quotation marks, with what must not stand in a string escaped. UTF-8 goes as it is.
 */
void af_json_text(af_out *out, const char *text, size_t length);

static inline void af_json_string(af_out *out, const char *text)
{
    af_json_text(out, text, strlen(text));
}

#endif
