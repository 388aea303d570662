/* The methods of a class that the program calls by one name, found by their descriptors.
 *
 * Made for a name when it is first asked for, and sorted: a class in which a million methods have
 * one name takes no longer for each question than another. */
#ifndef AF_MAPPING_OVERLOADS_H
#define AF_MAPPING_OVERLOADS_H

#include "mapping/mapping.h"

typedef struct {
    const char *residual; /* descriptor in the program */
    const char *original; /* in the source */
    int n_arguments;      /* in the source */
    uint32_t method;      /* of the mapping */
    gboolean inlined;     /* AF_MAPPED_INLINED */
} af_overload;

typedef struct {
    af_overload *by_place, *by_residual, *by_original, *by_count;
    uint32_t n;
} af_overloads;

/* Methods from `first`, `n` of them. */
typedef struct {
    uint32_t first, n;
} af_method_range;

/* Strings lie in `arena`. FALSE if memory is refused. */
gboolean af_overloads_make(af_overloads *overloads, const af_mapping *mapping,
                           const af_method_range *ranges, unsigned n_ranges, af_arena *arena);
void af_overloads_clear(af_overloads *overloads);

/* Of more methods that fit equally well nobody wants to know. */
#define AF_MOST_FITTING 64

/* How well a method fits the descriptor that a trace names. */
typedef enum {
    AF_FIT_NAME,      /* it has the name, the arguments are others */
    AF_FIT_ARGUMENTS, /* and as many arguments */
    AF_FIT_FULL,      /* and the very descriptor */
} af_fit;

/* The methods that fit best, in file order. `descriptor` is the trace's, NULL if it does not say;
 * `real` the same with real classes. Returns how many, at least 1. */
unsigned af_overloads_choose(const af_overloads *overloads, const char *descriptor,
                             const char *real, const af_overload *chosen[AF_MOST_FITTING],
                             af_fit *fit);

#endif
