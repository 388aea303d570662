/* The text of a frame: the longest form of the label that fits.
 *
 * pkg.Class.method -> Class.method -> method -> middle ellipsis -> nothing. The name of a
 * constructor is meaningless without its class, so Class.<init> is shortened to Class. Cuts only
 * between grapheme clusters, and not at all if too few letters would remain. */
#pragma once

#include "model/profile.h"

typedef struct {
    char *text;      /* NULL = nothing fits; free with g_free() */
    int32_t advance; /* its width, hundredths of a pixel */
    gboolean simple; /* as af_face_is_simple() */
} af_label_form;

/* `width_max` and `size` (of the face) in hundredths of a pixel. */
af_label_form af_label_fit(const af_label *label, int32_t size, int32_t width_max);

/* Whether the form lacks letters of the label's name, with an ellipsis instead. */
gboolean af_label_is_cut(const af_label_form *form, const af_label *label);

/* The same as af_label_fit() for any other text, which is cut at its end: "...tail is lost". */
af_label_form af_text_fit(const char *text, gboolean bold, int32_t size, int32_t width_max);

/* The length limit of a name in bytes: a name that thousands of frames repeat must not produce
 * gigabytes. */
#define AF_NAME_MAX 4096u

/* The number of bytes to keep of a name: all, or whole characters up to the limit. */
size_t af_name_length(const char *name, size_t length);

/* A name of a thread, cut in its middle: "Default…orker-1". */
af_label_form af_name_fit(const char *text, gboolean bold, int32_t size, int32_t width_max);
