/* The calls of the selected threads, in file order or one thread at a time. */
#pragma once

#include "export/exporter.h"

/* Passes the calls of all selected threads to the observer in file order. Requires
 * selection->calls. */
gboolean af_export_walk(const af_profile *profile, const af_selection *selection,
                        const af_observer *observer, GError **error);

/* Receives the calls of one thread at a time. The fields of an edge about the end of a call (`end`,
 * `cut`) are not set. */
typedef struct {
    unsigned rounds; /* how often each thread is passed, one round right after the other */
    gboolean (*begin)(void *user, uint32_t thread, unsigned round, GError **error);
    bool (*enter)(void *user, const af_call_event *edge, GError **error);
    bool (*leave)(void *user, const af_call_event *edge, GError **error);
    gboolean (*end)(void *user, uint32_t thread, unsigned round, GError **error);
    void *user;
} af_thread_observer;

/* Passes the calls thread by thread, in the order of the selection. Reads the input as often as
 * needed to hold about 64 MB of calls at a time; passes the calls of a larger thread on while
 * reading. */
gboolean af_export_walk_threads(const af_profile *profile, const af_selection *selection,
                                const af_thread_observer *observer, GError **error);

/* For an observer after a failed write: af_out_close() reports the reason, so no caller uses the
 * error set here. */
gboolean af_export_stop(GError **error);
