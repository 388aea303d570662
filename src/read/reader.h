/* A reader: what turns the bytes of one format into events.
 *
 * A format is one const struct in one file and one line in the table in readers.c. Detection goes
 * by content; the extension only breaks ties. Every count in a file is checked against the bytes
 * that remain before it is used. */
#ifndef AF_READ_READER_H
#define AF_READ_READER_H

#include "build/sink.h"
#include "read/source.h"

#define AF_SURE   100
#define AF_UNSURE (-1)

typedef struct {
    const char *name;       /* "v1-streaming" */
    const char *title;      /* "Android method trace, streaming" */
    const char *extensions; /* "trace", separated by blanks */

    /* How sure it is that the bytes are its own: 0 = no, AF_SURE = no other can be. If `more` bytes
     * follow, AF_UNSURE = these alone do not tell; there are AF_SOURCE_LEAST of them at least. */
    int (*detect)(const uint8_t *head, size_t length, gboolean more, const char *path);

    /* Several inputs may be read as one: `other` and those behind it. */
    gboolean adds_up;

    /* Hands everything to `sink`. `other` is the other half of a pair, or NULL. FALSE with
     * AF_ERROR_UNRECOGNISED, _DAMAGED or _MISSING. */
    gboolean (*read)(af_source *source, af_source *other, const af_open_options *options,
                     af_sink *sink, GError **error);
} af_reader;

extern const af_reader af_reader_aflp;
extern const af_reader af_reader_v1;
extern const af_reader af_reader_streaming;
extern const af_reader af_reader_v2;
extern const af_reader af_reader_longrunning;
extern const af_reader af_reader_folded;
extern const af_reader af_reader_spall;
extern const af_reader af_reader_speedscope;
extern const af_reader af_reader_chrome;
extern const af_reader af_reader_perfdata;
extern const af_reader af_reader_perfscript;
extern const af_reader af_reader_reportsample;

/* NULL past the end. */
const af_reader *af_reader_at(unsigned number);

/* The reader for what the window begins with; reaches further if it takes that to tell. NULL with
 * an error that says what the input is instead. */
const af_reader *af_reader_find(af_source *source, GError **error);

/* What an input that no reader takes is, as far as it can be told. Always sets `error`. */
void af_refuse(const af_source *source, GError **error);

#endif
