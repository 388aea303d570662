/* A profile: everything that the library read from one trace.
 *
 * Opening a trace reads all of it and merges its calls. For each thread the profile then holds one
 * call tree: a node is a path of methods, with the number of its calls and their times. A profile
 * never changes, so several threads may use it at once. Strings that it returns are UTF-8, end with
 * a zero byte and live as long as the profile. Times are nanoseconds, unless the profile has a
 * unit.
 *
 *     af_profile *opened = af_profile_open("app.trace", NULL, &error);
 *     for (unsigned t = 0; opened != NULL && t < af_profile_n_threads(opened); t++) {
 *         printf("%s: %u call paths\n", af_thread_title(opened, t), af_tree_n_nodes(opened, t));
 *     }
 *     af_profile_free(opened);
 */
#ifndef AFLAME_PROFILE_H
#define AFLAME_PROFILE_H

#include <stdint.h>
#include <string.h>
#include <aflame/clock.h>
#include <aflame/error.h>
#include <aflame/open.h>

AF_BEGIN_DECLS

typedef struct af_profile af_profile;

/* Opens a trace. Its content determines the format, not its name. If the file is one half of a
 * .key/.data pair, the library looks for the other half next to it. `options` may be NULL. Free the
 * profile with af_profile_free(). Returns NULL with AF_ERROR_USAGE, _MISSING, _UNRECOGNISED,
 * _DAMAGED, _MEMORY or _CANCELLED. */
AF_API af_profile *af_profile_open(const char *path, const af_open_options *options,
                                   GError **error);

/* Opens the two halves of a pair, in either order. */
AF_API af_profile *af_profile_open_pair(const char *one, const char *other,
                                        const af_open_options *options, GError **error);

/* Opens a trace from a file descriptor, e.g. a pipe. Reads to the end and does not close it. */
AF_API af_profile *af_profile_open_fd(int fd, const af_open_options *options, GError **error);

/* Opens a trace in memory, compressed or not. You may free `bytes` afterwards; with `keep_input`
 * the profile has a copy. The library cannot look for a second file, so a .key/.data pair must be
 * concatenated. */
AF_API af_profile *af_profile_open_bytes(const void *bytes, size_t length,
                                         const af_open_options *options, GError **error);

/* `profile` may be NULL. */
AF_API void af_profile_free(af_profile *profile);

/* A hash of what was recorded: equal for a recording and for the profiles saved from it, also after
 * they were reshaped. Free with free(). */
AF_API char *af_profile_hash(const af_profile *profile);

/* ---- the app ---- */

/* The package of the app: as declared in the file, otherwise the package with the most time that
 * belongs to no known platform or library. NULL = unknown. */
AF_API const char *af_profile_app(const af_profile *profile);

/* The process id of the app. Returns false, with *pid unchanged, if the file does not contain
 * it. */
AF_API bool af_profile_pid(const af_profile *profile, uint64_t *pid);

/* ---- clocks ---- */

/* Whether any thread has the clock. AF_WAIT needs both other clocks. */
AF_API bool af_profile_has_clock(const af_profile *profile, af_clock clock);

/* Whether one thread has the clock. Async tracks and sampled threads may lack a clock that other
 * threads have; their times of that clock are 0 and meaningless. */
AF_API bool af_thread_has_clock(const af_profile *profile, unsigned thread, af_clock clock);

/* The clock that AF_CLOCK_DEFAULT stands for in this profile. */
AF_API af_clock af_profile_default_clock(const af_profile *profile);

/* Whether the input has calls. For samples, the numbers of calls and unwinds and the times of
 * single calls are 0 and meaningless. */
AF_API bool af_profile_has_calls(const af_profile *profile);

/* Wall time at the start and at the end of the trace: the start is 0 if the clock of the file
 * starts there, otherwise the time of the first record. Both are 0 without wall times. */
AF_API uint64_t af_profile_start_ns(const af_profile *profile);
AF_API uint64_t af_profile_end_ns(const af_profile *profile);

/* The file name of the recording that a saved profile was made from, without its folder, as outputs
 * show it. NULL for recordings, or if unknown. */
AF_API const char *af_profile_saved_name(const af_profile *profile);

/* The dumps of the heaps that were read from a Perfetto trace: fills *time_ns (may be NULL) with the
 * time of dump `index`, from 0, since the trace began. Times ascend, and dumps of several heaps at
 * one time count once. false past the last one, and for other profiles. */
AF_API bool af_profile_dump_time(const af_profile *profile, unsigned index, int64_t *time_ns);

/* What part of the recording the profile is: "200 ms to 400 ms", "dump 2 of 3, at 8 s". NULL = all
 * of it. Lives as long as the profile. */
AF_API const char *af_profile_part_name(const af_profile *profile);

/* ---- the unit of the numbers ----
 *
 * A method trace holds clock times, in nanoseconds. A profile of samples holds the weight of the
 * samples: nanoseconds too, or a number of cycles, bytes or samples. That number then replaces wall
 * time (AF_WALL) in every function whose name ends in _ns. */

/* NULL = nanoseconds of the clocks that the profile has; "ns" = nanoseconds of an unknown clock;
 * otherwise a plural noun ("cycles", "samples", "bytes") of at most 40 bytes. */
AF_API const char *af_profile_unit_name(const af_profile *profile);

/* Whether the numbers are counts, not times. */
AF_API bool af_profile_unit_is_count(const af_profile *profile);

/* The number of trailing decimal digits in each number, 0 or 3: 1500 with 3 decimals is 1.5. */
AF_API unsigned af_profile_unit_decimals(const af_profile *profile);

/* ---- threads: those with records, by ascending id ----
 *
 * An index past the end gives NULL, 0 or false, here and below; for the number of a node or label
 * UINT32_MAX, for a line -1. */

AF_API unsigned af_profile_n_threads(const af_profile *profile);
AF_API uint64_t af_thread_id(const af_profile *profile, unsigned thread);

/* The name, and the name with " [id]" after it if two threads share it. */
AF_API const char *af_thread_name(const af_profile *profile, unsigned thread);
AF_API const char *af_thread_title(const af_profile *profile, unsigned thread);

/* Whether the calls of the thread were recorded. For a sampled thread the numbers of calls only
 * count runs of equal samples. */
AF_API bool af_thread_has_calls(const af_profile *profile, unsigned thread);

/* ---- labels: the displayed names of methods ----
 *
 * Labels have numbers from 0. Methods whose labels are equal, such as overloads, share one; its
 * class, source and category are those of the first method. */

AF_API uint32_t af_profile_n_labels(const af_profile *profile);
AF_API const char *af_profile_label(const af_profile *profile, uint32_t label);

/* The class with its package, e.g. "android.view.View"; NULL = none, or unknown. */
AF_API const char *af_label_class(const af_profile *profile, uint32_t label);

/* The name of the source file, e.g. "View.java"; NULL = unknown. */
AF_API const char *af_label_source_file(const af_profile *profile, uint32_t label);

/* The line in that file at which the method starts; -1 = unknown. */
AF_API int af_label_source_line(const af_profile *profile, uint32_t label);

/* The origin of the code, as in the legend of a picture: "your app", "Android framework", "Kotlin",
 * "native or unknown", ... Static. */
AF_API const char *af_label_category(const af_profile *profile, uint32_t label);

/* ---- call trees ----
 *
 * The calls of a thread, merged by label along the path. Node 0 is the thread itself. The number
 * of a parent is smaller than those of its children. Siblings are in order of their first call. */

AF_API uint32_t af_tree_n_nodes(const af_profile *profile, unsigned thread);

/* The number of the parent; UINT32_MAX for node 0. */
AF_API uint32_t af_node_parent(const af_profile *profile, unsigned thread, uint32_t node);
AF_API uint32_t af_node_depth(const af_profile *profile, unsigned thread, uint32_t node);

/* The text of the label; for node 0 the title of the thread. */
AF_API const char *af_node_label(const af_profile *profile, unsigned thread, uint32_t node);

/* The number of the label; UINT32_MAX for node 0. */
AF_API uint32_t af_node_label_number(const af_profile *profile, unsigned thread, uint32_t node);

AF_API uint64_t af_node_calls(const af_profile *profile, unsigned thread, uint32_t node);

/* How many of the calls ended with an exception. */
AF_API uint64_t af_node_unwinds(const af_profile *profile, unsigned thread, uint32_t node);

/* Times of the node itself, of the node with everything it called, and of its shortest and its
 * longest call. 0 for a clock that the thread lacks. AF_WAIT is undefined for single calls. Node 0
 * has no self time: time between the outermost calls belongs to no method. */
AF_API uint64_t af_node_self_ns(const af_profile *profile, unsigned thread, uint32_t node,
                                af_clock clock);
AF_API uint64_t af_node_inclusive_ns(const af_profile *profile, unsigned thread, uint32_t node,
                                     af_clock clock);
AF_API uint64_t af_node_min_ns(const af_profile *profile, unsigned thread, uint32_t node,
                               af_clock clock);
AF_API uint64_t af_node_max_ns(const af_profile *profile, unsigned thread, uint32_t node,
                               af_clock clock);

/* The part of a node's waiting in which it could run but had no processor: of the node itself, and
 * with everything it called. Both are at most the waiting. Only recordings of the scheduler have
 * it; 0 for a thread without (af_thread_has_runnable()). */
AF_API bool af_thread_has_runnable(const af_profile *profile, unsigned thread);
AF_API uint64_t af_node_self_runnable_ns(const af_profile *profile, unsigned thread, uint32_t node);
AF_API uint64_t af_node_runnable_ns(const af_profile *profile, unsigned thread, uint32_t node);

/* ---- warnings: problems of the input, counted by kind ---- */

/* One kind of problem. Initialise with AF_WARNING_VIEW_INIT. */
typedef struct {
    size_t size;
    const char *id;   /* stable name of the kind, e.g. "partial-record" */
    const char *text; /* one line: the problem and what the reader did about it */
    uint64_t count;
    bool has_offset;
    uint64_t offset;  /* bytes, of the first occurrence in the uncompressed input */
    bool information; /* useful to know, but not a fault of the input */
} af_warning_view;

#define AF_WARNING_VIEW_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(af_warning_view)                                                            \
    }

static inline void af_warning_view_init(af_warning_view *view)
{
    memset(view, 0, sizeof *view);
    view->size = sizeof *view;
}

AF_API unsigned af_profile_n_warnings(const af_profile *profile);

/* Fills *view with warning `index`. Returns false if `index` is past the end. */
AF_API bool af_profile_warning(const af_profile *profile, unsigned index, af_warning_view *view);

AF_END_DECLS

#endif
