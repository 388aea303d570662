/* A file that is one JSON document of any length, read piece by piece as its window moves on. Cut,
 * lenient and strange texts are what af_pull takes them for. */
#ifndef AF_READ_JSONFILE_H
#define AF_READ_JSONFILE_H

#include "build/sink.h"
#include "read/pull.h"
#include "read/source.h"

typedef struct {
    af_source *source;
    af_sink *sink;
    af_pull json;  /* over the window */
    gboolean cut;  /* the input ends in the middle of something */
    GError *error; /* what reading on failed with */
} af_json_file;

/* Passes over blanks, and over a mark of the order of bytes in front of them. */
const char *af_json_skip_bom(const char *at, const char *end);

/* What the begin of an object says it is. A text may hold the marks of both, in names and messages:
 * it is what it says first, so that it does not matter how much of it is seen. */
typedef enum { AF_JSON_UNKNOWN, AF_JSON_TRACE_EVENTS, AF_JSON_SPEEDSCOPE } af_json_kind;

af_json_kind af_json_look_kind(const char *text, size_t n);

/* At the first value of the document. */
void af_json_file_begin(af_json_file *file, af_source *source, af_sink *sink);

/* More of the input behind `at`, where the window then begins: pointers into it are void. FALSE if
 * there is none, when it is time to stop, or with an error. */
gboolean af_json_file_refill(af_json_file *file, const char *at);

/* Tries something until it does not end with the window. `tried` takes one thing and moves on, or
 * leaves everything as it is. */
#define AF_JSON_FILE_PULL(file, state, tried)                                                      \
    do {                                                                                           \
        const char *const from = (file)->json.at;                                                  \
        (state) = (tried);                                                                         \
        if ((state) != AF_PULL_SHORT) {                                                            \
            break;                                                                                 \
        }                                                                                          \
        (file)->json.at = from;                                                                    \
    } while (af_json_file_refill((file), (file)->json.at))

/* What comes next, which is not taken; and all of it, in the window. As of af_pull_take(), STRANGE
 * is not always passed over. */
af_pull_state af_json_file_look(af_json_file *file, af_pull_kind *kind);
af_pull_state af_json_file_take(af_json_file *file, af_pull_value *value);

/* The same where something must be passed over: what is no value is, with a warning, and *taken is
 * then FALSE. FALSE if the input ends before it does. */
gboolean af_json_file_value(af_json_file *file, af_pull_value *value, gboolean *taken);

/* Passes over a value that is nothing, with a warning; FALSE if there is no getting over it. */
gboolean af_json_file_pass_strange(af_json_file *file);

/* Takes one thing where the file stands, or passes over it. FALSE if the input ends before it does,
 * or when it is time to stop. */
typedef gboolean (*af_json_taking)(void *user);
typedef gboolean (*af_json_taking_member)(void *user, const char *key);

/* Takes what is in an array, or in an object, one after the other. FALSE as above; `cut` is then
 * set if something in it is. Keys of more than 31 bytes are cut. */
gboolean af_json_file_list(af_json_file *file, af_json_taking take, void *user);
gboolean af_json_file_object(af_json_file *file, af_json_taking_member take, void *user);

#endif
