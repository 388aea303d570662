#include "finding/groups.h"
#include "finding/inquiry.h"

#include "base/number.h"
#include "calls/frame_list.h"

#define LEAST_PERCENT 1  /* of the main thread, by all late frames */
#define LEAST_FILLING 20 /* of all frames: what takes less is not the reason */

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
                        uint64_t time, uint64_t n_frames)
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
    if (times[most] > 0 && (double)times[most] * 100 >= (double)time * LEAST_FILLING) {
        char share[AF_NUMBER_SIZE];
        af_candidate_say(candidate, "; %s takes %s of %s", fillings[most].title,
                         af_number_share(share, times[most], time),
                         n_frames == 1 ? "it" : "all frames");
    }
}

/* Late frames of the thread's process that are its own fault. */
typedef struct {
    uint64_t all, n, worst_ns[3];
    GHashTable *longest; /* label -> in how many of them its self time is the longest */
    uint32_t label;      /* the one with the most; AF_NO_LABEL = not known */
} late_frames;

static guint count_longest(const late_frames *late, uint32_t label)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(late->longest, GUINT_TO_POINTER(label)));
}

/* Frames are in order of lateness. */
static void add_frames(const af_case *c, const af_frame_list *list, late_frames *late)
{
    const int64_t pid = (int64_t)c->profile->threads[c->thread].id; /* that of its main thread */
    *late = (late_frames){.longest = g_hash_table_new(NULL, NULL), .label = AF_NO_LABEL};
    for (size_t i = 0; i < list->n; i++) {
        const af_listed_frame *frame = &list->frames[i];
        late->all += frame->pid == pid;
        if (frame->pid != pid || frame->fault != AF_FAULT_APP || frame->late_ns == 0) {
            continue;
        }
        if (late->n < G_N_ELEMENTS(late->worst_ns)) {
            late->worst_ns[late->n] = frame->late_ns;
        }
        late->n++;
        if (frame->n_parts > 0) {
            const uint32_t label = frame->parts[0].label;
            const guint n = count_longest(late, label) + 1;
            g_hash_table_insert(late->longest, GUINT_TO_POINTER(label), GUINT_TO_POINTER(n));
            late->label = late->label == AF_NO_LABEL || n > count_longest(late, late->label)
                              ? label
                              : late->label;
        }
    }
}

static void report_late(const af_case *c, const af_rule *rule, const af_frame_list *list,
                        const late_frames *late)
{
    char n[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], worst[AF_NUMBER_SIZE];
    uint64_t time = 0;
    for (size_t i = 0; i < list->n_spans; i++) {
        const af_frame_span *span = &list->spans[i];
        time += span->is_late && span->thread == c->thread ? span->to_ns - span->from_ns : 0;
    }
    time = MIN(time, c->total);
    if (late->n == 0 || !af_case_is_share(c, time, LEAST_PERCENT)) {
        return;
    }
    af_candidate *candidate = af_candidate_add(c, rule, AF_NO_NODE, time, late->n);
    af_candidate_say(candidate, "%s of %s frames were late by the app's fault, the worst by %s",
                     af_number_count(n, late->n), af_number_count(all, late->all),
                     af_number_time(worst, late->worst_ns[0]));
    for (unsigned i = 1; i < MIN(late->n, G_N_ELEMENTS(late->worst_ns)); i++) {
        af_candidate_say(candidate, ", %s", af_number_time(worst, late->worst_ns[i]));
    }
    if (late->label != AF_NO_LABEL) {
        g_autofree char *name = af_case_name(c, late->label);
        af_candidate_say(candidate, "; %s took longest in %s of them", name,
                         af_number_count(n, count_longest(late, late->label)));
    }
}

/* Frames of timelines. FALSE if the trace has none of the process. The input is read again only to
 * find out what filled late ones. */
static gboolean find_in_timeline(const af_case *c, const af_rule *rule)
{
    af_frame_list *list =
        c->profile->timeline.n > 0 ? af_frame_list_new_timeline(c->profile) : NULL;
    late_frames late = {0};
    if (list != NULL) {
        add_frames(c, list, &late);
        g_hash_table_destroy(late.longest);
    }
    af_frame_list_free(list);
    list = late.n > 0 ? af_frame_list_new(c->profile, 0, NULL) : NULL;
    if (list != NULL) {
        add_frames(c, list, &late);
        report_late(c, rule, list, &late);
        g_hash_table_destroy(late.longest);
    }
    af_frame_list_free(list);
    return late.all > 0;
}

static void find(const af_case *c, const af_rule *rule)
{
    if (find_in_timeline(c, rule)) {
        return;
    }
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
    af_number_time(limit, c->inquiry->frame_ns);
    af_number_time(worst, f.worst[0]);
    if (f.n == 1) {
        af_candidate_say(candidate, "%s drew one frame, in %s, longer than %s", c->name, worst,
                         limit);
    } else {
        af_candidate_say(candidate, "%s of %s frames on %s took longer than %s%s %s",
                         af_number_count(late, f.late), af_number_count(all, f.n), c->name, limit,
                         f.late == 1 ? ":" : ", the worst", worst);
    }
    for (unsigned i = 1; i < MIN(f.late, G_N_ELEMENTS(f.worst)); i++) {
        af_candidate_say(candidate, ", %s", af_number_time(worst, f.worst[i]));
    }
    say_filling(c, candidate, labels, f.time, f.n);
}

const af_rule af_rule_slow_frame = {
    .id = "slow-frame",
    .title = "Late frames",
    .about = "frames that frame timelines call late by the app's fault, otherwise frames that took "
             "longer than 16.7 ms (or --frame-time), together at least 1 % of the main thread",
    .kind = AF_RULE_OVERVIEW,
    .weight = 100,
    .main_only = TRUE,
    .prepare = prepare,
    .find = find,
};
