/* Collects the methods of one class while its lines are read. Equal lines merge at the end of the
 * class. */
#pragma once

#include "base/span.h"
#include "mapping/mapping.h"

typedef struct {
    af_array text;    /* of char: the strings of the entries */
    af_array entries; /* of draft_entry, in file order */
} af_class_builder;

/* A method as one line, or a group of lines, describes it. */
typedef struct {
    af_span obfuscated;
    af_span text;     /* an af_mapped_text including its last zero byte */
    af_span residual; /* bytes == NULL: unknown */
    af_span forwards; /* an af_mapped_text; bytes == NULL: nothing is inlined */
    unsigned flags;
} af_class_builder_method;

void af_class_builder_init(af_class_builder *draft);
void af_class_builder_clear(af_class_builder *draft);

/* Copies the line; af_class_builder_take() reports refused memory. */
void af_class_builder_add(af_class_builder *draft, const af_class_builder_method *method);

/* Moves the methods into the mapping and its class, which leaves the builder empty. FALSE if memory
 * is refused. */
gboolean af_class_builder_take(af_class_builder *draft, af_mapping *mapping, af_mapped_class *in);
