/* Any bytes as a picture that carries a profile. */
#include "base/aflp.h"
#include "checks.h"
#include "reading.h"
#include "read/unwrap.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_carrier carrier = af_carrier_detect(bytes, size);
    FUZZ_CHECK((af_carrier_title(carrier) == NULL) == (carrier == AF_CARRIER_NONE));
    if (carrier == AF_CARRIER_NONE) {
        return 0;
    }
    GError *error = NULL;
    GBytes *profile = af_carrier_unwrap(carrier, bytes, size, &error);
    FUZZ_CHECK(profile == NULL || error == NULL);
    if (error != NULL) {
        fuzz_check_error(error);
    }
    if (profile != NULL) {
        gsize length;
        const uint8_t *at = g_bytes_get_data(profile, &length);
        FUZZ_CHECK(length > 0);
        if (af_reader_aflp.detect(at, length, FALSE, FALSE) > 0) {
            fuzz_read_saved((af_source){.bytes = at, .length = length});
        }
        g_bytes_unref(profile);
    }
    return 0;
}
