/* Comments of R8: JSON objects about the previous line, and "key: value" about the file.
 *
 * Writers differ: quotes may be single or missing around keys, and members may be in any order.
 * Unknown members are ignored. */
#pragma once

#include "base/span.h"

/* Members of the object, with their escapes; bytes == NULL if missing. */
typedef struct {
    af_span id, version, file_name, signature;
} af_comment;

/* Parses the text after the "#". FALSE if it is not an object. Members before damage count. */
gboolean af_comment_parse(af_span text, af_comment *remark);

/* Splits "key: value". FALSE if the text has another form. */
gboolean af_comment_split(af_span text, af_span *key, af_span *value);

/* Appends the value of a member, with its escapes decoded, to `to`. */
void af_comment_append(GString *to, af_span value);
