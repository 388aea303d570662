/* V1 data of which only a window is in memory: pipes and gzip. */
#pragma once

#include "base/spool.h"
#include "read/android/v1data.h"

/* Same contract and result as af_v1_data_read(). */
gboolean af_v1_forward_read(af_source *source, unsigned text_version, af_sink *sink,
                            GError **error);

/* Whether ART or Dalvik writes such a header: then records can be read before the length is known. */
gboolean af_v1_is_valid(const af_source *source);

/* Shared by both ways to read. */
gboolean af_v1_refuse_lossy(GError **error);
void af_v1_warn_1252(const af_spool *mended, af_sink *sink);
void af_v1_warn_partial(uint64_t offset, af_sink *sink);
void af_v1_compare_with_text(unsigned text_version, uint64_t n, af_sink *sink);
