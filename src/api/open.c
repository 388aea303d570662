#include <string.h>
#include <aflame/profile.h>

#include "api/source_input.h"
#include "api/command.h"
#include "api/open.h"
#include "base/memory_error.h"
#include "base/options.h"
#include "base/own_trace.h"
#include "build/profile_builder.h"
#include "mapping/retrace.h"
#include "model/category.h"
#include "read/pair.h"
#include "read/protobuf.h"
#include "read/unwrap.h"

static void rename_method(void *user, af_arena *arena, af_method *method)
{
    const GPtrArray *retracers = user;
    for (guint i = 0; i < retracers->len; i++) {
        af_retracer_rename(retracers->pdata[i], arena, method);
    }
}

static void free_retracer(gpointer retracer)
{
    af_retracer_free(retracer);
}

/* Hooks the mappings of the options into the sink. NULL if there are none. */
static GPtrArray *begin_naming(af_sink *sink, const af_open_options *options)
{
    if (options->mappings == NULL || options->mappings[0] == NULL) {
        return NULL;
    }
    GPtrArray *retracers = g_ptr_array_new_with_free_func(free_retracer);
    for (const af_mapping *const *mapping = options->mappings; *mapping != NULL; mapping++) {
        g_ptr_array_add(retracers, af_retracer_new(*mapping, options->keep_synthetic));
    }
    af_sink_set_renamer(sink, rename_method, retracers);
    return retracers;
}

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
    /* An input that something writes to is read as damaged. */
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

/* Lists the traces in an archive, and warns that only one is read unless the user chose it. */
static void list_entries(af_sink *sink, const af_source *source, const af_open_options *options)
{
    for (guint i = 0; source->entries != NULL && i < source->entries->len; i++) {
        const char *entry = source->entries->pdata[i], *key = i == 0 ? "entry" : "other entry";
        af_sink_add_fact(sink, (af_span){key, strlen(key)}, (af_span){entry, strlen(entry)});
    }
    if (source->entries != NULL && source->entries->len > 1 && options->entry == NULL) {
        af_sink_warn(sink, AF_WARN_OTHER_ENTRIES, 1, AF_NO_OFFSET);
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
    g_autoptr(GPtrArray) retracers = begin_naming(sink, options);
    af_profile *profile = NULL;
    if (af_open_read(reader, source, other, options, sink, error)) {
        gboolean cut = source->cut;
        for (const af_source *s = other; s != NULL; s = s->next) {
            cut |= s->cut;
        }
        if (cut) {
            af_sink_warn(sink, AF_WARN_GZIP_DAMAGED, 1, AF_NO_OFFSET);
        }
        list_entries(sink, source, options);
        profile = af_sink_finish(sink, options, error);
    } else if (af_sink_is_full(sink)) {
        /* the reader's error only follows from the interruption */
        g_clear_error(error);
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, AF_NAMES_TOO_LARGE);
    }
    af_sink_free(sink);
    if (profile != NULL) {
        profile->facts.saved.carrier = source->carrier;
        if (source->carrier != NULL && source->path != NULL) {
            g_autofree char *name = g_path_get_basename(source->path);
            profile->facts.saved.carrier_file = af_arena_text(profile->arena, name);
        }
        uint64_t sums[AF_CLOCKS] = {0};
        if (!check_side(profile, options, error) || !af_profile_add_times(profile, sums, error)) {
            g_clear_pointer(&profile, af_profile_free);
        }
    }
    if (profile != NULL && ((retracers != NULL && !af_retracers_report(retracers, profile)) ||
                            !af_categories_assign(profile))) {
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

/* `other` may be NULL. */
static af_profile *open_paths(const char *one, const char *other, const af_open_options *options,
                              GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    const af_source_needs needs = af_open_needs(&known);
    af_source *first = af_source_open(one, &needs, error);
    af_source *second =
        first != NULL && other != NULL ? af_source_open(other, &needs, error) : NULL;
    if (first == NULL || (other != NULL && second == NULL)) {
        af_source_free(first);
        return NULL;
    }
    return take_input(first, second, &known, error);
}

af_profile *af_profile_open(const char *path, const af_open_options *options, GError **error)
{
    return open_paths(path, NULL, options, error);
}

af_profile *af_profile_open_pair(const char *one, const char *other, const af_open_options *options,
                                 GError **error)
{
    return open_paths(one, other, options, error);
}

/* Whether the decompressed content of a file is that of an earlier one; adds it otherwise. Pipes can
 * be read only once and are not compared. Errors are left to the reading of the file. */
static gboolean is_repeated(const char *path, const af_source_needs *needs, GHashTable *contents)
{
    af_source *source =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? af_source_open(path, needs, NULL) : NULL;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gboolean repeated = FALSE;
    while (source != NULL && source->length > 0) {
        g_checksum_update(sum, source->bytes, (gssize)source->length);
        af_source_skip(source, source->length);
        if (!af_source_reach(source, af_source_default_window(source), NULL)) {
            g_clear_pointer(&source, af_source_free);
        }
    }
    if (source != NULL) {
        repeated = !g_hash_table_add(contents, g_strdup(g_checksum_get_string(sum)));
    }
    af_source_free(source);
    return repeated;
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
    GHashTable *contents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GError *failure = NULL;
    unsigned repeated = 0;
    for (; failure == NULL && *paths != NULL; paths++) {
        if (is_repeated(*paths, &needs, contents)) {
            repeated++;
            continue;
        }
        af_source *source = af_source_open(*paths, &needs, &failure);
        if (source == NULL) {
            g_prefix_error(&failure, "%s: ", *paths);
            break;
        }
        *(last != NULL ? &last->next : &first) = source;
        last = source;
        (void)adds_up(source, *paths, &known, &failure);
    }
    g_hash_table_unref(contents);
    if (failure != NULL) {
        g_propagate_error(error, failure);
        af_source_free(first);
        return NULL;
    }
    if (first == NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, "there are no inputs to combine");
        return NULL;
    }
    af_profile *profile = take_input(first, g_steal_pointer(&first->next), &known, error);
    if (profile != NULL && repeated > 0) {
        af_warnings_add(&profile->warnings, AF_WARN_REPEATED_INPUT, repeated, AF_NO_OFFSET);
    }
    return profile;
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

af_profile *af_profile_open_bytes(const void *bytes, size_t length, const af_open_options *options,
                                  GError **error)
{
    af_open_options known;
    if (!complete(options, &known, error)) {
        return NULL;
    }
    void *copy = known.keep_input ? g_try_malloc(length) : NULL;
    if (known.keep_input && copy == NULL && length > 0) {
        af_memory_error_set(error);
        return NULL;
    }
    if (copy != NULL) {
        memcpy(copy, bytes, length);
    }
    g_autoptr(GBytes) input =
        copy != NULL ? g_bytes_new_take(copy, length) : g_bytes_new_static(bytes, length);
    const af_source_needs needs = af_open_needs(&known);
    af_source *source = af_source_open_bytes(input, &needs, error);
    return source == NULL ? NULL : take_input(source, NULL, &known, error);
}

af_half af_trace_half(const char *path)
{
    /* peeking into a pipe would consume its bytes */
    g_autoptr(af_source) source =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? af_source_open(path, NULL, NULL) : NULL;
    return source == NULL                                   ? AF_HALF_NONE
           : af_pair_is_data(source->bytes, source->length) ? AF_HALF_DATA
           : af_pair_is_key(source)                         ? AF_HALF_KEY
                                                            : AF_HALF_NONE;
}

#define MARKED ((size_t)4096)

/* Whether the first packet of a Perfetto trace is the trace_uuid that aflame writes. */
static gboolean has_own_uuid(const af_source *source)
{
    enum { PACKET = 1, TRACE_UUID = 89, MSB = 1 };
    af_protobuf f = af_protobuf_begin(source->bytes, source->length);
    if (!af_protobuf_next(&f) || f.field != PACKET) {
        return FALSE;
    }
    for (f = af_protobuf_begin(f.bytes, f.length); af_protobuf_next(&f);) {
        af_protobuf uuid = af_protobuf_begin(f.bytes, f.length);
        if (f.field == TRACE_UUID && af_protobuf_next(&uuid)) {
            const unsigned facts = AF_TRACE_UUID_FACTS(uuid.number);
            return uuid.field == MSB && uuid.number == (uint64_t)AF_TRACE_UUID_WITH(facts);
        }
    }
    return FALSE;
}

/* Whether the file is for another program and names aflame as its writer. */
static gboolean names_aflame(const af_source *source)
{
    static const char *const marks[] = {
        "\"exporter\":\"aflame\"",     "\"exporter\": \"aflame\"",
        "\"importedFrom\":\"aflame\"", "\"otherData\":{\"writer\":\"aflame\"",
        "\ncreator: aflame\n",         AF_TRACE_WRITER};
    gboolean any = has_own_uuid(source);
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
    g_autoptr(af_source) source = af_source_open(path, &needs, NULL);
    return source != NULL && af_carrier_detect(source->bytes, source->length) != AF_CARRIER_NONE;
}

af_trace_kind af_trace_recognise(const char *path)
{
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return AF_TRACE_UNKNOWN;
    }
    g_autoptr(af_source) source = af_source_open(path, NULL, NULL);
    const gboolean is_output = source != NULL && (source->carrier != NULL || names_aflame(source));
    const af_reader *reader =
        source != NULL && !is_output ? af_reader_find(source, NULL, NULL) : NULL;
    const gboolean is_half =
        source != NULL && reader == NULL && !is_output &&
        (af_pair_is_data(source->bytes, source->length) || af_pair_is_key(source));
    return reader == &af_reader_folded || reader == &af_reader_spall ? AF_TRACE_UNSIGNED
           : reader != NULL || is_half                               ? AF_TRACE_RECORDING
           : is_output || is_picture(path)                           ? AF_TRACE_OUTPUT
                                                                     : AF_TRACE_UNKNOWN;
}
