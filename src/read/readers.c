#include "read/reader.h"

static const af_reader *const readers[] = {
    &af_reader_v1,
    &af_reader_streaming,
    &af_reader_v2,
    &af_reader_longrunning,
};

const af_reader *af_reader_at(unsigned number)
{
    return number < G_N_ELEMENTS(readers) ? readers[number] : NULL;
}

const af_reader *af_reader_find(const af_source *source, GError **error)
{
    const af_reader *best = NULL;
    int surest = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(readers) && surest < AF_SURE; i++) {
        const int sure = readers[i]->detect(source->bytes, source->length, source->path);
        if (sure > surest) {
            best = readers[i];
            surest = sure;
        }
    }
    if (best == NULL) {
        af_refuse(source, error);
    }
    return best;
}
