/* Any names are drawn by the canvases that put text into a document, with a title and a
 * description. */
#include <string.h>
#include <aflame/picture.h>

#include "api/autoptr.h"
#include "base/out.h"
#include "made.h"

static void check_end(const GByteArray *bytes, const char *end)
{
    const size_t length = strlen(end);
    FUZZ_CHECK(bytes->len > length);
    FUZZ_CHECK(memcmp(bytes->data + bytes->len - length, end, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed);
    size_t length;
    const char *text = feed_text(&feed, &length);
    g_autofree char *title = g_strndup(text, length);
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.outlines = (how & 1) != 0;
    options.full_depth = (how & 2) != 0;
    options.width_px = 200 + (how >> 2) * 16;
    options.title = options.input_name = title;
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 60);
    g_autoptr(GByteArray) document = g_byte_array_new();
    GError *error = NULL;
    if (!af_picture_write(profile, options.outlines ? "svg" : "pdf", &options, af_out_to_array,
                          document, NULL, &error)) {
        fuzz_fail(__FILE__, __LINE__, error->message);
    }
    check_end(document, options.outlines ? " -->\n" : "%%EOF\n");
    return 0;
}
