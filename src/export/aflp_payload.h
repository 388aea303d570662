/* The payload of a saved profile: its sections (base/aflp.h), not compressed yet. */
#pragma once

#include "export/aflp.h"
#include "export/aflp_prune.h"

typedef struct {
    const af_profile *profile;
    const af_aflp_options *options;
    gboolean by_method;     /* nodes are saved with their methods instead of labels */
    af_aflp_nodes *threads; /* trees as they are */
    af_aflp_rest rest;      /* the part that remains within a limit */
} af_aflp_saving;

/* FALSE if memory is refused. */
gboolean af_aflp_payload_write(af_array *bytes, const af_aflp_saving *w);
