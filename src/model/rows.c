#include "model/rows.h"

#include "base/pages.h"

#define FIRST_ROWS 1024u
#define MOST_ROWS  (UINT32_MAX - 1)

void af_rows_init(af_rows *rows)
{
    *rows = (af_rows){.unwinds = g_hash_table_new(NULL, NULL),
                      .overruns = g_hash_table_new(NULL, NULL)};
}

static size_t slots_size(const af_rows *rows)
{
    return ((size_t)rows->slot_mask + 1) * sizeof *rows->slots;
}

void af_rows_clear_index(af_rows *rows)
{
    if (rows->slots != NULL) {
        af_pages_free(rows->slots, slots_size(rows));
        rows->slots = NULL;
    }
}

void af_rows_clear(af_rows *rows)
{
    af_pages_free(rows->rows, rows->capacity * sizeof *rows->rows);
    af_pages_free(rows->parents, rows->capacity * sizeof *rows->parents);
    af_rows_clear_index(rows);
    g_clear_pointer(&rows->unwinds, g_hash_table_unref);
    g_clear_pointer(&rows->overruns, g_hash_table_unref);
    *rows = (af_rows){0};
}

static inline uint32_t hash_path(uint32_t parent, uint32_t method)
{
    const uint64_t h = ((uint64_t)parent << 32 | method) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32);
}

static void put_slot(af_rows *rows, uint32_t row)
{
    uint32_t at = hash_path(rows->parents[row], rows->rows[row].method) & rows->slot_mask;
    while (rows->slots[at].next_row != 0) {
        at = (at + 1) & rows->slot_mask;
    }
    rows->slots[at] = (af_row_slot){rows->rows[row].method, row + 1};
}

/* Room in the index for one more row than there are; at most half of the slots are in use. */
static gboolean grow_slots(af_rows *rows)
{
    if (rows->slots != NULL && rows->n < rows->slot_mask / 2) {
        return TRUE;
    }
    const uint64_t n = rows->slots == NULL ? 4 * FIRST_ROWS : ((uint64_t)rows->slot_mask + 1) * 2;
    af_row_slot *slots = n > UINT32_MAX ? NULL : af_pages_alloc(n * sizeof *slots);
    if (slots == NULL) {
        return FALSE;
    }
    af_rows_clear_index(rows);
    rows->slots = slots;
    rows->slot_mask = (uint32_t)(n - 1);
    for (uint32_t i = 0; i < rows->n; i++) {
        if (rows->parents[i] != AF_NO_ROW) {
            put_slot(rows, i);
        }
    }
    return TRUE;
}

static gboolean grow_rows(af_rows *rows)
{
    if (rows->n < rows->capacity) {
        return TRUE;
    }
    const size_t before = rows->capacity;
    const size_t capacity = before == 0 ? FIRST_ROWS : MIN(before * 2, MOST_ROWS);
    if (rows->n == MOST_ROWS) {
        return FALSE;
    }
    uint32_t *parents =
        af_pages_grow(rows->parents, before * sizeof *parents, capacity * sizeof *parents);
    if (parents == NULL) {
        return FALSE;
    }
    rows->parents = parents;
    af_row *grown = af_pages_grow(rows->rows, before * sizeof *grown, capacity * sizeof *grown);
    if (grown == NULL) {
        /* the other array stays larger than the capacity says; its size must be known again */
        rows->parents = af_pages_grow(parents, capacity * sizeof *parents,
                                      MAX(before, 1) * sizeof *parents);
        return FALSE;
    }
    rows->rows = grown;
    rows->capacity = (uint32_t)capacity;
    return TRUE;
}

/* The slots are grown first, so that a refusal leaves no row that cannot be found again. */
static uint32_t add_row(af_rows *rows, uint32_t parent, uint32_t method)
{
    if (rows->failed || !grow_slots(rows) || !grow_rows(rows)) {
        rows->failed = TRUE;
        return AF_NO_ROW;
    }
    rows->rows[rows->n] = (af_row){.method = method,
                                   .last_child = AF_NO_ROW,
                                   .follower = AF_NO_ROW,
                                   .min = {UINT64_MAX, UINT64_MAX}};
    rows->parents[rows->n] = parent;
    return rows->n++;
}

uint32_t af_rows_add_root(af_rows *rows)
{
    return add_row(rows, AF_NO_ROW, AF_NO_ROW);
}

void af_rows_adopt(af_rows *rows, uint32_t root, uint32_t parent, uint32_t method)
{
    rows->parents[root] = parent;
    rows->rows[root].method = method;
    put_slot(rows, root);
}

uint32_t af_rows_find_child(af_rows *rows, uint32_t parent, uint32_t method)
{
    if (rows->slots != NULL) {
        for (uint32_t at = hash_path(parent, method) & rows->slot_mask;
             rows->slots[at].next_row != 0; at = (at + 1) & rows->slot_mask) {
            const uint32_t row = rows->slots[at].next_row - 1;
            if (rows->slots[at].method == method && rows->parents[row] == parent) {
                return row;
            }
        }
    }
    const uint32_t row = add_row(rows, parent, method);
    if (row != AF_NO_ROW) {
        put_slot(rows, row);
    }
    return row;
}

static void add_to(GHashTable *counts, uint32_t row, uint64_t n)
{
    gpointer key = GUINT_TO_POINTER(row);
    const gsize known = GPOINTER_TO_SIZE(g_hash_table_lookup(counts, key));
    g_hash_table_insert(counts, key, GSIZE_TO_POINTER(known + n));
}

void af_rows_carry_calls(af_rows *rows, uint32_t row)
{
    add_to(rows->overruns, row, 1);
}

void af_rows_add_calls(af_rows *rows, uint32_t row, uint64_t n)
{
    const uint64_t sum = rows->rows[row].calls + n;
    rows->rows[row].calls = (uint32_t)sum;
    if (sum > UINT32_MAX) {
        add_to(rows->overruns, row, sum >> 32);
    }
}

uint64_t af_rows_calls(const af_rows *rows, uint32_t row)
{
    const uint64_t low = rows->rows[row].calls;
    if (g_hash_table_size(rows->overruns) == 0) {
        return low;
    }
    return low + ((uint64_t)GPOINTER_TO_SIZE(
                      g_hash_table_lookup(rows->overruns, GUINT_TO_POINTER(row)))
                  << 32);
}

void af_rows_add_unwinds(af_rows *rows, uint32_t row, uint64_t n)
{
    if (n > 0) {
        add_to(rows->unwinds, row, n);
    }
}

uint64_t af_rows_unwinds(const af_rows *rows, uint32_t row)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(rows->unwinds, GUINT_TO_POINTER(row)));
}
