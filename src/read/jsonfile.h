/* A file that is one JSON document of any length, read piece by piece as its window moves forward.
 * af_pull defines how truncated, lenient and strange texts are treated. */
#pragma once

#include "build/sink.h"
#include "base/pull.h"
#include "read/source.h"

typedef struct {
    af_source *source;
    af_sink *sink;
    af_pull json;  /* over the window */
    gboolean cut;  /* the input ends inside a value */
    GError *error; /* the error that stopped reading */
} af_json_file;

/* Skips whitespace, and a byte order mark before it. */
const char *af_json_skip_bom(const char *at, const char *end);

/* Starts at the first value of the document. */
void af_json_file_begin(af_json_file *file, af_source *source, af_sink *sink);

/* Extends the window past `at`, where it then starts; pointers into it become invalid. Returns
 * FALSE at the end of the input, when it is time to stop, or with an error. */
gboolean af_json_file_refill(af_json_file *file, const char *at);

/* Repeats a step until it succeeds without reaching the end of the window. `tried` reads one item
 * and moves on, or changes nothing. */
#define AF_JSON_FILE_PULL(file, state, tried)                                                      \
    do {                                                                                           \
        const char *const from = (file)->json.at;                                                  \
        (state) = (tried);                                                                         \
        if ((state) != AF_PULL_SHORT) {                                                            \
            break;                                                                                 \
        }                                                                                          \
        (file)->json.at = from;                                                                    \
    } while (af_json_file_refill((file), (file)->json.at))

/* Peeks at the kind of the next value; reads the whole value, in the window. As with
 * af_pull_take(), a STRANGE value is not always skipped. */
af_pull_state af_json_file_look(af_json_file *file, af_pull_kind *kind);
af_pull_state af_json_file_take(af_json_file *file, af_pull_value *value);

/* The same, but skips whatever follows: if it is not a value, warns and sets *taken to FALSE.
 * Returns FALSE if the input ends first. */
gboolean af_json_file_value(af_json_file *file, af_pull_value *value, gboolean *taken);

/* Skips an unusable value with a warning; returns FALSE if it cannot be skipped. */
gboolean af_json_file_pass_strange(af_json_file *file);

/* Reads or skips one item at the current position. Returns FALSE if the input ends first, or when
 * it is time to stop. */
typedef gboolean (*af_json_take_func)(void *user);
typedef gboolean (*af_json_taking_member)(void *user, const char *key);

/* Reads the elements of an array, or the members of an object, in order. Returns FALSE as above,
 * and then sets `cut` if the input ends inside one. Keys of more than 31 bytes are truncated. */
gboolean af_json_file_list(af_json_file *file, af_json_take_func take, void *user);
gboolean af_json_file_object(af_json_file *file, af_json_taking_member take, void *user);

/* Finds the values of keys of an object in one pass; missing ones have no bytes. A value that is
 * truncated with the text has the bytes that are there. */
void af_json_find_members(af_span object, const char *const keys[], af_pull_value *values,
                          unsigned n);

/* The same for one key. Returns FALSE if it is missing. */
gboolean af_json_find_member(af_span object, const char *key, af_pull_value *value);
