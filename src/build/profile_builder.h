/* The builder's side of a sink: from an empty sink to a profile.
 *
 * af_sink_new(), then a reader fills the sink, then af_sink_finish() makes the profile, then
 * af_sink_free(). A second reading uses af_sink_new_again() and is never finished: its consumer
 * receives everything and the sink keeps nothing. */
#ifndef AF_BUILD_PROFILE_BUILDER_H
#define AF_BUILD_PROFILE_BUILDER_H

#include "build/consumer.h"
#include "build/sink.h"
#include "build/walk_plan.h"
#include "model/profile.h"

af_sink *af_sink_new(const af_open_options *options);
void af_sink_free(af_sink *sink);

/* For a second reading, with the numbers that methods and threads had in the first one. Borrows
 * `consumer`. Works on one thread. */
af_sink *af_sink_new_again(const af_open_options *options, const af_walk_plan *plan,
                           const af_event_consumer *consumer);

/* Gives a method another name than the file's, before methods are merged by their names. New
 * strings lie in the arena. */
typedef void (*af_renamer)(void *user, af_arena *arena, af_method *method);
void af_sink_set_renamer(af_sink *sink, af_renamer rename, void *user);

/* The sources report the progress instead of the sink. */
void af_sink_mute_progress(af_sink *sink);

/* Whether the machine refused memory while the sink was filled. */
gboolean af_sink_was_refused(const af_sink *sink);

/* Of an input that reached the limit of memory before its first record. */
#define AF_NAMES_TOO_LARGE                                                                         \
    "the names and frames of the input do not fit into the memory that is allowed; --max-memory "  \
    "SIZE sets another limit"

/* Makes the profile of everything that the sink was given and takes it out of the sink, which is
 * still to be freed. NULL with AF_ERROR_MEMORY or _CANCELLED. */
af_profile *af_sink_finish(af_sink *sink, const af_open_options *options, GError **error);

#endif
