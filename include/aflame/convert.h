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
} af_convert_options;

#define AF_CONVERT_OPTIONS_INIT { sizeof(af_convert_options), AF_CLOCK_DEFAULT, NULL, FALSE }

/* A line of folded stacks names all calls that are open, so a recursion 200,000 calls deep makes
 * 180 GB of a trace of a few megabytes. No tool reads that, and it fills a disk before anybody
 * looks: what would be more than this is not begun. */
#define AF_CONVERT_MOST_BYTES (UINT64_C(16) << 30)

/* The formats, from the table of exporters; NULL past the end. */
AF_API const char *af_convert_format(unsigned number);
AF_API const char *af_convert_format_title(unsigned number);
AF_API const char *af_convert_format_extension(unsigned number);

/* Hands `profile` in `format` to `write` in pieces.
 * Fails with AF_ERROR_USAGE (selection, clock, format, size), _OUTPUT or _MEMORY. */
AF_API gboolean af_convert_write(const af_profile *profile, const char *format,
                                 const af_convert_options *options, af_write_func write,
                                 void *user, GError **error);

G_END_DECLS

#endif
