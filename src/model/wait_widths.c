#include "model/wait_widths.h"

#include <string.h>

static uint64_t limit(uint64_t difference)
{
    return (int64_t)difference < 0 ? 0 : difference;
}

gboolean af_wait_widths_compute(uint32_t n, const uint32_t *parent, uint64_t *own, uint64_t *whole)
{
    /* first the sum of the widths below a path, then the factor that shrinks them */
    g_autofree double *below = g_try_new0(double, (size_t)n + 1);
    if (below == NULL || n == 0) {
        return n == 0;
    }
    memcpy(whole, own, n * sizeof *whole);
    for (uint32_t i = n - 1; i > 0; i--) {
        whole[parent[i]] += whole[i];
        below[parent[i]] += (double)limit(whole[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t width = limit(whole[i]);
        if (i > 0) {
            const double factor = below[parent[i]];
            width = factor < 1 ? (uint64_t)((double)width * factor) : width;
            width = MIN(width, own[parent[i]]);
            own[parent[i]] -= width;
        }
        own[i] = whole[i] = width;
        below[i] = below[i] > (double)width ? (double)width / below[i] : 1;
    }
    return TRUE;
}
