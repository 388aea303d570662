/* Steps that remove frames: with their time (focus, ignore, root), or leaving it to their callers
 * (hide, max-depth, shorter-than). */
#include "transform/step.h"
#include "base/memory_error.h"

/* ---- removal that leaves time to the callers ---- */

static uint64_t plan_hide(const af_tree *tree, af_plan *plan, const void *user)
{
    const guint8 *matches = user;
    uint64_t hidden = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean hide = matches[tree->label[n]] != 0;
        plan->parent[n] = plan->into[tree->parent[n]];
        plan->into[n] = hide ? plan->parent[n] : n;
        hidden += hide;
    }
    return hidden;
}

static uint64_t plan_limit(const af_tree *tree, af_plan *plan, const void *user)
{
    const uint64_t *most = user;
    uint64_t cut = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean deeper = tree->depth[n] > *most;
        plan->into[n] = deeper ? plan->into[tree->parent[n]] : n;
        cut += deeper;
    }
    return cut;
}

typedef struct {
    uint64_t ns;
    unsigned clock;
} limit;

static uint64_t plan_drop_shorter(const af_tree *tree, af_plan *plan, const void *user)
{
    const limit *least = user;
    const gboolean known = af_tree_has(tree, (af_clock)least->clock);
    uint64_t dropped = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        /* An upper bound for the longest call of a node: no call is longer than all of them
         * together. */
        const gboolean drop = known && (af_tree_lacks_call_times(tree, n, least->clock)
                                            ? tree->inclusive[least->clock][n]
                                            : tree->max[least->clock][n]) < least->ns;
        plan->parent[n] = plan->into[tree->parent[n]];
        plan->into[n] = drop ? plan->parent[n] : n;
        dropped += drop;
    }
    return dropped;
}

/* The position of a node relative to matching frames. */
enum { ABOVE = 1, INSIDE = 2 };

static uint64_t mark_paths(const af_tree *tree, const guint8 *matches, guint8 *marks)
{
    uint64_t matched = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean hit = matches[tree->label[n]] != 0;
        marks[n] = hit || (marks[tree->parent[n]] & INSIDE) != 0 ? INSIDE : 0;
        matched += hit;
    }
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        if (marks[n] != 0) {
            marks[tree->parent[n]] |= ABOVE;
        }
    }
    return matched;
}

/* Uses the plan's own bytes as marks until they get their meaning. */
static uint64_t plan_focus(const af_tree *tree, af_plan *plan, const void *user)
{
    guint8 *marks = plan->emptied;
    const uint64_t matched = mark_paths(tree, user, marks);
    for (uint32_t n = 1; n < tree->n; n++) {
        plan->into[n] = marks[n] != 0 ? n : AF_NO_NODE;
        marks[n] = (marks[n] & INSIDE) == 0;
    }
    return matched;
}

static uint64_t plan_root(const af_tree *tree, af_plan *plan, const void *user)
{
    const guint8 *matches = user;
    uint64_t matched = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t above = plan->into[tree->parent[n]];
        const gboolean inside = above != 0 && above != AF_NO_NODE;
        const gboolean hit = matches[tree->label[n]] != 0;
        plan->into[n] = inside || hit ? n : AF_NO_NODE;
        plan->parent[n] = inside ? tree->parent[n] : 0;
        matched += hit;
    }
    return matched;
}

/* Whether a node has lost all of its time. A frame that never had time stays. */
static gboolean is_spent(const af_tree *tree, uint64_t *const left[AF_CLOCKS], uint32_t n)
{
    gboolean lost = FALSE, has = FALSE;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] != NULL) {
            lost = lost || left[c][n] < tree->inclusive[c][n];
            has = has || left[c][n] > 0;
        }
    }
    return lost && !has;
}

/* Also removes callers that have lost everything. */
static void plan_spent(const af_tree *tree, af_plan *plan, uint64_t *const left[AF_CLOCKS])
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        for (uint32_t n = tree->n - 1; tree->self[c] != NULL && n > 0; n--) {
            if (plan->into[n] == n) {
                left[c][n] += tree->self[c][n];
                left[c][tree->parent[n]] += left[c][n];
            }
        }
    }
    for (uint32_t n = 1; n < tree->n; n++) {
        if (plan->into[tree->parent[n]] == AF_NO_NODE || is_spent(tree, left, n)) {
            plan->into[n] = AF_NO_NODE;
        }
    }
}

typedef struct {
    const guint8 *matches;
    uint64_t *left[AF_CLOCKS]; /* capacity for the largest tree */
} ignoring;

static uint64_t plan_ignore(const af_tree *tree, af_plan *plan, const void *user)
{
    const ignoring *i = user;
    uint64_t matched = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const gboolean hit = i->matches[tree->label[n]] != 0;
        plan->into[n] = hit ? AF_NO_NODE : n;
        if (plan->into[tree->parent[n]] == AF_NO_NODE) {
            plan->into[n] = AF_NO_NODE;
        }
        matched += hit;
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        for (uint32_t n = 0; n < tree->n; n++) {
            i->left[c][n] = 0;
        }
    }
    plan_spent(tree, plan, i->left);
    return matched;
}

static gboolean drop_paths(af_working_copy *draft, const af_step *step, GError **error)
{
    g_autofree guint8 *matches = af_working_copy_match(draft, step->text, error);
    if (matches == NULL) {
        return FALSE;
    }
    const uint32_t n = af_working_copy_largest(draft);
    ignoring i = {matches, {g_try_new(uint64_t, n), g_try_new(uint64_t, n)}};
    const gboolean ok = i.left[0] != NULL && i.left[1] != NULL
                            ? af_working_copy_replan(draft, plan_ignore, NULL, &i, error)
                            : af_memory_error_set(error);
    g_free(i.left[0]);
    g_free(i.left[1]);
    return ok;
}

static gboolean drop_shorter(af_working_copy *draft, const af_step *step, GError **error)
{
    const af_unit *unit = &draft->made->facts.weights.unit;
    if (unit->counted) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "--shorter-than is about time, and the input counts %s", unit->name);
        return FALSE;
    }
    const limit least = {step->number, (unsigned)step->clock};
    return af_working_copy_replan(draft, plan_drop_shorter, NULL, &least, error);
}

/* A node and its descendants, which follow each other in a tree. */
typedef struct {
    uint32_t first, end;
} branch;

static uint64_t plan_branch(const af_tree *tree, af_plan *plan, const void *user)
{
    const branch *b = user;
    for (uint32_t n = 1; n < tree->n; n++) {
        plan->into[n] = n >= b->first && n < b->end ? n : AF_NO_NODE;
    }
    if (b->first < b->end) {
        plan->parent[b->first] = 0;
    }
    return b->end - b->first;
}

gboolean af_working_copy_keep_below(af_working_copy *draft, uint32_t thread, uint32_t node,
                                    GError **error)
{
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        const af_tree *tree = draft->made->threads[t].tree;
        branch b = {0, 0};
        if (t == thread) {
            b.first = node;
            b.end = node + 1;
            while (b.end < tree->n && tree->depth[b.end] > tree->depth[node]) {
                b.end++;
            }
        }
        if (!af_working_copy_replan_thread(draft, t, plan_branch, NULL, &b)) {
            return af_memory_error_set(error);
        }
    }
    return TRUE;
}

const af_step_class af_step_focus = {
    "focus",
    "Only paths through these methods",
    "Keep only paths through these methods, with their callers as context.\n"
    "Time outside is left out.",
    AF_STEP_PATTERN,
    .shows_matches = TRUE,
    .plan = plan_focus};

const af_step_class af_step_within = {"within",
                                      "Only time inside calls of these, as --focus",
                                      "Keep only time inside calls of these methods.\n"
                                      "In a call tree this is the same as --focus.",
                                      AF_STEP_PATTERN,
                                      .shows_matches = TRUE,
                                      .plan = plan_focus};

const af_step_class af_step_ignore = {"ignore", "No paths through these methods",
                                      "Remove all paths through these methods, with their time.",
                                      AF_STEP_PATTERN, .run = drop_paths};

const af_step_class af_step_root = {
    "root",
    "Make these methods the roots",
    "Make these methods the roots: keep each one and what it called, from its\n"
    "outermost frame.\n"
    "Time outside is left out.",
    AF_STEP_PATTERN,
    .shows_matches = TRUE,
    .plan = plan_root};

const af_step_class af_step_hide = {
    "hide", "Drop these frames; their time goes to callers",
    "Remove the frames of these methods.\n"
    "Their time goes to the caller; without a caller it is left out.",
    AF_STEP_PATTERN, .plan = plan_hide};

const af_step_class af_step_max_depth = {"max-depth", "Drop deeper frames; time goes to callers",
                                         "Remove frames deeper than N.\n"
                                         "Their time goes to the caller.",
                                         AF_STEP_DEPTH, .plan = plan_limit};

const af_step_class af_step_shorter_than = {
    "shorter-than", "Drop frames whose calls are all shorter (1.5ms)",
    "Remove frames whose calls all took less than this on the displayed clock.\n"
    "Their time goes to the caller; without a caller it is left out.",
    AF_STEP_TIME, .run = drop_shorter};
