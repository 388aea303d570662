/* Frames that an input names by a text, as methods of the sink: equal texts are one method.
 *
 * A text of the form "pkg.Class.method" is a method with a known class, which determines whose code
 * it is. Any other text is just a name. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/textmap.h"
#include "build/sink.h"

typedef enum {
    AF_FRAME_ANY,    /* of unknown kind */
    AF_FRAME_FOLDED, /* the same, without a final `_[k]`, `_[j]`, `_[i]` or `_[w]` */
    AF_FRAME_JAVA,   /* "pkg.Class.method", perhaps "type pkg.Class.method(types)" */
    AF_FRAME_NATIVE, /* never "pkg.Class.method" */
} af_frame_kind;

typedef struct {
    af_sink *sink;
    af_sink_ids ids; /* of the sink */
    af_arena *arena; /* the texts */
    GString *key;    /* scratch */
    af_textmap texts;
    uint32_t n_nowhere; /* different addresses so far */
} af_frames;

void af_frames_init(af_frames *frames, af_sink *sink);
void af_frames_clear(af_frames *frames);

/* Returns the method number to use in samples. `library` is the path of the file that the code was
 * loaded from, which distinguishes methods of the same name; NULL = unknown. Returns UINT32_MAX if
 * memory is refused, which the sink records too. */
uint32_t af_frames_method(af_frames *frames, const char *text, size_t length, af_frame_kind kind,
                          const char *library);

/* The same for an address at which nothing was mapped. All are called "[unknown]"; exporters know
 * the addresses of the first AF_FRAMES_NOWHERE. */
#define AF_FRAMES_NOWHERE 65536u

uint32_t af_frames_nowhere(af_frames *frames, uint64_t address);

/* Reverses a stack (uint32_t) that was collected leaf first, so that it starts with its root. */
void af_frames_turn(af_array *methods);

/* The same for names of calls: an empty one becomes "[no name]". */
uint32_t af_frames_name(af_frames *frames, af_span name);

/* The same with the categories that the file names, separated by commas. Those of the first
 * slice of a name count; others are counted as AF_WARN_MIXED_CATEGORIES. */
uint32_t af_frames_name_in(af_frames *frames, af_span name, af_span categories);

/* Returns the text of a method that was defined here. */
af_span af_frames_text(const af_frames *frames, uint32_t method);

/* Parses a text; the result holds spans of it. */
af_method_text af_frame_parse(const char *text, size_t length, af_frame_kind kind);
