/* Counts by id: how often each of a few 64-bit numbers occurred. */
#pragma once

#include "base/array.h"
#include "base/idmap.h"

typedef struct {
    af_idmap ids;
    af_array counts; /* of uint64_t, by number in `ids` */
} af_tally;

void af_tally_init(af_tally *tally);
void af_tally_clear(af_tally *tally);

/* FALSE if memory is refused. `n` may be negative. */
gboolean af_tally_add(af_tally *tally, uint64_t id, int64_t n);

uint64_t af_tally_get(const af_tally *tally, uint64_t id);

/* The number of ids, and each of them in order of first use. */
static inline uint32_t af_tally_size(const af_tally *tally)
{
    return (uint32_t)tally->counts.n;
}

static inline uint64_t af_tally_id(const af_tally *tally, uint32_t i)
{
    return tally->ids.ids[i];
}

static inline uint64_t af_tally_count(const af_tally *tally, uint32_t i)
{
    return AF_ARRAY_AT(&tally->counts, uint64_t, i);
}
