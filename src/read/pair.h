/* Old traces of Dalvik are pairs of files: a text with the names, and the records. */
#pragma once

#include "read/source.h"

/* Whether the source is the text of a pair, without records after it; this reads it. */
gboolean af_pair_is_key(af_source *source);

/* Whether an input that begins like this is the records of a pair, without a text. */
gboolean af_pair_is_data(const uint8_t *head, size_t length);
