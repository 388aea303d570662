/* Samples in order of time: what was seen of a thread at one moment and the next, told as frames
 * that begin and end.
 *
 * A sample holds until the next one of its thread, and frames that both have from the outermost on
 * go on. But nothing is known of a thread that was not sampled for long: where the next one is more
 * than AF_SAMPLES_GAP usual intervals away, a sample holds for one, and the frames end there. The
 * usual interval is the median of those between samples of one thread. Where a sample says itself
 * for how long it was seen (time off the CPU), it holds at least as long as it says, and where all
 * of them do exactly so long.
 *
 * Samples may come in any order. They are brought in order outside of memory if they are many, so
 * memory follows the distinct stacks. */
#ifndef AF_CALLS_SAMPLE_TIMELINE_H
#define AF_CALLS_SAMPLE_TIMELINE_H

#include "calls/clip.h"
#include "build/event.h"

/* Where a frame begins or ends, and what was seen of its thread before that. */
typedef struct {
    uint32_t thread, label;
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS];
    uint64_t samples;
} af_sample_edge;

/* As af_call_observer. */
typedef struct {
    gboolean (*enter)(void *user, const af_sample_edge *moment, GError **error);
    gboolean (*leave)(void *user, const af_sample_edge *moment, GError **error);
    void *user;
} af_sample_edge_observer;

typedef struct af_sample_timeline af_sample_timeline;

/* What weights of AF_WALL, in ns, say of how long a sample was seen from its time on. */
typedef enum { AF_LASTS_UNTOLD, AF_LASTS_AT_LEAST, AF_LASTS_EXACTLY } af_lasting;

af_sample_timeline *af_sample_timeline_new(af_lasting lasting);
void af_sample_timeline_free(af_sample_timeline *moments);

/* A sample of labels. FALSE with AF_ERROR_MEMORY. */
gboolean af_sample_timeline_add(af_sample_timeline *moments, const af_sample *sample,
                                GError **error);

/* Tells them, thread by thread, once; nothing holds longer than to `end_ns`. FALSE with the
 * observer's error or AF_ERROR_MEMORY. */
gboolean af_sample_timeline_tell(af_sample_timeline *moments, uint64_t end_ns,
                                 const af_sample_edge_observer *observer, GError **error);

/* How many there are, and the usual interval in two digits; 0 = no thread was seen twice. */
uint64_t af_sample_timeline_n(const af_sample_timeline *moments);
uint64_t af_sample_timeline_interval_ns(const af_sample_timeline *moments);

#endif
