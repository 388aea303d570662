/* How pictures are drawn: the options of every verb that draws. */
#ifndef AF_CLI_DRAWING_H
#define AF_CLI_DRAWING_H

#include "cli/inputs.h"
#include "cli/outputs.h"

/* What the options say. Strings are ours. */
typedef struct {
    char *title, *width, *scale, *theme, *min_width, *packed;
    af_picture_options picture;
} af_drawing;

#define AF_DRAWING_OPTIONS 11

/* The formats of pictures. */
extern const af_formats af_drawing_formats;

void af_drawing_init(af_drawing *drawing);
void af_drawing_clear(af_drawing *drawing);

/* Puts the options, which are read into `drawing`, into a table of a verb. */
void af_drawing_list(af_drawing *drawing, GOptionEntry entries[AF_DRAWING_OPTIONS]);

/* Whether any of them was given. */
gboolean af_drawing_is_wanted(const af_drawing *drawing);

/* Reads their values into `picture`. Says what is wrong. */
gboolean af_drawing_read(af_drawing *drawing);

/* Draws the profile of an input into all targets. Says what is wrong, and what there is to say
 * about the pictures. */
af_exit af_drawing_write(const af_drawing *drawing, const GPtrArray *targets, const af_input *input,
                         const af_profile *profile, const af_common *common);

#endif
