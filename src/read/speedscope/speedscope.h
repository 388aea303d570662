/* Inside of the reader of speedscope's files: speedscope.c (the text, which is put aside as it
 * stands) and speedscope_play.c (what it says).
 *
 * Keys stand in any order: what calls are made of may come in front of their unit, stacks in front
 * of their weights, and frames behind all of them. */
#ifndef AF_READ_SPEEDSCOPE_SPEEDSCOPE_H
#define AF_READ_SPEEDSCOPE_SPEEDSCOPE_H

#include "base/array.h"
#include "base/spool.h"
#include "build/sink.h"

/* A frame that no call and no stack can name. */
#define AF_SPEEDSCOPE_NO_FRAME UINT32_MAX

typedef enum { AF_MEASURE_NONE, AF_MEASURE_BYTES, AF_MEASURE_TIME } af_measure;

/* A profile of the file, and where what it is made of lies in the spools. */
typedef struct {
    gboolean has_type, sampled;
    af_measure measure;
    unsigned digits;              /* a number of the file times ten to this is ns, or thousandths */
    char *name;                   /* NULL = none */
    char *start, *end;            /* the numbers of its ends; NULL = none */
    uint64_t n_edges, edges_at;   /* O or C, frame, number */
    uint64_t n_stacks, stacks_at; /* frames + 1 from the outermost, then 0 */
    uint64_t n_weights, weights_at; /* numbers */
} af_speedscope_profile;

/* Small numbers take few bytes; numbers of the text are put aside as texts, a length in front. */
typedef struct {
    af_spool *spool;
    uint8_t *room; /* for what is not in the spool yet */
    size_t used;
    GError *error; /* the first, which sticks */
} af_aside;

enum { AF_ASIDE_BYTES = 1 << 16, AF_LONGEST_FIGURE = 100 };

typedef struct {
    af_sink *sink;
    const char *unit;  /* what numbers without a unit are, as in af_open_options; may be NULL */
    char *title;       /* of everything; NULL = none */
    af_array profiles; /* of af_speedscope_profile */
    uint32_t n_frames; /* the sink knows each as a method of its number << AF_ACTION_BITS */
    af_aside edges, stacks, weights;
} af_speedscope;

/* Hands everything to the sink. FALSE with an error. */
gboolean af_speedscope_play(af_speedscope *speedscope, GError **error);

#endif
