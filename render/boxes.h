/* Characters that no bundled face has are drawn as boxes. */
#pragma once

#include <glib.h>

#include "render/scene.h"

/* Adds a message with the number of names that contain boxes, if there are any. Not for SVG with
 * text, whose viewer has fonts of its own. */
void af_boxes_report(const af_scene *scene, GPtrArray *messages);
