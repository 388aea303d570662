/* Counts by id: how often each of a few 64-bit numbers occurred. */
#pragma once

#include "base/idtable.h"

typedef struct {
    af_idtable counts; /* of uint64_t */
} af_tally;

static inline void af_tally_init(af_tally *tally)
{
    af_idtable_init(&tally->counts, sizeof(uint64_t), NULL);
}

static inline void af_tally_clear(af_tally *tally)
{
    af_idtable_clear(&tally->counts);
}

/* FALSE if memory is refused. `n` may be negative. */
static inline gboolean af_tally_add(af_tally *tally, uint64_t id, int64_t n)
{
    uint64_t *count = af_idtable_item(&tally->counts, id);
    if (count != NULL) {
        *count += (uint64_t)n;
    }
    return count != NULL;
}

static inline uint64_t af_tally_get(const af_tally *tally, uint64_t id)
{
    const uint64_t *count = af_idtable_find(&tally->counts, id);
    return count == NULL ? 0 : *count;
}

/* The number of ids, and each of them in order of first use. */
static inline uint32_t af_tally_size(const af_tally *tally)
{
    return (uint32_t)tally->counts.items.n;
}

static inline uint64_t af_tally_id(const af_tally *tally, uint32_t i)
{
    return tally->counts.ids.ids[i];
}

static inline uint64_t af_tally_count(const af_tally *tally, uint32_t i)
{
    return AF_ARRAY_AT(&tally->counts.items, uint64_t, i);
}
