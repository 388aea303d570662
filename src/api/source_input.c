#include "api/source_input.h"

#include "base/cancel.h"
#include "base/memory_error.h"
#include "api/open.h"
#include "calls/input.h"

typedef struct {
    af_profile_input input; /* first: the profile has a pointer to it */
    af_source *source, *other;
    af_open_options options; /* of the first reading */
    af_cancel *cancel;       /* the one that the sources were opened with */
    GMutex reading;          /* a source has a single offset */
} source_input;

static void free_input(af_profile_input *input)
{
    g_autofree source_input *k = (source_input *)input;
    af_source_free(k->source);
    af_source_free(k->other);
    g_clear_pointer(&k->cancel, af_cancel_free);
    g_mutex_clear(&k->reading);
}

/* A file that was deleted or replaced remains readable through its open descriptor. */
static gboolean check_unchanged(const source_input *k, GError **error)
{
    return af_source_check(k->source, error) && af_source_check(k->other, error);
}

/* If memory is refused, records are lost, and the input would seem to have changed. */
static gboolean was_refused(const af_sink *sink, GError **unread)
{
    if (*unread == NULL && af_sink_was_refused(sink)) {
        af_memory_error_set(unread);
    }
    return g_error_matches(*unread, AF_ERROR, AF_ERROR_MEMORY);
}

/* Reads everything for `consumer`; the caller holds the lock. */
static gboolean read_sources(const source_input *k, const af_walk_plan *plan,
                             const af_event_consumer *consumer, const af_open_options *options,
                             GError **error)
{
    const af_source_needs needs = af_open_needs(options);
    const gboolean rewound = af_source_rewind(k->source, &needs, error) &&
                             (k->other == NULL || af_source_rewind(k->other, &needs, error));
    const af_reader *reader = rewound ? af_reader_find(k->source, options->format, error) : NULL;
    if (reader == NULL) {
        return FALSE;
    }
    af_sink *sink = af_sink_new_again(options, plan, consumer);
    GError *unread = NULL;
    gboolean ok = af_open_read(reader, k->source, k->other, options, sink, &unread);
    if (was_refused(sink, &unread)) {
        ok = FALSE;
        g_propagate_error(error, g_steal_pointer(&unread));
    } else if (consumer->finish != NULL && !consumer->finish(consumer->user, sink, error)) {
        ok = FALSE;
    } else if (!ok) {
        g_propagate_error(error, g_steal_pointer(&unread));
    }
    g_clear_error(&unread);
    af_sink_free(sink);
    return ok;
}

static gboolean read_again(af_profile_input *input, const af_walk_plan *plan,
                           const af_event_consumer *consumer, const af_call_walk_options *options,
                           GError **error)
{
    source_input *k = (source_input *)input;
    af_open_options open = k->options;
    if (options != NULL) {
        open.cancel = options->cancel;
        open.progress = options->progress;
        open.progress_user = options->progress_user;
    }
    g_mutex_lock(&k->reading);
    gboolean ok = check_unchanged(k, error) && read_sources(k, plan, consumer, &open, error);
    g_mutex_unlock(&k->reading);
    if (af_cancel_is_requested(open.cancel)) {
        ok = FALSE;
        g_clear_error(error);
        af_cancel_check(open.cancel, error);
    } else if (ok) {
        ok = check_unchanged(k, error);
    }
    return ok;
}

void af_source_input_attach(af_profile *profile, af_source *source, af_source *other,
                            const af_open_options *options)
{
    source_input *k = g_new0(source_input, 1);
    k->input = (af_profile_input){.read_again = read_again, .free = free_input};
    k->source = source;
    k->other = other;
    k->options = *options;
    k->options.cancel = NULL;
    k->options.mappings = NULL; /* the labels have been renamed already */
    k->options.progress = NULL;
    k->cancel = af_cancel_keep(options->cancel);
    g_mutex_init(&k->reading);
    af_input_attach(profile, &k->input);
}
