#include "export/paths.h"

#include "base/number.h"

uint32_t af_paths_deepest(const af_profile *profile, const af_selection *selection)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        const af_tree *tree = profile->threads[selection->threads[i]].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            deepest = MAX(deepest, tree->depth[n]);
        }
    }
    return deepest;
}

void af_paths_refuse(const char *what, uint64_t bytes, uint32_t deepest, GError **error)
{
    char depth[AF_NUMBER_SIZE], size[AF_NUMBER_SIZE];
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "%s would be up to %s MB of text, because calls are nested up to %s levels deep "
                "and each line names all callers; nothing was written (--any-size writes it)",
                what, af_number_count(size, bytes / 1000000), af_number_count(depth, deepest));
}

gboolean af_paths_check(const af_profile *profile, const af_selection *selection,
                        unsigned frame_bytes, const char *what, GError **error)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < selection->n_threads; i++) {
        const af_tree *tree = profile->threads[selection->threads[i]].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            bytes += (uint64_t)tree->depth[n] * frame_bytes; /* 2^32 nodes as deep: below 2^64 */
            bytes = MIN(bytes, AF_PATHS_MOST_COUNTED);
        }
    }
    const gboolean fits = selection->most_bytes == 0 || bytes <= selection->most_bytes;
    if (!fits) {
        af_paths_refuse(what, bytes, af_paths_deepest(profile, selection), error);
    }
    return fits;
}
