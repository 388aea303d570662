/* A lane: a range of the records on its way to the sink, on its own thread of execution.
 *
 * A reader whose records can be found without reading those before cuts them in ranges and gives
 * each a lane. The first range needs none of its own: it goes straight into the sink. Lanes are
 * joined in order; the names in the sink must not change between making and joining them. */
#ifndef AF_MODEL_LANE_H
#define AF_MODEL_LANE_H

#include "model/sink.h"

typedef struct {
    af_sink *sink;
    af_rebuild *rebuild;     /* the sink's for the first range */
    gboolean own;            /* not the first range: */
    af_idmap more_methods;   /* ids that the sink does not know, numbered from `known` on */
    uint32_t known;
    af_idmap threads;
    af_warnings warnings;
} af_lane;

/* For the first range, and for later ones. */
void af_lane_init_first(af_lane *lane, af_sink *sink);
void af_lane_init(af_lane *lane, af_sink *sink);
void af_lane_clear(af_lane *lane);

/* Slow paths of the two below. */
uint32_t af_lane_add_method(af_lane *lane, uint64_t id);
uint32_t af_lane_add_thread(af_lane *lane, uint64_t id);

/* The numbers to put into events of this lane. */
static inline uint32_t af_lane_method(af_lane *lane, uint64_t id)
{
    const uint32_t number = af_idmap_look(&lane->sink->method_ids, id);
    return number != AF_IDMAP_NONE ? number : af_lane_add_method(lane, id);
}

static inline uint32_t af_lane_thread(af_lane *lane, uint64_t id)
{
    return af_lane_add_thread(lane, id);
}

/* As af_sink_events(). FALSE also when a lane has given up. */
gboolean af_lane_events(af_lane *lane, const af_event *events, size_t n, uint64_t place,
                        uint32_t stride);

static inline void af_lane_warn(af_lane *lane, af_warning_kind kind, uint64_t n, uint64_t place)
{
    af_warnings_add(lane->own ? &lane->warnings : &lane->sink->warnings, kind, n, place);
}

/* Adds the next range to the sink. FALSE, with nothing changed, if its records must go into the
 * sink themselves. */
gboolean af_lane_join(af_lane *lane);

#endif
