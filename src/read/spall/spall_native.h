/* Spall's traces of programs that the compiler has made measure themselves: buffers of times and
 * addresses, which are shown as they are. */
#ifndef AF_READ_SPALL_SPALL_NATIVE_H
#define AF_READ_SPALL_SPALL_NATIVE_H

#include "read/frames.h"
#include "read/owners.h"
#include "read/slices.h"
#include "read/source.h"

gboolean af_spall_is_native(const uint8_t *head, size_t length);

/* Takes the whole file, its times multiplied by `scale`. FALSE with AF_ERROR_UNRECOGNISED, _DAMAGED
 * or one of the source. */
gboolean af_spall_native_take(af_source *source, af_sink *sink, af_slices *slices,
                              af_owners *places, af_frames *names, double scale, GError **error);

/* What both kinds have in common. */

/* Whole ticks of so many ns (the product of both), rounded; INT64_MAX if that is beyond all
 * measure. Counters of cycles, and times since 1970 in ns, may have more digits than a double. */
int64_t af_spall_ns(uint64_t ticks, double tick, double tick_ns);

/* Writers that count the final zero of a C string say so in the length. */
af_span af_spall_name(const uint8_t *bytes, size_t length);

#endif
