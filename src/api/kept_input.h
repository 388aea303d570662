/* The input of a profile, kept to be read again. */
#ifndef AF_API_KEPT_INPUT_H
#define AF_API_KEPT_INPUT_H

#include "build/consumer.h"
#include "calls/call_walk.h"
#include "read/reader.h"

/* Gives both sources, of which `other` may be NULL, to the profile that was read from them. */
void af_kept_input_attach(af_profile *profile, af_source *source, af_source *other,
                          const af_open_options *options);

/* Reads the input of `profile`, or of what it was made from, once more and tells `observer` every
 * call, under the numbers of the profile that was read; of `only`, a byte for each label, if it is
 * not NULL, those with a 1 and calls right inside them. The selection of threads in `options` is
 * not looked at. Errors are those of af_calls_walk(). */
gboolean af_kept_input_walk(const af_profile *profile, const af_observer *observer,
                            const guint8 *only, const af_calls_options *options, GError **error);

/* The same for a raw consumer, which receives everything as the file has it. */
gboolean af_kept_input_listen(const af_profile *profile, const af_event_consumer *consumer,
                              GError **error);

/* The same for a profile of samples. */
gboolean af_kept_input_listen_samples(const af_profile *profile, const af_event_consumer *consumer,
                                      const af_calls_options *options, GError **error);

#endif
