#include "reading.h"

#include "checks.h"

void fuzz_read(const af_reader *reader, const af_source *source, const af_source *other)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_sink *sink = af_sink_new(&options);
    sink->jobs = 1;
    GError *error = NULL;
    if (!reader->read(source, other, &options, sink, &error)) {
        fuzz_check_error(error);
        af_sink_free(sink);
        return;
    }
    FUZZ_CHECK(error == NULL);
    af_profile *profile = af_sink_finish(sink, &options, &error);
    af_sink_free(sink);
    if (profile == NULL) {
        fuzz_check_error(error);
        return;
    }
    af_categories_assign(profile);
    fuzz_check_profile(profile);
    af_profile_free(profile);
}
