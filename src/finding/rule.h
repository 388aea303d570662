/* Rules: each finds one kind of cause in the call tree of a thread.
 *
 * A rule is a row of the table in rules.c and a file. It adds candidates; explain.c orders them and
 * drops those whose time others explain. */
#pragma once

#include "finding/call_sums.h"
#include "finding/finding.h"
#include "model/named.h"
#include "model/waits.h"

typedef struct af_rule af_rule;
typedef struct af_inquiry af_inquiry;

typedef enum {
    AF_RULE_CAUSE,    /* explains the time of its frames */
    AF_RULE_OVERVIEW, /* describes a part of the trace that has causes of its own */
    AF_RULE_REMARK,   /* about the recording, or without a time */
} af_rule_kind;

/* The nodes of one label together, without those that wait. */
typedef struct {
    uint32_t label;
    uint32_t inner;                /* nodes within others of the label, waiting ones too */
    uint32_t end;                  /* after the last subtree that begins with the label */
    uint32_t self_node, time_node; /* with the most self and inclusive time */
    uint64_t calls, self, time;    /* time: of the outermost nodes */
} af_method_sum;

/* A thread that rules look at. Arrays are by node. */
typedef struct {
    af_inquiry *inquiry;
    const af_profile *profile;
    const af_tree *tree;
    uint32_t thread;
    char *name;                  /* of the thread, for sentences */
    gboolean is_main;            /* the main thread, or the busiest one */
    gboolean may_wait;           /* its waiting matters: it is the main thread */
    gboolean counted;            /* its calls are counted */
    gboolean vague;              /* it has too few samples for any sentence */
    uint64_t total;              /* of the thread */
    const uint64_t *self, *time; /* time: inclusive */
    const uint64_t *longest;     /* longest single call; NULL = unknown */
    const uint8_t *waits;        /* af_waits */
    uint32_t *end;               /* the first node after the subtree */
    uint32_t *local;             /* the label, numbered within the tree: an index into methods */
    af_method_sum *methods;
    uint32_t n_methods;
    uint64_t *idle;            /* idle time in the subtree */
    const guint8 *label_facts; /* by label; see below */
} af_case;

/* How to say what the methods of a list take. `phrase` completes "main spent 1 ms of 2 ms (50 %) ";
 * with `whole` the time is that of the methods with everything that they called. */
typedef struct {
    const char *phrase;
    unsigned percent; /* of the thread: less is not worth a finding */
    gboolean whole;
} af_wording;

struct af_rule {
    const char *id, *title;
    const char *about; /* what it reports, with its thresholds */
    af_rule_kind kind;
    unsigned weight; /* percent: a rule that says more precisely what happened comes before one that
                        explains a little more time */
    gboolean main_only;  /* or on the busiest thread, if none is the main one */
    gboolean needs_main; /* says nothing about any other thread */
    /* A rule that is a list of names has no `find`. */
    const af_name *names;
    af_wording wording;
    /* Either may be NULL. `prepare` requests sums of single calls; `find` adds candidates. */
    void (*prepare)(const af_case *c, af_call_sums *sums);
    void (*find)(const af_case *c, const af_rule *rule);
};

/* NULL past the end. */
const af_rule *af_rule_at(unsigned number);

#define AF_RULES(RULE)                                                                             \
    RULE(hot_method)                                                                               \
    RULE(long_call)                                                                                \
    RULE(many_calls)                                                                               \
    RULE(blocked_main)                                                                             \
    RULE(io_main)                                                                                  \
    RULE(slow_frame)                                                                               \
    RULE(startup)                                                                                  \
    RULE(inflation)                                                                                \
    RULE(binding)                                                                                  \
    RULE(serialization)                                                                            \
    RULE(reflection)                                                                               \
    RULE(class_loading)                                                                            \
    RULE(compose)                                                                                  \
    RULE(coroutines)                                                                               \
    RULE(gc)                                                                                       \
    RULE(exceptions)                                                                               \
    RULE(recursion)                                                                                \
    RULE(runnable)                                                                                 \
    RULE(uninterruptible)                                                                          \
    RULE(tracer)                                                                                   \
    RULE(idle)                                                                                     \
    RULE(data)

#define RULE(name) extern const af_rule af_rule_##name;
AF_RULES(RULE)
#undef RULE

/* A part of a tree that a candidate explains: `time` of the self time of the node, or of
 * everything in its subtree if `whole`. */
typedef struct {
    uint32_t node;
    gboolean whole;
    uint64_t time;
} af_part;

typedef struct {
    const af_rule *rule;
    const af_case *in;
    uint32_t node; /* the frame to name; AF_NO_NODE = none */
    uint32_t behalf;
    uint32_t caller; /* a label that the sentence names too; AF_NO_LABEL = none */
    uint64_t time, calls, call;
    GArray *parts;   /* of af_part */
    GString *text;   /* the sentence so far */
    gsize behalf_at; /* in the text: where the code that it ran for is named; 0 = nowhere */
} af_candidate;

/* Adds a candidate about `node`, or AF_NO_NODE; it owns nothing yet but its texts. */
af_candidate *af_candidate_add(const af_case *c, const af_rule *rule, uint32_t node, uint64_t time,
                               uint64_t calls);

/* Adds a part to the candidate; the node with the most time becomes its frame. */
void af_candidate_cover(af_candidate *candidate, uint32_t node, gboolean whole, uint64_t time);

/* Appends to its sentence. */
void af_candidate_say(af_candidate *candidate, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Begins the sentence: "main spent 1.20 s of 4.00 s (30.0 %) " with the verb "spent". */
void af_candidate_begin(af_candidate *candidate, const char *verb);

/* If it becomes a finding, ", on behalf of Recipes.load" follows the sentence so far. */
void af_candidate_behalf(af_candidate *candidate);

/* Completes the sentence of a candidate that becomes a finding. */
void af_candidate_finish(af_candidate *candidate);

/* ---- words; free with g_free() ---- */

/* "Recipes.load" */
char *af_case_name(const af_case *c, uint32_t label);

/* The thread, with its process if there are several. */
char *af_thread_short_name(const af_profile *profile, const af_thread *thread);

/* An amount of the clock or the unit; with "about " for samples. */
char *af_case_amount(const af_case *c, uint64_t amount);

/* "12,480 calls"; "one call" */
char *af_case_calls(uint64_t n);

/* Whether `part` is at least `percent` of the thread. */
static inline gboolean af_case_is_share(const af_case *c, uint64_t part, unsigned percent)
{
    return part > 0 && part / percent >= c->total / 100 &&
           (double)part * 100 >= (double)c->total * percent;
}

/* Whether the time of nodes is worth a finding, by its part with a processor: a thread other than
 * the main one may wait as long as it likes. */
static inline gboolean af_case_is_work(const af_case *c, uint64_t time, uint64_t cpu)
{
    return c->may_wait || !af_tree_has(c->tree, AF_WAIT) || cpu >= time / 2;
}

/* The samples of a thread; UINT64_MAX = not known. */
uint64_t af_case_samples(const af_profile *profile, const af_thread *thread);

/* The sums of single calls, or NULL if the input has none. */
const af_call_sums *af_case_sums(const af_case *c);

/* Facts about labels, by label. */
#define AF_LABEL_WORKS    1 /* its self time may be the program's own work */
#define AF_LABEL_NAMELESS 2 /* an address in place of a name */
/* A method that passes everything on: what it calls is the cause, and its own time has none. */
#define AF_LABEL_DISPATCHES 4

static inline gboolean af_case_is(const af_case *c, uint32_t node, guint8 fact)
{
    return (c->label_facts[c->tree->label[node]] & fact) != 0;
}

static inline const af_label *af_case_label(const af_case *c, uint32_t node)
{
    return &c->profile->labels[c->tree->label[node]];
}
