#include "read/library.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void af_library_init(af_library *library, af_meter *meter)
{
    *library = (af_library){0};
    af_array_init_metered(&library->symbols, sizeof(af_symbol), meter);
    af_array_init_metered(&library->segments, sizeof(af_segment), meter);
}

void af_library_clear(af_library *library)
{
    AF_ARRAYS_CLEAR(&library->symbols, &library->segments);
}

void af_library_add(af_library *library, uint64_t start, uint64_t length, const char *name,
                    size_t name_length)
{
    const af_symbol symbol = {.start = start,
                              .end = length > UINT64_MAX - start ? UINT64_MAX : start + length,
                              .name = name,
                              .length = (uint32_t)MIN(name_length, UINT32_MAX),
                              .number = (uint32_t)library->symbols.n,
                              .method = UINT32_MAX};
    af_array_append(&library->symbols, &symbol);
    library->is_sorted = FALSE;
}

static int compare_symbols(const void *a, const void *b)
{
    const af_symbol *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1)
                                : (x->number > y->number) - (x->number < y->number);
}

af_symbol *af_library_find(af_library *library, uint64_t address)
{
    af_symbol *symbols = library->symbols.items;
    size_t low = 0, high = library->symbols.n;
    if (!library->is_sorted && high > 0) {
        qsort(symbols, high, sizeof *symbols, compare_symbols);
    }
    library->is_sorted = TRUE;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (symbols[middle].start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && address < symbols[low - 1].end ? &symbols[low - 1] : NULL;
}

/* ---- the ELF file ---- */

/* Whether a path stays below the folder: it comes from the recording. */
static gboolean stays_below(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    const gboolean climbs = g_strv_contains((const char *const *)parts, "..");
    return !climbs;
}

/* Opens a regular file; a path of a recording must not wait for a pipe. */
static int open_at(const char *folder, const char *path)
{
    if (!stays_below(path)) {
        return -1;
    }
    g_autofree char *full = g_build_filename(folder, path, NULL);
    int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat state;
    if (fd >= 0 && (fstat(fd, &state) != 0 || !S_ISREG(state.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int open_library(const af_elf_query *query)
{
    const char *path = query->path, *slash = strrchr(path, '/');
    int fd = strchr(path, '!') == NULL ? open_at(query->folder, path) : -1;
    const char *inside = fd < 0 ? strstr(path, "!/") : NULL;
    fd = inside != NULL ? open_at(query->folder, inside + 2) : fd;
    return fd < 0 ? open_at(query->folder, slash == NULL ? path : slash + 1) : fd;
}

/* Returns FALSE if the library comes from a different build. */
static gboolean is_same_build(Elf *elf, const af_elf_query *query)
{
    Elf_Scn *section = NULL;
    while (query->build_id != NULL && (section = elf_nextscn(elf, section)) != NULL) {
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
                return memcmp((const char *)data->d_buf + description, query->build_id,
                              MIN(entry.n_descsz, query->build_id_size)) == 0;
            }
        }
    }
    return TRUE;
}

static void take_segments(Elf *elf, af_library *library)
{
    size_t n = 0;
    if (elf_getphdrnum(elf, &n) != 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;
        if (gelf_getphdr(elf, (int)i, &head) != NULL && head.p_type == PT_LOAD) {
            af_array_append(&library->segments,
                            &(af_segment){head.p_offset, head.p_filesz, head.p_vaddr});
        }
    }
}

static void take_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *head, gboolean is_arm,
                       af_library *library, af_arena *names)
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
        const char *copied = name == NULL ? NULL : af_arena_copy(names, name, strlen(name));
        if (copied != NULL) {
            library->symbols.meter->bytes += strlen(copied);
            /* the lowest bit distinguishes Thumb from ARM; functions in assembly have no size */
            const uint64_t start = is_arm ? symbol.st_value & ~UINT64_C(1) : symbol.st_value;
            af_library_add(library, start, symbol.st_size > 0 ? symbol.st_size : UINT64_MAX, copied,
                           strlen(copied));
        }
    }
}

/* Takes the full symbol table, or the dynamic symbols of a stripped library. */
static void take_symbols(Elf *elf, af_library *library, af_arena *names)
{
    GElf_Ehdr file;
    const gboolean is_arm = gelf_getehdr(elf, &file) != NULL && file.e_machine == EM_ARM;
    static const GElf_Word types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (unsigned t = 0; t < G_N_ELEMENTS(types) && library->symbols.n == 0; t++) {
        Elf_Scn *section = NULL;
        while ((section = elf_nextscn(elf, section)) != NULL) {
            GElf_Shdr head;
            if (gelf_getshdr(section, &head) != NULL && head.sh_type == types[t]) {
                take_table(elf, section, &head, is_arm, library, names);
            }
        }
    }
}

af_elf_state af_library_take_elf(af_library *library, const af_elf_query *query, af_arena *names)
{
    const int fd = open_library(query);
    af_elf_state state = AF_ELF_ABSENT;
    if (fd < 0) {
        return state;
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF) {
        state = is_same_build(elf, query) ? AF_ELF_TAKEN : AF_ELF_OTHER_BUILD;
    }
    if (state == AF_ELF_TAKEN) {
        take_segments(elf, library);
        take_symbols(elf, library, names);
    }
    elf_end(elf);
    close(fd);
    return state;
}
