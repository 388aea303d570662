/* Libraries in the folder of --symfs: ELF files, by the paths that a recording has for them. */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    const char *folder;
    const char *path;        /* as recorded */
    const uint8_t *build_id; /* NULL = not known */
    size_t build_id_size;
} af_elf_query;

/* Receives the functions of a library; `name` is valid during the call. `segment`, which may be
 * NULL, receives the memory addresses of each part of the file. */
typedef struct {
    void (*symbol)(void *user, uint64_t start, uint64_t size, const char *name);
    void (*segment)(void *user, uint64_t offset, uint64_t size, uint64_t vaddr);
    void *user;
} af_elf_receiver;

typedef enum { AF_ELF_ABSENT, AF_ELF_OTHER_BUILD, AF_ELF_TAKEN } af_elf_state;

/* Looks for the library at its path below the folder, or by its name directly in it. A library
 * inside an APK is called "base.apk!/lib/arm64-v8a/libfoo.so". Passes on nothing if the build ids
 * differ. */
af_elf_state af_elf_library_take(const af_elf_query *query, const af_elf_receiver *receiver);
