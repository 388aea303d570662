#include "calls/sample_timeline.h"

#include "base/array.h"
#include "base/memory_error.h"
#include "base/quantile.h"
#include "base/sorter.h"
#include "build/row_path.h"

typedef struct {
    uint64_t time_ns;
    uint64_t weight[AF_CLOCKS];
    uint32_t thread, row;
} sample_record;

struct af_sample_timeline {
    af_sample_duration lasting;
    af_rows rows;     /* paths of labels; those of all threads have the same root */
    af_row_path path; /* of the last sample added */
    uint32_t root;
    af_sorter *sorter;
    uint64_t n;
    af_array last_ns; /* of uint64_t, by thread: time of its last sample + 1; 0 = none yet */
    af_quantile_sketch intervals; /* between samples of one thread */
};

/* A walk over the timeline and its observer. */
typedef struct {
    const af_sample_timeline *timeline;
    const af_sample_edge_observer *observer;
    GError **error;
    uint64_t interval_ns, end_ns;
    af_sample_edge edge;
    af_array path; /* of uint32_t: rows to enter, the innermost first */
    uint32_t row;  /* the innermost open frame */
} walk;

static af_sorter_key find_record_key(const void *record)
{
    const sample_record *one = record;
    return (af_sorter_key){one->thread, (int64_t)(one->time_ns ^ UINT64_C(1) << 63)};
}

static const af_sorter_order by_thread_and_time = {find_record_key, NULL};

af_sample_timeline *af_sample_timeline_new(af_sample_duration lasting)
{
    af_sample_timeline *m = g_new0(af_sample_timeline, 1);
    m->lasting = lasting;
    af_rows_init(&m->rows);
    af_row_path_init(&m->path);
    m->root = af_rows_add_root(&m->rows);
    m->sorter = af_sorter_new(sizeof(sample_record), &by_thread_and_time, 0);
    af_array_init(&m->last_ns, sizeof(uint64_t));
    return m;
}

void af_sample_timeline_free(af_sample_timeline *m)
{
    if (m != NULL) {
        af_rows_clear(&m->rows);
        af_row_path_clear(&m->path);
        af_sorter_free(m->sorter);
        af_array_clear(&m->last_ns);
        af_quantile_clear(&m->intervals);
        g_free(m);
    }
}

/* Recordings have their samples almost in order, so distances in file order are good enough. */
static gboolean add_interval(af_sample_timeline *m, const af_sample *sample)
{
    if (!af_array_reach(&m->last_ns, (size_t)sample->thread + 1)) {
        return FALSE;
    }
    uint64_t *last = &AF_ARRAY_AT(&m->last_ns, uint64_t, sample->thread);
    if (*last > 0 && sample->time_ns >= *last) {
        af_quantile_add(&m->intervals, sample->time_ns - (*last - 1));
    }
    *last = sample->time_ns + 1;
    return !m->intervals.failed;
}

gboolean af_sample_timeline_add(af_sample_timeline *m, const af_sample *sample, GError **error)
{
    const uint32_t row = af_row_path_enter(&m->path, &m->rows, m->root, sample);
    if (row == AF_NO_ROW || !add_interval(m, sample)) {
        return af_memory_error_set(error);
    }
    m->n++;
    const sample_record added = {
        sample->time_ns, {sample->weight[AF_WALL], sample->weight[AF_CPU]}, sample->thread, row};
    return af_sorter_add(m->sorter, &added, error);
}

uint64_t af_sample_timeline_n(const af_sample_timeline *m)
{
    return m->n;
}

uint64_t af_sample_timeline_interval_ns(const af_sample_timeline *m)
{
    return af_quantile_median(&m->intervals);
}

static gboolean
report_edge(walk *t, gboolean (*callback)(void *, const af_sample_edge *, GError **), uint32_t row)
{
    t->edge.label = t->timeline->rows.rows[row].method;
    return callback(t->observer->user, &t->edge, t->error);
}

/* Leaves and enters frames to change from the open stack to another. A row's number exceeds its
 * caller's. */
static gboolean change_stack(walk *t, uint32_t to)
{
    const af_row *rows = t->timeline->rows.rows;
    t->path.n = 0;
    while (t->row != to) {
        if (t->row > to) {
            if (!report_edge(t, t->observer->leave, t->row)) {
                return FALSE;
            }
            t->row = rows[t->row].parent;
        } else {
            if (!af_array_append(&t->path, &to)) {
                return af_memory_error_set(t->error);
            }
            to = rows[to].parent;
        }
    }
    while (t->path.n > 0) {
        t->row = AF_ARRAY_AT(&t->path, uint32_t, --t->path.n);
        if (!report_edge(t, t->observer->enter, t->row)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Returns the end of a sample if the next one of its thread is at `next_ns`. */
static uint64_t find_end(const walk *t, const sample_record *sample, uint64_t next_ns)
{
    const uint64_t lasted_ns =
        t->timeline->lasting != AF_LASTS_UNKNOWN ? sample->weight[AF_WALL] : 0;
    const uint64_t until_ns = MIN(next_ns, t->end_ns);
    const uint64_t away_ns = until_ns - MIN(until_ns, sample->time_ns);
    if (t->timeline->lasting == AF_LASTS_EXACTLY) {
        return sample->time_ns + MIN(lasted_ns, away_ns);
    }
    const uint64_t near_ns = MIN(t->interval_ns, UINT64_MAX / AF_SAMPLES_GAP) * AF_SAMPLES_GAP;
    if (next_ns != UINT64_MAX && away_ns <= near_ns) {
        return sample->time_ns + away_ns;
    }
    return sample->time_ns + MIN(MAX(t->interval_ns, lasted_ns), away_ns);
}

/* Ends `last`, or continues it with `next` if both belong to one thread. */
static gboolean pass_on(walk *t, const sample_record *last, const sample_record *next)
{
    const gboolean same = next != NULL && next->thread == last->thread;
    const uint64_t end_ns = find_end(t, last, same ? next->time_ns : UINT64_MAX);
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        t->edge.weight[c] += MIN(last->weight[c], AF_LARGEST_WEIGHT - t->edge.weight[c]);
    }
    t->edge.samples++;
    t->edge.time_ns = end_ns;
    return (same && end_ns == next->time_ns) || change_stack(t, t->timeline->root);
}

static gboolean walk_samples(walk *t)
{
    af_sorter *sorter = t->timeline->sorter;
    const void *record = NULL;
    sample_record last;
    gboolean any = FALSE, ok = af_sorter_begin(sorter, t->error);
    while (ok && (ok = af_sorter_next(sorter, &record, t->error)) && record != NULL) {
        const sample_record next = *(const sample_record *)record;
        ok = !any || pass_on(t, &last, &next);
        if (!any || next.thread != last.thread) {
            t->edge = (af_sample_edge){.thread = next.thread};
        }
        t->edge.time_ns = next.time_ns;
        ok = ok && change_stack(t, next.row);
        last = next;
        any = TRUE;
    }
    return ok && (!any || pass_on(t, &last, NULL));
}

gboolean af_sample_timeline_walk(af_sample_timeline *m, uint64_t end_ns,
                                 const af_sample_edge_observer *observer, GError **error)
{
    walk t = {.timeline = m,
              .observer = observer,
              .error = error,
              .interval_ns = af_sample_timeline_interval_ns(m),
              .end_ns = end_ns,
              .row = m->root};
    af_array_init(&t.path, sizeof(uint32_t));
    const gboolean ok = walk_samples(&t);
    af_array_clear(&t.path);
    return ok;
}
