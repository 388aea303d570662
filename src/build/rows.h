/* The rows of growing call trees, in one pool for all threads.
 *
 * A row represents a path of methods: the path of its parent plus its method. A hash table finds it
 * by both. Roots have no parent and represent the outermost level of a thread. A row is never
 * removed and keeps its number. */
#ifndef AF_BUILD_ROWS_H
#define AF_BUILD_ROWS_H

#include <aflame/profile.h>
#include "base/tally.h"
#include "model/extremes.h"

#define AF_NO_ROW UINT32_MAX

/* The fields that every record touches. Times are in ticks.
 *
 * Most rows of a large tree have a single short call, so a row stores only one duration. From the
 * second finished call on it is the shortest one, and the table `longest` has the longest one, even
 * if both are equal. A duration that does not fit into 32 bits moves both to the table `wide`. */
typedef struct {
    uint32_t method;
    uint32_t parent;            /* AF_NO_ROW: a root */
    uint32_t calls;             /* modulo 2^32; see af_rows_calls() */
    uint32_t longest;           /* its item in that table; 0 = none */
    uint32_t first;             /* the first child of its latest call, or AF_NO_ROW */
    uint32_t follower;          /* the sibling that last followed this one, or AF_NO_ROW */
    uint32_t length[AF_CLOCKS]; /* the shortest; AF_NO_LENGTH_YET = none here */
    uint64_t self[AF_CLOCKS];
} af_row;

#define AF_NO_LENGTH_YET AF_EXTREMES_ARE_WIDE

/* If the row's `length` is AF_NO_LENGTH_YET, max[AF_WALL] is its item in `wide`, and the rest 0. */
typedef struct {
    uint32_t max[AF_CLOCKS];
} af_row_longest;

/* The first item is unused. */
typedef struct {
    void *items;
    uint32_t n, capacity;
    uint32_t dropped; /* items whose memory was released */
} af_row_table;

typedef struct {
    const af_hash_secret *secret;
    af_row *rows;
    uint32_t n, capacity;
    uint32_t growth_at; /* the number of rows at which an array is full or the limit is reached */
    uint32_t *slots;    /* by (parent, method), without roots; see rows.c */
    uint32_t n_slots;
    unsigned tag_shift;    /* bits of a slot for the number of its row */
    af_row_table longest;  /* of af_row_longest */
    af_row_table wide;     /* of af_extremes */
    uint32_t *unwinds;     /* calls left by an exception, modulo 2^32; NULL = none so far */
    uint32_t n_unwinds;    /* length of `unwinds`; later rows have 0 */
    uint64_t *runnable;    /* as in model/tree.h; NULL = none so far */
    uint32_t n_runnable;   /* length of `runnable`; later rows have 0 */
    af_tally overruns;     /* by row: overflows of `calls` */
    af_tally more_unwinds; /* by row: overflows of `unwinds` */
    uint32_t most;         /* maximum number of rows */
    gboolean sorted;       /* and so are the items of `longest` */
    gboolean full;         /* a row beyond the maximum was requested */
    gboolean failed;       /* the machine refused memory */
} af_rows;

void af_rows_init(af_rows *rows);
void af_rows_clear(af_rows *rows);

/* Allows at most `most` rows; existing rows stay. */
void af_rows_limit(af_rows *rows, uint64_t most);

/* Frees the hash table: rows can no longer be found or added. */
void af_rows_clear_index(af_rows *rows);

/* Returns the table `wide`, a block of `size` bytes that the caller frees; NULL if it is empty. */
af_extremes *af_rows_take_wide(af_rows *rows, size_t *size);

/* Moves each row to its new number, `numbers[row]`, and destroys the contents of `numbers`. Rows
 * can no longer be found or added. FALSE if memory is refused. */
gboolean af_rows_sort(af_rows *rows, uint32_t *numbers);

/* Releases the memory of rows `before` to `done` - 1, which no one will read again; rows below
 * `before` were released already. If the rows are sorted, their items in `longest` too. */
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

/* Counts. */
void af_rows_carry_calls(af_rows *rows, uint32_t row); /* `calls` has just overflowed */
void af_rows_add_calls(af_rows *rows, uint32_t row, uint64_t n);
uint64_t af_rows_calls(const af_rows *rows, uint32_t row);
void af_rows_add_unwinds(af_rows *rows, uint32_t row, uint64_t n);
uint64_t af_rows_unwinds(const af_rows *rows, uint32_t row);
void af_rows_add_runnable(af_rows *rows, uint32_t row, uint64_t ticks);
uint64_t af_rows_runnable(const af_rows *rows, uint32_t row);

static inline af_row_longest *af_rows_longest(const af_rows *rows, const af_row *row)
{
    return &((af_row_longest *)rows->longest.items)[row->longest];
}

/* Returns the durations of the shortest and the longest finished call of a row. Without a finished
 * call the minimum is UINT64_MAX and the maximum 0. */
static inline af_extremes af_rows_range(const af_rows *rows, uint32_t number)
{
    const af_row *row = &rows->rows[number];
    const uint32_t *max = row->longest != 0 ? af_rows_longest(rows, row)->max : row->length;
    if (row->length[AF_WALL] == AF_NO_LENGTH_YET) {
        return row->longest != 0 ? ((af_extremes *)rows->wide.items)[max[AF_WALL]]
                                 : (af_extremes){.min = {UINT64_MAX, UINT64_MAX}};
    }
    return (af_extremes){{row->length[AF_WALL], row->length[AF_CPU]}, {max[AF_WALL], max[AF_CPU]}};
}

/* Adds the durations of the row `from` of other rows. */
void af_rows_widen(af_rows *rows, uint32_t row, const af_rows *others, uint32_t from);

/* Adds a finished call that is not the first one and changes the durations. */
void af_rows_close_rare(af_rows *rows, af_row *row, uint64_t wall, uint64_t cpu);

/* Adds a finished call of `row`; its durations are in ticks. */
static inline void af_rows_close(af_rows *rows, af_row *row, uint64_t wall, uint64_t cpu)
{
    if (row->longest != 0) {
        /* branches: a new extreme is rare */
        const uint32_t *max = af_rows_longest(rows, row)->max;
        if (wall < row->length[AF_WALL] || wall > max[AF_WALL] || cpu < row->length[AF_CPU] ||
            cpu > max[AF_CPU]) {
            af_rows_close_rare(rows, row, wall, cpu);
        }
    } else if (row->length[AF_WALL] == AF_NO_LENGTH_YET && (wall | cpu) < AF_NO_LENGTH_YET) {
        row->length[AF_WALL] = (uint32_t)wall;
        row->length[AF_CPU] = (uint32_t)cpu;
    } else {
        af_rows_close_rare(rows, row, wall, cpu);
    }
}

#endif
