/* The calls of the threads that are meant: in the order of the file, or one thread after the
 * other. */
#ifndef AF_EXPORT_CALLS_H
#define AF_EXPORT_CALLS_H

#include "export/exporter.h"

/* Tells the calls of all selected threads in the order of the file. Only where selection->calls
 * is. */
gboolean af_export_walk(const af_profile *profile, const af_selection *selection,
                        const af_observer *observer, GError **error);

/* Whom to tell of one thread after the other. Of an edge, what concerns the end of a call (`end`,
 * `cut`) is not told. */
typedef struct {
    unsigned rounds; /* how often each thread is told, one round right after the other */
    gboolean (*begin)(void *user, uint32_t thread, unsigned round, GError **error);
    gboolean (*enter)(void *user, const af_call_event *edge, GError **error);
    gboolean (*leave)(void *user, const af_call_event *edge, GError **error);
    gboolean (*end)(void *user, uint32_t thread, unsigned round, GError **error);
    void *user;
} af_thread_observer;

/* The same thread by thread, in the order of the selection. The input is read as often as it takes
 * to hold no more than some 64 MB of calls at a time; those of a larger thread are told while it is
 * read. */
gboolean af_export_walk_threads(const af_profile *profile, const af_selection *selection,
                                const af_thread_observer *observer, GError **error);

/* For an observer when what was written could not be sent: af_out_close() says why, so the error
 * set here is never seen. */
gboolean af_export_stop(GError **error);

#endif
