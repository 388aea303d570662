#include "calls/call_histogram.h"

#define ROWS_MOST  12
#define ROWS_LEAST 5

/* The start of a bin; the last bin has no successor. */
static uint64_t step_ns(unsigned step)
{
    static const unsigned digits[] = {1, 2, 5};
    uint64_t ns = step == 0 ? 0 : digits[(step - 1) % 3];
    for (unsigned i = 3; i < step; i += 3) {
        ns = step < AF_SPREAD_STEPS ? ns * 10 : UINT64_MAX;
    }
    return ns;
}

void af_spread_add(af_spread *spread, uint64_t ns)
{
    unsigned step = 0;
    uint64_t unit = 1;
    if (ns > 0) {
        for (step = 1; ns / unit >= 10; step += 3) {
            unit *= 10;
        }
        step += (ns / unit >= 2) + (ns / unit >= 5);
    }
    spread->calls[step]++;
}

/* Finds the range of steps that contain calls: from `*first` to `*last`. */
static gboolean find_ends(const af_spread *spread, unsigned *first, unsigned *last)
{
    *first = AF_SPREAD_STEPS;
    for (unsigned s = 0; s < AF_SPREAD_STEPS; s++) {
        if (spread->calls[s] > 0) {
            *first = MIN(*first, s);
            *last = s;
        }
    }
    return *first < AF_SPREAD_STEPS;
}

gboolean af_spread_is_narrow(const af_spread *spread)
{
    unsigned first, last = 0;
    uint64_t calls = 0;
    for (unsigned s = 0; s < AF_SPREAD_STEPS; s++) {
        calls += spread->calls[s];
    }
    return calls >= ROWS_LEAST && find_ends(spread, &first, &last) && last - first + 1 < ROWS_LEAST;
}

/* Which steps start a row: all of them, or only 1, 10, 100, ... */
static gboolean begins_row(unsigned step, gboolean by_tens)
{
    return !by_tens || step == 0 || step % 3 == 1;
}

GArray *af_spread_rows(const af_spread *spread)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(af_spread_row));
    unsigned first, last = 0;
    if (!find_ends(spread, &first, &last)) {
        return rows;
    }
    const gboolean by_tens = last - first + 1 > ROWS_MOST;
    while (!begins_row(first, by_tens)) {
        first--;
    }
    while (last + 1 < AF_SPREAD_STEPS && !begins_row(last + 1, by_tens)) {
        last++;
    }
    for (unsigned s = first; s <= last; s++) {
        if (begins_row(s, by_tens)) {
            const af_spread_row row = {.from_ns = step_ns(s)};
            g_array_append_val(rows, row);
        }
        af_spread_row *row = &g_array_index(rows, af_spread_row, rows->len - 1);
        row->to_ns = step_ns(s + 1);
        row->calls += spread->calls[s];
    }
    return rows;
}

/* The smallest width of 1, 2, 5, 10, ... µs that gives few enough rows; clocks are rarely more
 * precise. */
static uint64_t choose_length(uint64_t from, uint64_t to)
{
    unsigned step = 10;
    while (to / step_ns(step) - from / step_ns(step) >= ROWS_MOST) {
        step++;
    }
    return step_ns(step);
}

GArray *af_spread_even_rows(const uint64_t *ns, size_t n)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(af_spread_row));
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = MIN(least, ns[i]);
        most = MAX(most, ns[i]);
    }
    if (n == 0) {
        return rows;
    }
    const uint64_t length = choose_length(least, most), first = least / length;
    g_array_set_size(rows, (guint)(most / length - first + 1));
    for (guint i = 0; i < rows->len; i++) {
        const uint64_t from_ns = (first + i) * length;
        af_spread_row *row = &g_array_index(rows, af_spread_row, i);
        *row = (af_spread_row){from_ns, from_ns + MIN(length, UINT64_MAX - from_ns), 0};
    }
    for (size_t i = 0; i < n; i++) {
        g_array_index(rows, af_spread_row, ns[i] / length - first).calls++;
    }
    return rows;
}
