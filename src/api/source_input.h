/* Implements calls/input.h: the sources of a profile stay open for a second reading. */
#pragma once

#include "model/profile.h"
#include "read/reader.h"

/* The profile read from the sources takes ownership of them. `other` may be NULL. */
void af_source_input_attach(af_profile *profile, af_source *source, af_source *other,
                            const af_open_options *options);
