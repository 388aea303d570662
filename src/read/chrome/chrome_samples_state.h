/* Internals of chrome_samples.c (takes samples) and chrome_samples_play.c (passes them on). */
#pragma once

#include "base/capacity.h"
#include "base/idtable.h"
#include "base/quantile.h"
#include "read/chrome/chrome.h"

/* Deeper frames of a timed stack are dropped: a few bytes can declare any depth, and a few more
 * can begin and end all its frames endlessly. */
#define AF_CHROME_MOST_DEPTH 4096u

/* Timed samples may cause this many begins and ends of frames in total, plus the same number for
 * each sample. Beyond that, stacks are truncated to a smaller depth. */
#define AF_CHROME_FEWEST_CHANGES     AF_WORK(UINT64_C(1) << 24, UINT64_C(1) << 20)
#define AF_CHROME_CHANGES_PER_SAMPLE AF_WORK(256u, 16u)
#define AF_CHROME_FEW_DEPTH          64u

typedef struct {
    uint32_t caller; /* AF_NO_FRAME = none */
    uint32_t method;
    gboolean defined;
    uint32_t otherwise; /* the frame to use if this one is undefined, or AF_NO_FRAME */
    uint32_t depth;     /* 1 = without a caller; 0 = unknown */
    uint32_t shown;     /* this frame, or its deepest caller within AF_CHROME_MOST_DEPTH */
    uint32_t few;       /* this frame, or its caller at AF_CHROME_FEW_DEPTH */
    uint32_t stack;     /* of the sink, for the thread `owner` */
    uint32_t owner;     /* a thread of the sink + 1; 0 = none yet */
} af_chrome_frame;

typedef struct {
    uint32_t of;
    uint32_t frame;
    int64_t ns;
    uint64_t weight; /* in thousandths */
} af_chrome_sample;

/* A sampled thread. */
typedef struct {
    gboolean has_process;
    af_owner_id process, thread; /* texts in the sink's arena */
    uint32_t track;              /* AF_NO_THREAD until there is a sample */
} af_chrome_sampled_thread;

struct af_chrome_samples {
    af_chrome *chrome;
    af_array frames;   /* of af_chrome_frame */
    af_textmap ids;    /* of frames in the file */
    af_array frame_of; /* of uint32_t, by index of the id */
    af_idtable paths;  /* of uint32_t: frame + 1, by caller << 32 | method */
    af_textmap keys;   /* of sampled threads */
    af_array sampled;  /* of af_chrome_sampled_thread, by index of the key */
    af_sorter *samples;
    uint64_t n;
    uint64_t n_changes;           /* begins and ends of frames so far */
    af_quantile_sketch intervals; /* between samples of one thread */
    uint64_t n_lasting;           /* of profiles, whose samples are times */
    uint64_t least_weight, most_weight;
    int64_t least_ns;
    gboolean fractions; /* some weight is not a whole number */
    const char *unit;   /* of the weights; NULL = not stated */
    GString *key;
    af_array path; /* of uint32_t: frames to be entered, from the innermost */
    GError *error;
};

static inline af_chrome_frame *af_chrome_samples_frame_at(const af_chrome_samples *s,
                                                          uint32_t number)
{
    return &AF_ARRAY_AT(&s->frames, af_chrome_frame, number);
}
