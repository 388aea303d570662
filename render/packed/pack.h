/* The call trees of all threads as one compressed block, which the script of an interactive SVG
 * draws from.
 *
 * The block is a sequence of pieces: each a length (32 bits, little endian) and a zlib stream of
 * that many bytes. Inflated and joined they hold the following. All numbers are ULEB128; a string
 * is its length in bytes and UTF-8.
 *
 *   head     "AFB1"; clocks (bits 1 << clock); unit of all times in ns (1 or 1000); clock of the
 *            picture, 2 if it shows waiting; name of the input; flags:
 *              1  call counts are missing
 *              2  the entries are samples with weights
 *              4  the unit is not that of clocks: its plural and singular follow ("" = ns), and how
 *                 many of its digits are decimals
 *              8  the calls of a chart follow the threads
 *              16 the trees are those of a comparison, and its sides follow the threads
 *              32 how many threads of the input the block lacks follows
 *   labels   how many, then each: bytes shared with the previous one, then the rest as a string; a
 *            byte: the category whose colours it has, plus 128 if its frame is slim; a byte: the
 *            shade, plus 8 times the reason of its waiting (an af_waits), plus 128 if all that it
 *            calls belongs to the waiting; the full name: 0 = the label, 1 + a string that follows
 *            the label in it, 2 + string; source "File.java:12", "" = unknown.
 *            Numbered in order of first use. The number after the last label means "left out".
 *   threads  how many, first drawn ones, then by time; each: id; name; title; flags (1
 *            drawn, 2 exited, 4 its calls are intervals between samples, 8 it lacks wall times
 *            that others have, 16 the same for CPU times, 32 it has times in which it was runnable
 *            but had no processor); records; N entries; how many nodes were
 *            left out; then columns in the order of the tree:
 *              up       levels to go up from the previous entry, then one down (the first: 0)
 *              label
 *              calls    calls - 1, or 0 if counts are missing; of a left-out entry: the nodes that
 *                       it replaces - 1
 *              self     for each clock of the thread; of a left-out entry: the whole time of the
 *                       nodes that it replaces
 *              min      for each clock of the thread: min, then max - min, only of entries with
 *                       several calls that are not left-out ones; for others both are the inclusive
 *                       time
 *              unwinds  how many entries have some, then pairs: entries since the previous one (the
 *                       first: since the thread, entry 0), unwinds
 *              runnable only with flag 32: likewise, of their self times; of a left-out entry: the
 *                       whole time of the nodes that it replaces
 *
 *   chart    only with flag 8 (render/chart/chart.h). Clock of the axis; unit of the following in
 *            ns; start of the axis (ns), its length (ns), time of the last record from its start
 *            (ns); flags (1 the buffer was full, 2 the file is cut, 4 samples instead of calls, 8
 *            markers follow, 16 names of threads follow the patterns: how many, each a string, 32
 *            states follow, 64 frames follow); calls shorter than this (ns) are merged; number of calls or samples;
 *            median interval between samples (ns, 0 = unknown); the patterns of the highlights;
 *            then for each thread, in the same order: first and last - first, from the start of
 *            the axis; N entries; columns:
 *              up, label  as above; the number after the last label means merged calls
 *              start      from the end of the previous entry with the same caller, or from the
 *                         caller's start
 *              extent
 *              joined     of merged calls: how many - 1, and the sum of the gaps in their extent;
 *                         with samples: the number of samples of each entry
 *              other      length in the other clock, if there is one. First how: 0 = the same, 1 =
 *                         differences: twice the amount by which it is shorter than the length in
 *                         the clock of the axis (extent without gaps), or twice the amount by which
 *                         it is longer, - 1. With samples: their weight for each clock
 *              flags      how many entries have some, then pairs: entries since the previous one,
 *                         flags
 *              waits      only with flag 32 of the thread and without samples: how many entries have
 *                         some, then for each: entries since the previous one, the time in which it
 *                         was runnable, the number of the thread that ended its longest sleep + 1
 *                         (0 = none)
 *              highlights how many; each: distance from the previous one, extent, gaps, calls - 1
 *
 *   markers  only with flag 8 of the chart (render/chart/chart_markers.h), times in ns. Names: how
 *            many, each a string and that of its process ("" = not needed); markers within this
 *            time are merged (0 = none); instants outside the axis; omitted counters.
 *            Instants for each thread in the same order and then without a thread: how many; each:
 *            time since the previous one or the start of the axis, extent (if merged), name, count.
 *            Counters: how many; each: name; number of values in the input; unit of the following
 *            values in thousandths; how many values; each: time as above, value times 2, or below
 *            0 its magnitude times 2 - 1
 *
 *   states   only with flag 32 of the chart (render/chart/chart.h), times in ns, for each thread in the
 *            same order: how many; each: time since the end of the previous one or the start of the
 *            axis; extent; an af_run_state, or 3 = several, whose three lengths follow
 *
 *   sides    only with flag 16 (compare/diff.h). The trees have one clock, and self is the width that
 *            a path itself has in the union: max(before, after). Clock of the comparison; then for each
 *            thread: its status (an af_diff_status), plus 8 if before has it, 16 if after has it, 32
 *            if its paths were tested; columns in the order of the entries:
 *              grown    what only after spent in the path itself; of a left-out entry: with all nodes
 *                       that it replaces
 *              shrunk   the same of before
 *              before   calls; 0 for a left-out entry
 *              after    likewise
 *              verdict  status, plus 8 if before has it, 16 if after has it
 *              p        only if tested: in thousandths, plus 1; 0 = not tested; 1002 = a fact
 *            and how many paths moved, then pairs: the entry, counted from 1, and its other place
 *
 * Inclusive times are sums over the subtree. A left-out entry has no children; it takes the
 * position of the first node that was left out under its parent.
 *
 *   frames   only with flag 64 of the chart (render/chart/chart_frames.h), after the states, times in
 *            ns. Rows of the tracks of expected and actual frames; how many; each: time since the
 *            begin of the previous one or the start of the axis, extent, how much longer the frame
 *            is than its part on the axis, how late; difference of the token from the previous one
 *            or 0, written as values of counters; fault times 8 + row times 2 + 1 for an actual
 *            frame
 */
#pragma once

#include "model/profile.h"
#include "model/tree_prune.h"
#include "render/chart/chart.h"

#define AF_PACK_SLIM 128u /* of the category of a label */

typedef struct {
    af_clock clock;          /* not AF_CLOCK_DEFAULT */
    const char *input;       /* may be NULL */
    const uint32_t *threads; /* the drawn ones */
    uint32_t n_threads;
    gboolean drawn_only;     /* packs no other threads */
    const uint64_t *rank_ns; /* by thread: orders those that are not drawn; NULL = their time */
    size_t budget;           /* limit for the block in bytes of base64; 0 = none */
    af_chart *chart;         /* calls to pack too; merged to fit the budget; NULL = none */
    unsigned jobs;           /* threads to use; 0 = one for each processor */
} af_pack_options;

typedef struct {
    GBytes *bytes;
    size_t plain_length;  /* unpacked */
    uint64_t left_out;    /* nodes */
    uint64_t left_out_ns; /* their self time in the clock of the picture */
} af_pack;

/* NULL if memory is refused. Names of threads are never omitted, so a block exceeds the budget if
 * they alone do. */
af_pack *af_pack_new(const af_profile *profile, const af_pack_options *options);
void af_pack_free(af_pack *pack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_pack, af_pack_free)

/* ---- private to render/packed ---- */

/* A block that has to fit into a budget. Estimated sizes avoid writing one that is far too large. */
typedef struct {
    const af_tree *const *trees; /* their nodes are the entries */
    uint32_t n_trees;
    af_clock clock;        /* entries with the least time in it are omitted first */
    size_t budget;         /* in bytes of base64; 0 = none */
    size_t fixed_size;     /* of everything but entries, likewise */
    unsigned entry_size;   /* estimated bytes of an entry, if all remain */
    unsigned packed_size;  /* and if only the largest remain */
    gboolean many_threads; /* the size without entries is measured first */
    /* Returns pieces as af_deflater_join() makes them. `pruned`: the remaining entries of each tree;
     * NULL = all. NULL if memory is refused. */
    GBytes *(*write)(void *user, const af_tree_extract *const *pruned, size_t *plain_length);
    void *user;
} af_pack_fitting;

/* Packs as many entries as fit, in a few attempts: each measures the size of an entry. NULL if memory
 * is refused. */
af_pack *af_pack_fit(const af_pack_fitting *fitting);
