/* An exporter: a profile in the format of another tool.
 *
 * Each is one const struct in its own file, listed once in exporters.c. It writes to `out`, whose
 * first failure sticks, and returns FALSE only for reasons of its own (no memory, too much).
 *
 * It writes the call trees, or tells the single calls in order of time. Those are not always there:
 * samples have none, the steps of reshape change trees only, and nothing begins or ends in the time
 * that a thread waits. An exporter that needs them is then not asked, and the caller hears why. */
#ifndef AF_EXPORT_EXPORTER_H
#define AF_EXPORT_EXPORTER_H

#include "base/out.h"
#include "calls/samples.h"
#include "model/profile.h"
#include "calls/call_walk.h"

/* Tells an observer the calls of some threads, under the profile's numbers. */
typedef struct {
    gboolean (*tell)(void *user, const guint8 *wanted, const af_observer *observer, GError **error);
    void *user;
} af_call_source;

/* Tells all samples in the order of the file. `seen` returns TRUE to go on; FALSE, with an error
 * set, to stop. */
typedef struct {
    gboolean (*tell)(void *user,
                     gboolean (*seen)(void *to, const af_recorded_sample *sample, GError **error),
                     void *to, GError **error);
    void *user;
} af_sample_source;

/* What of the profile is meant, and how. */
typedef struct {
    af_clock clock;          /* definite */
    const uint32_t *threads; /* indices, ascending; all have the clock, not all may have others */
    uint32_t n_threads;
    uint64_t most_bytes;         /* AF_ERROR_USAGE if it would be more than this; 0 = no limit */
    const af_call_source *calls; /* NULL = single calls are not there */
    const af_sample_source
        *samples;         /* NULL = single samples are not there, or nobody knows their times */
    unsigned remove_gaps; /* as in af_convert_options */
    gboolean folded_ns;   /* folded stacks count nanoseconds, not microseconds */
    GPtrArray *messages;  /* receives lines (char *) about what is lost; may be NULL */
} af_selection;

/* What an exporter makes of single calls. */
typedef enum {
    AF_CALLS_UNUSED = 0, /* it writes trees */
    AF_CALLS_IF_ANY,     /* it writes calls, or trees where there are none */
    AF_CALLS_NEEDED,
} af_calls_use;

typedef struct {
    const char *name;       /* "folded" */
    const char *extensions; /* "folded", separated by blanks; the usual one first */
    const char *title;      /* "folded stacks, for flamegraph.pl, inferno and speedscope" */
    af_calls_use calls;
    gboolean binary;  /* bytes that a terminal must not get */
    gboolean packed;  /* always in gzip */
    unsigned deepest; /* calls inside each other that it holds; 0 = any number */
    gboolean (*write)(const af_profile *profile, const af_selection *selection, af_out *out,
                      GError **error);
} af_exporter;

extern const af_exporter af_exporter_callgrind;
extern const af_exporter af_exporter_chrome;
extern const af_exporter af_exporter_firefox;
extern const af_exporter af_exporter_folded;
extern const af_exporter af_exporter_gecko;
extern const af_exporter af_exporter_perfetto;
extern const af_exporter af_exporter_pprof;
extern const af_exporter af_exporter_spall;
extern const af_exporter af_exporter_speedscope;

/* NULL past the end, NULL if no exporter has the name. */
const af_exporter *af_exporter_at(unsigned number);
const af_exporter *af_exporter_lookup(const char *name);

#endif
