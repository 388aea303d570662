/* Gives the methods of a trace their real names: looks them up in a mapping by class, name and
 * descriptor, without line numbers. */
#pragma once

#include "mapping/mapping.h"
#include "model/profile.h"

typedef struct af_retracer af_retracer;

/* Synthetic methods that only forward to another method get its name, unless `keep_synthetic`. The
 * mapping is borrowed. */
af_retracer *af_retracer_new(const af_mapping *mapping, gboolean keep_synthetic);
void af_retracer_free(af_retracer *retracer);

/* Changes class, name, signature and source of a defined method, as far as the mapping contains
 * them. New strings are allocated in `arena`. The arena and af_retracer_result() report refused
 * memory. */
void af_retracer_rename(af_retracer *retracer, af_arena *arena, af_method *method);

/* The result of all renaming so far; strings in `arena`. FALSE if memory was refused. */
gboolean af_retracer_result(const af_retracer *retracer, af_arena *arena, af_mapped_facts *facts);

/* Adds the results of all retracers (of af_retracer) to a profile, and warnings about mappings that
 * are damaged or do not match it. FALSE if memory was refused. */
gboolean af_retracers_report(const GPtrArray *retracers, af_profile *profile);
