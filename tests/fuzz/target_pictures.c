/* Any names and any small tree become pictures that a second program reads, and documents with a
 * title and a description. */
#include <png.h>
#include <string.h>
#include <aflame/picture.h>

#include "api/autoptr.h"
#include "base/out.h"
#include "made.h"

static void check_png(const GByteArray *bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    FUZZ_CHECK(png_image_begin_read_from_memory(&image, bytes->data, bytes->len) != 0);
    FUZZ_CHECK(image.width > 0 && image.height > 0);
    image.format = PNG_FORMAT_GRAY;
    g_autofree guint8 *pixels = g_malloc(PNG_IMAGE_SIZE(image));
    FUZZ_CHECK(png_image_finish_read(&image, NULL, pixels, 0, NULL) != 0);
    FUZZ_CHECK(!PNG_IMAGE_FAILED(image));
    png_image_free(&image);
}

static void check_end(const GByteArray *bytes, const char *end)
{
    const size_t length = strlen(end);
    FUZZ_CHECK(bytes->len > length);
    FUZZ_CHECK(memcmp(bytes->data + bytes->len - length, end, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { PNG, PDF, OUTLINES, FORMATS };
    static const char *const formats[FORMATS] = {"png", "pdf", "svg"};
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed), large = feed_byte(&feed);
    const unsigned format = (how & 3) % FORMATS;
    size_t length;
    const char *text = feed_text(&feed, &length);
    g_autofree char *title = g_strndup(text, length);
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.outlines = format == OUTLINES;
    options.theme = (how & 4) != 0 ? AF_THEME_DARK : AF_THEME_LIGHT;
    options.inverted = (how & 8) != 0;
    options.full_depth = (how & 16) != 0;
    options.width_px = 200 + large * 4;
    options.scale_percent = 10 + large % 40;
    options.title = options.input_name = title;
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 100);
    g_autoptr(GByteArray) picture = g_byte_array_new();
    GError *error = NULL;
    if (!af_picture_write(profile, formats[format], &options, af_out_to_array, picture, NULL,
                          &error)) {
        fuzz_fail(__FILE__, __LINE__, error->message);
    }
    if (format == PNG) {
        check_png(picture);
    } else {
        check_end(picture, format == PDF ? "%%EOF\n" : " -->\n");
    }
    return 0;
}
