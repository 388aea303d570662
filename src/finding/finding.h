/* Findings: sentences about a profile, each found by a rule; plain data, without functions that
 * compute.
 *
 * Times are in the clock of the explanation, or amounts in the unit of the profile. They are exact,
 * and the same as in reports. */
#pragma once

#include <aflame/explain.h>
#include "base/arena.h"
#include "model/profile.h"

#define AF_FINDING_EVIDENCE 2

/* The longest sentence, in characters. */
#define AF_FINDING_TEXT 160

typedef struct {
    const char *rule;     /* "hot-method" */
    const char *title;    /* "Self time of one method" */
    const char *text;     /* the sentence */
    uint32_t thread;      /* into the threads of the profile */
    uint32_t node;        /* of its tree: the frame; AF_NO_NODE = none */
    uint32_t behalf;      /* node of the code that it ran for; AF_NO_NODE = none */
    uint64_t time, calls; /* calls: 0 = not counted */
    uint64_t call;        /* a number for `aflame calls --around`; 0 = none */
    const char *evidence[AF_FINDING_EVIDENCE]; /* commands; NULL = none */
} af_finding;

struct af_explanation {
    af_arena *arena;
    const af_profile *profile; /* referenced */
    const char *input;         /* NULL = unknown */
    af_clock clock;
    uint32_t thread;           /* the main thread, or the busiest one; AF_NO_NODE = none */
    uint64_t total, explained; /* of that thread; time that two findings explain counts once */
    af_finding *findings;      /* the most important first */
    unsigned n;
    void *calls; /* that a sheet draws, if they were read along with the rules; NULL = none */
    void (*free_calls)(void *calls);
};
