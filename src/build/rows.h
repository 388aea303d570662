/* The rows of growing call trees, in one pool for all threads.
 *
 * A row represents a path of methods: the path of its parent plus its method. A hash table finds it
 * by both. Roots have no parent and represent the outermost level of a thread. A row is never
 * removed and keeps its number. */
#pragma once

#include <aflame/profile.h>
#include "base/hash.h"

#define AF_NO_ROW UINT32_MAX

/* Times are in ticks. */
typedef struct {
    uint32_t method;
    uint32_t parent;   /* AF_NO_ROW: a root */
    uint32_t first;    /* the first child of its latest call, or AF_NO_ROW */
    uint32_t follower; /* the sibling that last followed this one, or AF_NO_ROW */
    uint64_t calls;
    uint64_t self[AF_CLOCKS];
    uint64_t min[AF_CLOCKS],
        max[AF_CLOCKS]; /* of the finished calls; without one UINT64_MAX and 0 */
    uint64_t unwinds;   /* calls left by an exception */
    uint64_t runnable;  /* as in model/tree.h */
} af_row;

typedef struct {
    const af_hash_secret *secret;
    af_row *rows;
    uint32_t n, capacity;
    uint32_t growth_at; /* the number of rows at which an array is full or the limit is reached */
    uint32_t *slots;    /* by (parent, method), without roots; see rows.c */
    uint32_t n_slots;
    unsigned tag_shift; /* bits of a slot for the number of its row */
    uint32_t most;      /* maximum number of rows */
    gboolean full;      /* a row beyond the maximum was requested */
    gboolean failed;    /* the machine refused memory */
} af_rows;

void af_rows_init(af_rows *rows);
void af_rows_clear(af_rows *rows);

/* Allows at most `most` rows; existing rows stay. */
void af_rows_limit(af_rows *rows, uint64_t most);

/* Frees the hash table: rows can no longer be found or added. */
void af_rows_clear_index(af_rows *rows);

/* Moves each row to its new number, `numbers[row]`, and destroys the contents of `numbers`. Rows
 * can no longer be found or added. */
void af_rows_sort(af_rows *rows, uint32_t *numbers);

/* Releases the memory of rows `before` to `done` - 1, which no one will read again; rows below
 * `before` were released already. */
void af_rows_drop(af_rows *rows, uint32_t before, uint32_t done);

/* Rows whose memory is released at a time. */
#define AF_DROPPED_ROWS (UINT32_C(1) << 16)

/* A new root; AF_NO_ROW if memory is refused or the rows are full. */
uint32_t af_rows_add_root(af_rows *rows);

/* Turns a root into the child of another row, with a method. */
void af_rows_adopt(af_rows *rows, uint32_t root, uint32_t parent, uint32_t method);

/* Finds or adds the child of `parent` with `method`; AF_NO_ROW if memory is refused or the rows are
 * full. */
uint32_t af_rows_find_child(af_rows *rows, uint32_t parent, uint32_t method);

/* The same for a call that begins now. `before` is the previous child of the same call of `parent`,
 * or AF_NO_ROW. Most calls repeat the previous child or its usual successor, which saves the
 * look-up. */
static inline uint32_t af_rows_enter(af_rows *rows, uint32_t parent, uint32_t before,
                                     uint32_t method)
{
    if (before != AF_NO_ROW && rows->rows[before].method == method) {
        return before;
    }
    uint32_t row = before == AF_NO_ROW ? rows->rows[parent].first : rows->rows[before].follower;
    if (row != AF_NO_ROW && rows->rows[row].method == method) {
        return row;
    }
    row = af_rows_find_child(rows, parent, method);
    if (row != AF_NO_ROW) {
        *(before == AF_NO_ROW ? &rows->rows[parent].first : &rows->rows[before].follower) = row;
    }
    return row;
}

/* Adds a finished call of `row`; its durations are in ticks. */
static inline void af_rows_close(af_row *row, uint64_t wall, uint64_t cpu)
{
    row->min[AF_WALL] = MIN(row->min[AF_WALL], wall);
    row->max[AF_WALL] = MAX(row->max[AF_WALL], wall);
    row->min[AF_CPU] = MIN(row->min[AF_CPU], cpu);
    row->max[AF_CPU] = MAX(row->max[AF_CPU], cpu);
}
