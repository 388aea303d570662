/* Methods of formats that know no ids: a name is a method, shown as it stands. */
#ifndef AF_READ_NAMETABLE_H
#define AF_READ_NAMETABLE_H

#include "base/textmap.h"
#include "model/sink.h"

typedef struct {
    af_sink *sink;
    af_textmap names; /* their numbers are the sink's, which has the texts */
} af_nametable;

void af_nametable_init(af_nametable *table, af_sink *sink);
void af_nametable_clear(af_nametable *table);

/* The sink's number of a method; it is defined when its name is first met. */
uint32_t af_nametable_method(af_nametable *table, af_slice name);

#endif
