#include "export/paths.h"

#include "base/number.h"

void af_paths_refuse(const af_profile *profile, const af_selection *selection, const char *what,
                     uint64_t bytes, GError **error)
{
    char depth[AF_NUMBER_SIZE], size[AF_NUMBER_SIZE];
    const uint32_t deepest = af_profile_deepest(profile, selection->threads, selection->n_threads);
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
        af_paths_refuse(profile, selection, what, bytes, error);
    }
    return fits;
}
