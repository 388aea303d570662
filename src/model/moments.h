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
#ifndef AF_MODEL_MOMENTS_H
#define AF_MODEL_MOMENTS_H

#include "model/clip.h"
#include "model/event.h"

/* Where a frame begins or ends, and what was seen of its thread before that. */
typedef struct {
    uint32_t thread, label;
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS];
    uint64_t samples;
} af_moment;

/* As af_call_observer. */
typedef struct {
    gboolean (*enter)(void *user, const af_moment *moment, GError **error);
    gboolean (*leave)(void *user, const af_moment *moment, GError **error);
    void *user;
} af_moment_observer;

typedef struct af_moments af_moments;

/* What weights of AF_WALL, in ns, say of how long a sample was seen from its time on. */
typedef enum { AF_LASTS_UNTOLD, AF_LASTS_AT_LEAST, AF_LASTS_EXACTLY } af_lasting;

af_moments *af_moments_new(af_lasting lasting);
void af_moments_free(af_moments *moments);

/* A sample of labels. FALSE with AF_ERROR_MEMORY. */
gboolean af_moments_add(af_moments *moments, const af_sample *sample, GError **error);

/* Tells them, thread by thread, once; nothing holds longer than to `end_ns`. FALSE with the
 * observer's error or AF_ERROR_MEMORY. */
gboolean af_moments_tell(af_moments *moments, uint64_t end_ns, const af_moment_observer *observer,
                         GError **error);

/* How many there are, and the usual interval in two digits; 0 = no thread was seen twice. */
uint64_t af_moments_n(const af_moments *moments);
uint64_t af_moments_interval_ns(const af_moments *moments);

#endif
