#include <string.h>

#include "base/number.h"
#include "model/groups.h"
#include "model/waits.h"
#include "render/face.h"
#include "render/label.h"
#include "render/page/sheet_parts.h"

/* ---- frames ---- */

/* The number of the finding that the frame is about; 0 = none. */
static unsigned find_badge(const af_panel *panel, const af_frame *frame)
{
    const uint8_t mark = panel->marks == NULL || frame->nodes > 0 ? 0 : panel->marks[frame->node];
    return mark < AF_MARK_INSIDE ? mark : 0;
}

/* From the left edge of a frame to its label. */
static int32_t find_inset(const af_panel *panel, const af_frame *frame)
{
    return AF_INSET_C + (find_badge(panel, frame) > 0 ? AF_BADGE_C + AF_PX : 0);
}

/* The space for its label. */
static int32_t find_label_c(const af_panel *panel, const af_frame *frame)
{
    return frame->x1 - frame->x0 - AF_GAP_C - AF_INSET_C - find_inset(panel, frame);
}

static gboolean is_muted(const af_sheet *sheet, const af_panel *panel, uint32_t node)
{
    const af_label *it = &sheet->profile->labels[panel->tree->label[node]];
    return af_hue_of_node(sheet, panel->tree, node, it) == AF_CATEGORY_IDLE ||
           it->shade == AF_CATEGORY_DIM || af_hue_is_grey(sheet, panel, node, it);
}

af_label_form af_panel_fit_label(const af_sheet *sheet, const af_panel *panel,
                                 const af_frame *frame)
{
    const int32_t width_max = find_label_c(panel, frame);
    if (frame->nodes > 0 || width_max < AF_LABEL_MIN_C) {
        return (af_label_form){0};
    }
    return af_label_fit(&sheet->profile->labels[panel->tree->label[frame->node]], AF_LABEL_C,
                        width_max);
}

/* The time of a frame on the clock of the sheet; in a chart, how long it is. */
static uint64_t find_frame_ns(const af_sheet *sheet, const af_panel *panel, uint32_t node)
{
    return panel->calls ? af_chart_at(panel->calls, node - 1)->extent_ns
                        : af_tree_time_ns(panel->tree, node, sheet->options->clock);
}

/* Appends the time of the frame and its share of the thread to its label, or only the time, if
 * there is room after the longest form of the name. A name that had to be cut has no numbers. */
static void append_numbers(const af_sheet *sheet, const af_panel *panel, const af_frame *frame,
                           af_label_form *fitted)
{
    const int32_t width_max = find_label_c(panel, frame);
    const af_label *label = &sheet->profile->labels[panel->tree->label[frame->node]];
    const uint64_t time_ns = find_frame_ns(sheet, panel, frame->node);
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    if (af_label_is_cut(fitted, label)) {
        return;
    }
    af_sheet_amount(sheet, time, time_ns);
    af_number_share(share, time_ns, af_panel_time_ns(sheet, panel));
    for (unsigned shares = panel->calls ? 0 : 1; shares <= 1; shares--) {
        char *text = shares ? g_strdup_printf(AF_SAY_FRAME_NUMBERS, fitted->text, time, share)
                            : g_strdup_printf(AF_SAY_FRAME_TIME, fitted->text, time);
        const int32_t advance = af_face_advance(FALSE, AF_LABEL_C, text, strlen(text));
        if (advance <= width_max) {
            g_free(fitted->text);
            fitted->text = text;
            fitted->advance = advance;
            fitted->simple = fitted->simple && af_face_is_simple(FALSE, text, strlen(text));
            return;
        }
        g_free(text);
    }
}

/* The number of rows up to the last one with a label. */
static uint32_t count_labelled_rows(const af_sheet *sheet, const af_panel *panel,
                                    af_panel_fit_func fit)
{
    const af_layout *layout = panel->layout;
    const uint32_t most = panel->calls ? AF_FIRST_FILLED_ROWS : layout->above + AF_FIRST_GRAPH_ROWS;
    const uint32_t filled = af_layout_count_filled(layout, sheet->graph_c, most);
    uint32_t rows = MIN(MAX(filled, layout->above + 1), layout->rows);
    for (uint32_t i = layout->n; i-- > 0 && layout->frames[i].row >= rows;) {
        const af_label_form fitted = fit(sheet, panel, &layout->frames[i]);
        if (fitted.text) {
            rows = layout->frames[i].row + 1;
        }
        g_free(fitted.text);
    }
    return rows;
}

uint32_t af_panel_count_rows(const af_sheet *sheet, const af_panel *panel, uint32_t rows_max,
                             af_panel_fit_func fit)
{
    const af_layout *layout = panel->layout;
    uint32_t rows = layout->rows;
    if (!sheet->options->full_depth) {
        rows = sheet->options->height_c > 0 ? af_layout_count_wide(layout, AF_TICKET_FRAME_C)
                                            : count_labelled_rows(sheet, panel, fit);
        rows = MIN(rows, MAX(AF_FIRST_ROWS, layout->above + 1));
        rows = layout->rows - rows <= AF_ROWS_TO_SPARE ? layout->rows : rows;
    }
    return MIN(rows, rows_max);
}

static void fill_frame_facts(af_sheet *sheet, const af_panel *panel, const af_frame *frame,
                             af_scene_group *group)
{
    const af_profile *profile = sheet->profile;
    const af_tree *tree = panel->tree;
    const uint32_t label = tree->label[frame->node];
    const af_label *l = &profile->labels[label];
    group->kind = AF_GROUP_FRAME;
    group->name = af_sheet_label(sheet, label);
    group->source = l->methods == 1 ? profile->methods[l->method].source : NULL;
    if (group->source && strnlen(group->source, AF_NAME_MAX + 1) > AF_NAME_MAX) {
        group->source = NULL; /* too long to be a file name */
    }
    const gboolean counted =
        !panel->calls && af_thread_counts_calls(profile, &profile->threads[panel->thread]);
    group->calls = counted ? tree->calls[frame->node] : 0;
    group->samples = panel->calls && panel->calls->sampled ? tree->calls[frame->node] : 0;
    for (unsigned clock = 0; clock < AF_SCENE_CLOCKS; clock++) {
        if (af_tree_has(tree, (af_clock)clock)) {
            group->clocks |= 1u << clock;
            group->self_ns[clock] = af_tree_self_ns(tree, frame->node, (af_clock)clock);
            group->inclusive_ns[clock] = af_tree_time_ns(tree, frame->node, (af_clock)clock);
        }
    }
}

/* What the scheduler did, if it was recorded. */
static void fill_scheduling(const af_sheet *sheet, const af_panel *panel, const af_frame *frame,
                            af_scene_group *group)
{
    const af_profile *profile = sheet->profile;
    const gboolean has_wait = af_tree_has(panel->tree, AF_WAIT);
    if (panel->calls) {
        const af_chart_entry *entry = af_chart_at(panel->calls, frame->node - 1);
        group->has_runnable =
            has_wait && profile->threads[panel->thread].tree->runnable && !panel->calls->sampled;
        group->runnable_ns = MIN(entry->runnable_ns, group->inclusive_ns[AF_WAIT]);
        group->waker = entry->waker < profile->n_wakers ? profile->wakers[entry->waker] : NULL;
    } else if (has_wait && panel->tree->runnable) {
        const uint64_t *runnable = af_tree_runnable(panel->tree);
        group->has_runnable = runnable != NULL;
        group->runnable_ns = runnable ? runnable[frame->node] : 0;
    }
}

static void push_frame(af_sheet *sheet, const af_panel *panel, const af_frame *frame)
{
    const af_clock clock = sheet->options->clock;
    af_scene_group group = {
        .share_of_ns = af_panel_time_ns(sheet, panel),
        .clock = (unsigned)clock,
    };
    if (frame->nodes == 0) {
        fill_frame_facts(sheet, panel, frame, &group);
        fill_scheduling(sheet, panel, frame, &group);
    } else {
        group.kind = AF_GROUP_BLOCK;
        group.clocks = 1u << (unsigned)clock;
        group.inclusive_ns[clock] = frame->time_ns;
        group.frames = frame->nodes;
    }
    if (panel->calls) {
        const af_chart_entry *entry = af_chart_at(panel->calls, frame->node - 1);
        const uint64_t zero_ns = af_chart_zero_ns(sheet);
        group.level = frame->row + 1;
        group.slices =
            !af_thread_counts_calls(sheet->profile, &sheet->profile->threads[panel->thread]);
        group.start_ns = entry->start_ns - MIN(entry->start_ns, zero_ns);
        group.end_ns =
            panel->calls->sampled && frame->nodes == 0 ? group.start_ns + entry->extent_ns : 0;
        group.samples = panel->calls->sampled ? MAX(group.samples, frame->nodes) : 0;
    }
    af_scene_push(sheet->scene, &group);
}

/* Adds a bar in three parts; the second one, as wide as `waiting`, is hatched. */
static void add_bars(af_sheet *sheet, af_scene_rect bar, int32_t before, int32_t waiting)
{
    const int32_t parts[] = {before, waiting, bar.width - before - waiting};
    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        bar.width = parts[i];
        bar.hatched = i == 1;
        if (bar.width > 0) {
            af_scene_rect_add(sheet->scene, &bar);
        }
        bar.x += bar.width;
    }
}

/* Adds the bar for the CPU share of a frame. Not in a chart, where it would seem to have a position
 * in time. */
static void add_foot(af_sheet *sheet, const af_panel *panel, const af_frame *frame,
                     const af_scene_rect *bar)
{
    const af_tree *tree = panel->tree;
    const int32_t full_c = frame->x1 - frame->x0;
    if (panel->calls || full_c < AF_FOOT_MIN_C || !af_sheet_shows_waiting(sheet) ||
        !af_tree_has(tree, AF_WAIT)) {
        return;
    }
    const uint64_t wall_ns = tree->inclusive[AF_WALL][frame->node];
    const uint64_t cpu_ns = MIN(tree->inclusive[AF_CPU][frame->node], wall_ns);
    const int32_t share_c = af_axis_x(full_c, cpu_ns, wall_ns);
    if (share_c > 0) {
        af_sheet_rect(sheet, bar->x, bar->y + bar->height - AF_FOOT_C, MIN(share_c, bar->width),
                      AF_FOOT_C, AF_PAINT_FOOT);
    }
}

static void draw_bars(af_sheet *sheet, const af_panel *panel, const af_frame *frame, int32_t y)
{
    const int32_t full = frame->x1 - frame->x0;
    af_scene_rect bar = {
        .x = AF_MARGIN_C + frame->x0,
        .y = y,
        /* a gap between neighbours, but at most a sixth of a narrow frame */
        .width = full - MIN(AF_GAP_C, full / 6),
        .height = AF_FRAME_C,
        .paint = AF_PAINT_BLOCK,
    };
    if (frame->nodes > 0) {
        af_scene_rect_add(sheet->scene, &bar);
        af_sheet_texture(sheet, &bar, AF_TEXTURE_DASHES);
        return;
    }
    const af_label *label = &sheet->profile->labels[panel->tree->label[frame->node]];
    const unsigned hue = af_hue_of_node(sheet, panel->tree, frame->node, label);
    const gboolean pale = panel->marks && panel->marks[frame->node] == AF_MARK_PALE;
    bar.paint = af_hue_is_grey(sheet, panel, frame->node, label)
                    ? AF_PAINT_RULE
                    : af_paint_frame(hue, pale ? AF_CATEGORY_DIM : label->shade);
    if (af_label_is_slim(label)) {
        bar.y += AF_SLIM_C;
        bar.height -= 2 * AF_SLIM_C;
    }
    const int32_t before = MIN(frame->wait0 - frame->x0, bar.width);
    if (frame->wait1 > frame->wait0) {
        add_bars(sheet, bar, before, MIN(frame->wait1 - frame->wait0, bar.width - before));
    } else {
        add_bars(sheet, bar, bar.width, 0);
    }
    if (hue == AF_CATEGORY_IDLE) {
        af_sheet_texture(sheet, &bar, AF_TEXTURE_DOTS);
    }
    add_foot(sheet, panel, frame, &bar);
}

static void draw_frame(af_sheet *sheet, const af_panel *panel, const af_frame *frame, int32_t y)
{
    const gboolean footed = af_sheet_shows_waiting(sheet) && !panel->calls;
    push_frame(sheet, panel, frame);
    draw_bars(sheet, panel, frame, y);
    af_label_form fitted = af_panel_fit_label(sheet, panel, frame);
    if (fitted.text) {
        append_numbers(sheet, panel, frame, &fitted);
        af_sheet_form(sheet, AF_MARGIN_C + frame->x0 + find_inset(panel, frame),
                      y + (footed ? AF_FOOTED_BASELINE_C : AF_BASELINE_C), AF_LABEL_C,
                      find_label_c(panel, frame), FALSE,
                      is_muted(sheet, panel, frame->node) ? AF_PAINT_LABEL_MUTED : AF_PAINT_LABEL,
                      fitted);
    }
    if (find_badge(panel, frame) > 0) {
        const int32_t middle = MIN(AF_INSET_C / 2 + AF_BADGE_C / 2, (frame->x1 - frame->x0) / 2);
        af_sheet_badge(sheet, find_badge(panel, frame), AF_MARGIN_C + frame->x0 + middle,
                       y + AF_FRAME_C / 2);
    }
    af_scene_pop(sheet->scene);
}

/* ---- omitted rows ---- */

/* The index of the first frame that is not drawn. */
static uint32_t find_left_out(const af_panel *panel)
{
    uint32_t first = 0;
    while (first < panel->layout->n && panel->layout->frames[first].row < panel->rows) {
        first++;
    }
    return first;
}

static uint64_t sum_row(const af_sheet *sheet, const af_panel *panel, uint32_t from)
{
    const uint64_t *times = af_tree_widths(panel->tree, sheet->options->clock);
    const af_layout *layout = panel->layout;
    uint64_t sum_ns = 0;
    for (uint32_t i = from; i < layout->n && layout->frames[i].row == panel->rows; i++) {
        const af_frame *frame = &layout->frames[i];
        sum_ns += frame->nodes ? frame->time_ns : times[frame->node];
    }
    return sum_ns;
}

/* Draws a thin strip where frames continue in the omitted rows. */
static void draw_strip(af_sheet *sheet, const af_panel *panel, uint32_t from, int32_t y)
{
    const af_layout *layout = panel->layout;
    const int32_t height = AF_MORE_ROWS_STRIP_C;
    int32_t x0 = 0, x1 = 0;
    for (uint32_t i = from; i < layout->n && layout->frames[i].row == panel->rows; i++) {
        const af_frame *frame = &layout->frames[i];
        if (x1 == x0 || frame->x0 - x1 > AF_PX) {
            af_sheet_rect(sheet, AF_MARGIN_C + x0, y, x1 - x0, height, AF_PAINT_RULE);
            x0 = frame->x0;
        }
        x1 = frame->x1;
    }
    af_sheet_rect(sheet, AF_MARGIN_C + x0, y, x1 - x0, height, AF_PAINT_RULE);
}

/* Thread ids are not unique if there are several processes. */
const char *af_panel_id(af_sheet *sheet, const af_panel *panel, const char *part)
{
    const uint64_t thread = sheet->profile->threads[panel->thread].id;
    const char *prefix = sheet->options->id_prefix ? sheet->options->id_prefix : "";
    g_autofree char *id =
        sheet->profile->n_processes > 1
            ? g_strdup_printf("%sthread-%" G_GUINT64_FORMAT ".%u%s", prefix, thread,
                              (unsigned)(panel - sheet->panels), part)
            : g_strdup_printf("%sthread-%" G_GUINT64_FORMAT "%s", prefix, thread, part);
    return af_scene_string(sheet->scene, id);
}

static void draw_more_rows(af_sheet *sheet, const af_panel *panel, int32_t top)
{
    const uint32_t from = find_left_out(panel);
    const uint64_t time_ns = sum_row(sheet, panel, from);
    const gboolean inverted = sheet->options->inverted;
    char number[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    g_autofree char *rows = af_sheet_count(panel->layout->rows_in_tree - panel->rows, AF_SAY_ROWS);
    af_sheet_amount(sheet, number, time_ns);
    af_number_share(share, time_ns, af_panel_time_ns(sheet, panel));
    g_autofree char *text = inverted ? g_strdup_printf(AF_SAY_ROWS_BELOW, rows, number, share)
                                     : g_strdup_printf(AF_SAY_ROWS_ABOVE, rows, number, share);
    af_scene_group group = {
        .kind = AF_GROUP_ROWS,
        .id = af_panel_id(sheet, panel, "-rows"),
        .name = af_scene_string(sheet->scene, text),
        .clocks = 1u << (unsigned)sheet->options->clock,
        .frames = panel->layout->n - from,
        .share_of_ns = af_panel_time_ns(sheet, panel),
        .clock = (unsigned)sheet->options->clock,
    };
    group.inclusive_ns[sheet->options->clock] = time_ns;
    af_scene_push(sheet->scene, &group);
    draw_strip(sheet, panel, from,
               inverted ? top + AF_PX : top + AF_MORE_ROWS_C - AF_MORE_ROWS_STRIP_C - AF_PX);
    af_sheet_muted(sheet,
                   top - sheet->y_c +
                       (inverted ? AF_MORE_ROWS_BASELINE_BELOW_C : AF_MORE_ROWS_BASELINE_ABOVE_C),
                   text);
    af_scene_pop(sheet->scene);
}

static void draw_more_callers(af_sheet *sheet, const af_panel *panel)
{
    g_autofree char *rows = af_sheet_count(panel->layout->rows_above, AF_SAY_ROWS);
    g_autofree char *text = g_strdup_printf(AF_SAY_MORE_CALLERS, rows);
    af_sheet_muted(sheet, AF_MORE_ROWS_BASELINE_ABOVE_C, text);
    sheet->y_c += AF_MORE_ROWS_C;
}

/* The name of the frame that fills a row, without its package. Free with g_free(). */
static char *name_root(const af_sheet *sheet, const af_panel *panel, uint32_t row)
{
    const af_layout *layout = panel->layout;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row <= row; i++) {
        const af_frame *frame = &layout->frames[i], *best = &layout->frames[widest];
        if (frame->row == row && (best->row < row || frame->x1 - frame->x0 > best->x1 - best->x0)) {
            widest = i;
        }
    }
    const af_label *label =
        &sheet->profile->labels[panel->tree->label[layout->frames[widest].node]];
    GString *name = g_string_new(NULL);
    af_sheet_append_short(name, label);
    return g_string_free(name, FALSE);
}

static void draw_roots_left_out(af_sheet *sheet, const af_panel *panel)
{
    const uint32_t n = panel->first_row;
    if (n == 0) {
        return;
    }
    g_autofree char *rows = af_sheet_count(n, AF_SAY_ROWS);
    g_autofree char *first = name_root(sheet, panel, 0), *last = name_root(sheet, panel, n - 1);
    g_autofree char *text = sheet->options->inverted
                                ? g_strdup_printf(AF_SAY_ROOTS_ABOVE, rows, first, last)
                                : g_strdup_printf(AF_SAY_ROOTS_BELOW, rows, first, last);
    af_sheet_muted(sheet, AF_MORE_ROWS_BASELINE_ABOVE_C, text);
    sheet->y_c += AF_MORE_ROWS_C;
}

/* ---- the panel ---- */

/* "430.3 ms waiting: message queue 61.7 %, Object.wait 18.7 %, other 7.0 %" */
static char *describe_waits(const af_profile *profile, uint32_t thread)
{
    const af_tree *tree = profile->threads[thread].tree;
    const uint64_t total_ns = af_tree_time_ns(tree, 0, AF_WAIT);
    uint64_t sums[AF_WAITS_ALL] = {0};
    char text[AF_NUMBER_SIZE];
    GString *said = g_string_new(af_number_time(text, total_ns));
    g_string_append(said, " waiting");
    af_waits_add(tree, TRUE, sums);
    for (unsigned kind = 0; kind < AF_WAITS_ALL; kind++) {
        sums[kind] = af_time_of_sum(sums[kind], AF_WAIT);
    }
    for (unsigned i = 0; total_ns > 0 && i < AF_WAITS_ALL; i++) {
        unsigned next = AF_WAITS_OTHER;
        for (unsigned kind = 0; kind < AF_WAITS_ALL; kind++) {
            const uint64_t most = next == AF_WAITS_OTHER ? 0 : sums[next];
            next = kind != AF_WAITS_OTHER && sums[kind] > most ? kind : next;
        }
        if (sums[next] > total_ns / 1000) {
            g_string_append_printf(said, "%s %s %s", i == 0 ? ":" : ",",
                                   af_waits_title((af_waits)next),
                                   af_number_share(text, sums[next], total_ns));
        }
        sums[next] = 0;
    }
    return g_string_free(said, FALSE);
}

static GPtrArray *list_facts(const af_sheet *sheet, const af_panel *panel)
{
    const af_profile *profile = sheet->profile;
    const af_thread *thread = &profile->threads[panel->thread];
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    if (thread->merged > 0) {
        g_ptr_array_add(pieces, af_sheet_count_threads(profile, thread->merged, ""));
    } else if (thread->listed && profile->facts.format.thread == NULL) {
        g_ptr_array_add(pieces, g_strdup_printf("thread %" G_GUINT64_FORMAT, thread->id));
    }
    if (profile->facts.part.brief != NULL) {
        g_ptr_array_add(pieces, af_sheet_isolate(profile->facts.part.brief));
    }
    for (unsigned c = 0; c < AF_SCENE_CLOCKS; c++) {
        const af_clock clock = (af_clock)c;
        if (af_tree_has(thread->tree, clock)) {
            const uint64_t time_ns = clock == AF_WAIT
                                         ? af_tree_time_ns(thread->tree, 0, AF_WAIT)
                                         : af_thread_time_ns(profile, panel->thread, clock);
            g_ptr_array_add(pieces, clock == AF_WAIT && sheet->options->clock == AF_WAIT
                                        ? describe_waits(profile, panel->thread)
                                        : af_sheet_clocked(sheet, time_ns, clock));
        }
    }
    if (thread->sampled) {
        g_ptr_array_add(pieces, g_strdup("sampled"));
    } else if (af_thread_counts_calls(profile, thread)) {
        g_ptr_array_add(pieces, af_sheet_count(thread->calls, AF_SAY_CALLS));
    }
    return pieces;
}

static char *describe_sandwich(const af_sheet *sheet, const af_panel *panel)
{
    g_autofree char *method = af_sheet_isolate(sheet->profile->labels[sheet->options->method].text);
    if (panel->tree->n == 1) {
        return g_strdup_printf(AF_SAY_NEVER_CALLS, method);
    }
    const uint64_t time_ns = af_tree_time_ns(panel->tree, 1, sheet->options->clock);
    char number[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    return g_strdup_printf(AF_SAY_SANDWICH, method, af_sheet_amount(sheet, number, time_ns),
                           af_number_share(share, time_ns, af_panel_time_ns(sheet, panel)),
                           af_sheet_thread_word(sheet->profile));
}

static void draw_head(af_sheet *sheet, const af_panel *panel, GPtrArray *facts)
{
    const af_thread *thread = &sheet->profile->threads[panel->thread];
    const char *own = af_thread_shown(sheet->profile, thread);
    const char *name = own && own[0] ? own : AF_SAY_NO_NAME;
    sheet->y_c += AF_HEAD_BASELINE_C;
    const int32_t advance = af_sheet_name(sheet, AF_MARGIN_C, sheet->y_c, AF_HEAD_FACE_C,
                                          sheet->graph_c / 2, TRUE, AF_PAINT_INK, name);
    char *share = af_overview_share(sheet, panel);
    if (share) {
        g_ptr_array_insert(facts, 0, share);
    }
    if (sheet->options->sandwich) {
        g_ptr_array_add(facts, describe_sandwich(sheet, panel));
    }
    char *highlights = panel->calls ? af_track_highlights_text(sheet, panel) : NULL;
    if (highlights) {
        g_ptr_array_add(facts, highlights);
    }
    af_sheet_flow_facts(sheet, advance, facts);
    sheet->y_c += AF_HEAD_TO_GRAPH_C;
}

/* Outlines the method of a sandwich, between its callers and its callees. */
static void mark_method(af_sheet *sheet, int32_t y)
{
    const int32_t width = sheet->graph_c - AF_GAP_C, edge = AF_MARK_C, x = AF_MARGIN_C - edge;
    const int32_t below = y + AF_FRAME_C;
    af_sheet_rect(sheet, x, y - edge, width + 2 * edge, edge, AF_PAINT_FOOT);
    af_sheet_rect(sheet, x, below, width + 2 * edge, edge, AF_PAINT_FOOT);
    af_sheet_rect(sheet, x, y, edge, AF_FRAME_C, AF_PAINT_FOOT);
    af_sheet_rect(sheet, AF_MARGIN_C + width, y, edge, AF_FRAME_C, AF_PAINT_FOOT);
}

static void draw_rows(af_sheet *sheet, const af_panel *panel)
{
    const af_layout *layout = panel->layout;
    const gboolean inverted = sheet->options->inverted;
    const int32_t more_rows_c = panel->rows < panel->layout->rows ? AF_MORE_ROWS_C : 0;
    const uint32_t first = panel->first_row;
    const int32_t rows_c = (int32_t)(panel->rows - first) * AF_ROW_C;
    if (panel->calls) {
        af_instants_draw(sheet, panel->thread);
        af_run_band_draw(sheet, panel);
        af_track_highlights_draw(sheet, panel);
        af_track_ground_draw(sheet, panel, sheet->y_c, rows_c);
    } else {
        const uint64_t *widths = af_tree_widths(panel->tree, sheet->options->clock);
        af_scale_draw(sheet, &(af_graph_scale){.extent = widths ? widths[0] : 0,
                                               .whole = af_panel_time_ns(sheet, panel),
                                               .unit = &sheet->profile->facts.weights.unit});
    }
    if (layout->rows_above > 0) {
        draw_more_callers(sheet, panel);
    }
    if (inverted) {
        draw_roots_left_out(sheet, panel);
    }
    const int32_t top = sheet->y_c + (inverted ? 0 : more_rows_c);
    if (more_rows_c > 0) {
        draw_more_rows(sheet, panel, inverted ? top + rows_c : sheet->y_c);
    }
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row < panel->rows; i++) {
        if (layout->frames[i].row < first) {
            continue;
        }
        const int32_t row = (int32_t)(layout->frames[i].row - first) * AF_ROW_C;
        draw_frame(sheet, panel, &layout->frames[i],
                   inverted ? top + row : top + rows_c - AF_ROW_C - row);
    }
    if (sheet->options->sandwich) {
        mark_method(sheet, top + (int32_t)layout->above * AF_ROW_C);
    }
    if (panel->calls) {
        af_ruler_extend_end(sheet, top, rows_c);
    }
    sheet->y_c += rows_c + more_rows_c;
    if (!inverted) {
        draw_roots_left_out(sheet, panel);
    }
}

static void draw_nothing(af_sheet *sheet, const af_panel *panel)
{
    static const char *const texts[] = {AF_SAY_NOTHING};
    static const char *const of_method[] = {AF_SAY_NOTHING_METHOD};
    const char *text = AF_SAY_NO_SAMPLES;
    g_autofree char *method = NULL;
    if (af_profile_has_clocks(sheet->profile)) {
        text = texts[sheet->options->clock];
        if (sheet->options->sandwich && af_panel_time_ns(sheet, panel) > 0) {
            method = af_sheet_isolate(sheet->profile->labels[sheet->options->method].text);
            text = of_method[sheet->options->clock];
        }
    }
    g_autofree char *line = method ? g_strdup_printf(text, method) : g_strdup(text);
    sheet->y_c += AF_NOTHING_C;
    af_sheet_muted(sheet, 0, line);
    sheet->y_c += AF_NOTHING_BOTTOM_C;
}

/* Whether a chart shows when something happened, but no calls or samples. */
static gboolean has_dots_only(const af_sheet *sheet, const af_panel *panel)
{
    const af_chart *chart = sheet->options->chart;
    return chart != NULL && chart->calls == 0 && chart->markers != NULL &&
           af_chart_markers_n_instants(chart->markers, panel->thread) > 0;
}

void af_panel_draw(af_sheet *sheet, af_panel *panel)
{
    const int32_t top = sheet->y_c;
    const af_thread *thread = &sheet->profile->threads[panel->thread];
    af_scene_group group = {
        .kind = AF_GROUP_PANEL,
        .id = af_panel_id(sheet, panel, ""),
        .name = af_sheet_thread_name(sheet, thread),
        .thread = thread->id,
        .y = sheet->y_c,
        .calls = af_thread_counts_calls(sheet->profile, thread) ? thread->calls : 0,
        .clock = (unsigned)sheet->options->clock,
    };
    for (unsigned clock = 0; clock < AF_SCENE_CLOCKS; clock++) {
        group.clocks |= (unsigned)af_tree_has(thread->tree, (af_clock)clock) << clock;
        group.inclusive_ns[clock] =
            af_thread_time_ns(sheet->profile, panel->thread, (af_clock)clock);
    }
    GPtrArray *facts = list_facts(sheet, panel);
    group.facts = sheet->options->interactive ? af_sheet_lines(sheet, facts) : NULL;
    af_scene_push(sheet->scene, &group);
    draw_head(sheet, panel, facts);
    g_ptr_array_unref(facts);
    const gboolean lacks_method = sheet->options->sandwich && panel->tree->n == 1;
    if (panel->layout->n > 0 || has_dots_only(sheet, panel)) {
        draw_rows(sheet, panel);
    } else if (!lacks_method) { /* which the head reports */
        draw_nothing(sheet, panel);
    }
    af_scene_pop(sheet->scene);
    sheet->y_c += lacks_method ? 0 : AF_BOTTOM_C;
    panel->height_c = sheet->y_c - top;
}
