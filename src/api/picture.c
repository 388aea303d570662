/* Joins the library and the drawing: a profile is laid out as a sheet, and its scene is played into
 * a canvas. */
#include <aflame/cairo.h>

#include "api/autoptr.h"
#include "api/byte_limit.h"
#include "api/callgraph.h"
#include "api/command.h"
#include "api/carried_profile.h"
#include "api/field.h"
#include "render/chart/chart_calls.h"
#include "base/memory_error.h"
#include "base/options.h"
#include "finding/explain.h"
#include "api/drawing.h"
#include "api/messages.h"
#include "calls/startup.h"
#include "api/sandwich.h"
#include "model/busy.h"
#include "model/select.h"
#include "model/visible.h"
#include "render/cairo/surface.h"
#include "render/page/sheet.h"
#include "render/svg/script.h"
#include "render/ticket/ticket.h"
#include "transform/reshape.h"

/* The canvases that users can select, without those that belong to an option. */
static const af_canvas_class *selectable_at(unsigned number)
{
    const af_canvas_class *canvas;
    for (unsigned i = 0; (canvas = af_canvas_at(i)) != NULL; i++) {
        if (canvas->selectable && number-- == 0) {
            return canvas;
        }
    }
    return NULL;
}

AF_FIELD_OF(const char *, af_picture_format, selectable_at, name)
AF_FIELD_OF(const char *, af_picture_format_title, selectable_at, title)

bool af_picture_format_is_binary(unsigned number)
{
    const af_canvas_class *canvas = selectable_at(number);
    return canvas != NULL && canvas->binary;
}

/* The selectors of threads as typed; ends with NULL. */
static char **write_choices(const char *const *selectors)
{
    GPtrArray *choices = g_ptr_array_new();
    for (; selectors != NULL && *selectors != NULL; selectors++) {
        const af_step step = {.kind = AF_STEP_THREADS, .text = *selectors};
        g_ptr_array_add(choices, af_step_write(&step));
    }
    g_ptr_array_add(choices, NULL);
    return (char **)(void *)g_ptr_array_free(choices, FALSE);
}

static gboolean carries_profile(const af_picture_options *options)
{
    return options->data != AF_DATA_NONE && !options->no_profile;
}

static void begin_carried(af_carried_profile *carried, const af_canvas_class *canvas,
                          const af_picture_options *options)
{
    carried->most_bytes = af_carried_profile_limit(canvas, options);
    if (carries_profile(options)) {
        af_carried_profile_begin(carried, options->jobs);
    }
}

/* For each thread 0 or AF_NO_NODE = the picture does not carry it, because others were asked for. NULL =
 * it carries all. Free with g_free(). */
static uint32_t *keep_threads(const af_profile *profile, const GArray *threads,
                              const af_picture_options *options)
{
    if (options->threads == NULL || options->data == AF_DATA_FULL) {
        return NULL;
    }
    uint32_t *carried_threads = g_new(uint32_t, (size_t)profile->n_threads + 1);
    memset(carried_threads, 0xFF, sizeof *carried_threads * profile->n_threads);
    for (guint i = 0; i < threads->len; i++) {
        carried_threads[g_array_index(threads, uint32_t, i)] = 0;
    }
    return carried_threads;
}

static GBytes *take_carried(void *user)
{
    return af_carried_profile_take(user, NULL);
}

/* Call it after drawing. A text format needs no message about what it carries. */
static gboolean check_carried(af_carried_profile *carried, const af_canvas_class *canvas,
                              GPtrArray *messages, GError **error)
{
    if (af_carried_profile_take(carried, error) == NULL) {
        return FALSE;
    }
    if (canvas->binary || carried->left_out > 0) {
        g_ptr_array_add(messages, af_carried_profile_describe(carried));
    }
    return TRUE;
}

/* The scene of a sheet, or of a ticket's sheet. */
static af_scene *compose(const af_profile *profile, const af_sheet_options *sheet,
                         const af_picture_options *options, GError **error)
{
    af_scene *scene = NULL;
    if (options->view != AF_VIEW_SHEET) {
        scene = af_sheet_new(profile, sheet);
        if (scene != NULL && !af_scene_ok(scene)) {
            af_scene_free(scene);
            scene = NULL;
        }
        if (scene == NULL) {
            af_memory_error_set(error);
        }
        return scene;
    }
    const af_ticket_options ticket = {.explanation = options->explanation,
                                      .command = options->command,
                                      .height_c = sheet->height_c,
                                      .chart = options->explanation->calls};
    return af_ticket_new(profile, sheet, &ticket, error);
}

void af_explanation_append_table(GString *to, const af_profile *profile, const af_explanation *e,
                                 af_clock clock)
{
    const uint32_t thread = e->n > 0 ? e->findings[0].thread : e->thread;
    if (thread != AF_NO_NODE && af_select_clock(profile, clock, &clock, NULL) &&
        af_tree_has(profile->threads[thread].tree, clock)) {
        af_ticket_table_append(to, profile, thread, clock);
    }
}

/* The limit for tracks that a chart draws at full height by default. */
#define TALL_TRACKS 8u

static gboolean draw(const af_profile *profile, const af_canvas_class *canvas,
                     const af_picture_options *options, af_clock clock, const GArray *threads,
                     uint32_t method, af_write_func write, void *user, GPtrArray *messages,
                     GError **error)
{
    const gboolean chart = options->view == AF_VIEW_CHART;
    const gboolean sandwich = options->view == AF_VIEW_SANDWICH;
    const gboolean calls = options->view == AF_VIEW_CALLGRAPH;
    const gboolean ticket = options->view == AF_VIEW_SHEET;
    const gboolean has_panels = !calls && !ticket && options->view != AF_VIEW_STARTUP;
    const gboolean interactive = af_drawing_is_interactive(canvas, options) && has_panels &&
                                 options->view != AF_VIEW_THUMBNAIL;
    g_autofree char *title = af_drawing_clean_name(options->title),
                    *input = af_drawing_clean_name(options->input_name);
    g_auto(GStrv) choices = write_choices(options->threads);
    g_autofree uint32_t *carried_threads = keep_threads(profile, threads, options);
    af_sheet_options sheet = {
        .clock = clock,
        .threads = (const uint32_t *)(const void *)threads->data,
        .n_threads = threads->len,
        .choices = (const char *const *)choices,
        .title = title,
        .input = input,
        .program = AF_DRAWING_PROGRAM,
        .width_c = af_drawing_width_c(options, canvas),
        .height_c = af_drawing_height_c(options, canvas),
        .min_width_c = options->min_width_c,
        .inverted = options->inverted || chart || sandwich,
        .sandwich = sandwich,
        .thumbnail = options->view == AF_VIEW_THUMBNAIL,
        .method = method,
        .full_depth = options->full_depth,
        .paged = canvas->paged && has_panels,
        .fluid = options->width_px == 0 && !ticket,
        .interactive = interactive,
        .packed = interactive && options->data != AF_DATA_NONE,
        .drawn_only = carried_threads != NULL,
        .pack_budget = af_drawing_pack_budget(options),
        .jobs = options->jobs,
        .messages = messages,
        .explanation = canvas == &af_canvas_svg && !sandwich && !calls && !ticket
                           ? options->explanation
                           : NULL,
        .n_tall = chart && options->threads == NULL ? TALL_TRACKS : 0,
    };
    af_carried_profile carried = {
        .profile = profile, .input = input, .clock = clock, .chosen = carried_threads};
    begin_carried(&carried, canvas, options);
    gboolean ok = TRUE;
    if (chart) {
        sheet.chart = af_chart_calls_read(profile, options->highlights, &sheet, NULL, error);
        ok = sheet.chart != NULL;
    } else if (sheet.packed) {
        ok = af_chart_calls_try_packed(profile, &sheet, &sheet.packed_chart, error);
    }
    g_autofree af_startup *startup = NULL;
    if (ok && options->view == AF_VIEW_STARTUP) {
        startup = af_startup_new(profile, error);
        ok = startup != NULL;
        sheet.startup = startup;
        sheet.threads = ok ? &startup->thread : NULL;
        sheet.n_threads = 1;
    }
    g_autoptr(af_arena) names = af_arena_new();
    const af_profile *visible = af_profile_visible(names, profile);
    af_callgraph callgraph = {.width_c = sheet.width_c, .height_c = sheet.height_c};
    if (ok && calls && visible != NULL) {
        ok = af_callgraph_begin(&callgraph, visible, threads, clock, options, messages, error);
        sheet.map = callgraph.map;
        sheet.width_c = ok ? af_callgraph_width_c(&callgraph) : 0;
    }
    af_scene *scene = NULL;
    if (ok) {
        scene = visible != NULL ? compose(visible, &sheet, options, error) : NULL;
        ok = scene != NULL || (visible == NULL && af_memory_error_set(error));
    }
    if (ok && carries_profile(options)) {
        af_scene_attach_later(scene, AF_ATTACHED_PROFILE, take_carried, &carried);
    }
    if (ok) {
        int64_t recorded_s = af_profile_date_s(profile);
        ok = af_drawing_play(scene, canvas, options, sheet.interactive,
                             recorded_s >= 0 ? recorded_s : options->epoch_s, write, user, messages,
                             error) &&
             (!carries_profile(options) || check_carried(&carried, canvas, messages, error));
    }
    af_carried_profile_clear(&carried);
    if (scene != NULL) {
        af_scene_free(scene);
    }
    af_callgraph_end(&callgraph);
    af_chart_free(sheet.chart);
    af_chart_free(sheet.packed_chart);
    return ok;
}

af_thread_times *af_picture_thread_times(const af_profile *profile, af_clock clock)
{
    g_autoptr(af_busy) busy = af_busy_new(profile, clock);
    af_thread_times *times =
        busy == NULL ? NULL : g_try_new(af_thread_times, (gsize)profile->n_threads + 1);
    const uint32_t main = af_profile_find_main(profile);
    for (uint32_t t = 0; times != NULL && t < profile->n_threads; t++) {
        times[t] = (af_thread_times){busy->time_ns[t], busy->wait_ns[t], busy->idle_ns[t],
                                     .is_main = t == main};
    }
    return times;
}

gboolean af_picture_check_content(const af_profile *profile, af_view view, GError **error)
{
    const af_warnings *warnings = &profile->warnings;
    const gboolean has_markers = profile->markers.n_markers > 0;
    const gboolean empty = af_warnings_kind_at(warnings, 0) == AF_WARN_NO_RECORDS &&
                           af_warnings_kind_at(warnings, 1) < 0;
    if (!empty || g_strcmp0(profile->facts.format.name, "perfetto") != 0 ||
        (view == AF_VIEW_CHART && has_markers)) {
        return TRUE;
    }
    g_set_error(
        error, AF_ERROR, AF_ERROR_NOTHING,
        "nothing to draw: this Perfetto trace holds no slices, samples or heaps; %srecord with "
        "ftrace and atrace categories, track_event, linux.perf or android.heapprofd",
        has_markers ? "--view chart draws its counters and instants, or " : "");
    return FALSE;
}

gboolean af_picture_adds_chart(const af_profile *profile)
{
    return af_chart_calls_are_packed(profile);
}

char *af_picture_script_hash(unsigned index)
{
    return index < AF_SCRIPTS ? af_svg_script_hash((af_script)index) : NULL;
}

static gboolean choose_clock(const af_profile *profile, const af_picture_options *options,
                             af_clock *clock, GError **error)
{
    return options->view == AF_VIEW_CHART
               ? af_chart_calls_check(profile, options->clock, clock, error)
               : af_select_clock(profile, options->clock, clock, error);
}

/* NULL with an error. */
static GArray *choose_threads(const af_profile *profile, const af_picture_options *options,
                              af_clock clock, GPtrArray *messages, GError **error)
{
    const gboolean chart = options->view == AF_VIEW_CHART;
    uint32_t n_without = af_profile_n_without(profile, clock);
    GArray *picked =
        options->threads != NULL ? af_select_threads(profile, options->threads, error) : NULL;
    if (picked != NULL && !af_select_clocked(profile, clock, picked, &n_without, error)) {
        g_clear_pointer(&picked, g_array_unref);
    }
    if (options->threads != NULL && picked == NULL) {
        return NULL;
    }
    af_select_report_without(n_without, clock, messages);
    if (picked != NULL && !chart) {
        return picked;
    }
    GArray *threads = chart ? af_sheet_chart_threads(profile, picked, clock)
                            : af_sheet_default_threads(profile, clock);
    if (picked != NULL) {
        g_array_unref(picked);
    }
    if (threads == NULL) {
        af_memory_error_set(error);
    }
    return threads;
}

/* For run_rules(). */
typedef struct {
    const af_explain_options *options;
    af_explanation *made;
} explaining;

static gboolean run_rules(void *user, const af_profile *profile, const af_observer *observer,
                          GError **error)
{
    explaining *e = user;
    e->made = af_explain(profile, e->options, observer, error);
    return e->made != NULL;
}

static void free_calls(void *chart)
{
    af_chart_free(chart);
}

af_explanation *af_explanation_new_for_sheet(const af_profile *profile,
                                             const af_explain_options *options,
                                             const af_picture_options *picture, GError **error)
{
    af_explain_options rules = AF_EXPLAIN_OPTIONS_INIT;
    af_picture_options known;
    af_clock clock;
    if (!af_options_take(&rules, sizeof rules, options, error) ||
        !af_drawing_fill_options(picture, FALSE, &known, error) ||
        !af_drawing_check(&known, error) || !choose_clock(profile, &known, &clock, error)) {
        return NULL;
    }
    g_autoptr(GPtrArray) ignored = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) threads = choose_threads(profile, &known, clock, ignored, error);
    if (threads == NULL) {
        return NULL;
    }
    const af_sheet_options sheet = {.clock = clock,
                                    .threads = (const uint32_t *)(const void *)threads->data,
                                    .n_threads = threads->len,
                                    .width_c = af_drawing_width_c(&known, NULL),
                                    .jobs = known.jobs};
    explaining e = {&rules, NULL};
    g_autoptr(af_chart) chart = NULL;
    gboolean ok =
        af_ticket_read_along(profile, &sheet, &(af_chart_walk){run_rules, &e}, &chart, error);
    if (ok && e.made == NULL) {
        e.made = af_explain(profile, &rules, NULL, error);
        ok = e.made != NULL;
    }
    if (ok) {
        e.made->calls = g_steal_pointer(&chart);
        e.made->free_calls = free_calls;
    } else {
        g_clear_pointer(&e.made, af_explanation_free);
    }
    return e.made;
}

/* Gives a sheet findings if it has none; *made is to be freed. */
static gboolean explain(const af_profile *profile, af_picture_options *options,
                        af_explanation **made, GError **error)
{
    if (options->view == AF_VIEW_SHEET && options->explanation == NULL) {
        *made = af_explanation_new_for_sheet(profile, NULL, options, error);
        options->explanation = *made;
        return *made != NULL;
    }
    return TRUE;
}

/* Draws with checked options into any canvas. */
static gboolean play(const void *subject, const af_canvas_class *canvas,
                     const af_picture_options *known, af_write_func write, void *user,
                     GPtrArray *messages, GError **error)
{
    const af_profile *profile = subject;
    af_clock clock;
    if (!af_drawing_check(known, error) || !choose_clock(profile, known, &clock, error)) {
        return FALSE;
    }
    GArray *threads = choose_threads(profile, known, clock, messages, error);
    uint32_t method = AF_NO_LABEL;
    gboolean ok = threads != NULL && af_select_check_left(profile, threads, error);
    if (ok && known->view == AF_VIEW_SANDWICH) {
        ok = af_sandwich_choose(profile, known->method, clock, threads, known->threads != NULL,
                                &method, messages, error);
    }
    ok = ok && draw(profile, canvas, known, clock, threads, method, write, user, messages, error);
    g_clear_pointer(&threads, g_array_unref);
    return ok;
}

bool af_picture_write(const af_profile *profile, const char *format,
                      const af_picture_options *options, af_write_func write, void *user,
                      char ***messages, GError **error)
{
    af_picture_options known;
    const af_canvas_class *canvas = af_drawing_fill_options(options, FALSE, &known, error)
                                        ? af_drawing_choose_canvas(format, &known, error)
                                        : NULL;
    g_autoptr(af_explanation) made = NULL;
    af_messages_give(NULL, messages);
    return canvas != NULL && explain(profile, &known, &made, error) &&
           af_byte_limit_draw(play, profile, canvas, &known, write, user, messages, error);
}

bool af_picture_draw(const af_profile *profile, const af_picture_options *options, cairo_t *cr,
                     double *width, double *height, char ***messages, GError **error)
{
    af_picture_options known;
    if (!af_drawing_fill_options(options, FALSE, &known, error)) {
        return FALSE;
    }
    known.data = AF_DATA_NONE;
    af_surface_target target = {.cr = cr};
    g_autoptr(af_explanation) made = NULL;
    af_messages_give(NULL, messages);
    const gboolean ok = explain(profile, &known, &made, error) &&
                        af_byte_limit_draw(play, profile, &af_canvas_surface, &known, NULL, &target,
                                           messages, error);
    if (width != NULL) {
        *width = target.width;
    }
    if (height != NULL) {
        *height = target.height;
    }
    return ok;
}
