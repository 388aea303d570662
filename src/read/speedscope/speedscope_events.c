#include "read/speedscope/speedscope.h"

#include <string.h>
#include <aflame/error.h>

#include "base/bytes.h"
#include "base/idtable.h"
#include "base/own_trace.h"
#include "base/wide.h"
#include "read/count_unit.h"
#include "base/pull.h"
#include "read/slices.h"

#define NO_NODE UINT32_MAX

/* A path of methods, for weighted begins and ends. */
typedef struct {
    uint32_t caller; /* NO_NODE = none; otherwise less than the number of this node */
    uint32_t method;
    uint64_t weight;
    gboolean any;   /* this node or one below it has a weight */
    uint32_t stack; /* of the sink */
} node;

typedef struct {
    uint32_t method;
    uint32_t node;
} call;

typedef struct {
    af_speedscope *file;
    af_clock clock; /* of weights that are times */
    af_sink *sink;
    af_slices *slices; /* NULL = everything becomes weighted stacks */
    uint64_t scale;    /* the weight of 1 in the file; 0 = the digits of the unit determine it */
    gboolean fractions;
    uint32_t thread;
    af_array open;         /* of call */
    af_array n_open;       /* of uint32_t, by method */
    int64_t now, first_ns; /* first_ns: of all stacks, or 0 */
    af_idtable nodes;      /* of node, by caller << 32 | method */
    af_array stack;        /* of uint32_t: methods */
} player;

/* Returns FALSE if it is not a number or does not fit. */
static gboolean read_figure(af_span text, unsigned digits, int64_t *value)
{
    return text.length > 0 && af_pull_scaled(text, (int)digits, value) &&
           *value <= AF_SLICES_MOST_NS && *value >= -AF_SLICES_MOST_NS;
}

/* The same for a number of a profile, which may be NULL. */
static gboolean read_member(const char *text, unsigned digits, int64_t *value)
{
    return text != NULL && read_figure(af_span_of(text), digits, value);
}

static gboolean take_figure(const uint8_t **at, unsigned digits, int64_t *value)
{
    const af_span text = {(const char *)*at + 1, **at};
    *at += 1 + text.length;
    return read_figure(text, digits, value);
}

/* Returns the sink's number of a frame; an undefined frame is named by its index. UINT32_MAX if
 * memory is refused. */
static uint32_t method_of(player *p, uint32_t frame)
{
    const uint64_t id = (uint64_t)frame << AF_ACTION_BITS;
    const uint32_t method = af_sink_method(p->sink, id);
    if (method != UINT32_MAX && !af_sink_is_defined(p->sink, method)) {
        char name[32];
        const int length = g_snprintf(name, sizeof name, "0x%x [unknown]", frame);
        const af_method_text text = {.name = {name, (size_t)length}, .line = -1, .whole = TRUE};
        af_sink_define_method(p->sink, id, &text, FALSE);
        af_sink_warn(p->sink, AF_WARN_UNKNOWN_METHOD, 1, AF_NO_OFFSET);
    }
    return method;
}

static gboolean is_stopped(const player *p)
{
    return af_sink_is_stopped(p->sink);
}

static void refuse(player *p)
{
    af_sink_fail(p->sink);
}

static uint64_t weigh(player *p, int64_t value)
{
    if (p->scale == 0) {
        return (uint64_t)value;
    }
    p->fractions |= value % AF_COUNTS_SCALE != 0;
    const af_u128 weight =
        ((af_u128)(uint64_t)value * p->scale + AF_COUNTS_SCALE / 2) / AF_COUNTS_SCALE;
    return (uint64_t)MIN(weight, (af_u128)AF_SLICES_MOST_NS);
}

static void give_stack(player *p, uint64_t weight)
{
    if (p->stack.n > 0 && weight > 0) {
        af_sample sample = {.thread = p->thread,
                            .methods = p->stack.items,
                            .n = p->stack.n,
                            .time_ns = (uint64_t)(p->now - p->first_ns),
                            .offset = AF_NO_OFFSET};
        sample.weight[p->clock] = weight;
        af_sink_sample(p->sink, &sample);
    }
}

static void push_method(player *p, uint32_t method)
{
    if (method != UINT32_MAX) {
        af_array_append(&p->stack, &method);
    }
}

static uint32_t find_node(player *p, uint32_t caller, uint32_t method)
{
    return af_idtable_number(&p->nodes, (uint64_t)caller << 32 | method,
                             &(node){.caller = caller, .method = method});
}

static void mark_weighted(player *p)
{
    node *nodes = p->nodes.items.items;
    for (size_t i = p->nodes.items.n; i-- > 0;) {
        nodes[i].any |= nodes[i].weight > 0;
        if (nodes[i].any && nodes[i].caller != NO_NODE) {
            nodes[nodes[i].caller].any = TRUE;
        }
    }
}

/* These samples have no time. */
static void give_nodes(player *p)
{
    node *nodes = p->nodes.items.items;
    mark_weighted(p);
    for (size_t i = 0; i < p->nodes.items.n && !is_stopped(p); i++) {
        node *n = &nodes[i];
        if (!n->any) {
            continue;
        }
        n->stack = af_sink_stack(p->sink, p->thread,
                                 n->caller == NO_NODE ? AF_SINK_NO_STACK : nodes[n->caller].stack,
                                 n->method);
        if (n->stack == AF_SINK_NO_STACK) {
            break; /* memory was refused, or is at its limit */
        }
        af_sample sample = {.thread = p->thread, .stack = n->stack, .offset = AF_NO_OFFSET};
        sample.weight[p->clock] = n->weight;
        if (n->weight > 0) {
            af_sink_sample(p->sink, &sample);
        }
    }
    af_idtable_clear(&p->nodes);
}

static const call *get_top(const player *p)
{
    return p->open.n > 0 ? &AF_ARRAY_AT(&p->open, call, p->open.n - 1) : NULL;
}

/* Accounts the time until `now`. */
static void pass_time(player *p, int64_t now)
{
    const call *top = get_top(p);
    if (p->slices == NULL && top != NULL) {
        uint64_t *weight = &AF_ARRAY_AT(&p->nodes.items, node, top->node).weight;
        *weight = MIN(*weight + weigh(p, now - p->now), (uint64_t)INT64_MAX);
    }
    p->now = now;
}

static uint32_t *open_of(player *p, uint32_t method)
{
    return af_array_reach(&p->n_open, (size_t)method + 1)
               ? &AF_ARRAY_AT(&p->n_open, uint32_t, method)
               : NULL;
}

static void enter(player *p, uint32_t method)
{
    uint32_t *n_open = open_of(p, method);
    const call *top = get_top(p);
    call mine = {method, NO_NODE};
    if (p->slices != NULL) {
        af_slices_begin(p->slices, p->thread, method, p->now, AF_NO_CPU);
    } else {
        mine.node = find_node(p, top != NULL ? top->node : NO_NODE, method);
    }
    if (n_open != NULL && (p->slices != NULL || mine.node != NO_NODE) &&
        af_array_append(&p->open, &mine)) {
        (*n_open)++;
    }
}

static void leave(player *p)
{
    const uint32_t method = get_top(p)->method;
    p->open.n--;
    AF_ARRAY_AT(&p->n_open, uint32_t, method)--;
    if (p->slices != NULL) {
        af_slices_end(p->slices, p->thread, AF_NO_METHOD, p->now, AF_NO_CPU);
    }
}

static void leave_method(player *p, uint32_t method)
{
    const uint32_t *n_open = open_of(p, method);
    if (n_open == NULL || *n_open == 0) {
        af_sink_warn(p->sink, AF_WARN_UNMATCHED_EXIT, 1, AF_NO_OFFSET);
        return;
    }
    while (get_top(p)->method != method) {
        af_sink_warn(p->sink, AF_WARN_MISSING_EXIT, 1, AF_NO_OFFSET);
        leave(p);
    }
    leave(p);
}

static void play_edges(player *p, const af_speedscope_profile *profile)
{
    const uint8_t *at = p->file->edges.spool->bytes + profile->edges_at;
    int64_t ns, end;
    p->now = -AF_SLICES_MOST_NS;
    for (uint64_t i = 0; i < profile->n_edges && !is_stopped(p); i++) {
        const uint8_t type = *at++;
        const uint32_t method = method_of(p, (uint32_t)af_uleb128_take(&at));
        if (!take_figure(&at, profile->digits, &ns)) {
            af_sink_warn(p->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
            continue;
        }
        if (ns < p->now) {
            af_sink_warn(p->sink, AF_WARN_BACKWARD_STEP, 1, AF_NO_OFFSET);
            ns = p->now;
        }
        if (method == UINT32_MAX) {
            refuse(p);
            break;
        }
        pass_time(p, ns);
        if (type == 'O') {
            enter(p, method);
        } else {
            leave_method(p, method);
        }
    }
    if (p->open.n > 0 && read_member(profile->end, profile->digits, &end) && end > p->now) {
        pass_time(p, end);
    }
    while (p->open.n > 0) {
        leave(p);
    }
    give_nodes(p);
}

static void play_stacks(player *p, const af_speedscope_profile *profile)
{
    const uint8_t *at = p->file->stacks.spool->bytes + profile->stacks_at;
    const uint8_t *weights = p->file->weights.spool->bytes + profile->weights_at;
    const uint64_t n = MIN(profile->n_stacks, profile->n_weights);
    const uint64_t without = MAX(profile->n_stacks, profile->n_weights) - n;
    int64_t weight;
    if (!read_member(profile->start, profile->digits, &p->now)) {
        p->now = 0;
    }
    for (uint64_t i = 0; i < n && !is_stopped(p); i++) {
        p->stack.n = 0;
        for (uint32_t frame; (frame = (uint32_t)af_uleb128_take(&at)) != 0 && !is_stopped(p);) {
            push_method(p, method_of(p, frame - 1));
        }
        if (!take_figure(&weights, profile->digits, &weight)) {
            af_sink_warn(p->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        } else if (weight < 0) {
            af_sink_warn(p->sink, AF_WARN_NEGATIVE_LENGTH, 1, AF_NO_OFFSET);
        } else {
            if (p->slices == NULL) {
                give_stack(p, weigh(p, weight));
            } else {
                /* Changes from the open calls to the stack. */
                const uint32_t *methods = p->stack.items;
                size_t common = 0;
                while (common < p->stack.n && common < p->open.n &&
                       AF_ARRAY_AT(&p->open, call, common).method == methods[common]) {
                    common++;
                }
                while (p->open.n > common) {
                    leave(p);
                }
                for (size_t k = common; k < p->stack.n && !is_stopped(p); k++) {
                    enter(p, methods[k]);
                }
            }
            p->now += weight;
            if (p->now > AF_SLICES_MOST_NS) {
                af_sink_warn(p->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
                p->now = AF_SLICES_MOST_NS;
            }
        }
    }
    while (p->open.n > 0) {
        leave(p);
    }
    if (without > 0) {
        af_sink_warn(p->sink, AF_WARN_NO_WEIGHT, without, AF_NO_OFFSET);
    }
}

static gboolean is_empty(const af_speedscope_profile *profile)
{
    return (profile->sampled ? MIN(profile->n_stacks, profile->n_weights) : profile->n_edges) == 0;
}

/* Finds the unit of all profiles to be read, and whether any of these has calls. Returns FALSE if
 * all profiles are empty. */
static gboolean choose_measure(const af_speedscope *s, af_measure *measure, gboolean *calls)
{
    gboolean any = FALSE;
    *calls = FALSE;
    for (size_t i = 0; i < s->profiles.n; i++) {
        const af_speedscope_profile *profile = &AF_ARRAY_AT(&s->profiles, af_speedscope_profile, i);
        if (!any && !is_empty(profile)) {
            any = TRUE;
            *measure = profile->measure;
        }
        if (any && !is_empty(profile) && profile->measure == *measure) {
            *calls |= !profile->sampled;
        }
    }
    *calls &= *measure == AF_MEASURE_TIME;
    return any;
}

/* Stacks in a unit of time follow each other on the time axis; others have no time. */
static void start_weighing(player *p, af_measure measure)
{
    const gboolean timed = measure == AF_MEASURE_TIME;
    af_unit unit = {.name = "ns"};
    /* Returns the earliest start of a profile, if it is negative, otherwise 0. */
    int64_t first_ns = 0, start_ns;
    for (size_t i = 0; i < p->file->profiles.n; i++) {
        const af_speedscope_profile *profile =
            &AF_ARRAY_AT(&p->file->profiles, af_speedscope_profile, i);
        if (read_member(profile->start, profile->digits, &start_ns)) {
            first_ns = MIN(first_ns, start_ns);
        }
    }
    p->first_ns = first_ns;
    if (measure == AF_MEASURE_NONE) {
        unit = af_count_unit(p->file->unit, &p->scale);
    } else if (measure == AF_MEASURE_BYTES) {
        unit = (af_unit){.name = "bytes", .counted = TRUE, .digits = 3};
        p->scale = AF_COUNTS_SCALE;
    }
    p->clock = timed && (p->file->facts & AF_TRACE_CPU) != 0 ? AF_CPU : AF_WALL;
    af_sink_start_samples(p->sink, &unit, 1u << p->clock,
                          timed ? AF_SAMPLES_LASTING : AF_SAMPLES_UNTIMED);
}

static void play_profiles(player *p, af_measure measure)
{
    af_sink *sink = p->sink;
    uint64_t others = 0;
    for (size_t i = 0; i < p->file->profiles.n && !is_stopped(p); i++) {
        const af_speedscope_profile *profile =
            &AF_ARRAY_AT(&p->file->profiles, af_speedscope_profile, i);
        if (is_empty(profile) || profile->measure != measure) {
            others += !is_empty(profile);
            continue;
        }
        p->thread = af_sink_thread(sink, i + 1);
        if (p->thread == UINT32_MAX) {
            return;
        }
        /* Describes the thread with its own name, or as the only one. */
        const char *name = profile->name != NULL ? profile->name : "";
        if (p->file->profiles.n == 1 && (*name == '\0' || g_strcmp0(name, p->file->title) == 0)) {
            name = "all";
            af_sink_facts(p->sink)->threadless = TRUE;
        }
        af_sink_describe_thread(p->sink, p->thread, name, strlen(name), TRUE, FALSE);
        if (profile->sampled) {
            af_sink_lack_calls(sink, p->thread);
            play_stacks(p, profile);
        } else {
            play_edges(p, profile);
        }
    }
    if (others > 0) {
        af_sink_warn(sink, AF_WARN_OTHER_UNIT, others, AF_NO_OFFSET);
    }
}

gboolean af_speedscope_play(af_speedscope *speedscope, GError **error)
{
    player p = {.file = speedscope, .sink = speedscope->sink};
    af_measure measure = AF_MEASURE_NONE;
    gboolean calls, ok = TRUE;
    if (!choose_measure(speedscope, &measure, &calls) && !is_stopped(&p)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "empty trace: none of its profiles contains a call or a stack");
        return FALSE;
    }
    af_meter *const meter = af_sink_meter(p.sink);
    af_array_init_metered(&p.open, sizeof(call), meter);
    af_array_init_metered(&p.n_open, sizeof(uint32_t), meter);
    af_idtable_init(&p.nodes, sizeof(node), meter);
    af_array_init_metered(&p.stack, sizeof(uint32_t), meter);
    if (calls) {
        p.slices = af_slices_new(p.sink);
    } else {
        start_weighing(&p, measure);
    }
    play_profiles(&p, measure);
    if (calls) {
        af_slices_set_facts(p.slices, speedscope->facts);
        ok = af_slices_finish(p.slices, AF_RECORDED_CALLS, error);
        af_slices_free(p.slices);
    } else if (af_sink_facts(p.sink)->weights.unit.counted && !p.fractions) {
        af_sink_divide_weights(p.sink, AF_COUNTS_SCALE);
        af_sink_facts(p.sink)->weights.unit.digits = 0;
    }
    af_idtable_clear(&p.nodes);
    AF_ARRAYS_CLEAR(&p.open, &p.n_open, &p.stack);
    return ok;
}
