/* A profile: everything that was read from one trace.
 *
 * It owns the threads, their call trees, the names and the facts about the file, and never
 * changes after it was opened. All strings it lends are UTF-8, end with a zero byte and live as
 * long as the profile. Times are nanoseconds. */
#ifndef AFLAME_PROFILE_H
#define AFLAME_PROFILE_H

#include <stdint.h>
#include <aflame/clock.h>
#include <aflame/error.h>
#include <aflame/open.h>
#include <aflame/unit.h>

G_BEGIN_DECLS

typedef struct af_profile af_profile;

/* Opens a trace by its content, never by its name: text + data, streaming, version 2, dumps of
 * long-running methods, any of them in gzip. A lone half of a .key/.data pair finds the other
 * half beside it. `options` may be NULL.
 * Returns NULL with AF_ERROR_MISSING, _UNRECOGNISED, _DAMAGED, _MEMORY or _CANCELLED.
 * The caller frees the profile with af_profile_free(). */
AF_API af_profile *af_profile_open(const char *path, const af_open_options *options,
                                   GError **error);

/* The same for the two halves of a pair, in either order. */
AF_API af_profile *af_profile_open_pair(const char *one, const char *other,
                                        const af_open_options *options, GError **error);

/* The same for inputs that are added up: folded stacks. `paths` ends with NULL. AF_ERROR_USAGE if
 * one of them holds anything else. */
AF_API af_profile *af_profile_open_sum(const char *const *paths, const af_open_options *options,
                                       GError **error);

/* The same from a file descriptor, e.g. a pipe. It is read to its end and not closed. */
AF_API af_profile *af_profile_open_fd(int fd, const af_open_options *options, GError **error);

AF_API void af_profile_free(af_profile *profile);

/* Whether the file at `path` is one half of a .key/.data pair, so that a caller with two paths
 * knows whether they belong together. Unreadable files are whole. */
typedef enum { AF_HALF_NONE, AF_HALF_KEY, AF_HALF_DATA } af_half;
AF_API af_half af_trace_half(const char *path);

/* ---- clocks ---- */

/* Whether any thread has it. AF_WAIT needs both others. */
AF_API gboolean af_profile_has_clock(const af_profile *profile, af_clock clock);

/* Whether one thread has it. Of a clock that others have it may have none, as lanes and samples in
 * traces of calls with CPU times; there are then no times of it, and what is said to be 0 means
 * nothing. */
AF_API gboolean af_thread_has_clock(const af_profile *profile, unsigned thread, af_clock clock);

/* AF_CLOCK_DEFAULT made definite for this profile. */
AF_API af_clock af_profile_default_clock(const af_profile *profile);

/* What all numbers are that are said to be ns here, where the profile holds samples. */
AF_API af_unit af_profile_unit(const af_profile *profile);

/* Whether calls were recorded at all. Where they were not, counts of calls and of unwinds and the
 * times of single calls are 0 and mean nothing. */
AF_API gboolean af_profile_has_calls(const af_profile *profile);

/* When the trace begins and ends in wall time: 0, where its clock counts from the beginning, else
 * the first record. Samples count from the first. Both are 0 without wall times. */
AF_API uint64_t af_profile_start_ns(const af_profile *profile);
AF_API uint64_t af_profile_end_ns(const af_profile *profile);

/* ---- threads: those with records, in ascending order of their ids ---- */

AF_API unsigned af_profile_n_threads(const af_profile *profile);
AF_API uint64_t af_thread_id(const af_profile *profile, unsigned thread);

/* The name alone, and the name with " [id]" behind it where two threads share it. */
AF_API const char *af_thread_name(const af_profile *profile, unsigned thread);
AF_API const char *af_thread_title(const af_profile *profile, unsigned thread);

/* Whether anybody counted the calls of the thread. Where it was sampled, in a file of samples or
 * beside threads whose calls are told, counts of calls are at most those of stretches of samples.
 */
AF_API gboolean af_thread_has_calls(const af_profile *profile, unsigned thread);

/* ---- call trees ----
 *
 * The calls of a thread, merged by label along the path. Node 0 is the thread itself; a parent's
 * number is smaller than its children's, and siblings are in order of their first call. */

AF_API uint32_t af_tree_n_nodes(const af_profile *profile, unsigned thread);
AF_API uint32_t af_node_parent(const af_profile *profile, unsigned thread, uint32_t node);
AF_API uint32_t af_node_depth(const af_profile *profile, unsigned thread, uint32_t node);

/* The label; that of node 0 is the thread's title. */
AF_API const char *af_node_label(const af_profile *profile, unsigned thread, uint32_t node);

/* The number of a label: equal for two nodes of the profile exactly if their labels are equal. It
 * is below af_profile_n_labels(). Node 0 has none (UINT32_MAX). */
AF_API uint32_t af_node_label_number(const af_profile *profile, unsigned thread, uint32_t node);
AF_API uint32_t af_profile_n_labels(const af_profile *profile);
AF_API const char *af_profile_label(const af_profile *profile, uint32_t number);

AF_API uint64_t af_node_calls(const af_profile *profile, unsigned thread, uint32_t node);

/* Calls among them that an exception left. */
AF_API uint64_t af_node_unwinds(const af_profile *profile, unsigned thread, uint32_t node);

/* Times in the node itself, with all it called, of its shortest and of its longest call; 0 for a
 * clock that the thread lacks, and of single calls in AF_WAIT, which nobody knows. Node 0 has no
 * self time: what lies between a thread's outermost calls belongs to no method. */
AF_API uint64_t af_node_self_ns(const af_profile *profile, unsigned thread, uint32_t node,
                                af_clock clock);
AF_API uint64_t af_node_inclusive_ns(const af_profile *profile, unsigned thread, uint32_t node,
                                     af_clock clock);
AF_API uint64_t af_node_min_ns(const af_profile *profile, unsigned thread, uint32_t node,
                               af_clock clock);
AF_API uint64_t af_node_max_ns(const af_profile *profile, unsigned thread, uint32_t node,
                               af_clock clock);

/* ---- warnings: what was wrong with the input, one for each kind ---- */

typedef struct {
    const char *id;   /* stable name of the kind, e.g. "partial-record" */
    const char *text; /* one line: what was wrong and what was done about it */
    uint64_t count;
    gboolean has_place; /* whether `place` is known */
    uint64_t place;     /* offset of the first in the unpacked input, bytes */
    gboolean note;      /* worth saying, but not a fault of the input */
} af_warning_view;

AF_API unsigned af_profile_n_warnings(const af_profile *profile);
AF_API af_warning_view af_profile_warning(const af_profile *profile, unsigned number);

G_END_DECLS

#endif
