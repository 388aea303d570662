#include <gelf.h>

#include "libraries/forward.h"

LIBRARY("libelf.so.1", "libelf")

FORWARD(unsigned, elf_version, (unsigned version), (version))
FORWARD(Elf *, elf_begin, (int fd, Elf_Cmd command, Elf *reference), (fd, command, reference))
FORWARD(int, elf_end, (Elf * elf), (elf))
FORWARD(Elf_Kind, elf_kind, (Elf * elf), (elf))
FORWARD(int, elf_getphdrnum, (Elf * elf, size_t *n), (elf, n))
FORWARD(Elf_Scn *, elf_nextscn, (Elf * elf, Elf_Scn *section), (elf, section))
FORWARD(Elf_Data *, elf_getdata, (Elf_Scn * section, Elf_Data *data), (section, data))
FORWARD(char *, elf_strptr, (Elf * elf, size_t section, size_t offset), (elf, section, offset))
FORWARD(GElf_Ehdr *, gelf_getehdr, (Elf * elf, GElf_Ehdr *to), (elf, to))
FORWARD(GElf_Phdr *, gelf_getphdr, (Elf * elf, int i, GElf_Phdr *to), (elf, i, to))
FORWARD(GElf_Shdr *, gelf_getshdr, (Elf_Scn * section, GElf_Shdr *to), (section, to))
FORWARD(GElf_Sym *, gelf_getsym, (Elf_Data * data, int i, GElf_Sym *to), (data, i, to))
FORWARD(size_t, gelf_getnote,
        (Elf_Data * data, size_t offset, GElf_Nhdr *to, size_t *name, size_t *description),
        (data, offset, to, name, description))
