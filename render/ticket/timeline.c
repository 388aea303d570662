/* The threads along time: each pixel has the tone that has most of it: CPU, blocked or idle. Without
 * single calls the sums of the threads take its place. */
#include <string.h>

#include "base/wide.h"
#include "model/waits.h"
#include "render/chart/chart_layout.h"
#include "render/face.h"
#include "render/ticket/ticket_parts.h"

#define TICK_C 9000 /* the least distance of ticks */

af_tones af_tones_new(af_sheet *sheet, const af_chart *chart)
{
    const int32_t width = sheet->graph_c - AF_TICKET_NAME_C - AF_TICKET_NUMBER_C;
    return (af_tones){.sheet = sheet,
                      .chart = chart,
                      .x = AF_MARGIN_C + AF_TICKET_NAME_C,
                      .axis.width_c = width / AF_PX * AF_PX};
}

/* ---- tones of single calls ---- */

/* Adds the part of a call in which it calls nothing else, in the pixels from `from` to `to`. */
static void add_piece(const af_tones *a, uint64_t *pixels, uint64_t from_ns, uint64_t to_ns,
                      const uint32_t parts[AF_TONES])
{
    const uint32_t n = (uint32_t)(a->axis.width_c / AF_PX);
    const int32_t from = af_chart_x(&a->axis, from_ns), to = af_chart_x(&a->axis, to_ns);
    for (int32_t at = from; at < to;) {
        const uint32_t pixel = MIN((uint32_t)(at / AF_PX), n - 1);
        const int32_t end = MIN(to, (int32_t)(pixel + 1) * AF_PX);
        for (unsigned tone = 0; tone < AF_TONES; tone++) {
            pixels[pixel * AF_TONES + tone] += (uint64_t)(MAX(end, at + 1) - at) * parts[tone];
        }
        at = MAX(end, at + 1);
    }
}

/* How the self time of a call divides, in thousandths. */
static void divide_self(const af_tones *a, const af_panel *panel, uint32_t node,
                        uint32_t parts[AF_TONES])
{
    enum { WHOLE = 1000 };
    const af_sheet *sheet = a->sheet;
    const af_tree *tree = panel->tree;
    const uint32_t label = tree->label[node];
    const af_category category =
        label == AF_NO_LABEL ? AF_CATEGORY_UNKNOWN : sheet->profile->labels[label].category;
    const gboolean idle = label != AF_NO_LABEL && af_waits_is_idle(sheet->profile, tree, node);
    uint32_t cpu = category == AF_CATEGORY_BLOCKED || idle ? 0 : WHOLE;
    if (af_tree_has(tree, AF_WAIT) && tree->self[AF_WALL][node] > 0) {
        const uint64_t wall = tree->self[AF_WALL][node];
        cpu = (uint32_t)((af_u128)MIN(tree->self[AF_CPU][node], wall) * WHOLE / wall);
    }
    memset(parts, 0, sizeof *parts * AF_TONES);
    parts[AF_TONE_CPU] = cpu;
    parts[idle ? AF_TONE_IDLE : AF_TONE_BLOCKED] = WHOLE - cpu;
}

static void add_calls(const af_tones *a, const af_panel *panel, uint64_t *pixels)
{
    const af_tree *tree = panel->tree;
    const uint32_t n = tree->n;
    uint64_t *free_ns = g_new0(uint64_t, n); /* by node: where its callees have ended */
    uint32_t open = 0;
    /* Preorder: before a call starts, the calls that do not contain it are over. */
    for (uint32_t node = 1; node <= n; node++) {
        const uint32_t parent = node < n ? tree->parent[node] : 0;
        while (open != parent && open > 0) {
            const af_chart_entry *over = af_chart_at(panel->calls, open - 1);
            const uint64_t end_ns = over->start_ns + over->extent_ns;
            uint32_t parts[AF_TONES];
            divide_self(a, panel, open, parts);
            add_piece(a, pixels, free_ns[open], MAX(end_ns, free_ns[open]), parts);
            open = tree->parent[open];
            free_ns[open] = MAX(free_ns[open], end_ns);
        }
        if (node == n) {
            break;
        }
        const af_chart_entry *entry = af_chart_at(panel->calls, node - 1);
        if (parent > 0 && entry->start_ns > free_ns[parent]) {
            uint32_t parts[AF_TONES];
            divide_self(a, panel, parent, parts);
            add_piece(a, pixels, free_ns[parent], entry->start_ns, parts);
            free_ns[parent] = entry->start_ns;
        }
        free_ns[node] = entry->start_ns;
        open = node;
    }
    g_free(free_ns);
}

static void draw_pixels(const af_tones *a, const uint64_t *pixels)
{
    af_sheet *sheet = a->sheet;
    const uint32_t n = (uint32_t)(a->axis.width_c / AF_PX);
    unsigned tone = AF_TONES;
    for (uint32_t from = 0, i = 0; i <= n; i++) {
        unsigned next = AF_TONES;
        for (unsigned t = 0; i < n && t < AF_TONES; t++) {
            const uint64_t best = next < AF_TONES ? pixels[i * AF_TONES + next] : 0;
            next = pixels[i * AF_TONES + t] > best ? t : next;
        }
        if (i > 0 && (i == n || next != tone)) {
            if (tone < AF_TONES) {
                af_sheet_rect(sheet, a->x + (int32_t)from * AF_PX, sheet->y_c + AF_TICKET_BAR_TOP_C,
                              (int32_t)(i - from) * AF_PX, AF_TICKET_BAR_C, af_tone_paint(tone));
            }
            from = i;
        }
        tone = next;
    }
}

/* Marks the longest call of the method of each finding on the thread. */
static void draw_badges(const af_ticket *ticket, const af_tones *a, uint32_t thread)
{
    const af_chart_thread *calls = &a->chart->threads[thread];
    int32_t drawn[AF_TICKET_FINDINGS];
    unsigned n = 0;
    for (unsigned i = 0; i < ticket->n_findings; i++) {
        const af_finding *f = &ticket->explanation->findings[i];
        if (f->thread != thread || f->node == AF_NO_NODE || f->node == 0) {
            continue;
        }
        const uint32_t label = ticket->sheet->profile->threads[thread].tree->label[f->node];
        const af_chart_entry *longest = NULL;
        for (uint32_t k = 0; k < af_chart_n(calls); k++) {
            const af_chart_entry *entry = af_chart_at(calls, k);
            if (entry->label == label &&
                (longest == NULL || entry->extent_ns > longest->extent_ns)) {
                longest = entry;
            }
        }
        if (longest != NULL) {
            int32_t x = a->x + (af_chart_x(&a->axis, longest->start_ns) +
                                af_chart_x(&a->axis, longest->start_ns + longest->extent_ns)) /
                                   2;
            for (unsigned k = 0; k < n;) { /* next to those that are there */
                const gboolean covers = ABS(x - drawn[k]) < AF_BADGE_C;
                x = covers ? drawn[k] + AF_BADGE_C : x;
                k = covers ? 0 : k + 1;
            }
            drawn[n++] = x;
            af_sheet_badge(ticket->sheet, i + 1, x,
                           ticket->sheet->y_c + AF_TICKET_BAR_TOP_C + AF_TICKET_BAR_C / 2);
        }
    }
}

void af_tones_draw_calls(const af_tones *a, uint32_t thread)
{
    af_sheet *sheet = a->sheet;
    const af_tree *tree = sheet->profile->threads[thread].tree;
    af_panel panel = {.thread = thread, .calls = &a->chart->threads[thread]};
    panel.tree = panel.own_tree = af_chart_tree(panel.calls, af_tree_clocks(tree));
    uint64_t *pixels = g_try_new0(uint64_t, (gsize)(a->axis.width_c / AF_PX) * AF_TONES);
    uint8_t *waits = af_waits_of_labels(sheet->profile);
    if (panel.tree != NULL && pixels != NULL && waits != NULL) {
        af_waits_decide(sheet->profile, thread, panel.own_tree, waits);
        add_calls(a, &panel, pixels);
        draw_pixels(a, pixels);
    } else {
        af_scene_fail(sheet->scene);
    }
    g_free(waits);
    g_free(pixels);
    af_panel_clear(&panel);
}

/* ---- sums ---- */

void af_tones_draw_sums(const af_tones *a, const uint64_t sums[AF_TONES])
{
    af_sheet *sheet = a->sheet;
    int32_t from = 0;
    uint64_t end = 0;
    for (unsigned tone = 0; tone < AF_TONES; tone++) {
        end += sums[tone];
        const int32_t to = af_chart_x(&a->axis, end);
        af_sheet_rect(sheet, a->x + from, sheet->y_c + AF_TICKET_BAR_TOP_C, to - from,
                      AF_TICKET_BAR_C, af_tone_paint(tone));
        from = MAX(from, to);
    }
}

static void draw_sums(const af_tones *a, uint32_t thread)
{
    const af_busy *busy = a->sheet->busy;
    const uint64_t wait = MIN(busy->wait_ns[thread], busy->time_ns[thread]);
    const uint64_t sums[AF_TONES] = {busy->time_ns[thread] - wait, wait, busy->idle_ns[thread]};
    af_tones_draw_sums(a, sums);
}

/* ---- both ---- */

void af_tones_draw_axis(const af_tones *a)
{
    af_sheet *sheet = a->sheet;
    const uint64_t extent = a->axis.to_ns - a->axis.from_ns;
    const uint64_t step = af_ruler_step(extent, a->axis.width_c, TICK_C);
    for (uint64_t tick = 0; extent > 0 && tick <= extent / step; tick++) {
        char text[AF_NUMBER_SIZE];
        const int32_t x = a->x + af_chart_x(&a->axis, a->axis.from_ns + tick * step);
        if (tick == 0) {
            g_strlcpy(text, "0", sizeof text);
        } else if (a->chart != NULL || sheet->profile->facts.weights.unit.name == NULL) {
            af_number_exact(text, tick * step);
        } else {
            af_sheet_amount(sheet, text, tick * step);
        }
        const int32_t advance = af_face_advance(FALSE, AF_SMALL_C, text, strlen(text));
        if (x + AF_TICK_TO_TEXT_C + advance <= a->x + a->axis.width_c) {
            af_sheet_text(sheet, x + AF_TICK_TO_TEXT_C, sheet->y_c + AF_OVERVIEW_BASELINE_C,
                          AF_SMALL_C, advance, FALSE, AF_PAINT_MUTED, text);
        }
        af_sheet_rect(sheet, x, sheet->y_c, AF_PX / 2, AF_TICKET_LINE_C, AF_PAINT_RULE);
    }
    sheet->y_c += AF_TICKET_LINE_C;
}

void af_tones_draw_caption(const af_tones *a, const char *title)
{
    static const char *const names[AF_TONES] = {NULL, AF_SAY_BLOCKED, AF_SAY_IDLE};
    af_sheet *sheet = a->sheet;
    const gboolean timed = af_profile_has_clocks(sheet->profile);
    int32_t x = AF_MARGIN_C;
    sheet->y_c += AF_TICKET_ROW_C;
    x += AF_ENTRY_GAP_C + af_sheet_text(sheet, x, sheet->y_c, AF_TICKET_BODY_C, sheet->graph_c,
                                        TRUE, AF_PAINT_INK, title);
    for (unsigned tone = 0; timed && tone < AF_TONES; tone++) {
        const char *text = tone > 0                        ? names[tone]
                           : af_sheet_shows_waiting(sheet) ? "CPU"
                                                           : AF_SAY_RUNNING;
        af_tone_entry(sheet, &x, tone, text);
    }
    sheet->y_c += AF_OVERVIEW_CAPTION_TO_ROWS_C;
}

static uint64_t find_most(const af_ticket *ticket)
{
    const af_busy *busy = ticket->sheet->busy;
    uint64_t most = 0;
    for (uint32_t i = 0; i < ticket->n_threads; i++) {
        const uint32_t thread = ticket->threads[i];
        most = MAX(most, busy->time_ns[thread] + busy->idle_ns[thread]);
    }
    return most;
}

/* The end of the last call: nothing is known about the time after it. */
static uint64_t find_last(const af_ticket *ticket)
{
    uint64_t last_ns = 0;
    for (uint32_t i = 0; i < ticket->n_threads; i++) {
        last_ns = MAX(last_ns, ticket->chart->threads[ticket->threads[i]].last_ns);
    }
    return MIN(last_ns, ticket->chart->to_ns);
}

void af_ticket_timeline_draw(af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    const af_busy *busy = sheet->busy;
    if (ticket->n_threads == 0) {
        return;
    }
    af_tones a = af_tones_new(sheet, ticket->chart);
    a.axis.to_ns = find_most(ticket);
    if (ticket->chart != NULL) {
        a.axis.from_ns = ticket->chart->from_ns;
        a.axis.to_ns = MAX(find_last(ticket), a.axis.from_ns + 1);
    }
    af_tones_draw_caption(&a, ticket->chart != NULL ? AF_SAY_TICKET_TIMELINE : AF_SAY_TICKET_SUMS);
    af_tones_draw_axis(&a);
    for (uint32_t i = 0; i < ticket->n_threads; i++) {
        const uint32_t thread = ticket->threads[i];
        const char *own = af_thread_shown(sheet->profile, &sheet->profile->threads[thread]);
        const int32_t baseline = sheet->y_c + AF_TICKET_BAR_TOP_C + AF_FRAME_C - 700;
        char number[AF_NUMBER_SIZE];
        af_sheet_name(sheet, AF_MARGIN_C, baseline, AF_TICKET_BODY_C,
                      AF_TICKET_NAME_C - AF_ENTRY_GAP_C / 2, i == 0, AF_PAINT_INK,
                      own != NULL && own[0] != '\0' ? own : AF_SAY_NO_NAME);
        if (ticket->chart == NULL) {
            draw_sums(&a, thread);
        } else {
            af_tones_draw_calls(&a, thread);
            draw_badges(ticket, &a, thread);
        }
        const uint64_t amount = busy->time_ns[thread] + busy->idle_ns[thread];
        if (af_profile_has_clocks(sheet->profile)) {
            af_sheet_amount(sheet, number, amount);
        } else { /* units may be long */
            af_number_share(number, amount, busy->total_ns + busy->total_idle_ns);
        }
        af_sheet_text(sheet, a.x + a.axis.width_c + AF_OVERVIEW_BAR_TO_NUMBER_C, baseline,
                      AF_TICKET_BODY_C, AF_TICKET_NUMBER_C - AF_OVERVIEW_BAR_TO_NUMBER_C, FALSE,
                      AF_PAINT_INK, number);
        sheet->y_c += AF_TICKET_ROW_C;
    }
    sheet->y_c += AF_OVERVIEW_BOTTOM_C;
    af_sheet_rule(sheet);
}
