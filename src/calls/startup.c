#include "calls/startup.h"

#include <stdlib.h>

#include "base/memory_error.h"
#include "calls/profile_walk.h"

static const struct {
    const char *title;
    gboolean inside;
    af_name names[5];
} kinds[AF_STARTUP_PHASES] = {
    [AF_STARTUP_LAUNCH] = {"launch", FALSE, {{"", "launching: *"}, {NULL, NULL}}},
    [AF_STARTUP_BIND] = {"bindApplication",
                         FALSE,
                         {{"android.app.ActivityThread", "handleBindApplication"},
                          {"", "bindApplication"},
                          {NULL, NULL}}},
    [AF_STARTUP_PROVIDERS] = {"content providers",
                              TRUE,
                              {{"android.app.ActivityThread", "installContentProviders"},
                               {NULL, NULL}}},
    [AF_STARTUP_PROVIDER] = {"slowest provider",
                             TRUE,
                             {{"android.content.ContentProvider", "attachInfo"}, {NULL, NULL}}},
    [AF_STARTUP_APPLICATION] = {"Application.onCreate",
                                TRUE,
                                {{"android.app.Instrumentation", "callApplicationOnCreate"},
                                 {NULL, NULL}}},
    [AF_STARTUP_CREATE] = {"creating the activity",
                           FALSE,
                           {{"android.app.ActivityThread", "handleLaunchActivity"},
                            {"", "activityStart"},
                            {"", "performCreate:*"},
                            {NULL, NULL}}},
    [AF_STARTUP_RESUME] = {"resuming it",
                           FALSE,
                           {{"android.app.ActivityThread", "handleResumeActivity"},
                            {"", "activityResume"},
                            {NULL, NULL}}},
    [AF_STARTUP_FRAME] = {"first frame",
                          FALSE,
                          {{"android.view.Choreographer", "doFrame"},
                           {"", "Choreographer#doFrame*"},
                           {NULL, NULL}}},
};

const char *af_startup_title(af_startup_kind kind)
{
    return kinds[kind].title;
}

const af_name *af_startup_names(af_startup_kind kind)
{
    return kinds[kind].names;
}

gboolean af_startup_is_inside(af_startup_kind kind)
{
    return kinds[kind].inside;
}

typedef enum { NOT_BEGUN, OPEN, ENDED } progress;

typedef struct {
    af_startup_phase phase;
    progress progress;
    uint32_t depth;
} open_phase;

typedef struct {
    const af_profile *profile;
    guint8 *is_main; /* by thread: whether it is the main thread of its process */
    guint8 *kind_of; /* by label: af_startup_kind; AF_STARTUP_PHASES = none */
    open_phase phases[AF_STARTUP_PHASES];
    open_phase provider; /* that may become the slowest */
    uint32_t main;       /* AF_NO_NODE = not known yet */
    uint64_t app_ns;     /* of the main thread so far */
    uint64_t last_ns;
    gboolean in_app; /* its innermost call is one of the app's methods */
} finding;

static gboolean is_begun(const finding *f, af_startup_kind kind)
{
    return f->phases[kind].progress != NOT_BEGUN;
}

/* Whether a call begins a phase now. */
static gboolean is_next(const finding *f, af_startup_kind kind, const af_call_event *edge)
{
    const gboolean is_main = edge->thread == f->main;
    switch (kind) {
    case AF_STARTUP_LAUNCH: /* the last one before the app begins; its process may be another */
        return !is_begun(f, AF_STARTUP_BIND) && !is_begun(f, AF_STARTUP_CREATE);
    case AF_STARTUP_BIND:
        return f->main == AF_NO_NODE && f->is_main[edge->thread];
    case AF_STARTUP_CREATE:
        return !is_begun(f, kind) &&
               (is_main || (f->main == AF_NO_NODE && f->is_main[edge->thread]));
    case AF_STARTUP_RESUME:
    case AF_STARTUP_FRAME:
        return !is_begun(f, kind) && is_main && is_begun(f, AF_STARTUP_CREATE);
    default:
        return !is_begun(f, kind) && is_main && f->phases[AF_STARTUP_BIND].progress == OPEN;
    }
}

static void begin_phase(finding *f, open_phase *to, af_startup_kind kind, const af_call_event *edge)
{
    const uint64_t ns = edge->time_ns[AF_WALL];
    *to = (open_phase){{kind, edge->thread, edge->label, ns, ns, f->app_ns}, OPEN, edge->depth};
}

static gboolean end_phase(const finding *f, open_phase *open, const af_call_event *edge)
{
    if (open->progress != OPEN || open->phase.thread != edge->thread ||
        open->depth != edge->depth) {
        return FALSE;
    }
    open->progress = ENDED;
    open->phase.end_ns = edge->time_ns[AF_WALL];
    open->phase.app_ns = f->app_ns - open->phase.app_ns;
    return TRUE;
}

/* The time up to an edge of the main thread belongs to its innermost call. */
static void advance(finding *f, const af_call_event *edge, uint32_t innermost)
{
    if (edge->thread == f->main) {
        f->app_ns += f->in_app ? edge->time_ns[AF_WALL] - f->last_ns : 0;
        f->last_ns = edge->time_ns[AF_WALL];
        f->in_app = innermost < f->profile->n_labels &&
                    f->profile->labels[innermost].category == AF_CATEGORY_APP;
    }
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    finding *f = user;
    const guint8 kind = f->kind_of[edge->label];
    advance(f, edge, edge->label);
    if (edge->caller < f->profile->n_labels && f->kind_of[edge->caller] == AF_STARTUP_PROVIDER &&
        f->phases[AF_STARTUP_PROVIDERS].progress == OPEN && edge->thread == f->main &&
        f->provider.progress != OPEN) {
        begin_phase(f, &f->provider, AF_STARTUP_PROVIDER, edge);
    }
    if (kind < AF_STARTUP_PHASES && kind != AF_STARTUP_PROVIDER &&
        is_next(f, (af_startup_kind)kind, edge)) {
        if (kind == AF_STARTUP_BIND || (kind == AF_STARTUP_CREATE && f->main == AF_NO_NODE)) {
            f->main = edge->thread;
            advance(f, edge, edge->label);
        }
        begin_phase(f, &f->phases[kind], (af_startup_kind)kind, edge);
    }
    return TRUE;
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    finding *f = user;
    open_phase *slowest = &f->phases[AF_STARTUP_PROVIDER];
    advance(f, edge, edge->caller);
    for (unsigned k = 0; k < AF_STARTUP_PHASES; k++) {
        end_phase(f, &f->phases[k], edge);
    }
    if (end_phase(f, &f->provider, edge) &&
        (slowest->progress == NOT_BEGUN || f->provider.phase.end_ns - f->provider.phase.begin_ns >
                                               slowest->phase.end_ns - slowest->phase.begin_ns)) {
        *slowest = f->provider;
    }
    return TRUE;
}

static int compare_begins(const void *a, const void *b)
{
    const af_startup_phase *x = a, *y = b;
    return x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1)
                                      : (x->kind > y->kind) - (x->kind < y->kind);
}

/* A launch of another app ends before this one begins. */
static gboolean is_own(const finding *f, const af_startup_phase *phase)
{
    return phase->kind != AF_STARTUP_LAUNCH ||
           phase->end_ns >
               f->phases[is_begun(f, AF_STARTUP_BIND) ? AF_STARTUP_BIND : AF_STARTUP_CREATE]
                   .phase.begin_ns;
}

static af_startup *collect(const finding *f, GError **error)
{
    if (f->main == AF_NO_NODE) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_NOTHING,
                            "no app starts in this trace: neither bindApplication nor the creation "
                            "of an activity was recorded");
        return NULL;
    }
    af_startup *startup = g_new0(af_startup, 1);
    startup->thread = f->main;
    startup->from_ns = UINT64_MAX;
    for (unsigned k = 0; k < AF_STARTUP_PHASES; k++) {
        const af_startup_phase *phase = &f->phases[k].phase;
        if (f->phases[k].progress == ENDED && is_own(f, phase)) {
            startup->phases[startup->n++] = *phase;
            startup->from_ns = MIN(startup->from_ns, phase->begin_ns);
            startup->to_ns = MAX(startup->to_ns, phase->end_ns);
            startup->has_app |= phase->app_ns > 0;
        }
    }
    qsort(startup->phases, startup->n, sizeof *startup->phases, compare_begins);
    return startup;
}

static gboolean check(const af_profile *profile, GError **error)
{
    if (!af_profile_check_calls(profile, "the phases of a start need", error)) {
        return FALSE;
    }
    if (!af_profile_has(profile, AF_WALL)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the phases of a start need wall times, which the input lacks");
        return FALSE;
    }
    return TRUE;
}

static void mark_main_threads(finding *f)
{
    const af_profile *profile = f->profile;
    const uint32_t main = af_profile_find_main(profile);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_thread *thread = &profile->threads[t];
        f->is_main[t] =
            thread->process < profile->n_processes
                ? g_ascii_strtoull(profile->processes[thread->process].id, NULL, 10) == thread->id
                : t == main;
    }
}

static void sort_labels(finding *f)
{
    const af_profile *profile = f->profile;
    for (uint32_t l = 0; l < profile->n_labels; l++) {
        guint8 kind = 0;
        while (kind < AF_STARTUP_PHASES &&
               !af_label_is_named(profile, &profile->labels[l], kinds[kind].names)) {
            kind++;
        }
        f->kind_of[l] = kind;
    }
}

af_startup *af_startup_new(const af_profile *profile, GError **error)
{
    const af_call_walk_options options = AF_CALL_WALK_OPTIONS_INIT;
    finding f = {.profile = profile, .main = AF_NO_NODE};
    const af_observer observer = {enter_call, leave_call, NULL, &f, NULL};
    af_startup *startup = NULL;
    if (!check(profile, error)) {
        return NULL;
    }
    f.kind_of = g_try_malloc((gsize)profile->n_labels + 1);
    f.is_main = g_try_malloc((gsize)profile->n_threads + 1);
    if (f.kind_of == NULL || f.is_main == NULL) {
        af_memory_error_set(error);
    } else {
        sort_labels(&f);
        mark_main_threads(&f);
        startup =
            af_profile_walk(profile, &observer, NULL, &options, error) ? collect(&f, error) : NULL;
    }
    g_free(f.is_main);
    g_free(f.kind_of);
    return startup;
}
