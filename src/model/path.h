/* Counts the open calls of each group on the path to a node, while the caller walks trees in their
 * order:
 *
 *     af_path_begin(&path, n_groups, deepest);
 *     for each tree {
 *         for n = 1, 2, ... open_before = af_path_enter(&path, depth of n, group of n);
 *         af_path_restart(&path); }
 *     af_path_end(&path); */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    uint32_t *open;   /* by group */
    uint32_t *groups; /* by depth - 1 */
    uint32_t depth;
} af_path;

/* FALSE if memory is refused; call af_path_end() in any case. */
static inline gboolean af_path_begin(af_path *path, size_t n_groups, uint32_t deepest)
{
    *path =
        (af_path){g_try_new0(uint32_t, n_groups + 1), g_try_new(uint32_t, (size_t)deepest + 1), 0};
    return path->open != NULL && path->groups != NULL;
}

static inline void af_path_end(af_path *path)
{
    g_free(path->open);
    g_free(path->groups);
}

/* Closes the calls that do not enclose a node of that depth. */
static inline void af_path_leave(af_path *path, uint32_t depth)
{
    while (path->depth >= depth) {
        path->open[path->groups[--path->depth]]--;
    }
}

/* Closes all calls. */
static inline void af_path_restart(af_path *path)
{
    af_path_leave(path, 1);
}

/* Opens the group of a node. Returns how many of its calls enclose the node. */
static inline uint32_t af_path_enter(af_path *path, uint32_t depth, uint32_t group)
{
    af_path_leave(path, depth);
    path->groups[path->depth++] = group;
    return path->open[group]++;
}
