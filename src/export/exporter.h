/* An exporter: a profile in the format of another tool.
 *
 * Each is one const struct in its own file, listed once in exporters.c. It writes to `out`, whose
 * first failure sticks, and returns FALSE only for reasons of its own (no memory, too much). */
#ifndef AF_EXPORT_EXPORTER_H
#define AF_EXPORT_EXPORTER_H

#include "base/out.h"
#include "model/profile.h"

/* What of the profile is meant. */
typedef struct {
    af_clock clock;          /* definite */
    const uint32_t *threads; /* indices, ascending */
    uint32_t n_threads;
    uint64_t most_bytes;     /* AF_ERROR_USAGE if it would be more than this; 0 = no limit */
} af_selection;

typedef struct {
    const char *name;      /* "folded" */
    const char *extension; /* "folded" */
    const char *title;     /* "folded stacks, for flamegraph.pl, inferno and speedscope" */
    gboolean (*write)(const af_profile *profile, const af_selection *selection, af_out *out,
                      GError **error);
} af_exporter;

extern const af_exporter af_exporter_folded;

/* NULL past the end, NULL if no exporter has the name. */
const af_exporter *af_exporter_at(unsigned number);
const af_exporter *af_exporter_lookup(const char *name);

#endif
