#include "base/tally.h"

void af_tally_init(af_tally *tally)
{
    af_idmap_init_hashed(&tally->ids, NULL);
    af_array_init(&tally->counts, sizeof(uint64_t));
}

void af_tally_clear(af_tally *tally)
{
    af_idmap_clear(&tally->ids);
    af_array_clear(&tally->counts);
}

gboolean af_tally_add(af_tally *tally, uint64_t id, int64_t n)
{
    const uint32_t number = af_idmap_number(&tally->ids, id);
    if (number == AF_IDMAP_NONE || !af_array_reach(&tally->counts, (size_t)number + 1)) {
        return FALSE;
    }
    AF_ARRAY_AT(&tally->counts, uint64_t, number) += (uint64_t)n;
    return TRUE;
}

uint64_t af_tally_get(const af_tally *tally, uint64_t id)
{
    const uint32_t number = tally->counts.n == 0 ? AF_IDMAP_NONE : af_idmap_look(&tally->ids, id);
    return number < tally->counts.n ? AF_ARRAY_AT(&tally->counts, uint64_t, number) : 0;
}
