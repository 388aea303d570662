#include "api/kept_input.h"

#include "base/memory_error.h"
#include "api/open.h"

#include <sys/stat.h>

typedef struct {
    af_source *source, *other;
    af_open_options options; /* what the first reading was asked */
    struct stat seen[2];     /* the files of both; st_ino 0 = not known */
    GCancellable *cancel;    /* that the sources were opened with */
    GMutex reading;          /* a source is at one place at a time */
} kept;

static void see(const af_source *source, struct stat *seen)
{
    if (source == NULL || source->path == NULL || stat(source->path, seen) != 0) {
        *seen = (struct stat){0};
    }
}

static void free_kept(void *input)
{
    kept *k = input;
    af_source_free(k->source);
    af_source_free(k->other);
    g_clear_object(&k->cancel);
    g_mutex_clear(&k->reading);
    g_free(k);
}

void af_kept_input_attach(af_profile *profile, af_source *source, af_source *other,
                          const af_open_options *options)
{
    kept *k = g_new0(kept, 1);
    k->source = source;
    k->other = other;
    k->options = *options;
    k->options.cancel = NULL;
    k->options.mappings = NULL; /* the labels have their names */
    k->options.progress = NULL;
    k->cancel = options->cancel == NULL ? NULL : g_object_ref(options->cancel);
    g_mutex_init(&k->reading);
    see(source, &k->seen[0]);
    see(other, &k->seen[1]);
    profile->input = k;
    profile->free_input = free_kept;
}

/* Whether somebody has written into the file. One that was deleted or replaced is still there for
 * who has it open. */
static gboolean is_written(const af_source *source, const struct stat *seen)
{
    struct stat now;
    see(source, &now);
    return now.st_ino != 0 && now.st_ino == seen->st_ino && now.st_dev == seen->st_dev &&
           (now.st_size != seen->st_size || now.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != seen->st_mtim.tv_nsec);
}

static gboolean check_unchanged(const kept *k, GError **error)
{
    if (!is_written(k->source, &k->seen[0]) && !is_written(k->other, &k->seen[1])) {
        return TRUE;
    }
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MISSING, AF_INPUT_CHANGED);
    return FALSE;
}

/* Without memory the input seems to be another one: records name nothing, or are not there. */
static gboolean was_refused(const af_sink *sink, GError **unread)
{
    if (*unread == NULL && af_sink_was_refused(sink)) {
        af_memory_error_set(unread);
    }
    return g_error_matches(*unread, AF_ERROR, AF_ERROR_MEMORY);
}

/* Gives everything to `consumer`, which belongs to `walk` if that is not NULL. */
static gboolean read_again(const kept *k, const af_walk_plan *plan, af_call_walk *walk,
                           const af_event_consumer *consumer, const af_open_options *options,
                           GError **error)
{
    const af_source_needs needs = af_open_needs(options);
    const gboolean rewound = af_source_rewind(k->source, &needs, error) &&
                             (k->other == NULL || af_source_rewind(k->other, &needs, error));
    const af_reader *reader = rewound ? af_reader_find(k->source, error) : NULL;
    af_sink *sink = reader == NULL ? NULL : af_sink_new_again(options, plan, consumer);
    GError *unread = NULL;
    gboolean ok = sink != NULL && af_open_read(reader, k->source, k->other, options, sink, &unread);
    if (sink != NULL && was_refused(sink, &unread)) {
        ok = FALSE;
        g_propagate_error(error, g_steal_pointer(&unread));
    } else if (sink != NULL) {
        /* an error of the walk is nearer to the cause than one of the reader */
        const gboolean finished = walk == NULL || af_call_walk_finish(walk, error);
        if (finished && !ok) {
            g_propagate_error(error, g_steal_pointer(&unread));
        }
        ok = ok && finished;
        if (ok && consumer->end != NULL) {
            consumer->end(consumer->user, sink);
        }
    }
    g_clear_error(&unread);
    af_sink_free(sink);
    return ok;
}

/* Either of both, under the lock. */
static gboolean read_kept(const af_profile *profile, af_call_walk *walk,
                          const af_event_consumer *consumer, const af_calls_options *options,
                          GError **error)
{
    kept *k = af_profile_origin(profile)->input;
    af_open_options open = k->options;
    if (options != NULL) {
        open.cancel = options->cancel;
        open.progress = options->progress;
        open.progress_user = options->progress_user;
    }
    g_mutex_lock(&k->reading);
    gboolean ok =
        check_unchanged(k, error) && read_again(k, profile->guide, walk, consumer, &open, error);
    g_mutex_unlock(&k->reading);
    if (open.cancel != NULL && g_cancellable_is_cancelled(open.cancel)) {
        ok = FALSE;
        g_clear_error(error);
        g_set_error_literal(error, AF_ERROR, AF_ERROR_CANCELLED, "stopped");
    } else if (ok) {
        ok = check_unchanged(k, error);
    }
    return ok;
}

static gboolean check_input(const af_profile *profile, GError **error)
{
    if (af_profile_origin(profile)->input == NULL || profile->guide == NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the input was not kept to be read again");
        return FALSE;
    }
    return TRUE;
}

static gboolean check_kept(const af_profile *profile, GError **error)
{
    if (!check_input(profile, error)) {
        return FALSE;
    }
    if (profile->facts.weighed) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the input holds samples: nothing in it tells single calls");
        return FALSE;
    }
    return TRUE;
}

gboolean af_kept_input_walk(const af_profile *profile, const af_observer *observer,
                            const guint8 *only, const af_calls_options *options, GError **error)
{
    if (!check_kept(profile, error)) {
        return FALSE;
    }
    af_call_walk *walk = af_call_walk_new(profile->guide, observer);
    if (walk == NULL) {
        return af_memory_error_set(error);
    }
    af_call_walk_limit(walk, only);
    const af_event_consumer consumer = af_call_walk_consumer(walk);
    const gboolean ok = read_kept(profile, walk, &consumer, options, error);
    af_call_walk_free(walk);
    return ok;
}

gboolean af_kept_input_listen(const af_profile *profile, const af_event_consumer *consumer,
                              GError **error)
{
    return check_kept(profile, error) && read_kept(profile, NULL, consumer, NULL, error);
}

gboolean af_kept_input_listen_samples(const af_profile *profile, const af_event_consumer *consumer,
                                      const af_calls_options *options, GError **error)
{
    return check_input(profile, error) && read_kept(profile, NULL, consumer, options, error);
}
