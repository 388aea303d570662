#include "report/formats/tree_lines.h"

#include <string.h>

#define NONE UINT32_MAX

/* The latest row at each depth is the parent of the rows one level deeper. */
static void find_parents(af_tree_lines *g, uint32_t *at_depth, uint32_t *last_child)
{
    const uint32_t n = g->table->n_rows;
    memset(last_child, 0xFF, ((gsize)n + 1) * sizeof *last_child);
    for (uint32_t r = 0; r < n; r++) {
        const uint64_t depth = af_table_row(g->table, r)[1].number;
        g->parent[r] = depth == 0 ? NONE : at_depth[depth - 1];
        at_depth[depth] = r;
        const uint32_t at = g->parent[r] == NONE ? n : g->parent[r];
        g->children[at]++;
        last_child[at] = r;
    }
    for (uint32_t at = 0; at <= n; at++) {
        if (last_child[at] != NONE) {
            g->last[last_child[at]] = 1;
        }
    }
}

static gboolean is_branch(const af_tree_lines *g, uint32_t row)
{
    return g->parent[row] != NONE && g->children[g->parent[row]] > 1;
}

gboolean af_tree_lines_begin(af_tree_lines *g, const af_table *table)
{
    const gsize n = table->n_rows;
    uint32_t *at_depth = g_try_new(uint32_t, n + 1), *last_child = g_try_new(uint32_t, n + 1);
    *g = (af_tree_lines){.table = table,
                         .parent = g_try_new(uint32_t, n + 1),
                         .children = g_try_new0(uint32_t, n + 1),
                         .last = g_try_new0(uint8_t, n + 1),
                         .level = g_try_new0(uint32_t, n + 1),
                         .open = g_try_new0(uint8_t, n + 1)};
    const gboolean ok = at_depth != NULL && last_child != NULL && g->parent != NULL &&
                        g->children != NULL && g->last != NULL && g->level != NULL &&
                        g->open != NULL;
    if (ok) {
        find_parents(g, at_depth, last_child);
    }
    g_free(last_child);
    g_free(at_depth);
    for (uint32_t r = 0; ok && r < n; r++) {
        if (g->parent[r] != NONE) {
            const gboolean below_root = g->parent[g->parent[r]] == NONE;
            g->level[r] = g->level[g->parent[r]] + (is_branch(g, r) || below_root ? 1 : 0);
        }
    }
    return ok;
}

void af_tree_lines_end(af_tree_lines *g)
{
    g_free(g->parent);
    g_free(g->children);
    g_free(g->last);
    g_free(g->level);
    g_free(g->open);
}

void af_tree_lines_append(af_tree_lines *g, uint32_t row, unsigned most, GString *to)
{
    const uint32_t level = g->level[row];
    const gboolean branch = is_branch(g, row);
    uint32_t first = 0;
    if (branch) {
        g->open[level - 1] = !g->last[row];
    } else if (g->parent[row] != NONE && g->parent[g->parent[row]] == NONE) {
        g->open[0] = 0;
    }
    const uint32_t shown = most < 16 ? 1 : most / 2 - 6;
    if (level > MAX(most / 2, shown)) {
        first = level - shown;
        g_string_append_printf(to, "%u… ", first);
    }
    for (uint32_t i = first; i < level; i++) {
        if (branch && i == level - 1) {
            g_string_append(to, g->last[row] ? "└─" : "├─");
        } else {
            g_string_append(to, g->open[i] ? "│ " : "  ");
        }
    }
}
