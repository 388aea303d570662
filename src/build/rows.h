/* The rows of call trees while they grow: one pool for all threads.
 *
 * A row is a path of methods; it is found by its parent and its method. Roots have no parent and
 * stand for the outermost level of a thread. Rows are never removed and keep their numbers. */
#ifndef AF_BUILD_ROWS_H
#define AF_BUILD_ROWS_H

#include <aflame/profile.h>
#include "base/tally.h"

#define AF_NO_ROW UINT32_MAX

/* What every record touches: one cache line. Times in ticks. */
typedef struct {
    uint32_t method;
    uint32_t first;    /* the child that a call of it entered first the last time, or AF_NO_ROW */
    uint32_t follower; /* the sibling that was entered after this one the last time */
    uint32_t calls;    /* modulo 2^32; see af_rows_calls() */
    uint64_t self[AF_CLOCKS], min[AF_CLOCKS], max[AF_CLOCKS];
} af_row;

typedef struct {
    uint32_t parent, next_row; /* row + 1, 0 = free */
} af_row_slot;

typedef struct {
    const af_hash_secret *secret;
    af_row *rows;
    uint32_t *parents; /* AF_NO_ROW: a root */
    uint32_t n, capacity;
    af_row_slot *slots;    /* by (parent, method), roots left out */
    uint32_t slot_mask;    /* number of slots - 1 */
    uint32_t *unwinds;     /* calls left by an exception, modulo 2^32; NULL = none so far */
    uint32_t n_unwinds;    /* rows that `unwinds` has room for; 0 of all others */
    af_tally overruns;     /* by row: how often `calls` ran over */
    af_tally more_unwinds; /* the same of `unwinds` */
    uint32_t most;         /* rows that are allowed */
    gboolean full;         /* one more than that was asked for */
    gboolean failed;       /* the machine refused memory */
} af_rows;

void af_rows_init(af_rows *rows);
void af_rows_clear(af_rows *rows);

/* Allows no more than `most` rows; the rows that there are stay. */
void af_rows_limit(af_rows *rows, uint64_t most);

/* Gives back what is only needed to find and add rows. */
void af_rows_clear_index(af_rows *rows);

/* Brings the rows into the order of `numbers`, which says for each row its new number and is used
 * up; nothing can be found or added any more. FALSE if memory is refused. */
gboolean af_rows_sort(af_rows *rows, uint32_t *numbers);

/* The rows in front of `done` are not needed any more, those in front of `before` were not. */
void af_rows_drop(af_rows *rows, uint32_t before, uint32_t done);

/* A new root; AF_NO_ROW if memory is refused or the rows are full. */
uint32_t af_rows_add_root(af_rows *rows);

/* A root becomes the child of another, with a method of its own. */
void af_rows_adopt(af_rows *rows, uint32_t root, uint32_t parent, uint32_t method);

/* The child of `parent` with `method`, made if there is none; AF_NO_ROW if memory is refused or the
 * rows are full. */
uint32_t af_rows_find_child(af_rows *rows, uint32_t parent, uint32_t method);

/* The same for a call that begins now; `before` is the child that the same call of `parent` entered
 * before, AF_NO_ROW = none. Most calls repeat the one before, or follow it as another did the last
 * time. */
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

/* Counts. */
void af_rows_carry_calls(af_rows *rows, uint32_t row); /* `calls` has just run over */
void af_rows_add_calls(af_rows *rows, uint32_t row, uint64_t n);
uint64_t af_rows_calls(const af_rows *rows, uint32_t row);
void af_rows_add_unwinds(af_rows *rows, uint32_t row, uint64_t n);
uint64_t af_rows_unwinds(const af_rows *rows, uint32_t row);

/* One call of `row` is over after so many ticks. */
static inline void af_row_close(af_row *row, uint64_t wall, uint64_t cpu)
{
    row->min[AF_WALL] = MIN(row->min[AF_WALL], wall);
    row->max[AF_WALL] = MAX(row->max[AF_WALL], wall);
    row->min[AF_CPU] = MIN(row->min[AF_CPU], cpu);
    row->max[AF_CPU] = MAX(row->max[AF_CPU], cpu);
}

#endif
