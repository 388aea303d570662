#include "render/chart/chart_markers.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* ---- life cycle ---- */

void af_chart_markers_free(af_chart_markers *markers)
{
    if (markers != NULL) {
        for (uint32_t t = 0; markers->instants != NULL && t <= markers->n_threads; t++) {
            af_array_clear(&markers->instants[t]);
        }
        for (uint32_t i = 0; i < markers->n_counters; i++) {
            af_array_clear(&markers->counters[i].values);
        }
        g_free(markers->instants);
        g_free(markers->counters);
        g_free(markers);
    }
}

/* ---- selecting counters ---- */

typedef struct {
    uint32_t series;
    gboolean is_other; /* of another process than the drawn threads */
    uint64_t count;
} ranked;

static int compare_counts(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->is_other != y->is_other) {
        return x->is_other ? 1 : -1;
    }
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return (x->series > y->series) - (x->series < y->series);
}

static int compare_series(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->series > y->series) - (x->series < y->series);
}

/* Whether the series belongs to a process without drawn threads. */
static gboolean is_other(const af_profile *profile, uint32_t series, const uint32_t *threads,
                         uint32_t n)
{
    const uint32_t process = profile->markers.series[series].process;
    gboolean other = n > 0 && process != AF_NO_PROCESS;
    for (uint32_t i = 0; other && i < n; i++) {
        other = profile->threads[threads[i]].process != process;
    }
    return other;
}

static gboolean choose_counters(af_chart_markers *markers, const af_profile *profile,
                                const uint32_t *threads, uint32_t n_threads)
{
    const af_markers *marks = &profile->markers;
    g_autofree ranked *ranks = g_try_new(ranked, (size_t)marks->n_series + 1);
    uint32_t n = 0;
    for (uint32_t s = 0; ranks != NULL && s < marks->n_series; s++) {
        if (marks->series[s].kind == AF_MARKER_COUNTER && marks->series[s].count > 0) {
            ranks[n++] =
                (ranked){s, is_other(profile, s, threads, n_threads), marks->series[s].count};
        }
    }
    if (ranks == NULL) {
        return FALSE;
    }
    qsort(ranks, n, sizeof *ranks, compare_counts);
    markers->left_out = n - MIN(n, AF_COUNTERS_DRAWN);
    n = MIN(n, AF_COUNTERS_DRAWN);
    qsort(ranks, n, sizeof *ranks, compare_series);
    markers->counters = g_new0(af_counter, (size_t)n + 1);
    markers->n_counters = n;
    for (uint32_t i = 0; i < n; i++) {
        markers->counters[i].series = ranks[i].series;
        markers->counters[i].is_other = ranks[i].is_other;
        af_array_init(&markers->counters[i].values, sizeof(af_value));
    }
    return TRUE;
}

/* ---- collecting ---- */

/* Maps threads of the profile that was read to those that are drawn; UINT32_MAX = not drawn. */
static uint32_t *number_threads(const af_profile *profile, uint32_t n_read)
{
    uint32_t *number_of = g_try_new(uint32_t, (size_t)n_read + 1);
    for (uint32_t t = 0; number_of != NULL && t < n_read; t++) {
        number_of[t] = UINT32_MAX;
    }
    for (uint32_t t = 0; number_of != NULL && t < profile->n_threads; t++) {
        number_of[profile->threads[t].number] = t;
    }
    return number_of;
}

static gboolean take_instant(af_chart_markers *markers, const af_marker *mark, uint32_t track)
{
    if (mark->ns < 0 || (uint64_t)mark->ns < markers->from_ns ||
        (uint64_t)mark->ns > markers->to_ns) {
        markers->outside++;
        return TRUE;
    }
    markers->n++;
    return af_array_append(&markers->instants[track],
                           &(af_instant){(uint64_t)mark->ns, (uint64_t)mark->ns, mark->series, 1});
}

static gboolean take_value(af_chart_markers *markers, af_counter *counter, const af_marker *mark)
{
    const gboolean before = mark->ns < 0 || (uint64_t)mark->ns < markers->from_ns;
    if (!before && (uint64_t)mark->ns > markers->to_ns) {
        return TRUE;
    }
    const uint64_t time_ns = before ? markers->from_ns : (uint64_t)mark->ns;
    af_value *value = counter->values.n == 0
                          ? NULL
                          : &AF_ARRAY_AT(&counter->values, af_value, counter->values.n - 1);
    if (value == NULL || value->time_ns != time_ns || !before) {
        value = af_array_add(&counter->values, 1);
        markers->n++;
    }
    if (value != NULL) {
        *value = (af_value){time_ns, mark->thousandths};
    }
    counter->n += !before;
    return value != NULL;
}

static void find_extremes(af_counter *counter)
{
    for (size_t i = 0; i < counter->values.n; i++) {
        const int64_t value = AF_ARRAY_AT(&counter->values, af_value, i).thousandths;
        counter->least = i == 0 ? value : MIN(counter->least, value);
        counter->most = i == 0 ? value : MAX(counter->most, value);
    }
}

/* Moves counters that never change, and those of other processes, to the end, if there is more to
 * draw than counters. */
static void sort_counters(af_chart_markers *markers)
{
    g_autofree af_counter *hidden = g_new(af_counter, (size_t)markers->n_counters + 1);
    uint32_t n_hidden = 0;
    for (uint32_t i = 0; i < markers->n_counters; i++) {
        const af_counter *counter = &markers->counters[i];
        if (markers->n_threads > 0 && (counter->is_other || af_counter_is_constant(counter))) {
            hidden[n_hidden++] = *counter;
        } else {
            markers->counters[markers->n_shown++] = *counter;
        }
    }
    memcpy(markers->counters + markers->n_shown, hidden, n_hidden * sizeof *hidden);
}

static gboolean take_marks(af_chart_markers *markers, const af_profile *profile)
{
    const af_markers *marks = &profile->markers;
    const uint32_t n_read = af_profile_origin(profile)->n_threads;
    g_autofree uint32_t *number_of = number_threads(profile, n_read);
    g_autofree af_counter **counter_of = g_try_new0(af_counter *, (size_t)marks->n_series + 1);
    gboolean ok = number_of != NULL && counter_of != NULL;
    for (uint32_t i = 0; ok && i < markers->n_counters; i++) {
        counter_of[markers->counters[i].series] = &markers->counters[i];
    }
    for (size_t i = 0; ok && i < marks->n_markers; i++) {
        const af_marker *mark = &marks->markers[i];
        if (marks->series[mark->series].kind == AF_MARKER_COUNTER) {
            af_counter *counter = counter_of[mark->series];
            ok = counter == NULL || take_value(markers, counter, mark);
        } else if (mark->thread >= n_read) {
            ok = take_instant(markers, mark, markers->n_threads);
        } else if (number_of[mark->thread] != UINT32_MAX) {
            ok = take_instant(markers, mark, number_of[mark->thread]);
        }
    }
    for (uint32_t i = 0; ok && i < markers->n_counters; i++) {
        find_extremes(&markers->counters[i]);
    }
    sort_counters(markers);
    return ok;
}

af_chart_markers *af_chart_markers_new(const af_profile *profile, const uint32_t *threads,
                                       uint32_t n_threads, uint64_t from_ns, uint64_t to_ns)
{
    g_autoptr(af_chart_markers) markers = g_new0(af_chart_markers, 1);
    markers->from_ns = from_ns;
    markers->to_ns = to_ns;
    markers->n_threads = profile->n_threads;
    markers->instants = g_try_new0(af_array, (size_t)profile->n_threads + 1);
    for (uint32_t t = 0; markers->instants != NULL && t <= profile->n_threads; t++) {
        af_array_init(&markers->instants[t], sizeof(af_instant));
    }
    return markers->instants == NULL || !choose_counters(markers, profile, threads, n_threads) ||
                   !take_marks(markers, profile)
               ? NULL
               : g_steal_pointer(&markers);
}

/* ---- merging ---- */

static void thin_instants(af_array *instants, uint64_t from_ns, uint64_t grain_ns)
{
    af_instant *all = instants->items;
    size_t n_left = 0;
    for (size_t i = 0; i < instants->n; i++) {
        af_instant *last = n_left > 0 ? &all[n_left - 1] : NULL;
        if (last != NULL &&
            (last->time_ns - from_ns) / grain_ns == (all[i].time_ns - from_ns) / grain_ns) {
            last->end_ns = all[i].end_ns;
            last->n += all[i].n;
        } else {
            all[n_left++] = all[i];
        }
    }
    instants->n = n_left;
}

/* Keeps the largest and the last value of each interval: the peak, and the value that continues. */
static void thin_values(af_array *values, uint64_t from_ns, uint64_t grain_ns)
{
    af_value *all = values->items;
    size_t n_left = 0;
    for (size_t i = 0; i < values->n;) {
        const uint64_t interval = (all[i].time_ns - from_ns) / grain_ns;
        size_t most = i;
        for (; i < values->n && (all[i].time_ns - from_ns) / grain_ns == interval; i++) {
            most = all[i].thousandths > all[most].thousandths ? i : most;
        }
        const af_value last = all[i - 1];
        all[n_left++] = all[most];
        if (most != i - 1) {
            all[n_left++] = last;
        }
    }
    values->n = n_left;
}

void af_chart_markers_thin(af_chart_markers *markers, uint64_t most)
{
    enum { FIRST_PARTS = 1 << 16, LEAST_PARTS = 64 };
    const uint64_t axis_ns = markers->to_ns - markers->from_ns;
    for (unsigned parts = FIRST_PARTS; markers->n > most && parts >= LEAST_PARTS; parts /= 2) {
        markers->grain_ns = axis_ns / parts + 1;
        markers->n = 0;
        for (uint32_t t = 0; t <= markers->n_threads; t++) {
            thin_instants(&markers->instants[t], markers->from_ns, markers->grain_ns);
            markers->n += markers->instants[t].n;
        }
        for (uint32_t i = 0; i < markers->n_counters; i++) {
            thin_values(&markers->counters[i].values, markers->from_ns, markers->grain_ns);
            markers->n += markers->counters[i].values.n;
        }
    }
}

/* ---- words ---- */

char *af_value_format(char text[AF_VALUE_SIZE], int64_t thousandths)
{
    const uint64_t size = thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths;
    char whole[AF_NUMBER_SIZE];
    g_snprintf(text, AF_VALUE_SIZE, "%s%s.%03u", thousandths < 0 ? "-" : "",
               af_number_count(whole, size / 1000), (unsigned)(size % 1000));
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        length--;
    }
    text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    return text;
}

char *af_chart_markers_process(const af_profile *profile, uint32_t series)
{
    const uint32_t process = profile->markers.series[series].process;
    if (profile->n_processes < 2 || process >= profile->n_processes) {
        return NULL;
    }
    const char *name = profile->processes[process].name;
    return name != NULL && name[0] != '\0'
               ? g_strdup(name)
               : g_strconcat("process ", profile->processes[process].id, NULL);
}
