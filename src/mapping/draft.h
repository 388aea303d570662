/* The methods of one class while its lines are read: lines that say the same become one when the
 * class is over. */
#ifndef AF_MAPPING_DRAFT_H
#define AF_MAPPING_DRAFT_H

#include "base/slice.h"
#include "mapping/mapping.h"

typedef struct {
    af_array text;    /* of char: the strings of the entries */
    af_array entries; /* of draft_entry, in file order */
} af_draft;

/* What a line, or a group of them, says of a method. */
typedef struct {
    af_slice obfuscated;
    af_slice text;     /* an af_mapped_text with its last zero byte */
    af_slice residual; /* bytes == NULL: not said */
    af_slice forwards; /* an af_mapped_text; bytes == NULL: nothing is inlined */
    unsigned flags;
} af_draft_method;

void af_draft_init(af_draft *draft);
void af_draft_clear(af_draft *draft);

/* Copies what it needs; refused memory shows in af_draft_take(). */
void af_draft_add(af_draft *draft, const af_draft_method *method);

/* Puts the methods into the mapping and its class, and is empty again. FALSE if memory is
 * refused. */
gboolean af_draft_take(af_draft *draft, af_mapping *mapping, af_mapped_class *in);

#endif
