#include "build/rows.h"

#include <string.h>

#include "base/capacity.h"
#include "base/pages.h"

/* The first capacity to request, and the capacity if even that much address space is refused.
 * Unused capacity costs nothing; moving pages would interrupt another core that works on other
 * rows. */
#define FIRST_ROWS  AF_CAPACITY(UINT32_C(1) << 17, 4)
#define FEW_ROWS    1024u
#define FIRST_SLOTS AF_CAPACITY(UINT32_C(1) << 12, 64)
/* Up to here the slots double. Beyond, where their memory matters, they grow in smaller steps. */
#define SLOTS_DOUBLE_TO AF_CAPACITY(UINT32_C(1) << 20, 256)
#define MOST_ROWS       (UINT32_MAX - 1)

void af_rows_init(af_rows *rows)
{
    *rows = (af_rows){.secret = af_hash_get_secret(), .most = MOST_ROWS};
    af_tally_init(&rows->overruns);
    af_tally_init(&rows->more_unwinds);
}

void af_rows_clear_index(af_rows *rows)
{
    if (rows->slots != NULL) {
        af_pages_free(rows->slots, rows->n_slots * sizeof *rows->slots);
        rows->slots = NULL;
    }
    rows->n_slots = 0;
    rows->growth_at = 0;
}

void af_rows_clear(af_rows *rows)
{
    af_pages_free(rows->rows, rows->capacity * sizeof *rows->rows);
    af_rows_clear_index(rows);
    af_pages_free(rows->longest.items, rows->longest.capacity * sizeof(af_row_longest));
    af_pages_free(rows->wide.items, rows->wide.capacity * sizeof(af_extremes));
    af_pages_free(rows->unwinds, rows->n_unwinds * sizeof *rows->unwinds);
    af_pages_free(rows->runnable, rows->n_runnable * sizeof *rows->runnable);
    af_tally_clear(&rows->overruns);
    af_tally_clear(&rows->more_unwinds);
    *rows = (af_rows){0};
}

static void fail(af_rows *rows)
{
    rows->failed = TRUE;
    rows->growth_at = 0;
}

/* At most 25 of 32 slots are used. */
static inline uint32_t most_in_slots(const af_rows *rows)
{
    return rows->n_slots / 32 * 25;
}

static void set_growth(af_rows *rows)
{
    const uint32_t most = MIN(MIN(most_in_slots(rows), rows->capacity), rows->most);
    rows->growth_at = rows->failed ? 0 : most;
}

void af_rows_limit(af_rows *rows, uint64_t most)
{
    rows->most = (uint32_t)MIN(most, MOST_ROWS);
    set_growth(rows);
}

static inline uint32_t hash_path(const af_rows *rows, uint32_t parent, uint32_t method)
{
    return af_hash_number(rows->secret, (uint64_t)parent << 32 | method);
}

/* The high bits of the hash choose the slot. */
static inline uint32_t slot_of(const af_rows *rows, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash * rows->n_slots >> 32);
}

static inline uint32_t slot_after(const af_rows *rows, uint32_t slot)
{
    return slot + 1 < rows->n_slots ? slot + 1 : 0;
}

/* A slot with a row has the number of the row + 1 in its lower bits and this in the others, low bits
 * of the hash, to skip other rows. */
static inline uint32_t tag_of(const af_rows *rows, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash << rows->tag_shift);
}

static inline uint32_t hash_row(const af_rows *rows, uint32_t row)
{
    return hash_path(rows, rows->rows[row].parent, rows->rows[row].method);
}

static inline void put_slot(af_rows *rows, uint32_t row)
{
    const uint32_t hash = hash_row(rows, row);
    uint32_t at = slot_of(rows, hash);
    while (rows->slots[at] != 0) {
        at = slot_after(rows, at);
    }
    rows->slots[at] = tag_of(rows, hash) | (row + 1);
}

/* Small steps lead to one and a half times a power of two and to the next power of two in turn. */
static uint64_t more_slots(uint32_t before)
{
    if (before < SLOTS_DOUBLE_TO) {
        return MAX(before, FIRST_SLOTS);
    }
    const uint32_t lowest_bit = before & -before;
    return lowest_bit < before ? lowest_bit : before / 2;
}

/* Slots are fetched from memory this many rows before they are written. */
#define FETCHED_AHEAD 12u

/* The rows know their paths, so the old index is freed first. */
static gboolean grow_slots(af_rows *rows)
{
    const uint64_t n = rows->n_slots + more_slots(rows->n_slots);
    if (n > UINT32_MAX) {
        return FALSE;
    }
    af_rows_clear_index(rows);
    rows->slots = af_pages_grow_touched(NULL, 0, n * sizeof *rows->slots);
    if (rows->slots == NULL) {
        return FALSE;
    }
    rows->n_slots = (uint32_t)n;
    rows->tag_shift = g_bit_storage(n);
    for (uint32_t i = 0; i < rows->n; i++) {
        if (i + FETCHED_AHEAD < rows->n) {
            __builtin_prefetch(&rows->slots[slot_of(rows, hash_row(rows, i + FETCHED_AHEAD))], 1);
        }
        if (rows->rows[i].parent != AF_NO_ROW) {
            put_slot(rows, i);
        }
    }
    return TRUE;
}

static gboolean grow_to(af_rows *rows, size_t capacity)
{
    af_row *grown =
        af_pages_grow(rows->rows, rows->capacity * sizeof *grown, capacity * sizeof *grown);
    if (grown == NULL) {
        return FALSE;
    }
    rows->rows = grown;
    rows->capacity = (uint32_t)capacity;
    return TRUE;
}

static gboolean grow_rows(af_rows *rows)
{
    if (rows->capacity == 0) {
        return grow_to(rows, FIRST_ROWS) || grow_to(rows, FEW_ROWS);
    }
    return grow_to(rows, MIN((size_t)rows->capacity * 2, MOST_ROWS));
}

/* Ensures that a row can be added. Grows the slots first, so that a refusal never leaves a row that
 * cannot be found. */
static G_NO_INLINE gboolean grow_arrays(af_rows *rows)
{
    if (rows->n >= rows->most) {
        rows->full = TRUE;
        return FALSE;
    }
    if (rows->n >= most_in_slots(rows)) {
        rows->failed |= !grow_slots(rows);
    }
    if (!rows->failed && rows->n == rows->capacity) {
        rows->failed |= !grow_rows(rows);
    }
    set_growth(rows);
    return !rows->failed;
}

/* There must be space for it. */
static inline uint32_t add_row(af_rows *rows, uint32_t parent, uint32_t method)
{
    const uint32_t number = rows->n++;
    rows->rows[number] = (af_row){.method = method,
                                  .parent = parent,
                                  .first = AF_NO_ROW,
                                  .follower = AF_NO_ROW,
                                  .length = {AF_NO_LENGTH_YET, 0}};
    return number;
}

uint32_t af_rows_add_root(af_rows *rows)
{
    return rows->n < rows->growth_at || grow_arrays(rows) ? add_row(rows, AF_NO_ROW, AF_NO_ROW)
                                                          : AF_NO_ROW;
}

void af_rows_adopt(af_rows *rows, uint32_t root, uint32_t parent, uint32_t method)
{
    rows->rows[root].parent = parent;
    rows->rows[root].method = method;
    put_slot(rows, root);
}

static G_NO_INLINE uint32_t grow_and_add(af_rows *rows, uint32_t parent, uint32_t method)
{
    if (!grow_arrays(rows)) {
        return AF_NO_ROW;
    }
    const uint32_t row = add_row(rows, parent, method);
    put_slot(rows, row);
    return row;
}

uint32_t af_rows_find_child(af_rows *rows, uint32_t parent, uint32_t method)
{
    const uint32_t hash = hash_path(rows, parent, method), *const slots = rows->slots;
    const uint32_t tag = tag_of(rows, hash);
    uint32_t at = slot_of(rows, hash);
    for (; slots != NULL && slots[at] != 0; at = slot_after(rows, at)) {
        const uint64_t number = slots[at] ^ tag; /* if its tag is the same */
        const uint32_t row = (uint32_t)number - 1;
        if (number >> rows->tag_shift == 0 && rows->rows[row].method == method &&
            rows->rows[row].parent == parent) {
            return row;
        }
    }
    if (G_UNLIKELY(rows->n >= rows->growth_at)) {
        return grow_and_add(rows, parent, method);
    }
    const uint32_t row = add_row(rows, parent, method);
    rows->slots[at] = tag | (row + 1);
    return row;
}

/* ---- durations ---- */

#define FIRST_ITEMS AF_CAPACITY(UINT32_C(1) << 12, 4)

/* Returns the index of a new item of `size` bytes, 0 if memory is refused. */
static uint32_t add_item(af_rows *rows, af_row_table *table, size_t size)
{
    if (table->n == table->capacity) {
        const size_t before = table->capacity;
        const size_t capacity = before == 0 ? FIRST_ITEMS : MIN(before * 2, UINT32_MAX);
        void *grown =
            capacity == before ? NULL : af_pages_grow(table->items, before * size, capacity * size);
        if (grown == NULL) {
            fail(rows);
            return 0;
        }
        table->items = grown;
        table->capacity = (uint32_t)capacity;
    }
    table->n += table->n == 0;
    return table->n++;
}

/* Gives a row its item in `longest`, with the only duration that it has. */
static G_NO_INLINE gboolean add_longest(af_rows *rows, af_row *row)
{
    row->longest = add_item(rows, &rows->longest, sizeof(af_row_longest));
    if (row->longest != 0) {
        *af_rows_longest(rows, row) = (af_row_longest){{row->length[AF_WALL], row->length[AF_CPU]}};
    }
    return row->longest != 0;
}

static gboolean is_wide(const af_row *row)
{
    return row->longest != 0 && row->length[AF_WALL] == AF_NO_LENGTH_YET;
}

/* `range` is what the row has so far. Without memory the row keeps it. */
static gboolean make_wide(af_rows *rows, af_row *row, const af_extremes *range)
{
    const uint32_t item = add_item(rows, &rows->wide, sizeof *range);
    if (item == 0 || (row->longest == 0 && !add_longest(rows, row))) {
        return FALSE;
    }
    ((af_extremes *)rows->wide.items)[item] = *range;
    row->length[AF_WALL] = row->length[AF_CPU] = AF_NO_LENGTH_YET;
    *af_rows_longest(rows, row) = (af_row_longest){.max = {[AF_WALL] = item}};
    return TRUE;
}

static G_NO_INLINE void close_wide(af_rows *rows, af_row *row, uint64_t wall, uint64_t cpu)
{
    const af_extremes range = af_rows_range(rows, (uint32_t)(row - rows->rows));
    if (is_wide(row) || make_wide(rows, row, &range)) {
        const uint32_t item = af_rows_longest(rows, row)->max[AF_WALL];
        ((af_extremes *)rows->wide.items)[item] =
            (af_extremes){{MIN(range.min[AF_WALL], wall), MIN(range.min[AF_CPU], cpu)},
                          {MAX(range.max[AF_WALL], wall), MAX(range.max[AF_CPU], cpu)}};
    }
}

void af_rows_close_rare(af_rows *rows, af_row *row, uint64_t wall, uint64_t cpu)
{
    if (is_wide(row) || (wall | cpu) >= AF_NO_LENGTH_YET) {
        close_wide(rows, row, wall, cpu);
    } else if (row->longest != 0 || add_longest(rows, row)) {
        uint32_t *min = row->length, *max = af_rows_longest(rows, row)->max;
        if (wall < min[AF_WALL]) {
            min[AF_WALL] = (uint32_t)wall;
        } else if (wall > max[AF_WALL]) {
            max[AF_WALL] = (uint32_t)wall;
        }
        if (cpu < min[AF_CPU]) {
            min[AF_CPU] = (uint32_t)cpu;
        } else if (cpu > max[AF_CPU]) {
            max[AF_CPU] = (uint32_t)cpu;
        }
    }
}

void af_rows_widen(af_rows *rows, uint32_t row, const af_rows *others, uint32_t from)
{
    const af_extremes range = af_rows_range(others, from);
    if (range.min[AF_WALL] <= range.max[AF_WALL]) { /* otherwise it has no call */
        af_rows_close(rows, &rows->rows[row], range.min[AF_WALL], range.min[AF_CPU]);
    }
    if (others->rows[from].longest != 0) {
        af_rows_close(rows, &rows->rows[row], range.max[AF_WALL], range.max[AF_CPU]);
    }
}

static void add_to(af_rows *rows, af_tally *counts, uint32_t row, uint64_t n)
{
    if (!af_tally_add(counts, row, (int64_t)n)) {
        fail(rows);
    }
}

void af_rows_carry_calls(af_rows *rows, uint32_t row)
{
    add_to(rows, &rows->overruns, row, 1);
}

void af_rows_add_calls(af_rows *rows, uint32_t row, uint64_t n)
{
    const uint64_t sum = rows->rows[row].calls + n;
    rows->rows[row].calls = (uint32_t)sum;
    if (sum > UINT32_MAX) {
        add_to(rows, &rows->overruns, row, sum >> 32);
    }
}

uint64_t af_rows_calls(const af_rows *rows, uint32_t row)
{
    const uint64_t low = rows->rows[row].calls;
    return af_tally_size(&rows->overruns) == 0 ? low
                                               : low + (af_tally_get(&rows->overruns, row) << 32);
}

/* Makes a column that few rows need as long as the rows may become. Returns NULL, with the column
 * unchanged, if memory is refused. */
static void *grow_column(af_rows *rows, void *column, uint32_t *length, size_t size)
{
    void *grown = af_pages_grow_touched(column, *length * size, rows->capacity * size);
    if (grown == NULL) {
        fail(rows);
    } else {
        *length = rows->capacity;
    }
    return grown;
}

static gboolean grow_unwinds(af_rows *rows)
{
    uint32_t *grown = grow_column(rows, rows->unwinds, &rows->n_unwinds, sizeof *grown);
    rows->unwinds = grown != NULL ? grown : rows->unwinds;
    return grown != NULL;
}

void af_rows_add_unwinds(af_rows *rows, uint32_t row, uint64_t n)
{
    if (n == 0 || (row >= rows->n_unwinds && !grow_unwinds(rows))) {
        return;
    }
    const uint64_t sum = rows->unwinds[row] + n;
    rows->unwinds[row] = (uint32_t)sum;
    if (sum > UINT32_MAX) {
        add_to(rows, &rows->more_unwinds, row, sum >> 32);
    }
}

uint64_t af_rows_unwinds(const af_rows *rows, uint32_t row)
{
    const uint64_t low = row < rows->n_unwinds ? rows->unwinds[row] : 0;
    return af_tally_size(&rows->more_unwinds) == 0
               ? low
               : low + (af_tally_get(&rows->more_unwinds, row) << 32);
}

static gboolean grow_runnable(af_rows *rows)
{
    uint64_t *grown = grow_column(rows, rows->runnable, &rows->n_runnable, sizeof *grown);
    rows->runnable = grown != NULL ? grown : rows->runnable;
    return grown != NULL;
}

void af_rows_add_runnable(af_rows *rows, uint32_t row, uint64_t ticks)
{
    if (ticks > 0 && (row < rows->n_runnable || grow_runnable(rows))) {
        rows->runnable[row] += ticks;
    }
}

uint64_t af_rows_runnable(const af_rows *rows, uint32_t row)
{
    return row < rows->n_runnable ? rows->runnable[row] : 0;
}

/* ---- the end ---- */

af_extremes *af_rows_take_wide(af_rows *rows, size_t *size)
{
    af_extremes *items = rows->wide.items;
    *size = rows->wide.capacity * sizeof *items;
    rows->wide = (af_row_table){0};
    return items;
}

static gboolean renumber(af_tally *tally, const uint32_t *numbers)
{
    af_tally renumbered;
    gboolean ok = TRUE;
    af_tally_init(&renumbered);
    for (uint32_t i = 0; i < af_tally_size(tally); i++) {
        ok &= af_tally_add(&renumbered, numbers[af_tally_id(tally, i)],
                           (int64_t)af_tally_count(tally, i));
    }
    af_tally_clear(tally);
    *tally = renumbered;
    return ok;
}

#define SWAP(type, a, b)                                                                           \
    do {                                                                                           \
        const type swapped = (a);                                                                  \
        (a) = (b);                                                                                 \
        (b) = swapped;                                                                             \
    } while (0)

/* Sorts the items of `longest` by their rows. `owners` is an array as long as the rows; its contents
 * are destroyed. */
static void sort_items(af_rows *rows, uint32_t *owners)
{
    af_row_longest *items = rows->longest.items;
    const uint32_t n = rows->longest.n == 0 ? 0 : rows->n;
    uint32_t next = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (rows->rows[i].longest != 0) {
            owners[rows->rows[i].longest - 1] = i;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = rows->rows[i].longest;
        if (from != 0) {
            SWAP(af_row_longest, items[from], items[next]);
            owners[from - 1] = owners[next - 1];
            rows->rows[owners[from - 1]].longest = from;
            rows->rows[i].longest = next++;
        }
    }
}

/* In place: a copy of the rows would be the largest allocation of all. */
gboolean af_rows_sort(af_rows *rows, uint32_t *numbers)
{
    af_rows_clear_index(rows);
    if (!renumber(&rows->overruns, numbers) || !renumber(&rows->more_unwinds, numbers) ||
        (rows->unwinds != NULL && rows->n_unwinds < rows->n && !grow_unwinds(rows)) ||
        (rows->runnable != NULL && rows->n_runnable < rows->n && !grow_runnable(rows))) {
        return FALSE;
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].parent != AF_NO_ROW) {
            rows->rows[i].parent = numbers[rows->rows[i].parent];
        }
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        while (numbers[i] != i) {
            const uint32_t to = numbers[i];
            SWAP(af_row, rows->rows[i], rows->rows[to]);
            if (rows->unwinds != NULL) {
                SWAP(uint32_t, rows->unwinds[i], rows->unwinds[to]);
            }
            if (rows->runnable != NULL) {
                SWAP(uint64_t, rows->runnable[i], rows->runnable[to]);
            }
            SWAP(uint32_t, numbers[i], numbers[to]);
        }
    }
    sort_items(rows, numbers);
    rows->sorted = TRUE;
    return TRUE;
}

/* Releases the items of rows before `done`; those of rows below `before` were released already. */
static void drop_items(af_rows *rows, uint32_t before, uint32_t done)
{
    af_row_table *table = &rows->longest;
    uint32_t row = done;
    while (row > before && rows->rows[row - 1].longest == 0) {
        row--;
    }
    if (row > before) {
        const uint32_t n = rows->rows[row - 1].longest + 1;
        af_pages_drop(table->items, table->dropped * sizeof(af_row_longest),
                      n * sizeof(af_row_longest));
        table->dropped = n;
    }
}

void af_rows_drop(af_rows *rows, uint32_t before, uint32_t done)
{
    if (rows->sorted) {
        drop_items(rows, before, done);
    }
    af_pages_drop(rows->rows, before * sizeof *rows->rows, done * sizeof *rows->rows);
    if (rows->unwinds != NULL) {
        af_pages_drop(rows->unwinds, before * sizeof *rows->unwinds, done * sizeof *rows->unwinds);
    }
    if (rows->runnable != NULL) {
        af_pages_drop(rows->runnable, before * sizeof *rows->runnable,
                      done * sizeof *rows->runnable);
    }
}
