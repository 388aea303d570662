/* Any small tree becomes a PNG that libpng reads back. */
#include <png.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    const uint8_t how = feed_byte(&feed);
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.theme = (how & 1) != 0 ? AF_THEME_DARK : AF_THEME_LIGHT;
    options.inverted = (how & 2) != 0;
    options.full_depth = (how & 4) != 0;
    options.width_px = 200 + (how >> 3) * 8;
    options.scale_percent = 10 + feed_byte(&feed) % 40;
    g_autoptr(af_profile) profile = fuzz_make_profile(&feed, 100);
    g_autoptr(GByteArray) png = g_byte_array_new();
    GError *error = NULL;
    if (!af_picture_write(profile, "png", &options, af_out_to_array, png, NULL, &error)) {
        fuzz_fail(__FILE__, __LINE__, error->message);
    }
    check_png(png);
    return 0;
}
