/* What the two ways to a Gecko profile share: from samples as they were recorded, or from calls and
 * trees. */
#ifndef AF_EXPORT_GECKO_H
#define AF_EXPORT_GECKO_H

#include "export/exporter.h"

/* Where selection->samples is. */
gboolean af_gecko_write_samples(const af_profile *profile, const af_selection *selection,
                                af_out *out, GError **error);

#endif
