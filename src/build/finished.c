/* The builder's side of build/finished.h. */
#include "build/finished_state.h"

#include "base/aflp.h"
#include "base/memory_error.h"
#include "base/workers.h"
#include "build/naming.h"
#include "build/sink_state.h"
#include "model/labels.h"

/* ---- the sections ---- */

typedef struct {
    af_sink *sink;
    af_finished *finished;
    af_saved saved;
    af_codec methods, labels; /* their sections; .at == NULL without one */
} reading;

static const char *clean_text(void *sink, af_span text)
{
    return af_sink_clean(sink, text);
}

static gboolean fits(void *sink, uint64_t bytes)
{
    return af_sink_fits(sink, bytes);
}

/* The columns are read later, because several threads can share that. */
static gboolean read_tree(const reading *r, af_codec *c)
{
    af_finished *f = r->finished;
    if (f->trees.n >= f->profile->n_threads || !af_sink_fits(r->sink, sizeof(af_finished_tree))) {
        return FALSE;
    }
    af_finished_tree *tree = af_array_add(&f->trees, 1);
    return tree != NULL && af_finished_begin_tree(c, tree, r->sink);
}

/* Methods and labels are read while other threads read the columns of the trees. */
static gboolean read_section(reading *r, af_codec *all, uint64_t *last)
{
    const uint64_t number = af_codec_u64(all, 0), length = af_codec_u64(all, 0);
    if (all->damaged || length > (uint64_t)(all->end - all->at) || number < *last ||
        (number == *last && number != AF_AFLP_TREE) || (*last == 0 && number != AF_AFLP_PROFILE) ||
        (number == AF_AFLP_LABELS && r->saved.by_method)) { /* labels are made from methods */
        return FALSE;
    }
    af_codec content = *all;
    content.end = all->at += length;
    *last = number;
    if (number == AF_AFLP_METHODS || number == AF_AFLP_LABELS) {
        *(number == AF_AFLP_METHODS ? &r->methods : &r->labels) = content;
    } else if (number == AF_AFLP_TREE) {
        return read_tree(r, &content) && !content.damaged;
    } else {
        af_saved_section(&content, (unsigned)MIN(number, UINT_MAX), &r->saved);
    }
    return !content.damaged;
}

/* The number of methods or labels that the trees name. */
static uint32_t count_names(const reading *r)
{
    af_codec names = r->saved.by_method ? r->methods : r->labels;
    return names.at != NULL ? af_codec_count(&names, 1) : 0;
}

static void read_columns(void *user, unsigned tree)
{
    af_finished_read_tree(user, tree);
}

static gboolean read_names_and_columns(reading *r, unsigned jobs)
{
    af_finished *f = r->finished;
    af_work columns;
    af_work_begin(&columns, (unsigned)f->trees.n, jobs, read_columns, f);
    if (r->methods.at != NULL) {
        af_saved_section(&r->methods, AF_AFLP_METHODS, &r->saved);
    }
    if (r->labels.at != NULL && !r->methods.damaged) {
        af_saved_section(&r->labels, AF_AFLP_LABELS, &r->saved);
    }
    af_work_end(&columns);
    gboolean damaged = r->methods.damaged || r->labels.damaged;
    for (size_t t = 0; t < f->trees.n; t++) {
        const af_finished_tree *tree = &AF_ARRAY_AT(&f->trees, af_finished_tree, t);
        af_sink_fail_if(r->sink, tree->refused);
        damaged |= tree->refused || tree->at.damaged;
    }
    return !damaged;
}

gboolean af_finished_read(af_sink *sink, const uint8_t *payload, size_t length,
                          const af_open_options *options)
{
    af_finished *f = sink->finished = g_new0(af_finished, 1);
    af_array text;
    af_array_init_metered(&text, 1, af_sink_meter(sink));
    af_array_init_metered(&f->trees, sizeof(af_finished_tree), af_sink_meter(sink));
    f->profile = g_new0(af_profile, 1);
    f->only_sums = options->only_sums;
    af_codec all = {.at = payload,
                    .end = payload + length,
                    .text = &text,
                    .arena = sink->arena,
                    .clean = clean_text,
                    .fits = fits,
                    .user = sink};
    reading r = {
        .sink = sink, .finished = f, .saved = {f->profile, &sink->facts, &sink->warnings, FALSE}};
    uint64_t last = 0;
    gboolean ok = length > 0;
    while (ok && all.at < all.end && !af_sink_is_stopped(sink)) {
        ok = read_section(&r, &all, &last);
    }
    f->by_method = r.saved.by_method;
    f->n_names = count_names(&r);
    ok = ok && last >= AF_AFLP_THREADS && f->trees.n == f->profile->n_threads &&
         read_names_and_columns(&r, options->jobs);
    for (unsigned i = 0; ok && i < sink->facts.n_keys; i++) { /* the api may add others */
        af_array_append(&sink->key_values, &sink->facts.keys[i]);
    }
    af_array_clear(&text);
    return ok;
}

void af_finished_set_side(af_sink *sink, const char *side)
{
    sink->facts.saved.side = side;
}

void af_finished_free(af_finished *f)
{
    if (f != NULL) {
        af_profile_free(f->profile);
        af_array_clear(&f->trees);
        g_free(f);
    }
}

/* ---- the profile ---- */

/* Names the methods, and makes their labels in the requested style unless those are saved. */
static gboolean take_names(const af_sink *sink, af_profile *profile)
{
    for (uint32_t m = 0; sink->rename != NULL && m < profile->n_methods; m++) {
        if (profile->methods[m].defined) {
            sink->rename(sink->rename_user, profile->arena, &profile->methods[m]);
        }
    }
    if (!sink->finished->by_method) {
        profile->has_categories = TRUE;
        return TRUE;
    }
    g_autofree uint32_t *label_of = g_try_new0(uint32_t, (size_t)profile->n_methods + 1);
    g_autofree af_tree **trees = g_try_new(af_tree *, (size_t)profile->n_threads + 1);
    for (uint32_t t = 0; trees != NULL && t < profile->n_threads; t++) {
        trees[t] = profile->threads[t].tree;
    }
    const gboolean ok = label_of != NULL && trees != NULL && af_labels_make(profile, label_of) &&
                        af_naming_relabel(profile, label_of, NULL, trees, profile->n_threads);
    for (uint32_t t = 0; trees != NULL && t < profile->n_threads; t++) {
        profile->threads[t].tree = trees[t];
    }
    return ok;
}

static gboolean check_names(const af_finished *f, const af_open_options *options, GError **error)
{
    const af_names names = f->profile->names;
    if (f->by_method || names == options->names ||
        (options->names == AF_NAMES_CLASS && !options->names_required)) {
        return TRUE; /* the default gives way to the names in the file */
    }
    static const char *const styles[] = {"class", "short", "full"};
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                "the saved profile has %s names; --names %s needs the trace", styles[names],
                styles[MIN((unsigned)options->names, AF_NAMES_FULL)]);
    return FALSE;
}

af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error)
{
    af_finished *f = sink->finished;
    if (!check_names(f, options, error)) {
        return NULL;
    }
    af_profile *profile = g_steal_pointer(&f->profile);
    profile->arena = g_steal_pointer(&sink->arena);
    profile->facts = sink->facts;
    profile->facts.n_keys = (unsigned)sink->key_values.n;
    profile->facts.keys = af_array_copy(&sink->key_values, profile->arena);
    profile->warnings = sink->warnings;
    profile->names = f->by_method ? options->names : profile->names;
    profile->keeps_methods = options->keep_methods && f->by_method;
    if (!take_names(sink, profile) || !af_profile_title_threads(profile) ||
        af_arena_failed(profile->arena)) {
        af_profile_free(profile);
        af_memory_error_set(error);
        return NULL;
    }
    return profile;
}
