/* Sums of nodes by label, and labels selected by name. */
#pragma once

#include "finding/rule.h"

/* What is known about the nodes of one label. */
typedef struct {
    uint32_t label, node; /* node: the one with the most time */
    uint64_t time, calls;
    uint64_t heaviest; /* the time of that node */
} af_group_sum;

/* Sums over nodes of a case by label. Free with af_group_sums_free(). */
typedef struct {
    const af_case *in;
    uint32_t *numbers; /* by c->local: 1 + index into sums; 0 = none */
    GArray *sums;      /* of af_group_sum */
    uint64_t total, calls;
} af_group_sums;

void af_group_sums_begin(af_group_sums *sums, const af_case *c);

/* The same with the nodes of the labels, or with their outermost nodes and all that they called. */
void af_group_sums_begin_labels(af_group_sums *sums, const af_case *c, const guint8 *labels,
                                gboolean whole);
void af_group_sums_free(af_group_sums *sums);
void af_group_sums_add(af_group_sums *sums, uint32_t node, uint64_t time);

/* That of a node that was added. */
static inline const af_group_sum *af_group_sums_of(const af_group_sums *sums, uint32_t node)
{
    return &g_array_index(sums->sums, af_group_sum, sums->numbers[sums->in->local[node]] - 1);
}

/* The label with the most time; NULL = nothing was added. */
const af_group_sum *af_group_sums_largest(const af_group_sums *sums);

/* The facts of AF_LABEL_WORKS etc. by label. Free with g_free(); NULL if memory is refused. */
guint8 *af_label_facts_new(const af_profile *profile);

/* A byte for each label: whether one of the names matches it. `names` is a static array that ends
 * with a method of NULL; the inquiry keeps the result. NULL if memory is refused. */
const guint8 *af_labels_named(const af_case *c, const af_name *names);

/* The first node from `node` on that a byte selects and that is in no other selected one; visit all
 * by
 *
 *     for (n = af_next_outermost(c, labels, 1); n < c->tree->n;
 *          n = af_next_outermost(c, labels, c->end[n])) */
uint32_t af_next_outermost(const af_case *c, const guint8 *labels, uint32_t node);

/* Covers the outermost nodes of the labels, with everything that they called. */
void af_group_sums_cover(af_candidate *candidate, const guint8 *labels);

/* Adds a candidate about the labels of `sums` together: about one of them alone if it has most of
 * the time. NULL if they take too little. */
af_candidate *af_group_sums_report(const af_group_sums *sums, const af_rule *rule,
                                   const af_wording *wording, const guint8 *labels);

/* The whole of it, for rules that are a list of names. */
af_candidate *af_names_find(const af_case *c, const af_rule *rule, const af_name *names,
                            const af_wording *wording);
