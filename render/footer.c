#include <string.h>

#include "base/number.h"
#include "render/label.h"
#include "render/sheet_parts.h"

enum {
    THREADS_MAX = 12, /* named one by one */
    NAME_ROOM_C = 220 * AF_PX,
    LINE_C = 16 * AF_PX,
};

typedef struct {
    uint32_t thread;
    uint64_t time_ns;
} left_out;

static gint compare_times(gconstpointer a, gconstpointer b)
{
    const left_out *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns > y->time_ns ? -1 : 1;
    }
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* CPU time says most about a thread that nobody looks at: wall time counts its sleep. */
static af_clock pick_clock(const af_profile *profile)
{
    return af_profile_has(profile, AF_CPU) ? AF_CPU : AF_WALL;
}

/* Threads without a panel in the whole picture, those with most time first. */
static GArray *list_left_out(const af_sheet *sheet)
{
    const af_profile *profile = sheet->profile;
    gboolean *drawn = g_new0(gboolean, (gsize)profile->n_threads + 1);
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        drawn[sheet->panels[i].thread] = TRUE;
    }
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(left_out));
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        const left_out thread = {i, af_thread_time_ns(profile, i, pick_clock(profile))};
        if (!drawn[i]) {
            g_array_append_val(threads, thread);
        }
    }
    g_array_sort(threads, compare_times);
    g_free(drawn);
    return threads;
}

static void add_thread(const af_sheet *sheet, const left_out *thread, const char *behind,
                       GPtrArray *pieces)
{
    char number[AF_NUMBER_SIZE];
    const af_fitted fitted =
        af_text_fit(sheet->profile->threads[thread->thread].title, FALSE, AF_SMALL_C, NAME_ROOM_C);
    char *name = af_sheet_isolate(fitted.text ? fitted.text : "(no name)");
    g_ptr_array_add(
        pieces, g_strdup_printf("%s %s%s", name, af_number_time(number, thread->time_ns), behind));
    g_free(name);
    g_free(fitted.text);
}

static void draw_left_out(af_sheet *sheet)
{
    GArray *threads = list_left_out(sheet);
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    if (threads->len > 0) {
        const char *clock = pick_clock(sheet->profile) == AF_CPU ? "CPU" : "wall";
        char *count = af_sheet_count(threads->len, "thread", "threads");
        for (guint i = 0; i < threads->len && i < THREADS_MAX; i++) {
            add_thread(sheet, &g_array_index(threads, left_out, i), i + 1 < threads->len ? "," : "",
                       pieces);
        }
        char **first = (char **)&pieces->pdata[0];
        char *rest = *first;
        *first = g_strdup_printf("%s not drawn (%s time): %s", count, clock, rest);
        g_free(rest);
        g_free(count);
        if (threads->len > THREADS_MAX) {
            char number[AF_NUMBER_SIZE];
            g_ptr_array_add(pieces,
                            g_strdup_printf("and %s more",
                                            af_number_count(number, threads->len - THREADS_MAX)));
        }
        const af_flow flow = {
            .first_x = AF_MARGIN_C,
            .size = AF_SMALL_C,
            .line_c = LINE_C,
            .paint = AF_PAINT_MUTED,
            .separator = " ",
        };
        af_sheet_flow(sheet, &flow, pieces);
        sheet->y_c += LINE_C;
    }
    g_ptr_array_unref(pieces);
    g_array_unref(threads);
}

/* What has no frame of its own on this page, and who drew it. */
static void draw_end(af_sheet *sheet, uint32_t first, uint32_t n)
{
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    uint64_t nodes = 0, hidden_ns = 0, total_ns = 0;
    for (uint32_t i = first; i < first + n; i++) {
        nodes += sheet->panels[i].layout->hidden_nodes;
        hidden_ns += sheet->panels[i].layout->hidden_ns;
        total_ns += af_panel_time_ns(sheet, &sheet->panels[i]);
    }
    if (nodes > 0) {
        char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
        char *count = af_sheet_count(nodes, "frame", "frames");
        g_ptr_array_add(pieces, g_strdup_printf("%s too narrow to draw one by one: %s (%s)", count,
                                                af_number_time(time, hidden_ns),
                                                af_number_share(share, hidden_ns, total_ns)));
        g_free(count);
    }
    char *missing = af_sheet_left_out(sheet);
    if (missing) {
        g_ptr_array_add(pieces, missing);
    }
    if (sheet->options->program) {
        g_ptr_array_add(pieces, g_strdup(sheet->options->program));
    }
    const af_flow flow = {
        .first_x = AF_MARGIN_C,
        .size = AF_SMALL_C,
        .line_c = LINE_C,
        .paint = AF_PAINT_MUTED,
        .separator = " \xc2\xb7 ",
    };
    af_sheet_flow(sheet, &flow, pieces);
    g_ptr_array_unref(pieces);
}

void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    sheet->y_c += 4 * AF_PX;
    af_sheet_rule(sheet);
    sheet->y_c += 19 * AF_PX;
    draw_left_out(sheet);
    draw_end(sheet, first, n);
    sheet->y_c += 16 * AF_PX;
}
