#include "model/visible.h"

#include <string.h>
#include "base/utf8.h"

static const char replacement[] = "\357\277\275"; /* U+FFFD */

/* The first bidi control, or NULL. */
static const char *find_control(const char *text)
{
    for (; (text = strpbrk(text, "\xD8\xE2")) != NULL; text++) {
        if (af_utf8_bidi_control(text) > 0) {
            return text;
        }
    }
    return NULL;
}

const char *af_visible_text(af_arena *arena, const char *text)
{
    if (text == NULL || find_control(text) == NULL) {
        return text;
    }
    g_autoptr(GString) visible = g_string_new(NULL);
    const char *control;
    while ((control = find_control(text)) != NULL) {
        g_string_append_len(visible, text, control - text);
        g_string_append(visible, replacement);
        text = control + af_utf8_bidi_control(control);
    }
    g_string_append(visible, text);
    return af_arena_copy(arena, visible->str, visible->len);
}

size_t af_visible_offset(const char *text, size_t at)
{
    size_t offset = at;
    for (const char *c = text; (c = find_control(c)) != NULL && c < text + at; c++) {
        offset += strlen(replacement) - af_utf8_bidi_control(c);
    }
    return offset;
}

static const af_method *show_methods(af_arena *arena, const af_profile *profile)
{
    af_method *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_methods + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_methods; i++) {
        to[i] = profile->methods[i];
        for (unsigned k = 0; k < AF_METHOD_TEXTS; k++) {
            to[i].texts[k] = af_visible_text(arena, to[i].texts[k]);
        }
    }
    return to;
}

static const af_label *show_labels(af_arena *arena, const af_profile *profile)
{
    af_label *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_labels + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_labels; i++) {
        const af_label *from = &profile->labels[i];
        to[i] = *from;
        to[i].text = af_visible_text(arena, from->text);
        if (to[i].text != from->text && to[i].text != NULL) {
            to[i].length = (uint32_t)strlen(to[i].text);
            to[i].class_length = (uint32_t)af_visible_offset(from->text, from->class_length);
            to[i].method_at = (uint32_t)af_visible_offset(from->text, from->method_at);
        }
    }
    return to;
}

static const af_thread *show_threads(af_arena *arena, const af_profile *profile)
{
    af_thread *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_threads + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_threads; i++) {
        to[i] = profile->threads[i];
        to[i].name = af_visible_text(arena, to[i].name);
        to[i].title = af_visible_text(arena, to[i].title);
    }
    return to;
}

static const af_profile_process *show_processes(af_arena *arena, const af_profile *profile)
{
    af_profile_process *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_processes + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_processes; i++) {
        to[i] = (af_profile_process){af_visible_text(arena, profile->processes[i].id),
                                     af_visible_text(arena, profile->processes[i].name)};
    }
    return to;
}

static const af_group *show_groups(af_arena *arena, const af_profile *profile)
{
    af_group *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_groups + 1));
    for (uint32_t i = 0; to != NULL && i < profile->n_groups; i++) {
        to[i] = profile->groups[i];
        to[i].title = af_visible_text(arena, to[i].title);
    }
    return to;
}

static const af_marker_series *show_series(af_arena *arena, const af_markers *markers)
{
    af_marker_series *to = af_arena_alloc(arena, sizeof *to * ((size_t)markers->n_series + 1));
    for (uint32_t i = 0; to != NULL && i < markers->n_series; i++) {
        to[i] = markers->series[i];
        to[i].name = af_visible_text(arena, to[i].name);
    }
    return to;
}

static const af_timeline_frame *show_frames(af_arena *arena, const af_frame_timeline *timeline)
{
    af_timeline_frame *to = af_arena_alloc(arena, sizeof *to * (timeline->n + 1));
    for (size_t i = 0; to != NULL && i < timeline->n; i++) {
        to[i] = timeline->frames[i];
        to[i].layer = af_visible_text(arena, to[i].layer);
    }
    return to;
}

static const af_step_record *show_steps(af_arena *arena, const af_profile *profile)
{
    af_step_record *to = af_arena_alloc(arena, sizeof *to * ((size_t)profile->n_steps + 1));
    for (unsigned i = 0; to != NULL && i < profile->n_steps; i++) {
        to[i] = profile->steps[i];
        to[i].option = af_visible_text(arena, to[i].option);
        to[i].message = af_visible_text(arena, to[i].message);
    }
    return to;
}

const af_profile *af_profile_visible(af_arena *arena, const af_profile *profile)
{
    if (!profile->facts.has_bidi) {
        return profile;
    }
    af_profile *visible = af_arena_alloc(arena, sizeof *visible);
    if (visible == NULL) {
        return NULL;
    }
    *visible = *profile;
    visible->methods = (af_method *)show_methods(arena, profile);
    visible->labels = (af_label *)show_labels(arena, profile);
    visible->threads = (af_thread *)show_threads(arena, profile);
    visible->processes = show_processes(arena, profile);
    visible->groups = show_groups(arena, profile);
    visible->markers.series = show_series(arena, &profile->markers);
    visible->timeline.frames = show_frames(arena, &profile->timeline);
    visible->steps = show_steps(arena, profile);
    visible->app = af_visible_text(arena, profile->app);
    visible->facts.app = af_visible_text(arena, visible->facts.app);
    visible->facts.android.vm = af_visible_text(arena, visible->facts.android.vm);
    visible->facts.format.producer = af_visible_text(arena, visible->facts.format.producer);
    visible->facts.weights.event = af_visible_text(arena, visible->facts.weights.event);
    visible->facts.weights.unit.name = af_visible_text(arena, visible->facts.weights.unit.name);
    visible->facts.saved.version = af_visible_text(arena, visible->facts.saved.version);
    visible->facts.saved.input = af_visible_text(arena, visible->facts.saved.input);
    visible->facts.saved.carrier_file = af_visible_text(arena, visible->facts.saved.carrier_file);
    return af_arena_failed(arena) ? NULL : visible;
}
