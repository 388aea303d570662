#include <aflame/version.h>

#include <elfutils/version.h>
#include <hb.h>
#include <libdeflate.h>
#include <protobuf-c/protobuf-c.h>
#include <zlib.h>
#include <zstd.h>
#include "render/cairo/versions.h"

const char *af_version(void)
{
    return AFLAME_VERSION;
}

bool af_version_check(unsigned major, unsigned minor, unsigned micro)
{
    static const unsigned library[] = {AF_VERSION_MAJOR, AF_VERSION_MINOR, AF_VERSION_MICRO};
    const unsigned wanted[] = {major, minor, micro};
    unsigned i = 0;
    while (i < 2 && library[i] == wanted[i]) {
        i++;
    }
    return library[i] >= wanted[i];
}

const char *const *af_library_versions(void)
{
    static gsize ready;
    static char **versions; /* never freed */
    if (g_once_init_enter(&ready)) {
        GPtrArray *list = g_ptr_array_new();
        g_ptr_array_add(list, g_strdup_printf("glib %u.%u.%u", glib_major_version,
                                              glib_minor_version, glib_micro_version));
        af_cairo_versions_add(list);
        g_ptr_array_add(list, g_strdup_printf("harfbuzz %s", hb_version_string()));
        g_ptr_array_add(list, g_strdup_printf("zlib %s", zlibVersion()));
        g_ptr_array_add(list, g_strdup_printf("zstd %s", ZSTD_versionString()));
        g_ptr_array_add(list, g_strdup_printf("protobuf-c %s", protobuf_c_version()));
        /* these libraries report no version at run time, so this is that of their headers */
        g_ptr_array_add(list, g_strdup("libdeflate " LIBDEFLATE_VERSION_STRING));
        g_ptr_array_add(list, g_strdup_printf("libelf 0.%d", _ELFUTILS_VERSION));
        g_ptr_array_add(list, g_strdup("libiberty (version unknown)"));
        g_ptr_array_add(list, NULL);
        versions = (char **)(void *)g_ptr_array_free(list, FALSE);
        g_once_init_leave(&ready, 1);
    }
    return (const char *const *)(const void *)versions;
}
