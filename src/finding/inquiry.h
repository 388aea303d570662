/* The state of an explanation while the rules run. */
#pragma once

#include "finding/rule.h"

#define AF_FRAME_NS 16700000

struct af_inquiry {
    const af_profile *profile;
    const af_explain_options *options;
    af_clock clock;
    uint64_t frame_ns;
    guint8 *wanted;    /* by thread; NULL = all */
    uint32_t main;     /* the main thread or the busiest one; AF_NO_NODE = none */
    gboolean has_main; /* it is the main thread */
    uint64_t main_time;
    af_case *cases;
    uint32_t n_cases;
    af_call_sums *sums; /* NULL = the input has no single calls */
    GPtrArray *candidates;
    GHashTable *named; /* lists of names -> bytes of labels */
    GHashTable *pairs; /* af_case -> af_idtable: what many-calls has summed; see there */
    guint8 *label_facts;
    uint32_t *numbers; /* by label: the last one that a tree gave it */
    uint32_t n_numbers;
    gboolean refused; /* memory */
};

/* Sets the commands that show what a finding is about. */
void af_finding_add_evidence(const af_explanation *e, af_finding *finding, const af_case *c);
