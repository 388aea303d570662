/* The methods of a class that share a name in the program, found by their descriptors. The list of a
 * name is made at its first lookup. */
#pragma once

#include "mapping/mapping.h"

typedef struct {
    const char *residual; /* descriptor in the program */
    const char *original; /* in the source */
    int n_arguments;      /* in the source */
    uint32_t method;      /* index in the mapping */
    gboolean inlined;     /* AF_MAPPED_INLINED */
} af_overload;

/* Independent methods before inlined ones, then in file order. */
typedef struct {
    af_overload *list;
    uint32_t n;
} af_overloads;

/* Further methods of a name are ignored, so that each lookup is quick. */
#define AF_MOST_OVERLOADS 4096u

/* A range of methods: `n` from `first`. */
typedef struct {
    uint32_t first, n;
} af_method_range;

/* Strings are allocated in `arena`. FALSE if memory is refused. */
gboolean af_overloads_make(af_overloads *overloads, const af_mapping *mapping,
                           const af_method_range *ranges, unsigned n_ranges, af_arena *arena);
void af_overloads_clear(af_overloads *overloads);

/* The limit for methods that fit equally well; more are useless. */
#define AF_MOST_FITTING 64

/* How well a method fits the descriptor in a trace. */
typedef enum {
    AF_FIT_NAME,      /* same name, other arguments */
    AF_FIT_ARGUMENTS, /* same number of arguments, too */
    AF_FIT_FULL,      /* same descriptor */
} af_fit;

/* The methods that fit best, in file order. `descriptor` is that of the trace, NULL if unknown;
 * `real` is the same with real class names. Returns their number, at least 1. */
unsigned af_overloads_choose(const af_overloads *overloads, const char *descriptor,
                             const char *real, const af_overload *chosen[AF_MOST_FITTING],
                             af_fit *fit);
