#include "libraries/libraries.h"

#include <hb.h>
#include <libelf.h>
#include <minizip/unzip.h>
#include <zstd.h>

void af_libraries_load_readers(void)
{
    (void)ZSTD_versionString();
    (void)elf_version(EV_NONE);
    (void)unzeof(NULL);
}

void af_libraries_load_fonts(void)
{
    (void)hb_version_string();
}
