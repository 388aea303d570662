/* The division of costs: files of other programs have no stacks, so the cost of a function with
 * several callers is shared among them in proportion to the calls' inclusive costs, as gprof does.
 */
#include <string.h>

#include "base/wide.h"
#include "read/callgrind/callgrind.h"

/* Lighter paths end, as a fraction of the total. */
#define LIGHTEST 100000u

/* After this many calls on paths, all others end. */
#define MOST_STEPS (UINT64_C(1) << 28)

/* A function on the current path: its next call, and the inclusive cost that belongs to the path. */
typedef struct {
    uint32_t function, next_call;
    uint64_t cost[AF_CLOCKS], left[AF_CLOCKS];
} step;

uint32_t af_callgrind_method(af_callgrind *r, uint32_t number)
{
    af_callgrind_function *f = af_callgrind_function_at(r, number);
    if (f->method == 0) {
        const af_span name = f->name;
        f->method = af_frames_name(&r->frames, name) + 1;
    }
    return f->method - 1;
}

static gboolean push_step(af_callgrind *r, uint32_t number, const uint64_t cost[AF_CLOCKS])
{
    const uint32_t method = af_callgrind_method(r, number);
    step added = {.function = number, .next_call = af_callgrind_function_at(r, number)->first_call};
    memcpy(added.cost, cost, sizeof added.cost);
    memcpy(added.left, cost, sizeof added.left);
    if (!af_array_append(&r->path, &added) || !af_array_append(&r->methods, &method)) {
        return FALSE;
    }
    af_callgrind_function_at(r, number)->open = TRUE;
    return TRUE;
}

static void give(af_callgrind *r, uint32_t thread, const uint64_t weight[AF_CLOCKS], size_t skipped)
{
    if ((weight[AF_WALL] == 0 && weight[AF_CPU] == 0) || r->methods.n <= skipped) {
        return;
    }
    const af_sample sample = {.thread = thread,
                              .methods = (const uint32_t *)r->methods.items + skipped,
                              .n = r->methods.n - skipped,
                              .weight = {weight[AF_WALL], weight[AF_CPU]},
                              .offset = AF_NO_OFFSET};
    af_sink_sample(r->sink, &sample);
}

/* Adds the cost below the innermost step that is too small for a separate path. */
static void leave_out(af_callgrind *r, uint32_t thread, const uint64_t cost[AF_CLOCKS],
                      size_t skipped)
{
    static const af_span name = {"[left out]", 10};
    const uint32_t method = af_frames_name(&r->frames, name);
    if (!af_array_append(&r->methods, &method)) {
        return;
    }
    give(r, thread, cost, skipped);
    r->methods.n--;
    r->n_left_out++;
}

/* Continues with the next call of the innermost function. */
static void descend(af_callgrind *r, uint32_t thread, size_t skipped)
{
    step *top = &AF_ARRAY_AT(&r->path, step, r->path.n - 1);
    const af_callgrind_function *f = af_callgrind_function_at(r, top->function);
    const af_callgrind_call *c = af_callgrind_call_at(r, top->next_call - 1);
    const uint32_t callee = c->callee;
    uint64_t cost[AF_CLOCKS], all = 0;
    gboolean whole = TRUE;
    top->next_call = c->next;
    r->steps++;
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        const af_callgrind_function *to = af_callgrind_function_at(r, callee);
        const uint64_t inclusive = f->self[k] + f->out[k];
        /* The share of `cost` that belongs to `part` of `whole`. */
        cost[k] = MIN(inclusive == 0 || top->cost[k] >= inclusive
                          ? c->cost[k]
                          : (uint64_t)((af_u128)c->cost[k] * top->cost[k] / inclusive),
                      top->left[k]);
        all = MAX(all, cost[k]);
        whole &= cost[k] >= to->self[k] + to->out[k];
    }
    if (all == 0 || af_callgrind_function_at(r, callee)->open) {
        return; /* recursion: the cost stays with the caller */
    }
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        top->left[k] -= cost[k];
    }
    r->n_shared += !whole;
    if (r->steps < MOST_STEPS && (whole || all >= r->lightest)) {
        push_step(r, callee, cost);
    } else {
        leave_out(r, thread, cost, skipped);
    }
}

/* Adds all paths of a root; the first `skipped` functions are not shown. */
static void walk(af_callgrind *r, uint32_t root, uint32_t thread, size_t skipped)
{
    uint64_t cost[AF_CLOCKS];
    for (unsigned k = 0; k < AF_CLOCKS; k++) {
        cost[k] =
            af_callgrind_function_at(r, root)->self[k] + af_callgrind_function_at(r, root)->out[k];
    }
    if (!push_step(r, root, cost)) {
        return;
    }
    while (r->path.n > 0 && !af_sink_is_stopped(r->sink)) {
        step *top = &AF_ARRAY_AT(&r->path, step, r->path.n - 1);
        if (top->next_call != 0) {
            descend(r, thread, skipped);
            continue;
        }
        give(r, thread, top->left, skipped);
        af_callgrind_function_at(r, top->function)->open = FALSE;
        r->path.n--;
        r->methods.n--;
    }
}

/* Marks everything that a root can call, also on paths that are left out. */
static void mark_reached(af_callgrind *r, uint32_t root)
{
    af_array waiting; /* of uint32_t */
    uint32_t *first;
    af_array_init_metered(&waiting, sizeof(uint32_t), af_sink_meter(r->sink));
    if ((first = af_array_add(&waiting, 1)) != NULL) {
        *first = root;
        af_callgrind_function_at(r, root)->done = TRUE;
    }
    while (waiting.n > 0) {
        const uint32_t number = AF_ARRAY_AT(&waiting, uint32_t, --waiting.n);
        for (uint32_t c = af_callgrind_function_at(r, number)->first_call; c != 0;
             c = af_callgrind_call_at(r, c - 1)->next) {
            af_callgrind_function *callee =
                af_callgrind_function_at(r, af_callgrind_call_at(r, c - 1)->callee);
            if (!callee->done &&
                af_array_append(&waiting, &af_callgrind_call_at(r, c - 1)->callee)) {
                callee->done = TRUE;
            }
        }
    }
    af_array_clear(&waiting);
}

/* "[thread NAME]": an export of aflame. */
static gboolean is_thread(af_span name, af_span *of)
{
    if (!af_span_skip(&name, "[thread ") || !af_span_ends(name, "]")) {
        return FALSE;
    }
    *of = (af_span){name.bytes, name.length - 1};
    return TRUE;
}

gboolean af_callgrind_is_thread(const af_callgrind *r, uint32_t root)
{
    af_span name;
    return is_thread(af_callgrind_function_at(r, root)->name, &name);
}

uint32_t af_callgrind_thread(af_callgrind *r, uint32_t root)
{
    af_span name = {"all", 3};
    const gboolean own = is_thread(af_callgrind_function_at(r, root)->name, &name);
    const uint32_t thread = af_sink_thread(r->sink, own ? root + UINT64_C(1) : 0);
    if (thread == UINT32_MAX) {
        af_sink_fail(r->sink);
        return thread;
    }
    af_sink_describe_thread(r->sink, thread, name.bytes, name.length, TRUE, FALSE);
    r->threads |= own && !af_span_is(name, "all");
    return thread;
}

void af_callgrind_divide(af_callgrind *r)
{
    af_array_init_metered(&r->path, sizeof(step), af_sink_meter(r->sink));
    af_array_init_metered(&r->methods, sizeof(uint32_t), af_sink_meter(r->sink));
    for (uint32_t i = 0; i < r->functions.n; i++) {
        for (unsigned k = 0; k < AF_CLOCKS; k++) {
            r->total = MAX(r->total, af_callgrind_function_at(r, i)->self[k] +
                                         af_callgrind_function_at(r, i)->out[k]);
        }
    }
    r->lightest = r->total / LIGHTEST;
    /* first functions that no other one calls, then what only cycles reach */
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < r->functions.n && !af_sink_is_stopped(r->sink); i++) {
            const af_callgrind_function *f = af_callgrind_function_at(r, i);
            if (!f->done && (round > 0 || !f->called)) {
                const uint32_t thread = af_callgrind_thread(r, i);
                if (thread != UINT32_MAX) {
                    mark_reached(r, i);
                    walk(r, i, thread, af_callgrind_is_thread(r, i) ? 1 : 0);
                }
            }
        }
    }
    if (r->n_shared > 0) {
        af_sink_warn(r->sink, AF_WARN_SHARED_COSTS, r->n_shared, AF_NO_OFFSET);
    }
    if (r->n_left_out > 0) {
        af_sink_warn(r->sink, AF_WARN_LIGHT_PATHS, r->n_left_out, AF_NO_OFFSET);
    }
    af_array_clear(&r->path);
    af_array_clear(&r->methods);
}
