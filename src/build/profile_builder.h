/* The builder's side of a sink: from an empty sink to a profile.
 *
 * The sequence is af_sink_new(), a reader that fills the sink, af_sink_finish(), which makes the
 * profile, and af_sink_free(). A second reading uses af_sink_new_again() and is never finished: the
 * consumer receives everything and the sink stores nothing. */
#pragma once

#include "build/consumer.h"
#include "build/sink.h"
#include "build/walk_plan.h"
#include "model/profile.h"

af_sink *af_sink_new(const af_open_options *options);
void af_sink_free(af_sink *sink);

/* For a second reading, with the method and thread numbers of the first one. Borrows `consumer`.
 * Uses a single thread. */
af_sink *af_sink_new_again(const af_open_options *options, const af_walk_plan *plan,
                           const af_event_consumer *consumer);

/* Gives a method a name other than the file's, before methods are merged by name. New strings are
 * in the arena. */
typedef void (*af_renamer)(void *user, af_arena *arena, af_method *method);
void af_sink_set_renamer(af_sink *sink, af_renamer rename, void *user);

/* The sources report progress instead of the sink. */
void af_sink_mute_progress(af_sink *sink);

/* Whether memory was refused while the sink was filled. */
gboolean af_sink_was_refused(const af_sink *sink);

/* Fails for an input that reached the memory limit before its first record. */
#define AF_NAMES_TOO_LARGE                                                                         \
    "the names and frames of the input do not fit into the memory that is allowed; --max-memory "  \
    "SIZE sets another limit"

/* Moves everything in the sink into a new profile; the sink must still be freed. Returns NULL with
 * AF_ERROR_MEMORY or _CANCELLED. */
af_profile *af_sink_finish(af_sink *sink, const af_open_options *options, GError **error);
