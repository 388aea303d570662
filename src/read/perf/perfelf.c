/* Libraries from --symfs: their symbols, and where their segments are in memory. */
#include <string.h>

#include "read/elf_library.h"
#include "read/perf/perfdata.h"

#define BUILD_ID_SIZE 20u

typedef struct {
    af_symbols *symbols;
    af_dso *dso;
} searching;

static void take_symbol(void *user, uint64_t start, uint64_t size, const char *name)
{
    const searching *s = user;
    const char *copied = af_arena_copy(s->symbols->arena, name, strlen(name));
    if (copied != NULL) {
        af_symbols_add(s->dso, start, size, copied, strlen(copied));
    }
}

static void take_segment(void *user, uint64_t offset, uint64_t size, uint64_t vaddr)
{
    const searching *s = user;
    af_array_append(&s->dso->segments, &(af_segment){offset, size, vaddr});
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
    searching s = {symbols, dso};
    const af_elf_receiver receiver = {take_symbol, take_segment, &s};
    const af_elf_query query = {symbols->symfs, dso->path, dso->build_id, BUILD_ID_SIZE};
    symbols->build_ids_differ += af_elf_library_take(&query, &receiver) == AF_ELF_OTHER_BUILD;
}
