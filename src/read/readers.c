#include "read/reader.h"

static const af_reader *const readers[] = {
    &af_reader_v1,
    &af_reader_streaming,
    &af_reader_v2,
    &af_reader_perfdata,
    &af_reader_reportsample,
    &af_reader_spall,
    &af_reader_chrome,
    &af_reader_longrunning,
    &af_reader_folded,
    &af_reader_perfscript,
};

const af_reader *af_reader_at(unsigned number)
{
    return number < G_N_ELEMENTS(readers) ? readers[number] : NULL;
}

/* NULL if there is none; *unsure is set if one may be for it when more is known. */
static const af_reader *find_surest(const af_source *source, gboolean *unsure)
{
    const af_reader *best = NULL;
    int surest = 0;
    *unsure = FALSE;
    for (unsigned i = 0; i < G_N_ELEMENTS(readers) && surest < AF_SURE; i++) {
        const int sure =
            readers[i]->detect(source->bytes, source->length, source->more, source->path);
        *unsure |= sure == AF_UNSURE;
        if (sure > surest) {
            best = readers[i];
            surest = sure;
        }
    }
    return best;
}

const af_reader *af_reader_find(af_source *source, GError **error)
{
    for (;;) {
        gboolean unsure;
        const af_reader *best = find_surest(source, &unsure);
        if (best != NULL) {
            return best;
        }
        if (!unsure) {
            af_refuse(source, error);
            return NULL;
        }
        if (!af_source_reach(source, source->length * 2, error)) {
            return NULL;
        }
    }
}
