/* Any bytes as a trace, processed record by record: the times of the first of dmtracedump's tables
 * add up to its total, and tables and records are lines of text. */
#include <string.h>

#include "build/profile_builder.h"
#include "checks.h"
#include "reading.h"
#include "report/dmtracedump/records.h"

typedef struct {
    const af_reader *reader;
    af_source source;
} input;

/* The bytes alone stand for the file: there is no profile and no guide. */
static const input *current;

static gboolean read_again(const af_profile *profile, const af_event_consumer *consumer,
                           GError **error)
{
    static const af_walk_plan no_plan;
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    af_source source = current->source;
    af_sink *sink = af_sink_new_again(&options, &no_plan, consumer);
    const gboolean ok = current->reader->read(&source, NULL, &options, sink, error);
    if (ok && consumer->finish != NULL) {
        FUZZ_CHECK(consumer->finish(consumer->user, sink, error));
    }
    af_sink_free(sink);
    return ok;
}

static void check_sums(const af_report_request *request)
{
    GError *error = NULL;
    af_dmtrace_names names;
    af_dmtrace_options options;
    af_dmtrace sums;
    af_dmtrace_names_init(&names, request->quirks);
    if (af_dmtrace_begin(&names, &options, request, &error)) {
        af_dmtrace_init(&sums, &names, &options);
        const af_event_consumer consumer = af_dmtrace_listener(&sums);
        FUZZ_CHECK(request->read(NULL, &consumer, &error) && af_dmtrace_finish(&sums));
        uint64_t exclusive = 0;
        for (size_t m = 0; m < names.methods.n; m++) {
            exclusive += sums.sums[m].exclusive;
        }
        FUZZ_CHECK(exclusive == sums.total);
        g_autoptr(GByteArray) text = g_byte_array_new();
        g_autofree af_out *out = g_new(af_out, 1);
        af_out_open(out, af_out_to_array, text);
        FUZZ_CHECK(af_dmtrace_write(&sums, out) && af_out_close(out, NULL));
        FUZZ_CHECK(text->len > 0 && text->data[text->len - 1] == '\n');
        FUZZ_CHECK(request->quirks || g_utf8_validate((char *)text->data, text->len, NULL));
        af_dmtrace_clear(&sums);
    } else {
        fuzz_check_error(error);
    }
    af_dmtrace_options_clear(&options);
    af_dmtrace_names_clear(&names);
}

/* A record's line is as long as its call is deep, so only for small inputs. */
static void check_records(const af_report_request *request, size_t size)
{
    enum { SMALL = 4096 };
    g_autoptr(GByteArray) text = g_byte_array_new();
    g_autofree af_out *out = g_new(af_out, 1);
    g_autoptr(GError) error = NULL;
    af_out_open(out, af_out_to_array, text);
    if (size <= SMALL && af_records_write(request, out, &error)) {
        FUZZ_CHECK(af_out_close(out, NULL));
        FUZZ_CHECK(text->len > 0 && text->data[text->len - 1] == '\n');
        FUZZ_CHECK(request->quirks || g_utf8_validate((char *)text->data, text->len, NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {.source = {.bytes = bytes, .length = size}};
    for (unsigned i = 0; (in.reader = af_reader_at(i)) != NULL; i++) {
        if (in.reader->detect(bytes, size, FALSE, FALSE) == 0) {
            continue;
        }
        current = &in;
        af_profile profile = {.n_threads = 0};
        af_report_request request = {.scope = {.profile = &profile, .clocks = 3},
                                     .quirks = size % 2 == 0,
                                     .read = read_again};
        check_sums(&request);
        check_records(&request, size);
    }
    return 0;
}
