/* Writing a profile in the formats of other tools. */
#ifndef AFLAME_CONVERT_H
#define AFLAME_CONVERT_H

#include <aflame/profile.h>
#include <aflame/output.h>

G_BEGIN_DECLS

typedef struct {
    size_t size;
    af_clock clock;
    const char *const *threads; /* as in af_picture_options; NULL = all */
    gboolean any_size;          /* also what is more than AF_CONVERT_MOST_BYTES */
    gboolean gzip;              /* packed; some formats always are */
    unsigned remove_gaps;       /* format "gecko", of samples: a run of at most so many samples of
                                   a thread whose stacks do not reach down to where threads begin is
                                   left out; 0 = all stay */
    GCancellable *cancel;       /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes of the input that are read
                                   again; may be NULL */
    void *progress_user;
    const char *folded_unit; /* of the times in folded stacks: "us" or "ns"; NULL = us */
    GPtrArray *notes; /* receives one line (char *, for g_free()) for each thing that is not in the
                         file though it was asked for; may be NULL */
} af_convert_options;

#define AF_CONVERT_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(af_convert_options), AF_CLOCK_DEFAULT, NULL, FALSE, FALSE, 3, NULL, NULL, NULL,     \
            NULL, NULL                                                                             \
    }

/* A line of folded stacks names all calls that are open, so a recursion 200,000 calls deep makes
 * 180 GB of a trace of a few megabytes. No tool reads that, and it fills a disk before anybody
 * looks: what would be more than this is not begun. */
#define AF_CONVERT_MOST_BYTES (UINT64_C(16) << 30)

/* The formats, from the table of exporters; NULL past the end. Extensions are those of file names,
 * without the first dot, separated by blanks, the usual one first. */
AF_API const char *af_convert_format(unsigned number);
AF_API const char *af_convert_format_title(unsigned number);
AF_API const char *af_convert_format_extensions(unsigned number);

/* Whether the format is no text: bytes that a terminal must not get. */
AF_API gboolean af_convert_format_is_binary(unsigned number);

/* Whether the format tells single calls where it can, so that a profile should be opened with
 * `keep_input`. */
AF_API gboolean af_convert_format_writes_calls(unsigned number);

/* How many calls inside each other a file of the format can hold; 0 = any number. What is deeper is
 * not in it, and its time is that of the call around it. */
AF_API unsigned af_convert_format_deepest(unsigned number);

/* Hands `profile` in `format` to `write` in pieces. Memory follows the call trees and not the
 * number of calls. Single calls are told as they were recorded: by threads and a range of time they
 * can be chosen, and no other step of reshape.h is done to them. Of a profile to which one was
 * done, which was not opened with `keep_input`, which holds samples, or of which waiting is wanted,
 * formats that can (speedscope, firefox, gecko) write the trees, and others fail with
 * AF_ERROR_USAGE. Fails with AF_ERROR_USAGE (selection, clock, format, size), _OUTPUT, _MEMORY, or
 * an error of af_calls_walk(). */
AF_API gboolean af_convert_write(const af_profile *profile, const char *format,
                                 const af_convert_options *options, af_write_func write, void *user,
                                 GError **error);

/* ---- what is read ---- */

/* The formats of traces, from the table of readers; NULL past the end. */
AF_API const char *af_input_format(unsigned number);
AF_API const char *af_input_format_title(unsigned number);

G_END_DECLS

#endif
