#include "export_rows.h"

#include <string.h>

static const struct {
    const char *format;
    void (*read)(export_rows *rows, const char *bytes, gsize length);
} readers[] = {
    {"callgrind", read_callgrind},
    {"chrome", read_chrome},
    {"firefox", read_firefox},
    {"gecko", read_gecko},
    {"perfetto", read_perfetto},
    {"pprof", read_pprof},
    {"spall", read_spall},
    {"speedscope", read_speedscope},
};

void read_export(export_rows *rows, const char *format, const char *bytes, gsize length)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(readers); i++) {
        if (strcmp(readers[i].format, format) == 0) {
            readers[i].read(rows, bytes, length);
            return;
        }
    }
    refuse("nobody reads %s", format);
}
