#include "read/perfetto/perfetto.h"

#include <stdlib.h>

/* The most clocks of one snapshot, and of steps between two clocks. */
#define MOST_CLOCKS 64u
#define MOST_STEPS  4u
#define MOST_SETS   64u

typedef struct {
    uint64_t key;
    gboolean is_incremental;
    gboolean went_back; /* its time cannot be converted any more */
    int64_t unit_ns;
    int64_t running_ns; /* of an incremental one */
} clock_state;

/* Snapshots of the same clocks. */
typedef struct {
    unsigned n;
    uint32_t clocks[MOST_CLOCKS]; /* numbers, in ascending order */
    af_array values;              /* of int64_t: n for each snapshot */
} clock_set;

/* The last step that was computed: valid for times in a range until the next snapshot. */
typedef struct {
    gboolean known;
    uint64_t key;
    int64_t from, to, delta;
} recent_step;

struct af_perfetto_clocks {
    af_sink *sink;
    af_idtable clocks; /* of clock_state, by key */
    af_array sets;     /* of clock_set */
    gboolean has_trace_clock, has_converted;
    uint64_t trace_clock;   /* its key */
    uint64_t default_clock; /* 0 = none */
    gboolean has_date;
    int64_t date_ns, date_at_ns;
    recent_step recent;
};

af_perfetto_clocks *af_perfetto_clocks_new(af_sink *sink)
{
    af_perfetto_clocks *c = g_new0(af_perfetto_clocks, 1);
    af_meter *const meter = af_sink_meter(sink);
    c->sink = sink;
    af_idtable_init(&c->clocks, sizeof(clock_state), meter);
    af_array_init_metered(&c->sets, sizeof(clock_set), meter);
    return c;
}

void af_perfetto_clocks_free(af_perfetto_clocks *c)
{
    if (c != NULL) {
        for (size_t i = 0; i < c->sets.n; i++) {
            af_array_clear(&AF_ARRAY_AT(&c->sets, clock_set, i).values);
        }
        af_idtable_clear(&c->clocks);
        af_array_clear(&c->sets);
        g_free(c);
    }
}

uint64_t af_perfetto_clock_key(uint64_t clock, uint32_t sequence)
{
    return clock >= 64 && clock < 128 ? (uint64_t)sequence << 32 | clock : clock & 0xFFFFFFFF;
}

uint64_t af_perfetto_clocks_default(const af_perfetto_clocks *c)
{
    return c->default_clock;
}

static clock_state *clock_at(const af_perfetto_clocks *c, uint32_t number)
{
    return &AF_ARRAY_AT(&c->clocks.items, clock_state, number);
}

static uint32_t number_clock(af_perfetto_clocks *c, uint64_t key)
{
    return af_idtable_number(&c->clocks, key, &(clock_state){.key = key, .unit_ns = 1});
}

typedef struct {
    uint64_t key;
    int64_t value; /* in ns */
    int64_t unit_ns;
    uint32_t number;
    gboolean is_incremental;
} reading;

static gboolean parse_reading(const af_protobuf *field, uint32_t sequence, reading *r)
{
    af_protobuf f[5];
    const gboolean intact = af_protobuf_values(field, f, G_N_ELEMENTS(f));
    const uint64_t id = f[1].number, value = f[2].number, incremental = f[3].number;
    const uint64_t unit = f[4].number == 0 ? 1 : f[4].number;
    if (!intact || id == 0 || unit > 1000000000 || value > (uint64_t)(INT64_MAX / 4) / unit) {
        return FALSE;
    }
    *r = (reading){.key = af_perfetto_clock_key(id, sequence),
                   .value = (int64_t)(value * unit),
                   .is_incremental = incremental != 0,
                   .unit_ns = (int64_t)unit};
    return !r->is_incremental || (id >= 64 && id < 128);
}

/* Returns the set of these clocks, a new one if there is none; NULL if there are too many, or
 * memory is refused. */
static clock_set *find_set(af_perfetto_clocks *c, const reading *readings, unsigned n)
{
    for (size_t i = 0; i < c->sets.n; i++) {
        clock_set *set = &AF_ARRAY_AT(&c->sets, clock_set, i);
        gboolean equal = set->n == n;
        for (unsigned k = 0; k < n && equal; k++) {
            equal = set->clocks[k] == readings[k].number;
        }
        if (equal) {
            return set;
        }
    }
    if (c->sets.n == MOST_SETS) {
        return NULL;
    }
    clock_set *set = af_array_add(&c->sets, 1);
    if (set != NULL) {
        set->n = n;
        for (unsigned k = 0; k < n; k++) {
            set->clocks[k] = readings[k].number;
        }
        af_array_init_metered(&set->values, sizeof(int64_t), af_sink_meter(c->sink));
    }
    return set;
}

static gboolean went_back(const clock_set *set, unsigned k, int64_t value)
{
    return set->values.n >= set->n &&
           AF_ARRAY_AT(&set->values, int64_t, set->values.n - set->n + k) > value;
}

/* A clock that steps back cannot be converted any more; the trace clock never steps back. */
static void store_snapshot(af_perfetto_clocks *c, clock_set *set, const reading *readings)
{
    for (unsigned k = 0; k < set->n; k++) {
        if (went_back(set, k, readings[k].value)) {
            if (c->has_trace_clock && readings[k].key == c->trace_clock) {
                return;
            }
            clock_at(c, readings[k].number)->went_back = TRUE;
        }
    }
    int64_t *values = af_array_add(&set->values, set->n);
    if (values == NULL) {
        return;
    }
    for (unsigned k = 0; k < set->n; k++) {
        values[k] = readings[k].value;
    }
}

static int compare_readings(const void *a, const void *b)
{
    const reading *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static gboolean is_consistent(const af_perfetto_clocks *c, const reading *r, gboolean known)
{
    const clock_state *clock = clock_at(c, r->number);
    return !known || (clock->unit_ns == r->unit_ns && clock->is_incremental == r->is_incremental);
}

static void add_snapshot(af_perfetto_clocks *c, reading *readings, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        const gboolean known = af_idmap_find(&c->clocks.ids, readings[k].key) != AF_IDMAP_NONE;
        readings[k].number = number_clock(c, readings[k].key);
        if (readings[k].number == AF_IDMAP_NONE || !is_consistent(c, &readings[k], known)) {
            return;
        }
        clock_state *clock = clock_at(c, readings[k].number);
        clock->unit_ns = readings[k].unit_ns;
        clock->is_incremental = readings[k].is_incremental;
        clock->running_ns = readings[k].value;
    }
    qsort(readings, n, sizeof *readings, compare_readings);
    for (unsigned k = 1; k < n; k++) {
        if (readings[k].number == readings[k - 1].number) {
            return;
        }
    }
    clock_set *set = n < 2 ? NULL : find_set(c, readings, n);
    if (set != NULL) {
        store_snapshot(c, set, readings);
    }
    c->recent.known = FALSE;
}

static const reading *find_reading(const reading *readings, unsigned n, uint64_t key)
{
    for (unsigned k = 0; k < n; k++) {
        if (readings[k].key == key) {
            return &readings[k];
        }
    }
    return NULL;
}

/* The first clock that is declared before any time was converted is that of the trace. */
static void choose_trace_clock(af_perfetto_clocks *c, const reading *readings, unsigned n,
                               uint64_t primary)
{
    uint64_t chosen = primary;
    if (chosen == 0 && find_reading(readings, n, AF_CLOCK_ID_BOOTTIME) != NULL &&
        find_reading(readings, n, AF_CLOCK_ID_TRACE_FILE) == NULL) {
        chosen = AF_CLOCK_ID_BOOTTIME;
    }
    if (chosen == 0) {
        return;
    }
    if (!c->has_trace_clock && !c->has_converted) {
        c->has_trace_clock = TRUE;
        c->trace_clock = chosen;
    }
    c->default_clock = c->default_clock == 0 || primary != 0 ? chosen : c->default_clock;
}

void af_perfetto_clocks_take_snapshot(af_perfetto_clocks *c, const af_protobuf *field,
                                      uint32_t sequence)
{
    reading readings[MOST_CLOCKS];
    unsigned n = 0;
    uint64_t primary = 0;
    for (af_protobuf p = af_protobuf_of(field); af_protobuf_next(&p);) {
        if (p.field == 1 && (n == MOST_CLOCKS || !parse_reading(&p, sequence, &readings[n++]))) {
            return;
        }
        if (p.field == 2) {
            primary = p.number;
        }
    }
    choose_trace_clock(c, readings, n, primary);
    const reading *date = find_reading(readings, n, AF_CLOCK_ID_REALTIME);
    const int64_t date_ns = date == NULL ? 0 : date->value;
    const reading *at = c->has_trace_clock ? find_reading(readings, n, c->trace_clock) : NULL;
    if (!c->has_date && date_ns > 0 && at != NULL) {
        c->has_date = TRUE;
        c->date_ns = date_ns;
        c->date_at_ns = at->value;
    }
    add_snapshot(c, readings, n);
}

void af_perfetto_clocks_add_pair(af_perfetto_clocks *c, uint64_t key, int64_t value, uint64_t other,
                                 int64_t other_value)
{
    if (value < 0 || other_value < 0 || value > INT64_MAX / 4 || other_value > INT64_MAX / 4) {
        return;
    }
    reading readings[2] = {{.key = key, .value = value, .unit_ns = 1},
                           {.key = other, .value = other_value, .unit_ns = 1}};
    add_snapshot(c, readings, 2);
}

gboolean af_perfetto_clocks_date(const af_perfetto_clocks *c, int64_t *date_ns, int64_t *ns)
{
    *date_ns = c->date_ns;
    *ns = c->date_at_ns;
    return c->has_date;
}

const char *af_perfetto_clocks_name(const af_perfetto_clocks *c)
{
    static const char *const names[] = {NULL,
                                        "REALTIME",
                                        "REALTIME_COARSE",
                                        "MONOTONIC",
                                        "MONOTONIC_COARSE",
                                        "MONOTONIC_RAW",
                                        "BOOTTIME",
                                        NULL,
                                        NULL,
                                        "TSC",
                                        "PERF"};
    return c->has_trace_clock && c->trace_clock < G_N_ELEMENTS(names) ? names[c->trace_clock]
                                                                      : NULL;
}

int64_t af_perfetto_clocks_step(af_perfetto_clocks *c, uint64_t key, int64_t time)
{
    const uint32_t number = af_idmap_find(&c->clocks.ids, key);
    if (number == AF_IDMAP_NONE || number >= c->clocks.items.n) {
        return time;
    }
    clock_state *clock = clock_at(c, number);
    int64_t ns;
    if (__builtin_mul_overflow(time, clock->unit_ns, &ns)) {
        return INT64_MAX;
    }
    if (!clock->is_incremental) {
        return ns;
    }
    if (__builtin_add_overflow(clock->running_ns, ns, &clock->running_ns)) {
        clock->running_ns = INT64_MAX;
    }
    return clock->running_ns;
}

static unsigned position_in(const clock_set *set, uint32_t clock)
{
    unsigned k = 0;
    while (k < set->n && set->clocks[k] != clock) {
        k++;
    }
    return k;
}

/* The last snapshot whose value of the source is not above the time; before the first, the first.
 * *from and *to become the times for which that holds. */
static int64_t convert_in_set(const clock_set *set, unsigned source, unsigned target, int64_t time,
                              int64_t *from, int64_t *to)
{
    const int64_t *values = set->values.items;
    size_t low = 0, high = set->values.n / set->n;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (values[middle * set->n + source] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const int64_t *snapshot = values + low * set->n;
    *from = low == 0 ? INT64_MIN : snapshot[source];
    *to = high * set->n < set->values.n ? values[high * set->n + source] : INT64_MAX;
    return snapshot[target] - snapshot[source];
}

typedef struct {
    uint32_t clock;
    uint32_t set;  /* by which it was reached */
    unsigned from; /* index of the step before */
    unsigned steps;
} step;

/* Appends the clocks that share a set with step `i`. Returns the index of `target`, or 0. */
static unsigned expand(const af_perfetto_clocks *c, step *path, unsigned *n, unsigned i,
                       uint32_t target)
{
    if (clock_at(c, path[i].clock)->went_back) {
        return 0;
    }
    for (uint32_t s = 0; s < c->sets.n; s++) {
        const clock_set *set = &AF_ARRAY_AT(&c->sets, clock_set, s);
        if (set->values.n == 0 || position_in(set, path[i].clock) == set->n) {
            continue;
        }
        for (unsigned k = 0; k < set->n && *n < MOST_CLOCKS; k++) {
            gboolean known = FALSE;
            for (unsigned j = 0; j < *n && !known; j++) {
                known = path[j].clock == set->clocks[k];
            }
            if (!known) {
                path[*n] = (step){set->clocks[k], s, i, path[i].steps + 1};
                if (path[(*n)++].clock == target) {
                    return *n - 1;
                }
            }
        }
    }
    return 0;
}

static gboolean convert_by(const af_perfetto_clocks *c, const step *path, unsigned last,
                           int64_t time, recent_step *recent)
{
    unsigned order[MOST_STEPS + 1], n = 0;
    for (unsigned i = last; i != 0; i = path[i].from) {
        order[n++] = i;
    }
    int64_t delta = 0;
    recent->from = INT64_MIN;
    recent->to = INT64_MAX;
    while (n-- > 0) {
        const step *s = &path[order[n]];
        const clock_set *set = &AF_ARRAY_AT(&c->sets, clock_set, s->set);
        int64_t from, to;
        const int64_t part = convert_in_set(set, position_in(set, path[s->from].clock),
                                            position_in(set, s->clock), time + delta, &from, &to);
        recent->from = MAX(recent->from, from == INT64_MIN ? from : from - delta);
        recent->to = MIN(recent->to, to == INT64_MAX ? to : to - delta);
        if (__builtin_add_overflow(delta, part, &delta) || delta > INT64_MAX / 4 ||
            delta < -INT64_MAX / 4) {
            return FALSE;
        }
    }
    recent->delta = delta;
    return TRUE;
}

gboolean af_perfetto_clocks_convert(af_perfetto_clocks *c, uint64_t key, int64_t time, int64_t *ns)
{
    c->has_converted = TRUE;
    *ns = time;
    if (time > INT64_MAX / 4 || time < -INT64_MAX / 4) {
        return TRUE; /* invalid in any clock */
    }
    if (key == 0 || (c->has_trace_clock && key == c->trace_clock)) {
        return TRUE;
    }
    if (c->recent.known && c->recent.key == key && time >= c->recent.from && time < c->recent.to) {
        *ns = time + c->recent.delta;
        return TRUE;
    }
    /* without a clock of the trace, BOOTTIME counts as the file's own */
    const uint64_t wanted = c->has_trace_clock ? c->trace_clock : AF_CLOCK_ID_BOOTTIME;
    if (!c->has_trace_clock && (key == wanted || key == AF_CLOCK_ID_TRACE_FILE)) {
        return TRUE;
    }
    step path[MOST_CLOCKS];
    const uint32_t source = af_idmap_find(&c->clocks.ids, key);
    const uint32_t target = af_idmap_find(&c->clocks.ids, wanted);
    if (source == AF_IDMAP_NONE || target == AF_IDMAP_NONE) {
        return FALSE;
    }
    /* Finds the shortest chain from `source` to `target`; returns its last index in `path`, 0 =
     * none. */
    unsigned n = 1, found = 0;
    path[0] = (step){.clock = source};
    for (unsigned i = 0; i < n && found == 0 && path[i].steps < MOST_STEPS; i++) {
        found = expand(c, path, &n, i, target);
    }
    const unsigned last = found;
    recent_step recent = {.known = TRUE, .key = key};
    if (last == 0 || !convert_by(c, path, last, time, &recent)) {
        return FALSE;
    }
    c->recent = recent;
    *ns = time + recent.delta;
    return TRUE;
}
