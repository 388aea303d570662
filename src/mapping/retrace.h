/* Methods as a trace names them get their real names: section by section what a mapping can say of
 * a class, a name and a descriptor, without a line number. */
#ifndef AF_MAPPING_RETRACE_H
#define AF_MAPPING_RETRACE_H

#include "mapping/mapping.h"
#include "model/profile.h"

typedef struct af_retracer af_retracer;

/* Synthetic methods that only pass on to one other are called by the name of that one, unless
 * `keep_synthetic`. The mapping is borrowed. */
af_retracer *af_retracer_new(const af_mapping *mapping, gboolean keep_synthetic);
void af_retracer_free(af_retracer *retracer);

/* Changes class, name, signature and source of a defined method, as far as the mapping knows
 * better. New strings lie in `arena`. Refused memory shows in the arena and in
 * af_retracer_result(). */
void af_retracer_rename(af_retracer *retracer, af_arena *arena, af_method *method);

/* What came of all that was renamed so far; strings in `arena`. FALSE if memory was refused. */
gboolean af_retracer_result(const af_retracer *retracer, af_arena *arena, af_mapped_facts *facts);

#endif
