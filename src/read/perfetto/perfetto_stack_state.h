/* Internals of perfetto_stack.c (stacks and their methods) and perfetto_symbol.c (symbols and real
 * names). */
#pragma once

#include "read/library.h"
#include "read/perfetto/perfetto.h"

/* The functions at an address; several are an inlined chain, innermost first. */
typedef struct {
    uint32_t first, n; /* of `functions` */
} af_symbol_chain;

struct af_perfetto_stacks {
    af_perfetto *p;
    af_textmap frames; /* their bytes are af_perfetto_frame */
    af_idmap nodes;    /* of stacks: caller << 32 | frame */
    af_textmap symbol_keys;
    af_array symbols;      /* of af_symbol_chain, by number of the key */
    af_array functions;    /* of uint32_t: texts */
    af_idtable real_names; /* of uint32_t: a text with all real names, by package and obfuscated
                              "class.method" */
    af_array methods;      /* of uint32_t, of the last frame, innermost first */
    af_array packages;     /* of uint32_t: texts */
    af_array known;        /* of uint32_t, by frame: its method + 1, if it is one */
    af_array path;         /* of uint32_t: nodes to pass to the sink, innermost first */
    af_idtable given;      /* of uint32_t: stacks of the sink, by thread << 32 | node */
    af_arena *arena;       /* keys */
    af_textmap library_keys;
    af_array libraries; /* of af_library: of --symfs, by number of the key */
};

/* The number of a key of bytes, copied if it is new. AF_TEXTMAP_NONE if memory is refused. */
uint32_t af_perfetto_stacks_number(af_perfetto_stacks *stacks, af_textmap *map, const void *key,
                                   size_t size);

/* The functions at the address of a frame; NULL = not known. */
const af_symbol_chain *af_perfetto_find_symbol(const af_perfetto_stacks *stacks,
                                               const af_perfetto_frame *frame);

void af_perfetto_symfs_init(af_perfetto_stacks *stacks, af_meter *meter);
void af_perfetto_symfs_clear(af_perfetto_stacks *stacks);

/* The name of the function at the address of a frame, as a text; AF_NO_TEXT = not known. */
uint32_t af_perfetto_symfs_find(af_perfetto_stacks *stacks, const af_perfetto_frame *frame);

/* The real name of a function in a mapping; empty if there is none. `package` is that of the
 * process, AF_NO_TEXT = not known; it is used if the path contains no package. */
af_span af_perfetto_find_real_name(const af_perfetto_stacks *stacks, uint32_t function,
                                   af_span path, uint32_t package);

/* The real name of a class, also of an array of it and of java.lang.Class<it>. The caller frees
 * it. */
char *af_perfetto_name_class(const af_perfetto_stacks *stacks, af_span name);
