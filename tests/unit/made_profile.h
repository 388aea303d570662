/* A profile built by hand, for tests of the layers above the readers. */
#pragma once

#include "export/exporter.h"
#include "model/profile.h"

/* One row of a call tree, in tree order: a node, then its callees. */
typedef struct {
    uint32_t depth; /* 1 = top level; 0 ends the rows */
    const char *label;
    uint64_t self_ns[AF_CLOCKS];
} made_row;

/* An empty profile with the clocks (bits 1 << clock), for af_profile_free(). */
af_profile *made_profile_new(unsigned clocks);

/* Adds a thread, whose id must be above those of the previous threads. Borrows the strings. */
af_thread *made_thread_add(af_profile *profile, uint64_t id, const char *name, const char *title,
                           const made_row *rows);

/* The file that the exporter writes, with a zero byte that does not count; NULL if it fails, which
 * must be before the first byte. */
GByteArray *made_export(const af_exporter *exporter, const af_profile *profile,
                        const af_selection *selection, GError **error);

/* The next one of a sequence of numbers below 1 << 24. */
uint32_t made_random(uint32_t *state);
