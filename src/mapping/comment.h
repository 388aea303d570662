/* What R8 says in remarks: JSON objects about the line before, and "key: value" about the file.
 *
 * Read as leniently as there are writers: quotes of either kind or none, members in any order, what
 * is unknown is passed over. */
#ifndef AF_MAPPING_COMMENT_H
#define AF_MAPPING_COMMENT_H

#include "base/span.h"

/* Members of the object; bytes == NULL if it lacks them. As they stand, escapes and all. */
typedef struct {
    af_span id, version, file_name, signature;
} af_comment;

/* FALSE if the text (what stands behind the #) is no object. Members before a damaged place
 * count. */
gboolean af_comment_parse(af_span text, af_comment *remark);

/* "key: value" as two pieces. FALSE if it is not that. */
gboolean af_comment_cut(af_span text, af_span *key, af_span *value);

/* The value of a member with its escapes undone. Appended to `to`. */
void af_comment_append(GString *to, af_span value);

#endif
