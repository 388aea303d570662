/* Shared by the two writers of a Gecko profile: one writes recorded samples, the other one calls
 * and trees. */
#pragma once

#include "export/exporter.h"

/* Requires selection->samples. */
gboolean af_gecko_write_samples(const af_profile *profile, const af_selection *selection,
                                af_out *out, GError **error);
