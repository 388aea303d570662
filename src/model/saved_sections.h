/* The sections of a saved profile but its trees, as base/aflp.h describes them. */
#pragma once

#include "model/codec.h"
#include "model/profile.h"

typedef struct {
    af_profile *profile; /* with the threads, methods and labels that are saved */
    af_facts *facts;     /* of the profile */
    af_warnings *warnings;
    gboolean by_method; /* trees name methods instead of labels */
} af_saved;

/* Writes or reads the content of a section, unless it is none of these. Sections come in their
 * order, only METHODS and LABELS may be read after all others. */
void af_saved_section(af_codec *codec, unsigned section, af_saved *saved);
