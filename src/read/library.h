/* Libraries: their functions by address. A recording lists them, or they come from the ELF file in
 * the folder of --symfs. */
#pragma once

#include "base/array.h"

typedef struct {
    uint64_t start, end;
    const char *name; /* not demangled; borrowed */
    uint32_t length;
    uint32_t number;  /* in the order of addition */
    uint32_t method;  /* of the sink; UINT32_MAX = not yet */
    const char *text; /* demangled; NULL = not yet */
} af_symbol;

/* The memory addresses of a part of an ELF file. */
typedef struct {
    uint64_t offset, size, vaddr;
} af_segment;

typedef struct {
    af_array symbols;  /* of af_symbol */
    af_array segments; /* of af_segment */
    gboolean is_sorted;
} af_library;

void af_library_init(af_library *library, af_meter *meter);
void af_library_clear(af_library *library);

/* A function of the length UINT64_MAX extends to the next one. */
void af_library_add(af_library *library, uint64_t start, uint64_t length, const char *name,
                    size_t name_length);

/* The function at an address, of several the one that was added last; NULL = none. */
af_symbol *af_library_find(af_library *library, uint64_t address);

typedef struct {
    const char *folder;
    const char *path;        /* as recorded */
    const uint8_t *build_id; /* NULL = not known */
    size_t build_id_size;
} af_elf_query;

typedef enum { AF_ELF_ABSENT, AF_ELF_OTHER_BUILD, AF_ELF_TAKEN } af_elf_state;

/* Adds the functions and segments of the ELF file at its path below the folder, or by its name
 * directly in it. A library inside an APK is called "base.apk!/lib/arm64-v8a/libfoo.so". Adds
 * nothing if the build ids differ. `names` holds the names. */
af_elf_state af_library_take_elf(af_library *library, const af_elf_query *query, af_arena *names);
