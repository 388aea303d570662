/* Writes the sections of a saved profile; see base/aflp.h.
 *
 * All sections are collected in memory. If memory is refused, the failure sticks until
 * af_section_finish(). */
#pragma once

#include "base/array.h"
#include "base/bytes.h"
#include "model/profile.h"

typedef struct {
    af_array bytes;   /* of uint8_t: finished sections, then the open one after its length */
    unsigned number;  /* of the open section; 0 = none */
    size_t begin;     /* of its content */
    const char *text; /* the previous text in a column of texts */
} af_section;

void af_section_init(af_section *section);
void af_section_clear(af_section *section);

/* Closes the open section and starts another one. */
void af_section_begin(af_section *section, unsigned number);

/* Closes the last section. FALSE if memory was refused. */
gboolean af_section_finish(af_section *section);

void af_section_number(af_section *section, uint64_t value);
void af_section_signed(af_section *section, int64_t value);
void af_section_text(af_section *section, const char *text);
void af_section_bytes(af_section *section, const void *bytes, size_t n);

/* A column of texts. Each text must stay valid until the next one. */
void af_section_begin_texts(af_section *section);
void af_section_next_text(af_section *section, const char *text);

/* A tree and what its nodes are called. */
typedef struct {
    const af_tree *tree;
    const uint32_t *names; /* numbers of labels or of methods */
    const af_label
        *labels; /* `names` are labels, and their methods are meant; NULL = as they are */
} af_section_nodes;

static inline uint32_t af_section_name(const af_section_nodes *nodes, uint32_t node)
{
    const uint32_t name = nodes->names[node];
    return nodes->labels != NULL ? nodes->labels[name].method : name;
}

/* Writes the content of AF_AFLP_TREE. */
void af_section_tree(af_section *section, const af_section_nodes *nodes);
