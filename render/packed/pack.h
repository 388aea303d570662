/* The call trees of all threads as one compressed block: what the script of an interactive SVG
 * draws from.
 *
 * Pieces behind each other: each a length (32 bits, low byte first) and a zlib stream of so many
 * bytes. Unpacked and put together, all numbers ULEB128, strings a length in bytes and UTF-8:
 *   "AFB1"; clocks (bits 1 << clock); unit of all times in ns (1 or 1000); clock of the picture, 2
 *     if it shows waiting; name of the input; flags (1 nobody counted calls, 2 it holds samples
 * with weights, 4 times are not of clocks: then follow the name of the unit, "" = ns, and how many
 * of its digits stand behind the point, 8 the calls of a chart follow the threads) labels: how
 * many, then each: bytes shared with the one before, then the rest as a string; a byte category; a
 * byte shade; the whole name: 0 = the label, 1 + string of what follows the label in it, 2 +
 * string; source "File.java:12", "" = unknown Numbered in order of first use. The number behind the
 * last one means "left out". threads: how many, in the order main, drawn ones, then by time; each:
 * id; name; title; flags (1 drawn, 2 exited, 4 its calls are stretches between samples, 8 it lacks
 * wall times that others have, 16 CPU times); records; N entries; how many nodes were left out;
 * then columns in the order of the tree: up: levels to go up from the entry before before going one
 * down (the first: 0) label calls - 1, or 0 where nobody counted; of a left-out entry: nodes it
 * stands for - 1 for each clock of the thread: self; of a left-out entry all time of what it stands
 * for for each clock of the thread: min, then max - min, of entries with several calls (else both
 *         are the inclusive time) that are not left-out ones
 *       unwinds: how many entries have some, then pairs: entries from the one before (the first:
 *         from the thread, entry 0), unwinds
 *
 *   calls of a chart (render/chart.h), if flags say so: clock of the axis; unit of what follows in
 *     ns; where the axis begins (ns), how long it is (ns), when the last record came since it
 * begins (ns); flags (1 the buffer was full, 2 the file is cut, 4 samples in the place of calls, 8
 * what is beside the calls follows); calls shorter than this (ns) are joined; how many calls or
 * samples there are; the usual interval between samples (ns, 0 = not known); the patterns of the
 * marks; then for each thread, in the same order: first and last - first, from the begin of the
 * axis; N entries; columns: up, label: as above; the number behind the last label means joined
 * calls from the end of the entry before with the same caller, or from the caller's begin, to its
 * own extent joined calls: how many - 1, and how much of their extent is gaps; of samples: of each
 * entry how many length in the other clock, if there is one: first how: 0 = as it is, 1 = how much
 * less than the length in the axis' clock (extent without gaps) * 2, or how much more * 2 - 1; of
 *         samples: for each clock what they weigh
 *       flags: how many entries have some, then pairs: entries from the one before, flags
 *       marks: how many; each: from the one before, extent, gaps, calls - 1
 *
 *   what is beside the calls of a chart (render/beside.h), if flags say so, times in ns: names: how
 *     many, each a string and that of its process, "" = not needed; what lies within so much time
 * is joined, 0 = nothing; instants off the axis; counters left out; instants for each thread in the
 *     same order and then of no thread: how many; each: from the one before or the begin of the
 *     axis, how long (of joined ones), name, how many; counters: how many; each: name; values there
 *     were; so many thousandths are 1 of the following; how many values; each: time as above, value
 *     times 2, or below 0 its size times 2 - 1
 *
 * Inclusive times are sums over the subtree. A left-out entry has no children; it stands where the
 * first node that was left out under its parent stood. */
#ifndef AF_RENDER_PACKED_PACK_H
#define AF_RENDER_PACKED_PACK_H

#include "model/profile.h"
#include "render/chart/chart.h"

typedef struct {
    af_clock clock;          /* definite */
    const char *input;       /* may be NULL */
    const uint32_t *threads; /* drawn */
    uint32_t n_threads;
    size_t budget;           /* bytes the block may have in base64; 0 = any number */
    af_chart *chart;         /* the calls to pack too; joined as the budget wants it; NULL = none */
    const char *highlighted; /* as in af_sheet_options */
    unsigned jobs;           /* threads to work with; 0 = one for each processor */
} af_pack_options;

typedef struct {
    GBytes *bytes;
    size_t plain_length;  /* unpacked */
    uint64_t left_out;    /* nodes */
    uint64_t left_out_ns; /* their own time in the clock of the picture */
} af_pack;

/* NULL if the machine refuses the memory. Names of threads are never left out, so a block can be
 * larger than the budget when these alone are. */
af_pack *af_pack_new(const af_profile *profile, const af_pack_options *options);
void af_pack_free(af_pack *pack);

#endif
