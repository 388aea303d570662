#include "api/autoptr.h"
#include "build/profile_builder.h"
#include "reading.h"

#include "again.h"
#include "checks.h"

typedef struct {
    const af_reader *reader;
    const af_open_options *options;
    af_source source, other;
    gboolean has_other;
    const af_walk_plan *plan;
} rereading;

static gboolean tell(void *user, const af_observer *observer)
{
    const rereading *r = user;
    af_source source = r->source, other = r->other; /* fresh copies for each reading */
    af_call_walk *walk = af_call_walk_new(r->plan, observer);
    const af_event_consumer consumer = af_call_walk_consumer(walk);
    af_sink *sink = af_sink_new_again(r->options, r->plan, &consumer);
    GError *error = NULL;
    FUZZ_CHECK(r->reader->read(&source, r->has_other ? &other : NULL, r->options, sink, &error));
    const gboolean finished = af_call_walk_finish(walk, NULL);
    af_sink_free(sink);
    af_call_walk_free(walk);
    return finished;
}

void fuzz_read(const af_reader *reader, af_source source, const af_source *half)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    fuzz_read_with(reader, source, half, &options);
}

void fuzz_read_with(const af_reader *reader, af_source source, const af_source *half,
                    const af_open_options *how)
{
    af_open_options options = *how;
    fuzz_was_read = TRUE;
    options.keep_input = TRUE;
    options.jobs = 1;
    rereading again = {
        .reader = reader, .options = how, .source = source, .has_other = half != NULL};
    again.other = half != NULL ? *half : again.other;
    af_source half_copy = again.other, *other = half != NULL ? &half_copy : NULL;
    af_sink *sink = af_sink_new(&options);
    GError *error = NULL;
    if (!reader->read(&source, other, &options, sink, &error)) {
        fuzz_check_error(error);
        af_sink_free(sink);
        return;
    }
    FUZZ_CHECK(error == NULL);
    g_autoptr(af_profile) profile = af_sink_finish(sink, &options, &error);
    af_sink_free(sink);
    if (profile == NULL) {
        fuzz_check_error(error);
        return;
    }
    af_categories_assign(profile);
    fuzz_check_profile(profile);
    const gboolean selected = fuzz_selects(source.bytes, source.length);
    if (selected) {
        fuzz_check_texts(profile);
    }
    again.plan = profile->walk_plan;
    /* samples and saved profiles have no single calls */
    if (selected && !af_content_has_weights(profile->facts.content) &&
        profile->facts.saved.version == NULL) {
        fuzz_check_again(profile, tell, &again);
    }
}

void fuzz_read_saved(af_source source)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    GError *error = NULL;
    g_autoptr(af_profile) profile = NULL;
    fuzz_was_read = TRUE;
    if (af_reader_aflp.read(&source, NULL, &options, sink, &error)) {
        profile = af_sink_finish(sink, &options, &error);
    }
    af_sink_free(sink);
    if (profile == NULL) {
        fuzz_check_error(error);
        return;
    }
    FUZZ_CHECK(af_categories_assign(profile));
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        const af_tree *tree = profile->threads[t].tree;
        FUZZ_CHECK(af_tree_check(tree) == NULL);
        for (uint32_t i = 1; i < tree->n; i++) {
            FUZZ_CHECK(tree->label[i] < profile->n_labels);
        }
    }
}
