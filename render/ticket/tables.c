/* Two short tables side by side: the methods with the most self time, and those that waited. */
#include <string.h>

#include "base/markdown.h"
#include "model/waits.h"
#include "render/face.h"
#include "render/ticket/ticket_parts.h"

#define NUMBER_C     6600
#define AMOUNT_C     11000 /* with a unit that may be long */
#define SHARE_C      4800
#define GAP_C        2400
#define NAME_LEAST_C 6000 /* reasons leave this to names */

typedef struct {
    uint32_t label;
    unsigned reason; /* an af_waits */
    uint64_t time;
} entry;

static gint compare_entries(gconstpointer a, gconstpointer b)
{
    const entry *one = a, *other = b;
    return one->time != other->time ? (one->time < other->time ? 1 : -1)
                                    : (one->label > other->label) - (one->label < other->label);
}

/* Sums by label, largest first. */
static GArray *sum_nodes(const af_profile *profile, uint32_t thread, af_clock clock, gboolean waits)
{
    const af_tree *tree = profile->threads[thread].tree;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(entry));
    g_autoptr(GHashTable) at = g_hash_table_new(NULL, NULL);
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t label = tree->label[n];
        const af_category category = profile->labels[label].category;
        const gboolean known = af_tree_has(tree, AF_WAIT) || category == AF_CATEGORY_BLOCKED;
        if (af_waits_is_idle(profile, tree, n) || (waits && !known)) {
            continue;
        }
        const uint64_t time = !waits || !af_tree_has(tree, AF_WAIT)
                                  ? af_tree_self_ns(tree, n, clock)
                                  : af_tree_self_ns(tree, n, AF_WAIT);
        gpointer index;
        if (time == 0) {
            continue;
        }
        if (!g_hash_table_lookup_extended(at, GUINT_TO_POINTER(label), NULL, &index)) {
            index = GUINT_TO_POINTER(list->len);
            g_hash_table_insert(at, GUINT_TO_POINTER(label), index);
            g_array_append_val(list, ((entry){label, tree->reason[n], 0}));
        }
        g_array_index(list, entry, GPOINTER_TO_UINT(index)).time += time;
    }
    g_array_sort(list, compare_entries);
    return list;
}

static void draw_row(af_ticket *ticket, const entry *it, int32_t x, int32_t width, gboolean waits)
{
    af_sheet *sheet = ticket->sheet;
    const uint64_t total = af_thread_time_ns(sheet->profile, ticket->thread, sheet->options->clock);
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    af_sheet_amount(sheet, time, it->time);
    af_number_share(share, it->time, total);
    const char *const numbers[] = {time, share};
    const int32_t number_c = af_profile_has_clocks(sheet->profile) ? NUMBER_C : AMOUNT_C;
    const int32_t ends[] = {x + number_c, x + number_c + SHARE_C};
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        const int32_t most = i == 0 ? number_c : SHARE_C;
        const int32_t advance =
            MIN(af_face_advance(FALSE, AF_TICKET_BODY_C, numbers[i], strlen(numbers[i])), most);
        af_sheet_text(sheet, ends[i] - advance, sheet->y_c, AF_TICKET_BODY_C, advance, FALSE,
                      AF_PAINT_INK, numbers[i]);
    }
    const int32_t name = ends[1] + AF_SWATCH_C;
    int32_t left = x + width - name;
    if (waits) {
        const char *title = af_waits_title((af_waits)it->reason);
        int32_t advance = af_face_advance(FALSE, AF_TICKET_BODY_C, title, strlen(title));
        advance = left - advance < NAME_LEAST_C ? 0 : advance;
        if (advance > 0) {
            af_sheet_text(sheet, x + width - advance, sheet->y_c, AF_TICKET_BODY_C, advance, FALSE,
                          AF_PAINT_MUTED, title);
            left -= advance + AF_SWATCH_C;
        }
    }
    af_sheet_form(sheet, name, sheet->y_c, AF_TICKET_BODY_C, left, FALSE, AF_PAINT_INK,
                  af_label_fit(&sheet->profile->labels[it->label], AF_TICKET_BODY_C, MAX(left, 0)));
}

static void draw_table(af_ticket *ticket, const GArray *list, int32_t x, int32_t width,
                       gboolean waits)
{
    af_sheet *sheet = ticket->sheet;
    sheet->y_c += AF_TICKET_ROW_C;
    af_sheet_text(sheet, x, sheet->y_c, AF_TICKET_BODY_C, width, TRUE, AF_PAINT_INK,
                  waits                                   ? AF_SAY_TICKET_WAITS
                  : af_profile_has_clocks(sheet->profile) ? AF_SAY_TICKET_SELF
                                                          : AF_SAY_TICKET_OWN);
    if (list->len == 0) {
        const af_tree *tree = sheet->profile->threads[ticket->thread].tree;
        sheet->y_c += AF_TICKET_ROW_C;
        af_sheet_text(sheet, x, sheet->y_c, AF_TICKET_BODY_C, width, FALSE, AF_PAINT_MUTED,
                      waits && !af_tree_has(tree, AF_WAIT) ? AF_SAY_TICKET_UNKNOWN
                                                           : AF_SAY_TICKET_NONE);
    }
    for (guint i = 0; i < MIN(list->len, ticket->table_rows); i++) {
        sheet->y_c += AF_TICKET_ROW_C;
        draw_row(ticket, &g_array_index(list, entry, i), x, width, waits);
    }
}

void af_ticket_tables_draw(af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    if (ticket->thread == AF_NO_NODE || ticket->table_rows == 0) {
        return;
    }
    const gboolean timed = af_profile_has_clocks(sheet->profile);
    const int32_t top = sheet->y_c, half = (sheet->graph_c - GAP_C) / 2;
    const af_profile *profile = sheet->profile;
    const af_clock clock = sheet->options->clock;
    g_autoptr(GArray) self = sum_nodes(profile, ticket->thread, clock, FALSE);
    draw_table(ticket, self, AF_MARGIN_C, timed ? half : sheet->graph_c, FALSE);
    if (timed) {
        const int32_t bottom = sheet->y_c;
        g_autoptr(GArray) waited = sum_nodes(profile, ticket->thread, clock, TRUE);
        sheet->y_c = top;
        draw_table(ticket, waited, AF_MARGIN_C + half + GAP_C, half, TRUE);
        sheet->y_c = MAX(sheet->y_c, bottom);
    }
    sheet->y_c += AF_OVERVIEW_BOTTOM_C;
}

void af_ticket_table_append(GString *to, const af_profile *profile, uint32_t thread, af_clock clock)
{
    g_autoptr(GArray) self = sum_nodes(profile, thread, clock, FALSE);
    const uint64_t total = af_thread_time_ns(profile, thread, clock);
    char number[AF_NUMBER_SIZE];
    g_string_append(to, "| ");
    af_markdown_append_code(to, af_thread_shown(profile, &profile->threads[thread]));
    g_string_append_printf(to, ": %s | | |\n|---|--:|--:|\n",
                           af_profile_has_clocks(profile) ? AF_SAY_TICKET_SELF : AF_SAY_TICKET_OWN);
    for (guint i = 0; i < MIN(self->len, AF_TICKET_TABLE_ROWS); i++) {
        const entry *it = &g_array_index(self, entry, i);
        g_string_append(to, "| ");
        af_markdown_append_code(to, profile->labels[it->label].text);
        g_string_append_printf(to, " | %s",
                               af_number_amount(number, it->time, &profile->facts.weights.unit));
        g_string_append_printf(to, " | %s |\n", af_number_share(number, it->time, total));
    }
}
