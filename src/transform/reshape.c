#include "transform/reshape.h"

#include <string.h>

#include "base/memory_error.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "model/pattern.h"
#include "model/select.h"
#include "transform/step.h"

static const char *const orders[] = {"first", "time", "name"};

#define ADDRESS(NAME, name) &af_step_##name,
static const af_step_class *const classes[] = {AF_STEPS(ADDRESS)};

const af_step_class *af_step_class_at(af_step_kind kind)
{
    return (unsigned)kind < G_N_ELEMENTS(classes) ? classes[kind] : NULL;
}

static gboolean check_text(const af_step *step, GError **error)
{
    if (step->text == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "--%s needs a pattern",
                    classes[step->kind]->name);
        return FALSE;
    }
    if (classes[step->kind]->value == AF_STEP_SELECTOR) {
        return TRUE; /* valid names are known only with the threads */
    }
    g_autoptr(af_pattern) pattern = af_pattern_new(step->text, error);
    return pattern != NULL;
}

bool af_step_check(const af_step *step, GError **error)
{
    const af_step_class *class = af_step_class_at(step->kind);
    if (class == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "invalid kind of step: %d", (int)step->kind);
        return FALSE;
    }
    if (class->value == AF_STEP_PATTERN || class->value == AF_STEP_SELECTOR) {
        return check_text(step, error);
    }
    if (class->value == AF_STEP_DEPTH && step->number == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "the minimum depth is 1");
        return FALSE;
    }
    if (class->value == AF_STEP_ORDER && step->number >= G_N_ELEMENTS(orders)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "invalid order of siblings");
        return FALSE;
    }
    return TRUE;
}

/* The step as typed, with any bytes in its text escaped. */
static char *type_option(const af_step *step)
{
    const char *name = classes[step->kind]->name;
    char number[AF_NUMBER_SIZE];
    switch (classes[step->kind]->value) {
    case AF_STEP_SELECTOR:
    case AF_STEP_PATTERN: {
        g_autofree char *quoted = af_shell_quote(step->text);
        return g_strdup_printf("--%s %s", name, quoted);
    }
    case AF_STEP_DEPTH:
        return g_strdup_printf("--%s %" G_GUINT64_FORMAT, name, step->number);
    case AF_STEP_TIME:
        return g_strdup_printf("--%s %s", name, af_number_typed(number, step->number));
    case AF_STEP_ORDER:
        return g_strdup_printf("--%s %s", name, orders[step->number]);
    case AF_STEP_NO_VALUE:
        break;
    }
    return g_strconcat("--", name, NULL);
}

char *af_step_write(const af_step *step)
{
    g_autofree char *option = type_option(step);
    GString *clean = g_string_new(NULL);
    af_utf8_append_clean(clean, option, strlen(option));
    return g_string_free(clean, FALSE);
}

static af_step_value value_of(const af_step *step)
{
    return classes[step->kind]->value;
}

typedef struct {
    af_working_copy draft;
    const af_step *steps;
    size_t n;
    af_step_record *records; /* of all steps; those of earlier runs come first */
    af_step_record *own;     /* the first record of this run; the array has one spare record */
} run;

static gboolean open_records(run *r)
{
    af_profile *made = r->draft.made;
    const unsigned before = made->n_steps;
    r->records = af_arena_alloc(made->arena, sizeof *r->records * (before + r->n + 1));
    if (r->records == NULL) {
        return FALSE;
    }
    if (before > 0) {
        memcpy(r->records, made->steps, sizeof *r->records * before);
    }
    r->own = r->records + before;
    memset(r->own, 0, sizeof *r->own * (r->n + 1));
    for (size_t i = 0; i < r->n; i++) {
        g_autofree char *option = af_step_write(&r->steps[i]);
        r->own[i].option = af_arena_text(made->arena, option);
        r->own[i].sorts = value_of(&r->steps[i]) == AF_STEP_ORDER;
    }
    made->steps = r->records;
    made->n_steps = before + (unsigned)r->n;
    return !af_arena_failed(made->arena);
}

/* Applies all consecutive selections as one. Returns the index of the last of them; the first one
 * has the record. */
static size_t select_threads(run *r, size_t first, GError **error)
{
    size_t end = first;
    while (end < r->n && value_of(&r->steps[end]) == AF_STEP_SELECTOR) {
        end++;
    }
    const char **selectors = g_new0(const char *, end - first + 1);
    for (size_t i = first; i < end; i++) {
        selectors[i - first] = r->steps[i].text;
    }
    const gboolean ok = af_working_copy_select_threads(&r->draft, selectors, error);
    g_free(selectors);
    return ok ? end - 1 : SIZE_MAX;
}

/* Replaces a default clock with a definite one if the step uses a clock. */
static gboolean complete_step(const run *r, size_t i, af_step *step, GError **error)
{
    *step = r->steps[i];
    const af_step_value value = value_of(step);
    if (value == AF_STEP_TIME && step->clock == AF_WAIT) {
        step->clock = AF_WALL; /* the wait of single calls is unknown */
    }
    return (value != AF_STEP_TIME && value != AF_STEP_ORDER) ||
           af_select_clock(r->draft.made, step->clock, &step->clock, error);
}

static gboolean run_plan(af_working_copy *draft, const af_step *step, GError **error)
{
    const af_plan_func plan = classes[step->kind]->plan;
    if (value_of(step) != AF_STEP_PATTERN) {
        return af_working_copy_replan(draft, plan, NULL, &step->number, error);
    }
    g_autofree guint8 *matches = af_working_copy_match(draft, step->text, error);
    return matches != NULL && af_working_copy_replan(draft, plan, NULL, matches, error);
}

/* A step that shows only matching frames fails if nothing matches. */
static gboolean run_step(run *r, const af_step *step, GError **error)
{
    af_step_record *record = r->draft.record;
    const af_step_class *class = classes[step->kind];
    if (!(class->plan != NULL ? run_plan : class->run)(&r->draft, step, error)) {
        return FALSE;
    }
    /* Adds a message to a step that changed nothing, even if its pattern matches some method. */
    if (record->matched == 0 && record->message == NULL && class->value == AF_STEP_PATTERN) {
        record->message =
            class->unmatched != NULL ? class->unmatched : "it matches no remaining frame";
    }
    if (class->shows_matches && record->matched == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "%s: %s", record->option, record->message);
        return FALSE;
    }
    return TRUE;
}

static gboolean run_steps(run *r, GError **error)
{
    for (size_t i = 0; i < r->n; i++) {
        af_step step;
        r->draft.record = &r->own[i];
        if (!complete_step(r, i, &step, error)) {
            return FALSE;
        }
        if (value_of(&step) == AF_STEP_SELECTOR) {
            i = select_threads(r, i, error);
            if (i == SIZE_MAX) {
                return FALSE;
            }
        } else if (value_of(&step) != AF_STEP_ORDER && !run_step(r, &step, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Trees with callers above are sorted by time, since the first calls of their roots mean little. */
static gboolean sort_inverted(run *r, GError **error)
{
    const af_step *inverts = NULL;
    for (size_t i = 0; i < r->n; i++) {
        inverts = r->steps[i].kind == AF_STEP_INVERT_CALLERS ? &r->steps[i] : inverts;
    }
    if (inverts == NULL || !r->draft.made->callers_above) {
        return TRUE;
    }
    af_step step = {.kind = AF_STEP_SORT, .number = AF_SORT_TIME};
    return af_select_clock(r->draft.made, inverts->clock, &step.clock, error) &&
           classes[step.kind]->run(&r->draft, &step, error);
}

/* Applies the last requested order. An unsorted tree has the order of first calls. */
static gboolean run_order(run *r, GError **error)
{
    for (size_t i = r->n; i-- > 0;) {
        af_step step;
        if (value_of(&r->steps[i]) == AF_STEP_ORDER) {
            r->draft.record = &r->own[i];
            return complete_step(r, i, &step, error) &&
                   (step.number == AF_SORT_FIRST ||
                    classes[step.kind]->run(&r->draft, &step, error));
        }
    }
    return sort_inverted(r, error);
}

static gboolean has_frames(const af_profile *profile)
{
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        if (profile->threads[t].tree->n > 1) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean check_left(const run *r, GError **error)
{
    if (has_frames(r->draft.made) || !has_frames(r->draft.made->base)) {
        return TRUE;
    }
    const char *message = NULL;
    for (size_t i = 0; message == NULL && i < r->n; i++) {
        message = r->own[i].message;
    }
    g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "nothing is left after %s%s%s",
                r->own[r->n - 1].option, message != NULL ? "; " : "",
                message != NULL ? message : "");
    return FALSE;
}

static uint64_t nothing_written(const af_tree *tree, af_plan *plan, const void *user)
{
    return 0;
}

/* Copies the trees that still belong to the base, so that a profile owns all its trees. */
static gboolean own_trees(run *r, GError **error)
{
    af_working_copy *draft = &r->draft;
    draft->record = &r->own[r->n];
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        if (draft->owned[t] == 0 &&
            !af_working_copy_replan_thread(draft, t, nothing_written, NULL, NULL)) {
            return af_memory_error_set(error);
        }
    }
    return TRUE;
}

static gboolean finish(run *r, GError **error)
{
    af_working_copy *draft = &r->draft;
    af_profile *made = draft->made;
    if (!own_trees(r, error)) {
        return FALSE;
    }
    /* Sets the calls and depth of a thread from its tree. */
    for (uint32_t t = 0; t < made->n_threads; t++) {
        af_thread *thread = &made->threads[t];
        const af_tree *tree = thread->tree;
        thread->calls = 0;
        thread->max_depth = 0;
        for (uint32_t n = 1; n < tree->n; n++) {
            const gboolean counts = !made->callers_above || tree->depth[n] == 1;
            thread->calls += counts ? tree->calls[n] : 0;
            thread->max_depth = MAX(thread->max_depth, tree->depth[n]);
        }
    }
    af_label *labels = af_arena_alloc(made->arena, sizeof *labels * ((size_t)made->n_labels + 1));
    if (labels == NULL) {
        return af_memory_error_set(error);
    }
    if (made->n_labels > 0) {
        memcpy(labels, made->labels, sizeof *labels * made->n_labels);
    }
    made->labels = labels;
    return TRUE;
}

/* The part to extract: a node of the base and its descendants. */
typedef struct {
    uint32_t thread, node;
} target;

static gboolean run_target(run *r, const target *below, GError **error)
{
    if (below == NULL) {
        return TRUE;
    }
    const af_lineage *lineage = r->draft.lineage;
    const uint32_t thread = lineage->thread[below->thread];
    const uint32_t node =
        thread == AF_NO_NODE ? AF_NO_NODE : lineage->node[below->thread][below->node];
    if (node == AF_NO_NODE) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "%s removed the frame of the call to draw",
                    r->own[r->n - 1].option);
        return FALSE;
    }
    r->draft.record = &r->own[r->n];
    return af_working_copy_keep_below(&r->draft, thread, node, error);
}

static af_profile *reshape(const af_profile *profile, const af_step *steps, size_t n,
                           const target *below, af_lineage **lineage, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (!af_step_check(&steps[i], error)) {
            return NULL;
        }
    }
    run r = {.steps = steps, .n = n};
    const gboolean traced = lineage != NULL || below != NULL;
    gboolean ok = (af_working_copy_open(&r.draft, profile, traced) && open_records(&r)) ||
                  af_memory_error_set(error);
    ok = ok && run_steps(&r, error) && run_target(&r, below, error) && run_order(&r, error) &&
         check_left(&r, error) && finish(&r, error);
    af_profile *made = NULL;
    if (ok) {
        made = r.draft.made;
        r.draft.made = NULL;
        if (lineage != NULL) {
            *lineage = r.draft.lineage;
            r.draft.lineage = NULL;
        }
    }
    af_working_copy_close(&r.draft);
    return made;
}

af_profile *af_reshape_run(const af_profile *profile, const af_step *steps, size_t n,
                           af_lineage **lineage, GError **error)
{
    return reshape(profile, steps, n, NULL, lineage, error);
}

af_profile *af_reshape_below(const af_profile *profile, const af_step *steps, size_t n,
                             uint32_t thread, uint32_t node, GError **error)
{
    const target below = {thread, node};
    return reshape(profile, steps, n, &below, NULL, error);
}

af_profile *af_profile_reshape(const af_profile *profile, const af_step *steps, size_t n,
                               GError **error)
{
    return af_reshape_run(profile, steps, n, NULL, error);
}
