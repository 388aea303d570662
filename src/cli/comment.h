/* A comment on a bug report, in Markdown: the picture, the findings, a short table and the command.
 */
#pragma once

#include "cli/inputs.h"
#include "cli/outputs.h"

/* `targets` names the pictures; `name` is that of the input, without folders. */
gboolean af_comment_write(const af_options *options, const af_picture_options *picture,
                          const af_profile *profile, const char *name, const GPtrArray *targets,
                          af_write_func write, void *to, GError **error);
