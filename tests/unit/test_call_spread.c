#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_histogram.h"
#include "cases.h"
#include "suite.h"

static char *show_rows(GArray *rows)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < rows->len; i++) {
        const af_spread_row *row = &g_array_index(rows, af_spread_row, i);
        g_string_append_printf(text, "%s%" PRIu64 "-%" PRIu64 ":%" PRIu64, i > 0 ? " " : "",
                               row->from_ns, row->to_ns, row->calls);
    }
    g_array_unref(rows);
    return g_string_free(text, FALSE);
}

static size_t read_times(const char *input, uint64_t ns[16], af_spread *spread)
{
    g_auto(GStrv) words = g_strsplit(input, " ", -1);
    size_t n = 0;
    for (; words[n] != NULL; n++) {
        ns[n] = strtoull(words[n], NULL, 10);
        af_spread_add(spread, ns[n]);
    }
    return n;
}

static char *show_spread(const char *input)
{
    uint64_t ns[16];
    af_spread spread = {{0}};
    read_times(input, ns, &spread);
    g_autofree char *rows = show_rows(af_spread_rows(&spread));
    return g_strconcat(rows, af_spread_is_narrow(&spread) ? ", narrow" : NULL, NULL);
}

static char *show_even(const char *input)
{
    uint64_t ns[16];
    af_spread spread = {{0}};
    return show_rows(af_spread_even_rows(ns, read_times(input, ns, &spread)));
}

TEST(durations_are_counted_in_rows)
{
    cases_map("durations of calls", show_spread);
    cases_map("durations of calls in equal rows", show_even);
}
