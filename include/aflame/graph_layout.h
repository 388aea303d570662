/* Laying out a call graph: where its boxes and arrows are.
 *
 * The library computes the boxes, their sizes and the arrows between them. A function of your
 * program sets the positions, on the thread that draws. The command uses one that calls Graphviz
 * and loads it from a module.
 * Coordinates are hundredths of a pixel, y downwards. This function puts each box to the right
 * of the previous one and below it, without arrows:
 *
 *     static const char *lay_out_as_steps(af_graph_layout *layout)
 *     {
 *         for (uint32_t i = 0; i < layout->n_boxes; i++) {
 *             layout->boxes[i].x = layout->width;
 *             layout->width += layout->boxes[i].width;
 *             layout->height += layout->boxes[i].height;
 *         }
 *         return NULL;
 *     }
 */
#ifndef AFLAME_GRAPH_LAYOUT_H
#define AFLAME_GRAPH_LAYOUT_H

#include <aflame/visibility.h>

AF_BEGIN_DECLS

typedef struct {
    int32_t x, y;
} af_graph_point;

/* A box. The function sets the position of its top left corner. */
typedef struct {
    int32_t width, height;
    int32_t x, y;
} af_graph_box;

/* An arrow and the box of its text, `label`, whose position the function also sets. The arrow is a
 * Bézier curve: a start, then two control points and an end for each piece, so 3 n + 1 points. The
 * last piece is straight: the head of the arrow, with its tip at the end. The function allocates
 * `points` with malloc(); the caller frees them. */
typedef struct {
    uint32_t from, to; /* boxes */
    uint32_t weight;   /* 1 to 100; heavier arrows are shorter and straighter */
    uint32_t rows;     /* at least so many rows of boxes down, from 1 */
    af_graph_box label;
    af_graph_point *points;
    uint32_t n_points;
} af_graph_arrow;

typedef struct {
    uint32_t n_boxes, n_arrows;
    af_graph_box *boxes;
    af_graph_arrow *arrows;
    int32_t width, height; /* set by the function */
} af_graph_layout;

/* Sets the positions. Returns NULL on success, otherwise a static message about the failure. */
typedef const char *(*af_graph_layout_func)(af_graph_layout *layout);

AF_END_DECLS

#endif
