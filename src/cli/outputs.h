/* The outputs of the command.
 *
 * A file appears complete or not at all: aflame writes to a temporary name next to the target and
 * renames it when all outputs of the run are complete. A failure or a signal before that leaves no
 * file and does not touch existing ones. Standard output ("-") and targets other than regular files
 * (a pipe, a device) are written directly. */
#pragma once

#include "cli/verbs.h"

/* A file to be written in a format. */
typedef struct {
    char *path;
    const char *format; /* borrowed from a table of formats */
    gboolean packed;    /* with gzip, because the file name ends in .gz */
    char **messages;    /* about the output, printed when all are written */
} af_target;

/* The formats of a verb. */
struct af_formats {
    const char *(*name)(unsigned number); /* NULL past the end */
    /* separated by blanks, the default first; may be `name` itself. One with a star is a pattern
     * for a whole file name */
    const char *(*extensions)(unsigned number);
    bool (*is_binary)(unsigned number); /* NULL = none is binary */
    gboolean packs;                     /* x.svg.gz is an SVG in gzip */
};

/* "svg, png, pdf". Free with g_free(). */
char *af_formats_list(const af_formats *formats);

/* The formats of the `paths` ("-o"; ends with NULL) by their extensions, or `forced` ("--format",
 * may be NULL) for all. Standard output and devices, which have no extension, get the first format
 * of the table. Returns NULL after printing the error: an unknown format, a binary format on a
 * terminal, one path twice. Free with g_ptr_array_unref(). */
GPtrArray *af_targets_choose(const af_formats *formats, const char *const *paths,
                             const char *forced);

/* The same for the outputs of a run; without -o standard output. --alt and --markdown add texts for
 * standard output, with these names as formats. */
GPtrArray *af_targets_choose_standard(const struct af_options *options, const char *forced);

/* The format of one path; NULL = unknown. */
const char *af_format_choose(const af_formats *formats, const char *path, const char *forced);

/* Whether the path is written directly: "-", an open descriptor (/dev/fd/3), a pipe, a device. */
gboolean af_target_is_direct(const char *path);

/* Returns TRUE, and prints so, if a target without -o would replace a file that has content and
 * that aflame did not write. */
gboolean af_targets_replace_others(const GPtrArray *targets);

/* Writes one target to `to`. */
typedef gboolean (*af_target_func)(void *user, af_target *target, af_write_func write, void *to,
                                   GError **error);

/* Writes all targets with `draw` and puts them in place, or none of them. A message about an output
 * starts with its path, any other one with `input_name`. */
af_exit af_targets_write(const GPtrArray *targets, const char *input_name, af_target_func draw,
                         void *user);

/* An af_write_func that appends to a GString, its user data. */
bool af_output_append(void *string, const void *bytes, size_t length, GError **error);

/* Writes text to standard output. Prints errors. */
af_exit af_output_print(const char *text);

/* Makes any later signal that ends the command remove its temporary files first. */
void af_outputs_watch_signals(void);

/* Removes the temporary files. Safe in a signal handler. */
void af_outputs_discard(void);
