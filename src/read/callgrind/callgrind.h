/* Internals of the reader of callgrind files: callgrind.c (lines), callgrind_stacks.c (the stacks
 * in files of aflame) and callgrind_paths.c (the division of costs in other files). */
#pragma once

#include "base/idtable.h"
#include "base/textmap.h"
#include "read/frames.h"
#include "read/measures.h"

/* Larger costs are invalid, so that sums fit. */
#define AF_CALLGRIND_MOST_COST (UINT64_C(1) << 56)

#define AF_CALLGRIND_NO_FUNCTION UINT32_MAX

typedef struct {
    af_span name; /* in the arena of the sink */
    uint64_t self[AF_CLOCKS];
    uint64_t out[AF_CLOCKS];     /* inclusive costs of its calls to others */
    uint32_t first_call;         /* + 1; 0 = none */
    uint32_t last_call;          /* the same */
    uint32_t method;             /* of the sink, + 1 */
    gboolean called, open, done; /* by another function; on the path; reached from a root */
} af_callgrind_function;

typedef struct {
    uint32_t callee, next; /* next: call of the same caller, + 1; 0 = none */
    uint64_t cost[AF_CLOCKS];
} af_callgrind_call;

/* A node of a call tree. Its caller is the last one before it of smaller depth; a thread has depth
 * 0. */
typedef struct {
    uint32_t depth, function;
    uint64_t cost[AF_CLOCKS];
} af_callgrind_node;

typedef struct {
    af_sink *sink;
    af_frames frames;
    af_array functions;
    af_idtable calls;     /* by caller << 32 | callee */
    af_textmap names;     /* of functions */
    af_idtable by_number; /* of uint32_t: function + 1, by the number in a compressed name */
    af_measures measures;
    const char *wanted;
    unsigned n_positions;
    uint32_t caller, callee;
    gboolean calling; /* the next costs are those of a call */
    uint64_t total, lightest;
    af_array path; /* of step */
    af_array methods;
    uint64_t n_shared, n_left_out, steps;
    af_array nodes;           /* of af_callgrind_node: stacks in comments */
    unsigned n_parts, n_ends; /* sum of the costs in the file, and of those with complete stacks */
    gboolean stacks_bad;
    gboolean started, threads;
    uint64_t passed; /* the offset of the last line */
} af_callgrind;

static inline af_callgrind_function *af_callgrind_function_at(const af_callgrind *r,
                                                              uint32_t number)
{
    return &AF_ARRAY_AT(&r->functions, af_callgrind_function, number);
}

static inline af_callgrind_call *af_callgrind_call_at(const af_callgrind *r, uint32_t number)
{
    return &AF_ARRAY_AT(&r->calls.items, af_callgrind_call, number);
}

/* The sink's method of a function. */
uint32_t af_callgrind_method(af_callgrind *r, uint32_t function);

/* The sink's thread of a root; roots that are no threads share one. UINT32_MAX if memory is
 * refused. */
uint32_t af_callgrind_thread(af_callgrind *r, uint32_t root);

/* Whether a root is one that aflame writes for a thread: "[thread NAME]". */
gboolean af_callgrind_is_thread(const af_callgrind *r, uint32_t root);

/* Reads fields that are not costs, such as a line, then costs. FALSE if the text is not that. */
gboolean af_callgrind_costs(const af_callgrind *r, af_span text, unsigned n_fields,
                            uint64_t cost[AF_CLOCKS]);

/* Passes all paths to the sink, starting from the functions that no other function calls. */
void af_callgrind_divide(af_callgrind *r);

/* A comment of aflame, after "#=". */
void af_callgrind_stacks_take(af_callgrind *r, af_span line);

/* Passes the stacks in the comments to the sink. If there are none, or they contradict the
 * functions, passes nothing and returns FALSE. */
gboolean af_callgrind_stacks_give(af_callgrind *r);
