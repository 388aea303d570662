/* The outline of an arrow: its curve is divided into short lines, which get a width. */
#include <math.h>

#include "render/callgraph/call_map.h"
#include "render/sizes.h"

enum { PIECES = 10 }; /* lines of a Bézier curve */

typedef struct {
    double x, y;
} spot;

static spot at_curve(const af_graph_point *p, double t)
{
    const double u = 1 - t;
    const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
    return (spot){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                  a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/* The line from the start to the base of the head. Free with g_array_unref(). */
static GArray *flatten(const af_graph_arrow *arrow)
{
    GArray *line = g_array_new(FALSE, FALSE, sizeof(spot));
    const uint32_t curves = (arrow->n_points - 1) / 3 - 1;
    g_array_append_val(line, ((spot){arrow->points[0].x, arrow->points[0].y}));
    for (uint32_t c = 0; c < curves; c++) {
        for (int i = 1; i <= PIECES; i++) {
            const spot next = at_curve(&arrow->points[(gsize)3 * c], (double)i / PIECES);
            const spot last = g_array_index(line, spot, line->len - 1);
            if (hypot(next.x - last.x, next.y - last.y) >= 1) {
                g_array_append_val(line, next);
            }
        }
    }
    return line;
}

static spot point_at(const GArray *line, guint i)
{
    return g_array_index(line, spot, i);
}

/* Across the line at a corner, one unit long. */
static spot find_normal(const GArray *line, guint i)
{
    const spot before = point_at(line, i > 0 ? i - 1 : 0);
    const spot after = point_at(line, i + 1 < line->len ? i + 1 : i);
    const double x = after.x - before.x, y = after.y - before.y, length = MAX(hypot(x, y), 1e-6);
    return (spot){-y / length, x / length};
}

static void put(GArray *points, double x, double y)
{
    const af_graph_point p = {(int32_t)lrint(x), (int32_t)lrint(y)};
    g_array_append_val(points, p);
}

static void emit(GArray *points, af_map_polygon_func add, void *user)
{
    add(user, (const af_graph_point *)(const void *)points->data, points->len);
    g_array_set_size(points, 0);
}

/* The stroke along a line: one side forth, the other back. */
static void add_stroke(const GArray *line, double half_c, af_map_polygon_func add, void *user)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(af_graph_point));
    for (guint i = 0; i < line->len; i++) {
        const spot p = point_at(line, i), n = find_normal(line, i);
        put(points, p.x + n.x * half_c, p.y + n.y * half_c);
    }
    for (guint i = line->len; i-- > 0;) {
        const spot p = point_at(line, i), n = find_normal(line, i);
        put(points, p.x - n.x * half_c, p.y - n.y * half_c);
    }
    emit(points, add, user);
}

/* Cuts the line into dashes. */
static void add_dashes(const GArray *line, double half_c, af_map_polygon_func add, void *user)
{
    g_autoptr(GArray) dash = g_array_new(FALSE, FALSE, sizeof(spot));
    double left = AF_MAP_DASH_C; /* of the dash or of the gap after it */
    gboolean drawn = TRUE;
    g_array_append_val(dash, ((spot){point_at(line, 0).x, point_at(line, 0).y}));
    for (guint i = 0; i + 1 < line->len;) {
        const spot from = g_array_index(dash, spot, dash->len - 1), to = point_at(line, i + 1);
        const double length = hypot(to.x - from.x, to.y - from.y);
        if (length <= left) {
            left -= length;
            g_array_append_val(dash, to);
            i++;
            continue;
        }
        const spot cut = {from.x + (to.x - from.x) * left / length,
                          from.y + (to.y - from.y) * left / length};
        g_array_append_val(dash, cut);
        if (drawn) {
            add_stroke(dash, half_c, add, user);
        }
        g_array_set_size(dash, 0);
        g_array_append_val(dash, cut);
        drawn = !drawn;
        left = drawn ? AF_MAP_DASH_C : AF_MAP_DASH_C * 2 / 3;
    }
    if (drawn && dash->len > 1) {
        add_stroke(dash, half_c, add, user);
    }
}

void af_map_arrow_outline(const af_graph_arrow *arrow, double half_c, gboolean dashed,
                          af_map_polygon_func add, void *user)
{
    if (arrow->n_points < 7) {
        return;
    }
    g_autoptr(GArray) line = flatten(arrow);
    if (line->len > 1 && dashed) {
        add_dashes(line, half_c, add, user);
    } else if (line->len > 1) {
        add_stroke(line, half_c, add, user);
    }
    const af_graph_point base = arrow->points[arrow->n_points - 4];
    const af_graph_point tip = arrow->points[arrow->n_points - 1];
    const double x = tip.x - base.x, y = tip.y - base.y, length = MAX(hypot(x, y), 1e-6);
    const double wide = AF_MAP_HEAD_C + half_c;
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(af_graph_point));
    put(points, tip.x, tip.y);
    put(points, base.x - y / length * wide, base.y + x / length * wide);
    put(points, base.x + y / length * wide, base.y - x / length * wide);
    emit(points, add, user);
}
