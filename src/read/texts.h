/* The texts of an input, each stored once and known by a number.
 *
 * Names of threads, slices and tracks are compared and kept by number; those of slices become
 * methods of the sink when they are first drawn. */
#pragma once

#include "read/frames.h"

/* No text, as opposed to an empty one; also if memory is refused, which the sink records. */
#define AF_NO_TEXT UINT32_MAX

/* Programs write the same few names repeatedly. This many of them are found without the hash, which
 * is designed to resist chosen names and not to be fast. */
#define AF_TEXTS_RECENT 512u

typedef struct {
    uint32_t method;   /* + 1; 0 = none yet */
    uint32_t category; /* a text; AF_NO_TEXT */
} af_text_method;

typedef struct {
    af_sink *sink;
    af_frames names;
    af_arena *arena;
    af_textmap map;
    af_array methods;                 /* of af_text_method, by number */
    uint32_t recent[AF_TEXTS_RECENT]; /* numbers of texts + 1, by their first and last bytes */
} af_texts;

void af_texts_init(af_texts *texts, af_sink *sink);
void af_texts_clear(af_texts *texts);

/* The number of a text, a new one if it has none. */
uint32_t af_texts_add(af_texts *texts, af_span text);

/* The same, but an empty text is AF_NO_TEXT. */
uint32_t af_texts_add_some(af_texts *texts, af_span text);

/* Empty for AF_NO_TEXT. Valid until the texts are cleared. */
af_span af_texts_get(const af_texts *texts, uint32_t number);

/* The method that a text names; of AF_NO_TEXT and an empty text, "[no name]". `category` is a
 * text, as for af_frames_name_in(). */
uint32_t af_texts_method(af_texts *texts, uint32_t number, uint32_t category);
