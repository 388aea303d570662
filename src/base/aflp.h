/* The layout of a saved profile (`.aflp`): everything that a profile holds after reading, except
 * single calls. This header is its specification; model/saved_sections.c writes and reads all sections
 * but the trees, which export/aflp_tree.c writes and build/finished_tree.c reads.
 *
 * A number is ULEB128 unless its width is given. A text is a number, its length in bytes + 1 (0 =
 * absent), followed by UTF-8. A column of texts stores, for each text, the length of the prefix
 * that it shares with the previous text (a number of bytes; 0 for an absent text, which counts as
 * empty for the next one), and the rest as a text. A signed number n is stored as 2n, or as -2n - 1
 * below 0.
 *
 *     file      magic (8 bytes), version (1 byte, 1), the length of the payload (a number), the
 *               payload in pieces of 1 MB (the last is shorter): each the length of its zlib stream
 *               (a number) and that stream; then the CRC-32 of the payload (4 bytes, little endian)
 *     payload   sections: number of the section, its length in bytes (a number), its content. Each
 *               occurs once, in ascending order; TREE occurs once per thread.
 *
 * Readers skip unknown sections and unknown fields at the end of a section.
 *
 * A comparison is a file with version 2 that holds the files of both sides:
 *
 *     file      magic (8 bytes), version (1 byte, 2), then for before and for after: the length of its
 *               file (a number) and that file, of version 1
 *
 *     PROFILE   version of aflame (text), file name of the input without its folder (text), clocks
 *               (bits 1 << clock), names (see af_names; 3 = trees by method, not by label),
 *               flags (1 callers above, 2 compensated), package of the app (text), number of
 *               instants, number of values of counters
 *     FACTS     until the end: the number of a field of model/saved_sections.c * 2 and a number,
 *               or * 2 + 1 and a text; fields that are 0 or absent are omitted
 *     KEYS      count; key=value lines of the input: keys (column), values (column)
 *     PROCESSES count; ids (column), names (column)
 *     METHODS   count; ids (numbers), classes, names, signatures, source files, libraries,
 *               addresses, names of proxies (columns of texts), lines (signed numbers), flags (1
 *               defined, 2 slashes, 4 ambiguous, 8 synthetic, annotation * 16). If the file named
 *               any, then categories of methods (column)
 *     LABELS    only with trees by label. Count; texts (column); for each: method, number of
 *               methods, length of the class, offset of the method's name, category, shade,
 *               synthetic (0 or 1). If there are groups (model/groups.h), then their count;
 *               titles (column); their hues; for each label its group + 1 (0 = none)
 *     WARNINGS  count; for each: id (text), number, offset + 1 (0 = unknown)
 *     MAPPINGS  count; for each: path, compiler, version, id (texts), methods, known, named,
 *               ambiguous, synthetic, broken, flags (1 other build)
 *     MARKERS   count of series of instants and counters; names (column); for each: kind (0
 *               instant, 1 counter), process + 1 (0 = none), number of markers
 *     STEPS     count; for each: option, message (texts), sorts (0 or 1), matched, then for each
 *               clock the time left out and the time passed to callers
 *     THREADS   count; for each: id, number, name (text), process + 1 (0 = none), records,
 *               calls, first and last time for each clock, open at the end, exits on an empty
 *               stack, missing exits, unmatched exits, unwinds, cut at the start, depth, merged,
 *               flags (1 exited, 2 listed, 4 sampled, 8 track)
 *     TREE      one per thread, in their order: clocks (bits, 128 = see below), unit of its times
 *               in ns (1 or 1000), flags (see below), number of nodes without the thread itself;
 *               then columns of numbers in the order of the tree: levels to go up from the previous
 *               node (0 = this is its child); method or label; calls (0 of all nodes or, if the
 *               first has some, of none); for each clock: self, then min and max - min of the nodes
 *               that the flags select. Then the number of nodes with unwinds, and for each: nodes
 *               since the previous one, unwinds. Then, with 128 in the clocks, the same for the
 *               part of the node's own waiting in which it was runnable, in ns. Then, with trees by
 *               label, why each node waits (a byte, see af_waits): steps may have taken the callers
 *               away that tell.
 *               Flag 1 << clock: only nodes with several calls store min and max, because both are
 *               the inclusive time for 1 call and 0 for 0 calls. Without the flag all nodes do.
 *
 *     RUNS      only of merged profiles: number of runs; count of names; names (column); count of
 *               runs with sums, at most 64; for each: hash (16 bytes), count of rows; for each row:
 *               thread (index), name (index) * 2 + 1 if numbers in it are masked, calls, then self
 *               and inclusive of wall, cpu and wait
 *
 * The magic begins with a byte that is not ASCII and holds both kinds of line ends, so that a
 * transfer in text mode is detected. */
#pragma once

#define AF_AFLP_MAGIC                                                                              \
    "\x89"                                                                                         \
    "AFLP\r\n\x1A"
#define AF_AFLP_VERSION    1
#define AF_AFLP_COMPARISON 2 /* the version of a file with both sides of a comparison */

/* The type of its chunks in a PNG, at most 1,000,000 bytes each, in their order. */
#define AF_AFLP_CHUNK "afLp"

/* The name of the file that a PDF carries. */
#define AF_AFLP_FILE "profile.aflp"

/* The attribute of an element of SVG and HTML with the bytes in base64; and the first letters of
 * that, which follow from the magic. */
#define AF_PROFILE_ATTRIBUTE "data-profile"
#define AF_AFLP_BASE64       "iUFGTFANCh"

enum { AF_AFLP_MAGIC_SIZE = 8, AF_AFLP_PIECE = 1 << 20 };

enum {
    AF_AFLP_PROFILE = 1,
    AF_AFLP_FACTS = 2,
    AF_AFLP_KEYS = 3,
    AF_AFLP_PROCESSES = 4,
    AF_AFLP_METHODS = 5,
    AF_AFLP_LABELS = 6,
    AF_AFLP_WARNINGS = 7,
    AF_AFLP_MAPPINGS = 8,
    AF_AFLP_MARKERS = 9,
    AF_AFLP_STEPS = 10,
    AF_AFLP_THREADS = 11,
    AF_AFLP_TREE = 12,
    AF_AFLP_RUNS = 13,
};

/* In place of a style of names. */
enum { AF_AFLP_BY_METHOD = 3 };
