/* Budgets: limits for measured values, one group of an INI file each.
 *
 * Every profile is one run and adds one value to each budget, 0 if it lacks the method. With
 * several runs, the median is compared with the limit. */
#pragma once

#include <aflame/budget.h>
#include "base/array.h"
#include "compare/diff.h"
#include "model/profile.h"

typedef enum {
    AF_MEASURE_SELF,
    AF_MEASURE_INCLUSIVE,
    AF_MEASURE_WAIT,
    AF_MEASURE_CALLS,
    AF_MEASURE_MEAN,
    AF_MEASURE_MAX,
    AF_MEASURE_P95,
    AF_MEASURE_WAITS, /* for the causes of `waits` */
} af_measure;

/* The kinds of values that an amount in a budget file can limit; an amount of 0 can limit both. */
typedef enum { AF_BUDGET_ANY, AF_BUDGET_TIME, AF_BUDGET_COUNT } af_budget_kind;

typedef struct {
    uint64_t value; /* ns, or a count */
    af_budget_kind kind;
} af_budget_amount;

typedef struct {
    const char *name; /* of the group */
    char *thread;     /* selector; NULL = all threads */
    char *method;     /* pattern; NULL = whatever `waits` names */
    char **waits;     /* words of causes; NULL = none */
    unsigned causes;  /* the same as bits 1 << af_waits */
    af_measure measure;
    af_clock clock; /* AF_CLOCK_DEFAULT: the default of each profile */
    gboolean has_limit, has_increase, optional;
    af_budget_amount limit;
    unsigned increase_c; /* hundredths of a percent */
    unsigned least_runs; /* of each side, to test the increase */
    af_budget_amount increase_least;
    af_array values[AF_SIDES];   /* of uint64_t, by run */
    gboolean found[AF_SIDES];    /* in any run */
    uint32_t added_up[AF_SIDES]; /* how many runs the last value stands for */
} af_budget_entry;

struct af_budget {
    GKeyFile *file;
    char **groups;
    GArray *entries; /* of af_budget_entry */
    af_unit unit;    /* of the profiles */
    char *unit_name;
    gboolean measured; /* whether a profile was measured; then: */
    gboolean sampled;
    af_clock clock; /* of entries that name none */
};

/* The word of a measure with its clock: "inclusive wall". */
const char *af_budget_describe(const af_budget_entry *entry);

/* Whether the value is a number of calls. */
gboolean af_budget_counts(const af_budget *budget, const af_budget_entry *entry);

uint64_t af_budget_median(const af_budget_entry *entry, af_side side);
af_budget_verdict af_budget_judge(const af_budget_entry *entry);

/* The result of each entry; free with g_array_unref(). Texts live as long as the budget. */
GArray *af_budget_list(const af_budget *budget);
