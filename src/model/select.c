#include "model/select.h"

#include <string.h>
#include "base/nearest.h"

/* The picked threads so far: in order, each once. */
typedef struct {
    const af_profile *profile;
    GArray *picked; /* uint32_t */
    guint8 *taken;  /* one for each thread */
} picking;

static void pick(picking *p, uint32_t thread)
{
    if (p->taken[thread] == 0) {
        p->taken[thread] = 1;
        g_array_append_val(p->picked, thread);
    }
}

static gboolean pick_id(picking *p, const char *text)
{
    guint64 id;
    if (!g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &id, NULL)) {
        return FALSE;
    }
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        if (p->profile->threads[t].id == id) {
            pick(p, t);
            return TRUE;
        }
    }
    return FALSE;
}

/* By name every thread that has it; by title ("Binder:7_1 [23]") the one. */
static gboolean pick_name(picking *p, const char *text)
{
    gboolean any = FALSE;
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        const af_thread *thread = &p->profile->threads[t];
        if (strcmp(thread->name, text) == 0 || strcmp(thread->title, text) == 0) {
            pick(p, t);
            any = TRUE;
        }
    }
    return any;
}

/* The pattern between the slashes of "/pattern/" or "/pattern/i"; NULL if it is neither. */
static char *cut_pattern(const char *text, gboolean *any_case)
{
    size_t length = strlen(text);
    *any_case = length > 2 && text[length - 1] == 'i' && text[length - 2] == '/';
    if (*any_case) {
        length--;
    }
    if (length < 3 || text[0] != '/' || text[length - 1] != '/') {
        return NULL;
    }
    return g_strndup(text + 1, length - 2);
}

static gboolean pick_pattern(picking *p, const char *pattern, gboolean any_case, GError **error)
{
    GError *reason = NULL;
    GRegex *regex =
        g_regex_new(pattern, any_case ? G_REGEX_CASELESS : (GRegexCompileFlags)0, 0, &reason);
    if (regex == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "/%s/ is no regular expression: %s", pattern,
                    reason->message);
        g_error_free(reason);
        return FALSE;
    }
    gboolean any = FALSE;
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        if (g_regex_match(regex, p->profile->threads[t].title, 0, NULL)) {
            pick(p, t);
            any = TRUE;
        }
    }
    g_regex_unref(regex);
    if (!any) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "no thread with records matches /%s/",
                    pattern);
    }
    return any;
}

static void refuse_name(const af_profile *profile, const char *text, GError **error)
{
    const char *nearest = NULL;
    unsigned least = UINT_MAX;
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        unsigned distance = af_nearest_distance(text, profile->threads[t].name);
        if (distance < least) {
            least = distance;
            nearest = profile->threads[t].name;
        }
    }
    if (nearest != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "no thread with records has the name or id \"%s\"; did you mean \"%s\"?", text,
                    nearest);
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "no thread with records has the name or id \"%s\"", text);
    }
}

static gboolean pick_selector(picking *p, const char *text, GError **error)
{
    if (!g_utf8_validate(text, -1, NULL)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "the thread's name is not UTF-8");
        return FALSE;
    }
    if (strcmp(text, "all") == 0) {
        for (uint32_t t = 0; t < p->profile->n_threads; t++) {
            pick(p, t);
        }
        return TRUE;
    }
    if (strcmp(text, "main") == 0 && p->profile->n_threads > 0) {
        pick(p, af_profile_main_thread(p->profile));
        return TRUE;
    }
    gboolean any_case;
    char *pattern = cut_pattern(text, &any_case);
    if (pattern != NULL) {
        gboolean ok = pick_pattern(p, pattern, any_case, error);
        g_free(pattern);
        return ok;
    }
    if (!pick_id(p, text) && !pick_name(p, text)) {
        refuse_name(p->profile, text, error);
        return FALSE;
    }
    return TRUE;
}

GArray *af_select_threads(const af_profile *profile, const char *const *selectors, GError **error)
{
    picking p = {profile, g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                 g_malloc0((gsize)profile->n_threads + 1)};
    for (; *selectors != NULL; selectors++) {
        if (!pick_selector(&p, *selectors, error)) {
            g_array_unref(p.picked);
            p.picked = NULL;
            break;
        }
    }
    g_free(p.taken);
    return p.picked;
}

gboolean af_select_clock(const af_profile *profile, af_clock wanted, af_clock *clock,
                         GError **error)
{
    if (wanted == AF_CLOCK_DEFAULT) {
        *clock =
            af_profile_has(profile, AF_CPU) && !af_profile_has(profile, AF_WALL) ? AF_CPU : AF_WALL;
        return TRUE;
    }
    if (wanted != AF_WALL && wanted != AF_CPU) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "there is no clock number %d", (int)wanted);
        return FALSE;
    }
    if (!af_profile_has(profile, wanted)) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    wanted == AF_WALL ? "the trace has no wall times, only CPU times"
                                      : "the trace has no CPU times, only wall times");
        return FALSE;
    }
    *clock = wanted;
    return TRUE;
}
