/* Sums over single calls of some methods, from a second reading of the input.
 *
 * Rules request labels, and pairs of a caller and a callee; one walk answers all of them. */
#pragma once

#include <aflame/calls.h>
#include "base/quantile.h"
#include "calls/call_walk.h"
#include "finding/sleeps.h"
#include "model/profile.h"

/* The calls of a label on all threads, in the clock of the explanation. */
typedef struct {
    uint64_t n;
    uint64_t median;  /* exact for up to a million calls, otherwise accurate to 1 % */
    uint64_t unwinds; /* calls that an exception ended */
} af_call_total;

/* The calls of a label on one thread. */
typedef struct {
    uint64_t n;
    uint64_t longest, longest_number; /* as `aflame calls --around` numbers them */
    uint64_t unwinds, unwound;        /* calls that an exception ended, and their time */
    uint64_t late, late_time;         /* calls longer than a frame */
    uint64_t worst[3];                /* the longest, in descending order */
} af_call_here;

/* The most calls of `callee` within one call of `caller`. */
typedef struct {
    uint32_t caller, callee;
    uint64_t most;
    uint64_t number; /* of that call of the caller */
    uint32_t thread;
} af_call_pair;

typedef struct af_call_sums af_call_sums;

/* NULL if memory is refused. */
af_call_sums *af_call_sums_new(const af_profile *profile, af_clock clock, uint64_t frame_ns);
void af_call_sums_free(af_call_sums *sums);

void af_call_sums_request(af_call_sums *sums, uint32_t label);
void af_call_sums_request_pair(af_call_sums *sums, uint32_t thread, uint32_t caller,
                               uint32_t callee);

/* The sleeps of the thread: the same for every caller, and owned by the sums; a walk of all calls
 * that follows states if `in_kernel`. NULL if memory is refused. */
af_sleeps *af_call_sums_request_sleeps(af_call_sums *sums, uint32_t thread, gboolean in_kernel);

/* NULL = not requested. */
const af_sleeps *af_call_sums_sleeps(const af_call_sums *sums);

/* Reads the input if anything was requested, or if `also` is not NULL: it receives all calls. Errors
 * as af_profile_walk(). */
gboolean af_call_sums_read(af_call_sums *sums, const af_observer *also,
                           const af_call_walk_options *options, GError **error);

/* NULL = not requested, or never called. */
const af_call_total *af_call_sums_of(const af_call_sums *sums, uint32_t label);
const af_call_here *af_call_sums_here(const af_call_sums *sums, uint32_t thread, uint32_t label);
const af_call_pair *af_call_sums_pair(const af_call_sums *sums, uint32_t thread, uint32_t caller,
                                      uint32_t callee);
