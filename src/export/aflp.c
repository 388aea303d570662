/* Writes a saved profile (base/aflp.h): everything that a profile holds, except single calls. It
 * can be opened wherever its trace can be opened. */
#include <libdeflate.h>
#include <string.h>

#include "base/aflp.h"
#include "base/append.h"
#include "base/memory_error.h"
#include "export/aflp.h"
#include "export/aflp_payload.h"
#include "export/exporter.h"
#include "model/tree_prune.h"

/* Levels of deflate. The fast one only measures a profile that may exceed the limit. */
enum { LEVEL = 6, FAST_LEVEL = 1 };

/* The usual bytes of a heavy node, and the multiple of the limit that is certainly too much. */
enum { NODE_BYTES = 9, FAR_TOO_MANY = 3 };

/* Attempts to fit into a limit; the last one is as small as a profile can be. */
enum { ATTEMPTS = 6 };

/* The payload in pieces. FALSE if memory is refused. */
static gboolean append_pieces(af_array *to, const uint8_t *bytes, size_t length, int level)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    const size_t most =
        compressor != NULL ? libdeflate_zlib_compress_bound(compressor, AF_AFLP_PIECE) : 0;
    uint8_t *packed = compressor != NULL ? g_try_malloc(most) : NULL;
    for (size_t at = 0; packed != NULL && at < length; at += AF_AFLP_PIECE) {
        const size_t n = libdeflate_zlib_compress(compressor, bytes + at,
                                                  MIN(length - at, AF_AFLP_PIECE), packed, most);
        af_append_uleb128(to, n);
        af_append_bytes(to, packed, n);
    }
    const gboolean ok = packed != NULL;
    g_free(packed);
    if (compressor != NULL) {
        libdeflate_free_compressor(compressor);
    }
    return ok;
}

/* `file` is empty. FALSE if memory is refused. */
static gboolean append_file(const af_aflp_saving *w, af_array *file, int level)
{
    af_array bytes;
    af_array_init(&bytes, 1);
    gboolean ok = af_aflp_payload_write(&bytes, w);
    if (ok) {
        const uint8_t *payload = bytes.items;
        const size_t length = bytes.n;
        const uint32_t crc = GUINT32_TO_LE(libdeflate_crc32(0, payload, length));
        const uint8_t version = AF_AFLP_VERSION;
        af_append_bytes(file, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE);
        af_append_bytes(file, &version, 1);
        af_append_uleb128(file, length);
        ok = append_pieces(file, payload, length, level);
        af_append_bytes(file, &crc, sizeof crc);
    }
    af_array_clear(&bytes);
    return ok && !file->failed;
}

/* The profile with the `n_nodes` heaviest nodes. FALSE if memory is refused. */
static gboolean append_heaviest(af_aflp_saving *w, const af_aflp_whole *whole, uint64_t n_nodes,
                                af_array *file)
{
    af_aflp_rest_clear(&w->rest);
    file->n = 0;
    return af_aflp_prune(whole, n_nodes, &w->rest) && append_file(w, file, LEVEL);
}

/* Reduces the number of nodes until the file fits. The file has `n_nodes` now. */
static gboolean shrink(af_aflp_saving *w, const af_aflp_whole *whole, uint64_t n_nodes,
                       af_array *file)
{
    const size_t most = w->options->most_bytes;
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && i < ATTEMPTS && file->n > most; i++) {
        const double share = (double)most / (double)file->n;
        /* the nodes that stay have the larger numbers */
        n_nodes = i + 1 < ATTEMPTS ? (uint64_t)((double)n_nodes * share * 0.8) : 0;
        ok = append_heaviest(w, whole, n_nodes, file);
    }
    return ok;
}

/* Saves everything that fits into the limit. Ranking all nodes of a large profile takes long, so
 * the heaviest ones are tried first: if all nodes together would be far too large, these or a few
 * more are enough. */
static gboolean append_within(af_aflp_saving *w, const af_aflp_whole *whole, uint64_t n_nodes,
                              af_array *file)
{
    const size_t most = w->options->most_bytes;
    const uint64_t n_first = most / NODE_BYTES;
    if (n_nodes > n_first * FAR_TOO_MANY) {
        if (!append_heaviest(w, whole, n_first, file)) {
            return FALSE;
        }
        if ((double)file->n / (double)n_first * (double)n_nodes > (double)most * FAR_TOO_MANY) {
            return shrink(w, whole, n_first, file);
        }
        af_aflp_rest_clear(&w->rest);
        file->n = 0;
    }
    /* few nodes fit; otherwise a file far above the limit at the fast level exceeds it at the
     * better level too */
    if (n_nodes > n_first && !append_file(w, file, FAST_LEVEL)) {
        return FALSE;
    }
    if (file->n < most + most / 2) {
        file->n = 0;
        if (!append_file(w, file, LEVEL)) {
            return FALSE;
        }
    }
    return shrink(w, whole, n_nodes, file);
}

static gboolean append_limited(af_aflp_saving *w, af_array *file)
{
    af_aflp_whole whole = {w->profile, w->threads, w->options->n_threads, w->by_method, NULL};
    const af_tree **trees = g_try_new(const af_tree *, (size_t)whole.n_threads + 1);
    uint64_t n_nodes = 0;
    for (uint32_t t = 0; trees != NULL && t < whole.n_threads; t++) {
        trees[t] = w->threads[t].tree;
        n_nodes += trees[t]->n - 1;
    }
    whole.ranking =
        trees == NULL ? NULL : af_ranking_new(trees, whole.n_threads, w->options->clock);
    const gboolean ok = whole.ranking != NULL && append_within(w, &whole, n_nodes, file);
    af_ranking_free(whole.ranking);
    g_free(trees);
    return ok;
}

/* The tree of a thread with the names that are saved. */
static af_aflp_nodes name_nodes(const af_profile *profile, uint32_t thread, gboolean by_method)
{
    const af_tree *tree = profile->threads[thread].tree;
    if (by_method && tree->apart != NULL) {
        return (af_aflp_nodes){tree->apart, tree->apart->label, NULL};
    }
    if (by_method && tree->method != NULL) {
        return (af_aflp_nodes){tree, tree->method, NULL};
    }
    return (af_aflp_nodes){tree, tree->label, by_method ? profile->labels : NULL};
}

GBytes *af_aflp_save(const af_profile *profile, const af_aflp_options *options, uint64_t *left_out,
                     GError **error)
{
    af_aflp_saving w = {
        .profile = profile, .options = options, .by_method = profile->keeps_methods};
    af_array file;
    af_array_init(&file, 1);
    w.threads = g_try_new(af_aflp_nodes, (size_t)options->n_threads + 1);
    for (uint32_t i = 0; w.threads != NULL && i < options->n_threads; i++) {
        w.threads[i] = name_nodes(profile, options->threads[i], w.by_method);
    }
    const size_t most = options->most_bytes;
    const gboolean ok =
        w.threads != NULL && (most > 0 ? append_limited(&w, &file) : append_file(&w, &file, LEVEL));
    *left_out = w.rest.left_out;
    af_aflp_rest_clear(&w.rest);
    g_free(w.threads);
    if (!ok) {
        af_array_clear(&file);
        af_memory_error_set(error);
        return NULL;
    }
    return g_bytes_new_take(file.items, file.n);
}

static gboolean write_file(const af_profile *profile, const af_selection *selection, af_out *out,
                           GError **error)
{
    const af_aflp_options options = {.threads = selection->threads,
                                     .n_threads = selection->n_threads,
                                     .input = selection->input};
    uint64_t left_out;
    g_autoptr(GBytes) bytes = af_aflp_save(profile, &options, &left_out, error);
    if (bytes == NULL) {
        return FALSE;
    }
    gsize length;
    const void *at = g_bytes_get_data(bytes, &length);
    af_out_bytes(out, at, length);
    return TRUE;
}

const af_exporter af_exporter_aflp = {
    .name = "aflp",
    .extensions = "aflp",
    .title = "saved profile: all trees and facts, without single calls, for aflame",
    .all_clocks = TRUE,
    .binary = TRUE,
    .write = write_file,
};
