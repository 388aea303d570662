/* Draws the charts of two recordings below each other, on one axis. */
#include <aflame/diff.h>

#include "api/byte_limit.h"
#include "api/carried_sides.h"
#include "api/drawing.h"
#include "api/messages.h"
#include "base/memory_error.h"
#include "model/select.h"
#include "model/visible.h"
#include "render/chart/chart_calls.h"

typedef struct {
    const af_profile *profile;
    const char *title; /* "before: old.trace" */
    GArray *threads;
    af_sheet_options sheet;
    af_arena *names;
    uint64_t zero_ns; /* of the axis, on the clock of this side */
    const af_canvas_class *canvas;
} chart_side;

static const char *const side_names[AF_SIDES] = {"before", "after"};

static gboolean choose_clock(const af_profile *const profiles[AF_SIDES], af_clock wanted,
                             af_clock *clock, GError **error)
{
    const gboolean sampled = !af_profile_counts_calls(profiles[AF_BEFORE]);
    if (sampled == af_profile_counts_calls(profiles[AF_AFTER])) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "before holds %s, after %s: compare recordings of the same kind",
                    sampled ? "samples" : "calls", sampled ? "calls" : "samples");
        return FALSE;
    }
    for (unsigned side = 0; side < AF_SIDES; side++) {
        if (!af_chart_calls_check(profiles[side], side == AF_BEFORE ? wanted : *clock, clock,
                                  error)) {
            g_prefix_error(error, "%s: ", side_names[side]);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean choose_threads(chart_side *side, const char *const *selectors, af_clock clock,
                               GError **error)
{
    if (selectors == NULL) {
        side->threads = af_sheet_default_threads(side->profile, clock);
    } else {
        g_autoptr(GArray) picked = af_select_threads(side->profile, selectors, error);
        if (picked == NULL) {
            return FALSE;
        }
        side->threads = af_sheet_chart_threads(side->profile, picked, clock);
    }
    return side->threads != NULL || af_memory_error_set(error);
}

/* The start of the first highlighted call; FALSE with an error if no drawn thread has one. */
static gboolean find_first_call(chart_side *side, unsigned number, const char *align,
                                GError **error)
{
    gboolean found = FALSE;
    for (guint i = 0; i < side->threads->len; i++) {
        const uint32_t t = g_array_index(side->threads, uint32_t, i);
        const af_array *calls = &side->sheet.chart->threads[t].highlights;
        const uint64_t start_ns =
            calls->n > 0 ? AF_ARRAY_AT(calls, af_chart_entry, 0).start_ns : UINT64_MAX;
        if (calls->n > 0 && (!found || start_ns < side->zero_ns)) {
            side->zero_ns = start_ns;
            found = TRUE;
        }
    }
    if (!found) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "no drawn thread of %s calls %s",
                    side_names[number], align);
    }
    return found;
}

static gboolean read_side(chart_side *side, unsigned number, const char *align,
                          const af_picture_options *options, af_clock clock, GPtrArray *messages,
                          GError **error)
{
    const char *const patterns[] = {align, NULL};
    if (!choose_threads(side, options->threads, clock, error) ||
        !af_select_check_left(side->profile, side->threads, error)) {
        return FALSE;
    }
    side->sheet = (af_sheet_options){
        .clock = clock,
        .threads = (const uint32_t *)(const void *)side->threads->data,
        .n_threads = side->threads->len,
        .title = side->title,
        .input = side->title,
        .program = AF_DRAWING_PROGRAM,
        .width_c = af_drawing_width_c(options, side->canvas),
        .height_c = af_drawing_height_c(options, side->canvas) / AF_SIDES,
        .min_width_c = options->min_width_c,
        .inverted = TRUE,
        .full_depth = options->full_depth,
        .fluid = options->width_px == 0,
        .jobs = options->jobs,
        .messages = messages,
        .id_prefix = number == AF_BEFORE ? "before-" : "after-",
    };
    side->sheet.chart = af_chart_calls_read(side->profile, align != NULL ? patterns : NULL,
                                            &side->sheet, NULL, error);
    if (side->sheet.chart == NULL) {
        return FALSE;
    }
    af_chart_markers_free(side->sheet.chart->markers); /* they do not move with the axis */
    side->sheet.chart->markers = NULL;
    side->zero_ns =
        side->sheet.chart->options.clock == AF_WALL ? af_profile_start_ns(side->profile) : 0;
    return align == NULL || find_first_call(side, number, align, error);
}

/* Both axes reach equally far to both sides of time 0. */
static void join_axes(chart_side sides[AF_SIDES])
{
    uint64_t before_ns = 0, after_ns = 0;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        const af_chart *chart = sides[s].sheet.chart;
        const uint64_t zero_ns = sides[s].zero_ns;
        before_ns = MAX(before_ns, zero_ns - MIN(zero_ns, chart->from_ns));
        after_ns = MAX(after_ns, chart->to_ns - MIN(zero_ns, chart->to_ns));
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_chart *chart = sides[s].sheet.chart;
        if (sides[s].zero_ns < before_ns) {
            const uint64_t shift_ns = before_ns - sides[s].zero_ns;
            af_chart_shift(chart, shift_ns);
            sides[s].zero_ns += shift_ns;
        }
        chart->has_zero = TRUE;
        chart->zero_ns = sides[s].zero_ns;
        chart->from_ns = chart->zero_ns - before_ns;
        chart->to_ns = chart->zero_ns + after_ns;
    }
}

static gboolean draw_side(chart_side *side, af_scene *scene)
{
    side->names = af_arena_new();
    const af_profile *visible = af_profile_visible(side->names, side->profile);
    side->sheet.into = scene;
    return visible != NULL && af_sheet_new(visible, &side->sheet) != NULL;
}

static gboolean draw_both(chart_side sides[AF_SIDES], const af_picture_options *options,
                          af_scene *scene)
{
    g_autoptr(GString) description = g_string_new(NULL);
    gboolean ok = TRUE;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        ok = draw_side(&sides[s], scene);
        const char *text = scene->about.description;
        g_string_append_printf(description, "%s%s: %s", s > 0 ? " " : "", sides[s].title,
                               text != NULL ? text : "");
    }
    if (ok) {
        g_autofree char *title =
            options->title != NULL
                ? af_drawing_clean_name(options->title)
                : g_strdup_printf("%s, %s", sides[AF_BEFORE].title, sides[AF_AFTER].title);
        af_scene_about about = scene->about;
        about.title = about.input = title;
        about.description = description->str;
        about.date_s = -1;
        af_scene_set_about(scene, &about);
    }
    return ok && af_scene_ok(scene);
}

static void clear_side(chart_side *side)
{
    af_chart_free(side->sheet.chart);
    g_clear_pointer(&side->threads, g_array_unref);
    if (side->names != NULL) {
        af_arena_free(side->names);
    }
    g_free((char *)side->title);
}

/* "before: old.trace", after the title of the picture. */
static char *title_side(const char *title, unsigned side, const char *name)
{
    g_autofree char *clean = af_drawing_clean_name(name != NULL ? name : "");
    g_autofree char *first = af_drawing_clean_name(title);
    return g_strdup_printf("%s%s%s: %s", first != NULL ? first : "", first != NULL ? ", " : "",
                           side_names[side], clean);
}

/* What to draw. */
typedef struct {
    const af_profile *const *profiles;
    const char *const *names;
    const char *align;
} chart_pair;

static gboolean play(const void *subject, const af_canvas_class *canvas,
                     const af_picture_options *known, af_write_func write, void *user,
                     GPtrArray *messages, GError **error)
{
    const chart_pair *pair = subject;
    const af_profile *const *profiles = pair->profiles;
    const char *const *names = pair->names;
    chart_side sides[AF_SIDES] = {{.profile = profiles[AF_BEFORE]},
                                  {.profile = profiles[AF_AFTER]}};
    af_clock clock;
    gboolean ok = choose_clock(profiles, known->clock, &clock, error);
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        sides[s].canvas = canvas;
        sides[s].title = title_side(known->title, s, names[s]);
        ok = read_side(&sides[s], s, pair->align, known, clock, messages, error);
    }
    af_scene *scene = af_scene_new();
    af_carried_sides carried = {.bytes = NULL};
    const gboolean carries = ok && known->data != AF_DATA_NONE && !known->no_profile;
    if (carries) {
        af_carried_sides_begin_profiles(&carried, profiles, names, clock,
                                        af_carried_profile_limit(canvas, known), known->jobs);
    }
    if (ok) {
        join_axes(sides);
        ok = draw_both(sides, known, scene) || af_memory_error_set(error);
    }
    ok = ok &&
         (!carries || af_carried_sides_attach(&carried, scene, canvas->binary, messages, error)) &&
         af_drawing_play(scene, canvas, known, FALSE, known->epoch_s, write, user, messages, error);
    af_scene_free(scene);
    af_carried_sides_clear(&carried);
    clear_side(&sides[AF_BEFORE]);
    clear_side(&sides[AF_AFTER]);
    return ok;
}

bool af_diff_draw_charts(const af_profile *const profiles[AF_SIDES],
                         const char *const names[AF_SIDES], const char *align, const char *format,
                         const af_picture_options *options, af_write_func write, void *user,
                         char ***messages, GError **error)
{
    const chart_pair pair = {profiles, names, align};
    af_picture_options known;
    if (!af_drawing_fill_options(options, TRUE, &known, error)) {
        return FALSE;
    }
    const af_canvas_class *canvas = af_drawing_choose_canvas(format, &known, error);
    af_messages_give(NULL, messages);
    return canvas != NULL && af_drawing_check(&known, error) &&
           af_byte_limit_draw(play, &pair, canvas, &known, write, user, messages, error);
}
