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

void *af_visible_copy(af_arena *arena, const void *from, size_t n, size_t size, const size_t *texts,
                      size_t n_texts)
{
    char *to = af_arena_alloc(arena, size * (n + 1));
    if (to != NULL && n > 0) {
        memcpy(to, from, size * n);
    }
    for (size_t i = 0; to != NULL && i < n; i++) {
        for (size_t k = 0; k < n_texts; k++) {
            const char **text = (void *)(to + i * size + texts[k]);
            *text = af_visible_text(arena, *text);
        }
    }
    return to;
}

static af_method *show_methods(af_arena *arena, const af_profile *profile)
{
    size_t texts[AF_METHOD_TEXTS];
    for (unsigned k = 0; k < AF_METHOD_TEXTS; k++) {
        texts[k] = offsetof(af_method, texts) + k * sizeof(const char *);
    }
    return AF_VISIBLE_COPY(arena, profile->methods, profile->n_methods, texts);
}

static af_label *show_labels(af_arena *arena, const af_profile *profile)
{
    static const size_t texts[] = {offsetof(af_label, text)};
    af_label *to = AF_VISIBLE_COPY(arena, profile->labels, profile->n_labels, texts);
    for (uint32_t i = 0; to != NULL && i < profile->n_labels; i++) {
        const af_label *from = &profile->labels[i];
        if (to[i].text != from->text && to[i].text != NULL) {
            to[i].length = (uint32_t)strlen(to[i].text);
            to[i].class_length = (uint32_t)af_visible_offset(from->text, from->class_length);
            to[i].method_at = (uint32_t)af_visible_offset(from->text, from->method_at);
        }
    }
    return to;
}

const af_profile *af_profile_visible(af_arena *arena, const af_profile *profile)
{
    static const size_t of_thread[] = {offsetof(af_thread, name), offsetof(af_thread, title)};
    static const size_t of_process[] = {offsetof(af_profile_process, id),
                                        offsetof(af_profile_process, name)};
    static const size_t of_group[] = {offsetof(af_group, title)};
    static const size_t of_series[] = {offsetof(af_marker_series, name)};
    static const size_t of_frame[] = {offsetof(af_timeline_frame, layer)};
    static const size_t of_step[] = {offsetof(af_step_record, option),
                                     offsetof(af_step_record, message)};
    static const size_t of_profile[] = {
        offsetof(af_profile, app),
        offsetof(af_profile, facts.app),
        offsetof(af_profile, facts.android.vm),
        offsetof(af_profile, facts.format.producer),
        offsetof(af_profile, facts.weights.event),
        offsetof(af_profile, facts.weights.unit.name),
        offsetof(af_profile, facts.saved.version),
        offsetof(af_profile, facts.saved.input),
        offsetof(af_profile, facts.saved.carrier_file),
    };
    if (!profile->facts.has_bidi) {
        return profile;
    }
    af_profile *visible = AF_VISIBLE_COPY(arena, profile, 1, of_profile);
    if (visible == NULL) {
        return NULL;
    }
    visible->methods = show_methods(arena, profile);
    visible->labels = show_labels(arena, profile);
    visible->threads = AF_VISIBLE_COPY(arena, profile->threads, profile->n_threads, of_thread);
    visible->processes =
        AF_VISIBLE_COPY(arena, profile->processes, profile->n_processes, of_process);
    visible->groups = AF_VISIBLE_COPY(arena, profile->groups, profile->n_groups, of_group);
    visible->markers.series =
        AF_VISIBLE_COPY(arena, profile->markers.series, profile->markers.n_series, of_series);
    visible->timeline.frames =
        AF_VISIBLE_COPY(arena, profile->timeline.frames, profile->timeline.n, of_frame);
    visible->steps = AF_VISIBLE_COPY(arena, profile->steps, profile->n_steps, of_step);
    return af_arena_failed(arena) ? NULL : visible;
}
