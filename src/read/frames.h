/* Frames that an input names by a text, as methods of the sink: the same text is the same method.
 *
 * A text that looks like "pkg.Class.method" is one: then its class is known, and with it whose code
 * it is. Anything else is a name and nothing more. */
#ifndef AF_READ_FRAMES_H
#define AF_READ_FRAMES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/textmap.h"
#include "build/sink.h"

typedef enum {
    AF_FRAME_ANY,    /* nobody says what it is */
    AF_FRAME_FOLDED, /* the same; `_[k]`, `_[j]`, `_[i]` and `_[w]` at its end are no part of its
                        name */
    AF_FRAME_JAVA,   /* "pkg.Class.method", perhaps "type pkg.Class.method(types)" */
    AF_FRAME_NATIVE, /* never that */
} af_frame_kind;

typedef struct {
    af_sink *sink;
    af_arena *arena; /* the texts */
    af_textmap texts;
    uint32_t n_nowhere; /* different ones so far */
} af_frames;

void af_frames_init(af_frames *frames, af_sink *sink);
void af_frames_clear(af_frames *frames);

/* The number to put into samples. `library` is the file that it was loaded from, with its folder,
 * which tells it from a method of the same name in another one; NULL = nobody says. UINT32_MAX if
 * the machine refuses the memory, which the sink then knows as well. */
uint32_t af_frames_method(af_frames *frames, const char *text, size_t length, af_frame_kind kind,
                          const char *library);

/* The same for an address at which nothing was mapped. All are called "[unknown]", and who writes
 * for others knows the addresses of so many. */
#define AF_FRAMES_NOWHERE 65536u

uint32_t af_frames_nowhere(af_frames *frames, uint64_t address);

/* A stack (uint32_t) that was collected from its leaf begins with its root. */
void af_frames_turn(af_array *methods);

/* The same for names of calls: one that is empty is "[no name]". */
uint32_t af_frames_name(af_frames *frames, af_span name);

/* The text of a method that came from here. */
af_span af_frames_text(const af_frames *frames, uint32_t method);

/* What a text says; slices of it. */
af_method_text af_frame_parse(const char *text, size_t length, af_frame_kind kind);

#endif
