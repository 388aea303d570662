/* A sample timeline: turns samples into frames that begin and end.
 *
 * A sample lasts until the next one of its thread; frames that both have in common, counted from
 * the outermost, continue. A longer gap interrupts them: if the next sample is more than
 * AF_SAMPLES_GAP intervals away, the sample lasts for one interval and its frames end there. The
 * interval is the median distance between samples of a thread. Samples that state their duration
 * (time off the CPU) last at least that long, or exactly that long if af_sample_duration demands
 * it.
 *
 * Samples may come in any order. Large numbers of them are sorted on disk, so memory grows with the
 * number of distinct stacks only. */
#pragma once

#include "calls/clip.h"
#include "build/event.h"

/* The begin or end of a frame, with the samples and weights of its thread before it. */
typedef struct {
    uint32_t thread, label;
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS];
    uint64_t samples;
} af_sample_edge;

/* As af_call_observer. */
typedef struct {
    gboolean (*enter)(void *user, const af_sample_edge *edge, GError **error);
    gboolean (*leave)(void *user, const af_sample_edge *edge, GError **error);
    void *user;
} af_sample_edge_observer;

typedef struct af_sample_timeline af_sample_timeline;

/* Whether the weight in AF_WALL, in ns, is the duration of a sample. */
typedef enum { AF_LASTS_UNKNOWN, AF_LASTS_AT_LEAST, AF_LASTS_EXACTLY } af_sample_duration;

af_sample_timeline *af_sample_timeline_new(af_sample_duration lasting);
void af_sample_timeline_free(af_sample_timeline *timeline);

/* Adds a sample whose `methods` are labels. FALSE with AF_ERROR_MEMORY. */
gboolean af_sample_timeline_add(af_sample_timeline *timeline, const af_sample *sample,
                                GError **error);

/* Reports all frames, thread by thread; no frame lasts beyond `end_ns`. May be called once. FALSE
 * with the observer's error or AF_ERROR_MEMORY. */
gboolean af_sample_timeline_walk(af_sample_timeline *timeline, uint64_t end_ns,
                                 const af_sample_edge_observer *observer, GError **error);

/* The number of samples; the interval, to two digits, 0 if no thread has two samples. */
uint64_t af_sample_timeline_n(const af_sample_timeline *timeline);
uint64_t af_sample_timeline_interval_ns(const af_sample_timeline *timeline);
