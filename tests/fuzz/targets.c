#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reading.h"

static int read_as(const af_reader *reader, const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (reader->detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(reader, source, NULL);
    }
    return 0;
}

#define TARGET(name) fuzz_target fuzz_##name;
#define READER(name)                                                                               \
    static int fuzz_read_##name(const uint8_t *bytes, size_t size)                                 \
    {                                                                                              \
        return read_as(&af_reader_##name, bytes, size);                                            \
    }
#include "targets.inc"
#undef READER
#undef TARGET

static const struct {
    const char *name;
    fuzz_target *run;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#define READER(name) {"read_" #name, fuzz_read_##name},
#include "targets.inc"
#undef READER
#undef TARGET
};

fuzz_target *fuzz_find_target(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i].name, name) == 0) {
            return targets[i].run;
        }
    }
    fprintf(stderr, "unknown target %s\n", name);
    exit(2);
}
