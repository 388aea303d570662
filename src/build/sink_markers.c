#include "build/sink_state.h"

#include <stdlib.h>
#include <string.h>

static gboolean is_text(const char *text, af_span span)
{
    return text != NULL && strlen(text) == span.length &&
           memcmp(text, span.bytes, span.length) == 0;
}

uint32_t af_sink_marker_series(af_sink *sink, af_marker_kind kind, uint32_t process, af_span name,
                               af_span categories)
{
    char head[1 + sizeof process] = {(char)('0' + kind)};
    memcpy(head + 1, &process, sizeof process);
    g_autoptr(GString) key = g_string_new_len(head, sizeof head);
    name = af_sink_truncate(sink, name);
    g_string_append_len(key, name.bytes, (gssize)name.length);
    uint32_t number = af_textmap_find(&sink->series_names, key->str, key->len);
    if (number == AF_TEXTMAP_NONE && sink->series.n < AF_MOST_MARKER_SERIES) {
        number = af_textmap_keep(&sink->series_names, sink->arena, key->str, key->len);
        af_marker_series *series =
            number == AF_TEXTMAP_NONE ? NULL : af_array_add(&sink->series, 1);
        if (series != NULL) {
            *series = (af_marker_series){
                .name =
                    af_sink_clean(sink, (af_span){key->str + sizeof head, key->len - sizeof head}),
                .kind = kind,
                .process = process,
                .categories = categories.length > 0 ? af_sink_clean(sink, categories) : NULL};
        }
        sink->held.refused |= series == NULL || series->name == NULL;
    } else if (number < sink->series.n && categories.length > 0 && !af_sink_replaces(categories) &&
               !is_text(AF_ARRAY_AT(&sink->series, af_marker_series, number).categories,
                        categories)) {
        af_sink_warn(sink, AF_WARN_MIXED_CATEGORIES, 1, AF_NO_OFFSET);
    }
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

void af_sink_add_marker(af_sink *sink, af_marker_kind kind, const af_marker *marker)
{
    *(kind == AF_MARKER_INSTANT ? &sink->n_instants : &sink->n_values) += 1;
    if (marker->series < sink->series.n) {
        AF_ARRAY_AT(&sink->series, af_marker_series, marker->series).count++;
    }
    if (marker->series == AF_NO_SERIES || sink->markers.n == AF_MOST_MARKERS) {
        af_sink_warn(sink, AF_WARN_MANY_MARKERS, 1, AF_NO_OFFSET);
        return;
    }
    af_marker *added = af_array_add(&sink->markers, 1);
    if (added != NULL) {
        *added = *marker;
        added->ns = af_sink_scaled(marker->ns, sink->markers_scale);
    }
}

typedef struct {
    af_marker marker;
    size_t number;
} ordered_marker;

static int compare_markers(const void *a, const void *b)
{
    const ordered_marker *x = a, *y = b;
    return x->marker.ns != y->marker.ns ? (x->marker.ns < y->marker.ns ? -1 : 1)
                                        : (x->number > y->number) - (x->number < y->number);
}

static const af_marker *take_ordered(af_sink *sink, const uint32_t *index_of)
{
    const size_t n = sink->markers.n;
    g_autofree ordered_marker *ordered = g_try_new(ordered_marker, n);
    af_marker *markers = af_arena_alloc(sink->arena, n * sizeof *markers);
    for (size_t i = 0; i < n && ordered != NULL; i++) {
        ordered[i] = (ordered_marker){AF_ARRAY_AT(&sink->markers, af_marker, i), i};
    }
    if (ordered == NULL || markers == NULL) {
        return NULL;
    }
    qsort(ordered, n, sizeof *ordered, compare_markers);
    for (size_t i = 0; i < n; i++) {
        markers[i] = ordered[i].marker;
        markers[i].ns -= sink->marker_origin_ns;
        markers[i].thread =
            markers[i].thread < sink->thread_ids.n ? index_of[markers[i].thread] : UINT32_MAX;
    }
    return markers;
}

gboolean af_sink_finish_markers(af_sink *sink, af_markers *markers, const uint32_t *index_of)
{
    markers->instants = sink->n_instants;
    markers->values = sink->n_values;
    markers->n_series = (uint32_t)sink->series.n;
    markers->n_markers = sink->markers.n;
    markers->series = af_array_copy(&sink->series, sink->arena);
    if (markers->n_markers > 0) {
        markers->markers = take_ordered(sink, index_of);
    }
    return !sink->markers.failed && markers->series != NULL &&
           (markers->n_markers == 0 || markers->markers != NULL);
}
