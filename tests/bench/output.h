/* Shared by the input generators: a table of shapes, and writing bytes to the file. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *name;
    uint64_t size;  /* takes about a second */
    const char *as; /* the tasks of growth.sh */
    void (*write)(uint64_t size);
} shape;

extern FILE *out;

_Noreturn void fail(const char *what);
void put(const void *bytes, size_t length);
void put_le(uint64_t value, unsigned width); /* low byte first */

/* The rest of main(): lists the shapes, or writes SHAPE SIZE -o FILE. */
int make_shape(const char *program, const shape *shapes, size_t n, int argc, char **argv);
