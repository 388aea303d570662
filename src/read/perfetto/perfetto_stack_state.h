/* Internals of perfetto_stack.c (stacks and their methods) and perfetto_symbol.c (symbols and real
 * names). */
#pragma once

#include "read/perfetto/perfetto.h"

typedef struct {
    uint32_t caller, frame;
} af_stack_node;

/* A line of code at an address; several are an inlined chain, innermost first. */
typedef struct {
    uint32_t function, source, line;
} af_symbol_line;

typedef struct {
    uint32_t first, n; /* of af_symbol_line */
} af_symbol_lines;

struct af_perfetto_stacks {
    af_perfetto *p;
    af_textmap frame_keys;
    af_array frames; /* of af_perfetto_frame, by number of the key */
    af_idmap node_keys;
    af_array nodes; /* of af_stack_node, by number of the key */
    af_textmap symbol_keys;
    af_array symbols;    /* of af_symbol_lines */
    af_array lines;      /* of af_symbol_line */
    af_idmap real_keys;  /* obfuscated "class.method" -> list of real names */
    af_array real_names; /* of uint32_t: a text with all real names */
    af_array methods;    /* of uint32_t, of the last frame, innermost first */
    af_array packages;   /* of uint32_t: texts */
    af_array known;      /* of uint32_t, by frame: its method + 1, if it is one */
    af_array path;       /* of uint32_t: nodes to pass to the sink, innermost first */
    af_idmap given_keys; /* thread << 32 | node */
    af_array given;      /* of uint32_t: stacks of the sink, by number of the key */
    af_arena *arena;     /* keys */
    af_textmap library_keys;
    af_array libraries, elf_symbols; /* of --symfs, see perfetto_symfs.c */
};

/* The number of a key of bytes, copied if it is new. AF_TEXTMAP_NONE if memory is refused. */
uint32_t af_perfetto_stacks_number(af_perfetto_stacks *stacks, af_textmap *map, const void *key,
                                   size_t size);

/* The lines of code at the address of a frame; NULL = not known. */
const af_symbol_lines *af_perfetto_find_symbol(const af_perfetto_stacks *stacks,
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
