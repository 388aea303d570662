#include <string.h>
#include <aflame/profile.h>

#include "base/bytes.h"
#include "model/category.h"
#include "model/sink.h"
#include "read/reader.h"

static const af_open_options defaults = AF_OPEN_OPTIONS_INIT;

/* The caller's options as far as it knows them, the rest by default. */
static af_open_options complete(const af_open_options *options)
{
    af_open_options known = defaults;
    if (options != NULL) {
        memcpy(&known, options, MIN(options->size, sizeof known));
    }
    return known;
}

static af_profile *read_profile(const af_source *source, const af_source *other,
                                const af_open_options *options, GError **error)
{
    const af_reader *reader = af_reader_find(source, error);
    if (reader == NULL) {
        return NULL;
    }
    af_sink *sink = af_sink_new(options);
    af_profile *profile = NULL;
    if (reader->read(source, other, options, sink, error)) {
        if (source->cut || (other != NULL && other->cut)) {
            af_sink_warn(sink, AF_WARN_GZIP_DAMAGED, 1, AF_NO_PLACE);
        }
        profile = af_sink_finish(sink, options, error);
    }
    af_sink_free(sink);
    if (profile != NULL) {
        af_categories_assign(profile);
    }
    return profile;
}

af_profile *af_profile_open(const char *path, const af_open_options *options, GError **error)
{
    const af_open_options known = complete(options);
    af_source *source = af_source_open(path, error);
    af_profile *profile = source == NULL ? NULL : read_profile(source, NULL, &known, error);
    af_source_free(source);
    return profile;
}

af_profile *af_profile_open_pair(const char *one, const char *other,
                                 const af_open_options *options, GError **error)
{
    const af_open_options known = complete(options);
    af_source *first = af_source_open(one, error);
    af_source *second = first == NULL ? NULL : af_source_open(other, error);
    af_profile *profile = second == NULL ? NULL : read_profile(first, second, &known, error);
    af_source_free(first);
    af_source_free(second);
    return profile;
}

af_profile *af_profile_open_fd(int fd, const af_open_options *options, GError **error)
{
    const af_open_options known = complete(options);
    af_source *source = af_source_open_fd(fd, error);
    af_profile *profile = source == NULL ? NULL : read_profile(source, NULL, &known, error);
    af_source_free(source);
    return profile;
}

/* A text without records, or records without a text. */
static af_half tell_half(const af_source *source)
{
    if (source->length >= 6 && memcmp(source->bytes, "SLOW", 4) == 0) {
        const unsigned version = af_load_u16(source->bytes + 4);
        return version >= 1 && version <= 3 ? AF_HALF_DATA : AF_HALF_NONE;
    }
    if (source->length < 9 || memcmp(source->bytes, "*version", 8) != 0) {
        return AF_HALF_NONE;
    }
    return memmem(source->bytes, source->length, "\n*end\nSLOW", 10) == NULL &&
                   memmem(source->bytes, source->length, "\n*end\r\nSLOW", 11) == NULL
               ? AF_HALF_KEY
               : AF_HALF_NONE;
}

af_half af_trace_half(const char *path)
{
    af_source *source = af_source_open(path, NULL);
    const af_half half = source == NULL ? AF_HALF_NONE : tell_half(source);
    af_source_free(source);
    return half;
}
