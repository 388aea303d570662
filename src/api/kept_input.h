/* The sources of a profile, kept open to be read again with the reader that fits them. */
#ifndef AF_API_KEPT_INPUT_H
#define AF_API_KEPT_INPUT_H

#include "model/profile.h"
#include "read/reader.h"

/* Gives both sources, of which `other` may be NULL, to the profile that was read from them. */
void af_kept_input_attach(af_profile *profile, af_source *source, af_source *other,
                          const af_open_options *options);

#endif
