/* Spall's traces of programs that the compiler instruments: buffers of times and addresses, which
 * are shown as hexadecimal numbers. */
#pragma once

#include "read/frames.h"
#include "read/owners.h"
#include "read/slices.h"
#include "read/source.h"

gboolean af_spall_is_native(const uint8_t *head, size_t length);

/* Reads the whole file; its times are multiplied by `scale`. Returns FALSE with
 * AF_ERROR_UNRECOGNISED, _DAMAGED or an error of the source. */
gboolean af_spall_native_take(af_source *source, af_sink *sink, af_slices *slices,
                              af_owners *owners, af_frames *names, double scale, GError **error);

/* Shared by both kinds. */

/* Converts ticks to ns (the product of both), rounded; INT64_MAX if it does not fit. Cycle
 * counters, and times since 1970 in ns, may have more digits than a double. */
int64_t af_spall_ns(uint64_t ticks, double tick, double tick_ns);

/* Some tools include the final zero of a C string in the length. */
af_span af_spall_name(const uint8_t *bytes, size_t length);
