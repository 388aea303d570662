/* Describes the canvases of this folder without their functions, so that a program that loads them
 * from a module needs no module to list them. */
#ifndef AF_RENDER_CAIRO_CANVASES_H
#define AF_RENDER_CAIRO_CANVASES_H

#define AF_CANVAS_PNG                                                                              \
    .name = "png", .extension = "png", .title = "PNG picture", .binary = TRUE, .selectable = TRUE

#define AF_CANVAS_PDF                                                                              \
    .name = "pdf", .extension = "pdf", .title = "PDF document, a page for each thread",            \
    .paged = TRUE, .binary = TRUE, .selectable = TRUE

#define AF_CANVAS_OUTLINES                                                                         \
    .name = "svg-outlines", .extension = "svg", .title = "SVG picture, letters as outlines"

#endif
