#include "report/frames.h"

#include <string.h>

#include "base/memory_error.h"
#include "base/number.h"
#include "report/format.h"

enum { FAULT, LATE, DURATION, START, TOKEN, PROCESS, PRESENT, JANK, LAYER, PARTS, COLUMNS };

typedef struct {
    const af_frames_request *request;
    af_arena *arena;     /* of the report */
    const char **labels; /* names in the arena, by label; NULL until first use */
    const char *layer;   /* the last one, of the profile, and its copy */
    const char *layer_copy;
} listing;

static gboolean has_one(const af_frame_list *list, gboolean by_layer)
{
    for (size_t i = 1; i < list->n; i++) {
        const af_listed_frame *a = &list->frames[i], *b = &list->frames[0];
        if (a->pid != b->pid ||
            (by_layer && a->actual != NULL && g_strcmp0(a->actual->layer, b->actual->layer) != 0)) {
            return FALSE;
        }
    }
    return TRUE;
}

static void add_columns(const listing *l, af_table *table)
{
    const af_frame_list *list = l->request->list;
    const af_column columns[COLUMNS] = {
        [PROCESS] = {"process_id", "process", NULL, NULL, AF_CELL_COUNT, 5, .plain = TRUE,
                     .implied = has_one(list, FALSE)},
        [TOKEN] = {"token", NULL, NULL,
                   "Android's number of the frame, which also ends the names of its "
                   "slices",
                   AF_CELL_COUNT, 4, .plain = TRUE, .quiet = TRUE},
        [LAYER] = {"layer", NULL, NULL, "the window or surface that the frame belongs to",
                   AF_CELL_TEXT, 9, .implied = has_one(list, TRUE), .quiet = TRUE},
        [START] = {"start_ns", "start", NULL, "start time, since the trace began",
                   AF_CELL_TIMESTAMP, 1, .plain = TRUE},
        [DURATION] = {"duration_ns", "length", NULL, "from the start of the frame to its end",
                      .kind = AF_CELL_TIME},
        [LATE] = {"late_ns", "late", NULL,
                  list->from_calls ? "length beyond the time for a frame"
                                   : "from the expected end to the real one; 0 = in time; "
                                     "empty = not known",
                  .kind = AF_CELL_TIME},
        [PRESENT] = {"present", NULL, NULL,
                     "when it was shown: on time, late, early, dropped or unknown", AF_CELL_TEXT, 7,
                     .quiet = TRUE},
        [JANK] = {"jank", NULL, NULL, "why Android counts it as janky", AF_CELL_LIST, 8,
                  .quiet = TRUE},
        [FAULT] = {"fault", NULL, NULL,
                   "app; other: SurfaceFlinger or the display; stuffing: the app sends "
                   "frames faster than they are shown; dropped: not shown",
                   AF_CELL_TEXT, .rank = 2},
        [PARTS] = {"top", NULL, "filled by",
                   "the calls with the longest self times in the frame, on main and "
                   "RenderThread",
                   .kind = AF_CELL_LIST},
    };
    af_table_add_columns(table, columns, COLUMNS);
    table->name = PARTS;
}

static const char *name_layer(listing *l, const char *layer)
{
    if (layer != l->layer) {
        l->layer = layer;
        l->layer_copy = af_arena_text(l->arena, layer);
    }
    return l->layer_copy;
}

static const af_cell_list *make_list(const listing *l, const af_cell_item *items, unsigned n)
{
    af_cell_list *list = af_arena_alloc(l->arena, sizeof *list);
    af_cell_item *copy = af_arena_alloc(l->arena, MAX(n, 1) * sizeof *copy);
    if (list == NULL || copy == NULL) {
        return NULL;
    }
    memcpy(copy, items, n * sizeof *copy);
    *list = (af_cell_list){copy, n};
    return list;
}

static const af_cell_list *list_parts(listing *l, const af_listed_frame *frame)
{
    const af_profile *profile = l->request->scope.profile;
    af_cell_item items[AF_FRAME_PARTS];
    for (unsigned i = 0; i < frame->n_parts; i++) {
        const af_frame_part *part = &frame->parts[i];
        const char **label = &l->labels[part->label];
        *label =
            *label != NULL ? *label : af_arena_text(l->arena, profile->labels[part->label].text);
        items[i] =
            (af_cell_item){.name = *label,
                           .thread = af_arena_text(l->arena, profile->threads[part->thread].name),
                           .is_main = part->is_main,
                           .self_ns = part->self_ns};
    }
    return make_list(l, items, frame->n_parts);
}

static void add_row(listing *l, af_table *table, const af_listed_frame *frame)
{
    const af_timeline_frame *actual = frame->actual;
    const int64_t start_ns = (int64_t)af_profile_start_ns(l->request->scope.profile);
    af_cell *row = af_table_add_row(table);
    row[PROCESS].number = frame->has_pid ? (uint64_t)frame->pid : AF_ABSENT;
    row[TOKEN].number = frame->has_token ? (uint64_t)frame->token : AF_ABSENT;
    row[LAYER].text = actual != NULL ? name_layer(l, actual->layer) : NULL;
    row[START].number = af_cell_timestamp(frame->begin_ns - start_ns);
    row[DURATION].number = (uint64_t)(frame->end_ns - frame->begin_ns);
    row[LATE].number = frame->has_late ? frame->late_ns : AF_ABSENT;
    row[PRESENT].text = actual != NULL ? af_present_word((af_present)actual->present) : NULL;
    const uint32_t jank = actual != NULL ? actual->jank : 0;
    af_cell_item items[AF_JANK_BITS];
    unsigned n = 0;
    for (unsigned bit = 0; bit < AF_JANK_BITS; bit++) {
        if ((jank >> bit & 1) != 0 && af_jank_word(bit) != NULL) {
            items[n++] = (af_cell_item){.name = af_jank_word(bit), .self_ns = AF_ABSENT};
        }
    }
    row[JANK].list = make_list(l, items, n);
    row[FAULT].text = af_fault_word(frame->fault);
    row[PARTS].list = l->request->list->has_parts ? list_parts(l, frame) : NULL;
}

/* "739 frames of process 9305: 678 none, 16 app, 45 stuffing; 33 late". */
static const char *describe(const listing *l)
{
    const af_frame_list *list = l->request->list;
    uint64_t of_fault[AF_FAULTS] = {0}, late = 0;
    char n[AF_NUMBER_SIZE];
    for (size_t i = 0; i < list->n; i++) {
        of_fault[list->frames[i].fault]++;
        late += list->frames[i].has_late && list->frames[i].late_ns > 0;
    }
    g_autoptr(GString) text = g_string_new(af_number_count(n, list->n));
    g_string_append(text, list->n == 1 ? " frame" : " frames");
    if (has_one(list, FALSE) && list->frames[0].has_pid) {
        g_string_append_printf(text, " of process %" G_GINT64_FORMAT, list->frames[0].pid);
    }
    g_string_append_printf(text, ", %s late", af_number_count(n, late));
    if (list->from_calls) {
        g_string_append_printf(text, ": calls of doFrame over %s",
                               af_number_ms(n, l->request->frame_time_ns));
    }
    for (unsigned i = 0; i < AF_FAULTS && !list->from_calls; i++) {
        if (of_fault[i] > 0) {
            g_string_append_printf(text, "; %s %s", af_number_count(n, of_fault[i]),
                                   af_fault_title((af_fault)i));
        }
    }
    return af_arena_copy(l->arena, text->str, text->len);
}

static af_table *make_table(listing *l)
{
    const af_frame_list *list = l->request->list;
    af_table *table = af_table_new("frames", "frames");
    add_columns(l, table);
    l->labels = g_try_new0(const char *, (gsize)l->request->scope.profile->n_labels + 1);
    if (l->labels == NULL || list->n > UINT32_MAX || !af_table_reserve(table, (uint32_t)list->n)) {
        g_free(l->labels);
        af_table_free(table);
        return NULL;
    }
    for (size_t i = 0; i < list->n; i++) {
        add_row(l, table, &list->frames[i]);
    }
    table->subtitle = describe(l);
    g_free(l->labels);
    return table;
}

static gboolean sort_frames(af_table *table, const char *sort, GError **error)
{
    const char *word = sort == NULL || strcmp(sort, "time") == 0 ? "late" : sort;
    const int column = af_table_find_word(table, word);
    if (column < 0) {
        af_report_refuse_sort(table, sort, error);
        return FALSE;
    }
    return af_table_sort(table, (unsigned)column, strcmp(word, "late") == 0 ? DURATION : LATE) ||
           af_memory_error_set(error);
}

af_report *af_report_make_frames(const af_frames_request *wanted, const af_report_format *format,
                                 GError **error)
{
    af_frames_request request = *wanted;
    af_report *report = af_report_open(&request.scope, format, error);
    if (report == NULL) {
        return NULL;
    }
    listing l = {.request = &request, .arena = report->arena};
    af_table *table = make_table(&l);
    gboolean ok = table != NULL || af_memory_error_set(error);
    if (table != NULL) {
        g_ptr_array_add(report->tables, table);
        ok = sort_frames(table, request.sort, error);
        af_table_limit(table, request.top);
    }
    return af_report_finish(report, ok, error);
}
