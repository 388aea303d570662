#include "base/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <aflame/error.h>

#include "base/array.h"
#include "base/tempfile.h"

/* Half of what reading may take beside call trees: sorting may take as much again. */
#define MOST_HELD ((size_t)16 * 1024 * 1024)

/* What is read of a run at once. */
#define STEP ((size_t)64 * 1024)

typedef struct {
    size_t at, end;   /* in the file, bytes */
    uint8_t *records; /* STEP bytes of it */
    size_t next, n;   /* bytes of these */
} run;

struct af_sorter {
    size_t size;
    int (*compare)(const void *, const void *);
    size_t most; /* records that are held */
    af_array held;
    size_t next; /* of those, if there is no file */
    int fd;      /* -1 = none */
    size_t written;
    af_array runs;  /* of run */
    uint32_t *heap; /* runs that are not over, the one with the least record first */
    uint32_t n_heap;
    gboolean lent; /* the record of the first run was */
};

af_sorter *af_sorter_new(size_t record_size, int (*compare)(const void *, const void *),
                         size_t most_held)
{
    af_sorter *s = g_new0(af_sorter, 1);
    s->size = record_size;
    s->compare = compare;
    s->most = MAX(1, (most_held > 0 ? most_held : MOST_HELD) / record_size);
    s->fd = -1;
    af_array_init(&s->held, record_size);
    af_array_init(&s->runs, sizeof(run));
    return s;
}

void af_sorter_free(af_sorter *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->runs.n; i++) {
        g_free(AF_ARRAY_AT(&s->runs, run, i).records);
    }
    if (s->fd >= 0) {
        close(s->fd);
    }
    af_array_clear(&s->held);
    af_array_clear(&s->runs);
    g_free(s->heap);
    g_free(s);
}

static gboolean refuse(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory for the input");
    return FALSE;
}

static gboolean refuse_file(GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MEMORY,
                "the input is not in order and too long to be sorted in memory, and there is no "
                "room for it in %s: %s",
                g_get_tmp_dir(), g_strerror(errno));
    return FALSE;
}

static void sort_held(af_sorter *s)
{
    if (s->held.n > 1) {
        qsort(s->held.items, s->held.n, s->size, s->compare);
    }
}

static gboolean write_run(af_sorter *s, GError **error)
{
    const size_t n = s->held.n * s->size;
    sort_held(s);
    run *added = af_array_add(&s->runs, 1);
    if (added == NULL) {
        return refuse(error);
    }
    *added = (run){.at = s->written, .end = s->written + n};
    s->fd = s->fd < 0 ? af_tempfile_open() : s->fd;
    if (s->fd < 0 || !af_tempfile_write(s->fd, s->held.items, n, s->written)) {
        return refuse_file(error);
    }
    s->written += n;
    s->held.n = 0;
    return TRUE;
}

gboolean af_sorter_add(af_sorter *s, const void *record, GError **error)
{
    if (s->held.n == s->most && !write_run(s, error)) {
        return FALSE;
    }
    void *added = af_array_add(&s->held, 1);
    if (added == NULL) {
        return refuse(error);
    }
    memcpy(added, record, s->size);
    return TRUE;
}

/* ---- merging ---- */

/* FALSE in *left if the run is over. */
static gboolean fill_run(af_sorter *s, run *r, gboolean *left, GError **error)
{
    if (r->next == r->n && r->at < r->end) {
        r->next = 0;
        r->n = MIN(STEP / s->size * s->size, r->end - r->at);
        if (!af_tempfile_read(s->fd, r->records, r->n, r->at)) {
            return refuse_file(error);
        }
        r->at += r->n;
    }
    *left = r->next < r->n;
    return TRUE;
}

static const void *first_of(const af_sorter *s, uint32_t number)
{
    const run *r = &AF_ARRAY_AT(&s->runs, run, number);
    return r->records + r->next;
}

/* The entry at `at` moves down to where it belongs. */
static void sink_down(af_sorter *s, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < s->n_heap; child++) {
            if (s->compare(first_of(s, s->heap[child]), first_of(s, s->heap[least])) < 0) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        const uint32_t moved = s->heap[at];
        s->heap[at] = s->heap[least];
        s->heap[least] = moved;
        at = least;
    }
}

gboolean af_sorter_begin(af_sorter *s, GError **error)
{
    if (s->fd < 0) {
        sort_held(s);
        return TRUE;
    }
    if (s->held.n > 0 && !write_run(s, error)) {
        return FALSE;
    }
    af_array_clear(&s->held);
    s->heap = g_try_new(uint32_t, s->runs.n);
    for (uint32_t i = 0; i < s->runs.n && s->heap != NULL; i++) {
        run *r = &AF_ARRAY_AT(&s->runs, run, i);
        gboolean left;
        r->records = g_try_malloc(MAX(STEP, s->size));
        if (r->records == NULL) {
            return refuse(error);
        }
        if (!fill_run(s, r, &left, error)) {
            return FALSE;
        }
        s->heap[s->n_heap++] = i;
    }
    for (uint32_t i = s->n_heap / 2; i-- > 0;) {
        sink_down(s, i);
    }
    return s->heap != NULL ? TRUE : refuse(error);
}

static gboolean leave_lent(af_sorter *s, GError **error)
{
    run *r = &AF_ARRAY_AT(&s->runs, run, s->heap[0]);
    gboolean left;
    r->next += s->size;
    if (!fill_run(s, r, &left, error)) {
        return FALSE;
    }
    if (!left) {
        s->heap[0] = s->heap[--s->n_heap];
    }
    sink_down(s, 0);
    return TRUE;
}

gboolean af_sorter_next(af_sorter *s, const void **record, GError **error)
{
    if (s->fd < 0) {
        *record = s->next < s->held.n ? af_array_at(&s->held, s->next++) : NULL;
        return TRUE;
    }
    if (s->lent && !leave_lent(s, error)) {
        return FALSE;
    }
    s->lent = s->n_heap > 0;
    *record = s->lent ? first_of(s, s->heap[0]) : NULL;
    return TRUE;
}
