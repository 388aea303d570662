/* Whether a method waits for work depends on its callers: `Unsafe.park` is idle below
 * `ThreadPoolExecutor.getTask` and blocked elsewhere. Steps remove callers or turn them around, so
 * the decision is made in the trees that were read, and labels carry it. */
#include "model/waits.h"
#include "transform/working_copy.h"

typedef struct {
    const af_profile *profile;
    const uint8_t *kinds; /* by node */
    uint32_t *idle_of;    /* by label: its idle label; AF_NO_LABEL = none yet */
} marking;

static gboolean needs_mark(const marking *m, const af_tree *tree, uint32_t n)
{
    const af_category category = m->profile->labels[tree->label[n]].category;
    return category != AF_CATEGORY_IDLE && af_waits_are_idle(m->kinds[n], category);
}

static uint64_t plan_marks(const af_tree *tree, af_plan *plan, const void *user)
{
    const marking *m = user;
    for (uint32_t n = 1; n < tree->n; n++) {
        plan->label[n] = needs_mark(m, tree, n) ? m->idle_of[tree->label[n]] : tree->label[n];
    }
    return 0;
}

/* Makes the labels that a tree needs. AF_NO_LABEL if memory is refused, otherwise the number of
 * nodes that get one. */
static uint32_t make_labels(af_working_copy *draft, const marking *m, const af_tree *tree)
{
    uint32_t marked = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t label = tree->label[n];
        if (!needs_mark(m, tree, n)) {
            continue;
        }
        if (m->idle_of[label] == AF_NO_LABEL) {
            af_label idle = m->profile->labels[label];
            idle.category = AF_CATEGORY_IDLE;
            idle.group = 0;
            m->idle_of[label] = af_working_copy_append_label(draft, &idle);
        }
        if (m->idle_of[label] == AF_NO_LABEL) {
            return AF_NO_LABEL;
        }
        marked++;
    }
    return marked;
}

static gboolean mark_thread(af_working_copy *draft, marking *m, uint32_t thread,
                            const uint8_t *of_labels)
{
    const af_tree *tree = m->profile->threads[thread].tree;
    af_step_record unused = {.matched = 0};
    af_waits_of_nodes waits;
    if (!af_waits_begin(&waits, m->profile, thread, tree, of_labels)) {
        return FALSE;
    }
    m->kinds = waits.kind;
    const uint32_t marked = make_labels(draft, m, tree);
    draft->record = &unused;
    const gboolean ok =
        marked != AF_NO_LABEL &&
        (marked == 0 || af_working_copy_replan_thread(draft, thread, plan_marks, NULL, m));
    draft->record = NULL;
    af_waits_end(&waits);
    return ok;
}

gboolean af_working_copy_mark_idle(af_working_copy *draft)
{
    const af_profile *base = draft->made->base;
    marking m = {.profile = base, .idle_of = g_try_new(uint32_t, (gsize)base->n_labels + 1)};
    uint8_t *of_labels = af_waits_of_labels(base);
    gboolean ok = m.idle_of != NULL && of_labels != NULL;
    for (uint32_t l = 0; ok && l < base->n_labels; l++) {
        m.idle_of[l] = AF_NO_LABEL;
    }
    for (uint32_t t = 0; ok && t < base->n_threads; t++) {
        ok = mark_thread(draft, &m, t, of_labels);
    }
    g_free(m.idle_of);
    g_free(of_labels);
    return ok;
}
