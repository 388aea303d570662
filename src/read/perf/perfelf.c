/* Libraries from --symfs: their symbols, and where their segments are in memory. */
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "read/perf/perfdata.h"

#define BUILD_ID_SIZE 20u

static int open_at(const char *folder, const char *path)
{
    char *full = g_build_filename(folder, path, NULL);
    const int fd = open(full, O_RDONLY | O_CLOEXEC);
    g_free(full);
    return fd;
}

/* Opens a library at its original path, or by name directly in the folder. A library inside an APK
 * is called "base.apk!/lib/arm64-v8a/libfoo.so". */
static int open_library(const af_symbols *symbols, const af_dso *dso)
{
    int fd = strchr(dso->path, '!') == NULL ? open_at(symbols->symfs, dso->path) : -1;
    const char *inside = fd < 0 ? strstr(dso->path, "!/") : NULL;
    fd = inside != NULL ? open_at(symbols->symfs, inside + 2) : fd;
    return fd < 0 ? open_at(symbols->symfs, dso->base) : fd;
}

/* Returns FALSE if the library comes from a different build. */
static gboolean is_same_build(Elf *elf, const uint8_t *build_id)
{
    Elf_Scn *section = NULL;
    while (build_id != NULL && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr head;
        Elf_Data *data;
        if (gelf_getshdr(section, &head) == NULL || head.sh_type != SHT_NOTE ||
            (data = elf_getdata(section, NULL)) == NULL) {
            continue;
        }
        GElf_Nhdr entry;
        size_t name, description;
        for (size_t at = 0;
             at < data->d_size && (at = gelf_getnote(data, at, &entry, &name, &description)) > 0;) {
            if (entry.n_type == NT_GNU_BUILD_ID && entry.n_descsz > 0) {
                return memcmp((const char *)data->d_buf + description, build_id,
                              MIN(entry.n_descsz, BUILD_ID_SIZE)) == 0;
            }
        }
    }
    return TRUE;
}

static void take_segments(Elf *elf, af_dso *dso)
{
    size_t n = 0;
    if (elf_getphdrnum(elf, &n) != 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;
        if (gelf_getphdr(elf, (int)i, &head) == NULL || head.p_type != PT_LOAD) {
            continue;
        }
        af_segment *segment = af_array_add(&dso->segments, 1);
        if (segment != NULL) {
            *segment = (af_segment){head.p_offset, head.p_filesz, head.p_vaddr};
        }
    }
}

static void take_table(af_symbols *symbols, af_dso *dso, Elf *elf, Elf_Scn *section,
                       const GElf_Shdr *head, gboolean is_arm)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const size_t n = data == NULL || head->sh_entsize == 0 ? 0 : data->d_size / head->sh_entsize;
    for (size_t i = 0; i < n && i <= INT_MAX; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol) == NULL ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        const char *name = elf_strptr(elf, head->sh_link, symbol.st_name);
        const char *copied =
            name == NULL ? NULL : af_arena_copy(symbols->arena, name, strlen(name));
        if (copied != NULL) {
            /* the lowest bit distinguishes Thumb from ARM */
            const uint64_t start = is_arm ? symbol.st_value & ~UINT64_C(1) : symbol.st_value;
            af_symbols_add(symbols, dso, start, symbol.st_size, copied, strlen(copied));
        }
    }
}

/* Reads the full symbol table, or the dynamic symbols of a stripped library. */
static void take_symbols(af_symbols *symbols, af_dso *dso, Elf *elf)
{
    GElf_Ehdr file;
    const gboolean is_arm = gelf_getehdr(elf, &file) != NULL && file.e_machine == EM_ARM;
    static const GElf_Word types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (unsigned t = 0; t < G_N_ELEMENTS(types) && dso->symbols.n == 0; t++) {
        Elf_Scn *section = NULL;
        while ((section = elf_nextscn(elf, section)) != NULL) {
            GElf_Shdr head;
            if (gelf_getshdr(section, &head) != NULL && head.sh_type == types[t]) {
                take_table(symbols, dso, elf, section, &head, is_arm);
            }
        }
    }
}

void af_symbols_search(af_symbols *symbols, af_dso *dso)
{
    if (dso->searched || dso->type != AF_DSO_ELF || dso->jit || dso->path[0] == '[') {
        return;
    }
    dso->searched = TRUE;
    if (dso->symbols.n > 0) {
        return; /* symbols of the recording take precedence */
    }
    const int fd = open_library(symbols, dso);
    if (fd < 0) {
        return;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF) {
        if (is_same_build(elf, dso->build_id)) {
            take_segments(elf, dso);
            take_symbols(symbols, dso, elf);
        } else {
            symbols->build_ids_differ++;
        }
    }
    elf_end(elf);
    close(fd);
}
