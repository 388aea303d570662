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
/* Slots grow in place up to one large page, which the system maps at once. */
#define FIRST_INDEX AF_CAPACITY(AF_LARGE_PAGE, 1024)

void af_rows_init(af_rows *rows)
{
    *rows = (af_rows){.secret = af_hash_get_secret(), .most = MOST_ROWS};
}

/* The bytes of the block with this number of slots. */
static size_t size_index(uint64_t n_slots)
{
    return MAX(n_slots * sizeof(uint32_t), FIRST_INDEX);
}

void af_rows_clear_index(af_rows *rows)
{
    if (rows->slots != NULL) {
        af_pages_free(rows->slots, size_index(rows->n_slots));
        rows->slots = NULL;
    }
    rows->n_slots = 0;
    rows->growth_at = 0;
}

void af_rows_clear(af_rows *rows)
{
    af_pages_free(rows->rows, rows->capacity * sizeof *rows->rows);
    af_rows_clear_index(rows);
    *rows = (af_rows){0};
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

/* The rows know their paths, so nothing is copied from the old index. */
static gboolean grow_slots(af_rows *rows)
{
    const uint64_t n = rows->n_slots + more_slots(rows->n_slots);
    if (n > UINT32_MAX) {
        return FALSE;
    }
    if (rows->slots == NULL || size_index(n) > size_index(rows->n_slots)) {
        af_rows_clear_index(rows);
        rows->slots = af_pages_alloc(size_index(n));
        if (rows->slots == NULL) {
            return FALSE;
        }
    }
    /* a page that is read before it is written costs two faults */
    memset(rows->slots, 0, n * sizeof *rows->slots);
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
                                  .min = {UINT64_MAX, UINT64_MAX}};
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

/* In place: a copy of the rows would be the largest allocation of all. */
void af_rows_sort(af_rows *rows, uint32_t *numbers)
{
    af_rows_clear_index(rows);
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].parent != AF_NO_ROW) {
            rows->rows[i].parent = numbers[rows->rows[i].parent];
        }
    }
    for (uint32_t i = 0; i < rows->n; i++) {
        while (numbers[i] != i) {
            const uint32_t to = numbers[i];
            const af_row row = rows->rows[to];
            rows->rows[to] = rows->rows[i];
            rows->rows[i] = row;
            numbers[i] = numbers[to];
            numbers[to] = to;
        }
    }
}

void af_rows_drop(af_rows *rows, uint32_t before, uint32_t done)
{
    af_pages_drop(rows->rows, before * sizeof *rows->rows, done * sizeof *rows->rows);
}
