#include <string.h>
#include <aflame/profile.h>

#include "api/source_input.h"
#include "api/command.h"
#include "api/naming.h"
#include "api/open.h"
#include "base/memory_error.h"
#include "base/options.h"
#include "model/category.h"
#include "read/pair.h"
#include "read/unwrap.h"

/* The caller's options, completed with defaults. */
static gboolean complete(const af_open_options *options, af_open_options *known, GError **error)
{
    *known = (af_open_options)AF_OPEN_OPTIONS_INIT;
    const gboolean ok = af_options_take(known, sizeof *known, options, error);
    /* a file with a single clock has no waiting, whichever clock it is */
    known->clock = known->clock == AF_WAIT ? AF_CLOCK_DEFAULT : known->clock;
    return ok;
}

af_source_needs af_open_needs(const af_open_options *options)
{
    return (af_source_needs){.again = options->keep_input,
                             .entry = options->entry,
                             .any_entry = options->format != NULL,
                             .jobs = options->jobs,
                             .max_memory = options->max_memory,
                             .cancel = options->cancel,
                             .progress = options->progress,
                             .progress_user = options->progress_user};
}

/* An input that something writes to is read as damaged. */
static gboolean check_sources(const af_source *source, const af_source *other, gboolean ok,
                              GError **error)
{
    GError *changed = NULL;
    if (error != NULL && *error != NULL &&
        (g_error_matches(*error, AF_ERROR, AF_ERROR_CANCELLED) ||
         g_error_matches(*error, AF_ERROR, AF_ERROR_MEMORY))) {
        return FALSE;
    }
    if (af_source_check(source, &changed) && af_source_check(other, &changed)) {
        return ok;
    }
    g_clear_error(error);
    g_propagate_error(error, changed);
    return FALSE;
}

gboolean af_open_read(const af_reader *reader, af_source *source, af_source *other,
                      const af_open_options *options, af_sink *sink, GError **error)
{
    gboolean reports = source->reports;
    for (const af_source *s = other; s != NULL; s = s->next) {
        reports |= s->reports;
    }
    if (reports) {
        af_sink_mute_progress(sink);
    }
    GError *unread = NULL;
    const gboolean ok = reader->read(source, other, options, sink, &unread);
    if (unread != NULL && options->format != NULL) {
        g_prefix_error(&unread, "read as %s: ", reader->name);
    }
    if (unread != NULL) {
        g_propagate_error(error, unread);
    }
    return check_sources(source, other, ok, error);
}

static void name_carrier(af_profile *profile, const af_source *source)
{
    profile->facts.saved.carrier = source->carrier;
    if (source->carrier != NULL && source->path != NULL) {
        char *name = g_path_get_basename(source->path);
        profile->facts.saved.carrier_file = af_arena_copy(profile->arena, name, strlen(name));
        g_free(name);
    }
}

/* FALSE, with an error, if a side was asked for and there is none. */
static gboolean check_side(const af_profile *profile, const af_open_options *options,
                           GError **error)
{
    if (options->side == AF_OPEN_AFTER_SIDE || profile->facts.saved.side != NULL) {
        return TRUE;
    }
    g_set_error_literal(
        error, AF_ERROR, AF_ERROR_USAGE,
        "this file holds one recording; only pictures and HTML pages of aflame diff "
        "hold both sides of a comparison");
    return FALSE;
}

/* Lists the traces in an archive. */
static void list_entries(af_sink *sink, const af_source *source)
{
    for (guint i = 0; source->entries != NULL && i < source->entries->len; i++) {
        const char *entry = source->entries->pdata[i], *key = i == 0 ? "entry" : "other entry";
        af_sink_add_fact(sink, (af_span){key, strlen(key)}, (af_span){entry, strlen(entry)});
    }
    if (source->entries != NULL && source->entries->len > 1) {
        af_sink_warn(sink, AF_WARN_OTHER_ENTRIES, source->entries->len - 1, AF_NO_OFFSET);
    }
}

af_profile *af_open_profile(af_source *source, af_source *other, const af_open_options *options,
                            GError **error)
{
    const af_reader *reader = af_reader_find(source, options->format, error);
    if (reader == NULL) {
        return NULL;
    }
    af_sink *sink = af_sink_new(options);
    af_naming *naming = af_naming_begin(sink, options);
    af_profile *profile = NULL;
    if (af_open_read(reader, source, other, options, sink, error)) {
        gboolean cut = source->cut;
        for (const af_source *s = other; s != NULL; s = s->next) {
            cut |= s->cut;
        }
        if (cut) {
            af_sink_warn(sink, AF_WARN_GZIP_DAMAGED, 1, AF_NO_OFFSET);
        }
        list_entries(sink, source);
        profile = af_sink_finish(sink, options, error);
    } else if (af_sink_is_full(sink)) {
        /* the reader's error only follows from the interruption */
        g_clear_error(error);
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, AF_NAMES_TOO_LARGE);
    }
    af_sink_free(sink);
    if (profile != NULL) {
        name_carrier(profile, source);
        if (!check_side(profile, options, error)) {
            g_clear_pointer(&profile, af_profile_free);
        }
    }
    if (!af_naming_end(naming, profile, profile != NULL ? error : NULL)) {
        g_clear_pointer(&profile, af_profile_free);
    } else if (profile != NULL && !af_categories_assign(profile)) {
        g_clear_pointer(&profile, af_profile_free);
        af_memory_error_set(error);
    }
    return profile;
}

/* Reads the input, and then keeps or closes it and `other`, which may be NULL. */
static af_profile *take_input(af_source *source, af_source *other, const af_open_options *options,
                              GError **error)
{
    af_profile *profile = af_open_profile(source, other, options, error);
    if (profile != NULL && options->keep_input && af_source_can_rewind(source) &&
        af_source_can_rewind(other)) {
        af_source_input_attach(profile, source, other, options);
    } else {
        af_source_free(source);
        af_source_free(other);
    }
    return profile;
}

af_profile *af_profile_open(const char *path, const af_open_options *options, GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *source = af_source_open(path, &needs, error);
    return source == NULL ? NULL : take_input(source, NULL, &known, error);
}

af_profile *af_profile_open_pair(const char *one, const char *other, const af_open_options *options,
                                 GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *first = af_source_open(one, &needs, error);
    af_source *second = first == NULL ? NULL : af_source_open(other, &needs, error);
    if (second == NULL) {
        af_source_free(first);
        return NULL;
    }
    return take_input(first, second, &known, error);
}

/* FALSE, with an error, if the input cannot be added to others. */
static gboolean adds_up(af_source *source, const char *path, const af_open_options *options,
                        GError **error)
{
    const af_reader *reader = af_reader_find(source, options->format, error);
    if (reader != NULL && !reader->adds_up) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "%s does not hold folded stacks; several inputs can be combined only if all "
                    "are folded stacks",
                    path);
        return FALSE;
    }
    return reader != NULL;
}

af_profile *af_profile_open_sum(const char *const *paths, const af_open_options *options,
                                GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *first = NULL, *last = NULL;
    for (; *paths != NULL; paths++) {
        GError *failure = NULL;
        af_source *source = af_source_open(*paths, &needs, &failure);
        if (last != NULL) {
            last->next = source;
        }
        first = first == NULL ? source : first;
        last = source;
        if (source == NULL || !adds_up(source, *paths, &known, &failure)) {
            if (source == NULL) {
                g_prefix_error(&failure, "%s: ", *paths);
            }
            g_propagate_error(error, failure);
            af_source_free(first);
            return NULL;
        }
    }
    if (first == NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "there are no inputs to combine");
        return NULL;
    }
    return take_input(first, g_steal_pointer(&first->next), &known, error);
}

af_profile *af_profile_open_fd(int fd, const af_open_options *options, GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *source = af_source_open_fd(fd, &needs, error);
    return source == NULL ? NULL : take_input(source, NULL, &known, error);
}

af_profile *af_profile_open_bytes(GBytes *bytes, const af_open_options *options, GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *source = af_source_open_bytes(bytes, &needs, error);
    return source == NULL ? NULL : take_input(source, NULL, &known, error);
}

af_half af_trace_half(const char *path)
{
    /* peeking into a pipe would consume its bytes */
    af_source *source =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? af_source_open(path, NULL, NULL) : NULL;
    const af_half half = source == NULL            ? AF_HALF_NONE
                         : af_pair_is_data(source) ? AF_HALF_DATA
                         : af_pair_is_key(source)  ? AF_HALF_KEY
                                                   : AF_HALF_NONE;
    af_source_free(source);
    return half;
}

#define MARKED ((size_t)4096)

/* Whether the file is for another program and names aflame as its writer. */
static gboolean names_aflame(const af_source *source)
{
    static const char *const marks[] = {"\"exporter\":\"aflame\"", "\"importedFrom\":\"aflame\"",
                                        "\ncreator: aflame\n"};
    gboolean any = FALSE;
    for (unsigned i = 0; i < G_N_ELEMENTS(marks); i++) {
        any = any || memmem(source->bytes, MIN(source->length, MARKED), marks[i],
                            strlen(marks[i])) != NULL;
    }
    return any;
}

/* Whether the file is a picture or page, even a damaged one. */
static gboolean is_picture(const char *path)
{
    const af_source_needs needs = {.is_part = TRUE};
    af_source *source = af_source_open(path, &needs, NULL);
    const gboolean picture =
        source != NULL && af_carrier_detect(source->bytes, source->length) != AF_CARRIER_NONE;
    af_source_free(source);
    return picture;
}

af_trace_kind af_trace_recognise(const char *path)
{
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return AF_TRACE_UNKNOWN;
    }
    af_source *source = af_source_open(path, NULL, NULL);
    const gboolean is_output = source != NULL && (source->carrier != NULL || names_aflame(source));
    const gboolean is_recording = source != NULL && !is_output &&
                                  (af_reader_find(source, NULL, NULL) != NULL ||
                                   af_pair_is_data(source) || af_pair_is_key(source));
    const af_trace_kind kind = is_recording                    ? AF_TRACE_RECORDING
                               : is_output || is_picture(path) ? AF_TRACE_OUTPUT
                                                               : AF_TRACE_UNKNOWN;
    af_source_free(source);
    return kind;
}
