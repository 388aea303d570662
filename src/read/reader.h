/* A reader turns the bytes of one format into events.
 *
 * A format is one const struct in one file and one row of AF_READERS. Detection uses the content;
 * the extension only breaks ties. Every count in a file is checked against the remaining bytes
 * before use. */
#pragma once

#include "build/sink.h"
#include "read/source.h"

#define AF_SURE   100
#define AF_UNSURE (-1)

typedef struct {
    const char *name;       /* "v1-streaming" */
    const char *title;      /* "Android method trace, streaming" */
    const char *extensions; /* "trace", separated by spaces; may end in a * */

    /* The confidence that the bytes are of this format: 0 = not, AF_SURE = certain. If `more` bytes
     * follow, AF_UNSURE = these bytes do not decide; there are at least AF_SOURCE_LEAST of them.
     * `named`: the file has one of the extensions. */
    int (*detect)(const uint8_t *head, size_t length, gboolean more, gboolean named);

    /* Several inputs may be read as one: `other` and its successors. */
    gboolean adds_up;

    /* Passes everything to `sink`. `other` is the other half of a pair, or NULL. Returns FALSE with
     * AF_ERROR_UNRECOGNISED, _DAMAGED or _MISSING. */
    gboolean (*read)(af_source *source, af_source *other, const af_open_options *options,
                     af_sink *sink, GError **error);
} af_reader;

/* The formats, in the order in which they are detected. */
/* clang-format off */
#define AF_READERS(READER) \
    READER(aflp) \
    READER(v1) \
    READER(streaming) \
    READER(v2) \
    READER(perfdata) \
    READER(reportsample) \
    READER(spall) \
    READER(speedscope) \
    READER(gecko) \
    READER(firefox) \
    READER(chrome) \
    READER(longrunning) \
    READER(anr) \
    READER(pprof) \
    READER(callgrind) \
    READER(folded) \
    READER(perfscript) \
    READER(perfetto) \
    READER(systrace)
/* clang-format on */

#define AF_DECLARE_READER(name) extern const af_reader af_reader_##name;
AF_READERS(AF_DECLARE_READER)

/* Returns NULL past the end. */
const af_reader *af_reader_at(unsigned number);

/* Whether the file has one of the reader's extensions, in any case. `path` may be NULL. */
gboolean af_reader_is_named(const af_reader *reader, const char *path);

/* Returns the reader for the content at the start of the window, extending the window if detection
 * needs more. Returns NULL with an error that identifies the input. `format` is the name of the
 * reader to return for any content, or NULL; AF_ERROR_USAGE for an unknown name. */
const af_reader *af_reader_find(af_source *source, const char *format, GError **error);

/* Identifies, as far as possible, an input that no reader accepts. Always sets `error`. */
void af_refuse(const af_source *source, GError **error);
