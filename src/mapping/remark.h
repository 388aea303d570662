/* What R8 says in remarks: JSON objects about the line before, and "key: value" about the file.
 *
 * Read as leniently as there are writers: quotes of either kind or none, members in any order, what
 * is unknown is passed over. */
#ifndef AF_MAPPING_REMARK_H
#define AF_MAPPING_REMARK_H

#include "base/slice.h"

/* Members of the object; bytes == NULL if it lacks them. As they stand, escapes and all. */
typedef struct {
    af_slice id, version, file_name, signature;
} af_remark;

/* FALSE if the text (what stands behind the #) is no object. Members before a damaged place
 * count. */
gboolean af_remark_parse(af_slice text, af_remark *remark);

/* "key: value" as two pieces. FALSE if it is not that. */
gboolean af_remark_cut(af_slice text, af_slice *key, af_slice *value);

/* The value of a member with its escapes undone. Appended to `to`. */
void af_remark_append(GString *to, af_slice value);

#endif
