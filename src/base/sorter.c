#include "base/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <aflame/error.h>

#include "base/array.h"
#include "base/memory_error.h"
#include "base/tempfile.h"

/* The memory that reading may use next to call trees, for records and for sorting them. */
#define MOST_HELD ((size_t)32 * 1024 * 1024)

/* Bytes of a run that are read or written at once. */
#define STEP ((size_t)64 * 1024)

/* Groups up to this size use insertion sort. */
#define FEW ((size_t)8)

/* A reference to a record in memory. */
typedef struct {
    int64_t when;
    uint32_t who;
    uint32_t index;
} entry;

typedef struct {
    size_t at, end;    /* in the file, bytes */
    uint8_t *records;  /* a buffer of STEP bytes */
    size_t next, n;    /* offset and length in the buffer, bytes */
    af_sorter_key key; /* of the next record */
} run;

struct af_sorter {
    size_t size;
    const af_sorter_order *order;
    size_t most; /* capacity for records in memory */
    af_array held;
    entry *sorted; /* all records in memory, sorted by af_sorter_begin(), and as many again by half,
                      for merging */
    size_t next;   /* index in `sorted` if there is no file */
    int fd;        /* -1 = none */
    size_t written;
    af_array runs;  /* of run */
    uint32_t *heap; /* runs with records left, the one with the least record first */
    uint32_t n_heap;
    gboolean borrowed; /* the caller has borrowed the record of the first run */
};

af_sorter *af_sorter_new(size_t record_size, const af_sorter_order *order, size_t most_held)
{
    af_sorter *s = g_new0(af_sorter, 1);
    s->size = record_size;
    s->order = order;
    s->most = MAX(1, most_held > 0 ? most_held / record_size
                                   : MOST_HELD / (record_size + sizeof(entry) * 3 / 2));
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
    g_free(s->sorted);
    g_free(s->heap);
    g_free(s);
}

static gboolean refuse_file(GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MEMORY,
                "the input is too long to sort in memory, and it does not fit in %s: %s",
                g_get_tmp_dir(), g_strerror(errno));
    return FALSE;
}

/* Sorting keeps the order of equal records, so `a` is always the later one of two. */
static inline gboolean is_before(const af_sorter *s, const entry *a, const entry *b)
{
    if (a->who != b->who) {
        return a->who < b->who;
    }
    if (a->when != b->when) {
        return a->when < b->when;
    }
    return s->order->compare != NULL &&
           s->order->compare(af_array_at(&s->held, a->index), af_array_at(&s->held, b->index)) < 0;
}

static void insert_few(const af_sorter *s, entry *entries, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const entry moved = entries[i];
        size_t at = i;
        for (; at > 0 && is_before(s, &moved, &entries[at - 1]); at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = moved;
    }
}

/* Merge sort; `spare` has capacity for half of the entries. Its depth is the logarithm of `n`. */
static void sort_entries(const af_sorter *s, entry *entries, size_t n, entry *spare)
{
    if (n <= FEW) {
        insert_few(s, entries, n);
        return;
    }
    const size_t half = n / 2;
    sort_entries(s, entries, half, spare);
    sort_entries(s, entries + half, n - half, spare);
    const entry *right = entries + half, *const end = entries + n;
    if (!is_before(s, right, right - 1)) { /* records often arrive in order already */
        return;
    }
    const entry *left = spare, *const left_end = spare + half;
    memcpy(spare, entries, half * sizeof *spare);
    while (left < left_end) {
        *entries++ = right < end && is_before(s, right, left) ? *right++ : *left++;
    }
}

static gboolean sort_held(af_sorter *s, GError **error)
{
    const size_t n = s->held.n;
    if (s->sorted == NULL) {
        s->sorted = g_try_new(entry, n + n / 2 + 1);
    }
    if (s->sorted == NULL) {
        return af_memory_error_set(error);
    }
    for (size_t i = 0; i < n; i++) {
        const af_sorter_key key = s->order->key(af_array_at(&s->held, i));
        s->sorted[i] = (entry){key.when, key.who, (uint32_t)i};
    }
    sort_entries(s, s->sorted, n, s->sorted + n);
    return TRUE;
}

/* Appends all records in memory, sorted, to the file. */
static gboolean write_held(af_sorter *s, GError **error)
{
    const size_t step = MAX(1, STEP / s->size);
    g_autofree uint8_t *bytes = g_try_malloc(step * s->size);
    gboolean ok = bytes != NULL || af_memory_error_set(error);
    for (size_t i = 0; i < s->held.n && ok; i += step) {
        const size_t n = MIN(step, s->held.n - i);
        for (size_t k = 0; k < n; k++) {
            memcpy(bytes + k * s->size, af_array_at(&s->held, s->sorted[i + k].index), s->size);
        }
        ok = af_tempfile_write(s->fd, bytes, n * s->size, s->written) || refuse_file(error);
        s->written += n * s->size;
    }
    return ok;
}

static gboolean write_run(af_sorter *s, GError **error)
{
    run *added = af_array_add(&s->runs, 1);
    if (added == NULL || !sort_held(s, error)) {
        return added != NULL ? FALSE : af_memory_error_set(error);
    }
    *added = (run){.at = s->written, .end = s->written + s->held.n * s->size};
    s->fd = s->fd < 0 ? af_tempfile_open() : s->fd;
    if (s->fd < 0) {
        return refuse_file(error);
    }
    const gboolean ok = write_held(s, error);
    s->held.n = 0;
    return ok;
}

gboolean af_sorter_add(af_sorter *s, const void *record, GError **error)
{
    if (s->held.n == s->most && !write_run(s, error)) {
        return FALSE;
    }
    void *added = af_array_push(&s->held);
    if (added == NULL) {
        return af_memory_error_set(error);
    }
    memcpy(added, record, s->size);
    return TRUE;
}

/* Sets *left to FALSE at the end of the run. */
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
    if (*left) {
        r->key = s->order->key(r->records + r->next);
    }
    return TRUE;
}

static const void *first_of(const run *r)
{
    return r->records + r->next;
}

static gboolean is_less(const af_sorter *s, uint32_t one, uint32_t other)
{
    const run *a = &AF_ARRAY_AT(&s->runs, run, one), *b = &AF_ARRAY_AT(&s->runs, run, other);
    if (a->key.who != b->key.who) {
        return a->key.who < b->key.who;
    }
    if (a->key.when != b->key.when) {
        return a->key.when < b->key.when;
    }
    const int order = s->order->compare != NULL ? s->order->compare(first_of(a), first_of(b)) : 0;
    return order != 0 ? order < 0 : one < other;
}

/* Moves the entry at `at` down the heap to its position. */
static void sink_down(af_sorter *s, uint32_t at)
{
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < s->n_heap; child++) {
            if (is_less(s, s->heap[child], s->heap[least])) {
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
        return sort_held(s, error);
    }
    if (s->held.n > 0 && !write_run(s, error)) {
        return FALSE;
    }
    af_array_clear(&s->held);
    g_clear_pointer(&s->sorted, g_free);
    s->heap = g_try_new(uint32_t, s->runs.n);
    for (uint32_t i = 0; i < s->runs.n && s->heap != NULL; i++) {
        run *r = &AF_ARRAY_AT(&s->runs, run, i);
        gboolean left;
        r->records = g_try_malloc(MAX(STEP, s->size));
        if (r->records == NULL) {
            return af_memory_error_set(error);
        }
        if (!fill_run(s, r, &left, error)) {
            return FALSE;
        }
        s->heap[s->n_heap++] = i;
    }
    for (uint32_t i = s->n_heap / 2; i-- > 0;) {
        sink_down(s, i);
    }
    return s->heap != NULL ? TRUE : af_memory_error_set(error);
}

static gboolean leave_borrowed(af_sorter *s, GError **error)
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
        *record = s->next < s->held.n ? af_array_at(&s->held, s->sorted[s->next++].index) : NULL;
        return TRUE;
    }
    if (s->borrowed && !leave_borrowed(s, error)) {
        return FALSE;
    }
    s->borrowed = s->n_heap > 0;
    *record = s->borrowed ? first_of(&AF_ARRAY_AT(&s->runs, run, s->heap[0])) : NULL;
    return TRUE;
}
