#include "model/extremes.h"

#include "base/page_pool.h"
#include "base/pages.h"

af_extremes_table *af_extremes_table_new(uint32_t n)
{
    const size_t words = (size_t)n / 64 + 1;
    af_extremes_table *table = g_new0(af_extremes_table, 1);
    *table = (af_extremes_table){.refs = 1,
                                 .n = n,
                                 .marks = g_try_new0(uint64_t, words),
                                 .before = g_try_new(uint32_t, words)};
    if (table->marks == NULL || table->before == NULL) {
        g_clear_pointer(&table, af_extremes_table_unref);
    }
    return table;
}

af_extremes_table *af_extremes_table_ref(af_extremes_table *table)
{
    g_atomic_int_inc(&table->refs);
    return table;
}

void af_extremes_table_unref(af_extremes_table *table)
{
    if (table == NULL || !g_atomic_int_dec_and_test(&table->refs)) {
        return;
    }
    if (table->pool != NULL) {
        af_page_pool_unref(table->pool);
    } else {
        g_free(table->items);
    }
    af_pages_free(table->wide, table->wide_size);
    g_free(table->marks);
    g_free(table->before);
    g_free(table);
}

size_t af_extremes_table_count(af_extremes_table *table)
{
    table->n_items = 0;
    for (size_t i = 0; i <= table->n / 64; i++) {
        table->before[i] = table->n_items;
        table->n_items += (uint32_t)__builtin_popcountll(table->marks[i]);
    }
    return af_page_pool_round(table->n_items * sizeof *table->items);
}

gboolean af_extremes_table_allocate(af_extremes_table *table, af_page_pool *pool)
{
    if (pool != NULL) {
        table->items = af_page_pool_take(pool, table->n_items * sizeof *table->items);
        table->pool = table->items != NULL ? pool : NULL;
    } else {
        table->items = g_try_new(af_short_extremes, (size_t)table->n_items + 1);
    }
    return table->items != NULL;
}

af_short_extremes *af_extremes_table_at(const af_extremes_table *table, uint32_t number)
{
    const uint64_t earlier = table->marks[number / 64] & ((UINT64_C(1) << number % 64) - 1);
    return &table->items[table->before[number / 64] + (uint32_t)__builtin_popcountll(earlier)];
}
