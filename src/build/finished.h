/* Finished profiles: the results of an earlier run of aflame, as base/aflp.h stores them.
 *
 * A sink that gets one receives no events. The invariants of the trees are checked; strings are
 * cleaned and copied. */
#pragma once

#include "build/sink.h"

/* Reads the payload of a saved profile. Returns FALSE if it is damaged, or if memory is refused or at
 * its limit, which the sink records. */
gboolean af_finished_read(af_sink *sink, const uint8_t *payload, size_t length,
                          const af_open_options *options);

/* Which side of a comparison the profile is: "before" or "after", static. At any time. */
void af_finished_set_side(af_sink *sink, const char *side);
