/* Clocks of Perfetto traces: snapshots relate them, times are converted with those read so far. */
#include "build/profile_builder.h"
#include "read/perfetto/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "made_message.h"
#include "suite.h"

static af_perfetto_clocks *clocks;
static uint32_t sequence;

/* "CLOCK=VALUE[*UNIT][+],...": a clock with a + counts increments. */
static void snap(const char *word, uint64_t primary)
{
    g_autoptr(GByteArray) snapshot = g_byte_array_new();
    g_auto(GStrv) readings = g_strsplit(word, ",", -1);
    for (char **reading = readings; *reading != NULL; reading++) {
        char *end;
        const unsigned clock = (unsigned)strtoul(*reading, &end, 10);
        const uint64_t value = strtoull(end + 1, &end, 10);
        const uint64_t unit = *end == '*' ? strtoull(end + 1, &end, 10) : 0;
        g_autofree char *words =
            g_strdup_printf("1{ 1=%u 2=%" G_GUINT64_FORMAT " 3=%d 4=%" G_GUINT64_FORMAT " }", clock,
                            value, *end == '+', unit);
        made_bytes(snapshot, words);
    }
    if (primary != 0) {
        g_autofree char *words = g_strdup_printf("2=%" G_GUINT64_FORMAT, primary);
        made_bytes(snapshot, words);
    }
    const af_protobuf field = {.bytes = snapshot->data, .length = snapshot->len};
    af_perfetto_clocks_take_snapshot(clocks, &field, sequence);
}

/* Words: a snapshot, "PRIMARY!" before it states a clock; "CLOCK:TIME" converts a time, "CLOCK/STEP" one
 * that is a step of the sequence's own clock; "sN" are those of sequence N; "?" is the clock of the trace. */
static char *show_times(const char *input)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    GString *text = g_string_new(NULL);
    g_auto(GStrv) words = g_strsplit(input, " ", -1);
    clocks = af_perfetto_clocks_new(sink);
    sequence = 1;
    for (char **word = words; *word != NULL; word++) {
        char *end;
        const uint64_t clock = strtoull(*word, &end, 10);
        const uint64_t key = af_perfetto_clock_key(clock, sequence);
        int64_t time = strtoll(*end != '\0' ? end + 1 : end, NULL, 10), ns;
        if (**word == 's') {
            sequence = (uint32_t)atoi(*word + 1);
        } else if (**word == '?') {
            const char *name = af_perfetto_clocks_name(clocks);
            g_string_append_printf(text, " %u=%s", (unsigned)af_perfetto_clocks_default(clocks),
                                   name != NULL ? name : "");
        } else if (*end == ':' || *end == '/') {
            time = *end == '/' ? af_perfetto_clocks_step(clocks, key, time) : time;
            if (af_perfetto_clocks_convert(clocks, key, time, &ns)) {
                g_string_append_printf(text, " %" G_GINT64_FORMAT, ns);
            } else {
                g_string_append_printf(text, " %" G_GINT64_FORMAT "?", time);
            }
        } else {
            snap(*end == '!' ? end + 1 : *word, *end == '!' ? clock : 0);
        }
    }
    af_perfetto_clocks_free(clocks);
    af_sink_free(sink);
    return g_string_free(text, FALSE);
}

TEST(snapshots_relate_clocks)
{
    cases_map("clocks of Perfetto", show_times);
}
