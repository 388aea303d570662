#include "finding/groups.h"
#include "finding/inquiry.h"

#include "base/number.h"

#define LEAST_PERCENT 1 /* of the main thread, by all late frames */

static const af_name frames[] = {
    {"android.view.Choreographer", "doFrame"},
    {"", "Choreographer#doFrame*"},
    {NULL, NULL},
};

/* What fills frames, the most precise first. */
static const struct {
    const char *title;
    af_name names[4];
} fillings[] = {
    {"input",
     {{"android.view.ViewRootImpl", "deliverInputEvent"},
      {"", "deliverInputEvent*"},
      {NULL, NULL}}},
    {"animation", {{"android.animation.*", "doAnimationFrame"}, {"", "animation"}, {NULL, NULL}}},
    {"measuring", {{"android.view.ViewRootImpl", "performMeasure"}, {"", "measure"}, {NULL, NULL}}},
    {"layout", {{"android.view.ViewRootImpl", "performLayout"}, {"", "layout"}, {NULL, NULL}}},
    {"drawing",
     {{"android.view.ViewRootImpl", "performDraw"},
      {"", "draw"},
      {"", "Record View#draw()"},
      {NULL, NULL}}},
};

/* The frames of a thread. */
typedef struct {
    uint64_t n, late, late_time, worst[3], time;
    uint32_t node;
} frame_sums;

static void add_call(frame_sums *f, uint64_t time, uint64_t deadline)
{
    f->late += time > deadline ? 1 : 0;
    f->late_time += time > deadline ? time : 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(f->worst); i++) {
        const uint64_t worst = f->worst[i];
        f->worst[i] = MAX(worst, time);
        time = MIN(worst, time);
    }
}

static void prepare(const af_case *c, af_call_sums *sums)
{
    const guint8 *labels = af_labels_named(c, frames);
    for (uint32_t n = labels != NULL ? af_next_outermost(c, labels, 1) : c->tree->n; n < c->tree->n;
         n = af_next_outermost(c, labels, c->end[n])) {
        if (c->tree->calls[n] > 1) {
            af_call_sums_request(sums, c->tree->label[n]);
        }
    }
}

/* Slices have a number in their names, and often a node each. */
static void add_node(const af_case *c, frame_sums *f, uint32_t n, GHashTable *counted)
{
    const uint32_t label = c->tree->label[n];
    const af_call_here *here =
        af_case_sums(c) != NULL ? af_call_sums_here(af_case_sums(c), c->thread, label) : NULL;
    f->node = f->n == 0 || c->time[n] > c->time[f->node] ? n : f->node;
    f->n += c->tree->calls[n];
    f->time += c->time[n];
    if (here == NULL && c->tree->calls[n] == 1) {
        add_call(f, c->time[n], c->inquiry->frame_ns);
    } else if (here != NULL && g_hash_table_add(counted, GUINT_TO_POINTER(label))) {
        uint64_t late = here->late;
        for (unsigned i = 0; i < G_N_ELEMENTS(here->worst); i++) {
            const uint64_t before = f->late_time;
            add_call(f, here->worst[i], c->inquiry->frame_ns);
            late -= f->late_time > before ? 1 : 0;
        }
        /* the late ones after the worst three */
        f->late += late;
        f->late_time = f->late_time < here->late_time ? here->late_time : f->late_time;
    }
}

static void say_filling(const af_case *c, af_candidate *candidate, const guint8 *labels,
                        uint64_t time)
{
    unsigned most = 0;
    uint64_t times[G_N_ELEMENTS(fillings)] = {0};
    for (unsigned i = 0; i < G_N_ELEMENTS(fillings); i++) {
        const guint8 *filling = af_labels_named(c, fillings[i].names);
        for (uint32_t n = af_next_outermost(c, labels, 1); filling != NULL && n < c->tree->n;
             n = af_next_outermost(c, labels, c->end[n])) {
            for (uint32_t in = af_next_outermost(c, filling, n); in < c->end[n];
                 in = af_next_outermost(c, filling, c->end[in])) {
                times[i] += c->time[in];
            }
        }
        most = times[i] > times[most] ? i : most;
    }
    if (times[most] > 0) {
        char share[AF_NUMBER_SIZE];
        af_candidate_say(candidate, "; %s takes %s of all frames", fillings[most].title,
                         af_number_share(share, times[most], time));
    }
}

static void find(const af_case *c, const af_rule *rule)
{
    const guint8 *labels = af_labels_named(c, frames);
    frame_sums f = {.node = AF_NO_NODE};
    if (labels == NULL || !c->counted || !af_profile_has_clocks(c->profile)) {
        return;
    }
    GHashTable *counted = g_hash_table_new(NULL, NULL);
    for (uint32_t n = af_next_outermost(c, labels, 1); n < c->tree->n;
         n = af_next_outermost(c, labels, c->end[n])) {
        add_node(c, &f, n, counted);
    }
    g_hash_table_destroy(counted);
    if (f.late == 0 || !af_case_is_share(c, f.late_time, LEAST_PERCENT)) {
        return;
    }
    char late[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], limit[AF_NUMBER_SIZE], worst[AF_NUMBER_SIZE];
    af_candidate *candidate = af_candidate_add(c, rule, f.node, f.late_time, f.late);
    af_candidate_say(candidate, "%s of %s frames on %s took longer than %s, the worst %s",
                     af_number_count(late, f.late), af_number_count(all, f.n), c->name,
                     af_number_time(limit, c->inquiry->frame_ns),
                     af_number_time(worst, f.worst[0]));
    for (unsigned i = 1; i < MIN(f.late, G_N_ELEMENTS(f.worst)); i++) {
        af_candidate_say(candidate, ", %s", af_number_time(worst, f.worst[i]));
    }
    say_filling(c, candidate, labels, f.time);
}

const af_rule af_rule_slow_frame = {
    .id = "slow-frame",
    .title = "Late frames",
    .about = "frames took longer than 16.7 ms (or --frame-time), together at least 1 % of the main "
             "thread",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .main_only = TRUE,
    .prepare = prepare,
    .find = find,
};
