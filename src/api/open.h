/* The steps of opening a profile. */
#pragma once

#include "build/profile_builder.h"
#include "read/reader.h"

/* The requirements of the options for the sources. */
af_source_needs af_open_needs(const af_open_options *options);

/* Reads with `reader`; `other` may be NULL. Either the sources or the sink report the progress. */
gboolean af_open_read(const af_reader *reader, af_source *source, af_source *other,
                      const af_open_options *options, af_sink *sink, GError **error);

/* Reads the sources and builds their profile. */
af_profile *af_open_profile(af_source *source, af_source *other, const af_open_options *options,
                            GError **error);
