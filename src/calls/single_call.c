#include "calls/single_call.h"

#include "base/memory_error.h"
#include "base/number.h"
#include "calls/profile_walk.h"
#include "calls/subprofile.h"

/* Picks one call out of a walk and passes it on inside its callers, which are cut at its start and
 * end, so that steps still see its whole path. */
typedef struct {
    uint64_t number;
    af_call_follower *follower; /* of all calls */
    af_observer follow, grow;   /* its observer; that of the subprofile */
    gboolean inside;            /* the call is open */
    gboolean found;
    uint32_t thread, depth; /* its thread; the number of open calls including it */
    uint64_t begin_ns, end_ns;
    af_call call;
} picking;

static gboolean edge_callers(const picking *p, const af_call_event *edge,
                             bool (*callback)(void *, const af_call_event *, GError **),
                             GError **error)
{
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i + 1 < p->depth; i++) {
        const uint32_t index = callback == p->grow.enter ? i : p->depth - 2 - i;
        af_call_event caller = *edge;
        caller.label = af_call_follower_label_at(p->follower, p->thread, index);
        caller.depth = index;
        caller.end = AF_CALL_RETURNED;
        caller.cut = TRUE;
        ok = callback(p->grow.user, &caller, error);
    }
    return ok;
}

static bool pick_enter(void *user, const af_call_event *edge, GError **error)
{
    picking *p = user;
    if (!p->follow.enter(p->follow.user, edge, error)) {
        return FALSE;
    }
    if (!p->found && af_call_follower_begun(p->follower) == p->number) {
        p->found = p->inside = TRUE;
        p->thread = edge->thread;
        p->depth = af_call_follower_n_open(p->follower, edge->thread);
        p->begin_ns = edge->time_ns[AF_WALL];
        if (!edge_callers(p, edge, p->grow.enter, error)) {
            return FALSE;
        }
    }
    return !p->inside || edge->thread != p->thread || p->grow.enter(p->grow.user, edge, error);
}

static bool pick_leave(void *user, const af_call_event *edge, GError **error)
{
    picking *p = user;
    const gboolean is_inner = p->inside && edge->thread == p->thread;
    if (is_inner && !p->grow.leave(p->grow.user, edge, error)) {
        return FALSE;
    }
    if (is_inner && af_call_follower_n_open(p->follower, edge->thread) == p->depth) {
        p->inside = FALSE;
        p->end_ns = edge->time_ns[AF_WALL];
        if (!edge_callers(p, edge, p->grow.leave, error)) {
            return FALSE;
        }
    }
    return p->follow.leave(p->follow.user, edge, error);
}

static gboolean store_call(void *user, const af_call *call, GError **error)
{
    picking *p = user;
    if (call->number == p->number) {
        p->call = *call;
    }
    return TRUE;
}

/* "call 14 of 212 of com.example.Adapter.onBind, 1203.457 ms to 1299.601 ms of 5.20 s". */
gboolean af_single_call_name(af_profile *made, const af_call_selection *selection,
                             const af_single_call *call)
{
    const uint64_t start_ns = af_profile_start_ns(made), end_ns = made->facts.recording.end_ns;
    const char *method = selection->shown->labels[call->label].text;
    char number[AF_NUMBER_SIZE], count[AF_NUMBER_SIZE], from[AF_NUMBER_SIZE], to[AF_NUMBER_SIZE];
    char all[AF_NUMBER_SIZE];
    g_autofree char *brief = g_strdup_printf("call %s of %s", af_number_count(number, call->number),
                                             af_number_count(count, call->n));
    g_autoptr(GString) full = g_string_new(brief);
    g_string_append_printf(full, " of %s", method);
    if (af_profile_has(made, AF_WALL)) {
        g_string_append_printf(full, ", %s to %s of %s",
                               af_number_ms(from, call->begin_ns - MIN(start_ns, call->begin_ns)),
                               af_number_ms(to, call->end_ns - MIN(start_ns, call->end_ns)),
                               af_number_time(all, end_ns - start_ns));
    }
    return af_profile_name_part(made, full->str, brief);
}

static void refuse_number(uint64_t number, uint64_t n, GError **error)
{
    char text[AF_NUMBER_SIZE], count[AF_NUMBER_SIZE];
    if (n == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_NOTHING,
                            "no matching method is called in the selected part");
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "there is no call %s; the last one is %s",
                    af_number_count(text, number), af_number_count(count, n));
    }
}

af_profile *af_single_call_extract(const af_call_selection *selection, uint64_t number,
                                   const af_call_list_options *options, af_single_call *found,
                                   GError **error)
{
    const af_call_walk_options walk = af_call_list_walk(options);
    picking p = {.number = number};
    const af_observer pick = {pick_enter, pick_leave, NULL, &p, NULL};
    af_profile *made = NULL;
    uint64_t n = 0;
    af_subprofile *subprofile = af_subprofile_new(selection->profile);
    p.follower = af_call_follower_new(selection->profile, &selection->lens, store_call, &p);
    if (subprofile == NULL || p.follower == NULL) {
        af_memory_error_set(error);
    } else {
        p.follow = af_call_follower_observer(p.follower);
        p.grow = af_subprofile_observer(subprofile);
        const gboolean walked = af_profile_walk(selection->profile, &pick, NULL, &walk, error);
        n = af_call_follower_begun(p.follower);
        if (walked && !p.found) {
            refuse_number(number, n, error);
        } else if (walked) {
            made = af_subprofile_finish(subprofile, error);
        }
    }
    af_call_follower_free(p.follower);
    af_subprofile_free(subprofile);
    *found = (af_single_call){number, n, p.call.label, p.depth, p.begin_ns, p.end_ns};
    return made;
}
