#include "build/sink_state.h"

#include <stdlib.h>
#include <string.h>

uint32_t af_sink_marker_series(af_sink *sink, af_marker_kind kind, uint32_t process, af_span name)
{
    char head[1 + sizeof process] = {(char)('0' + kind)};
    memcpy(head + 1, &process, sizeof process);
    GString *key = g_string_new_len(head, sizeof head);
    g_string_append_len(key, name.bytes, (gssize)MIN(name.length, AF_LONGEST_NAME));
    uint32_t number = af_textmap_find(&sink->series_names, key->str, key->len);
    if (number == AF_TEXTMAP_NONE && sink->series.n < AF_MOST_MARKER_SERIES) {
        const char *kept = af_arena_copy(sink->arena, key->str, key->len);
        number =
            kept == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&sink->series_names, kept, key->len);
        af_marker_series *series =
            number == AF_TEXTMAP_NONE ? NULL : af_array_add(&sink->series, 1);
        if (series != NULL) {
            *series = (af_marker_series){
                .name = af_sink_clean(sink, (af_span){kept + sizeof head, key->len - sizeof head}),
                .kind = kind,
                .process = process};
        }
        sink->failed |= series == NULL || series->name == NULL;
    }
    g_string_free(key, TRUE);
    return number == AF_TEXTMAP_NONE ? AF_NO_SERIES : number;
}

uint32_t af_sink_n_marker_series(const af_sink *sink)
{
    return (uint32_t)sink->series.n;
}

uint32_t af_sink_series_process(const af_sink *sink, uint32_t series)
{
    return AF_ARRAY_AT(&sink->series, af_marker_series, series).process;
}

void af_sink_set_series_process(af_sink *sink, uint32_t series, uint32_t process)
{
    AF_ARRAY_AT(&sink->series, af_marker_series, series).process = process;
}

void af_sink_set_marker_origin(af_sink *sink, int64_t ns)
{
    sink->marker_origin_ns = ns;
}

void af_sink_add_marker(af_sink *sink, af_marker_kind kind, const af_marker *mark)
{
    *(kind == AF_MARKER_INSTANT ? &sink->n_instants : &sink->n_values) += 1;
    if (mark->series < sink->series.n) {
        AF_ARRAY_AT(&sink->series, af_marker_series, mark->series).count++;
    }
    if (mark->series == AF_NO_SERIES || sink->markers.n == AF_MOST_MARKERS) {
        af_sink_warn(sink, AF_WARN_MANY_MARKERS, 1, AF_NO_OFFSET);
        return;
    }
    af_marker *added = af_array_add(&sink->markers, 1);
    if (added != NULL) {
        *added = *mark;
        added->ns = af_sink_scaled(mark->ns, sink->markers_scale);
    }
}

typedef struct {
    af_marker mark;
    size_t number;
} ordered_mark;

static int compare_marks(const void *a, const void *b)
{
    const ordered_mark *x = a, *y = b;
    return x->mark.ns != y->mark.ns ? (x->mark.ns < y->mark.ns ? -1 : 1)
                                    : (x->number > y->number) - (x->number < y->number);
}

static const af_marker *take_ordered(af_sink *sink, const uint32_t *index_of)
{
    const size_t n = sink->markers.n;
    ordered_mark *ordered = g_try_new(ordered_mark, n);
    af_marker *marks = af_arena_alloc(sink->arena, n * sizeof *marks);
    for (size_t i = 0; i < n && ordered != NULL; i++) {
        ordered[i] = (ordered_mark){AF_ARRAY_AT(&sink->markers, af_marker, i), i};
    }
    if (ordered == NULL || marks == NULL) {
        g_free(ordered);
        return NULL;
    }
    qsort(ordered, n, sizeof *ordered, compare_marks);
    for (size_t i = 0; i < n; i++) {
        marks[i] = ordered[i].mark;
        marks[i].ns -= sink->marker_origin_ns;
        marks[i].thread =
            marks[i].thread < sink->thread_ids.n ? index_of[marks[i].thread] : UINT32_MAX;
    }
    g_free(ordered);
    return marks;
}

gboolean af_sink_finish_markers(af_sink *sink, af_markers *marks, const uint32_t *index_of)
{
    marks->instants = sink->n_instants;
    marks->values = sink->n_values;
    marks->n_series = (uint32_t)sink->series.n;
    marks->n_marks = sink->markers.n;
    if (marks->n_series > 0) {
        const size_t size = marks->n_series * sizeof(af_marker_series);
        void *series = af_arena_alloc(sink->arena, size);
        if (series == NULL) {
            return FALSE;
        }
        marks->series = memcpy(series, sink->series.items, size);
    }
    if (marks->n_marks > 0) {
        marks->marks = take_ordered(sink, index_of);
    }
    return !sink->markers.failed && (marks->n_marks == 0 || marks->marks != NULL);
}
