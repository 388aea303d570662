#include "model/select.h"

#include <string.h>
#include "base/memory_error.h"
#include "base/nearest.h"
#include "base/order.h"
#include "model/pattern.h"

/* The selected threads so far: in order, without duplicates. */
typedef struct {
    const af_profile *profile;
    GArray *picked; /* uint32_t */
    guint8 *taken;  /* a byte per thread */
} picking;

static void pick(picking *p, uint32_t thread)
{
    if (p->taken[thread] == 0) {
        p->taken[thread] = 1;
        g_array_append_val(p->picked, thread);
    }
}

/* Adds all threads with the id: threads of several processes may share one. */
static gboolean pick_id(picking *p, const char *text)
{
    guint64 id;
    if (!g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &id, NULL)) {
        return FALSE;
    }
    gboolean any = FALSE;
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        if (p->profile->threads[t].id == id) {
            pick(p, t);
            any = TRUE;
        }
    }
    return any;
}

/* By name, adds every thread that has it; by title ("Binder:7_1 [23]"), the only one. */
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

/* Adds every thread whose name or title matches the pattern. */
static gboolean pick_pattern(picking *p, const char *text, GError **error)
{
    af_pattern *pattern = af_pattern_new(text, error);
    if (pattern == NULL) {
        return FALSE;
    }
    gboolean any = FALSE;
    for (uint32_t t = 0; t < p->profile->n_threads; t++) {
        const af_thread *thread = &p->profile->threads[t];
        if (af_pattern_matches(pattern, thread->title) ||
            af_pattern_matches(pattern, thread->name)) {
            pick(p, t);
            any = TRUE;
        }
    }
    af_pattern_free(pattern);
    if (!any) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "no thread with records matches %s", text);
    }
    return any;
}

/* The closest word to a misspelt one. */
typedef struct {
    const char *typed;
    unsigned least;
    char *nearest;
} guess;

static void consider(guess *g, const char *begin, size_t length)
{
    char *word = g_strndup(begin, length);
    const unsigned distance = af_nearest_distance(g->typed, word);
    if (distance < g->least) {
        g->least = distance;
        g_free(g->nearest);
        g->nearest = word;
    } else {
        g_free(word);
    }
}

/* "; did you mean "main"?" after a message; empty if no word is close. */
static char *suggest(const guess *g)
{
    return g->nearest != NULL ? g_strdup_printf("; did you mean \"%s\"?", g->nearest)
                              : g_strdup("");
}

static void refuse_name(const af_profile *profile, const char *text, GError **error)
{
    guess g = {text, UINT_MAX, NULL};
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        consider(&g, profile->threads[t].name, strlen(profile->threads[t].name));
    }
    g_autofree char *suggestion = suggest(&g);
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "no thread with records has the name or id \"%s\"%s", text, suggestion);
    g_free(g.nearest);
}

/* Handles selectors other than plain names: "/re/", "=exact", a glob. */
static gboolean is_pattern(const char *text)
{
    const size_t length = strlen(text);
    return (text[0] == '/' && length > 2 &&
            (text[length - 1] == '/' || g_str_has_suffix(text, "/i"))) ||
           (text[0] == '=' && length > 1) || strchr(text, '*') != NULL;
}

static gboolean pick_selector(picking *p, const char *text, GError **error)
{
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
    if (pick_id(p, text) || pick_name(p, text)) {
        return TRUE;
    }
    if (is_pattern(text)) {
        return pick_pattern(p, text, error);
    }
    /* an unknown number is an error, not a part of a name */
    const gboolean is_number = strspn(text, "0123456789") == strlen(text);
    if (!is_number && pick_pattern(p, text, NULL)) {
        return TRUE;
    }
    refuse_name(p->profile, text, error);
    return FALSE;
}

/* Adds all threads except those that match the selector after "!". */
static gboolean pick_others(picking *p, const char *text, GError **error)
{
    const af_profile *profile = p->profile;
    picking meant = {profile, g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     g_malloc0((gsize)profile->n_threads + 1)};
    gboolean any = FALSE;
    if (pick_selector(&meant, text + 1, error)) {
        for (uint32_t t = 0; t < profile->n_threads; t++) {
            if (meant.taken[t] == 0) {
                pick(p, t);
                any = TRUE;
            }
        }
        if (!any) {
            g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "no thread with records matches %s", text);
        }
    }
    g_free(meant.taken);
    g_array_unref(meant.picked);
    return any;
}

static gboolean pick_any(picking *p, const char *text, GError **error)
{
    if (!g_utf8_validate(text, -1, NULL)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "the thread's name is not UTF-8");
        return FALSE;
    }
    return text[0] == '!' && text[1] != '\0' && !pick_name(p, text) ? pick_others(p, text, error)
                                                                    : pick_selector(p, text, error);
}

GArray *af_select_threads(const af_profile *profile, const char *const *selectors, GError **error)
{
    picking p = {profile, g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                 g_malloc0((gsize)profile->n_threads + 1)};
    for (; *selectors != NULL; selectors++) {
        if (!pick_any(&p, *selectors, error)) {
            g_array_unref(p.picked);
            p.picked = NULL;
            break;
        }
    }
    g_free(p.taken);
    return p.picked;
}

GArray *af_select_threads_sorted(const af_profile *profile, const char *const *selectors,
                                 GError **error)
{
    static const char *const all[] = {"all", NULL};
    GArray *threads = af_select_threads(profile, selectors != NULL ? selectors : all, error);
    if (threads != NULL) {
        g_array_sort(threads, af_order_u32);
    }
    return threads;
}

guint8 *af_select_thread_flags(const af_profile *profile, const char *const *selectors,
                               GError **error)
{
    g_autoptr(GArray) threads = af_select_threads(profile, selectors, error);
    guint8 *flags = threads == NULL ? NULL : g_malloc0((gsize)profile->n_threads + 1);
    for (guint i = 0; flags != NULL && i < threads->len; i++) {
        flags[g_array_index(threads, uint32_t, i)] = 1;
    }
    return flags;
}

gboolean af_select_check_left(const af_profile *profile, const GArray *picked, GError **error)
{
    gboolean left = profile->n_steps == 0;
    for (guint i = 0; i < picked->len && !left; i++) {
        left = profile->threads[g_array_index(picked, uint32_t, i)].tree->n > 1;
    }
    if (!left) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "nothing is left in %s after %s",
                    picked->len == 1 ? profile->threads[g_array_index(picked, uint32_t, 0)].title
                                     : "the selected threads",
                    profile->steps[profile->n_steps - 1].option);
    }
    return left;
}

static gboolean has_any(const af_profile *profile, const GArray *picked, af_clock clock)
{
    gboolean any = picked->len == 0 && af_profile_has(profile, clock);
    for (guint i = 0; i < picked->len && !any; i++) {
        any = af_thread_has(profile, g_array_index(picked, uint32_t, i), clock);
    }
    return any;
}

unsigned af_select_clocks(const af_profile *profile, const GArray *picked)
{
    unsigned clocks = 0;
    for (unsigned c = AF_WALL; c <= AF_WAIT; c++) {
        clocks |= (has_any(profile, picked, (af_clock)c) ? 1u : 0u) << c;
    }
    return clocks;
}

/* Returns the missing clock of a thread that lacks `clock`. */
static const char *name_lacking(af_clock clock)
{
    return clock == AF_WALL ? "wall" : "CPU";
}

gboolean af_select_clocked(const af_profile *profile, af_clock clock, GArray *picked,
                           uint32_t *n_without, GError **error)
{
    const guint n = picked->len;
    guint left = 0;
    for (guint i = 0; i < n; i++) {
        const uint32_t thread = g_array_index(picked, uint32_t, i);
        if (af_thread_has(profile, thread, clock)) {
            g_array_index(picked, uint32_t, left++) = thread;
        }
    }
    if (n > 0 && left == 0) {
        const char *title = profile->threads[g_array_index(picked, uint32_t, 0)].title;
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s %s no %s times; other threads have them",
                    n == 1 ? title : "the selected threads", n == 1 ? "has" : "have",
                    name_lacking(clock));
        return FALSE;
    }
    g_array_set_size(picked, left);
    if (n_without != NULL) {
        *n_without = n - left;
    }
    return TRUE;
}

void af_select_report_without(uint32_t n, af_clock clock, GPtrArray *messages)
{
    if (n > 0 && messages != NULL) {
        g_ptr_array_add(messages, g_strdup_printf("%u thread%s without %s times %s left out", n,
                                                  n == 1 ? "" : "s", name_lacking(clock),
                                                  n == 1 ? "is" : "are"));
    }
}

/* Considers the whole label and its ends that start after a dot; then the same for its class. */
static void consider_label(guess *g, const af_label *label)
{
    const size_t lengths[] = {label->length, label->class_length};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths) && lengths[i] > 0; i++) {
        size_t begin = lengths[i];
        for (unsigned parts = 0; begin > 0 && parts < 2; begin--) {
            if (label->text[begin - 1] == '.') {
                consider(g, label->text + begin, lengths[i] - begin);
                parts++;
            }
        }
        consider(g, label->text, lengths[i]);
    }
}

static void refuse_labels(const af_profile *profile, const af_pattern *pattern, GError **error)
{
    guess g = {af_pattern_word(pattern), UINT_MAX, NULL};
    if (error == NULL) {
        return;
    }
    for (uint32_t l = 0; g.typed != NULL && l < profile->n_labels; l++) {
        consider_label(&g, &profile->labels[l]);
    }
    g_autofree char *suggestion = suggest(&g);
    g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "no method matches \"%s\"%s",
                af_pattern_text(pattern), suggestion);
    g_free(g.nearest);
}

guint8 *af_select_labels(const af_profile *profile, const char *text, GError **error)
{
    g_autoptr(af_pattern) pattern = af_pattern_new(text, error);
    if (pattern == NULL) {
        return NULL;
    }
    guint8 *matches = g_malloc((size_t)profile->n_labels + 1);
    gboolean any = FALSE;
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        matches[l] = (guint8)af_pattern_matches(pattern, profile->labels[l].text);
        any = any || matches[l] != 0;
    }
    if (!any) {
        refuse_labels(profile, pattern, error);
        g_free(matches);
        matches = NULL;
    }
    return matches;
}

gboolean af_select_clock(const af_profile *profile, af_clock wanted, af_clock *clock,
                         GError **error)
{
    if (wanted == AF_CLOCK_DEFAULT) {
        *clock =
            af_profile_has(profile, AF_CPU) && !af_profile_has(profile, AF_WALL) ? AF_CPU : AF_WALL;
        return TRUE;
    }
    if (wanted != AF_WALL && wanted != AF_CPU && wanted != AF_WAIT) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "invalid clock: %d", (int)wanted);
        return FALSE;
    }
    if (!af_profile_has_clocks(profile)) {
        g_set_error(
            error, AF_ERROR, AF_ERROR_USAGE, "the clock cannot be selected: the input %s %s",
            profile->facts.weights.unit.counted ? "counts" : "has times of an unknown clock in",
            profile->facts.weights.unit.name);
        return FALSE;
    }
    if (!af_profile_has(profile, wanted)) {
        const gboolean by_cpu = af_profile_has(profile, AF_CPU);
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    wanted == AF_WAIT ? "waiting needs both clocks; the trace has no %s times"
                    : by_cpu          ? "the trace has no %s times, only CPU times"
                                      : "the trace has no %s times, only wall times",
                    by_cpu ? "wall" : "CPU");
        return FALSE;
    }
    for (uint32_t t = 0; wanted == AF_WAIT && t < profile->n_threads; t++) {
        if (af_thread_has(profile, t, AF_WAIT) &&
            af_tree_widths(profile->threads[t].tree, AF_WAIT) == NULL) {
            return af_memory_error_set(error);
        }
    }
    *clock = wanted;
    return TRUE;
}
