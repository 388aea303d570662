#include "api/autoptr.h"
#include "build/profile_builder.h"
#include "reading.h"

#include "calls/input.h"
#include "checks.h"

/* The input of a profile: the sink is filled again. */
typedef struct {
    af_profile_input input;
    fuzz_fill fill;
    const void *user;
    const af_open_options *options;
} filled_input;

static gboolean read_again(af_profile_input *input, const af_walk_plan *plan,
                           const af_event_consumer *consumer, const af_call_walk_options *options,
                           GError **error)
{
    const filled_input *f = (const filled_input *)input;
    af_sink *sink = af_sink_new_again(f->options, plan, consumer);
    const gboolean ok = f->fill(f->user, sink, error) &&
                        (consumer->finish == NULL || consumer->finish(consumer->user, sink, error));
    af_sink_free(sink);
    return ok;
}

static void free_nothing(af_profile_input *input)
{
}

void fuzz_build(fuzz_fill fill, const void *user, const af_open_options *how, gboolean selected)
{
    af_open_options options = *how;
    options.keep_input = TRUE;
    options.jobs = 1;
    filled_input again = {{read_again, free_nothing}, fill, user, &options};
    af_sink *sink = af_sink_new(&options);
    GError *error = NULL;
    g_autoptr(af_profile) profile =
        fill(user, sink, &error) ? af_sink_finish(sink, &options, &error) : NULL;
    af_sink_free(sink);
    if (profile == NULL) {
        fuzz_check_error(error);
        return;
    }
    FUZZ_CHECK(error == NULL);
    af_categories_assign(profile);
    fuzz_check_profile(profile);
    if (selected) {
        af_input_attach(profile, &again.input);
        fuzz_check_texts(profile);
        fuzz_check_calls(profile);
    }
}

typedef struct {
    const af_reader *reader;
    const af_open_options *options;
    af_source source;
    const af_source *half;
} reading;

static gboolean read_sources(const void *user, af_sink *sink, GError **error)
{
    const reading *r = user;
    af_source source = r->source, half = r->half != NULL ? *r->half : r->source; /* fresh copies */
    return r->reader->read(&source, r->half != NULL ? &half : NULL, r->options, sink, error);
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
    options.keep_input = TRUE;
    options.jobs = 1;
    const reading r = {reader, &options, source, half};
    fuzz_was_read = TRUE;
    fuzz_build(read_sources, &r, &options, fuzz_selects(source.bytes, source.length));
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
