#include "export/aflp_payload.h"

#include <string.h>

#include "base/aflp.h"
#include "base/append.h"
#include "export/aflp_tree.h"
#include "model/run_sums.h"
#include "model/saved_sections.h"

/* The name of time that was left out. */
static const af_method left_out_method = {.line = -1, .proxy = "[left out]"};

/* The methods that remain. FALSE if memory is refused. */
static gboolean take_methods(const af_aflp_rest *rest, af_profile *to)
{
    const af_method *all = to->methods;
    to->methods = g_try_new(af_method, (size_t)rest->n_methods + 1);
    to->n_methods = rest->n_methods + (rest->left_out > 0);
    for (uint32_t m = 0; to->methods != NULL && m < to->n_methods; m++) {
        to->methods[m] = m < rest->n_methods ? all[rest->methods[m]] : left_out_method;
    }
    return to->methods != NULL;
}

/* The labels that remain, with the numbers of their methods among those that do. */
static gboolean take_labels(const af_aflp_rest *rest, af_profile *to)
{
    const af_label left_out = {.text = left_out_method.proxy,
                               .method = rest->n_methods,
                               .methods = 1,
                               .category = AF_CATEGORY_UNKNOWN};
    const af_label *all = to->labels;
    to->labels = g_try_new(af_label, (size_t)rest->n_labels + 1);
    to->n_labels = rest->n_labels + (rest->left_out > 0);
    for (uint32_t l = 0; to->labels != NULL && l < to->n_labels; l++) {
        to->labels[l] = l < rest->n_labels ? all[rest->labels[l]] : left_out;
        if (l < rest->n_labels) {
            to->labels[l].method = rest->index_of[to->labels[l].method];
        }
    }
    return to->labels != NULL;
}

static void add_warnings(const af_aflp_saving *w, af_warnings *to)
{
    const uint32_t n_threads = w->options->n_threads;
    to->count[AF_WARN_OTHER_SIDE] = 0; /* of the file it was read from */
    if (w->rest.left_out > 0) {
        af_warnings_add(to, AF_WARN_LEFT_OUT, w->rest.left_out, AF_NO_OFFSET);
    }
    if (w->options->warns_of_others && n_threads < w->profile->n_threads) {
        af_warnings_add(to, AF_WARN_THREADS_LEFT_OUT, w->profile->n_threads - n_threads,
                        AF_NO_OFFSET);
    }
}

/* The section began at `begin`: inserts its number and length there. */
static void close_section(af_array *bytes, size_t begin, unsigned section)
{
    uint8_t head[2 * AF_ULEB128_MAX];
    const size_t length = bytes->n - begin;
    const size_t n = (size_t)(af_uleb128_put(af_uleb128_put(head, section), length) - head);
    if (af_array_add(bytes, n) != NULL) {
        uint8_t *content = (uint8_t *)bytes->items + begin;
        memmove(content + n, content, length);
        memcpy(content, head, n);
    }
}

static void write_section(af_array *bytes, unsigned section, af_saved *saved)
{
    const size_t begin = bytes->n;
    af_codec codec = {.bytes = bytes};
    af_saved_section(&codec, section, saved);
    close_section(bytes, begin, section);
}

static void write_tree(af_array *bytes, const af_aflp_saving *w, uint32_t i)
{
    const size_t begin = bytes->n;
    af_aflp_nodes nodes = w->threads[i];
    if (w->rest.trees != NULL) {
        nodes = (af_aflp_nodes){w->rest.trees[i], w->rest.trees[i]->label, NULL};
    }
    af_aflp_tree_write(bytes, &nodes);
    if (!w->by_method) {
        af_append_bytes(bytes, nodes.tree->reason + 1, nodes.tree->n - 1);
    }
    close_section(bytes, begin, AF_AFLP_TREE);
}

static void write_sections(af_array *bytes, const af_aflp_saving *w, af_profile *profile)
{
    af_saved saved = {profile, &profile->facts, &profile->warnings, w->by_method};
    for (unsigned section = AF_AFLP_PROFILE; section < AF_AFLP_TREE; section++) {
        if (section != AF_AFLP_LABELS || !w->by_method) {
            write_section(bytes, section, &saved);
        }
    }
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        write_tree(bytes, w, i);
    }
    if (profile->run_sums != NULL) {
        write_section(bytes, AF_AFLP_RUNS, &saved);
    }
}

gboolean af_aflp_payload_write(af_array *bytes, const af_aflp_saving *w)
{
    af_profile saved = *w->profile; /* borrows nearly everything */
    af_run_sums bare;
    /* Sums of runs cannot follow steps or a choice of threads. */
    if (saved.run_sums != NULL &&
        (saved.base != NULL || w->rest.trees != NULL || w->options->n_threads < saved.n_threads)) {
        bare = (af_run_sums){.n_runs = saved.run_sums->n_runs};
        saved.run_sums = &bare;
    }
    saved.facts.saved.version = AFLAME_VERSION;
    saved.facts.saved.input = w->options->input;
    add_warnings(w, &saved.warnings);
    saved.n_threads = w->options->n_threads;
    saved.threads = g_try_new(af_thread, (size_t)saved.n_threads + 1);
    for (uint32_t i = 0; saved.threads != NULL && i < saved.n_threads; i++) {
        saved.threads[i] = w->profile->threads[w->options->threads[i]];
    }
    const gboolean ok = saved.threads != NULL &&
                        (w->rest.methods == NULL || take_methods(&w->rest, &saved)) &&
                        (w->rest.labels == NULL || take_labels(&w->rest, &saved));
    if (ok) {
        write_sections(bytes, w, &saved);
    }
    g_free(saved.threads);
    if (saved.methods != w->profile->methods) {
        g_free(saved.methods);
    }
    if (saved.labels != w->profile->labels) {
        g_free(saved.labels);
    }
    return ok && !bytes->failed;
}
