/* Conversion: a profile written in the formats of other tools.
 *
 * Some formats hold call trees (folded stacks, pprof, callgrind), others single calls or samples
 * along time (Chrome, Perfetto, Gecko, Spall). The latter need a profile that was opened with
 * `keep_input`, because the input is read again. Several threads may convert the same profile at
 * once; those that read the input take turns.
 *
 *     af_convert_options options = AF_CONVERT_OPTIONS_INIT;
 *     options.clock = AF_WALL;
 *     if (!af_convert_write(profile, "folded", &options, write, user, &error)) {
 *         fprintf(stderr, "%s\n", af_error_message(error));
 *     }
 */
#ifndef AFLAME_CONVERT_H
#define AFLAME_CONVERT_H

#include <string.h>
#include <aflame/cancel.h>
#include <aflame/profile.h>
#include <aflame/output.h>

AF_BEGIN_DECLS

/* What to write. Initialise with AF_CONVERT_OPTIONS_INIT. */
typedef struct {
    size_t size;
    af_clock clock;
    const char *const *threads; /* selectors as in af_picture_options; NULL = all */
    bool any_size;              /* write files larger than AF_CONVERT_MAX_BYTES, too */
    bool gzip;                  /* compress; some formats are always compressed */
    unsigned remove_gaps;       /* "gecko", samples: drop runs of at most this many samples of a
                                   thread whose stacks do not reach the root; 0 = none */
    af_cancel *cancel;          /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes of the second reading; may
                                                                    be NULL */
    void *progress_user;
    const char *folded_unit; /* of the times in folded stacks: "us" or "ns"; NULL = us */
    char ***messages;        /* on success receives one line for each requested item that the file
                                lacks; free them with af_messages_free(); may be NULL */
    unsigned min_percent_c;  /* "dot": leave out methods below this share of the time, in hundredths
                                of a percent; 50 by default */
    uint32_t top;            /* "dot": the maximum number of methods, taken alternately from those
                                with the most self time and those with the most inclusive time; 0 =
                                all */
    const char *input_name;  /* file name of the input without its folder, for formats that store
                                it; may be NULL */
} af_convert_options;

#define AF_CONVERT_OPTIONS_INIT                                                                    \
    {                                                                                              \
        .size = sizeof(af_convert_options), .clock = AF_CLOCK_DEFAULT, .remove_gaps = 3,           \
        .min_percent_c = 50, .top = 80                                                             \
    }

static inline void af_convert_options_init(af_convert_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
    options->remove_gaps = 3;
    options->min_percent_c = 50;
    options->top = 80;
}

/* The library rejects larger files before it writes the first byte. A line of folded stacks
 * contains the whole path, so a recursion of 200,000 calls turns a trace of a few megabytes into
 * 180 GB. */
#define AF_CONVERT_MAX_BYTES (UINT64_C(16) << 30)

/* The name, title and file extensions of format `index`; NULL past the end. Extensions have no
 * leading dot and are separated by blanks; the first one is the default. */
AF_API const char *af_convert_format(unsigned index);
AF_API const char *af_convert_format_title(unsigned index);
AF_API const char *af_convert_format_extensions(unsigned index);

/* Whether the format is binary and must not be written to a terminal. */
AF_API bool af_convert_format_is_binary(unsigned index);

/* Whether the format can hold single calls, so that you should open the profile with
 * `keep_input`. */
AF_API bool af_convert_format_writes_calls(unsigned index);

/* The deepest nesting of calls that a file of the format can hold; 0 = unlimited. Deeper calls are
 * dropped, and their time counts as their caller's. */
AF_API unsigned af_convert_format_max_depth(unsigned index);

/* What files of the format cannot hold of some inputs, such as "counters, instants"; NULL = nothing,
 * or past the end. Free with free(). */
AF_API char *af_convert_format_losses(unsigned index);

/* Writes `profile` in `format` to `write`. `options` may be NULL. Memory follows the call trees,
 * not the number of calls.
 *
 * Single calls are written as recorded; of the steps of reshape.h, only selections of threads apply
 * to them. A time range applies, too. If the profile was reshaped in another way, was opened
 * without `keep_input` or holds samples, or if the clock is AF_WAIT, the formats speedscope,
 * firefox and gecko write the trees; the others fail with AF_ERROR_USAGE. Fails with AF_ERROR_USAGE
 * (selection, clock, format, size), _OUTPUT, _MEMORY, or an error of af_profile_walk_calls(). */
AF_API bool af_convert_write(const af_profile *profile, const char *format,
                             const af_convert_options *options, af_write_func write, void *user,
                             GError **error);

/* ---- formats of input ---- */

/* The name and title of input format `index`; NULL past the end. */
AF_API const char *af_input_format(unsigned index);
AF_API const char *af_input_format_title(unsigned index);

/* The extensions of its files, separated by spaces: "trace key data". The content decides which
 * format a file has; the extension only breaks ties. A "*" at the end matches anything. */
AF_API const char *af_input_format_extensions(unsigned index);

AF_END_DECLS

#endif
