// Linked into every program under sanitizers. By itself, LeakSanitizer looks for pointers in all global
// variables of a program, which include megabytes of tables of the sanitizers. This gives it the pointers
// in those pages that the program has written: a fifth of the time of a short command.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE    4096
#define WRITTEN 63 // bits of an entry in pagemap: the page is in memory
#define OF_FILE 61 // and has the content of the file

// LeakSanitizer calls or reads these
const char *__lsan_default_options(void);
int __lsan_is_turned_off(void);

// it follows those in thread-local variables
static __thread struct {
    uintptr_t *words;
    size_t count, capacity;
} pointers;

const char *__lsan_default_options(void)
{
    return "use_globals=0";
}

static void keep_pointers(const uintptr_t *from, const uintptr_t *to)
{
    for (; from < to; from++) {
        if (*from >> 32 == 0) // the heap is above 4 GB
            continue;
        if (pointers.count == pointers.capacity) {
            pointers.capacity = pointers.capacity * 2 + 4096;
            pointers.words = realloc(pointers.words, pointers.capacity * sizeof *pointers.words);
            if (pointers.words == NULL)
                abort();
        }
        pointers.words[pointers.count++] = *from;
    }
}

static int keep_pointers_of(struct dl_phdr_info *module, size_t size, void *pagemap)
{
    for (unsigned i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0)
            continue;
        uintptr_t page = (module->dlpi_addr + part->p_vaddr) / PAGE;
        const uintptr_t end = (module->dlpi_addr + part->p_vaddr + part->p_memsz + PAGE - 1) / PAGE;
        while (page < end) {
            uint64_t entries[512];
            const size_t most = end - page < 512 ? end - page : 512;
            const ssize_t got = pread(*(int *)pagemap, entries, most * sizeof *entries,
                                      (off_t)(page * sizeof *entries));
            if (got < (ssize_t)sizeof *entries)
                abort();
            for (size_t n = 0; n < (size_t)got / sizeof *entries; n++, page++) {
                if ((entries[n] >> WRITTEN & 1) != 0 && (entries[n] >> OF_FILE & 1) == 0)
                    keep_pointers((const uintptr_t *)(page * PAGE),
                                  (const uintptr_t *)((page + 1) * PAGE));
            }
        }
    }
    return 0;
}

// called before each look for leaks
int __lsan_is_turned_off(void)
{
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap < 0)
        abort();
    pointers.count = 0;
    dl_iterate_phdr(keep_pointers_of, &pagemap);
    close(pagemap);
    return 0;
}
