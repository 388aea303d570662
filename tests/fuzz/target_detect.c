/* Every detector over any bytes: at most one is certain, and a failing one gives a reason. */
#include "checks.h"
#include "fuzz.h"
#include "read/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char path[] = "some.trace";
    af_source source = {.bytes = bytes, .length = size, .path = path};
    unsigned sure = 0, any = 0;
    const af_reader *reader;
    for (unsigned i = 0; (reader = af_reader_at(i)) != NULL; i++) {
        const int answer =
            reader->detect(bytes, size, FALSE, af_reader_is_named(reader, source.path));
        FUZZ_CHECK(answer >= 0 && answer <= AF_SURE);
        sure += answer == AF_SURE;
        any += answer > 0;
    }
    FUZZ_CHECK(sure <= 1);
    GError *error = NULL;
    reader = af_reader_find(&source, NULL, &error);
    FUZZ_CHECK((reader != NULL) == (any > 0) && (reader != NULL) == (error == NULL));
    if (error != NULL) {
        fuzz_check_error(error);
    }
    GError *refusal = NULL;
    af_refuse(&source, &refusal);
    fuzz_check_error(refusal);
    return 0;
}
