#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *out;

static const char *program = "";

void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", program, what);
    exit(2);
}

void put(const void *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, out) != length) {
        fail(strerror(errno));
    }
}

void put_le(uint64_t value, unsigned width)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < width; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
    put(bytes, width);
}

int make_shape(const char *name, const shape *shapes, size_t n, int argc, char **argv)
{
    program = name;
    for (size_t i = 0; argc == 1 && i < n; i++) {
        printf("%s %llu %s\n", shapes[i].name, (unsigned long long)shapes[i].size, shapes[i].as);
    }
    if (argc == 1) {
        return 0;
    }
    if (argc != 5 || strcmp(argv[3], "-o") != 0) {
        fail("usage: [SHAPE SIZE -o FILE]");
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(shapes[i].name, argv[1]) == 0) {
            out = fopen(argv[4], "wb");
            if (out == NULL) {
                fail(strerror(errno));
            }
            shapes[i].write(strtoull(argv[2], NULL, 10));
            return fclose(out) == 0 ? 0 : 1;
        }
    }
    fail("unknown shape");
}
