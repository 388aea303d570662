#include "render/cairo/versions.h"

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <pango/pango.h>
#include <png.h>

void af_cairo_versions_add(GPtrArray *list)
{
    g_ptr_array_add(list, g_strdup_printf("cairo %s", cairo_version_string()));
    g_ptr_array_add(list, g_strdup_printf("pango %s", pango_version_string()));
    int version = FcGetVersion();
    g_ptr_array_add(list, g_strdup_printf("fontconfig %d.%d.%d", version / 10000,
                                          version / 100 % 100, version % 100));
    FT_Library library;
    if (FT_Init_FreeType(&library) == 0) {
        FT_Int major, minor, patch;
        FT_Library_Version(library, &major, &minor, &patch);
        g_ptr_array_add(list, g_strdup_printf("freetype %d.%d.%d", major, minor, patch));
        FT_Done_FreeType(library);
    }
    g_ptr_array_add(list, g_strdup_printf("libpng %s", png_get_libpng_ver(NULL)));
}
